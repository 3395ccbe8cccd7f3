"""Query plans of the store's statements: which of them read the whole of a table that grows."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot.store.database import Database
from bot.store.migrate import table_keys
from bot.store.postgres import number_parameters

BOUNDED = {"jobs", "offers", "undo_requests", "drafts", "known_seats", "league_traces", "rating_state"}
"""Tables with rows for open games only: they do not grow with the games played."""

PARTIAL = {"matches_open", "matches_ready", "clocks_votes", "leagues_open"}
"""Indexes that hold rows of open games only."""

OF_THE_OPERATOR = ("SELECT status, count(*) FROM matches", "DELETE FROM ratings", "DELETE FROM rating_history")
OF_THE_OPERATOR += ("DELETE FROM meetings", "DELETE FROM records")
"""Beginnings of statements that no user can cause: figures of the whole bot, and ratings computed anew at a start."""

BOT = Path(__file__).parents[2] / "bot"
DRIVERS = {BOT / "store" / f"{name}.py" for name in ("database", "sqlite", "postgres")}
MAINTENANCE = ("copying", "backup", "migrate", "clock_steps")
OFFLINE = {BOT / "store" / f"{name}.py" for name in MAINTENANCE}
"""Modules whose statements no user can cause: while no bot runs, or after the clock of the machine was set back."""

# a search without an index is how SQLite calls the scan for a largest value
_SCAN = re.compile(r"(?:SEARCH (?=\w+$)|SCAN )(\w+)(?: USING (?:COVERING )?INDEX (\w+))?")
_EXPLAINED = ("SELECT", "INSERT", "UPDATE", "DELETE")


def is_explained(sql: str) -> bool:
    """Whether a statement has a plan and may be asked for by a user."""
    words = " ".join(sql.split())
    return words.startswith(_EXPLAINED) and not any(map(_same_table(words), OF_THE_OPERATOR))


def _same_table(words: str) -> Any:
    # `DELETE FROM ratings` without a condition, but not `DELETE FROM ratings WHERE …`
    return lambda start: words.startswith(start) and " WHERE user_id" not in words


async def sqlite_scans(database: Any, sql: str) -> list[str]:
    """The parts of the plan of SQLite that read a growing table from its beginning to its end."""
    rows = await database._connection.execute_fetchall(f"EXPLAIN QUERY PLAN {sql}", [None] * sql.count("?"))
    # the largest id is at the end of the table, which SQLite finds at once
    plan = [row["detail"] for row in rows if not (row["detail"].startswith("SEARCH") and "max(id)" in sql)]
    return [step for step in plan if (scan := _SCAN.match(step)) and _grows(scan[1]) and scan[2] not in PARTIAL]


def _grows(table: str) -> bool:
    # an alias counts as a table that grows
    return table not in BOUNDED | {"CONSTANT", "schema_version", "sqlite_master"}


async def postgres_scans(connection: Any, sql: str) -> list[str]:
    """The parts of the plan of PostgreSQL that do so even where it prefers any index to a scan."""
    # a generic plan knows no values, which is what a plan for all users is
    await connection.execute("SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan")
    await connection.execute(f"PREPARE looked_at AS {number_parameters(sql)}")
    values = ", ".join(["NULL"] * sql.count("?"))
    (row,) = await connection.fetch(f"EXPLAIN (FORMAT JSON) EXECUTE looked_at{f'({values})' if values else ''}")
    await connection.execute("DEALLOCATE looked_at")
    return [
        f"{node['Node Type']} on {node['Relation Name']}"
        for node in _nodes(json.loads(row[0])[0]["Plan"])
        if node.get("Relation Name") in table_keys().keys() - BOUNDED
        and "Scan" in node["Node Type"]
        and node["Node Type"] != "Bitmap Heap Scan"
        and "Index Cond" not in node
        and node.get("Index Name") not in PARTIAL
    ]


def _nodes(plan: Any) -> Iterator[Any]:
    yield plan
    for inner in plan.get("Plans", ()):
        yield from _nodes(inner)


def is_of_the_bot() -> bool:
    """Whether the statement that is carried out right now comes from the bot, not from a test."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        file = Path(frame.f_code.co_filename)
        if file in OFFLINE:
            return False
        if file.is_relative_to(BOT) and file not in DRIVERS:
            return True
        if "tests" in file.parts and file.name not in ("conftest.py", "plans.py", "test_query_plans.py"):
            return False
        frame = frame.f_back
    return False


class Plans:
    """The statements of the bot that were carried out, and the scans among them."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self.scans: dict[str, list[str]] = {}

    async def look(self, database: Database, sql: str) -> None:
        """Explain a statement that is carried out for the first time."""
        if sql in self.seen or not is_explained(sql) or not is_of_the_bot():
            return
        self.seen.add(sql)
        if scans := await sqlite_scans(database, sql):
            self.scans[" ".join(sql.split())] = scans


PLANS = Plans()
"""Plans of all tests in this process: a statement is explained once."""

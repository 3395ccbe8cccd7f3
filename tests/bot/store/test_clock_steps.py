"""The clock of the machine was ahead and was set back: no stored time is left in the future."""

from __future__ import annotations

import ast
import dataclasses
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.clock import Clock
from bot.store.clock_steps import AWAY, JOB_TIME, PREFERENCES, STATE_RECORDS, TIMES, Step
from bot.store.clocks import SeatClock
from bot.store.codec import time_of
from bot.store.database import Database
from bot.store.jobs import Job, JobKind
from bot.store.matches import SeatHolder
from bot.store.migrate import table_keys
from bot.store.opening import file_address, open_database
from bot.store.schema import match_tables
from bot.store.store import Store
from bot.store.table_events import TableEvent, TableEventKind
from bot.store.user_data import JSON_COLUMNS
from bot.tables.preferences import NAME, Preferences, keep_preferences
from engine.match import Entry
from engine.texts import Seat
from tests.bot.matches import append, change, facts_of, open_match
from tests.server import Server

AT = datetime(2026, 6, 1, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
FAR = 100 * DAY
"""More than any plan reaches ahead."""

HERE, ANA = 7 << 22, 42


async def store_everything(store: Store, at: datetime) -> None:
    """Store every kind of time as the bot does at a time: records of that moment, and plans for the days after it."""
    match_id = await open_match(store, SeatHolder(ANA, name="Ana"), guild_id=HERE, channel_id=5, host_id=ANA, at=at)
    late = TableEvent(TableEventKind.LATE, 1, at)
    later = dict.fromkeys(TIMES["clocks"].plans, at + DAY)
    clock = SeatClock(match_id, Seat(0), ANA, 1, DAY, DAY, since=at, warned=at, out=at, at=at + DAY, **later)
    entries = [Entry(Seat(0), "draw")]
    await append(store, match_id, 0, entries, at=at)
    await change(store, match_id, lambda facts: facts.note(late).invite([ANA], at).with_clocks([clock]))
    await store.reminded.begin(ANA, [(match_id, 1)], at)
    await store.reminded.note(ANA, 1, at, {})
    await store.reminded.snooze(ANA, at + DAY)
    form = {"options": {}, "seats": 4, "swiss": False, "rounds": 5, "gap": 7, "division_size": 0}
    league = await store.leagues.create(
        at,
        **{"guild_id": HERE, "channel_id": 6, "host_id": ANA, "game": "muscat", "rules_version": 1},
        **form,
        pace="daily",
        computer="fair",
        closes_at=at + 3 * DAY,
    )
    await store.leagues.change(league.id, begun_at=at)
    state = dict.fromkeys(STATE_RECORDS, time_of(at))
    await store.jobs.put(*(Job(kind, at + HOUR, match_id, ANA, 1, state=state, guild_id=HERE) for kind in JobKind))
    await store.jobs.put(*(Job(kind, at + HOUR, match_id, ANA, 2, guild_id=HERE) for kind in JobKind))
    away = Preferences(away=(at + 7 * DAY).isoformat())
    await keep_preferences(store.settings, ANA, away)


async def timed_rows(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """All rows with times."""
    tables = (*TIMES, "jobs", "settings")
    return {
        table: [
            tuple(row)
            for row in await database.fetch(f"SELECT * FROM {table} ORDER BY {table_keys()[table]}")
            if row[0] not in ("bot", "shard")
        ]
        for table in tables
    }


@pytest.fixture(params=["a file", "a server"])
async def databases(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[Database, Database]]:
    """Two new databases of each kind."""
    async with AsyncExitStack() as stack:
        if request.param == "a file":
            addresses = [file_address(tmp_path / name) for name in ("one.db", "two.db")]
        else:
            server: Server = request.getfixturevalue("server")
            addresses = [await server.database() for _ in range(2)]
        first, second = [await stack.enter_async_context(open_database(address)) for address in addresses]
        yield first, second


async def test_correcting_a_clock_far_ahead_restores_every_stored_time(databases: tuple[Database, Database]) -> None:
    ahead, right = databases
    await store_everything(Store(right), AT)
    await store_everything(Store(ahead), AT + FAR)
    changed = await Store(ahead).clock_steps.correct(Step(AT, FAR))
    assert await timed_rows(right) == await timed_rows(ahead)
    assert {1} == changed - {0}
    assert Preferences(away=(AT + 7 * DAY).isoformat()) == Preferences(
        **await Store(ahead).settings.get("user", ANA, PREFERENCES)
    )


async def test_times_stored_by_a_correct_clock_stay_unchanged(databases: tuple[Database, Database]) -> None:
    """Times at which the bot looks anew before it acts may come sooner."""
    before, after = databases
    for database in databases:
        await store_everything(Store(database), AT)
    await Store(after).clock_steps.correct(Step(AT + timedelta(seconds=1), FAR))
    expected, corrected = await timed_rows(before), await timed_rows(after)
    jobs, sooner = expected.pop("jobs"), corrected.pop("jobs")
    assert expected == corrected
    fixed = {JobKind.ANSWER, JobKind.DIGEST, JobKind.CHANNEL_CHECK}
    assert [job for job in jobs if job[0] in fixed] == [job for job in sooner if job[0] in fixed]
    assert len(jobs) == len(sooner)
    assert all(before >= after for before, after in zip(jobs, sooner, strict=True))


async def test_a_record_in_the_future_shifts_all_times_in_its_row_even_for_small_steps(tmp_path: Path) -> None:
    """A vote about a late player ends when its message says, and not an hour later."""
    async with open_database(file_address(tmp_path / "games.db")) as database:
        store = Store(database)
        await store_everything(store, AT + HOUR)
        await store.clock_steps.correct(Step(AT, HOUR))
        clock = (await facts_of(store, 1)).clocks[Seat(0)]
        assert (AT, AT + DAY, AT + DAY) == (clock.out, clock.vote_ends, clock.reminds_at)
        digest = await store.jobs.find(JobKind.DIGEST, 1, ANA, 1)
        assert digest is not None
        assert AT + HOUR == digest.due_at


async def test_a_damaged_row_does_not_prevent_correction_of_the_others(tmp_path: Path) -> None:
    async with open_database(file_address(tmp_path / "games.db")) as database:
        store = Store(database)
        await store_everything(store, AT + FAR)
        await database.execute("UPDATE jobs SET state = '[' WHERE kind = 'reminder'")
        await database.execute("UPDATE reminded SET at = '2999'")
        await database.execute("UPDATE settings SET value = '[]' WHERE scope = 'user'")
        await store.clock_steps.correct(Step(AT, FAR))
        assert AT == await store.log.written_at(1, 0)
        assert {AT} == set((await facts_of(store, 1)).invited.values())


def test_the_clock_itself_detects_a_step_backward(monkeypatch: pytest.MonkeyPatch) -> None:
    """People may play by a clock that is ahead between two looks of the worker."""
    clock = Clock()
    before = clock.now()
    assert before == clock.latest
    clock.latest = before + HOUR
    assert clock.now() < clock.latest == before + HOUR


# --- every time is known ---

NO_TIMES = {
    "blocks": {"digest", "name"},
    "bars": {"digest", "name", "reason"},
    "entries": {"notation"},
    "results": {"computer"},
    "jobs": {"kind"},
    "settings": {"scope", "name"},
    "ratings": {"game"},
    "rating_history": {"game"},
    "meetings": {"game"},
    "records": {"game", "kind"},
    "leagues": {"occupies", "game", "pace", "computer", "status"},
    "league_players": {"name"},
    "league_traces": {"digest"},
    "league_tables": {"secret"},
}
"""Columns of text that hold no time, by table; those of facts of matches have types that say so."""


async def test_every_text_column_is_classified_as_time_or_not(blank: Path) -> None:
    """A new column with times belongs into `TIMES`."""
    connection = sqlite3.connect(blank)
    try:
        for table in table_keys().keys() - match_tables().keys():
            columns = {
                name for _, name, kind, *_ in connection.execute(f"PRAGMA table_info({table})") if kind == "TEXT"
            }
            times = {JOB_TIME} if table == "jobs" else set(TIMES[table].columns if table in TIMES else ())
            rest = columns - set(JSON_COLUMNS.get(table, ())) - NO_TIMES.get(table, set())
            assert times == rest, f"{table}: does this hold a time? Then put it into bot.store.clock_steps.TIMES"
    finally:
        connection.close()


def names_of_stored_times(source: str) -> Iterator[str]:
    """The names under which a module puts times into JSON: keywords and keys with `time_of(…)` or `….isoformat()`."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.keyword(arg=str(name), value=value):
                pairs = [(name, value)]
            case ast.Dict():
                pairs = [(key.value, value) for key, value in zip(node.keys, node.values, strict=True) if is_text(key)]
            case _:
                pairs = []
        yield from (name for name, value in pairs if is_time(value))


def is_text(key: ast.expr | None) -> bool:
    return isinstance(key, ast.Constant) and isinstance(key.value, str)


def is_time(value: ast.expr) -> bool:
    called = value.func if isinstance(value, ast.Call) else None
    return getattr(called, "id", "") == "time_of" or getattr(called, "attr", "") == "isoformat"


def test_every_time_in_json_is_classified() -> None:
    """A new one in the state of a job belongs into `STATE_RECORDS`."""
    columns = {name for times in TIMES.values() for name in times.columns}
    classified = {*STATE_RECORDS, *columns, "time"}  # `time` is that of a line of the log
    for path in Path("bot").rglob("*.py"):
        names = set(names_of_stored_times(path.read_text("utf-8")))
        unknown = names - classified
        assert not unknown, f"{path}: put these into bot.store.clock_steps.STATE_RECORDS: {unknown}"


def test_the_away_time_in_preferences_is_stored_under_the_expected_names() -> None:
    assert PREFERENCES == NAME
    assert AWAY in dataclasses.asdict(Preferences())

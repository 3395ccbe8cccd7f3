"""No statement of the store reads the whole of a table that grows with the games played.

The fixture `no_scans` looks at each statement that any test makes the bot carry out; here are all methods of the store.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.store.auto_answers import AutoAnswer
from bot.store.boards import Board
from bot.store.clocks import SeatClock
from bot.store.codec import json_of, time_of
from bot.store.database import Conflict, Database, StatementFailed
from bot.store.drafts import Draft
from bot.store.facts import Facts, without
from bot.store.jobs import Drop, Extend, Job, JobKind, MakeDue, MakeLeagueDue, Put, PutNewer, ReplaceAll
from bot.store.join_requests import JoinRequest
from bot.store.leagues import League, LeaguePlayer, LeagueStatus, LeagueTable
from bot.store.log import Damaged, NewEntries
from bot.store.matches import MatchRow, OpenLimits, PastHolder, Results, SeatHolder, Status
from bot.store.opening import open_database
from bot.store.planned_turns import PlannedTurn
from bot.store.predictions import Prediction
from bot.store.sqlite import SQLite
from bot.store.store import Store
from bot.store.tally import Credit, Forfeit, Owners, SeatStory
from bot.store.undo_requests import UndoRequest
from engine.match import Entry
from engine.texts import Seat
from tests.bot.app import DATABASE
from tests.bot.matches import change, open_match
from tests.bot.plans import MAINTENANCE, is_explained, postgres_scans, sqlite_scans

AT = datetime(2026, 11, 22, 18, 30, tzinfo=UTC)
ME, OTHER = 1, 2


CLOCK = SeatClock(1, Seat(0), ME, 1, AT - AT, AT - AT, AT, AT, at=AT, votes={OTHER: "wait"})
JOB = Job(JobKind.REMINDER, AT, 1, ME, state={"version": 1, "lines": []})
TABLE = LeagueTable(1, 1, 0, "x", (ME, None))
STORY = (SeatStory(0.1, 0.1, 0.1, 1, 0.5), SeatStory())
ENTRIES = [Entry(Seat(0), "draw")]
CREDITS, FORFEITS = (Credit(ME), Credit(OTHER, place=2)), (Forfeit(0, ME, 3),)
OWNERS = Owners(CREDITS, FORFEITS, moves=3)

ROW = MatchRow(
    id=1, guild_id=1, channel_id=1, host_id=ME, game="g", rules_version=1, options={}, seed="", status=Status.LOBBY,
    lobby_message_id=None, holders=(SeatHolder(ME), SeatHolder(OTHER)),
)  # fmt: skip
BARE = Facts(ROW)
FULL = replace(
    Facts(replace(ROW, ready=frozenset({ME}), past_holders=(PastHolder(Seat(0), SeatHolder(OTHER), 1),))),
    drafts=dict.fromkeys(map(Seat, range(2)), Draft(1, ("draw",))),
    undo_request=UndoRequest(Seat(0), 1),
    offers=dict.fromkeys(map(Seat, range(2)), 5),
    followers=frozenset({ME, OTHER}),
    predictions={user_id: Prediction(Seat(0), 1, AT, "Ben") for user_id in (ME, OTHER)},
    known_seats=frozenset({(Seat(0), "x"), (Seat(1), "x")}),
    invited={ME: AT, OTHER: AT},
    join_requests={user_id: JoinRequest(user_id, "Ben", 1) for user_id in (ME, OTHER)},
    auto_answers={Seat(0): dict.fromkeys("ab", AutoAnswer.DECLINE)},
    plans={Seat(0): dict.fromkeys(range(2), PlannedTurn(("draw",), ("Seat 1 draws.",)))},
    clocks={Seat(0): CLOCK, Seat(1): replace(CLOCK, seat=Seat(1))},
    board=Board(1, 8, {"story": f"<@{ME}> is due", "due": [0]}),
    hints=True,
)
SOME = replace(
    FULL,
    row=replace(FULL.row, past_holders=()),
    drafts=without(FULL.drafts, Seat(0)),
    offers=without(FULL.offers, Seat(0)),
    followers=frozenset({ME}),
    predictions=without(FULL.predictions, OTHER),
    known_seats=frozenset({(Seat(0), "x")}),
    invited=without(FULL.invited, ME),
    join_requests=without(FULL.join_requests, ME),
    auto_answers={Seat(0): {"a": AutoAnswer.DECLINE}},
    plans={Seat(0): {0: PlannedTurn(("draw",), ("Seat 1 draws.",))}},
    clocks=without(FULL.clocks, Seat(0)),
)
"""Nothing of a match; something in all parts of it, and less of it."""

CHANGES = (
    Put(JOB), Drop(JOB.key), ReplaceAll(JOB.kind), ReplaceAll(JOB.kind, (JOB,)), MakeDue(JOB.kind, AT),
    MakeLeagueDue(AT), Extend(JOB), PutNewer(JOB),
)  # fmt: skip

LEAGUE: dict[str, Any] = {
    **dict.fromkeys(("guild_id", "channel_id", "host_id", "rules_version", "rounds", "gap", "division_size"), 1),
    **{"seats": 2, "swiss": False, "game": "g", "pace": "daily", "computer": "easy", "options": {}, "closes_at": AT},
}

BY_NAME: Mapping[str, Any] = {
    **{
        "scope": "user",
        "name": "preferences",
        "value": {},
        "names": {1: ["Ana"]},
        "mark": "1-0",
        "status": Status.OVER,
    },
    **{"called": {ME: 1}, "messages": {1: (2, 3)}, "entries": {0: True}, "divisions": {ME: 0}, "sending": [(1, 1)]},
    **{
        "kind": JobKind.REMINDER,
        "new": NewEntries(1, ENTRIES, AT, 7),
        "seats": [Seat(0)],
        "numbers": [0, 1],
        "options": {},
        "credits": CREDITS,
        "owners": OWNERS,
        "forfeits": FORFEITS,
        "results": Results(((0, 1.0), (0, 0.0)), OWNERS),
        "change": lambda facts: facts,
        "changes": CHANGES,
        "checks": (),
        "version": 1,
        "row": replace(ROW, channel_id=3),
        "values": {"guild_id": 1, "host_id": ME},
        "before": BARE,
        "after": FULL,
        "tables": [TABLE],
    },
    **{
        "jobs": JOB,
        "keys": [JOB.key, JOB.key],
        "guild_ids": [1, 2],
        "others": [OTHER],
        "blocked_id": OTHER,
        "digest": "x",
        "reason": "rude",
        "until": AT,
        "user_ids": [ME],
    },
}
"""Arguments of the methods, by the name of a parameter."""

BY_TYPE: Mapping[str, Any] = {
    **{"int": 1, "str": "x", "bool": True, "Seat": Seat(0), "datetime": AT, "OpenLimits": OpenLimits(9, 9)},
    **{"Job": JOB, "LeaguePlayer": LeaguePlayer(ME, 1, "Ana"), "LeagueTable": TABLE},
}
"""Arguments of the methods, by the type of a parameter."""

SPECIAL: Mapping[str, Mapping[str, Any]] = {
    "settings.some": {"names": ["preferences"]},
    "jobs.replace": {"before": JOB, "after": JOB},
    "jobs.replace_all": {"jobs": [JOB]},
    "ratings.add": {"match_id": 2},
    "ratings.note_story": {"seats": STORY, "match_id": 2},
    "ratings.note": {"match_id": 2},
    "leagues.create": {**LEAGUE, "game": "h"},
    "leagues.change": {"shown": 1},
    "leagues.plan": {"status": LeagueStatus.PLAYING},
    "leagues.note_table": {"match_id": 1},
}
"""Further keyword arguments, by method."""


def methods(store: Store) -> Iterator[tuple[str, Any]]:
    """All that can be asked of a store, by name: first what reads and writes, then what ends and forgets."""
    parts = {"store": store, **{name: part for name, part in vars(store).items() if not name.startswith("_")}}
    calls = [
        (f"{name}.{method}", getattr(part, method))
        for name, part in parts.items()
        for method, _ in inspect.getmembers(type(part), inspect.iscoroutinefunction)
        if not method.startswith("_") and name not in MAINTENANCE
    ]
    last = ("drop", "forget", "end", "close", "expire", "compute")
    return iter(sorted(calls, key=lambda call: (call[0].rpartition(".")[2] in last, call[0])))


def arguments(name: str, method: Any, league: League) -> tuple[list[Any], dict[str, Any]]:
    """Positional and keyword arguments for a method."""
    positional, named = list[Any](), dict(SPECIAL.get(name, {}))
    for parameter in inspect.signature(method).parameters.values():
        kind = str(parameter.annotation).removesuffix(" | None")
        value = league if kind == "League" else BY_NAME.get(parameter.name, BY_TYPE.get(kind))
        if parameter.kind is inspect.Parameter.VAR_KEYWORD or (
            parameter.name in named and parameter.kind is parameter.KEYWORD_ONLY
        ):
            continue
        assert value is not None, f"say what {name} is called with as {parameter.name}"
        if parameter.kind is parameter.KEYWORD_ONLY:
            named[parameter.name] = value
        else:
            positional.append(named.pop(parameter.name, value))
    return positional, named


@pytest.fixture(params=["sqlite", "postgresql"])
async def database(request: pytest.FixtureRequest, folder: Any) -> AsyncIterator[Database]:
    on_file = request.param == "sqlite"
    address = f"sqlite:///{folder}/{DATABASE}" if on_file else await request.getfixturevalue("server").database()
    async with open_database(address) as database:
        yield database


async def test_no_store_method_scans_a_growing_table(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    statements = dict.fromkeys(await _statements(database, monkeypatch))
    scans = dict[str, list[str]]()
    for sql in filter(is_explained, statements):
        if isinstance(database, SQLite):
            scans[sql] = await sqlite_scans(database, sql)
        else:
            scans[sql] = await postgres_scans(database._connection, sql)  # type: ignore[attr-defined]
    assert len(statements) > 150
    assert {} == {" ".join(sql.split()): steps for sql, steps in scans.items() if steps}


async def _statements(database: Database, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All statements of all methods of the store, in a database with a match and a league in it."""
    statements, kind = list[str](), type(database)
    fetch, many = kind._fetch, kind._execute_many

    async def noted_fetch(self: Any, sql: str, parameters: Any) -> Any:
        statements.append(sql)
        return await fetch(self, sql, parameters)

    async def noted_many(self: Any, sql: str, rows: Any) -> None:
        statements.append(sql)
        await many(self, sql, rows)

    store, league = await _fill(database)
    monkeypatch.setattr(kind, "_fetch", noted_fetch)
    monkeypatch.setattr(kind, "_execute_many", noted_many)
    for name, method in methods(store):
        positional, named = arguments(name, method, league)
        # the statement was carried out all the same
        with suppress(Conflict, Damaged, StatementFailed):
            await method(*positional, **named)
    for before, after in ((FULL, BARE), (BARE, FULL), (FULL, SOME)):
        await store.facts.write(before, after)
    return statements


async def _fill(database: Database) -> tuple[Store, League]:
    store = Store(database)
    for channel_id in (1, 2):
        holders = (SeatHolder(ME), SeatHolder(OTHER))
        await open_match(store, *holders, guild_id=1, channel_id=channel_id, host_id=ME, game="g")
    results = "INSERT INTO results (match_id, seat, score, share) VALUES (2, ?, 1, 0.5)"
    await database.execute_many(results, [(0,), (1,)])
    await change(store, 1, lambda facts: replace(FULL, row=replace(facts.row, ready=frozenset({ME, OTHER}))))
    await database.execute("INSERT INTO settings VALUES ('user', ?, 'x', ?)", ME, json_of(time_of(AT)))
    return store, await store.leagues.create(AT, **LEAGUE)


async def test_a_table_scan_is_detected(folder: Any) -> None:
    async with open_database(f"sqlite:///{folder}/{DATABASE}") as database:
        assert ["SCAN entries"] == await sqlite_scans(database, "SELECT seat FROM entries WHERE notation = ?")
        assert ["SEARCH entries"] == await sqlite_scans(database, "SELECT max(at) FROM entries")
        assert [] == await sqlite_scans(database, "SELECT seat FROM entries WHERE match_id = ?")


async def test_a_table_scan_on_a_server_is_detected(server: Any) -> None:
    async with open_database(await server.database()) as database:
        await database.fetch("SELECT 1")
        connection = database._connection  # type: ignore[attr-defined]
        assert ["Seq Scan on entries"] == await postgres_scans(
            connection, "SELECT seat FROM entries WHERE notation = ?"
        )
        assert [] == await postgres_scans(connection, "SELECT seat FROM entries WHERE match_id = ?")

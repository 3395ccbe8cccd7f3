"""The durable commit of a move, beside a raw `sqlite3` transaction of the same rows (S0)."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import aiosqlite

from bot.store.facts import Facts
from bot.store.jobs import board_mark
from bot.store.log import NewEntries
from bot.store.matches import SeatHolder
from bot.store.opening import open_database
from bot.store.store import Store
from engine.games import discover
from engine.match import Entry
from engine.values import Value
from tests.bench.measure import WALL, Beside, Effort, Pair, in_fresh_processes
from tests.bench.report import Goal, Row, judged_row, ms, noted_row
from tests.bench.walk import Walk
from tests.bot.matches import facts_of, open_match

COMMIT = Goal(3)
FOLDER = Path("artifacts")
"""Folder for the databases of the benchmark: on a disk, not in a temporary file system of memory."""


def rows(effort: Effort) -> list[Row]:
    """R7 for moves of all games in turn, wall time."""
    runs = in_fresh_processes(effort, measure, effort.rounds(200))
    append = Beside.of([run.appends for run in runs])
    floor = Beside.of([run.floors for run in runs])
    anchor = f"S0 {ms(append.anchor)}"
    return [
        judged_row("R7", "durable commit of a move, p50", COMMIT, append.ratio, figure=ms(append.cost), anchor=anchor),
        noted_row("the same statements by aiosqlite alone", ms(floor.cost), anchor=anchor, ratio=floor.ratio),
    ]


class Measured(Value):
    """Wall seconds of `append` and of aiosqlite alone, beside S0."""

    appends: list[Pair]
    floors: list[Pair]


class Move(Value):
    """The rows of one finished turn."""

    first: int
    entries: Sequence[Entry]
    version: int
    interaction_id: int


def measure(rounds: int) -> Measured:
    """Raw, through the store, raw, ... on two databases of the same schema in the same folder."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        return asyncio.run(_measure(Path(folder), rounds))


async def _measure(folder: Path, rounds: int) -> Measured:
    for name in ("raw.db", "floor.db"):
        async with open_database(_url(folder / name)) as database:
            await _new_match(Store(database))
    async with open_database(_url(folder / "store.db")) as database:
        store, raw, floor = Store(database), Raw(folder / "raw.db"), await Floor.open_database(folder / "floor.db")
        facts = await _new_match(store)
        match_id = facts.id
        appends: list[Pair] = []
        floors: list[Pair] = []
        before = raw.commit(match_id, next(moves := _moves()))
        for move in (next(moves) for _ in range(rounds)):
            start = WALL()
            await _append(store, facts, move)
            appended = WALL() - start
            after = raw.commit(match_id, move)
            appends.append(Pair(appended, (before + after) / 2))
            floors.append(Pair(await floor.commit(match_id, move), after))
            before = raw.commit(match_id, next(moves))
        raw.close()
        await floor.close()
    return Measured(appends, floors)


async def _append(store: Store, facts: Facts, move: Move) -> None:
    now, came = datetime.now(UTC), move.interaction_id or None
    new, mark = NewEntries(move.first, move.entries, now, came), board_mark(move.version)
    await store.write(facts, facts.expect_board(mark, now), move.first, new)


CHANNEL = 1 << 60


async def _new_match(store: Store) -> Facts:
    match_id = await open_match(store, SeatHolder(2), guild_id=1, channel_id=CHANNEL, host_id=2, game="g")
    return await facts_of(store, match_id)


def _moves() -> Iterator[Move]:
    """The turns of random games one after the other, numbered on as if they were one log."""
    first, version, interaction_id = 0, 0, 1 << 60
    for number in range(1_000_000):
        for spec in discover().values():
            walk = Walk(spec, spec.seats[-1], f"store {number}")
            while not walk.over:
                entries, _ = walk.play(*walk.choose())
                version, interaction_id = version + len(entries), interaction_id + 2
                yield Move(first, entries, version, interaction_id)
                first += len(entries)


ENTRIES = "INSERT INTO entries (match_id, n, seat, notation, at, interaction_id) VALUES (?, ?, ?, ?, ?, ?)"
BOARD = """
    INSERT INTO jobs (kind, match_id, user_id, seat, guild_id, due_at, attempts, state)
    VALUES ('board', ?, 0, -1, 1, ?, 0, ?) ON CONFLICT (kind, match_id, user_id, seat)
    DO UPDATE SET due_at = excluded.due_at, attempts = excluded.attempts, state = excluded.state
"""
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")


def _rows(match_id: int, move: Move) -> tuple[list[tuple[object, ...]], tuple[object, ...]]:
    """The entries of a move, and its board."""
    at = datetime.now(UTC).isoformat()
    entries: list[tuple[object, ...]] = [
        (match_id, move.first + n, entry.seat, entry.notation, at, move.interaction_id if n == 0 else None)
        for n, entry in enumerate(move.entries)
    ]
    return entries, (match_id, at, f'{{"mark":"{move.version}-0000"}}')


class Raw:
    """S0: the same rows in one transaction of the standard library's `sqlite3`, with the same pragmas."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        for pragma in PRAGMAS:
            self._connection.execute(f"PRAGMA {pragma}")

    def commit(self, match_id: int, move: Move) -> float:
        """Wall seconds of the transaction."""
        entries, board = _rows(match_id, move)
        start = WALL()
        self._connection.execute("BEGIN")
        self._connection.executemany(ENTRIES, entries)
        self._connection.execute(BOARD, board)
        self._connection.execute("COMMIT")
        return WALL() - start

    def close(self) -> None:
        self._connection.close()


class Floor:
    """The least that a store on aiosqlite can take for them: each statement is a trip to its thread."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection

    @classmethod
    async def open_database(cls, path: Path) -> Floor:
        connection = await aiosqlite.connect(path, isolation_level="IMMEDIATE")
        for pragma in PRAGMAS:
            await connection.execute(f"PRAGMA {pragma}")
        return cls(connection)

    async def commit(self, match_id: int, move: Move) -> float:
        """Wall seconds of the transaction."""
        entries, board = _rows(match_id, move)
        start = WALL()
        await self._connection.executemany(ENTRIES, entries)
        await self._connection.execute(BOARD, board)
        await self._connection.commit()
        return WALL() - start

    async def close(self) -> None:
        await self._connection.close()


def _url(path: Path) -> str:
    return f"sqlite:///{path}"

"""Memory over very many moves in one process that lives on.

The moves go through the real tables and the real store, dozens of matches at once, with pictures for a sample of them.
"""

from __future__ import annotations

import asyncio
import gc
import os
from dataclasses import fields, replace
from itertools import count, cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from bot.clock import Clock
from bot.posting.pictures import Pictures
from bot.store.matches import SeatHolder
from bot.store.opening import file_address, open_database
from bot.store.store import Store
from bot.tables.lobbies import Lobbies
from bot.tables.moves import Moves
from bot.tables.table import Table
from bot.tables.tables import Tables
from engine.core import View
from engine.games import discover
from engine.match import Match
from engine.texts import Seat
from engine.values import Value
from tests.bench.measure import Effort, Spread, in_fresh_processes, resident_mb
from tests.bench.report import Goal, Row, judged_row

MOVES, LENGTH, AT_ONCE = 100_000, 50, 40
"""Moves in all, those after which a match is left alone if it is not over, and matches that go on side by side."""

POINTS = 40
PICTURES = 20
"""Moves from one picture to the next; the end of a match always has one."""

FLAT = Goal(1.05)
"""The last point beside that at half the way."""


def rows(effort: Effort) -> list[Row]:
    """R15: a long life."""
    (lived,) = in_fresh_processes(replace(effort, processes=1), measure, effort.rounds(MOVES))
    return [_flat_row(lived)]


class Point(NamedTuple):
    """MB held after a number of moves, and the objects that the garbage collector knows."""

    move: int
    memory: float
    objects: int


class Measured(Value):
    """The result of one process for a number of matches."""

    points: list[Point]
    matches: int


def _flat_row(lived: Measured) -> Row:
    half, end = lived.points[len(lived.points) // 2 - 1], lived.points[-1]
    figure = f"{end.memory:.0f} MB, {end.objects:,} objects; {half.memory:.0f} MB, {half.objects:,} at half the way"
    what = f"{end.move:,} moves in {lived.matches:,} matches, second half"
    return judged_row("R15", what, FLAT, Spread.of([end.memory / half.memory]), figure=figure)


def measure(number: int) -> Measured:
    """Play a number of moves."""
    with TemporaryDirectory(prefix="memory-") as folder:
        return asyncio.run(_play(Path(folder) / "games.db", number))


async def _play(place: Path, number: int) -> Measured:
    points, rng, pictures = list[Point](), Random("glances"), Pictures()
    async with open_database(file_address(place)) as database:
        games = Games(Store(database))
        for move in range(1, number + 1):
            match = (await games.move()).require_match()
            if move % PICTURES == 0 or match.outcome is not None:
                await pictures.draw(glance(match, rng), match.names, match.names)
            if move % (number // POINTS) == 0:
                gc.collect()
                points.append(Point(move, resident_mb(os.getpid()), len(gc.get_objects())))
        return Measured(points, games.begun)


class Games:
    """Matches of all games that go on side by side; when one has gone on long enough, another one begins."""

    def __init__(self, store: Store) -> None:
        clock, self._tables = Clock(), Tables(store)
        self._lobbies, self._moves = Lobbies(store, self._tables, clock), Moves(store, self._tables, clock)
        self._rng, self._specs, self._interactions = Random("house"), cycle(discover().values()), count(1)
        self._going_on: list[int] = []
        self.begun = 0

    async def move(self) -> Table:
        """Somebody chooses something at one of the tables."""
        while len(self._going_on) < AT_ONCE:
            self._going_on.append(await self._begin())
        table = await self._tables.find(self._rng.choice(self._going_on))
        assert table is not None, "it was begun"
        decision = self._rng.choice(table.require_match().state.decisions())
        user_id, action = table.row.holders[decision.seat].user_id, self._rng.choice(decision.options)
        assert user_id is not None, "no computer sits here"
        await self._moves.play(table, user_id, action, interaction_id=next(self._interactions), version=None)
        if table.require_match().outcome is not None or len(table.require_match().entries) > LENGTH:
            self._going_on.remove(table.id)
        return table

    async def _begin(self) -> int:
        self.begun += 1
        spec = next(self._specs)
        people = [SeatHolder(user_id) for user_id in range(1, self._rng.choice(spec.seats) + 1)]
        table = await self._lobbies.open(spec.slug, guild_id=1, channel_id=self.begun, host=people[0])
        await self._lobbies.change_holders(table, lambda _: people)
        for user_id in table.unready:
            await self._lobbies.note_ready(table, user_id, asked=False)
        await self._moves.start(table, 1)
        return table.id


def glance(match: Match, rng: Random) -> View[Any]:
    """A picture that a person looks at: the public board, or a private one during a choice."""
    viewer = rng.choice((None, *map(Seat, range(match.setup.seats))))
    own = next((d for d in match.state.decisions() if d.seat == viewer), None)
    if own is None:
        return match.view(viewer)
    option_taken = rng.choice(own.options)
    names = [f.name for f in fields(option_taken)]
    settled = names[: rng.randint(0, len(names))]
    offered = tuple(
        option
        for option in own.options
        if type(option) is type(option_taken) and all(getattr(option, n) == getattr(option_taken, n) for n in settled)
    )
    return match.view(viewer, offered=offered)

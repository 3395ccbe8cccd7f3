"""Cost of thinking for people: acknowledgements at one table while all workers think about others, and while none
does.

Both phases alternate in one run of one bot. Thinking is asked for as hints, by more people than there are workers: a
hint is thought about in the same workers as a move of the strongest computer, and for a little longer.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from operator import truediv
from pathlib import Path

from engine.values import Value
from playground.world import Channel, User
from tests.bench.measure import Effort, Spread, percentile
from tests.bench.report import Goal, Row, judged_row, ms
from tests.bench.scene import in_scene
from tests.bench.stage import BareRoom, GameRoom, Kind, Stage, ids_of, new_channel, room, staged

ASKERS = 4
"""Tables where hints are asked for without end; there are two workers."""
MOVES = 20
"""Moves of a phase."""

LONGEST_HINT = 90.0
"""Seconds that a hint takes at most, with all the others before it on a busy machine."""

GAME = "jinns"
"""A game for two in which the first one begins."""

SLOWER = Goal(1.3)


class Run(Value):
    """Seconds until taps were acknowledged."""

    idle: list[float]
    busy: list[float]


def rows(effort: Effort) -> list[Row]:
    """R14."""
    phases = effort.rounds(10)
    runs = [in_scene(lambda folder, picture: _run(folder, picture, phases)) for _ in range(min(2, effort.processes))]
    return [_row([percentile(run.busy, 99) for run in runs], [percentile(run.idle, 99) for run in runs])]


def _row(busy: list[float], idle: list[float]) -> Row:
    what, ratio = "tap → acknowledged while all workers think, p99", Spread.of(map(truediv, busy, idle))
    return judged_row("R14", what, SLOWER, ratio, figure=ms(Spread.of(busy)), anchor=f"{ms(Spread.of(idle))} without")


async def _run(folder: Path, picture: Path, phases: int) -> Run:
    async with staged(Kind.HOUSE, folder / "thinking", picture) as stage:
        table, idle, busy = room(stage), list[float](), list[float]()
        await _taps(table, 2)
        askers = await seat_askers(stage)
        for _ in range(phases):
            idle += await _taps(table, MOVES)
            async with busy_workers(askers):
                busy += await _taps(table, MOVES)
        return Run(idle, busy)


async def _taps(table: BareRoom | GameRoom, moves: int) -> list[float]:
    moments = [await table.confirm() for _ in range(moves)]
    return [moment.acknowledged for moment in moments if moment]


@dataclass
class Asker:
    """A person who plays against computers, and asks for hints again and again."""

    stage: Stage
    channel: Channel
    person: User

    async def ask(self) -> None:
        """Ask once."""
        command = self.stage.acts.slash(self.person, self.channel, "game hint", {})
        await self.stage.answer_of(command, LONGEST_HINT)

    async def ask_on(self) -> None:
        """Ask without end."""
        while True:
            await self.ask()


async def seat_askers(stage: Stage) -> list[Asker]:
    """More of them than there are workers, each answered once: workers are hired when they are needed first."""
    askers = [await _seat_person(stage, number) for number in range(ASKERS)]
    await asyncio.gather(*(asker.ask() for asker in askers))
    return askers


async def _seat_person(stage: Stage, number: int) -> Asker:
    """A game against computers, where the person is due."""
    acts, channel, person = stage.acts, new_channel(stage), stage.local.add_member(f"Asker {number}")
    lobby = await stage.answer_of(acts.slash(person, channel, "table new", {"game": GAME}))
    add = next(id for id in ids_of(lobby) if id.startswith("cv:add:"))
    await stage.answer_of(acts.tap(person, lobby, add))
    await stage.answer_of(acts.slash(person, channel, "table start", {}))
    await stage.board_after(channel, 0)
    return Asker(stage, channel, person)


@asynccontextmanager
async def busy_workers(askers: list[Asker]) -> AsyncIterator[None]:
    """All workers think; afterwards they come to rest."""
    tasks = [asyncio.create_task(asker.ask_on()) for asker in askers]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await askers[0].stage.quiet(1.0)

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
from pathlib import Path

from engine.values import Value
from playground.world import Channel, User
from tests.bench.measure import Effort, Spread, percentile
from tests.bench.report import Goal, Row, judged_row, ms, noted_row
from tests.bench.scene import in_scene
from tests.bench.stage import BareRoom, GameRoom, Kind, Stage, ids_of, new_channel, room, staged

ASKERS = 4
"""Tables where hints are asked for without end; there are two workers."""
MOVES = 20
"""Moves of a phase."""

GAME = "jinns"
"""A game for two in which the first one begins."""

SLOWER = Goal(1.3)


class Run(Value):
    """Seconds until taps were acknowledged, and hints that were given meanwhile."""

    idle: list[float]
    busy: list[float]
    hints: int


def rows(effort: Effort) -> list[Row]:
    """R14."""
    phases = effort.rounds(10)
    runs = [in_scene(lambda folder, picture: _run(folder, picture, phases)) for _ in range(min(2, effort.processes))]
    return [
        _ratio_row(runs, 99),
        _anchor_row(runs, 50),
        noted_row("hints thought about meanwhile", str(sum(r.hints for r in runs))),
    ]


def _ratio_row(runs: list[Run], percent: float) -> Row:
    ratio, busy, idle = _beside(runs, percent)
    what = f"tap → acknowledged while all workers think, p{percent:.0f}"
    return judged_row("R14", what, SLOWER, ratio, figure=ms(busy), anchor=f"{ms(idle)} without")


def _anchor_row(runs: list[Run], percent: float) -> Row:
    ratio, busy, idle = _beside(runs, percent)
    return noted_row(f"the same, p{percent:.0f}", ms(busy), anchor=f"{ms(idle)} without", ratio=ratio)


def _beside(runs: list[Run], percent: float) -> tuple[Spread, Spread, Spread]:
    """Ratio of the time while workers think to the time while they do not, and both times."""
    busy = [percentile(run.busy, percent) for run in runs]
    idle = [percentile(run.idle, percent) for run in runs]
    return Spread.of(b / i for b, i in zip(busy, idle, strict=True)), Spread.of(busy), Spread.of(idle)


async def _run(folder: Path, picture: Path, phases: int) -> Run:
    async with staged(Kind.HOUSE, folder / "thinking", picture) as stage:
        table, idle, busy = room(stage), list[float](), list[float]()
        await _taps(table, 2)
        askers = [await _seat_person(stage, number) for number in range(ASKERS)]
        await asyncio.gather(*(asker.ask() for asker in askers))  # workers are hired when they are needed first
        for _ in range(phases):
            idle += await _taps(table, MOVES)
            async with _busy_workers(askers):
                busy += await _taps(table, MOVES)
        return Run(idle, busy, sum(asker.hints for asker in askers))


async def _taps(table: BareRoom | GameRoom, moves: int) -> list[float]:
    moments = [await table.confirm() for _ in range(moves)]
    return [moment.acknowledged for moment in moments if moment]


@dataclass
class Asker:
    """Somebody who plays against computers, and asks what to do again and again."""

    stage: Stage
    channel: Channel
    person: User
    hints: int = 0

    async def ask(self) -> None:
        """Ask once."""
        await self.stage.answer_of(self.stage.acts.slash(self.person, self.channel, "game hint", {}))
        self.hints += 1

    async def ask_on(self) -> None:
        """Ask without end."""
        while True:
            await self.ask()


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
async def _busy_workers(askers: list[Asker]) -> AsyncIterator[None]:
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

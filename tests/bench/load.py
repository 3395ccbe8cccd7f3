"""Many games at once: how many moves a second, and how late the event loop gets.

The bot has one process, the playground with all its players another. The same run with the bare bot (D0) shows what
the playground itself allows.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from engine.values import Value
from tests.bench.measure import Effort, Spread, percentile
from tests.bench.report import Goal, Row, judged_row
from tests.bench.scene import in_scene
from tests.bench.stage import BareRoom, GameRoom, Kind, Stage, room, staged

ROOMS = 8
RATE = 20.0
"""Moves a second in the run that watches the event loop, at random intervals."""
GLANCES = 0.002
"""Seconds between two looks at the event loop."""

THROUGHPUT = Goal(50, at_most=False)
LAG = Goal(5)


class Run(Value):
    """Results of fresh bots, by kind: moves a second of eight tables without pauses, and event-loop lags at the rate.

    A move is an action of a player, whether or not it ends their turn: it is committed and answered with a
    picture, for all to see or, in the midst of a turn, of what they can do next.
    """

    rates: dict[Kind, float]
    lags: dict[Kind, list[float]]


def rows(effort: Effort) -> list[Row]:
    """R12 and R13."""
    moves, span = effort.rounds(300), effort.rounds(10)
    times = min(2, effort.processes)
    runs = [in_scene(lambda folder, picture: _run(folder, picture, moves, span)) for _ in range(times)]
    return [_throughput(runs), _lag(runs)]


def _throughput(runs: list[Run]) -> Row:
    rate = Spread.of(run.rates[Kind.HOUSE] for run in runs)
    ceiling = Spread.of(run.rates[Kind.BARE] for run in runs)
    anchor = f"D0 {ceiling}/s, the playground’s limit"
    return judged_row("R12", f"moves/s, {ROOMS} games at once", THROUGHPUT, rate, anchor=anchor)


def _lag(runs: list[Run]) -> Row:
    at_most = {kind: Spread.of(1000 * percentile(run.lags[kind], 99) for run in runs) for kind in runs[0].lags}
    what = f"event-loop lag in ms at {RATE:.0f} moves/s, p99"
    return judged_row("R13", what, LAG, at_most[Kind.HOUSE], anchor=f"D0 {at_most[Kind.BARE]} ms")


async def _run(folder: Path, picture: Path, moves: int, span: float) -> Run:
    run = Run({}, {})
    for kind in (Kind.BARE, Kind.HOUSE):
        async with staged(kind, folder / kind.value, picture, lag=GLANCES) as stage:
            tables = await at_play(stage, ROOMS)
            await _rush(stage, tables, moves)  # the bench of pictures measures first drawings
            run.rates[kind] = await _rush(stage, tables, moves)
            run.lags[kind] = await _lags(stage, tables, span)
    return run


async def at_play(stage: Stage, number: int) -> list[BareRoom | GameRoom]:
    """Tables at play, with a few moves made."""
    tables = [room(stage, n) for n in range(number)]
    for table in tables:
        for _ in range(2):
            await table.slash(alone=False)
    return tables


async def _rush(stage: Stage, tables: Sequence[BareRoom | GameRoom], moves: int) -> float:
    numbers, start = iter(range(moves)), time.monotonic()

    async def play(table: BareRoom | GameRoom) -> None:
        for _ in numbers:
            await table.slash(alone=False)

    await asyncio.gather(*map(play, tables))
    wall = time.monotonic() - start
    await stage.quiet()
    return moves / wall


async def _lags(stage: Stage, tables: Sequence[BareRoom | GameRoom], span: float) -> list[float]:
    start = time.monotonic()
    await play_at(RATE, tables, span)
    end = time.monotonic()
    await stage.quiet()
    return [late for moment, late in (await stage.notes()).lags if start <= moment <= end]


async def play_at(rate: float, tables: Sequence[BareRoom | GameRoom], span: float) -> None:
    """Play moves at random tables: `rate` a second, for `span` seconds."""
    rng, busy, start = Random("flow"), {id(table): asyncio.Lock() for table in tables}, time.monotonic()

    async def play(table: BareRoom | GameRoom) -> None:
        async with busy[id(table)]:
            await table.slash(alone=False)

    async with asyncio.TaskGroup() as group:
        while time.monotonic() - start < span:
            group.create_task(play(rng.choice(tables)))
            await asyncio.sleep(rng.expovariate(rate))

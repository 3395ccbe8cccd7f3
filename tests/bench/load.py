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
from tests.bench.measure import CPU, Effort, Spread, percentile, short
from tests.bench.report import Goal, Row, judged_row, ms, noted_row
from tests.bench.scene import in_scene
from tests.bench.stage import BareRoom, GameRoom, Kind, Moment, Stage, room, staged

ROOMS = 8
RATE = 20.0
"""Moves a second in the run that watches the event loop, at random intervals."""
GLANCES = 0.002
"""Seconds between two looks at the event loop."""

THROUGHPUT = Goal(50, at_most=False)
LAG = Goal(5)


class Rush(Value):
    """Throughput of eight tables without pauses: moves a second, CPU seconds a move of the bot and of the
    playground.

    A move is an action of a player, whether or not it ends their turn: it is committed and answered with a
    picture, for all to see or, in the midst of a turn, of what they can do next. `boards` a second are those for all.
    """

    rate: float
    boards: float
    bot: float
    playground: float


class Flow(Value):
    """Twenty moves a second: event-loop lags, full garbage collections, and seconds until the board is posted."""

    lags: list[float]
    collections: list[float]
    posted: list[float]


class Run(Value):
    """Results of fresh bots, by kind."""

    rush: dict[Kind, Rush]
    flow: dict[Kind, Flow]


def rows(effort: Effort) -> list[Row]:
    """R12 and R13."""
    moves, span = effort.rounds(300), effort.rounds(10)
    times = min(2, effort.processes)
    runs = [in_scene(lambda folder, picture: _run(folder, picture, moves, span)) for _ in range(times)]
    return [_throughput(runs), *_costs(runs), *_lags(runs)]


def _throughput(runs: list[Run]) -> Row:
    rate = Spread.of(run.rush[Kind.HOUSE].rate for run in runs)
    ceiling = Spread.of(run.rush[Kind.BARE].rate for run in runs)
    anchor = f"D0 {ceiling}/s, the playground’s limit"
    return judged_row("R12", f"moves/s, {ROOMS} games at once", THROUGHPUT, rate, anchor=anchor)


def _costs(runs: list[Run]) -> list[Row]:
    bot = Spread.of(run.rush[Kind.HOUSE].bot for run in runs)
    bare = Spread.of(run.rush[Kind.BARE].bot for run in runs)
    playground = Spread.of(run.rush[Kind.HOUSE].playground for run in runs)
    boards = Spread.of(run.rush[Kind.HOUSE].boards for run in runs)
    return [
        noted_row("turns a second that end with a board meanwhile", f"{boards}"),
        noted_row("the bot's CPU a move meanwhile", ms(bot), anchor=f"D0 {ms(bare)}"),
        noted_row("moves/s the bot alone could do on one core", f"{short(1 / bot.mid)}"),
        noted_row("the playground's CPU a move meanwhile", ms(playground)),
    ]


def _lags(runs: list[Run]) -> list[Row]:
    at_most = {kind: Spread.of(1000 * percentile(run.flow[kind].lags, 99) for run in runs) for kind in runs[0].flow}
    worst = Spread.of(1000 * max(run.flow[Kind.HOUSE].lags) for run in runs)
    collected = Spread.of(1000 * max(run.flow[Kind.HOUSE].collections, default=0.0) for run in runs)
    posted = Spread.of(percentile(run.flow[Kind.HOUSE].posted, 99) for run in runs)
    beside = Spread.of(percentile(run.flow[Kind.BARE].posted, 99) for run in runs)
    what = f"event-loop lag in ms at {RATE:.0f} moves/s, p99"
    return [
        judged_row("R13", what, LAG, at_most[Kind.HOUSE], anchor=f"D0 {at_most[Kind.BARE]} ms"),
        noted_row("worst lag", f"{worst} ms"),
        noted_row("longest full garbage collection of the bot", f"{collected} ms"),
        noted_row(f"slash → board posted at {RATE:.0f} moves/s, p99", ms(posted), anchor=f"D0 {ms(beside)}"),
    ]


async def _run(folder: Path, picture: Path, moves: int, span: float) -> Run:
    rush: dict[Kind, Rush] = {}
    flow: dict[Kind, Flow] = {}
    for kind in (Kind.BARE, Kind.HOUSE):
        async with staged(kind, folder / kind.value, picture, lag=GLANCES) as stage:
            tables = await _tables(stage)
            await _rush(stage, tables, moves)  # the bench of pictures measures first drawings
            rush[kind] = await _rush(stage, tables, moves)
            flow[kind] = await _flow(stage, tables, span)
    return Run(rush, flow)


async def _tables(stage: Stage) -> list[BareRoom | GameRoom]:
    """Tables at play, with a few moves made."""
    tables = [room(stage, number) for number in range(ROOMS)]
    for table in tables:
        for _ in range(2):
            await table.slash()
    return tables


async def _rush(stage: Stage, tables: Sequence[BareRoom | GameRoom], moves: int) -> Rush:
    results, boards = iter(range(moves)), list[Moment]()

    async def play(table: BareRoom | GameRoom) -> None:
        for _ in results:
            if moment := await table.slash(alone=False):
                boards.append(moment)

    start, bot, own = time.monotonic(), stage.cpu, CPU()
    await asyncio.gather(*map(play, tables))
    wall = time.monotonic() - start
    await stage.quiet()
    return Rush(moves / wall, len(boards) / wall, (stage.cpu - bot) / moves, (CPU() - own) / moves)


async def _flow(stage: Stage, tables: Sequence[BareRoom | GameRoom], span: float) -> Flow:
    rng, posted = Random("flow"), list[float]()
    busy = {id(table): asyncio.Lock() for table in tables}

    async def play(table: BareRoom | GameRoom) -> None:
        async with busy[id(table)]:
            moment = await table.slash(alone=False)
        if moment is not None:
            posted.append(moment.posted)

    start = time.monotonic()
    async with asyncio.TaskGroup() as group:
        while time.monotonic() - start < span:
            group.create_task(play(rng.choice(tables)))
            await asyncio.sleep(rng.expovariate(RATE))
    end = time.monotonic()
    await stage.quiet()
    notes = await stage.notes()
    lags = [late for moment, late in notes.lags if start <= moment <= end]
    return Flow(lags, [took for _, took in notes.collections], posted)

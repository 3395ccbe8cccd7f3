"""Memory, and the time from the start of the process until it listens to Discord, beside a bare bot with Pillow.

Both bots have been started before, so that no database has to be made and no command to be registered: a restart.
"""

from __future__ import annotations

import time
from contextlib import AsyncExitStack
from pathlib import Path

from engine.values import Value
from playground.harness import Playground
from tests.bench.measure import Beside, Effort, Pair, resident_mb
from tests.bench.report import Goal, Row, judged_row, ms
from tests.bench.scene import in_scene
from tests.bench.stage import Kind, settings

START, MEMORY = Goal(1.7), Goal(1.4)
MODULES = {Kind.BARE: "tests.bench.bare_bot", Kind.HOUSE: "bot"}


class Start(Value):
    """Wall seconds until ready, and MB held then."""

    wall: float
    memory: float


def rows(effort: Effort) -> list[Row]:
    """R15."""
    starts = in_scene(lambda folder, picture: start_in_turn(folder, picture, effort.rounds(4)))
    memory = _beside(starts, "memory")
    figure, anchor = f"{memory.cost} MB", f"D0 {memory.anchor} MB"
    return [
        ready_row("R15", "time to ready", starts),
        judged_row("R15", "memory", MEMORY, memory.ratio, figure=figure, anchor=anchor),
    ]


def ready_row(promise: str, what: str, starts: dict[Kind, list[Start]]) -> Row:
    """The time to ready beside the bare bot's."""
    wall = _beside(starts, "wall")
    return judged_row(promise, what, START, wall.ratio, figure=ms(wall.cost), anchor=f"D0 {ms(wall.anchor)}")


def _beside(starts: dict[Kind, list[Start]], name: str) -> Beside:
    """Comparison of each start of the bot with the bare one's just before and just after."""
    bare = [getattr(start, name) for start in starts[Kind.BARE]]
    own = [getattr(start, name) for start in starts[Kind.HOUSE]]
    pairs = [Pair(cost, (bare[n] + bare[n + 1]) / 2) for n, cost in enumerate(own)]
    return Beside.of([[pair] for pair in pairs])


async def start_in_turn(folder: Path, picture: Path, rounds: int) -> dict[Kind, list[Start]]:
    """Starts of the bare bot and of ours, each in its folder of this one, the bare bot first and last."""
    starts: dict[Kind, list[Start]] = {kind: [] for kind in MODULES}
    async with AsyncExitStack() as stack:
        grounds = {kind: await stack.enter_async_context(Playground(strict=False)) for kind in MODULES}
        environments = {kind: {**settings(folder / kind.value), "BENCH_PICTURE": str(picture)} for kind in MODULES}
        for kind in (*MODULES, *MODULES, *[Kind.HOUSE, Kind.BARE] * (rounds - 1)):
            starts[kind].append(await _start(grounds[kind], MODULES[kind], environments[kind]))
        starts[Kind.BARE].append(await _start(grounds[Kind.BARE], MODULES[Kind.BARE], environments[Kind.BARE]))
    return {kind: starts[1:] for kind, starts in starts.items()}  # the first start of each made its things


async def _start(ground: Playground, module: str, env: dict[str, str]) -> Start:
    begun = time.monotonic()
    bot = await ground.start_bot(module, env=env)
    start = Start(time.monotonic() - begun, resident_mb(bot.pid))
    await bot.stop()
    return start

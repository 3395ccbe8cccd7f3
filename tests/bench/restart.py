"""A process with ten thousand tables: its start beside a bare bot's, taps at the active tables, and its memory."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any

from bot.posting.board_layouts import Body
from bot.store.boards import Board
from bot.store.jobs import board_mark
from bot.store.log import NewEntries
from bot.store.matches import SeatHolder
from bot.store.opening import file_address, open_database
from bot.store.store import Store
from engine.games import discover
from engine.match import Match
from engine.values import Value
from tests.bench.load import at_play, play_at
from tests.bench.measure import Effort, Spread, percentile, resident_mb
from tests.bench.report import Goal, Row, judged_row
from tests.bench.scene import in_scene
from tests.bench.stage import GameRoom, Kind, staged
from tests.bench.startup import Start, ready_row, start_in_turn
from tests.bench.thinking import busy_workers, seat_askers
from tests.bench.walk import Walk
from tests.bot.matches import facts_of, open_match

TABLES, ACTIVE = 10_000, 200
"""Number of open tables, and of those at which people play now."""

RATE, SPAN = 25.0, 30
"""Moves a second, and for how many seconds."""

PAUSE = 0.05
"""Seconds between two taps of those that are timed."""

TAP, MEMORY = Goal(50), Goal(250)

LENGTH = 60
"""Entries of a log, unless the game is over before."""

KINDS = 8
"""Different logs of every game; the others are played alike."""

BOARD = Body(heading="", filename="", alt="", story="", due=(), due_text="", first=True)
AT = datetime(2026, 1, 1, tzinfo=UTC)


class Run(Value):
    """Starts of both bots, seconds until each tap was acknowledged, and MB at the end."""

    starts: dict[Kind, list[Start]]
    taps: list[float]
    memory: float


def rows(effort: Effort) -> list[Row]:
    """R19."""
    number, active = effort.rounds(TABLES), effort.rounds(ACTIVE)
    run = in_scene(lambda folder, picture: _run(folder, picture, effort))
    what = f"tap → acknowledged in ms at {RATE:.0f} moves/s while all workers think, p99 of {len(run.taps)}"
    return [
        ready_row("R19", f"time to ready with {number - active:,} tables", run.starts),
        judged_row("R19", what, TAP, Spread.of([1000 * percentile(run.taps, 99)])),
        judged_row("R19", f"memory in MB after that, {active} more tables active", MEMORY, Spread.of([run.memory])),
    ]


async def _run(folder: Path, picture: Path, effort: Effort) -> Run:
    active, house = effort.rounds(ACTIVE), folder / Kind.HOUSE.value
    await _furnish(house, effort.rounds(TABLES) - active)
    starts = await start_in_turn(folder, picture, effort.rounds(4))
    async with staged(Kind.HOUSE, house, picture) as stage:
        tables = [table for table in await at_play(stage, active) if isinstance(table, GameRoom)]
        async with busy_workers(await seat_askers(stage)):
            taps = await _taps(tables, effort.rounds(SPAN))
        return Run(starts, taps, resident_mb(stage.bot.pid))


async def _taps(tables: list[GameRoom], span: float) -> list[float]:
    """Tap at tables drawn by lot while people play at all of them."""
    rng, taps, moves = Random("taps"), list[float](), asyncio.create_task(play_at(RATE, tables, span))
    while not moves.done():
        taps.append(await rng.choice(tables).time_to_look())
        await asyncio.sleep(PAUSE)
    await moves
    return taps


async def _furnish(folder: Path, number: int) -> None:
    """A database of running games, each in a server of its own, and each of them played for a while."""
    folder.mkdir()  # noqa: ASYNC240 (nothing else runs yet)
    async with open_database(file_address(folder / "caravanserai.db")) as database:
        for n, (seed, match) in enumerate(islice(cycle(_matches()), number), 1):
            await _write(Store(database), seed, match, n)


def _matches() -> list[tuple[str, Match]]:
    """Seeds and matches of all games that have gone on for a while."""
    seeds = [f"restart {n}" for n in range(KINDS)]
    walks = [(seed, Walk(spec, spec.seats[-1], seed)) for seed in seeds for spec in discover().values()]
    for _, walk in walks:
        while not walk.over and len(walk.match.entries) < LENGTH:
            walk.play(*walk.choose())
    return [(seed, walk.match) for seed, walk in walks if not walk.over]


async def _write(store: Store, seed: str, match: Match, place: int) -> None:
    """A running game whose newest board is out."""
    people = [SeatHolder(user, name=f"user {user}") for user in range(1, match.setup.seats + 1)]
    options = {name: getattr(match.setup.options, name) for name in match.spec.options.__dataclass_fields__}
    about: dict[str, Any] = {"host_id": 1, "secret": "", "game": match.spec.slug, "options": options}
    match_id = await open_match(store, *people, guild_id=place, channel_id=place, **about)
    before = await facts_of(store, match_id)
    waiting = before.begin(match.spec.rules_version, seed, None, AT).expect_board(board_mark(0), AT)
    assert waiting.pending is not None, "its first board waits"
    after = waiting.note_posted(waiting.pending.mark, Board(0, match_id, BOARD.stored()), ())
    await store.write(before, after, 0, NewEntries(0, match.entries, AT))

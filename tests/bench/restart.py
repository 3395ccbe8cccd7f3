"""A start with thousands of running games: when the bot listens, when the boards that wait are out, what it holds."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from bot.posting.board_layouts import Body
from bot.store.boards import Board
from bot.store.jobs import board_mark
from bot.store.log import NewEntries
from bot.store.matches import SeatHolder
from bot.store.opening import file_address, open_database
from bot.store.store import Store
from bot.tables.tables import Tables
from engine.games import discover
from engine.match import Match
from engine.values import Value
from playground.harness import Playground
from tests.bench.measure import Effort, Spread, cpu_seconds, resident_mb
from tests.bench.report import Goal, Row, judged_row, ms, noted_row
from tests.bench.scene import in_scene
from tests.bench.stage import settings
from tests.bench.walk import Walk
from tests.bot.matches import facts_of, open_match

GAMES, WAITING = 2000, 40
"""Number of running games, and of those whose newest board is not out yet."""

LENGTH = 60
"""Entries of a log, unless the game is over before."""

KINDS = 8
"""Different logs of every game; the others are played alike."""

READY = Goal(2)
"""Most seconds until the bot is ready."""

AGAIN = Goal(0.01)
"""CPU seconds."""

PATIENCE = 120.0
BOARD = Body(heading="", filename="", alt="", story="", due=(), due_text="", first=True)
AT = datetime(2026, 1, 1, tzinfo=UTC)


class Found(Value):
    """Seconds from the start of the process on, CPU seconds and MB at the end; `boards` are those posted.

    `again` are the CPU seconds that an idle table takes until it can be played on.
    """

    ready: float
    out: float
    cpu: float
    memory: float
    boards: int
    entries: int
    again: Spread


def rows(effort: Effort) -> list[Row]:
    """Rows about the length of a start, and the part of it that is due to the games."""
    number = effort.rounds(GAMES)
    measured = in_scene(lambda folder, _: _start(folder, number))
    sentence = f"{number:,} games with {measured.entries:,} entries"
    return [
        judged_row(
            "14.5", f"ready with {sentence}", READY, Spread.of([measured.ready]), figure=f"{measured.ready:.2f} s"
        ),
        noted_row(f"{measured.boards} boards that waited are out", f"{measured.out:.2f} s"),
        judged_row("14.5", "an idle table comes back", AGAIN, measured.again, figure=ms(measured.again)),
        noted_row("CPU by then", f"{measured.cpu:.2f} s"),
        noted_row("memory by then", f"{measured.memory:.0f} MB"),
    ]


async def _start(folder: Path, number: int) -> Found:
    async with Playground(strict=False) as ground:
        channels = [ground.add_channel(f"table-{n}").id for n in range(WAITING)]
        people = [user.id for user in ground.discord.world.people]
        server = ground.discord.world.guild_id
        entries, again = await _furnish(folder / "caravanserai.db", number, server, channels, people)
        begun = time.monotonic()
        bot = await ground.start_bot("bot", env=settings(folder))
        ready = time.monotonic() - begun
        posted = await _boards(ground, channels)
        out = time.monotonic() - begun
        await asyncio.sleep(2)
        measured = Found(ready, out, cpu_seconds(bot.pid), resident_mb(bot.pid), posted, entries, again)
        await bot.stop()
        return measured


async def _boards(ground: Playground, channels: list[int]) -> int:
    """Wait until every channel has its board. Returns how many have."""

    def there() -> int:
        return sum(bool(ground.discord.world.channels[channel].messages) for channel in channels)

    await ground.discord.notifier.until(lambda: there() == len(channels), PATIENCE)
    return there()


async def _furnish(place: Path, number: int, server: int, channels: list[int], people: list[int]) -> tuple[int, Spread]:
    """A database of running games, each of them played for a while. Returns the number of entries, and the CPU seconds
    to find one of the tables.
    """
    total = 0
    async with open_database(file_address(place)) as database:
        store = Store(database)
        for n, (seed, match) in enumerate(islice(cycle(_matches()), number)):
            waits = n < len(channels)
            place_of_game = server, channels[n] if waits else n + 1
            await _write(store, seed, match, place_of_game, people, waits=waits)
            total += len(match.entries)
        return total, Spread.of([await _loading_time(store, number - n) for n in range(WAITING)])


async def _loading_time(store: Store, match_id: int) -> float:
    """CPU seconds to load a table without recent use."""
    tables, begun = Tables(store), time.process_time()
    table = await tables.find(match_id)
    assert table is not None, "it was written"
    return time.process_time() - begun


def _matches() -> list[tuple[str, Match]]:
    """Seeds and matches of all games that have gone on for a while."""
    seeds = [f"restart {n}" for n in range(KINDS)]
    walks = [(seed, Walk(spec, spec.seats[-1], seed)) for seed in seeds for spec in discover().values()]
    for _, walk in walks:
        while not walk.over and len(walk.match.entries) < LENGTH:
            walk.play(*walk.choose())
    return [(seed, walk.match) for seed, walk in walks if not walk.over]


async def _write(
    store: Store, seed: str, match: Match, place: tuple[int, int], people: list[int], *, waits: bool
) -> None:
    spec = match.spec
    holders = [SeatHolder(user, name=f"user {user}") for user in people[: match.setup.seats]]
    options = {name: getattr(match.setup.options, name) for name in spec.options.__dataclass_fields__}
    about: dict[str, Any] = {"host_id": people[0], "secret": "", "game": spec.slug, "options": options}
    match_id = await open_match(store, *holders, guild_id=place[0], channel_id=place[1], **about)
    before = await facts_of(store, match_id)
    waiting = before.begin(spec.rules_version, seed, None, AT).expect_board(board_mark(0), AT)
    assert waiting.pending is not None, "its first board waits"
    after = waiting.note_posted(waiting.pending.mark, Board(0, match_id, BOARD.stored()), ())
    if waits:
        after = after.expect_board(board_mark(len(match.entries)), AT)
    await store.write(before, after, 0, NewEntries(0, match.entries, AT))

"""The most expensive acts of one user, one after the other without a pause, beside the taps of another user.

Each act is repeated as fast as the local Discord answers it, three at a time, as a user with several clients could.
Measured are the other user's acknowledgements, and how long the event loop is blocked at once.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

from engine.values import Value
from playground.interactions import Interaction
from playground.world import Message
from tests.bench.measure import Effort, Spread, percentile
from tests.bench.report import Goal, Row, judged_row, ms, noted_row
from tests.bench.scene import in_scene
from tests.bench.stage import GameRoom, Kind, Room, Stage, ids_of, room, staged
from tests.bot.crowds import games_over, league_over

CLIENTS = 3
PAUSE = 0.05
"""Seconds between two taps of the other user."""
GLANCES = 0.002
"""Seconds between two looks at the event loop."""

TAP, BLOCK = Goal(1000), Goal(50)
GAME = "jinns"
"""The game of those that are over."""


class Run(Value):
    """Measurements during each act: seconds until the other user's taps were acknowledged, lags of the event loop."""

    taps: dict[str, list[float]]
    lags: dict[str, list[float]]


def rows(effort: Effort) -> list[Row]:
    """R17."""
    span = effort.rounds(5)
    runs = [in_scene(lambda folder, picture: _run(folder, picture, span)) for _ in range(min(2, effort.processes))]
    taps = [percentile([tap for of_act in run.taps.values() for tap in of_act], 99) for run in runs]
    blocks = [max(max(lags, default=0.0) for lags in run.lags.values()) for run in runs]
    what = "the worst of one user: "
    return [
        judged_row("R17", f"{what}another user's tap acknowledged, p99 in ms", TAP, Spread.of(taps).scaled(1000)),
        judged_row("R17", f"{what}longest block of the event loop in ms", BLOCK, Spread.of(blocks).scaled(1000)),
        *(_row(name, runs) for name in runs[0].taps),
    ]


def _row(name: str, runs: list[Run]) -> Row:
    taps = Spread.of(percentile(run.taps[name], 99) for run in runs)
    block = Spread.of(max(run.lags[name], default=0.0) for run in runs)
    return noted_row(f"{name}: a tap beside it, p99; longest block", f"{ms(taps)}; {ms(block)}")


async def _run(folder: Path, picture: Path, span: int) -> Run:
    run = Run({}, {})
    async with staged(Kind.HOUSE, folder / "house", picture, lag=GLANCES) as stage:
        table, own = room(stage), room(stage, 1)
        assert isinstance(table, GameRoom), "the bot itself is measured"
        for at_play in (table, own):
            await at_play.slash()
        worst = WorstUser(stage, own)
        worst.fill()
        intervals = {}
        for name, act in {"nothing": worst.rest, **worst.acts()}.items():
            start = time.monotonic()
            run.taps[name] = await _beside(stage, table, act, start + span)
            intervals[name] = (start, time.monotonic())
        lags = (await stage.notes()).lags
        for name, (start, end) in intervals.items():
            run.lags[name] = [late for moment, late in lags if start <= moment <= end]
    return run


async def _beside(stage: Stage, table: GameRoom, act: Callable[[], Awaitable[object]], end: float) -> list[float]:
    """Repeat an act until a moment. Returns the other user's seconds until each tap was acknowledged."""

    async def repeat() -> None:
        while time.monotonic() < end:
            await act()

    acts = [asyncio.ensure_future(repeat()) for _ in range(CLIENTS)]
    taps = []
    while time.monotonic() < end:
        taps.append(await table.time_to_look())
        await asyncio.sleep(PAUSE)
    await asyncio.gather(*acts)
    await stage.quiet()
    return taps


class WorstUser:
    """A user with many games behind them, who plays in another channel."""

    def __init__(self, stage: Stage, own: Room) -> None:
        self._stage = stage
        self._own = own
        self._channel = own.channel
        self._user = own.person(0)

    def fill(self) -> None:
        """Write the games that are over, behind the back of the bot."""
        guild_id, channel_id = self._stage.local.world.guild_id, self._channel.id
        first, second, third = (self._own.person(number).id for number in range(3))
        # channels that do not exist: their games are in lists, and no command looks at one of them
        games = games_over(guild_id, channel_id + 1, first, second, third, GAME)
        with closing(sqlite3.connect(self._stage.folder / "caravanserai.db", timeout=10)) as database, database:
            for statement in (*games, *league_over(guild_id, channel_id, first, GAME)):
                database.execute(statement)

    def acts(self) -> dict[str, Callable[[], Awaitable[object]]]:
        """The most expensive acts, by their names."""
        letters = "a" + "\u0301" * 5_999
        return {
            "suggestions": lambda: self._suggest("table new", "game", letters),
            "me data": lambda: self._tap("me data", "myfile"),
            "me games": lambda: self._slash("me games"),
            "game log": lambda: self._slash("game log"),
            "game rules, searched": lambda: self._slash("game rules", search="the most coins win", game=GAME),
            "table continue": self._learn,
            "stats player": lambda: self._slash("stats player"),
            "stats player, shown": lambda: self._tap("stats player", "statshare"),
            "league standings": lambda: self._slash("league standings"),
            "game board": lambda: self._slash("game board"),
        }

    async def rest(self) -> None:
        """Do nothing."""
        await asyncio.sleep(PAUSE)

    async def _slash(self, path: str, **typed: object) -> Message:
        return await self._stage.answer_of(self._stage.acts.slash(self._user, self._channel, path, typed))

    async def _tap(self, path: str, kind: str) -> None:
        page = await self._slash(path)
        button = next((custom_id for custom_id in ids_of(page) if custom_id.startswith(f"cv:{kind}:")), None)
        if button is not None:
            await self._stage.answer_of(self._stage.acts.tap(self._user, page, button))

    async def _suggest(self, path: str, option: str, text: str) -> None:
        begun: Interaction = self._stage.acts.suggest(self._user, self._channel, path, option, text, {})
        await self._stage.local.notifier.until(lambda: begun.is_answered, 20)

    async def _learn(self) -> None:
        """Upload a file of nearly the largest size, which is read before it is refused."""
        await self._slash("table continue", file=("game.json", b'{"entries": [' + b"[0, 1], " * 120_000 + b"1]}"))

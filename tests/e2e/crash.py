"""Killing the bot at a chosen moment, and starting it again."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

from playground.botprocess import BotProcess
from playground.faults import Fault
from playground.harness import Playground
from playground.player import ExpectationFailed

T = TypeVar("T")

EXPECTED = r"no answer within 3 s|left unanswered"
"""A pattern of the faults that a crash may cause: an interaction that was under way."""


class BotSupervisor:
    """Starts the bot and, after each planned kill, starts it again; players wait for it here."""

    def __init__(self, local: Playground, env: Mapping[str, str], module: str = "bot") -> None:
        self.local = local
        self._module = module
        self.crashes = 0
        self.bot: BotProcess | None = None
        self._env = env
        self._revival: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self.bot = await self.local.start_bot(self._module, env=self._env)

    def kill_at(self, route: str, number: int = 1, *, after: bool = False) -> None:
        """Lay a trap: `kill -9` at the `number`th request from now on that fits the route, such as `POST *`."""
        self.local.allow(EXPECTED)
        self.local.discord.faults.order(Fault(route, cut=True, after=after, pass_first=number - 1, then=self.kill_now))

    def kill_now(self) -> None:
        """`kill -9`, and a new start as soon as the process is gone."""
        assert self.bot is not None, "it was started"
        self.local.allow(EXPECTED)
        self.bot.expected_end = True
        os.kill(self.bot.pid, signal.SIGKILL)
        self.crashes += 1
        self._revival = asyncio.create_task(self._revive())

    async def through_crashes(self, act: Callable[[], Awaitable[T]]) -> T:
        """The result of an act; one that fails over a crash is repeated when the bot is back."""
        while True:
            await self.alive()
            crashes = self.crashes
            try:
                return await act()
            except ExpectationFailed:
                if crashes == self.crashes:
                    raise

    async def alive(self) -> None:
        """Wait for the start after the last kill."""
        if self._revival is not None:
            await self._revival

    async def _revive(self) -> None:
        assert self.bot is not None, "it was started"
        await self.bot.ended
        await self.start()

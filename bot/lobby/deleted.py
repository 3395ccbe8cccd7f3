"""Channels that seem to be deleted. Discord is asked for them twice before what was open there is closed."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

import discord

from bot.clock import growing
from bot.courtyard import Courtyard
from bot.errors import TROUBLE, logged, reason
from bot.lobby.keeping import close_gone
from bot.store.trouble import patiently

_log = logging.getLogger(__name__)

ASK_AGAIN = 300.0
"""Seconds between the two answers; one alone may be a mistake of Discord's."""

AT_ONCE = 4
"""Channels that are asked for side by side, as after a start."""


class DeletedChannels:
    """Closes what was open in channels that were deleted."""

    def __init__(self, court: Courtyard) -> None:
        self._court = court
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._checks: dict[int, asyncio.Task[None]] = {}

    def suspect(self, channel_id: int) -> None:
        """Check whether a channel was deleted. Nobody waits for it."""
        if channel_id not in self._checks:
            work = patiently(self._court.clock, partial(self._check, channel_id))
            task = asyncio.create_task(logged(work, _log, "channel %d could not be checked", channel_id))
            self._checks[channel_id] = task
            task.add_done_callback(lambda _: self._checks.pop(channel_id, None))

    async def compare(self, guild: discord.Guild) -> None:
        """Check the channels with open matches that a server does not list. Archived threads are among them."""
        for channel_id in await self._court.store.matches.open_channels(guild.id):
            if guild.get_channel_or_thread(channel_id) is None:
                self.suspect(channel_id)

    async def close(self) -> None:
        """Stop checking; after the next start the servers are compared again."""
        tasks = list(self._checks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _check(self, channel_id: int) -> None:
        if not await self._court.store.matches.open_under(channel_id) or not await self._is_gone(channel_id):
            return
        await self._court.clock.sleep(ASK_AGAIN)
        if await self._is_gone(channel_id):
            await close_gone(self._court, channel_id)

    async def _is_gone(self, channel_id: int) -> bool:
        """Whether Discord says that there is no such channel; it is asked until it answers."""
        tries = 0
        while True:
            try:
                async with self._slots:
                    return not await self._court.channels.exists(channel_id)
            except TROUBLE as error:
                _log.info("whether channel %d was deleted is not known: %s", channel_id, reason(error))
            await self._court.clock.sleep(growing(tries))
            tries += 1

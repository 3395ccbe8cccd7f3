"""The members of servers and their names, without the members intent: one request for each user."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial
from weakref import WeakValueDictionary

import discord

from bot.clock import Clock
from bot.errors import UnreadableAnswer
from bot.interactions.refusals import is_absent
from bot.interactions.requests import Requests
from bot.tables.people import presentable
from engine.texts import Text

CACHE_TIME = timedelta(hours=3)
"""The lifetime of a cached answer."""

MAX_CACHED = 20_000
"""Cached answers, over all servers."""

MAX_REQUESTS, INTERVAL = 5, timedelta(seconds=1)
"""The limit of requests for members within an interval."""

TIMEOUT = 10.0
"""Seconds for one request."""


class Members:
    """A cache of answers about members.

    A call requests its members one after another, and calls by the same user wait for each other. So calls by different
    users take turns, and no user waits for all members that another user requests.
    """

    def __init__(self, clock: Clock, discord_requests: Requests) -> None:
        self._clock = clock
        self._discord = discord_requests
        self._answers: OrderedDict[tuple[int, int], tuple[datetime, str | None]] = OrderedDict()
        self._calls: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._gate = asyncio.Lock()
        self._requests: deque[datetime] = deque(maxlen=MAX_REQUESTS)

    async def names(
        self, guild: discord.Guild, user_ids: Iterable[int], *, asked_by: int, anew: bool = False
    ) -> dict[int, str]:
        """User id -> name for the members of a server among some users; `anew` does not use the cache.

        Raises:
            DISCORD_ERRORS: a request has failed.
        """
        call = self._calls.setdefault(asked_by, asyncio.Lock())
        async with call:
            # forgotten users have negative ids (`bot.store.user_data`)
            names = {
                user_id: await self._name(guild, user_id, anew=anew)
                for user_id in dict.fromkeys(user_ids)
                if user_id > 0
            }
        return {user_id: name for user_id, name in names.items() if name is not None}

    def note(self, guild_id: int, user_id: int, name: str) -> None:
        """Cache the name that came with an interaction of a member."""
        self._cache(guild_id, user_id, presentable(name))

    def forget(self, user_id: int) -> None:
        """Remove a user from the cache."""
        for key in [key for key in self._answers if key[1] == user_id]:
            del self._answers[key]

    async def _name(self, guild: discord.Guild, user_id: int, *, anew: bool) -> str | None:
        """The name of a member; `None` for other users."""
        at, name = self._answers.get((guild.id, user_id), (None, None))
        # the clock of the machine may have been set back since
        if at is not None and not anew and timedelta() <= self._clock.now() - at < CACHE_TIME:
            return name
        await self._wait_for_turn()
        return self._cache(guild.id, user_id, await self._fetch(guild, user_id))

    async def _fetch(self, guild: discord.Guild, user_id: int) -> str | None:
        try:
            member = await self._discord.run(partial(guild.fetch_member, user_id), limit=TIMEOUT)
        except discord.HTTPException as error:
            # in an outage, Discord reports the server as unknown instead
            if not is_absent(error):
                raise
            return None
        except UnreadableAnswer as error:
            # the status says that the user is a member
            if not error.is_success:
                raise
            return presentable(_name_in(error.answer))
        return presentable(member.display_name)

    async def _wait_for_turn(self) -> None:
        async with self._gate:
            now = self._clock.now()
            if len(self._requests) == MAX_REQUESTS and (wait := self._requests[0] + INTERVAL - now) > timedelta():
                await self._clock.sleep(min(wait, INTERVAL).total_seconds())
            self._requests.append(self._clock.now())

    def _cache(self, guild_id: int, user_id: int, name: str | None) -> str | None:
        self._answers.pop((guild_id, user_id), None)
        self._answers[guild_id, user_id] = self._clock.now(), name
        if len(self._answers) > MAX_CACHED:
            self._answers.popitem(last=False)
        return name


def _name_in(answer: object) -> str:
    """The name in Discord's description of a member, as far as it can be read."""
    member: dict[str, object] = answer if isinstance(answer, dict) else {}
    user = member.get("user")
    names = [member.get("nick"), *map(user.get, ("global_name", "username"))] if isinstance(user, dict) else []
    return next((name for name in names if isinstance(name, str) and name), str(Text("somebody")))

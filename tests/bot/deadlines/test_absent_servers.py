"""Absent servers: the time for which their jobs rest, the stored start, and the clocks after their return."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from bot.features.deadlines.absences import Absences
from bot.interactions.presence import Presence
from bot.store.codec import time_of

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
PRESENT, UNAVAILABLE, REMOVED = 1, 2, 3
"""A server with the bot, one with an outage, and one that has removed the bot."""


class Bot:
    """The parts of the bot that `Absences` uses: each server has two open matches, and the first one is running."""

    def __init__(self, **stored: datetime) -> None:
        self.now = NOON
        self.present = {PRESENT}
        self.stored = {int(guild_id[1:]): time_of(since) for guild_id, since in stored.items()}
        self.reads = self.wakes = self.writes = self.lists = 0
        self.done = list[tuple[Any, ...]]()
        store = SimpleNamespace(
            settings=SimpleNamespace(of_all=self._of_all, put_all=self._put_all, drop=self._drop),
            matches=SimpleNamespace(servers_with_tables=self._servers, open_in_server=self._open_in),
            clocks=SimpleNamespace(running=self._running),
            jobs=SimpleNamespace(suspend=self._suspend, resume=self._resume),
        )
        servers = SimpleNamespace(is_there=self.present.__contains__, presence=self._presence)
        services: Any = SimpleNamespace(
            store=store,
            servers=SimpleNamespace(known=servers),
            clock=SimpleNamespace(now=lambda: self.now),
            worker=SimpleNamespace(wake=self._wake),
        )
        self.absences = Absences(services)
        timeouts: Any = SimpleNamespace(skip_gap=self._skip_gap)
        self.absences._timeouts = timeouts
        self.absences._extend_lobby = self._extend  # type: ignore[method-assign]

    async def check(self) -> list[tuple[Any, ...]]:
        """Run one check; returns its effects in order."""
        self.done.clear()
        await self.absences.check(self.now)
        return [*self.done]

    def _wake(self) -> None:
        self.wakes += 1

    def _presence(self, guild_id: int) -> Presence:
        return Presence.ABSENT if guild_id == REMOVED else Presence.AWAY

    async def _of_all(self, scope: str, name: str) -> dict[int, str]:
        self.reads += 1
        return self.stored

    async def _put_all(self, scope: str, name: str, values: Mapping[int, str]) -> None:
        self.writes += 1
        self.done += [("put", *item) for item in values.items()]

    async def _drop(self, scope: str, guild_id: int, name: str) -> None:
        self.done.append(("drop", guild_id))

    async def _servers(self) -> list[int]:
        return [PRESENT, UNAVAILABLE]

    async def _open_in(self, guild_id: int) -> list[int]:
        return [10 * guild_id, 10 * guild_id + 1]

    async def _running(self) -> list[int]:
        self.lists += 1
        return [10, 20, 30]

    async def _suspend(self, guild_ids: Collection[int], now: datetime) -> None:
        self.writes += 1
        self.done += [("suspend", guild_id, now) for guild_id in guild_ids]

    async def _resume(self, guild_id: int, now: datetime) -> None:
        self.done.append(("resume", guild_id, now))

    async def _skip_gap(self, match_id: int, since: datetime) -> None:
        self.done.append(("skip", match_id, since))

    async def _extend(self, match_id: int, time: timedelta) -> None:
        self.done.append(("extend", match_id, time))


def rests(bot: Bot, *guild_ids: int) -> list[int]:
    return [guild_id for guild_id in guild_ids if bot.absences.rests(guild_id)]


async def test_servers_that_discord_did_not_send_are_absent_from_the_next_check_which_comes_at_once() -> None:
    bot = Bot()
    assert ([], 0) == (await bot.check(), bot.wakes)
    assert [UNAVAILABLE] == rests(bot, PRESENT, UNAVAILABLE), "nothing is sent to a server that has not arrived yet"
    bot.absences.note_complete()
    assert 1 == bot.wakes
    assert [("put", UNAVAILABLE, time_of(NOON))] == await bot.check()
    assert [UNAVAILABLE] == rests(bot, PRESENT, UNAVAILABLE)
    bot.absences.note_complete()
    bot.now += MINUTE
    assert ([], 1) == (await bot.check(), bot.reads), "it is known, and its first absence counts"


@pytest.mark.parametrize("restart", [False, True])
async def test_a_server_rests_from_the_beginning_of_its_absence_until_its_clocks_are_corrected(restart: bool) -> None:
    bot = Bot()
    bot.present.add(UNAVAILABLE)
    assert [] == rests(bot, UNAVAILABLE)
    bot.absences.begin(UNAVAILABLE)
    bot.now += MINUTE
    bot.absences.begin(UNAVAILABLE)
    assert (1, [UNAVAILABLE]) == (bot.wakes, rests(bot, UNAVAILABLE)), "the first of several reports counts"
    if restart:
        bot = Bot(s2=NOON)
        bot.present.add(UNAVAILABLE)
        bot.now += MINUTE
    else:
        bot.present.remove(UNAVAILABLE)
        assert [("put", UNAVAILABLE, time_of(NOON))] == await bot.check()
        bot.present.add(UNAVAILABLE)
        assert [UNAVAILABLE] == rests(bot, UNAVAILABLE)
    assert [
        ("skip", 20, NOON),
        ("extend", 20, MINUTE),
        ("extend", 21, MINUTE),
        ("resume", UNAVAILABLE, NOON + MINUTE),
        ("drop", UNAVAILABLE),
    ] == await bot.check()
    assert ([], []) == (rests(bot, UNAVAILABLE), await bot.check())


async def test_an_absence_of_some_seconds_changes_no_clock() -> None:
    bot = Bot(s1=NOON - MINUTE + timedelta(seconds=1))
    assert [("resume", PRESENT, NOON), ("drop", PRESENT)] == await bot.check()


async def test_only_jobs_of_servers_without_the_bot_are_suspended() -> None:
    bot = Bot()

    async def set_aside(guild_ids: Collection[int]) -> list[tuple[Any, ...]]:
        bot.done.clear()
        await bot.absences.set_aside(guild_ids, NOON)
        return [*bot.done]

    assert [("suspend", REMOVED, NOON)] == await set_aside([PRESENT, UNAVAILABLE, REMOVED])
    assert [("put", REMOVED, time_of(NOON))] == await bot.check()


async def test_an_outage_of_thousands_of_servers_takes_a_few_statements() -> None:
    """Each write would wait for the disk, while players wait for their moves."""
    bot, many = Bot(), range(10, 2_010)
    bot.present.update(many)
    for guild_id in many:
        bot.absences.begin(guild_id)
    bot.present.difference_update(many)
    assert len(await bot.check()) == len(many)
    await bot.absences.set_aside([REMOVED, *many], NOON)
    assert bot.writes == 2
    bot.now += MINUTE
    bot.present.update(many)
    await bot.check()
    assert bot.lists == 1, "the running clocks of all servers are listed once"

"""The languages, colors and mentions of servers and direct messages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import discord
import pytest

from bot.interactions import servers as servers_module
from bot.interactions.servers import Servers
from bot.store.failures import DatabaseUnavailable, FailureKind
from bot.store.shard_range import NO_SERVER
from bot.store.store import Store
from bot.tables.guild_settings import DIRECT, GuildSettings
from bot.tables.preferences import Preferences, keep_preferences, note_locale
from engine.languages import reading
from locales import language_of
from tests.bot.whole import ANA, BEN, CARO, table_of
from tests.crowd.database import in_memory

SERVER, CHANNEL, CATEGORY, THREAD, OTHER = 8, 9, 10, 11, 12


def channel(number: int) -> Any:
    place = Mock(spec=discord.TextChannel, id=number, category_id=CATEGORY)
    place.guild = SimpleNamespace(id=SERVER)
    return place


def thread() -> Any:
    place = Mock(spec=discord.Thread, id=THREAD, parent_id=CHANNEL, guild=SimpleNamespace(id=SERVER))
    place.parent = PLACES[CHANNEL]
    return place


PLACES = {CHANNEL: channel(CHANNEL), OTHER: channel(OTHER)}
PLACES[THREAD] = thread()


@dataclass(frozen=True)
class House:
    """The servers of a bot, with its store and its client."""

    store: Store
    client: Any
    servers: Servers

    async def set(self, **settings: Any) -> None:
        await self.servers.keep(SERVER, GuildSettings(**settings))


@pytest.fixture
async def house() -> AsyncIterator[House]:
    """A server with French as its language in Discord."""
    guild = SimpleNamespace(preferred_locale="fr")
    client: Any = SimpleNamespace(get_guild={SERVER: guild}.get, get_channel=PLACES.get)
    async with in_memory() as database:
        store = Store(database)
        yield House(store, client, Servers(client, store))


async def test_a_server_reads_in_the_language_that_moderators_chose_else_in_its_own(house: House) -> None:
    assert ["fr", "en"] == [(await house.servers.language_in(guild)).code for guild in (SERVER, 99)]
    await house.set(language="it")
    assert ["it", "it"] == [(await house.servers.language_at(place)).code for place in (CHANNEL, THREAD)]
    assert "it" == (await house.servers.language_of(table_of(ANA))).code


async def test_a_direct_message_is_in_the_language_of_its_reader(house: House) -> None:
    await note_locale(house.store.settings, ANA, "es-ES")
    await note_locale(house.store.settings, BEN, "es-ES")
    await keep_preferences(house.store.settings, BEN, Preferences(language="it"))
    with reading(language_of("de")):
        assert "de" == (await house.servers.language_at(99)).code, "in a direct message, who taps there"
        readers = [(await house.servers.language_of_user(user_id)).code for user_id in (ANA, BEN, CARO)]
        assert ["es", "it", "de"] == readers
        direct = table_of(ANA, guild_id=NO_SERVER, host_id=BEN)
        assert "it" == (await house.servers.language_of(direct)).code
        await note_locale(house.store.settings, ANA, "fr")
        assert "fr" == (await house.servers.language_of_user(ANA)).code, "their Discord is in another language now"


async def test_a_message_goes_out_in_the_current_language_while_the_database_is_away(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unavailable(*_: object) -> None:
        raise DatabaseUnavailable(FailureKind.GONE, "no file")

    monkeypatch.setattr(house.store.settings, "get", unavailable)
    with reading(language_of("de")):
        assert "de" == (await house.servers.language_at(CHANNEL)).code


@pytest.mark.parametrize(
    ("channel_ids", "seen"),
    [((), set()), ((CHANNEL,), {CHANNEL, THREAD}), ((CATEGORY,), {CHANNEL, THREAD, OTHER}), ((THREAD,), {THREAD})],
)
async def test_strong_colors_are_for_a_channel_with_its_threads_and_a_category_with_its_channels(
    house: House, channel_ids: tuple[int, ...], seen: set[int]
) -> None:
    await house.set(contrast=channel_ids)
    tables = {place: table_of(ANA, channel_id=place) for place in PLACES}
    assert seen == {place for place, table in tables.items() if await house.servers.in_contrast(table)}
    assert channel_ids != (CHANNEL,) or await house.servers.contrast_at(SERVER, CHANNEL)


async def test_in_a_direct_message_colors_are_those_of_who_plays_there(house: House) -> None:
    await house.set(contrast=(CHANNEL,))
    direct = table_of(BEN, ANA, 0, guild_id=NO_SERVER, channel_id=CHANNEL)
    assert not await house.servers.in_contrast(direct)
    await keep_preferences(house.store.settings, ANA, Preferences(contrast=True))
    assert await house.servers.in_contrast(direct), "one of them needs it"
    assert await house.servers.in_contrast(table_of(ANA)), "a server has its own"


async def test_people_are_mentioned_unless_moderators_turned_it_off_and_always_in_direct_messages(house: House) -> None:
    assert await house.servers.may_call(THREAD)
    await house.set(calls=False)
    assert [False, False, True] == [await house.servers.may_call(place) for place in (CHANNEL, THREAD, 99)]


async def test_settings_are_stored_and_read_once_and_direct_messages_have_their_own(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers_module, "MAX_CACHED", 2)
    for guild in (1, 2, 3):
        await house.servers.keep(guild, GuildSettings(most=guild))
    assert DIRECT == await house.servers.guild_settings(NO_SERVER)
    await house.store.settings.put("server", 1, "settings", {"most": 50})
    await house.store.settings.put("server", 3, "settings", {"most": 50})
    assert [50, 3] == [(await house.servers.guild_settings(guild)).most for guild in (1, 3)], "1 was read anew"
    after_a_restart = Servers(house.client, house.store)
    assert [50, 2, 50] == [(await after_a_restart.guild_settings(guild)).most for guild in (1, 2, 3)]
    assert GuildSettings() == await after_a_restart.guild_settings(4)

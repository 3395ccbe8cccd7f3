"""Servers that have an outage, lack the bot, or are withheld; also time-outs, voice channels and archived threads."""

from __future__ import annotations

import pytest

from playground.harness import Playground
from playground.options import CannotDo
from playground.permissions import NOTHING, TIMED_OUT, Permission
from playground.world import Channel, ChannelKind
from tests.playground.rawbot import RawBot


def opened_thread(local: Playground) -> Channel:
    world, parent = local.discord.world, local.channel("caravanserai")
    thread = Channel(world.ids.next(), "thread", ChannelKind.PUBLIC_THREAD, parent_id=parent.id, owner_id=world.bot.id)
    return local.discord.open_channel(thread)


async def test_during_an_outage_channels_and_servers_are_unknown_and_users_cannot_act(
    raw: RawBot, local: Playground
) -> None:
    guild, channel = local.discord.world.guild_id, local.channel("caravanserai").id
    local.guilds.fail()
    assert {"id": str(guild), "unavailable": True} == await raw.event("GUILD_DELETE")
    for route, code in ((f"/channels/{channel}", 10003), (f"/guilds/{guild}/channels", 10004)):
        status, answer = await raw.rest("GET", route)
        assert (404, code) == (status, answer["code"])
    with pytest.raises(CannotDo):
        await local.player("Ana").say("hello")
    raw.events.clear()
    local.guilds.recover()
    assert (await raw.event("GUILD_CREATE"))["unavailable"] is False
    assert 200 == (await raw.rest("GET", f"/channels/{channel}"))[0]


async def test_a_removed_bot_has_no_access_until_it_is_invited_again(raw: RawBot, local: Playground) -> None:
    guild, channel = local.discord.world.guild_id, local.channel("caravanserai").id
    local.guilds.remove_bot()
    assert {"id": str(guild)} == await raw.event("GUILD_DELETE")
    status, answer = await raw.rest("GET", f"/channels/{channel}")
    assert (403, 50001) == (status, answer["code"])
    raw.events.clear()
    local.guilds.invite_bot()
    assert "unavailable" not in await raw.event("GUILD_CREATE")
    assert 200 == (await raw.rest("GET", f"/channels/{channel}"))[0]


async def test_a_timeout_leaves_only_read_access_and_expires(raw: RawBot, local: Playground) -> None:
    world, channel = local.discord.world, local.channel("caravanserai")
    local.guilds.time_out("Caravanserai", 60)
    assert (await raw.event("GUILD_MEMBER_UPDATE"))["communication_disabled_until"]
    assert TIMED_OUT == world.permissions(world.bot, channel)
    local.guilds.time_out("Ana", 60)
    with pytest.raises(CannotDo):
        await local.player("Ana").say("hello")
    local.clock.advance(61)
    await local.player("Ana").say("hello")
    assert world.permissions(world.bot, channel) & Permission.SEND_MESSAGES


@pytest.mark.parametrize("kind", [ChannelKind.VOICE, ChannelKind.STAGE])
async def test_the_chat_of_a_voice_channel_needs_the_connect_permission(local: Playground, kind: ChannelKind) -> None:
    lounge, world = local.add_channel("lounge", kind=kind), local.discord.world
    assert world.permissions(world.bot, lounge) & Permission.SEND_MESSAGES
    local.forbid("lounge", "CONNECT")
    assert Permission.VIEW_CHANNEL == world.permissions(world.bot, lounge)
    local.forbid("lounge", "VIEW_CHANNEL")
    assert NOTHING == world.permissions(world.bot, lounge)


async def test_an_archived_thread_reopens_only_for_members_with_the_permission(raw: RawBot, local: Playground) -> None:
    thread, world = opened_thread(local), local.discord.world
    ana, minutes = local.player("Ana").in_channel("thread"), thread.auto_archive_minutes
    local.clock.advance(minutes * 60 + 1)
    assert thread.archived
    await ana.say("hello")
    assert not thread.archived
    everyone = world.role_named("@everyone")
    local.discord.change_role(everyone, everyone.permissions & ~Permission.SEND_MESSAGES_IN_THREADS)
    local.clock.advance(minutes * 60 + 1)
    with pytest.raises(CannotDo):
        await ana.say("hello")
    assert 200 == (await raw.rest("PATCH", f"/channels/{thread.id}", {"archived": False}))[0]
    local.clock.advance(minutes * 60 - 1)
    assert not thread.archived, "opening it has put that off"
    local.set_thread("thread", archived=True, locked=True)
    with pytest.raises(CannotDo):
        await ana.say("hello")

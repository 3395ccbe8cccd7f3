"""Reads the permissions of channels for the permission doctor, and checks the settings of servers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce
from operator import or_
from typing import Any, TypeAlias

import discord

from bot.errors import UserError
from bot.interactions.parts import stamp
from bot.interactions.permissions import (
    ADMINISTRATOR,
    LOCKED,
    LOCKED_FOR_PLAYERS,
    Doing,
    Entry,
    Finding,
    Place,
    advice,
    examine,
    findings_without_cause,
    needs,
)
from bot.interactions.presence import SERVER_AWAY
from bot.interactions.requests import Requests
from bot.interactions.servers import around
from bot.tables.guild_settings import GuildSettings
from bot.tables.people import escaped
from engine.texts import Text

Channel: TypeAlias = discord.abc.GuildChannel | discord.Thread

VOICE = (discord.VoiceChannel, discord.StageChannel)
"""Channels whose chat needs *Connect*."""

TIMEOUT = 5.0
"""Seconds for a request about a channel."""


def place_of(channel: Channel) -> Place | None:
    """The permissions in a channel or thread, for the doctor; `None` if its server is unavailable."""
    thread = channel if isinstance(channel, discord.Thread) else None
    me, parent = channel.guild.me, thread.parent if thread else channel
    # discord.py has neither roles nor permissions of an unavailable server
    if channel.guild.unavailable or me is None or not isinstance(parent, discord.abc.GuildChannel):
        return None
    # discord.py: the first role is always that of everybody
    everybody, *roles = me.roles
    own_role = channel.guild.self_role
    return Place(
        here=channel.mention,
        channel=parent.mention,
        role=_in_bold(own_role.name if own_role else me.display_name),
        granted=_role_permissions(me),
        everybody=_entry(parent, everybody),
        roles=tuple(_entry(parent, role) for role in roles),
        own=_entry(parent, me),
        # all messages in a forum are in threads
        thread=thread is not None or isinstance(parent, discord.ForumChannel),
        locked=thread is not None and thread.locked,
        # Discord sends only private threads that the bot is in, or may manage
        outside=thread is not None and thread.is_private() and channel.guild.get_thread(thread.id) is None,
        voice=isinstance(parent, VOICE),
        timed_out=stamp(me.timed_out_until, "f") if me.timed_out_until and me.is_timed_out() else "",
    )


def _role_permissions(me: discord.Member) -> int:
    """The permissions of all roles of the bot together."""
    # not `guild_permissions`, which takes a time-out into account already
    owned = ADMINISTRATOR if me.guild.owner_id == me.id else 0
    return reduce(or_, (role.permissions.value for role in me.roles), owned)


async def channel_in(requests: Requests, guild: discord.Guild, channel_id: int) -> Channel:
    """A channel or thread, from the cache or by a request. Raises `DISCORD_ERRORS`."""
    # the cache has all channels and the active threads, but no archived ones
    if cached := guild.get_channel_or_thread(channel_id):
        return cached
    return await requests.run(partial(guild.fetch_channel, channel_id), limit=TIMEOUT)


async def findings_in(requests: Requests, guild: discord.Guild, channel_id: int) -> tuple[Finding, ...]:
    """All problems of a game in a channel. Raises `DISCORD_ERRORS`, also for a deleted or hidden channel."""
    place = place_of(await channel_in(requests, guild, channel_id))
    return findings_of_game(place) if place else ()


def findings_of_game(place: Place) -> tuple[Finding, ...]:
    """All problems of a running game in a place, also for its players."""
    findings = examine(place)
    if place.locked and all(finding.text is not LOCKED for finding in findings):
        return (*findings, Finding(LOCKED_FOR_PLAYERS))
    return findings


def _entry(channel: discord.abc.GuildChannel, owner: discord.Role | discord.Member) -> Entry:
    allow, deny = channel.overwrites_for(owner).pair()
    name = owner.name if isinstance(owner, discord.Role) else owner.display_name
    return Entry(_in_bold(name), allow.value, deny.value)


def _in_bold(name: str) -> str:
    return f"**{escaped(name)}**"


def findings_at(interaction: discord.Interaction[Any], doing: Doing = Doing.GAME) -> tuple[Finding, ...]:
    """The problems in the channel of an interaction.

    The interaction has the missing permissions; the roles and channels of the server explain them.
    """
    channel = interaction.channel
    if interaction.guild_id is None:
        return ()
    required = needs(doing, thread=isinstance(channel, discord.Thread), voice=isinstance(channel, VOICE))
    missing = [need for need in required if not interaction.app_permissions.value & need.bit]
    place = place_of(channel) if isinstance(channel, Channel) else None
    findings = examine(place, doing) if place else _lock_findings(interaction)
    explained = tuple(finding for finding in findings if finding.need in missing)
    others = tuple(finding for finding in findings if finding.need is None)
    # a time-out explains all missing permissions
    unknown = () if any(finding.everywhere for finding in others) else findings_without_cause(missing)
    return (*(explained or unknown), *others)


def _lock_findings(interaction: discord.Interaction[Any]) -> tuple[Finding, ...]:
    """The finding of a locked thread, from the interaction alone."""
    channel = interaction.channel
    is_closed = isinstance(channel, discord.Thread) and channel.locked
    return (Finding(LOCKED),) if is_closed and not interaction.app_permissions.manage_threads else ()


def require_permissions(interaction: discord.Interaction[Any], need: Doing = Doing.GAME) -> None:
    """Raise `UserError` with all problems of an activity in the channel of an interaction, if there are any."""
    if findings := findings_at(interaction, need):
        raise UserError(advice(f"<#{interaction.channel_id}>", findings, interaction.client.services.help_url, need))


def is_moderator(interaction: discord.Interaction[Any]) -> bool:
    """Whether the user is a moderator of the interaction's server."""
    may = interaction.permissions
    return interaction.guild_id is not None and (may.manage_guild or may.administrator)


def require_place(interaction: discord.Interaction[Any], guild_settings: GuildSettings) -> None:
    """Raise `UserError` unless games may be started in the interaction's channel, or the user is a moderator."""
    guild, channel = interaction.guild, interaction.channel
    if not guild_settings.channels or guild is None or is_moderator(interaction):
        return
    if set(guild_settings.channels) & set(around(channel)):
        return
    # the category of a thread is known only with its server
    if guild.unavailable and isinstance(channel, discord.Thread):
        raise UserError(SERVER_AWAY)
    places = _named_places(guild, guild_settings.channels)
    if not places:
        raise UserError(
            Text(
                "The channels where games were played are gone. A moderator can choose others with `/server settings`."
            )
        )
    raise UserError(Text("Here, games are played in {places}.", places=places))


def _named_places(guild: discord.Guild, chosen: Sequence[int]) -> tuple[str, ...]:
    """The mentions of the chosen channels that still exist; of all if the server is unavailable."""
    if guild.unavailable:
        return tuple(f"<#{channel_id}>" for channel_id in chosen)
    return tuple(
        # a category cannot be mentioned
        _in_bold(channel.name) if isinstance(channel, discord.CategoryChannel) else channel.mention
        for channel in known_channels(guild, chosen)
    )


def require_role(interaction: discord.Interaction[Any], guild_settings: GuildSettings) -> None:
    """Raise `UserError` unless the user has a role that may start games, or is a moderator."""
    guild = interaction.guild
    if not guild_settings.roles or guild is None or is_moderator(interaction):
        return
    if _has_any_role(interaction.user, guild_settings.roles):
        return
    unchecked = tuple(f"<@&{role_id}>" for role_id in guild_settings.roles) if guild.unavailable else ()
    roles = unchecked or tuple(role.mention for role in known_roles(guild, guild_settings))
    if not roles:
        raise UserError(
            Text(
                "None of the roles that could start games exists anymore. A moderator can choose others with "
                "`/server settings`."
            )
        )
    raise UserError(Text("Only {roles} can start games here. Anyone may join.", roles=roles))


def require_league_role(interaction: discord.Interaction[Any], guild_settings: GuildSettings) -> None:
    """Raise `UserError` unless the user may set up leagues."""
    if not is_moderator(interaction) and not _has_any_role(interaction.user, guild_settings.league_roles):
        raise UserError(
            Text("Leagues are set up by moderators. They can let others do it, too, with `/server settings`.")
        )


def _has_any_role(user: discord.User | discord.Member, roles: Sequence[int]) -> bool:
    # not `get_role`, which finds no role while the server is unavailable; the interaction has the ids
    return isinstance(user, discord.Member) and any(user._roles.has(role) for role in roles)


def known_channels(guild: discord.Guild, chosen: Sequence[int]) -> list[discord.abc.GuildChannel]:
    """The chosen channels that still exist, by their ids."""
    return [channel for channel_id in chosen if (channel := guild.get_channel(channel_id))]


def known_roles(guild: discord.Guild, guild_settings: GuildSettings) -> list[discord.Role]:
    """The roles that may start games and still exist."""
    return [role for role_id in guild_settings.roles if (role := guild.get_role(role_id))]

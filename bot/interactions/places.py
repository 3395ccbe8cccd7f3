"""What Discord says of a place, read for the permission doctor and for the settings of its server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import discord

from bot.errors import UserError
from bot.interactions.permissions import Doing, Entry, Finding, Place, advice, examine, needs, unexplained
from bot.tables.guild_settings import GuildSettings, around
from bot.tables.people import escaped
from engine.texts import Text

Channel: TypeAlias = discord.abc.GuildChannel | discord.Thread


def place_of(channel: Channel) -> Place | None:
    """A channel or thread as the doctor sees it; nothing if too little of its server is known."""
    thread = channel if isinstance(channel, discord.Thread) else None
    me, parent = channel.guild.me, thread.parent if thread else channel
    if me is None or not isinstance(parent, discord.abc.GuildChannel):
        return None
    # discord.py: the first role is always that of everybody
    everybody, *roles = me.roles
    own_role = channel.guild.self_role
    return Place(
        here=channel.mention,
        channel=parent.mention,
        role=_in_bold(own_role.name if own_role else me.display_name),
        granted=me.guild_permissions.value,
        everybody=_entry(parent, everybody),
        roles=tuple(_entry(parent, role) for role in roles),
        own=_entry(parent, me),
        # whatever is written in a forum is written in a thread
        thread=thread is not None or isinstance(parent, discord.ForumChannel),
        locked=thread is not None and thread.locked,
        # Discord only tells a bot about private threads that it is in, or may manage
        outside=thread is not None and thread.is_private() and channel.guild.get_thread(thread.id) is None,
    )


def _entry(channel: discord.abc.GuildChannel, whose: discord.Role | discord.Member) -> Entry:
    allow, deny = channel.overwrites_for(whose).pair()
    name = whose.name if isinstance(whose, discord.Role) else whose.display_name
    return Entry(_in_bold(name), allow.value, deny.value)


def _in_bold(name: str) -> str:
    return f"**{escaped(name)}**"


def findings_at(interaction: discord.Interaction[Any], doing: Doing = Doing.GAME) -> tuple[Finding, ...]:
    """What is in the way where an interaction comes from.

    Whether a permission is missing Discord says with the interaction; why, what is known of the server.
    """
    channel = interaction.channel
    if interaction.guild_id is None:
        return ()
    wanted = needs(doing, thread=isinstance(channel, discord.Thread))
    missing = [need for need in wanted if not interaction.app_permissions.value & need.bit]
    place = place_of(channel) if isinstance(channel, Channel) else None
    found = examine(place, doing) if place else ()
    explained = tuple(finding for finding in found if finding.need in missing)
    others = tuple(finding for finding in found if finding.need is None)
    return (*(explained or unexplained(missing)), *others)


def require_permissions(interaction: discord.Interaction[Any], need: Doing = Doing.GAME) -> None:
    """Raise `UserError` with all that is in the way of something in the channel of an interaction."""
    if found := findings_at(interaction, need):
        raise UserError(advice(f"<#{interaction.channel_id}>", found, interaction.client.services.help_url, need))


def is_moderator(interaction: discord.Interaction[Any]) -> bool:
    """Whether somebody looks after the server they act in."""
    may = interaction.permissions
    return interaction.guild_id is not None and (may.manage_guild or may.administrator)


def require_place(interaction: discord.Interaction[Any], guild_settings: GuildSettings) -> None:
    """Raise `UserError` unless games may be started where an interaction comes from; moderators may do so anywhere."""
    guild = interaction.guild
    if not guild_settings.channels or guild is None or is_moderator(interaction):
        return
    if set(guild_settings.channels) & set(around(interaction.channel)):
        return
    places = tuple(
        # a category has no link
        _in_bold(channel.name) if isinstance(channel, discord.CategoryChannel) else channel.mention
        for channel in known_channels(guild, guild_settings.channels)
    )
    if not places:
        raise UserError(
            Text(
                "The channels where games were played are gone. A moderator can choose others with `/server settings`."
            )
        )
    raise UserError(Text("Here, games are played in {places}.", places=places))


def require_role(interaction: discord.Interaction[Any], guild_settings: GuildSettings) -> None:
    """Raise `UserError` unless somebody may start games, or is a moderator."""
    guild = interaction.guild
    if not guild_settings.roles or guild is None or is_moderator(interaction):
        return
    if _has_one(interaction.user, guild_settings.roles):
        return
    roles = tuple(role.mention for role in known_roles(guild, guild_settings))
    if not roles:
        raise UserError(
            Text(
                "Nobody has a role that may start games any more. "
                "A moderator can choose others with `/server settings`."
            )
        )
    raise UserError(Text("Here, games are started by {roles}. Anyone may join.", roles=roles))


def require_league_role(interaction: discord.Interaction[Any], guild_settings: GuildSettings) -> None:
    """Raise `UserError` unless somebody may set up leagues."""
    if not is_moderator(interaction) and not _has_one(interaction.user, guild_settings.league_roles):
        raise UserError(
            Text(
                "Leagues are set up by moderators. They can let others do it, too: `/server settings`, *More settings*."
            )
        )


def _has_one(user: discord.User | discord.Member, roles: Sequence[int]) -> bool:
    return isinstance(user, discord.Member) and any(user.get_role(role) for role in roles)


def known_channels(guild: discord.Guild, chosen: Sequence[int]) -> list[discord.abc.GuildChannel]:
    """Channels that were chosen by their ids, as far as they still exist."""
    return [channel for channel_id in chosen if (channel := guild.get_channel(channel_id))]


def known_roles(guild: discord.Guild, guild_settings: GuildSettings) -> list[discord.Role]:
    """The roles that may start games, as far as they still exist."""
    return [role for role_id in guild_settings.roles if (role := guild.get_role(role_id))]

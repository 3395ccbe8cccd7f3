"""Whether all readers of a channel can also see another one, so that a list in the first may name games in the second.

Without the members intent the bot does not know the members of a server, so this compares the permissions of channels.
In doubt the answer is no.
"""

from __future__ import annotations

from collections.abc import Mapping

import discord

from bot.interactions.places import VOICE


def readers_see(guild: discord.Guild, readers_channel: int, place_id: int, parent_id: int | None) -> bool:
    """Whether all readers of a channel can see a channel or thread.

    `parent_id` is the channel of a thread that the bot has opened, which is public and may be archived.
    """
    place, own = _public_place(guild, place_id, parent_id), guild.get_channel(readers_channel)
    if place is None or own is None:
        return False
    # readers of a text channel may lack the permission to connect, which no rule of a channel shows
    comparable = isinstance(own, VOICE) or not isinstance(place, VOICE)
    return place.id == own.id or _is_open(place) or (comparable and _rules(place) == _rules(own))


def everyone_sees(guild: discord.Guild, place_id: int, parent_id: int | None) -> bool:
    """Whether all members of a server can see a channel or thread; `parent_id` is as for `readers_see`."""
    place = _public_place(guild, place_id, parent_id)
    return place is not None and _is_open(place)


def _public_place(guild: discord.Guild, place_id: int, parent_id: int | None) -> discord.abc.GuildChannel | None:
    """The channel whose readers see a channel or thread; `None` for a private or unknown one."""
    place: discord.abc.GuildChannel | discord.Thread | None = guild.get_channel_or_thread(place_id)
    if isinstance(place, discord.Thread):
        return None if place.is_private() else place.parent
    return guild.get_channel(parent_id) if place is None and parent_id is not None else place


def _is_open(channel: discord.abc.GuildChannel) -> bool:
    """Whether a channel is visible by default, and hidden from no role and no member."""
    everyone = channel.guild.default_role
    allowed = channel.permissions_for(everyone)
    # reading a voice channel needs the permission to connect to it
    is_open = allowed.view_channel and (allowed.connect or not isinstance(channel, VOICE))
    exceptions = [rule for role_id, rule in _rules(channel).items() if role_id != everyone.id]
    return is_open and not any(False in rule for rule in exceptions)


def _rules(channel: discord.abc.GuildChannel) -> Mapping[int, tuple[bool | None, bool | None]]:
    """The overrides of *View Channel* and *Connect*, by the id of a role or a member."""
    rules = {holder.id: (rule.view_channel, rule.connect) for holder, rule in channel.overwrites.items()}
    return {holder_id: rule for holder_id, rule in rules.items() if rule != (None, None)}

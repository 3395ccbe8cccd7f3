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
    place: discord.abc.GuildChannel | discord.Thread | None = guild.get_channel_or_thread(place_id)
    if isinstance(place, discord.Thread):
        place = None if place.is_private() else place.parent
    elif place is None and parent_id is not None:
        place = guild.get_channel(parent_id)
    own = guild.get_channel(readers_channel)
    if place is None or own is None:
        return False
    return place.id == own.id or _everyone_sees(place) or _rules(place) == _rules(own)


def _everyone_sees(channel: discord.abc.GuildChannel) -> bool:
    """Whether a channel is visible by default, and hidden from no role and no member."""
    everyone = channel.guild.default_role
    allowed = channel.permissions_for(everyone)
    # reading a voice channel needs the permission to connect to it
    is_open = allowed.view_channel and (allowed.connect or not isinstance(channel, VOICE))
    exceptions = [rule for role_id, rule in _rules(channel).items() if role_id != everyone.id]
    return is_open and not any(False in rule for rule in exceptions)


def _rules(channel: discord.abc.GuildChannel) -> Mapping[int, tuple[bool | None, bool | None]]:
    """Who may see a channel and connect to it, by the id of a role or a member."""
    rules = {holder.id: (rule.view_channel, rule.connect) for holder, rule in channel.overwrites.items()}
    return {holder_id: rule for holder_id, rule in rules.items() if rule != (None, None)}

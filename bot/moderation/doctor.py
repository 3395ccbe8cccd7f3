"""The doctor: what keeps the bot from playing in the channels of a server."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import discord

from bot.errors import TROUBLE, UserError
from bot.groups import server
from bot.handlers import Request, anywhere
from bot.interactions.parts import words_layout
from bot.interactions.permissions import (
    OPEN_THREADS,
    SEE,
    WRITE_IN_THREADS,
    Doing,
    Finding,
    Place,
    advice,
    examine,
    has,
    listed,
)
from bot.interactions.places import channel_in, findings_at, findings_of_game, known_channels, place_of
from bot.interactions.refusals import is_closed, is_gone
from bot.interactions.requests import Requests
from bot.moderation.moderators import server_of
from bot.tables.guild_settings import GuildSettings
from engine.texts import Text, joined

ALL_WELL = Text("All is well: I have every permission that a game needs here.")
GAME_GONE = Text("The channel of this game is gone.")
GAME_HIDDEN = Text("I cannot see the channel of this game. Give me **View Channel** there.")
NO_CHANNEL = Text("I can’t see any channel where a game could be played. Give me **View Channel** in one.")
ROOM = 3500
"""Characters of what the doctor has found; a message holds some more."""

WRITTEN_IN = (
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
    discord.ChannelType.stage_voice,
    discord.ChannelType.forum,
)
"""What people write in, or open threads in."""
LOG_TROUBLE = Text("⚠️ I can’t write the moderators’ log:")
LOG_GONE = Text("* The channel is gone.")


@anywhere("checkhere")
async def examine_here(request: Request) -> None:
    """*Check this channel*."""
    server_of(request)
    interaction = request.response.interaction
    found = findings_at(interaction)
    told = advice(f"<#{interaction.channel_id}>", found, request.services.help_url) if found else ALL_WELL
    await request.response.say(told)


@dataclass(frozen=True, slots=True)
class Examined:
    """A channel that the doctor has examined, with its problems; `played`: a game is open in it.

    `place` is missing if the bot cannot find the channel.
    """

    here: str
    findings: tuple[Finding, ...]
    place: Place | None = None
    played: bool = False

    @property
    def own(self) -> tuple[Finding, ...]:
        """What concerns this channel and not the whole server."""
        return tuple(finding for finding in self.findings if not finding.everywhere)


@server.command("doctor", "Check whether I have the permissions I need in this server’s channels")
@anywhere("checkall")
async def examine_server(request: Request) -> None:
    """`/server doctor`: the problems of all channels where games may be played, or are played now."""
    guild = server_of(request)
    guild_settings = await request.services.servers.guild_settings(guild.id)
    channels = {channel.id: examined for channel, examined in _where_allowed(guild, guild_settings)}
    played, requests = await request.services.store.matches.open_channels(guild.id), request.services.channels.requests
    results = await asyncio.gather(*(_where_played(requests, guild, channel_id) for channel_id in played))
    channels |= {channel_id: one for channel_id, one in zip(played, results, strict=True) if one}
    if not channels:
        raise UserError(NO_CHANNEL)
    _believe_discord(request.response.interaction, channels)
    text = report([*channels.values()], request.services.help_url, log_trouble(guild, guild_settings))
    await request.response.show(words_layout(str(text)))


def _where_allowed(
    guild: discord.Guild, guild_settings: GuildSettings
) -> Iterator[tuple[discord.abc.GuildChannel, Examined]]:
    for channel in _of_games(guild, guild_settings):
        place = place_of(channel)
        # where no channels were chosen, a hidden one may be hidden on purpose
        if place and (guild_settings.channels or has(place, SEE)):
            yield channel, Examined(place.here, examine(place), place)


async def _where_played(requests: Requests, guild: discord.Guild, channel_id: int) -> Examined | None:
    """The channel or thread of an open game; nothing if Discord does not describe it at the moment."""
    here = f"<#{channel_id}>"
    try:
        place = place_of(await channel_in(requests, guild, channel_id))
    except TROUBLE as error:
        if not (is_gone(error) or is_closed(error)):
            return None
        lost = GAME_GONE if is_gone(error) else GAME_HIDDEN
        return Examined(here, (Finding(lost),), played=True)
    return Examined(place.here, findings_of_game(place), place, played=True) if place else None


def _believe_discord(interaction: discord.Interaction[Any], channels: dict[int, Examined]) -> None:
    """Where all seems well, Discord may know better: with each interaction it says what the bot may do there."""
    here = channels.get(interaction.channel_id or 0)
    if here is not None and not here.findings:
        channels[interaction.channel_id or 0] = dataclasses.replace(here, findings=findings_at(interaction))


def _of_games(guild: discord.Guild, guild_settings: GuildSettings) -> list[discord.abc.GuildChannel]:
    """The channels where games may be started: those that were chosen, or all if none were."""
    chosen = known_channels(guild, guild_settings.channels) if guild_settings.channels else guild.channels
    within = [channel for one in chosen if isinstance(one, discord.CategoryChannel) for channel in one.channels]
    # a channel may have been chosen beside its category
    named = {channel.id: channel for channel in (*chosen, *within) if channel.type in WRITTEN_IN}
    return list(named.values())


def report(channels: Sequence[Examined], help_url: str, trouble: Sequence[Text] = ()) -> Text:
    """The problems of some channels and of the moderators' log; channels without problems are only counted."""
    everywhere = [finding for one in channels for finding in one.findings if finding.everywhere][:1]
    ill = [one for one in channels if one.own]
    places = [one.place for one in channels if one.place and not one.findings]
    more = [Text("-# [More about my permissions]({url})", url=help_url)] if help_url else []
    if everywhere:
        summary = Text("### I cannot play in this server at the moment\n{finding}", finding=listed(everywhere))
    elif ill:
        summary = Text(
            "### {ill} of {checked} {checked:channel|channels} {ill:needs|need} attention",
            ill=len(ill),
            checked=len(channels),
        )
    elif trouble:
        summary = Text("### The moderators’ log needs attention")
    else:
        summary = Text("### All is well\nI checked {checked} {checked:channel|channels}.", checked=len(channels))
    log = () if everywhere else trouble
    return joined([summary, *log, *_that_fit([_told(one) for one in ill]), *_without_threads(places), *more], "\n")


def _told(examined: Examined) -> Text:
    heading = Text("**{here}**", here=examined.here)
    if examined.played:
        heading = Text("{here} – a game is played here", here=heading)
    return joined([heading, listed(examined.own)], "\n")


def _without_threads(places: Sequence[Place]) -> list[Text]:
    """Where games can be played, but not in threads opened for them."""
    closed = tuple(place.here for place in places if not place.thread and examine(place, Doing.THREAD))
    if not closed:
        return []
    return [
        Text(
            "-# I can’t open threads for games in {closed}: that needs **{open}** and **{write}**.",
            closed=closed,
            open=OPEN_THREADS.name,
            write=WRITE_IN_THREADS.name,
        )
    ]


def _that_fit(told: Sequence[Text]) -> Iterator[Text]:
    """As many as a message holds, and how many more there are."""
    room = ROOM
    for n, text in enumerate(told):
        room -= len(str(text))
        if room < 0:
            yield Text("-# … and {more} more", more=len(told) - n)
            return
        yield text


def log_trouble(guild: discord.Guild, guild_settings: GuildSettings) -> list[Text]:
    """That the moderators' log cannot be written, and why, if there is to be one."""
    channel = guild.get_channel(guild_settings.log)
    if channel is None:
        return [LOG_TROUBLE, LOG_GONE] if guild_settings.log else []
    place = place_of(channel)
    found = examine(place, Doing.LOG) if place else ()
    return [LOG_TROUBLE, *(Text("* {finding}", finding=finding.text) for finding in found)] if found else []

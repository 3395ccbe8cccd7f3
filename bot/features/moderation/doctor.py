"""The doctor: finds missing permissions in the channels of a server."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import discord

from bot.errors import DISCORD_ERRORS, UserError
from bot.features.groups import server
from bot.features.handlers import Request, anywhere
from bot.features.moderation.moderators import server_of
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
    list_findings,
)
from bot.interactions.places import channel_in, findings_at, findings_of_game, known_channels, place_of
from bot.interactions.refusals import is_closed, is_gone
from bot.interactions.requests import Requests
from bot.interactions.scheduled_events import may_make_events
from bot.tables.guild_settings import GuildSettings
from engine.texts import Text, joined
from engine.values import Value

ALL_WELL_TEXT = Text("Everything looks good: I have every permission that a game needs here.")
CHANNEL_GONE_TEXT = Text("The channel of this game is gone.")
CHANNEL_HIDDEN_TEXT = Text("I can’t see this game’s channel. Give me **View Channel** there.")
NO_CHANNEL_TEXT = Text("I can’t see any channel where a game could be played. Give me **View Channel** in one.")
MAX_CHARS = 3500
"""Characters of the findings in a message; Discord allows 4,000 in all."""

GAME_CHANNEL_TYPES = (
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
    discord.ChannelType.stage_voice,
    discord.ChannelType.forum,
)
"""Channels in which people write or open threads."""
LOG_PROBLEM_TEXT = Text("⚠️ I can’t write to the moderators’ log:")
OVERVIEW_PROBLEM_TEXT = Text("⚠️ I can’t post the overview:")
EVENTS_PROBLEM_TEXT = Text("⚠️ I can’t create events: in this server I need the **Create Events** permission.")
GONE_TEXT = Text("* The channel is gone.")


@anywhere("checkhere")
async def examine_here(request: Request) -> None:
    """Report the problems of this channel: the button *Check this channel*."""
    server_of(request)
    interaction = request.response.interaction
    findings = findings_at(interaction)
    here, help_url = f"<#{interaction.channel_id}>", request.services.help_url
    await request.response.say(advice(here, findings, help_url) if findings else ALL_WELL_TEXT)


class Examination(Value):
    """The findings in a channel; `played`: a game is open in it.

    `place` is `None` if the bot cannot find the channel.
    """

    here: str
    findings: tuple[Finding, ...]
    place: Place | None = None
    played: bool = False

    @property
    def own(self) -> tuple[Finding, ...]:
        """The findings that concern this channel and not the whole server."""
        return tuple(finding for finding in self.findings if not finding.everywhere)


@server.command("doctor", "Check whether I have the permissions I need in this server’s channels")
@anywhere("checkall")
async def examine_server(request: Request) -> None:
    """Report the problems of all channels in which games may be started, or are played now."""
    guild = server_of(request)
    guild_settings = await request.services.servers.guild_settings(guild.id)
    channels = {channel.id: examination for channel, examination in _examine_allowed(guild, guild_settings)}
    open_channels = await request.services.store.matches.open_channels(guild.id)
    requests = request.services.channels.requests
    results = await asyncio.gather(*(_examine_played(requests, guild, channel_id) for channel_id in open_channels))
    channels |= {channel_id: finding for channel_id, finding in zip(open_channels, results, strict=True) if finding}
    if not channels:
        raise UserError(NO_CHANNEL_TEXT)
    _add_own_findings(request.response.interaction, channels)
    log = log_problems(guild, guild_settings)
    others = (*overview_problems(guild, guild_settings), *events_problems(guild, guild_settings))
    text = report([*channels.values()], request.services.help_url, log, others)
    await request.response.show(words_layout(str(text)))


def _examine_allowed(
    guild: discord.Guild, guild_settings: GuildSettings
) -> Iterator[tuple[discord.abc.GuildChannel, Examination]]:
    for channel in _allowed_channels(guild, guild_settings):
        place = place_of(channel)
        # if moderators chose no channels, a hidden one may be hidden on purpose
        if place and (guild_settings.channels or has(place, SEE)):
            yield channel, Examination(place.here, examine(place), place)


async def _examine_played(requests: Requests, guild: discord.Guild, channel_id: int) -> Examination | None:
    """The examination of the channel or thread of an open game; `None` if Discord does not answer."""
    here = f"<#{channel_id}>"
    try:
        place = place_of(await channel_in(requests, guild, channel_id))
    except DISCORD_ERRORS as error:
        if not (is_gone(error) or is_closed(error)):
            return None
        problem = CHANNEL_GONE_TEXT if is_gone(error) else CHANNEL_HIDDEN_TEXT
        return Examination(here, (Finding(problem),), played=True)
    return Examination(place.here, findings_of_game(place), place, played=True) if place else None


def _add_own_findings(interaction: discord.Interaction[Any], channels: dict[int, Examination]) -> None:
    """Check the channel of an interaction by its own permissions, if the computed ones show no problem."""
    here = channels.get(interaction.channel_id or 0)
    if here is not None and not here.findings:
        channels[interaction.channel_id or 0] = dataclasses.replace(here, findings=findings_at(interaction))


def _allowed_channels(guild: discord.Guild, guild_settings: GuildSettings) -> list[discord.abc.GuildChannel]:
    """The channels in which games may be started: the chosen ones, or all if none are chosen."""
    selected_channels = known_channels(guild, guild_settings.channels) if guild_settings.channels else guild.channels
    within = [
        channel
        for chosen_channel in selected_channels
        if isinstance(chosen_channel, discord.CategoryChannel)
        for channel in chosen_channel.channels
    ]
    # a dict, since a channel may have been chosen in addition to its category
    allowed = {channel.id: channel for channel in (*selected_channels, *within) if channel.type in GAME_CHANNEL_TYPES}
    return list(allowed.values())


def report(
    channels: Sequence[Examination], help_url: str, log: Sequence[Text] = (), others: Sequence[Text] = ()
) -> Text:
    """The findings in channels, the problems of the moderators' log, and those of the overview and the events.

    Channels without findings are counted.
    """
    everywhere = [finding for channel in channels for finding in channel.findings if finding.everywhere][:1]
    faulty = [channel for channel in channels if channel.own]
    places = [channel.place for channel in channels if channel.place and not channel.findings]
    more = [Text("-# [More about my permissions]({url})", url=help_url)] if help_url else []
    if everywhere:
        summary = Text("### I can’t play in this server at the moment\n{finding}", finding=list_findings(everywhere))
    elif faulty:
        summary = Text(
            "### {ill} of {checked} {checked:channel|channels} {ill:needs|need} attention",
            ill=len(faulty),
            checked=len(channels),
        )
    elif log:
        summary = Text("### The moderators’ log needs attention")
    elif others:
        summary = Text("### A setting needs attention")
    else:
        template = "### Everything looks good\nI checked {checked} {checked:channel|channels}."
        summary = Text(template, checked=len(channels))
    notices = () if everywhere else (*log, *others)
    sections = _fitting([_section(channel) for channel in faulty])
    return joined([summary, *notices, *sections, *_without_threads(places), *more], "\n")


def _section(examination: Examination) -> Text:
    heading = Text("**{here}**", here=examination.here)
    if examination.played:
        heading = Text("{here} – a game is played here", here=heading)
    return joined([heading, list_findings(examination.own)], "\n")


def _without_threads(places: Sequence[Place]) -> list[Text]:
    """A line about the channels in which games can be played, but not in threads of their own."""
    closed = tuple(place.here for place in places if examine(place, Doing.THREAD))
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


def _fitting(sections: Sequence[Text]) -> Iterator[Text]:
    """The sections that fit into a message, and the number of the others."""
    room = MAX_CHARS
    for n, text in enumerate(sections):
        room -= len(str(text))
        if room < 0:
            yield Text("-# … and {more} more", more=len(sections) - n)
            return
        yield text


def log_problems(guild: discord.Guild, guild_settings: GuildSettings) -> list[Text]:
    """The reasons why the moderators' log cannot be written; empty if it can, or if the server has none."""
    return _problems(guild, guild_settings.log, Doing.LOG, LOG_PROBLEM_TEXT)


def overview_problems(guild: discord.Guild, guild_settings: GuildSettings) -> list[Text]:
    """The reasons why the overview cannot be written; empty if it can, or if the server has none."""
    return _problems(guild, guild_settings.overview, Doing.OVERVIEW, OVERVIEW_PROBLEM_TEXT)


def events_problems(guild: discord.Guild, guild_settings: GuildSettings) -> list[Text]:
    """The reason why no events can be made; empty if they can, or if the server does not want them."""
    return [EVENTS_PROBLEM_TEXT] if guild_settings.events and not may_make_events(guild) else []


def _problems(guild: discord.Guild, channel_id: int, doing: Doing, heading: Text) -> list[Text]:
    channel = guild.get_channel(channel_id)
    if channel is None:
        return [heading, GONE_TEXT] if channel_id else []
    place = place_of(channel)
    findings = examine(place, doing) if place else ()
    lines = (Text("* {finding}", finding=finding.text) for finding in findings)
    return [heading, *lines] if findings else []

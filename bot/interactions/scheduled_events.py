"""Requests for Discord's scheduled events. Discord has no nonces for them, so an uncertain one is searched for."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

import discord

from bot.errors import UnreadableAnswer
from bot.interactions.refusals import Code, code_of
from bot.interactions.requests import Requests
from bot.tables.scheduled_events import TimedEvent
from engine.texts import Text

TIMEOUT = 10.0
"""Timeout of a request in seconds."""

EVENT_LENGTH = timedelta(hours=1)
"""The length of an event, which Discord requires."""


def may_make_events(guild: discord.Guild) -> bool:
    """Whether the bot has the permission for events in a server."""
    return guild.me is not None and guild.me.guild_permissions.create_events


async def create_event(requests: Requests, guild: discord.Guild, event: TimedEvent) -> int:
    """Make an event. Returns its id. Raises `DISCORD_ERRORS`."""
    create = partial(
        guild.create_scheduled_event,
        name=event.name,
        start_time=event.starts_at,
        end_time=event.starts_at + EVENT_LENGTH,
        entity_type=discord.EntityType.external,
        privacy_level=discord.PrivacyLevel.guild_only,
        location=event.location,
        description=_description(event),
    )
    try:
        return (await requests.run(create, limit=TIMEOUT)).id
    except UnreadableAnswer as error:
        if event_id := error.object_id():
            return event_id
        raise


async def edit_event(requests: Requests, guild: discord.Guild, event_id: int, event: TimedEvent) -> None:
    """Change an event. Raises `DISCORD_ERRORS`."""
    edit = partial(
        guild._state.http.edit_scheduled_event,
        guild.id,
        event_id,
        name=event.name,
        scheduled_start_time=_text(event.starts_at),
        scheduled_end_time=_text(event.starts_at + EVENT_LENGTH),
        entity_metadata={"location": event.location},
        description=_description(event),
    )
    await requests.change(edit, limit=TIMEOUT)


async def delete_event(requests: Requests, guild: discord.Guild, event_id: int) -> None:
    """Delete an event, which moderators may have deleted before. Raises `DISCORD_ERRORS`."""
    try:
        await requests.change(partial(guild._state.http.delete_scheduled_event, guild.id, event_id), limit=TIMEOUT)
    except discord.HTTPException as error:
        if not is_event_gone(error):
            raise


async def find_event(requests: Requests, guild: discord.Guild, event: TimedEvent) -> int | None:
    """The id of an event of the bot with this time and place. Raises `DISCORD_ERRORS`."""
    events = await requests.run(partial(guild.fetch_scheduled_events, with_counts=False), limit=TIMEOUT)
    matches = (
        other.id
        for other in events
        if other.creator_id == guild._state.self_id
        and (other.location, other.start_time.replace(microsecond=0))
        == (event.location, event.starts_at.replace(microsecond=0))
    )
    return next(matches, None)


def is_event_gone(error: BaseException) -> bool:
    """Whether an event was deleted, or is over."""
    return code_of(error) in (Code.UNKNOWN_EVENT, Code.FINISHED_EVENT)


def _text(at: datetime) -> str:
    return at.isoformat()


def _description(event: TimedEvent) -> str:
    return str(Text("Take a seat here: {link}", link=event.location))

"""Deleted channels: detects them, and closes their open matches."""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial

import discord

from bot.errors import DISCORD_ERRORS, GameFault, UserError, reason
from bot.features.services import Services
from bot.interactions.parts import text_layout
from bot.store.codec import time_at, time_of
from bot.store.jobs import Job, JobKind
from bot.store.matches import Status
from bot.tables.faults import guarding
from bot.tables.table import Table
from engine.texts import Text

_log = logging.getLogger(__name__)

RECHECK_DELAY = timedelta(hours=3)
"""The time between the two requests that confirm a deletion."""


async def check_channel(services: Services, channel_id: int) -> None:
    """Schedule checks of the open matches in a channel and its threads, which may be deleted."""
    now = services.clock.now()
    # a job asks Discord twice: during an outage, Discord reports existing channels as unknown
    ids = await services.store.matches.open_under(channel_id)
    await services.store.jobs.put_new(*(Job(JobKind.CHANNEL_CHECK, now, match_id) for match_id in ids))


def recheck_later(job: Job, now: datetime) -> Job | None:
    """The job of a missing channel at the time of its second request, or `None` if that was the second.

    The requests are `RECHECK_DELAY` apart, since outages last that long.
    """
    stored = job.state.get("missing")
    # older jobs have `True` instead of a time
    since = time_at(stored) if isinstance(stored, str) else now
    if now - since >= RECHECK_DELAY:
        return None
    return job.at(since + RECHECK_DELAY, missing=time_of(since))


async def check_server(services: Services, guild: discord.Guild) -> None:
    """`check_channel` for all channels that a server does not list; these include archived threads, which exist."""
    for channel_id in await services.store.matches.open_channels(guild.id):
        if guild.get_channel_or_thread(channel_id) is None:
            await check_channel(services, channel_id)


async def channel_deleted(services: Services, channel_id: int) -> None:
    """Close the matches in a deleted channel or thread, and in its threads."""
    for match_id in await services.store.matches.open_under(channel_id):
        if table := await services.tables.find(match_id):
            with suppress(GameFault), guarding(table):
                await close_gone(services, table)


async def close_gone(services: Services, table: Table) -> None:
    """Close a match whose channel was deleted, and tell its host and players."""
    # read first: closing changes the status
    in_lobby = table.row.status is Status.LOBBY
    with suppress(UserError):  # already closed by another event
        await services.seats.end(table, at=services.clock.now())
        await _tell(services, table, in_lobby=in_lobby)


async def _tell(services: Services, table: Table, *, in_lobby: bool) -> None:
    notice = Text(
        "The channel of your **{title}** game was deleted, so {what}.",
        title=table.title,
        what=Text("the table is closed") if in_lobby else Text("the game was called off; its log is kept"),
    )
    compose = partial(text_layout, notice, table.say)
    # each person once: the host may or may not play
    for n, user_id in enumerate(dict.fromkeys((table.row.host_id, *table.people))):
        try:
            # a number instead of the user id: a nonce has at most 25 characters
            await services.channels.send_direct(user_id, compose, nonce=f"gone-{table.id}-{n}")
        except DISCORD_ERRORS as error:
            _log.info("could not tell user %d that table %d is closed: %s", user_id, table.id, reason(error))

"""Job: close a lobby without activity for a day, after a warning to its host."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from functools import partial

from discord.ui import TextDisplay

from bot.errors import DISCORD_ERRORS, reason
from bot.features.lobby.table_buttons import keep_open
from bot.features.lobby.table_message import EXPIRED, update_lobby
from bot.features.services import Services
from bot.interactions.parts import PRIMARY, Layout, calling, layout, row, stamp, text_layout
from bot.interactions.refusals import is_final
from bot.store.codec import time_at, time_at_or_none, time_of
from bot.store.jobs import Job
from bot.store.matches import Status
from bot.tables.lobbies import LOBBY_LIFETIME
from bot.tables.people import mention
from bot.tables.table import Table
from engine.texts import Text

_log = logging.getLogger(__name__)

WARNING_LEAD = timedelta(hours=1)
"""The time between the warning and the end of a lobby."""


async def run(services: Services, job: Job) -> Job | None:
    """Warn the host, close the lobby, or wait, by its age."""
    table = await services.tables.find(job.match_id)
    if table is None or table.row.status is not Status.LOBBY:
        return None
    now, warned = services.clock.now(), time_at_or_none(job.state["warned"])
    # a start time keeps the lobby open
    open_since = max(filter(None, (time_at(job.state["since"]), table.row.starts_at)))
    due = warned + WARNING_LEAD if warned else open_since + LOBBY_LIFETIME - WARNING_LEAD
    if now < due:
        return job.at(due)
    if warned is None:
        return await _warn(services, table, job, now)
    if await services.lobbies.expire(table, job) and not table.problem:
        await update_lobby(services, table)
        await _close_warning(services, table, job)
    return None


async def _warn(services: Services, table: Table, job: Job, now: datetime) -> Job:
    """Warn the host; a repetition is the same message to Discord. The hour counts even if the warning is refused."""
    since = time_at(job.state["since"])
    compose, nonce = partial(_warning_layout, table, since, now + WARNING_LEAD), f"l{table.id}-{since.timestamp():.0f}"
    message_id: int | None = None
    try:
        message_id = await services.channels.send(
            table.row.channel_id, compose, mentions=calling([table.row.host_id]), nonce=nonce
        )
    except DISCORD_ERRORS as error:
        # an unreachable host must not keep the table open forever
        if not is_final(error, job.attempts):
            raise
        _log.info("match %d: the host was not warned, and the lobby closes anyway: %s", table.id, reason(error))
    return job.at(now + WARNING_LEAD, warned=time_of(now), warning=message_id)


async def _close_warning(services: Services, table: Table, job: Job) -> None:
    """Take the button off the warning of a closed lobby; a job of an earlier version does not name its message."""
    if message_id := job.state.get("warning"):
        compose = partial(text_layout, EXPIRED, table.say)
        await services.channels.refresh(table.row.channel_id, message_id, compose)


def _warning_layout(table: Table, since: datetime, closes: datetime) -> Layout:
    """The warning to the host that their lobby closes without activity."""
    warning = Text(
        "{host}, nothing has happened at your **{title}** table since {since}. Closing time: {closes}.\n"
        "-# Any change keeps it open, too.",
        host=mention(table.row.host_id),
        title=table.title,
        since=stamp(since),
        closes=stamp(closes, "R"),
    )
    return layout(TextDisplay(table.say(warning)), row(keep_open.button(table, Text("Keep it open"), PRIMARY)))

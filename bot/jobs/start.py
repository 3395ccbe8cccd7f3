"""Job: start a table at its time, or leave it open and say why it cannot start."""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import datetime

import discord

from bot.errors import DISCORD_ERRORS, UserError, reason
from bot.features.lobby.table_message import post_lobby, update_lobby
from bot.features.services import Services
from bot.interactions.parts import SILENT, calling
from bot.interactions.refusals import is_final
from bot.store.jobs import Job
from bot.store.matches import Status
from bot.store.shard_range import NO_SERVER
from bot.tables.company import require_peace
from bot.tables.faults import guarding
from bot.tables.lobbies import limit_reached
from bot.tables.table import Table
from engine.errors import EngineError
from engine.texts import Text

_log = logging.getLogger(__name__)


async def run(services: Services, job: Job) -> Job | None:
    """Start the table of a job, or ask its players whether they are ready. Raises `DISCORD_ERRORS`."""
    table = await services.tables.find(job.match_id)
    if table is None or table.row.status is not Status.LOBBY or table.row.starts_at is None:
        return None
    starts_at = table.row.starts_at
    if services.clock.now() < starts_at:
        return job.at(starts_at)
    try:
        await _require_start(services, table)
        if table.unready:
            await services.lobbies.ask_at_start(table)
            await _post(services, table, starts_at, job.attempts, None, calling(table.unready))
            return None
        with guarding(table):
            # docs/luck.md: the message of the table takes the place of the interaction that starts a game
            await services.moves.start(table, table.row.lobby_message_id or table.row.channel_id)
    except (UserError, EngineError) as refused:
        note = Text("-# ⏰ The game was supposed to start now. {why}", why=refused.text)
        await _post(services, table, starts_at, job.attempts, note)
        return None
    with suppress(UserError):  # it was logged, and is retried
        await services.poster.deliver(table)
    await update_lobby(services, table)
    return None


async def _require_start(services: Services, table: Table) -> None:
    """Raise `UserError` if the game must not start now."""
    # another process may have stored a block after the players sat down
    await require_peace(services.store, table)
    guild_id = table.row.guild_id
    most = 0 if guild_id == NO_SERVER else (await services.servers.guild_settings(guild_id)).most
    if most and await services.store.matches.running_in_server(guild_id) >= most:
        raise UserError(limit_reached(most))


async def _post(
    services: Services,
    table: Table,
    starts_at: datetime,
    attempts: int,
    note: Text | None,
    mentions: discord.AllowedMentions = SILENT,
) -> None:
    """Show the table at the end of its channel, and remove its start time. A repetition is the same message."""
    nonce = f"s{table.id}-{starts_at.timestamp():.0f}"
    try:
        async with table.posting:
            await post_lobby(services, table, note, mentions, nonce)
    except DISCORD_ERRORS as error:
        # a channel that takes no messages must not keep the start time forever
        if not is_final(error, attempts):
            raise
        _log.info("match %d: the start is not announced: %s", table.id, reason(error))
    await services.lobbies.end_start(table, starts_at)

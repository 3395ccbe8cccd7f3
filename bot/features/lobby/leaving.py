"""Removal from lobbies after a block or a bar."""

from __future__ import annotations

from bot.features.lobby.table_message import update_lobby
from bot.features.services import Services
from bot.store.jobs import NOBODY
from bot.store.matches import Status
from bot.tables.table import Table


async def leave_lobby(services: Services, table: Table, user_id: int) -> None:
    """Free the seat of a user in a lobby, and update the lobby message."""
    # only computers may remain here: `hand_on` closes a table without people
    await services.lobbies.change_holders(
        table, lambda holders: [holder for holder in holders if holder.user_id != user_id]
    )
    await services.lobbies.hand_on(table)
    await update_lobby(services, table)


async def lobbies_of(services: Services, user_id: int) -> list[Table]:
    """The lobbies of this process in which a user has a seat.

    Excludes league tables, which start by themselves and to which the sign-up commits the players.
    """
    ids = await services.store.user_data.open_games(user_id)
    tables = [await services.tables.find(match_id) for match_id in ids]
    return [table for table in tables if table and _waits(services, table)]


def _waits(services: Services, table: Table) -> bool:
    row = table.row
    # a process changes only the tables that it owns
    mine = services.store.shard_range.has(row.guild_id)
    return mine and row.status is Status.LOBBY and row.host_id != NOBODY and not table.problem

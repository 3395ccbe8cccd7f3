"""Tables that all people have left."""

from __future__ import annotations

from datetime import datetime

from bot.store.store import Store
from bot.tables.rated import unfinished
from bot.tables.table import Table, called_off
from bot.tables.tables import Tables


async def close_if_abandoned(store: Store, tables: Tables, table: Table, at: datetime) -> bool:
    """Call an open match off if no people are left at its table, whose lock must be held. Returns whether."""
    if any(holder.user_id for holder in table.row.holders):
        return False
    if table.is_open:
        # those who gave up, one after the other, have results all the same
        worth = await unfinished(table, await store.table_events.of(table.id), None)
        await store.matches.close(table.id, called_off(table), at, unfinished=worth)
        # of a match that ran, `Matches.close` has dropped the job of the board
        table.waiting = None
        table.changes = await store.ratings.changes(table.id) if worth else ()
        await tables.reread(table)
    return True

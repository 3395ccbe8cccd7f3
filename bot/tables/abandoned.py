"""Tables that all people have left."""

from __future__ import annotations

from datetime import datetime

from bot.store.facts import Facts
from bot.tables.rated import results_if_ended_now
from bot.tables.table import Table, called_off


async def unless_abandoned(table: Table, at: datetime) -> Facts:
    """The facts of a table, or those of a match that is called off if it is open and no people are left."""
    if table.people or not table.is_open:
        return table.facts
    # those who gave up, one after the other, have results all the same
    return table.facts.close(called_off(table), at, await results_if_ended_now(table, None))

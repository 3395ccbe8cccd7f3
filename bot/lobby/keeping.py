"""*Keep it open*: a lobby that nobody touches would be closed."""

from __future__ import annotations

from bot.interactions.parts import stamp
from bot.reception import Handler, Visit
from bot.tables.lobbies import EXPIRES
from bot.tables.people import mention
from engine.texts import Text


async def keep_open(visit: Visit) -> None:
    """*Keep it open*, for whoever sits at the table."""
    table = visit.table
    table.seated(visit.user_id)
    await visit.court.lobbies.keep(table)
    until = stamp(visit.court.clock.now() + EXPIRES)
    told = Text("{who} keeps this table of **{title}** open.", who=mention(visit.user_id), title=table.title)
    visit.answer.kept = Text("{told}\n-# Without a change it is closed on {until}.", told=told, until=until)
    await visit.answer.show_text(visit.answer.kept)


HANDLERS: dict[str, Handler] = {"keep": keep_open}
"""What the controls of this module do."""

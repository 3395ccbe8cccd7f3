"""*Keep it open*: a lobby that nobody touches would be closed."""

from __future__ import annotations

from bot.dispatcher import Answer, TableRequest, at_table
from bot.interactions.parts import stamp
from bot.interactions.responses import together
from bot.lobby.table_message import refresh_lobby
from bot.tables.lobbies import EXPIRES
from bot.tables.people import mention
from engine.texts import Text


async def keep_open(request: TableRequest) -> None:
    """*Keep it open*, for anyone who sits at the table."""
    table = request.table
    table.seated(request.user_id)
    await request.services.lobbies.keep(table)
    until = stamp(request.services.clock.now() + EXPIRES)
    told = Text("{who} keeps this table of **{title}** open.", who=mention(request.user_id), title=table.title)
    request.response.kept = Text("{told}\n-# If nothing changes, it closes on {until}.", told=told, until=until)
    await together(request.response.show_text(request.response.kept), refresh_lobby(request))


TAPS = {
    "keep": at_table(keep_open, Answer.IN_PLACE),
}

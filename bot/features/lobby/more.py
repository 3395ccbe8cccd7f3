"""*More*: the rarer actions of a lobby, in private."""

from __future__ import annotations

from collections.abc import Iterator

from discord.ui import TextDisplay

from bot.features.handlers import TableRequest, at_table
from bot.features.lobby import lobby_layouts, start_times, starting, table_buttons
from bot.features.lobby.computer_seats import show_computers
from bot.features.lobby.inviting import ask_whom
from bot.features.lobby.options_page import options
from bot.features.view.games import block_people
from bot.interactions.controls import Control
from bot.interactions.kinds import declare_at_table
from bot.interactions.parts import DANGER, Layout, layout, row, rows
from bot.posting.board_layouts import luck, rules
from bot.store.shard_range import NO_SERVER
from bot.tables.paces import PACES, pace_words
from bot.tables.rated import why_not_rated
from bot.tables.table import Table, require_lobby
from engine.texts import Text


@declare_at_table("paces")
def show_pace() -> None:
    """*Pace*: the pace of a table."""


@at_table(lobby_layouts.more)
async def more(request: TableRequest) -> None:
    """*More*: show the other actions that this user has at the table."""
    require_lobby(request.table)
    seated = request.table.seat_of(request.user_id) is not None
    await request.response.show(_more_layout(request.table, seated=seated, in_charge=request.is_in_charge))


def _more_layout(table: Table, *, seated: bool, in_charge: bool) -> Layout:
    """The other actions of a user: for seated players, and for the host."""
    own = [rules.button(Text("Rules"), match_id=table.id), luck.button(table, Text("Luck"))]
    if seated and len(table.row.holders) > 1:
        own.append(table_buttons.shuffle.button(table, Text("Shuffle seats")))
    if seated:
        own.append(table_buttons.leave.button(table, Text("Leave")))
    if len(table.people) > seated:
        own.append(block_people.button(table, Text("Block a player")))
    of_host = rows(_of_host(table)) if in_charge else []
    words = "\n".join(map(table.say, (Text("### More at this table"), *_details(table))))
    return layout(TextDisplay(words), row(*own), *of_host)


def _details(table: Table) -> Iterator[Text]:
    """The settings of a table that its message does not show: pace, hints, and whether the result counts."""
    stored = table.row
    if stored.pace in PACES:
        yield Text("**Pace** – {pace}.", pace=pace_words(stored.pace, firm=stored.firm))
    if table.hints:
        yield Text("**Hints** – players can ask for their best moves.")
    if stored.guild_id != NO_SERVER:
        yield Text("**Counts in `/stats`** – {why}", why=why_not_rated(table) or Text("yes."))


def _of_host(table: Table) -> list[Control]:
    # a direct message has no other players to invite or to wait for
    alone, asks = table.row.guild_id == NO_SERVER, table.row.ready is not None
    return [
        *([starting.back.button(table, Text("Not yet"))] if asks else []),
        *([] if alone else [ask_whom.button(table, Text("Invite")), show_pace.button(table, Text("Pace"))]),
        options.button(table, Text("Options")),
        start_times.ask.button(table, Text("Start time")),
        *([show_computers.button(table, Text("Computers"))] if table.computers else []),
        table_buttons.remove.button(table, Text("a button\4Remove")),
        table_buttons.end.button(table, table_buttons.CLOSE, DANGER),
    ]

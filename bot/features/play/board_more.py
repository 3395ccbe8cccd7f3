"""*More* on a board: its rarer actions, in private."""

from __future__ import annotations

from discord.ui import TextDisplay

from bot.features.handlers import TableRequest, at_table
from bot.features.play.undo_buttons import undo_control
from bot.interactions.controls import Control
from bot.interactions.parts import Layout, layout, row
from bot.posting import board_layouts
from bot.posting.board_texts import details_of
from bot.store.matches import Status
from bot.tables.table import Table
from engine.texts import Seat, Text


@at_table(board_layouts.more)
async def show_more(request: TableRequest, mark: str = "") -> None:
    """*More*: show the other actions that this user has on a board."""
    table = request.table
    seat = table.seat_of(request.user_id) if table.row.status is Status.RUNNING else None
    await request.response.show(more_layout(table, seat))


def more_layout(table: Table, seat: Seat | None) -> Layout:
    """What a board leaves out, with the other actions: *Undo* for the player of a seat while it is possible."""
    lines = [Text("### {title}", title=table.title), *details_of(table)]
    buttons = row(
        board_layouts.log.button(table, Text("Log")),
        board_layouts.as_text.button(table, Text("As text")),
        *_other_ways(table, seat),
    )
    return layout(TextDisplay("\n".join(table.say(line, seat) for line in lines)), buttons)


def _other_ways(table: Table, seat: Seat | None) -> list[Control]:
    if table.viewable_match().outcome is not None:
        return [
            board_layouts.replay.button(table, Text("Replay")),
            board_layouts.luck.button(table, Text("Luck")),
        ]
    undo = [] if seat is None else undo_control(table, seat)
    return [board_layouts.rules.button(Text("Rules"), match_id=table.id), *undo]

"""Looking at a table: what somebody may see of it, whether it is played or over."""

from __future__ import annotations

from contextlib import suppress

from bot.errors import Declined
from bot.interactions.parts import words_layout
from bot.look.layouts import log_layout, look_layout
from bot.posting.pictures import describe
from bot.posting.story import due_text, log_pages
from bot.reception import Handler, Visit
from bot.store.rows import Status
from engine.texts import Text


async def show_board(visit: Visit) -> None:
    """The board as this user may see it, for this user only; one that waits to be posted gets another try."""
    table = visit.table
    match, seat = table.shown(), table.seat_of(visit.user_id)
    view = match.view(seat)
    drawn = await visit.court.pictures.draw(view, table.names)
    due = table.row.status is Status.RUNNING and seat is not None and seat in view.due
    text = due_text(table) if match.outcome else table.due_sentence()
    await visit.answer.show(look_layout(table, text, (drawn.filename, drawn.alt), due=due), [drawn.file()])
    if table.waiting is not None and seat is not None:
        with suppress(Declined):
            await visit.court.poster.deliver(table)


async def as_text(visit: Visit) -> None:
    """The long text twin of the position, as this user may know it."""
    match = visit.table.shown()
    await visit.answer.show(words_layout(describe(match.view(visit.table.seat_of(visit.user_id)), visit.table.names)))


async def show_hand(visit: Visit) -> None:
    """The board with what only this user may see."""
    visit.table.seated(visit.user_id)
    if not visit.table.spec.hands:
        raise Declined(Text("Nothing is hidden in {title}: everybody sees the same board.", title=visit.table.title))
    await show_board(visit)


async def show_log(visit: Visit) -> None:
    """What has happened as this user has heard it: the page that was asked for, else the last one."""
    match, asked = visit.table.shown(), visit.control.text
    pages = log_pages(visit.table, match.history(visit.table.seat_of(visit.user_id)))
    last = len(pages) - 1
    await visit.answer.show(log_layout(visit.table, pages, min(int(asked), last) if asked.isdecimal() else last))


HANDLERS: dict[str, Handler] = {
    "text": as_text,
    "hand": show_hand,
    "log": show_log,
}
"""What the controls of this room do."""

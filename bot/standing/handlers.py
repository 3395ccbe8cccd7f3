"""`/game answers`: a private page, by game and question, of what one does not want to be asked."""

from __future__ import annotations

from bot.errors import Declined
from bot.interactions.answers import together
from bot.reception import Handler, Visit
from bot.standing.layouts import ASK, answers_layout
from bot.store.standing import Way
from bot.tables.asides import answered_later, asides_of
from bot.tables.standing import NO_SUCH
from bot.tables.table import Table, require_running
from engine.texts import Seat, Text

ANSWERED = Text("✓ The question that waited for you is answered.")
SOON = Text("✓ The question that waits for you will be answered in a while.")


async def show_answers(visit: Visit) -> None:
    """What this user is asked outside their turn, with a menu for each."""
    table = visit.table
    require_running(table)
    seat = table.seated(visit.user_id)
    if not asides_of(table):
        raise Declined(Text("In this game of {title} nobody is asked outside his own turn.", title=table.title))
    await visit.answer.show(answers_layout(table, seat))


async def choose_answer(visit: Visit) -> None:
    """A row was chosen: the id carries the question, the row what becomes of it."""
    table, row = visit.table, visit.value
    if row not in (ASK, *Way):
        raise Declined(NO_SUCH)
    seat = table.seated(visit.user_id)
    was_due = _is_due(table, seat)
    await visit.court.standing.choose(table, visit.user_id, visit.control.text, None if row == ASK else Way(row))
    visit.answer.kept = ANSWERED if was_due and not _is_due(table, seat) else Text("This is kept.")
    note = _note(table, seat, was_due=was_due)
    await together(visit.answer.show(answers_layout(table, seat, note)), visit.court.poster.deliver(table))


def _is_due(table: Table, seat: Seat) -> bool:
    return any(decision.seat == seat for decision in table.playing().state.decisions())


def _note(table: Table, seat: Seat, *, was_due: bool) -> Text | None:
    """What becomes of the question that waits, if one does."""
    if was_due and not _is_due(table, seat):
        return ANSWERED
    return SOON if seat in answered_later(table, table.playing()) else None


HANDLERS: dict[str, Handler] = {"answers": show_answers, "answer": choose_answer}
"""What the controls of this room do."""

APART = frozenset({"answers"})
"""*Always answer so …* leaves the question where it is."""

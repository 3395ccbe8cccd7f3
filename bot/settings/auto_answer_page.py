"""`/me answers`: a private page, by game and question, of what one does not want to be asked."""

from __future__ import annotations

from bot.dispatcher import Answer, TableRequest, at_table
from bot.errors import UserError
from bot.interactions.responses import together
from bot.settings.auto_answer_layouts import ASK, answers_layout
from bot.store.auto_answers import AutoAnswer
from bot.tables.asides import answered_later, asides_of
from bot.tables.auto_answering import NO_SUCH
from bot.tables.table import Table, require_running
from engine.texts import Seat, Text

ANSWERED = Text("✓ The question you were asked is answered.")
SOON = Text("✓ The question you were asked will be answered in a while.")


async def show_answers(request: TableRequest) -> None:
    """What this user is asked outside their turn, with a menu for each."""
    table = request.table
    require_running(table)
    seat = table.seated(request.user_id)
    if not asides_of(table):
        raise UserError(Text("In this game of {title} nobody is asked anything outside their turn.", title=table.title))
    await request.response.show(answers_layout(table, seat))


async def choose_answer(request: TableRequest) -> None:
    """A row was chosen: the id carries the question, the row what becomes of it."""
    table, row = request.table, request.value
    # rows come from outside; whether this question has that answer, `choose` looks itself
    if row not in (ASK, *AutoAnswer):
        raise UserError(NO_SUCH)
    seat = table.seated(request.user_id)
    # read first: what is chosen may answer the question that waits at once
    was_due = _is_due(table, seat)
    await request.services.auto_answers.choose(
        table, request.user_id, request.control.text, None if row == ASK else AutoAnswer(row)
    )
    request.response.kept, note = Text("Saved."), None
    if was_due and not _is_due(table, seat):
        request.response.kept = note = ANSWERED
    elif seat in answered_later(table, table.playing()):
        note = SOON
    await together(request.response.show(answers_layout(table, seat, note)), request.services.poster.deliver(table))


def _is_due(table: Table, seat: Seat) -> bool:
    return any(decision.seat == seat for decision in table.playing().state.decisions())


TAPS = {
    "answers": at_table(show_answers, Answer.NEW),
    "answer": at_table(choose_answer),
}
"""*Always …* leaves the question where it is."""

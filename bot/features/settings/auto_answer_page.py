"""`/me answers`: a private page with the auto-answers of a user in a game."""

from __future__ import annotations

from functools import partial

from discord.ui import TextDisplay

from bot.errors import UserError
from bot.features.fields import Choice, Pick, field_items
from bot.features.groups import me
from bot.features.handlers import Answer, TableRequest, at_table
from bot.features.play import your_move_layouts
from bot.interactions.parts import Layout, layout
from bot.interactions.responses import together
from bot.store.auto_answers import AutoAnswer
from bot.tables.asides import asides_of, seats_with_delay, ways_of
from bot.tables.auto_answering import NO_SUCH
from bot.tables.table import Table, require_running
from engine.core import Aside
from engine.texts import Seat, Text, capitalize

ASK = "ask"
"""The row of a menu for no auto-answer."""

SLOW_ANSWER_NOTE = Text(
    "-# Where a quick answer would give something away, I take a few minutes and respect your quiet hours (`/me "
    "settings`)."
)

ANSWERED_NOTE = Text("✓ I’ve answered the question you were asked.")
ANSWERED_LATER_NOTE = Text("✓ I’ll answer the question you were asked in a little while.")


@me.command("answers", "Let small questions on other players’ turns be answered for you")
# *Always …* leaves the message of the question as it is
@at_table(your_move_layouts.always_answer, Answer.NEW)
async def show_answers(request: TableRequest) -> None:
    """Show the questions outside the user's own turn, with a menu for each."""
    table = request.table
    require_running(table)
    seat = table.require_seat(request.user_id)
    if not asides_of(table):
        raise UserError(
            Text("In this game of {title}, nobody is asked anything outside their turn.", title=table.title)
        )
    await request.response.show(_layout(table, seat))


@at_table("answer")
async def choose_answer(request: TableRequest, key: str) -> None:
    """Store the answer that was chosen for a question."""
    table, row = request.table, request.value
    # rows can be forged; `choose` checks that this question has that answer
    if row not in (ASK, *AutoAnswer):
        raise UserError(NO_SUCH)
    seat = table.require_seat(request.user_id)
    # before `choose`, which may answer the pending question at once
    was_due = _is_due(table, seat)
    await request.services.auto_answers.choose(table, request.user_id, key, None if row == ASK else AutoAnswer(row))
    request.response.already_done, note = Text("Saved."), None
    if was_due and not _is_due(table, seat):
        request.response.already_done = note = ANSWERED_NOTE
    elif seat in seats_with_delay(table, table.require_match()):
        note = ANSWERED_LATER_NOTE
    await together(request.response.show(_layout(table, seat, note)), request.services.poster.deliver(table))


def _is_due(table: Table, seat: Seat) -> bool:
    return any(decision.seat == seat for decision in table.require_match().state.decisions())


def _layout(table: Table, seat: Seat, note: Text | None = None) -> Layout:
    """A menu for each question that a seat may get outside its own turn."""
    heading = Text(
        "### Questions on other players’ turns\n"
        "{title} may ask you something during another player’s turn. What should I do then? This applies to this "
        "game only, and nobody else sees it until the game is over.",
        title=table.title,
    )
    introduction = "\n".join(table.say(text) for text in (note, heading) if text)
    asides = asides_of(table)
    saved = {aside.key: table.auto_answers.get(seat, {}).get(aside.key) for aside in asides}
    items = field_items([_field(table, aside) for aside in asides], partial(choose_answer.id, table), saved)
    return layout(TextDisplay(introduction), *items, TextDisplay(str(SLOW_ANSWER_NOTE)))


def _field(table: Table, aside: Aside) -> Pick:
    about = table.say(aside.about)
    choices = (Choice(way.value, way, table.say(_label(aside, way))) for way in ways_of(aside))
    # in capitals, since games word it for the middle of a sentence
    return Pick(aside.key, f"**{capitalize(about)}**", (Choice(ASK, None, Text("Ask me")), *choices))


def _label(aside: Aside, way: AutoAnswer) -> Text:
    match way:
        case AutoAnswer.COMPUTER:
            return Text("A computer decides")
        case AutoAnswer.DECLINE:
            return aside.declined
        case AutoAnswer.FIRST:
            return Text("The first legal answer")

"""*Predict the winner*: a private list of the players for a follower of a match."""

from __future__ import annotations

from discord.ui import TextDisplay

from bot.errors import UserError
from bot.features.handlers import Answer, TableRequest, at_table
from bot.interactions.controls import Control, Menu
from bot.interactions.parts import Layout, layout, row
from bot.tables.people import presentable
from bot.tables.predictions import UNKNOWN_SEAT_TEXT, is_spectator
from bot.tables.table import Table
from engine.texts import Seat, Text

NO_PREDICTION = "-"

ABOUT_TEXT = Text(
    "### Who will win?\n"
    "Only you can see your prediction. When the game is over, its last board names the first people to guess right, "
    "and when they did. If you change your prediction, the new one counts from that point on."
)


@at_table("predict", Answer.NEW)
async def ask(request: TableRequest) -> None:
    """*Predict the winner*: show the players, with this user's prediction."""
    await request.services.predictions.require_allowed(request.table, request.user_id)
    await request.response.show(_layout(request.table, request.user_id))


@at_table("predicted")
async def predict(request: TableRequest) -> None:
    """Store the winner that was chosen, or delete the prediction."""
    name = presentable(request.response.interaction.user.display_name)
    await request.services.predictions.predict(request.table, request.user_id, name, _seat_in(request.value))
    await request.response.show(_layout(request.table, request.user_id))


def _seat_in(value: str) -> Seat | None:
    if value == NO_PREDICTION:
        return None
    # ids can be forged
    if not (value.isascii() and value.isdecimal()):
        raise UserError(UNKNOWN_SEAT_TEXT)
    return Seat(int(value))


# --- layouts ---


def predict_buttons(table: Table, user_id: int) -> list[Control]:
    """*Predict the winner* for a follower, unless they have or had a seat in this match."""
    return [ask.button(table, Text("Predict the winner"))] if is_spectator(table, user_id) else []


def _layout(table: Table, user_id: int) -> Layout:
    prediction = table.predictions.get(user_id)
    rows = [(str(seat), name) for seat, name in enumerate(table.plain_names)]
    selected_row, lines = None, [table.say(ABOUT_TEXT)]
    if prediction is not None:
        rows.append((NO_PREDICTION, str(Text("No prediction"))))
        selected_row = str(prediction.seat)
        lines.append(table.say(_prediction_text(table, user_id)))
    menu = Menu(predict.id(table), rows, Text("Choose the winner"), selected_row)
    return layout(TextDisplay("\n".join(lines)), row(menu))


def _prediction_text(table: Table, user_id: int) -> Text:
    prediction = table.predictions[user_id]
    move = table.viewable_match().moves_before(prediction.version) + 1
    return Text("✓ Your prediction before move {move}: {seat} wins.", move=move, seat=prediction.seat)

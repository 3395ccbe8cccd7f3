"""*My data*, on the page of `/settings`: a file of all that is kept of somebody, and how it is forgotten."""

from __future__ import annotations

import io
import json
from contextlib import suppress
from typing import Any

import discord
from discord.ui import File, TextDisplay

from bot.courtyard import Courtyard
from bot.errors import Declined
from bot.interactions.controls import NO_TABLE, Control, ControlId
from bot.interactions.parts import DANGER, layout, row
from bot.lobby.ending import go_on_without
from bot.lobby.showing import update_lobby
from bot.reception import Anywhere, Errand
from bot.store.matches import Status
from bot.tables.table import Table
from engine.texts import Text

ABOUT = Text(
    "### Your data\n"
    "I keep who you are on Discord, what you are called in the servers where you play, your seats and moves, and "
    "what you have chosen in `/settings` and for your games; neither messages nor your other servers.\n"
    "**As a file** gives you all of it. **Forget me** takes it out of everything: computers play on in your seats, and "
    "in games that are over you are called “somebody”."
)
SURE = Text(
    "Forget you? It cannot be taken back.\n"
    "You leave every table: in running games computers play on in your seats. Your settings, reminders and notes are "
    "gone. The moves of your past games stay, for the others have played them, too, but nothing says that they were "
    "yours. Where you have seen a hand, a code without your name keeps you from another hand until that game ends. "
    "Messages in channels stay as they are."
)
FORGOTTEN = Text("You are forgotten. What you do from now on is kept anew.")
GONE = Text("Somebody leaves the game; a computer plays on in this seat.")


async def show(errand: Errand) -> None:
    """What is kept, and what can be done about it."""
    say = errand.answer.in_words
    file = Control(ControlId("myfile", NO_TABLE), say(Text("As a file")))
    forget = Control(ControlId("forget", NO_TABLE), say(Text("Forget me")), DANGER)
    await errand.answer.show(layout(TextDisplay(say(ABOUT)), row(file, forget)))


async def give(errand: Errand) -> None:
    """Everything as JSON, for them alone."""
    found: dict[str, Any] = await errand.court.store.people.all_of(errand.user_id)
    written = json.dumps({"user_id": errand.user_id, **found}, ensure_ascii=False, indent=1, default=str)
    name, say = "my-data.json", errand.answer.in_words
    shown = layout(TextDisplay(say(Text("All that I keep of you:"))), File(f"attachment://{name}"))
    await errand.answer.show(shown, [discord.File(io.BytesIO(written.encode()), name)])


async def ask(errand: Errand) -> None:
    """Ask before somebody is forgotten."""
    say = errand.answer.in_words
    sure = Control(ControlId("forgetme", NO_TABLE), say(Text("Forget me for good")), DANGER)
    back = Control(ControlId("mydata", NO_TABLE), say(Text("Cancel")))
    await errand.answer.show(layout(TextDisplay(say(SURE)), row(sure, back)))


async def forget(errand: Errand) -> None:
    """Let somebody leave all tables, and then everything that is kept."""
    court, people, user_id = errand.court, errand.court.store.people, errand.user_id
    names = await people.names(user_id)
    for match_id in await people.open_games(user_id):
        if table := await court.tables.find(match_id):
            with suppress(Declined):  # a game that cannot go on is left with all the rest; a refused board comes later
                await _leave(court, table, user_id)
    await people.forget(user_id, names)
    court.store.settings.changed(user_id)
    await court.tables.read_anew(names)
    errand.answer.kept = FORGOTTEN
    await errand.answer.show_text(FORGOTTEN)


async def _leave(court: Courtyard, table: Table, user_id: int) -> None:
    if table.row.status is Status.LOBBY:
        await court.lobbies.change_chairs(table, lambda chairs: [one for one in chairs if one.user_id != user_id])
        await court.lobbies.hand_on(table)
        await update_lobby(court, table)
        return
    await court.seats.resign(table, user_id)
    await court.lobbies.hand_on(table)
    await go_on_without(court, table, GONE)


ANYWHERE: dict[str, Anywhere] = {"mydata": show, "myfile": give, "forget": ask, "forgetme": forget}
"""What the controls of this room do; they need no table."""

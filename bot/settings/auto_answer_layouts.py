"""The page of `/me answers`."""

from __future__ import annotations

from typing import Any

import discord
from discord.ui import TextDisplay

from bot.interactions.controls import ControlId, Menu
from bot.interactions.parts import Layout, layout, row
from bot.store.auto_answers import AutoAnswer
from bot.tables.asides import asides_of, ways_of
from bot.tables.table import Table
from engine.core import Aside
from engine.texts import Seat, Text

ASK = "ask"
"""The row of a menu for being asked."""

SLOWLY = Text(
    "-# Where a quick answer would give something away, I take a few minutes and respect your quiet hours (`/me "
    "settings`)."
)


def answers_layout(table: Table, seat: Seat, note: Text | None = None) -> Layout:
    """A menu for every question that may come to a seat outside its own turn."""
    heading = Text(
        "### Questions on other players’ turns\n"
        "{title} may ask you something during somebody else’s turn. What should I do then? This is for this game "
        "only, and nobody else sees it until the game is over.",
        title=table.title,
    )
    items: list[discord.ui.Item[Any]] = [TextDisplay("\n".join(table.say(text) for text in (note, heading) if text))]
    chosen = table.auto_answers.get(seat, {})
    for aside in asides_of(table):
        about, now = table.say(aside.about), chosen.get(aside.key)
        rows = [(ASK, table.say(Text("Ask me")))]
        rows += [(way.value, table.say(_in_words(aside, way))) for way in ways_of(aside)]
        menu = Menu(ControlId("answer", table.id, text=aside.key), tuple(rows), chosen=now.value if now else ASK)
        # games word it for the middle of a sentence
        items += [TextDisplay(f"**{about[0].upper()}{about[1:]}**"), row(menu)]
    return layout(*items, TextDisplay(table.say(SLOWLY)))


def _in_words(aside: Aside, way: AutoAnswer) -> Text:
    match way:
        case AutoAnswer.COMPUTER:
            return Text("A computer decides")
        case AutoAnswer.DECLINE:
            return aside.declined
        case AutoAnswer.FIRST:
            return Text("The first legal one")

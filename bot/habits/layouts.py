"""The page of `/settings`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import discord
from discord.ui import TextDisplay

from bot.habits.habits import Habits
from bot.interactions.controls import NO_TABLE, ControlId, Menu
from bot.interactions.parts import Layout, layout, row
from engine.texts import Text


@dataclass(frozen=True, slots=True)
class Choice:
    """A habit in words: what it is about, and its values."""

    about: Text
    rows: Mapping[str, Text]


CHOICES = {
    "at_once": Choice(
        Text("**Moves that you type** – before they count, you see what would come of them."),
        {"no": Text("Preview first"), "yes": Text("Play them at once")},
    ),
    "coached": Choice(
        Text("**Advice for beginners** – two lines under each question: what matters, and what the answers mean."),
        {"no": Text("No advice"), "yes": Text("Advice under each question")},
    ),
}


def habits_layout(habits: Habits) -> Layout:
    """A menu for every habit; the value it has is chosen in it."""
    items: list[discord.ui.Item[Any]] = [TextDisplay(str(Text("### Your settings, in all games and servers")))]
    for name, choice in CHOICES.items():
        rows = tuple((value, str(said)) for value, said in choice.rows.items())
        chosen = "yes" if getattr(habits, name) else "no"
        items += [
            TextDisplay(str(choice.about)),
            row(Menu(ControlId("habit", NO_TABLE, text=name), rows, chosen=chosen)),
        ]
    return layout(*items)

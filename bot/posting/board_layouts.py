"""The board in the channel: one message per finished turn (Components V2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord.ui import Container, TextDisplay

from bot.interactions.controls import Control, ControlId
from bot.interactions.parts import GOLD, PLAIN, PRIMARY, Layout, layout, picture, rows
from bot.tables.table import Table
from engine.texts import Seat, Text

NO_PICTURE = Text("-# Discord didn’t accept the picture. `/game board` shows it.")


@dataclass(frozen=True, slots=True)
class Body:
    """What a board message says, in words; kept with its row so that its controls can be taken away later.

    Without a `filename` it went out as text. The `first` board of a match calls everybody who plays. Its `mark` is that
    of no other board of the match, and is in the id of one of its controls. One that answers a command has a button to
    take that back (`undo`: the version of the match); elsewhere that is in the private answer.
    """

    heading: str
    filename: str
    alt: str
    story: str
    due: tuple[int, ...]
    due_text: str
    first: bool = False
    mark: str = ""
    undo: int = 0

    def stored(self) -> dict[str, Any]:
        """As JSON."""
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def of(cls, stored: dict[str, Any]) -> Body:
        """From JSON."""
        # JSON has no tuples
        return cls(**stored | {"due": tuple(stored["due"])})


def board_layout(table: Table, body: Body, *, controls: bool) -> Layout:
    """The message of a finished turn: heading, picture, what happened, who is due, controls."""
    items: list[discord.ui.Item[Any]] = [TextDisplay(f"### {body.heading}")]
    items.append(picture(body.filename, body.alt) if body.filename else TextDisplay(table.say(NO_PICTURE)))
    if body.story:
        items.append(TextDisplay(body.story))
    if controls:
        items.append(TextDisplay(body.due_text))
        items += rows(_board_controls(table, body))
    return layout(Container(*items, accent_color=GOLD))


def your_move(table: Table, style: discord.ButtonStyle = PRIMARY) -> Control:
    """The button for one's own turn, whatever the position is."""
    return Control(ControlId("turn", table.id), table.say(Text("Your move")), style)


def marked_control(table: Table, mark: str) -> Control:
    """The control by which a board is known."""
    return Control(ControlId("text", table.id, text=mark), table.say(Text("As text")))


def undo_control(table: Table, version: int) -> Control:
    """The way to take back what was done last as of a version."""
    return Control(ControlId("undo", table.id, version), table.say(Text("Undo")))


def luck_control(table: Table) -> Control:
    """To what was announced about the luck of a match, and to its proof."""
    return Control(ControlId("luck", table.id), table.say(Text("Luck")))


def _board_controls(table: Table, body: Body) -> list[Control]:
    say = table.say
    # nobody is due, so the game is over
    if not body.due:
        return [
            Control(ControlId("rematch", table.id), say(Text("Rematch")), PRIMARY),
            Control(ControlId("log", table.id), say(Text("Log"))),
            marked_control(table, body.mark),
            Control(ControlId("replay", table.id), say(Text("Replay"))),
            luck_control(table),
        ]
    undo = [undo_control(table, body.undo)] if body.undo else []
    hand = [Control(ControlId("hand", table.id), say(Text("My hand")))] if table.spec.hands else []
    # colored only while a person is due
    waits = any(not table.computer_of(Seat(seat)) for seat in body.due)
    return [
        your_move(table, PRIMARY if waits else PLAIN),
        *hand,
        Control(ControlId("log", table.id), say(Text("Log"))),
        marked_control(table, body.mark),
        Control(ControlId("rules", table.id), say(Text("Rules"))),
        *undo,
    ]

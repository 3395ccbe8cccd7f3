"""The board in the channel: one message per finished turn (Components V2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from math import ceil
from typing import Any

import discord
from discord.ui import ActionRow, TextDisplay

from bot.interactions.controls import Control
from bot.interactions.kinds import InMatch, InVersion, declare_anywhere, declare_at_table
from bot.interactions.parts import PLAIN, PRIMARY, Layout, card, layout, picture, rows
from bot.tables.table import Table
from engine.texts import Seat, Text
from engine.values import Value

MAX_IN_LINE = 4
"""Buttons of a board that fit in a line of a phone."""

NO_PICTURE = Text("-# Discord didn’t accept the picture. `/game board` shows it.")


class Body(Value):
    """The texts of a board message, stored with its row so that a later edit can remove its controls.

    A board without a `filename` was posted as text. The `first` board of a match mentions all players. The `mark` is
    unique within the match, and is in the id of one of the controls. A board that answers a command has an undo button
    (`undo`: the version of the match); otherwise that button is in the private answer. Once the match has a story, its
    last board has a `teaser` and a button that opens it. The final board of a `league` (by its id) has its standings.
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
    teaser: str = ""
    league: int = 0

    def stored(self) -> dict[str, Any]:
        """The texts as JSON."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def of(cls, stored: dict[str, Any]) -> Body:
        """From JSON."""
        # JSON has no tuples
        return cls(**stored | {"due": tuple(stored["due"])})


def board_layout(table: Table, body: Body, *, controls: bool) -> Layout:
    """The message of a finished turn: heading, picture, events, next decisions, controls."""
    items: list[discord.ui.Item[Any]] = [TextDisplay(f"### {body.heading}")]
    items.append(picture(body.filename, body.alt) if body.filename else TextDisplay(table.say(NO_PICTURE)))
    if body.story:
        items.append(TextDisplay(body.story))
    if controls:
        items.append(TextDisplay("\n".join(filter(None, (body.due_text, body.teaser)))))
        items += _rows(_board_controls(table, body))
    return layout(card(*items))


def _rows(controls: Sequence[Control]) -> list[ActionRow[Any]]:
    """The controls in a line of a phone, or evenly in two."""
    count = len(controls) if len(controls) <= MAX_IN_LINE else ceil(len(controls) / 2)
    return rows(controls[:count]) + rows(controls[count:])


@declare_at_table("turn")
def your_move() -> None:
    """*Your move*: the turn of the user, in any position."""


@declare_at_table("text")
def as_text(mark: str = "") -> None:
    """*As text*: the position in words. A board is known by the mark."""


@declare_at_table("undo")
def undo(version: InVersion[int] = 0) -> None:
    """*Undo*: take back the last move as of a version."""


@declare_at_table("luck")
def luck() -> None:
    """*Luck*: the commitment to the luck of a match, and its proof."""


@declare_at_table("log")
def log(page: int | None = None) -> None:
    """*Log*: a page of the log, by default the last one."""


@declare_at_table("hand")
def hand() -> None:
    """*My hand*."""


@declare_at_table("replay")
def replay(span: str = "") -> None:
    """*Replay*: an animation of some moves."""


@declare_at_table("story")
def story(page: int = 0) -> None:
    """*Story*: a page of the story of a match."""


@declare_at_table("rematch")
def rematch() -> None:
    """*Rematch*: a table for the same people."""


@declare_anywhere("leaguetable")
def standings(league_id: InVersion[int], mark: str = "") -> None:
    """*Standings* of a league; by the mark, the bot finds the message of the button again."""


@declare_anywhere("rules")
def rules(match_id: InMatch[int], place: str = "", number: InVersion[int] = 0) -> None:
    """*Rules*, at a place in them. The number tells two menus of a message apart."""


def your_move_button(table: Table, style: discord.ButtonStyle = PRIMARY) -> Control:
    """The button for one's own turn."""
    return your_move.button(table, Text("Your move"), style)


def marked_control(table: Table, mark: str) -> Control:
    """The control by which a board is known."""
    return as_text.button(table, Text("As text"), mark=mark)


def standings_button(league_id: int, mark: str = "", style: discord.ButtonStyle = PLAIN) -> Control:
    """*Standings* of a league."""
    return standings.button(Text("Standings"), style, league_id=league_id, mark=mark)


def next_control(table: Table, league_id: int) -> Control:
    """The first button below a finished game: *Rematch*, or the standings of its league, which plans all games.

    `league_id` is 0 for a game without a league.
    """
    if league_id:
        return standings_button(league_id, style=PRIMARY)
    return rematch.button(table, Text("Rematch"), PRIMARY)


def _board_controls(table: Table, body: Body) -> list[Control]:
    # no seat must decide, so the game is over
    if not body.due:
        return [
            next_control(table, body.league),
            *([story.button(table, Text("Story"))] if body.teaser else []),
            log.button(table, Text("Log")),
            marked_control(table, body.mark),
            replay.button(table, Text("Replay")),
            luck.button(table, Text("Luck")),
        ]
    undo_button = [undo.button(table, Text("Undo"), version=body.undo)] if body.undo else []
    hand_button = [hand.button(table, Text("My hand"))] if table.spec.hands else []
    # colored only while a person is due
    waits = any(not table.computer_of(Seat(seat)) for seat in body.due)
    return [
        your_move_button(table, PRIMARY if waits else PLAIN),
        *hand_button,
        log.button(table, Text("Log")),
        marked_control(table, body.mark),
        rules.button(Text("Rules"), match_id=table.id),
        *undo_button,
    ]

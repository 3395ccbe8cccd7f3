"""The board in the channel: one message per finished turn (Components V2)."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import discord
from discord.ui import TextDisplay

from bot.interactions.controls import Control
from bot.interactions.kinds import InMatch, InVersion, declare_anywhere, declare_at_table
from bot.interactions.parts import PLAIN, PRIMARY, Layout, card, layout, picture, row
from bot.interactions.phone import BOARD_GAP, BOARD_TEXT, CARD_WIDTH, LINE_HEIGHT, text_height
from bot.tables.table import Table
from engine.texts import Seat, Text
from engine.values import Value

NO_PICTURE = Text("-# Discord didn’t accept the picture. `/game board` shows it.")


class Body(Value):
    """The texts of a board message, stored with its row so that a later edit can remove its controls.

    A board without a `filename` was posted as text. The `first` board of a match mentions all players. The `mark` is
    unique within the match, and is in the id of one of the controls. Once the match has a story (`has_story`), its last
    board has a button that opens it. The final board of a `league` (by its id) has its standings.
    """

    heading: str
    filename: str
    alt: str
    story: str
    due: tuple[int, ...]
    due_text: str
    first: bool = False
    mark: str = ""
    has_story: bool = False
    league: int = 0

    def stored(self) -> dict[str, Any]:
        """The texts as JSON."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def of(cls, stored: dict[str, Any]) -> Body:
        """From JSON."""
        # the boards of older versions have fields that are no longer read
        values = {field.name: stored[field.name] for field in fields(cls) if field.name in stored}
        # JSON has no tuples
        return cls(**values | {"due": tuple(stored["due"])})


def board_layout(table: Table, body: Body, *, controls: bool) -> Layout:
    """The message of a finished turn: picture, events, next decisions, controls. The picture has the title."""
    items: list[discord.ui.Item[Any]] = [picture(body.filename, body.alt)] if body.filename else []
    if not body.filename:
        items.append(TextDisplay(f"### {body.heading}\n{table.say(NO_PICTURE)}"))
    if body.story:
        items.append(TextDisplay(body.story))
    if controls:
        items.append(TextDisplay(body.due_text))
        items.append(row(*_board_controls(table, body)))
    return layout(card(*items))


def room_for_events(due_text: str) -> int:
    """The lines of events that a phone shows between a picture and these next decisions."""
    return max(0, (BOARD_TEXT - BOARD_GAP - text_height(due_text, CARD_WIDTH)) // LINE_HEIGHT)


@declare_at_table("turn")
def your_move() -> None:
    """*Your move*: the turn of the user, in any position."""


@declare_at_table("boardmore")
def more(mark: str = "") -> None:
    """*More*: the other actions on a board, which is known by the mark."""


@declare_at_table("text")
def as_text(mark: str = "") -> None:
    """*As text*: the position in words. The mark is in the ids of boards of older versions."""


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
    return more.button(table, Text("More"), mark=mark)


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
    """A line of buttons on a phone; the rarer ones are behind *More*."""
    further = marked_control(table, body.mark)
    # no seat must decide, so the game is over
    if not body.due:
        story_button = [story.button(table, Text("Story"))] if body.has_story else []
        return [next_control(table, body.league), *story_button, further]
    hand_button = [hand.button(table, Text("My hand"))] if table.spec.hands else []
    # colored only while a person is due
    waits = any(not table.computer_of(Seat(seat)) for seat in body.due)
    return [your_move_button(table, PRIMARY if waits else PLAIN), *hand_button, further]

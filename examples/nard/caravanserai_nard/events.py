"""The events of Nard. All are public."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from caravanserai_nard.board import OFF, Place
from engine.core import Event
from engine.texts import Seat, Text


class Way(StrEnum):
    """How a game was won (rule 7), and so why a match ended."""

    SINGLE = "single"
    GAMMON = "gammon"
    BACKGAMMON = "backgammon"
    DROP = "drop"

    @property
    def factor(self) -> int:
        """How many times the stake the game counts (rule 7.2)."""
        return _FACTORS.get(self, 1)

    @property
    def label(self) -> Text:
        """The way as a sentence."""
        return _SENTENCES[self]


_FACTORS = {Way.GAMMON: 2, Way.BACKGAMMON: 3}
_SENTENCES = {
    Way.SINGLE: Text("All fifteen checkers are borne off."),
    Way.GAMMON: Text("A gammon: the loser has not borne off a checker."),
    Way.BACKGAMMON: Text("A backgammon: the loser is still on the bar or in the winner’s home."),
    Way.DROP: Text("The double was dropped."),
}


class Hop(NamedTuple):
    """The way of a checker by one die."""

    origin: Place
    target: Place
    hits: bool = False

    @property
    def label(self) -> Text:
        """The way in words: `24 to 18 with a hit`, `3 off`."""
        if self.target == OFF:
            return Text("{origin} off", origin=self.origin)
        way = "{origin} to {target} with a hit" if self.hits else "{origin} to {target}"
        return Text(way, origin=self.origin, target=self.target)


class GameBegan(Event):
    """A game of a longer match begins."""

    template = "Game {number} begins, with the score at {red} to {blue}."

    number: int
    red: int
    blue: int


class Crawford(Event):
    """The game that begins is the only one without the cube (rule 8.5)."""

    template = "{seat} {seat:is|are} one point from the match: nobody may double in this game."

    seat: Seat


class Started(Event):
    """The first roll of a game decided who begins with both dice (rule 3.1)."""

    template = "{seat} {seat:wins|win} the first roll and {seat:begins|begin} with {high} and {low}."
    brief = "begins with {high} and {low}"

    seat: Seat
    high: int
    low: int


class Rolled(Event):
    template = "{seat} {seat:rolls|roll} {high} and {low}."
    brief = "rolls {high} and {low}"

    seat: Seat
    high: int
    low: int


class RolledDouble(Event):
    template = "{seat} {seat:rolls|roll} a double {die} and {seat:plays|play} it four times."
    brief = "rolls a double {die}"

    seat: Seat
    die: int


class Played(Event):
    """One or more checkers moved, each by one die."""

    template = "{seat} {seat:plays|play} {hops}."
    brief = "{hops}"

    seat: Seat
    hops: tuple[Hop, ...]

    def and_then(self, after: Event) -> Event | None:
        """The moves of one player in a row are one event."""
        if not isinstance(after, Played) or after.seat != self.seat:
            return None
        return Played(self.seat, self.hops + after.hops)


class Blocked(Event):
    """A player cannot use any of the dice that are left."""

    template = "{seat} {seat:has|have} no move with {dice}."
    brief = "no move with {dice}"

    seat: Seat
    dice: tuple[int, ...]


class Doubled(Event):
    template = "{seat} {seat:offers|offer} to double the stake to {stake}."
    brief = "doubles to {stake}"

    seat: Seat
    stake: int


class Took(Event):
    template = "{seat} {seat:takes|take} the double and {seat:owns|own} the cube at {stake}."
    brief = "takes the double"

    seat: Seat
    stake: int


class Dropped(Event):
    template = "{seat} {seat:drops|drop} the double."
    brief = "drops the double"

    seat: Seat


class Won(Event):
    template = "{seat} {seat:wins|win} the game for {points} {points:point|points}. {way}"
    brief = "wins {points} {points:point|points}"

    seat: Seat
    way: Way
    points: int

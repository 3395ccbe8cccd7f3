"""The actions of Jinns of the Lake, one class for each verb."""

from __future__ import annotations

from enum import StrEnum

from engine.core import Action, describe
from engine.games.jinns.pawns import Color, Pawn
from engine.games.jinns.ring import Square
from engine.texts import Text


class Keep(StrEnum):
    """The choice about a tower that partners may share (rule 5)."""

    LEAVE = "leave"
    TAKE3 = "take3"
    HIGH = "high"
    LOW = "low"

    @property
    def label(self) -> str:
        """The choice in words."""
        return _KEEPS[self]

    @property
    def shown(self) -> str:
        """The choice as people type it: a word of its label."""
        return str(_TYPED[self])


_KEEPS = {
    Keep.LEAVE: "and leave the tower",
    Keep.TAKE3: "and take the tower",
    Keep.HIGH: "and keep the upper two",
    Keep.LOW: "and keep the lower two",
}
_TYPED = {Keep.LEAVE: Text("leave"), Keep.TAKE3: Text("take"), Keep.HIGH: Text("upper"), Keep.LOW: Text("lower")}


class Strength(StrEnum):
    """The strength of the pawn for the next square, or a random rest of the block (rule 3.1)."""

    ONE = "1"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    REST = "rest"

    @property
    def label(self) -> str:
        """The strength in words."""
        return _STRENGTHS[self]

    @property
    def shown(self) -> str:
        """The strength as people type it: its number, or a word for the rest."""
        return str(Text("rest")) if self is Strength.REST else self.value

    @property
    def number(self) -> int:
        """The strength 1 to 4. Raises `ValueError` for `REST`."""
        return int(self)


_STRENGTHS = {
    Strength.ONE: "Strength 1",
    Strength.TWO: "Strength 2",
    Strength.THREE: "Strength 3",
    Strength.FOUR: "Strength 4",
    Strength.REST: "Fill the rest at random",
}


class Place(Action):
    """Place a pawn of this strength on the next square, or let luck place the rest of them."""

    label = "{strength}"

    strength: Strength = describe(
        "the pawn, by its strength 1 to 4, or “rest”: the rest of this round is placed at random", "Which pawn?"
    )


class Choose(Action):
    """Choose a color that has no owner yet."""

    label = "Play {color}"

    color: Color = describe("the color you play, by its letter", "Which color?")


class Move(Action):
    """Move the top pawn of a pile, and pawns below it if you like."""

    label = "{square}: {take} → {to} {keep}"

    square: Square = describe("the pile that moves, by its square 0 to 31", "Which pile?")
    take: int = describe("how many pawns go, counted from the top", "How many pawns?")
    to: Square = describe("the pile they land on, by its square", "Where to?")
    keep: Keep | None = describe(
        "the shared tower: “leave” or “take” a tower of three; “upper” or “lower” half of four", "What about the tower?"
    )


class Lay(Action):
    """The pawn that luck lays on the next square."""

    label = "{pawn}"

    pawn: Pawn = describe("color and strength, such as Y3")

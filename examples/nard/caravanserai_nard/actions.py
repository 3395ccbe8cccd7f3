"""The actions of Nard, one class for each verb."""

from __future__ import annotations

from caravanserai_nard.board import Place
from engine.core import Action, describe


class Move(Action):
    """Move one checker by one of the dice, enter it from the bar, or bear it off."""

    label = "{origin} to {target}"

    origin: Place = describe("the point that the checker leaves, 1 to 24, or “bar”")
    target: Place = describe("the point that it comes to, 1 to 24, or “off”")


class Roll(Action):
    """Roll the dice and leave the stake as it is."""

    label = "Roll the dice"


class Double(Action):
    """Offer to double the stake before you roll."""

    label = "Offer a double"


class Take(Action):
    """Take the double: play on for twice the stake, with the cube on your side."""

    label = "Take the double"


class Drop(Action):
    """Drop the double: lose this game at the stake as it was."""

    label = "Drop and lose this game"


class Start(Action):
    """The first roll of a game: a die for each player, never equal."""

    red: int
    blue: int


class Throw(Action):
    """A roll of two dice, the higher one first."""

    high: int
    low: int

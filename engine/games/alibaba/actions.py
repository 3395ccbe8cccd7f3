"""The actions of the cave game, one class for each verb."""

from __future__ import annotations

from engine.core import Action, describe
from engine.town.data import Thief


class Steal(Action):
    """Steal treasure from the cave: the longer it stays in danger, the more you get."""

    label = "Steal {turns}"

    turns: int = describe(
        "for how many turns after this one it stays in danger, 0 to 12; 0 steals nothing", "How much, and for how long?"
    )


class Extend(Action):
    """Add more turns to your stake in the cave, and the money for them."""

    label = "Extend {turns}"

    turns: int = describe("how many turns you add, 0 to 12; 0 leaves the stake as it is", "How much more?")


class TurnUp(Action):
    """Say how many thieves are turned up here."""

    cards: int = describe("how many thieves turn up from each deck shown, or from the first one", "How many thieves?")
    second: int | None = describe(
        "how many turn up from the second deck, if each deck has its own number", "How many from the second deck?"
    )


class Claim(Action):
    """Keep a thief that was turned up: its type never catches you again."""

    label = "Claim {thief}"

    thief: Thief = describe("the thief you keep, such as R2", "Which thief?")


class Decline(Action):
    """Say no: claim no thief."""

    label = "No thief"


# --- Luck ------------------------------------------------------------------------------------------------------------


class Roll(Action):
    """Roll both dice."""

    black: int
    white: int

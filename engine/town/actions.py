"""The actions that both games in the town share, for seats and for CHANCE."""

from __future__ import annotations

from engine.core import Action, describe
from engine.town.data import Gang, Thief
from engine.town.track import Route


class Play(Action):
    """Play a movement card: the camel walks that many steps."""

    card: int = describe("the card you play, 1 to 5", "Which card?")
    route: Route | None = describe("the route at the fork: a along the lap, b by the side street", "Which route?")


class Take(Action):
    """Take the top card of a stack."""

    label = "Take from {gang}"

    gang: Gang = describe("the color: yellow, green, blue or red", "Which color?")


class Stop(Action):
    """Take no card, or no more."""

    label = "Take none"


# --- Chance ----------------------------------------------------------------------------------------------------------


class Deal(Action):
    """Deal movement cards until all hands are full, the first seat first."""

    cards: tuple[int, ...]


class Appear(Action):
    """Turn up the top card of a deck."""

    label = "{thief}"

    thief: Thief

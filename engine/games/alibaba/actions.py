"""Everything somebody can do, one small class per verb, and everything luck does."""

from __future__ import annotations

from dataclasses import dataclass

from engine import Action, Seat, describe
from engine.games.alibaba.data import Gang, Thief
from engine.games.alibaba.track import Route

# --- Both modes ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Play(Action):
    """Play a movement card: the one camel walks as many steps."""

    card: int = describe("value of a card in your hand, 1 to 5")
    route: Route | None = describe("a or b, when the walk ends inside a fork")


@dataclass(frozen=True, slots=True)
class Take(Action):
    """Take the top card of a stack."""

    label = "Take from {gang}"

    gang: Gang = describe("yellow, green, blue or red")


@dataclass(frozen=True, slots=True)
class Stop(Action):
    """Take no card, or no more."""

    label = "Take none"


@dataclass(frozen=True, slots=True)
class Decline(Action):
    """Say no: claim no thief, or buy no bandit."""

    label = "No, thank you"


# --- The cave --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Steal(Action):
    """Steal treasure from the cave: the longer it stays in danger, the more it is."""

    label = "Steal {turns}"

    turns: int = describe("how many turns after this one it stays in danger; 0 steals nothing")


@dataclass(frozen=True, slots=True)
class Extend(Action):
    """Add more turns to your stake in the cave, and the money for them."""

    label = "Extend {turns}"

    turns: int = describe("how many more turns; 0 lets it lie as it is")


@dataclass(frozen=True, slots=True)
class TurnUp(Action):
    """Say how many thieves are turned up here."""

    cards: int = describe("how many from each deck shown, or from the first one")
    second: int | None = describe("how many from the second deck, if numbers are chosen for each")


@dataclass(frozen=True, slots=True)
class Claim(Action):
    """Keep a thief that was turned up: its type never catches you again."""

    label = "Claim {thief}"

    thief: Thief = describe("one of the thieves lying there, such as R2")


# --- Gangs -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Return(Action):
    """Bring a bandit in danger back to its stack for 20 piastres."""

    label = "Return {thief}"

    thief: Thief = describe("a bandit of yours in danger, such as R2")


@dataclass(frozen=True, slots=True)
class Done(Action):
    """Return no bandit, or no more; those in danger take their chance."""

    label = "Risk it"


@dataclass(frozen=True, slots=True)
class Offer(Action):
    """Offer a bandit in danger to somebody."""

    label = "Offer {thief}"

    thief: Thief = describe("a bandit of yours in danger, such as R2")


@dataclass(frozen=True, slots=True)
class To(Action):
    """Say who gets your offer."""

    label = "To {seat}"

    seat: Seat = describe("another player")


@dataclass(frozen=True, slots=True)
class Price(Action):
    """Name the price of your offer; below zero you pay."""

    label = "For {piastres}"

    piastres: int = describe("in tens, from -1000 to 1000")


@dataclass(frozen=True, slots=True)
class Accept(Action):
    """Take the bandit that is offered to you."""

    label = "Yes, agreed"


@dataclass(frozen=True, slots=True)
class Sell(Action):
    """Sell a bandit to the bank before you move."""

    label = "Sell {thief}"

    thief: Thief = describe("a bandit of yours, such as R2")


# --- Luck ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Deal(Action):
    """Deal movement cards until all hands are full, the first seat first."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Appear(Action):
    """Turn up the top card of a deck."""

    thief: Thief


@dataclass(frozen=True, slots=True)
class Roll(Action):
    """Roll both dice."""

    black: int
    white: int


@dataclass(frozen=True, slots=True)
class Black(Action):
    """Roll the black die."""

    pips: int


@dataclass(frozen=True, slots=True)
class White(Action):
    """Roll the white die."""

    pips: int

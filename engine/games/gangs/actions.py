"""The actions of the gangs game, one class for each verb, and the dice that fall one after the other."""

from __future__ import annotations

from engine.core import Action, describe
from engine.texts import Seat
from engine.town.data import Thief


class Return(Action):
    """Bring a bandit in danger back to its stack for 20 piastres."""

    label = "Return {bandit}"

    bandit: Thief = describe("the bandit you return, such as R2", "Which bandit?")


class Done(Action):
    """Return no bandit, or no more; those in danger take their chances."""

    label = "Risk it"


class Offer(Action):
    """Offer a bandit in danger to another player."""

    label = "Offer {bandit}"

    bandit: Thief = describe("the bandit you offer, such as R2", "Which bandit?")


class To(Action):
    """Say who gets your offer."""

    label = "To {seat}"

    seat: Seat = describe("who gets your offer", "Who gets your offer?")


class Price(Action):
    """Name a price for the bandit; if it is negative, the owner pays."""

    label = "For {piastres}"

    piastres: int = describe(
        "the price in tens, from -1000 to 1000; negative means the owner of the bandit pays", "What price?"
    )


class Accept(Action):
    """Take the bandit that is offered to you."""

    label = "Yes"


class Decline(Action):
    """Say no to an offer."""

    label = "No"


class Counteroffer(Action):
    """Say no to an offer, and name a lower price."""

    label = "Counteroffer"
    talk = True


class Sell(Action):
    """Sell a bandit to the bank before you move."""

    label = "Sell {bandit}"

    bandit: Thief = describe("the bandit you sell, such as R2", "Which bandit?")


# --- Luck ------------------------------------------------------------------------------------------------------------


class Black(Action):
    """Roll the black die."""

    pips: int


class White(Action):
    """Roll the white die."""

    pips: int

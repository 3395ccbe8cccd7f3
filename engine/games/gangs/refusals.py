"""Refusals of the gangs game: the reason why an action is illegal, and its rule."""

from __future__ import annotations

from engine.core import Action, Refusal
from engine.games.gangs.actions import Offer, Return, Sell
from engine.games.gangs.data import MAX_OFFERS, RETURN_FEE
from engine.games.gangs.state import GangsTable
from engine.texts import Seat, Text
from engine.town.actions import Take
from engine.town.data import Thief
from engine.town.events import Money


def sell(state: GangsTable, action: Action) -> Refusal | None:
    """The reason why a bandit cannot be sold."""
    if not isinstance(action, Sell):
        return None
    if not state.setup.options.sell_to_bank:
        return Refusal(Text("At this table the bank does not buy bandits."), "3.9")
    return _not_owned(action.bandit)


def take(state: GangsTable, seat: Seat, action: Action) -> Refusal | None:
    """The reason why a bandit of a gang cannot be taken."""
    if not isinstance(action, Take):
        return None
    if not state.stack(action.gang):
        return Refusal(Text("The {gang} stack is empty.", gang=action.gang), "3.2")
    # The stack has a bandit, so the price must be too high.
    price, purse = Money(state.price(action.gang)), Money(state.purses[seat])
    poor = "A {gang} bandit costs {price} here, and you have {purse}."
    return Refusal(Text(poor, gang=action.gang, price=price, purse=purse), "3.2")


def window(state: GangsTable, seat: Seat, action: Action, may_offer: bool) -> Refusal | None:
    """The reason why a bandit cannot be returned or offered."""
    match action:
        case Return(thief):
            poor = "Returning a bandit costs {fee}, and you have {purse}."
            fee = Text(poor, fee=RETURN_FEE, purse=Money(state.purses[seat]))
            return _not_in_danger(state, seat, thief) or Refusal(fee, "3.4")
        case Offer() if not state.setup.options.trading:
            return Refusal(Text("Bandits are not traded at this table."), "3.8")
        case Offer() if not may_offer:
            late = "Offers come before returns, and there are at most {most} in a window."
            return Refusal(Text(late, most=MAX_OFFERS), "3.8")
        case Offer(thief):
            return _not_in_danger(state, seat, thief)
    return None


def _not_in_danger(state: GangsTable, seat: Seat, thief: Thief) -> Refusal | None:
    danger = state.danger
    assert danger is not None, "there is a window only in danger"
    if thief not in state.bandits[seat]:
        return _not_owned(thief)
    if thief.gang not in danger.gangs:
        not_shown = "Nothing threatens {thief}: no {gang} is shown here."
        return Refusal(Text(not_shown, thief=thief, gang=thief.gang), "3.3")
    if not danger.threatens(thief):
        return Refusal(
            Text("Nothing threatens {thief}: it has no mark in line {line}.", thief=thief, line=danger.black), "3.3"
        )
    return None


def _not_owned(thief: Thief) -> Refusal:
    return Refusal(Text("You have no {thief}.", thief=thief), "3.1")

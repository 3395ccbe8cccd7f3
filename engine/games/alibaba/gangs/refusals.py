"""Why something cannot be done among the gangs: what is in the way, and the section that says so."""

from __future__ import annotations

from engine import Action, Refusal, Seat
from engine.games.alibaba.actions import Claim, Extend, Offer, Return, Sell, Steal, Take, TurnUp
from engine.games.alibaba.data import FINE, FULL_GROUP, MOST_OFFERS, RETURN_FEE, Thief
from engine.games.alibaba.events import money
from engine.games.alibaba.gangs.state import GangsTable, full
from engine.games.alibaba.thieves import NUMBER, VALUE, gang_of


def other(action: Action) -> Refusal | None:
    """A verb of the other mode; `None` for one of this."""
    match action:
        case Steal() | Extend() | TurnUp() | Claim():
            return Refusal(f"“{action.verb}” belongs to the cave; this table plays the game of gangs.", "4")
    return None


def sell(state: GangsTable, seat: Seat, action: Action) -> Refusal | None:
    """Why a bandit cannot be sold."""
    if not isinstance(action, Sell):
        return other(action)
    if not state.setup.options.sell_to_bank:
        return Refusal("The bank of this table buys no bandits.", "4.9")
    return _not_owned(action.thief)


def take(state: GangsTable, seat: Seat, action: Action) -> Refusal | None:
    """Why no bandit of that gang can be taken."""
    if not isinstance(action, Take):
        return other(action)
    if not state.stack(action.gang):
        return Refusal(f"The {action.gang} stack is empty.", "4.2")
    price, purse = state.price(action.gang), money(state.purses[seat])
    return Refusal(f"A {action.gang} bandit costs {price} here, and you have {purse}.", "4.2")


def window(state: GangsTable, seat: Seat, action: Action, may_offer: bool) -> Refusal | None:
    """Why a bandit cannot be brought back or offered."""
    match action:
        case Return(thief):
            return _not_in_danger(state, seat, thief) or _no_fee(state, seat)
        case Offer() if not state.setup.options.trading:
            return Refusal("Bandits are not traded at this table.", "4.8")
        case Offer() if not may_offer:
            sentence = f"Offers come before returns, and there are {MOST_OFFERS} at most in a window."
            return Refusal(sentence, "4.8")
        case Offer(thief):
            return _not_in_danger(state, seat, thief)
    return other(action)


def _not_in_danger(state: GangsTable, seat: Seat, thief: Thief) -> Refusal | None:
    danger, number = state.danger, NUMBER[thief]
    assert danger is not None, "there is a window only in danger"
    if not state.owned[seat][number]:
        return _not_owned(thief)
    if number // 4 not in danger.gangs:
        return Refusal(f"{thief} is not in danger: no {gang_of(thief)} is shown here.", "4.3")
    if not danger.threatens(number):
        return Refusal(f"{thief} is safe: it has no mark in line {danger.black}.", "4.3")
    return None


def _no_fee(state: GangsTable, seat: Seat) -> Refusal:
    return Refusal(f"To bring a bandit back costs {RETURN_FEE}, and you have {money(state.purses[seat])}.", "4.4")


def _not_owned(thief: Thief) -> Refusal:
    return Refusal(f"You have no {thief}.", "4.1")


def at_stake(state: GangsTable, seat: Seat, thief: Thief) -> str:
    """What an arrest would cost: `2 of them, loot 320, fine 960`."""
    number = NUMBER[thief]
    count = state.owned[seat][number]
    fine = FINE * VALUE[number] * count * (FULL_GROUP if full(state.owned[seat], number) else 1)
    return f"{f'{count} of them, ' if count > 1 else ''}loot {fine // FINE}, fine {fine}"

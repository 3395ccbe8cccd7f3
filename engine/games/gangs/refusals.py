"""Why something cannot be done among the gangs: what is in the way, and the section that says so."""

from __future__ import annotations

from engine.core import Action, Refusal
from engine.games.gangs.actions import Offer, Return, Sell
from engine.games.gangs.data import FINE, FULL_GROUP, MOST_OFFERS, RETURN_FEE
from engine.games.gangs.state import GangsTable, full
from engine.texts import Seat
from engine.town.actions import Take
from engine.town.data import Thief
from engine.town.events import money
from engine.town.thieves import NUMBER, VALUE, gang_of


def sell(state: GangsTable, seat: Seat, action: Action) -> Refusal | None:
    """Why a bandit cannot be sold."""
    if not isinstance(action, Sell):
        return None
    if not state.setup.options.sell_to_bank:
        return Refusal("The bank of this table buys no bandits.", "3.9")
    return _not_owned(action.thief)


def take(state: GangsTable, seat: Seat, action: Action) -> Refusal | None:
    """Why no bandit of that gang can be taken."""
    if not isinstance(action, Take):
        return None
    if not state.stack(action.gang):
        return Refusal(f"The {action.gang} stack is empty.", "3.2")
    price, purse = state.price(action.gang), money(state.purses[seat])
    return Refusal(f"A {action.gang} bandit costs {price} here, and you have {purse}.", "3.2")


def window(state: GangsTable, seat: Seat, action: Action, may_offer: bool) -> Refusal | None:
    """Why a bandit cannot be brought back or offered."""
    match action:
        case Return(thief):
            return _not_in_danger(state, seat, thief) or _no_fee(state, seat)
        case Offer() if not state.setup.options.trading:
            return Refusal("Bandits are not traded at this table.", "3.8")
        case Offer() if not may_offer:
            sentence = f"Offers come before returns, and there are {MOST_OFFERS} at most in a window."
            return Refusal(sentence, "3.8")
        case Offer(thief):
            return _not_in_danger(state, seat, thief)
    return None


def _not_in_danger(state: GangsTable, seat: Seat, thief: Thief) -> Refusal | None:
    danger, number = state.danger, NUMBER[thief]
    assert danger is not None, "there is a window only in danger"
    if not state.owned[seat][number]:
        return _not_owned(thief)
    if number // 4 not in danger.gangs:
        return Refusal(f"{thief} is not in danger: no {gang_of(thief)} is shown here.", "3.3")
    if not danger.threatens(number):
        return Refusal(f"{thief} is safe: it has no mark in line {danger.black}.", "3.3")
    return None


def _no_fee(state: GangsTable, seat: Seat) -> Refusal:
    return Refusal(f"To bring a bandit back costs {RETURN_FEE}, and you have {money(state.purses[seat])}.", "3.4")


def _not_owned(thief: Thief) -> Refusal:
    return Refusal(f"You have no {thief}.", "3.1")


def at_stake(state: GangsTable, seat: Seat, thief: Thief) -> str:
    """What an arrest would cost: `2 of them, loot 320, fine 960`."""
    number = NUMBER[thief]
    count = state.owned[seat][number]
    fine = FINE * VALUE[number] * count * (FULL_GROUP if full(state.owned[seat], number) else 1)
    return f"{f'{count} of them, ' if count > 1 else ''}loot {fine // FINE}, fine {fine}"

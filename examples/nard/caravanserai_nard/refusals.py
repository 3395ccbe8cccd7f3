"""Refusals of Nard: the condition that an action violates, and its rule."""

from __future__ import annotations

from caravanserai_nard.actions import Double, Drop, Move, Roll, Take
from caravanserai_nard.board import BAR, HOME, OFF, PLACES, back, counted_by, most_dice, steps
from caravanserai_nard.state import Nard
from caravanserai_nard.words import alternatives
from engine.core import Action, Refusal
from engine.texts import Seat, Text

_ROLLED = Text("You have rolled already; move your checkers now.")
_ROLL_FIRST = Text("Roll the dice first, or offer a double.")
_ANSWER_FIRST = Text("Your rival offers a double; take it or drop it first.")
_NO_DOUBLE = Text("Nobody has offered a double.")
_TO_BAR = Text("Nobody moves a checker to the bar; a hit sends it there.")
_FROM_OFF = Text("A checker that is borne off never comes back.")
_LARGER = Text("Only one of your dice can be played, so you must play the larger one.")


def doubling(action: Action) -> Refusal | None:
    """The reason why an action cannot come before the roll; `None` if it can."""
    match action:
        case Move():
            return Refusal(_ROLL_FIRST, "8.1")
        case Take() | Drop():
            return Refusal(_NO_DOUBLE, "8.2")
    return None


def answering(action: Action) -> Refusal | None:
    """The reason why an action does not answer a double; `None` if it does."""
    return None if isinstance(action, Take | Drop) else Refusal(_ANSWER_FIRST, "8.2")


def moving(state: Nard, seat: Seat, action: Action) -> Refusal | None:
    """The reason why an action is illegal while checkers move."""
    match action:
        case Roll() | Double():
            return Refusal(_ROLLED, "3.2")
        case Take() | Drop():
            return Refusal(_NO_DOUBLE, "8.2")
        case Move():
            # The first violated condition, in the order of the rules.
            return (
                _place(action)
                or _no_checker(state, seat, action)
                or _bar_first(state, seat, action)
                or _bearing_off(state, seat, action)
                or _distance(state, seat, action)
                or _held(state, seat, action)
                or _too_large(state, seat, action)
                or _fewer_dice(state, seat, action)
            )
    return None


def _place(move: Move) -> Refusal | None:
    for place in (move.origin, move.target):
        if not place.exists:
            return Refusal(Text("There is no point {place}; they are numbered 1 to 24.", place=place), "2.3")
    if move.target == BAR:
        return Refusal(_TO_BAR, "5.1")
    return Refusal(_FROM_OFF, "6.1") if move.origin == OFF else None


def _no_checker(state: Nard, seat: Seat, move: Move) -> Refusal | None:
    if state.checkers(seat, move.origin):
        return None
    if move.origin == BAR:
        return Refusal(Text("You have no checker on the bar."), "5.2")
    return Refusal(Text("You have no checker on point {origin}.", origin=move.origin), "4.1")


def _bar_first(state: Nard, seat: Seat, move: Move) -> Refusal | None:
    waiting = state.sides[seat][BAR]
    if not waiting or move.origin == BAR:
        return None
    sentence = "You have {waiting} {waiting:checker|checkers} on the bar, and nothing else may move before."
    return Refusal(Text(sentence, waiting=waiting), "5.2")


def _bearing_off(state: Nard, seat: Seat, move: Move) -> Refusal | None:
    rear = back(state.sides[seat])
    if move.target != OFF or rear <= HOME:
        return None
    if move.origin == BAR:
        return Refusal(Text("A checker on the bar must enter first."), "5.2")
    sentence = "You bear off when all your checkers are home; one is still on point {rear}."
    return Refusal(Text(sentence, rear=PLACES[counted_by(seat, rear)]), "6.1")


def _distance(state: Nard, seat: Seat, move: Move) -> Refusal | None:
    origin, target = counted_by(seat, move.origin), counted_by(seat, move.target)
    pips, dice = origin - target, alternatives(state.dice)
    if pips <= 0:
        sentence = "Your checkers move from {first} toward {last}, so none gets from {origin} to {target}."
        first, last = (PLACES[counted_by(seat, point)] for point in (24, 1))
        return Refusal(Text(sentence, first=first, last=last, origin=move.origin, target=move.target), "2.3")
    if move.target == OFF:
        if pips <= max(state.dice):
            return None
        sentence = "Point {origin} is {pips} pips from the end; your dice are {dice}."
        return Refusal(Text(sentence, origin=move.origin, pips=pips, dice=dice), "6.2")
    if pips in state.dice:
        return None
    sentence = "From {origin} to {target} is {pips} {pips:pip|pips}; one checker moves {dice} at a time."
    return Refusal(Text(sentence, origin=move.origin, target=move.target, pips=pips, dice=dice), "4.1")


def _held(state: Nard, seat: Seat, move: Move) -> Refusal | None:
    rival = Seat(1 - seat)
    number = state.checkers(rival, move.target) if move.target != OFF else 0
    if number < 2:
        return None
    sentence = "{rival} {rival:holds|hold} point {target} with {number} checkers."
    return Refusal(Text(sentence, rival=rival, target=move.target, number=number), "4.3")


def _too_large(state: Nard, seat: Seat, move: Move) -> Refusal | None:
    """A die that is larger than needed for a checker that is not the rearmost one."""
    side, origin = state.sides[seat], counted_by(seat, move.origin)
    rear = back(side)
    if move.target != OFF or origin in state.dice or origin == rear:
        return None
    sentence = "No die shows {pips}, and a larger one bears off only your rearmost checker, which is on {rear}."
    return Refusal(Text(sentence, pips=origin, rear=PLACES[counted_by(seat, rear)]), "6.3")


def _fewer_dice(state: Nard, seat: Seat, move: Move) -> Refusal | None:
    side, blocked = state.sides[seat], state.blocked(seat)
    larger, smaller = max(state.dice), min(state.dice)
    uses_smaller = counted_by(seat, move.origin) - counted_by(seat, move.target) == smaller
    if larger != smaller and uses_smaller and any(steps(side, blocked, larger)):
        after = Text("Then you could not play the {larger}; you must use both dice if you can.", larger=larger)
        return Refusal(after if _both(state, seat) else _LARGER, "4.4" if _both(state, seat) else "4.5")
    return Refusal(Text("Then fewer of your dice could be played; you must use as many as you can."), "4.4")


def _both(state: Nard, seat: Seat) -> bool:
    return most_dice(state.sides[seat], state.blocked(seat), state.dice) > 1

"""The question which movement card is played, the same in both games (rule 2.2), and the deal (rule 2.1)."""

from __future__ import annotations

from functools import lru_cache
from random import Random

from engine.core import Action, Decision, Event, Refusal, only
from engine.texts import CHANCE, Seat, listed
from engine.town.actions import Deal, Play
from engine.town.cards import DECK, UNSEEN, Cards, Hand
from engine.town.data import LAP
from engine.town.events import Dealt, HandsFilled, Walked
from engine.town.state import Town
from engine.town.track import FORK, MAIN, landing, routes

PLAY = {(value, route): Play(value, route) for value in dict.fromkeys(DECK) for route in (None, *routes(7, 1))}
"""Every play there is."""

DEALING = (Decision(CHANCE, "Movement cards are dealt.", ()),)


def plays(hand: Hand, step: int) -> tuple[Play, ...]:
    """What a hand allows from a step on: each value once, with both routes where there is a choice."""
    return _plays(tuple(dict.fromkeys(hand)), step)


@lru_cache(maxsize=2048)
def _plays(values: Hand, step: int) -> tuple[Play, ...]:
    return tuple(PLAY[value, route] for value in values if value != UNSEEN for route in routes(step, value) or (None,))


PROMPT = "Play a movement card; the camel walks as many steps."


def walk_decision(seat: Seat, options: tuple[Action, ...], prompt: str = PROMPT) -> tuple[Decision, ...]:
    """The decision of the seat on turn; its options are its hand, so they are private."""
    return (Decision(seat, prompt, options, private=True),)


def walked(state: Town, seat: Seat, action: Play) -> Walked:
    """What is told of a walk."""
    space = landing(state.total % LAP, state.side, action.card, action.route)
    return Walked(seat, action.card, state.space.name, space.name, space.meaning)


def where(state: Town, action: Play) -> str:
    """Where a play leads, for a gloss: `to 9b (red)`."""
    space = landing(state.step, state.side, action.card, action.route)
    return f"to {space.name} ({space.meaning})"


def refuse_play(state: Town, seat: Seat, action: Play) -> Refusal:
    """Why a card cannot be played like this."""
    hand = state.cards.hands[seat]
    if action.card not in hand:
        held = listed([str(value) for value in dict.fromkeys(hand)])
        return Refusal(f"You have no {action.card} in your hand, only {held}.", "2.2")
    target = (state.step + action.card) % LAP
    if routes(state.step, action.card):
        return Refusal(f"The way forks before {target}: choose route a for {target} or b for {target}b.", "2.3")
    if FORK[target] < 0:
        return Refusal(f"{MAIN[target].name} lies outside the forks; leave the route out.", "2.3")
    return Refusal(f"On {state.space.name} the camel is inside the fork and stays on its route; leave it out.", "2.3")


def shuffled(cards: Cards, rng: Random) -> Deal:
    """The cards to deal in a random order."""
    values = list(cards.to_deal)
    rng.shuffle(values)
    return Deal(tuple(values))


def deal_events(before: Cards, after: Cards) -> tuple[Event, ...]:
    """Everybody hears of the deal, each seat of its own cards."""
    new = after.dealt[-1]
    own = (Dealt(hand, audience=only(Seat(seat))) for seat, hand in enumerate(new) if hand)
    return (HandsFilled(), *own)

"""The decision to play a movement card, which both games share (rules 2.2 and 2.3)."""

from __future__ import annotations

from engine.core import Decision, Refusal
from engine.texts import Seat, Text, joined
from engine.town.actions import Play
from engine.town.cards import DECK, UNSEEN, Hand
from engine.town.data import LAP
from engine.town.state import Town
from engine.town.track import FORK, Route, Space, landing, routes

PLAY = {(card, route): Play(card, route) for card in dict.fromkeys(DECK) for route in (None, *Route)}
"""All possible plays."""

PROMPT = Text("Play a movement card.")

INSIDE_FORK = {
    Route.MAIN: "On {step} the camel is inside the fork and stays on its route; leave the route out.",
    Route.SIDE: "On {step}b the camel is inside the fork and stays on its route; leave the route out.",
}


def plays(hand: Hand, step: int) -> tuple[Play, ...]:
    """The plays of a hand from a step: each value once, with both routes if there is a choice."""
    # A hidden hand is all zeros and allows no plays.
    values = [card for card in dict.fromkeys(hand) if card != UNSEEN]
    # The route is left out unless there is a choice (rule 2.3).
    return tuple([PLAY[card, route] for card in values for route in routes(step, card) or (None,)])


def walk_decision(state: Town) -> tuple[Decision, ...]:
    """The decision of the seat on turn. It is private, since its options reveal the hand."""
    seat = state.on_turn
    return (Decision(seat, PROMPT, plays(state.cards.hands[seat], state.step), private=True),)


def destination(state: Town, play: Play) -> Space:
    """The destination of a play."""
    return landing(state.space, play.card, play.route)


def play_name(state: Town, play: Play, field: str) -> Text:
    """A play named by its destination: `3 steps to 9b (red)`; a card by all of its destinations, a route by one."""
    if field == "card":
        ways = routes(state.step, play.card) or (None,)
        spaces = tuple(landing(state.space, play.card, way) for way in ways)
        return Text("{card}, to {spaces}", card=play.card, spaces=joined([Text("{s}", s=s) for s in spaces], " / "))
    space = destination(state, play)
    if field:
        return Text("to {space}", space=space)
    return Text("{card} {card:step|steps} to {space}", card=play.card, space=space)


def stop_advice(state: Town) -> Text:
    """The cards in the hand with which the camel can stop on jewels, and those with which it can avoid them."""
    on, off = [], []
    for card in dict.fromkeys(state.cards.hands[state.on_turn]):
        spaces = [landing(state.space, card, way) for way in routes(state.step, card) or (None,)]
        on += [card] if any(space.jewels for space in spaces) else []
        off += [card] if not all(space.jewels for space in spaces) else []
    if on and off:
        both = "With {on} {n:step|steps} the camel can stop on jewels, with {off} it can avoid them."
        return Text(both, on=tuple(on), n=on[-1], off=tuple(off))
    return Text("All of your cards lead to jewels.") if on else Text("None of your cards leads to jewels.")


def refuse_play(state: Town, seat: Seat, play: Play) -> Refusal:
    """The reason why a play is illegal."""
    hand, target = state.cards.hands[seat], (state.step + play.card) % LAP
    if play.card not in hand:
        held = tuple(dict.fromkeys(hand))
        return Refusal(Text("You have no {card} in your hand, only {held}.", card=play.card, held=held), "2.2")
    if routes(state.step, play.card):
        choose = "The road forks before {step}: choose route a for {step} or b for {step}b."
        return Refusal(Text(choose, step=target), "2.3")
    # The card is in the hand and the route is fixed, so the play must have named one.
    if FORK[target] is None:
        return Refusal(Text("{step} lies outside the forks; leave the route out.", step=target), "2.3")
    return Refusal(Text(INSIDE_FORK[state.route], step=state.step), "2.3")

"""The draws of both games: dealing movement cards (rule 2.1), and turning up a card of a deck."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import chain, repeat
from random import Random
from typing import TypeVar

from engine.core import Action, Decision, Event, Frame
from engine.texts import CHANCE, Seat, Text
from engine.town.actions import Appear, Deal
from engine.town.builder import T, deal_events
from engine.town.cards import Cards
from engine.town.data import Gang
from engine.town.state import Town
from engine.town.thieves import THIEVES

A = TypeVar("A", bound=Action)

DEALING = (Decision(CHANCE, Text("Movement cards are dealt."), ()),)
"""A decision without options, since there are too many deals to list."""


def deal_odds(cards: Cards) -> Text:
    """The cards of the next deal: `11 cards are dealt: 1 ×6, 2 ×3 and 4 ×2`."""
    counts = Counter(cards.to_deal)
    kinds = tuple(Text("{value} ×{number}", value=value, number=number) for value, number in sorted(counts.items()))
    return Text("{cards} cards are dealt: {kinds}", cards=counts.total(), kinds=kinds)


def random_deal(cards: Cards, rng: Random) -> Deal:
    """A uniformly random deal."""
    values = list(cards.to_deal)
    rng.shuffle(values)
    return Deal(tuple(values))


class DealAll(Frame[T, Deal]):
    """Deal all movement cards before the game or a lap, then go on with the question below."""

    def decisions(self, state: T) -> tuple[Decision, ...]:
        """A CHANCE decision without listed options."""
        return DEALING

    def sample(self, state: T, rng: Random) -> Deal:
        """Draw a deal."""
        return random_deal(state.cards, rng)

    def odds(self, state: T) -> Text:
        """The cards of the next deal."""
        return deal_odds(state.cards)

    def resolve(self, state: T, seat: Seat, action: Deal) -> tuple[T, tuple[Event, ...]]:
        """Fill the hands."""
        cards = state.cards.deal(action.cards)
        # Both games share this frame, so it cannot use the builder of either.
        return replace(state, frames=state.frames[:-1], cards=cards), tuple(deal_events(cards))


# --- Cards of a deck -------------------------------------------------------------------------------------------------

_TURN_UP = Text("The top card is turned up.")

APPEAR = {gang: tuple(Appear(thief) for thief in THIEVES if thief.gang is gang) for gang in Gang}
"""Gang -> the outcomes of a draw from its deck, group by group."""


class TopCard(Frame[T, A]):
    """Turn up the top card of a gang's deck. Subclasses name a state and `Appear`, and implement `resolve`."""

    gang: Gang

    def decisions(self, state: T) -> tuple[Decision, ...]:
        """The types in the deck, weighted by their number of cards."""
        deck = state.decks[self.gang.place]
        options = tuple([appear for appear, cards in zip(APPEAR[self.gang], deck, strict=True) if cards])
        weights = tuple([cards for cards in deck if cards])
        return (Decision(CHANCE, _TURN_UP, options, weights=weights),)

    def sample(self, state: T, rng: Random) -> Action:
        """Draw a card of the deck, all of which are equally likely."""
        cards = chain.from_iterable(map(repeat, APPEAR[self.gang], state.decks[self.gang.place]))
        return rng.choice(tuple(cards))

    def odds(self, state: T) -> Text:
        """The number of cards of each group in the deck."""
        return cards_left(state, self.gang)


def cards_left(state: Town, gang: Gang) -> Text:
    """The contents of a deck, whose order is unknown: `15 red cards: 4 of type 1, 3 of type 2, ...`."""
    deck = state.decks[gang.place]
    if not any(deck):
        return Text("{all} {gang} {all:card|cards}", all=0, gang=gang)
    if len(set(deck)) == 1:
        return Text("{all} {gang} {all:card|cards}, {cards} of each type", all=sum(deck), gang=gang, cards=deck[0])
    groups = tuple(
        Text("{cards} of type {group}", cards=cards, group=appear.thief.group)
        for appear, cards in zip(APPEAR[gang], deck, strict=True)
        if cards
    )
    return Text("{all} {gang} {all:card|cards}: {kinds}", all=sum(deck), gang=gang, kinds=groups)

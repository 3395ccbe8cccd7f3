"""A position of the cave while one ply changes it: the only mutable thing, and it never leaves the ply."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.core import Event, Frame
from engine.games.alibaba.events import CameHome, Ended, EndReason, LeftBehind, Reshuffled
from engine.games.alibaba.state import Cave
from engine.texts import Seat
from engine.town.actions import Play
from engine.town.data import LAP, WALK
from engine.town.events import Money
from engine.town.state import put
from engine.town.thieves import EMPTY_DECK, GANGS, Deck, with_card, without
from engine.town.track import Space, space_at
from engine.town.walk import walked

Result = tuple[Cave, tuple[Event, ...]]
"""What the answer to a question returns."""


class Draft:
    """What a ply has changed so far, and the events it has caused."""

    __slots__ = (
        "cards",
        "claimed",
        "decks",
        "dues",
        "encounter",
        "ended",
        "events",
        "first",
        "fresh",
        "piles",
        "purses",
        "setup",
        "side",
        "stakes",
        "total",
        "turn",
    )

    def __init__(self, state: Cave) -> None:
        """Start from a position. `first` is the question that opens a turn; it lies below all others."""
        self.first = state.frames[:1]
        self.setup = state.setup
        self.turn = state.turn
        self.total = state.total
        self.side = state.side
        self.cards = state.cards
        self.purses = state.purses
        self.ended = state.ended
        self.stakes = state.stakes
        self.dues = state.dues
        self.claimed = state.claimed
        self.decks = state.decks
        self.piles = state.piles
        self.encounter = state.encounter
        self.fresh = state.fresh
        self.events: list[Event] = []

    def asking(self, *questions: Frame[Cave, Any]) -> Result:
        """The position with its next question, and what happened."""
        state = Cave(
            () if self.ended else self.first + questions,
            self.setup,
            self.turn,
            self.total,
            self.side,
            self.cards,
            self.purses,
            self.ended,
            self.stakes,
            self.dues,
            self.claimed,
            self.decks,
            self.piles,
            self.encounter,
            self.fresh,
        )
        return state, tuple(self.events)

    # --- the figure ---

    def walk(self, state: Cave, seat: Seat, action: Play) -> Space:
        """Play a card and move the figure; the thieves of the last turn are forgotten."""
        told = walked(state, seat, action)
        self.cards = self.cards.play(seat, action.card)
        self.total += action.card
        self.side = told.space.endswith("b")
        self.encounter = None
        self.events.append(told)
        return self.space

    @property
    def space(self) -> Space:
        """Where the figure stands."""
        return space_at(self.total % LAP, self.side)

    # --- money ---

    def pay(self, seat: Seat, amount: int) -> None:
        """Into a purse, or out of it below zero."""
        self.purses = put(self.purses, seat, self.purses[seat] + amount)

    def stake(self, seat: Seat, amount: int, due: int) -> None:
        """Put a stake into the cave, or a greater one in its place."""
        self.stakes = put(self.stakes, seat, amount)
        self.dues = (*self.dues[:seat], due, *self.dues[seat + 1 :])
        self.fresh = True

    def clear_stake(self, seat: Seat) -> None:
        """Out of the cave, whoever gets the money."""
        self.stakes = put(self.stakes, seat, 0)
        self.dues = (*self.dues[:seat], None, *self.dues[seat + 1 :])

    # --- thieves ---

    def refill(self, gang: int) -> bool:
        """Make sure that a deck has a card, from its discards if need be (rule 3.5). False if there is none at all."""
        if not any(self.decks[gang]):
            if not any(self.piles[gang]):
                return False
            self.decks = _put_deck(self.decks, gang, self.piles[gang])
            self.piles = _put_deck(self.piles, gang, EMPTY_DECK)
            self.events.append(Reshuffled(GANGS[gang]))
        return True

    def draw(self, number: int) -> None:
        """Take a card of a type off its deck."""
        gang, group = divmod(number, 4)
        self.decks = _put_deck(self.decks, gang, without(self.decks[gang], group))

    def discard(self, number: int) -> None:
        """Lay a card of a type on the discards of its gang."""
        gang, group = divmod(number, 4)
        self.piles = _put_deck(self.piles, gang, with_card(self.piles[gang], group))

    def claim(self, seat: Seat, number: int) -> None:
        """A card of a type stays with a seat for good."""
        self.claimed = put(self.claimed, seat, self.claimed[seat] | 1 << number)

    # --- the end of a turn ---

    def next_turn(self) -> Result:
        """Discard the thieves, pay out what is safe, and pass the turn on or end the game (rules 3.5 to 3.9)."""
        if self.encounter:
            for number in self.encounter.lying:
                self.discard(number)
            self.encounter = replace(self.encounter, gone=True)
        if self.turn in self.dues:
            self._pay_out()
        self.fresh = False
        self.turn += 1
        if self.total >= WALK:
            self._end()
        return self.asking()

    def _pay_out(self) -> None:
        for number, due in enumerate(self.dues):
            if due == self.turn:
                seat, amount = Seat(number), self.stakes[number]
                self.pay(seat, amount)
                self.clear_stake(seat)
                self.events.append(CameHome(seat, Money(amount)))

    def _end(self) -> None:
        for number, due in enumerate(self.dues):
            if due is not None:
                seat = Seat(number)
                self.events.append(LeftBehind(seat, Money(self.stakes[seat])))
                self.clear_stake(seat)
        self.ended = EndReason.HOME
        self.events.append(Ended(EndReason.HOME))


def _put_deck(decks: tuple[Deck, ...], gang: int, deck: Deck) -> tuple[Deck, ...]:
    return (*decks[:gang], deck, *decks[gang + 1 :])

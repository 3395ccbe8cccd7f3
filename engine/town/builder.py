"""The changes of a position that both games in the town share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TypeVar

from engine.builder import Builder
from engine.core import Event, only
from engine.texts import Seat
from engine.town.actions import Play
from engine.town.cards import Cards
from engine.town.data import LAP, Thief
from engine.town.events import Dealt, Ended, HandsFilled, Walked
from engine.town.state import Town
from engine.town.thieves import with_card
from engine.town.track import QUARTER, Space, landing, space_at

T = TypeVar("T", bound=Town)


class TownBuilder(Builder[T]):
    """A position in the town while one ply changes it."""

    def __init__(self, before: T) -> None:
        super().__init__(before)
        self.turn = before.turn
        self.walked = before.walked
        self.route = before.route
        self.cards = before.cards
        self.purses = list(before.purses)
        self.brought = list(before.brought)
        self.decks = list(before.decks)
        self.ended = before.ended

    # --- the camel and the movement cards ---

    @property
    def space(self) -> Space:
        """The space of the camel."""
        return space_at(self.walked % LAP, self.route)

    @property
    def quarter(self) -> int:
        """The quarter of the town that the camel is in, 0 to 3."""
        return self.walked % LAP // QUARTER

    def walk(self, seat: Seat, play: Play) -> Space:
        """Play a card and move the camel (rule 2.2). Returns where it stops."""
        origin = self.space
        space = landing(origin, play.card, play.route)
        self.cards = self.cards.play(seat, play.card)
        self.walked += play.card
        self.route = space.route
        self.tell(Walked(seat, play.card, origin, space))
        return space

    def deal(self, values: Sequence[int]) -> None:
        """Fill all hands (rule 2.1)."""
        self.cards = self.cards.deal(values)
        self.tell(*deal_events(self.cards))

    # --- money and decks ---

    def earn(self, seat: Seat, amount: int) -> None:
        """Put money into a purse."""
        self.purses[seat] += amount

    def bring(self, seat: Seat, amount: int) -> None:
        """Put money from the cave or from bandits into a purse."""
        self.purses[seat] += amount
        self.brought[seat] += amount

    def pay(self, seat: Seat, amount: int) -> int:
        """Take money out of a purse. Returns the amount, which is limited by the money in the purse."""
        paid = min(amount, self.purses[seat])
        self.purses[seat] -= paid
        return paid

    def draw(self, thief: Thief) -> None:
        """Remove a card of a type from its deck."""
        self.decks[thief.gang.place] = with_card(self.decks[thief.gang.place], thief, -1)

    # --- the end ---

    def end(self, reason: StrEnum) -> None:
        """End the game."""
        self.ended = reason
        self.frames.clear()
        self.tell(Ended(reason))


def deal_events(cards: Cards) -> Iterator[Event]:
    """The events of the last deal: a public one, and one for each seat with its own cards (rule 2.1)."""
    yield HandsFilled()
    for seat, hand in enumerate(cards.dealt[-1]):
        if hand:
            yield Dealt(hand, audience=only(Seat(seat)))

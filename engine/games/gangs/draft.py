"""A position of the gangs while one ply changes it: the only mutable thing, and it never leaves the ply."""

from __future__ import annotations

from typing import Any

from engine.core import Event, Frame
from engine.games.gangs.data import FULL_GROUP, LAPS
from engine.games.gangs.events import Ended, EndReason, LapEnded, LapPaid
from engine.games.gangs.state import NOBODY, GangsTable, Stack, full
from engine.texts import Seat
from engine.town.actions import Play
from engine.town.cards import Cards
from engine.town.data import LAP
from engine.town.events import Money
from engine.town.state import put
from engine.town.thieves import FULL_DECK, GANGS, VALUE, without
from engine.town.track import Space, space_at
from engine.town.walk import walked

Result = tuple[GangsTable, tuple[Event, ...]]
"""What the answer to a question returns."""

FRESH_STACKS = (Stack(FULL_DECK),) * len(GANGS)


class Draft:
    """What a ply has changed so far, and the events it has caused."""

    __slots__ = (
        "cards",
        "danger",
        "ended",
        "events",
        "first",
        "owned",
        "purses",
        "setup",
        "side",
        "stacks",
        "total",
        "turn",
    )

    def __init__(self, state: GangsTable) -> None:
        """Start from a position. `first` is the question that opens a turn; it lies below all others."""
        self.first = state.frames[:1]
        self.setup = state.setup
        self.turn = state.turn
        self.total = state.total
        self.side = state.side
        self.cards = state.cards
        self.purses = state.purses
        self.ended = state.ended
        self.owned = state.owned
        self.stacks = state.stacks
        self.danger = state.danger
        self.events: list[Event] = []

    def asking(self, *questions: Frame[GangsTable, Any]) -> Result:
        """The position with its next question, and what happened."""
        state = GangsTable(
            () if self.ended else self.first + questions,
            self.setup,
            self.turn,
            self.total,
            self.side,
            self.cards,
            self.purses,
            self.ended,
            self.owned,
            self.stacks,
            self.danger,
        )
        return state, tuple(self.events)

    @property
    def on_turn(self) -> Seat:
        """The seat on turn."""
        return Seat(self.turn % self.setup.seats)

    @property
    def space(self) -> Space:
        """Where the figure stands."""
        return space_at(self.total % LAP, self.side)

    def clockwise(self) -> tuple[Seat, ...]:
        """All seats, the one on turn first."""
        seats = self.setup.seats
        return tuple(Seat((self.turn + n) % seats) for n in range(seats))

    def walk(self, state: GangsTable, seat: Seat, action: Play) -> Space:
        """Play a card and move the figure; the danger of the last turn is forgotten."""
        told = walked(state, seat, action)
        self.cards = self.cards.play(seat, action.card)
        self.total += action.card
        self.side = told.space.endswith("b")
        self.danger = None
        self.events.append(told)
        return self.space

    # --- money and bandits ---

    def pay(self, seat: Seat, amount: int) -> None:
        """Into a purse, or out of it below zero."""
        self.purses = put(self.purses, seat, self.purses[seat] + amount)

    def pay_at_most(self, seat: Seat, amount: int) -> int:
        """Out of a purse, as far as it goes. Returns what was paid."""
        paid = min(amount, self.purses[seat])
        self.pay(seat, -paid)
        return paid

    def give(self, seat: Seat, number: int, cards: int = 1) -> None:
        """Cards of a type to a seat, or away from it below zero."""
        owned = self.owned[seat]
        owned = put(owned, number, owned[number] + cards)
        self.owned = (*self.owned[:seat], owned, *self.owned[seat + 1 :])

    def bring_back(self, seat: Seat, number: int) -> None:
        """A bandit goes to the bottom of its stack."""
        self.give(seat, number, -1)
        stack = self.stacks[number // 4]
        self.put_stack(number // 4, Stack(stack.unseen, (*stack.tail, number)))

    def draw(self, number: int) -> None:
        """Take a card of a type off its stack: from the unseen part, or from the tail once that is used up."""
        gang, group = divmod(number, 4)
        stack = self.stacks[gang]
        if any(stack.unseen):
            self.put_stack(gang, Stack(without(stack.unseen, group), stack.tail))
        else:
            self.put_stack(gang, Stack(stack.unseen, stack.tail[1:]))

    def put_stack(self, gang: int, stack: Stack) -> None:
        """Replace a stack."""
        self.stacks = (*self.stacks[:gang], stack, *self.stacks[gang + 1 :])

    # --- the end of a turn ---

    @property
    def lap_over(self) -> bool:
        """Whether all movement cards of the lap are played."""
        return not any(self.cards.hands)

    def next_turn(self) -> None:
        """Pass the turn on."""
        self.turn += 1

    def end_lap(self) -> None:
        """Pay for the bandits and take them back; then comes the next lap or the end (rule 3.7)."""
        lap = self.total // LAP
        self.events.append(LapEnded(lap))
        for number, owned in enumerate(self.owned):
            if any(owned):
                seat, amount = Seat(number), worth(owned)
                self.pay(seat, amount)
                self.events.append(LapPaid(seat, Money(amount)))
        self.owned = (NOBODY,) * self.setup.seats
        self.stacks = FRESH_STACKS
        self.turn = 0
        if lap == LAPS:
            self.ended = EndReason.LAPS
            self.events.append(Ended(EndReason.LAPS))
        else:
            self.cards = Cards.undealt(self.setup.seats)


def worth(owned: tuple[int, ...]) -> int:
    """What bandits are worth, full groups doubled (rules 3.5 and 3.7)."""
    return sum(VALUE[n] * count * (FULL_GROUP if full(owned, n) else 1) for n, count in enumerate(owned) if count)

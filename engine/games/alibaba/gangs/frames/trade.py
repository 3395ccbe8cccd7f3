"""Trading bandits in danger: what, to whom, for how much, and the answer (rule 4.8)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from engine import SEAT_COLORS, Action, Decision, Frame, Refusal, Seat
from engine.games.alibaba.actions import Accept, Decline, Price, To
from engine.games.alibaba.data import OFFER_MOST, OFFER_STEP, Thief
from engine.games.alibaba.events import Money
from engine.games.alibaba.gangs import refusals
from engine.games.alibaba.gangs.draft import Draft, Result
from engine.games.alibaba.gangs.events import OfferedTo, Priced, Traded, TurnedDown
from engine.games.alibaba.gangs.state import GangsTable
from engine.games.alibaba.thieves import NUMBER

ANSWERS = (Accept(), Decline())
PRICES = tuple(map(Price, range(-OFFER_MOST, OFFER_MOST + 1, OFFER_STEP)))


@dataclass(frozen=True, slots=True)
class Interrupted(Frame[GangsTable]):
    """A question that waits below a trade and goes on after it."""

    @abstractmethod
    def go_on(self, draft: Draft) -> Result:
        """What comes after the answer."""


@dataclass(frozen=True, slots=True)
class ChooseBuyer(Frame[GangsTable]):
    """Who gets the offer."""

    rule = "4.8"

    seat: Seat
    thief: Thief

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """Everybody else."""
        others = tuple(To(Seat(n)) for n in range(state.seats) if n != self.seat)
        return (Decision(self.seat, f"Choose who gets your offer of {self.thief}.", others),)

    def resolve(self, state: GangsTable, seat: Seat, action: Action) -> Result:
        """Ask for the price."""
        assert isinstance(action, To)
        draft = Draft(state)
        draft.events.append(OfferedTo(seat, action.seat))
        return draft.asking(state.frames[-2], NamePrice(seat, self.thief, action.seat))

    def gloss(self, state: GangsTable, action: Action, names: Sequence[str]) -> str:
        """What the other could pay."""
        return f"has {state.purses[action.seat]}" if isinstance(action, To) else ""

    def refuse(self, state: GangsTable, seat: Seat, action: Action) -> Refusal:
        """Name the seats."""
        if isinstance(action, To):
            sentence = "An offer goes to somebody else." if action.seat == seat else "Nobody sits there."
            return Refusal(sentence, self.rule)
        return refusals.other(action) or Frame.refuse(self, state, seat, action)


@dataclass(frozen=True, slots=True)
class NamePrice(Frame[GangsTable]):
    """For how much; below zero the offerer pays."""

    rule = "4.8"

    seat: Seat
    thief: Thief
    buyer: Seat

    def limits(self, state: GangsTable) -> tuple[int, int]:
        """The lowest and the highest price that can be paid."""
        lowest, highest = (min(OFFER_MOST, state.purses[s]) // OFFER_STEP for s in (self.seat, self.buyer))
        return -lowest * OFFER_STEP, highest * OFFER_STEP

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """In tens, as far as the purses go."""
        lowest, highest = ((OFFER_MOST + price) // OFFER_STEP for price in self.limits(state))
        prompt = f"Name the price for {self.thief}; below zero you pay."
        return (Decision(self.seat, prompt, PRICES[lowest : highest + 1]),)

    def resolve(self, state: GangsTable, seat: Seat, action: Action) -> Result:
        """Ask the other one."""
        assert isinstance(action, Price)
        draft = Draft(state)
        draft.events.append(Priced(seat, self.buyer, self.thief, Money(action.piastres)))
        return draft.asking(state.frames[-2], Answer(seat, self.thief, self.buyer, action.piastres))

    def refuse(self, state: GangsTable, seat: Seat, action: Action) -> Refusal:
        """Name the limits."""
        if isinstance(action, Price):
            lowest, highest = self.limits(state)
            return Refusal(f"The price goes in tens from {lowest} to {highest}, as far as the purses go.", self.rule)
        return refusals.other(action) or Frame.refuse(self, state, seat, action)


@dataclass(frozen=True, slots=True)
class Answer(Frame[GangsTable]):
    """Whether the other one agrees."""

    rule = "4.8"

    seat: Seat
    thief: Thief
    buyer: Seat
    price: int

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """Yes or no."""
        terms = f"for {self.price}" if self.price >= 0 else f"and {-self.price} with it"
        prompt = f"{SEAT_COLORS[self.seat]} offers you {self.thief} {terms}. Do you agree?"
        return (Decision(self.buyer, prompt, ANSWERS),)

    def resolve(self, state: GangsTable, seat: Seat, action: Action) -> Result:
        """Hand it over, or not; then the offerer goes on."""
        draft = Draft(state)
        if isinstance(action, Accept):
            number = NUMBER[self.thief]
            draft.give(self.seat, number, -1)
            draft.give(seat, number)
            draft.pay(self.seat, self.price)
            draft.pay(seat, -self.price)
            draft.events.append(Traded(self.seat, seat, self.thief, Money(self.price)))
        else:
            draft.events.append(TurnedDown(seat, self.thief))
        waiting = state.frames[-2]
        assert isinstance(waiting, Interrupted), "a trade happens in a window"
        return waiting.go_on(draft)

    def refuse(self, state: GangsTable, seat: Seat, action: Action) -> Refusal:
        """Ask for a yes or a no."""
        return refusals.other(action) or Frame.refuse(self, state, seat, action)

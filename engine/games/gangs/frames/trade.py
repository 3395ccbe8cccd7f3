"""Trading bandits in danger: what, to whom, for how much, and the answer (rule 3.8)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from engine.core import Action, Decision, Frame, Refusal
from engine.games.gangs.actions import Accept, Decline, Price, To
from engine.games.gangs.data import OFFER_MOST, OFFER_STEP
from engine.games.gangs.draft import Draft, Result
from engine.games.gangs.events import OfferedTo, Priced, Terms, Traded, TurnedDown
from engine.games.gangs.state import GangsTable
from engine.texts import SEAT_COLORS, Seat
from engine.town.data import Thief
from engine.town.events import money
from engine.town.thieves import NUMBER

A = TypeVar("A", bound=Action)

ANSWERS = (Accept(), Decline())
PRICES = tuple(map(Price, range(-OFFER_MOST, OFFER_MOST + 1, OFFER_STEP)))


@dataclass(frozen=True, slots=True)
class Interrupted(Frame[GangsTable, A]):
    """A question that waits below a trade and goes on after it."""

    @abstractmethod
    def go_on(self, draft: Draft) -> Result:
        """What comes after the answer."""


@dataclass(frozen=True, slots=True)
class ChooseBuyer(Frame[GangsTable, To]):
    """Who gets the offer."""

    rule = "3.8"

    seat: Seat
    thief: Thief

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """Everybody else."""
        others = tuple(To(Seat(n)) for n in range(state.seats) if n != self.seat)
        return (Decision(self.seat, f"Choose who gets your offer of {self.thief}.", others),)

    def resolve(self, state: GangsTable, seat: Seat, action: To) -> Result:
        """Ask for the price."""
        draft = Draft(state)
        draft.events.append(OfferedTo(seat, action.seat))
        return draft.asking(state.frames[-2], NamePrice(seat, self.thief, action.seat))

    def gloss(self, state: GangsTable, action: To, names: Sequence[str]) -> str:
        """What the other could pay."""
        return f"has {money(state.purses[action.seat])}"

    def why_not(self, state: GangsTable, seat: Seat, action: Action) -> Refusal | None:
        """Name the seats."""
        if isinstance(action, To):
            sentence = "An offer goes to somebody else." if action.seat == seat else "Nobody sits there."
            return Refusal(sentence, self.rule)
        return None


@dataclass(frozen=True, slots=True)
class NamePrice(Frame[GangsTable, Price]):
    """For how much; below zero the offerer pays."""

    rule = "3.8"

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

    def resolve(self, state: GangsTable, seat: Seat, action: Price) -> Result:
        """Ask the other one."""
        draft = Draft(state)
        draft.events.append(Priced(seat, self.buyer, self.thief, Terms(action.piastres)))
        return draft.asking(state.frames[-2], Answer(seat, self.thief, self.buyer, action.piastres))

    def gloss(self, state: GangsTable, action: Price, names: Sequence[str]) -> str:
        """Who pays."""
        if not action.piastres:
            return ""
        payer = "you pay" if action.piastres < 0 else f"{names[self.buyer]} pays"
        return f"{payer} {money(abs(action.piastres))}"

    def why_not(self, state: GangsTable, seat: Seat, action: Action) -> Refusal | None:
        """Name the limits."""
        if isinstance(action, Price):
            lowest, highest = self.limits(state)
            if lowest == highest:
                return Refusal(f"Neither of you has {OFFER_STEP} to pay: the price can only be 0.", self.rule)
            return Refusal(f"The price goes in tens from {lowest} to {highest}, as far as the purses go.", self.rule)
        return None


@dataclass(frozen=True, slots=True)
class Answer(Frame[GangsTable, Accept | Decline]):
    """Whether the other one agrees."""

    rule = "3.8"

    seat: Seat
    thief: Thief
    buyer: Seat
    price: int

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """Yes or no."""
        prompt = f"{SEAT_COLORS[self.seat]} offers you {self.thief} {Terms(self.price).label}. Do you agree?"
        return (Decision(self.buyer, prompt, ANSWERS),)

    def resolve(self, state: GangsTable, seat: Seat, action: Accept | Decline) -> Result:
        """Hand it over, or not; then the offerer goes on."""
        draft = Draft(state)
        if isinstance(action, Accept):
            number = NUMBER[self.thief]
            draft.give(self.seat, number, -1)
            draft.give(seat, number)
            draft.pay(self.seat, self.price)
            draft.pay(seat, -self.price)
            draft.events.append(Traded(self.seat, seat, self.thief, Terms(self.price)))
        else:
            draft.events.append(TurnedDown(seat, self.thief))
        waiting = state.frames[-2]
        assert isinstance(waiting, Interrupted), "a trade happens in a window"
        return waiting.go_on(draft)

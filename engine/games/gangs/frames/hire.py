"""Taking bandits: up to three on an empty space, one for a writing on the wall (rules 3.2 and 3.6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from engine.core import Action, Decision, Frame, Refusal
from engine.games.gangs import refusals
from engine.games.gangs.data import MOST_TAKEN, PRICES
from engine.games.gangs.draft import Draft, Result
from engine.games.gangs.events import Called, Hired, HiredFree, TookNoMore
from engine.games.gangs.flow import end_turn
from engine.games.gangs.state import GangsTable
from engine.texts import Seat
from engine.town.actions import Appear, Stop, Take
from engine.town.data import Gang
from engine.town.draws import appearing, cards_of
from engine.town.events import Money, TookNone
from engine.town.thieves import GANG_NUMBER, GANGS, NUMBER, THIEVES

STOP = Stop()
TAKES = tuple(map(Take, GANGS))
COSTS = tuple(zip(*(PRICES[gang] for gang in GANGS), strict=True))
"""Quarter -> price of each gang."""

FREE = (0,) * len(GANGS)


def hire(draft: Draft, *, free: bool = False) -> Result:
    """Ask which bandit the seat on turn takes, if there is one to take."""
    return _ask(draft, Hire(1 if free else MOST_TAKEN, free))


def _ask(draft: Draft, question: Hire) -> Result:
    if question.left and _affordable(question, draft.purses[draft.on_turn], draft):
        return draft.asking(question)
    return end_turn(draft)


def _affordable(question: Hire, purse: int, table: Draft | GangsTable) -> tuple[int, ...]:
    """The gangs with a stack that is not empty and can be paid."""
    prices = FREE if question.free else COSTS[table.space.quarter]
    stacks = zip(prices, table.stacks, strict=True)
    return tuple([n for n, (price, stack) in enumerate(stacks) if price <= purse and (stack.tail or any(stack.unseen))])


@dataclass(frozen=True, slots=True)
class Hire(Frame[GangsTable, Take | Stop]):
    """Which stack the next bandit is taken from; each is seen before the next question (rule 3.2)."""

    rule = "3.2"

    left: int
    free: bool

    @property
    def begun(self) -> bool:
        """Whether a bandit was taken here before."""
        return not self.free and self.left < MOST_TAKEN

    def price(self, state: GangsTable, gang: Gang) -> int:
        """What a bandit costs now."""
        return 0 if self.free else state.price(gang)

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """The stacks that are not empty and can be paid, or no more."""
        seat = state.on_turn
        return _hire(seat, self.left, self.begun, _affordable(self, state.purses[seat], state))

    def resolve(self, state: GangsTable, seat: Seat, action: Take | Stop) -> Result:
        """Pay; the top card is drawn, unless the whole stack lies in an order that everybody knows."""
        draft = Draft(state)
        if not isinstance(action, Take):
            draft.events.append(TookNoMore(seat) if self.begun else TookNone(seat))
            return end_turn(draft)
        price = self.price(state, action.gang)
        draft.pay(seat, -price)
        following = Hire(self.left - 1, self.free)
        stack = state.stacks[GANG_NUMBER[action.gang]]
        if any(stack.unseen):
            draft.events.append(Called(seat, action.gang))
            return draft.asking(following, Draw(GANG_NUMBER[action.gang], price))
        return _hired(draft, following, stack.tail[0], price)

    def gloss(self, state: GangsTable, action: Take | Stop, names: Sequence[str]) -> str:
        """The price, and how many are left."""
        if not isinstance(action, Take):
            return ""
        price = self.price(state, action.gang)
        return f"{f'for {price}' if price else 'free'}, {state.stack(action.gang)} on the stack"

    def why_not(self, state: GangsTable, seat: Seat, action: Action) -> Refusal | None:
        """Name the empty stack or the price."""
        return refusals.take(state, seat, action)


@lru_cache(maxsize=256)
def _hire(seat: Seat, left: int, begun: bool, gangs: tuple[int, ...]) -> tuple[Decision, ...]:
    more = " more" if begun else ""
    many = f"up to {left}{more} bandits" if left > 1 else f"one{more} bandit"
    return (Decision(seat, f"You may take {many}: choose a stack, or stop.", (*(TAKES[n] for n in gangs), STOP)),)


def _hired(draft: Draft, question: Hire, number: int, price: int) -> Result:
    seat = draft.on_turn
    draft.draw(number)
    draft.give(seat, number)
    kind = THIEVES[number]
    draft.events.append(Hired(seat, kind, Money(price)) if price else HiredFree(seat, kind))
    return _ask(draft, question)


@dataclass(frozen=True, slots=True)
class Draw(Frame[GangsTable, Appear]):
    """Luck turns up the top card of a stack; the question below it goes on."""

    gang: int
    price: int

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """Every type of the unseen part, weighted by its cards."""
        return appearing(self.gang, state.stacks[self.gang].unseen)

    def sample(self, state: GangsTable, rng: Random) -> Action:
        """Any card is as likely as any other."""
        return rng.choice(cards_of(self.gang, state.stacks[self.gang].unseen))

    def resolve(self, state: GangsTable, seat: Seat, action: Appear) -> Result:
        """It joins the seat on turn."""
        question = state.frames[-2]
        assert isinstance(question, Hire), "a bandit is drawn for a question"
        return _hired(Draft(state), question, NUMBER[action.thief], self.price)

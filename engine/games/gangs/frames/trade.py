"""Trading bandits in danger: what, to whom, for how much, and the answer (rule 3.8)."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TypeVar

from engine.core import Action, Aside, Decision, Frame, Refusal
from engine.games.gangs.actions import Accept, Decline, Price, To
from engine.games.gangs.builder import GangsBuilder, Result
from engine.games.gangs.data import OFFER_MOST, OFFER_STEP
from engine.games.gangs.events import OfferedTo, Priced, Terms, Traded, TurnedDown
from engine.games.gangs.state import GangsTable
from engine.games.gangs.words import NOTHING_CHANGES, WHOM_TO_OFFER, WHY_OFFER, bought, price_advice
from engine.texts import Seat, Text
from engine.town.data import Thief
from engine.town.events import Money

A = TypeVar("A", bound=Action)

OFFERING = Aside("offering", Text("to whom I offer a bandit, and for how much"), "3.8", first=False)
BUYING = Aside(
    "buying",
    Text("whether I take a bandit offered to me"),
    "3.8",
    decline=Decline,
    declined=Text("Decline: no"),
    first=False,
    discreet=True,
)

ANSWERS = (Accept(), Decline())
PRICES = tuple(map(Price, range(-OFFER_MOST, OFFER_MOST + 1, OFFER_STEP)))
"""From the lowest to the highest."""

HALVES = (2, 1, 3, 4, 0, -1, -2, -3)
"""Prices worth suggesting, the best first, in halves of what a bandit brings."""

SUGGESTED = 6


@dataclass(frozen=True, slots=True)
class Interrupted(Frame[GangsTable, A]):
    """A question that waits below a trade and goes on after it."""

    @abstractmethod
    def go_on(self, after: GangsBuilder) -> Result:
        """What comes after the answer; the question lies on top."""


@dataclass(frozen=True, slots=True)
class ChooseBuyer(Frame[GangsTable, To]):
    """Who gets the offer."""

    rule, aside = "3.8", OFFERING

    seat: Seat
    thief: Thief

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """Everybody else."""
        # Also seats with little money: a price may be 0 or below (rule 3.8).
        others = tuple(To(Seat(n)) for n in range(state.seats) if n != self.seat)
        return (Decision(self.seat, Text("Choose who gets your offer of {thief}.", thief=self.thief), others),)

    def resolve(self, state: GangsTable, seat: Seat, action: To) -> Result:
        """Ask for the price."""
        after = GangsBuilder(state)
        after.answered()
        after.tell(OfferedTo(seat, action.seat))
        after.ask(NamePrice(seat, self.thief, action.seat))
        return after.done()

    def gloss(self, state: GangsTable, action: To) -> Text:
        """What the other could pay."""
        return Text("has {purse}", purse=Money(state.purses[action.seat]))

    def named(self, state: GangsTable, action: To, field: str = "") -> Text:
        """The person."""
        return Text("{seat}", seat=action.seat)

    def advice(self, state: GangsTable) -> tuple[Text, ...]:
        """Why others may want it."""
        return WHY_OFFER, WHOM_TO_OFFER

    def why_not(self, state: GangsTable, seat: Seat, action: Action) -> Refusal | None:
        """Name the seats."""
        if isinstance(action, To):
            sentence = "An offer goes to somebody else." if action.seat == seat else "There is no player in that seat."
            return Refusal(Text(sentence), self.rule)
        return None


@dataclass(frozen=True, slots=True)
class NamePrice(Frame[GangsTable, Price]):
    """For how much; below zero the offerer pays."""

    rule, aside = "3.8", OFFERING

    seat: Seat
    thief: Thief
    buyer: Seat

    def limits(self, state: GangsTable) -> tuple[int, int]:
        """The lowest and the highest price that can be paid."""
        # Whole tens, and no more than the paying purse holds (rule 3.8).
        lowest, highest = (min(OFFER_MOST, state.purses[s]) // OFFER_STEP for s in (self.seat, self.buyer))
        return -lowest * OFFER_STEP, highest * OFFER_STEP

    def prices(self, state: GangsTable) -> tuple[Price, ...]:
        """In tens, as far as the purses go."""
        # Prices are in order, so those that can be paid are one slice.
        lowest, highest = ((OFFER_MOST + price) // OFFER_STEP for price in self.limits(state))
        return PRICES[lowest : highest + 1]

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """Any of these prices."""
        prompt = Text("Set a price for {thief}. A negative price means you pay.", thief=self.thief)
        return (Decision(self.seat, prompt, self.prices(state)),)

    def suggested(self, state: GangsTable) -> tuple[Price, ...]:
        """Six prices, by what the bandit would bring the buyer and as far as the purses go."""
        (lowest, highest), worth = self.limits(state), state.gain(self.buyer, self.thief)
        likely = [Price(max(lowest, min(highest, worth * halves // 2))) for halves in HALVES]
        nearest = sorted(self.prices(state), key=lambda option: abs(option.piastres - likely[0].piastres))
        few = list(dict.fromkeys((*likely, *nearest)))[:SUGGESTED]
        return tuple(sorted(few, key=lambda option: option.piastres))

    def resolve(self, state: GangsTable, seat: Seat, action: Price) -> Result:
        """Ask the other one."""
        after, price = GangsBuilder(state), Terms(action.piastres)
        after.answered()
        after.tell(Priced(seat, self.buyer, self.thief, price))
        after.ask(Answer(seat, self.thief, self.buyer, price))
        return after.done()

    def gloss(self, state: GangsTable, action: Price) -> Text | None:
        """What the payer has left."""
        payer = self.seat if action.piastres < 0 else self.buyer
        left = Money(state.purses[payer] - abs(action.piastres))
        return Text("{payer} {payer:has|have} {left} left", payer=payer, left=left) if action.piastres else None

    def named(self, state: GangsTable, action: Price, field: str = "") -> Text:
        """`150 piastres`, or `You pay 150 piastres` below zero."""
        if not action.piastres:
            return FOR_NOTHING
        paid = "{amount} piastres" if action.piastres > 0 else "You pay {amount} piastres"
        return Text(paid, amount=abs(action.piastres))

    def advice(self, state: GangsTable) -> tuple[Text, ...]:
        """What a bandit is worth."""
        return price_advice(self.thief)

    def why_not(self, state: GangsTable, seat: Seat, action: Action) -> Refusal | None:
        """Name the limits."""
        if not isinstance(action, Price):
            return None
        lowest, highest = self.limits(state)
        if lowest == highest:
            broke = "Neither of you has {step}: the price can only be 0."
            return Refusal(Text(broke, step=OFFER_STEP), self.rule)
        price = action.piastres
        if price % OFFER_STEP or abs(price) > OFFER_MOST:
            return Refusal(
                Text("A price goes in tens from {low} to {high}.", low=-OFFER_MOST, high=OFFER_MOST), self.rule
            )
        poor = "You have {purse} and cannot add {price} to {thief}."
        if price > 0:
            poor = "{buyer} has {purse} and cannot pay {price} for {thief}."
        purse = Money(state.purses[self.seat if price < 0 else self.buyer])
        return Refusal(Text(poor, buyer=self.buyer, purse=purse, price=abs(price), thief=self.thief), self.rule)


FOR_NOTHING, YES, NO = Text("For nothing"), Text("Yes"), Text("No")
OFFER_PROMPT = "{seat} {seat:offers|offer} you {thief} {price}. Do you agree?"


@dataclass(frozen=True, slots=True)
class Answer(Frame[GangsTable, Accept | Decline]):
    """Whether the other one agrees."""

    rule, aside = "3.8", BUYING

    seat: Seat
    thief: Thief
    buyer: Seat
    price: Terms

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """Yes or no."""
        prompt = Text(OFFER_PROMPT, seat=self.seat, thief=self.thief, price=self.price)
        return (Decision(self.buyer, prompt, ANSWERS),)

    def gloss(self, state: GangsTable, action: Accept | Decline) -> Text:
        """Who pays, and what the bandit may bring and cost."""
        if isinstance(action, Decline):
            return NOTHING_CHANGES
        prospect = bought(state, self.buyer, self.thief)
        if not self.price:
            return prospect
        payer, amount = (self.seat if self.price < 0 else self.buyer), Money(abs(self.price))
        return Text("{payer} {payer:pays|pay} {amount}; {prospect}", payer=payer, amount=amount, prospect=prospect)

    def named(self, state: GangsTable, action: Accept | Decline, field: str = "") -> Text:
        """Yes or no."""
        return YES if isinstance(action, Accept) else NO

    def advice(self, state: GangsTable) -> tuple[Text, ...]:
        """What to think of before buying."""
        return price_advice(self.thief)

    def resolve(self, state: GangsTable, seat: Seat, action: Accept | Decline) -> Result:
        """Hand it over, or not; then the offerer goes on."""
        after = GangsBuilder(state)
        after.answered()
        if isinstance(action, Accept):
            self._trade(after)
        else:
            after.tell(TurnedDown(seat, self.thief))
        waiting = after.frames[-1]
        assert isinstance(waiting, Interrupted), "a trade happens in a window"
        return waiting.go_on(after)

    def _trade(self, after: GangsBuilder) -> None:
        payer, payee = (self.seat, self.buyer) if self.price < 0 else (self.buyer, self.seat)
        # `earn`, not `bring`: this is not loot.
        after.earn(payee, after.pay(payer, abs(self.price)))
        after.leave(self.seat, self.thief)
        after.join(self.buyer, self.thief)
        after.tell(Traded(self.seat, self.buyer, self.thief, self.price))

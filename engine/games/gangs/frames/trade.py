"""The questions of trading bandits in danger: the buyer, the price, and the answer (rule 3.8)."""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple, TypeVar

from engine.core import Action, Aside, Decision, Frame, Refusal
from engine.games.gangs.actions import Accept, Counteroffer, Decline, Price, To
from engine.games.gangs.builder import GangsBuilder, Result
from engine.games.gangs.data import MAX_PRICE, OFFER_STEP
from engine.games.gangs.events import AskedForLess, Countered, OfferedTo, Priced, Terms, Traded, TurnedDown
from engine.games.gangs.state import GangsTable
from engine.games.gangs.words import (
    ANOTHER_PRICE,
    NOTHING_CHANGES,
    WHOM_TO_OFFER,
    WHY_OFFER,
    price_advice,
    purchase_gloss,
)
from engine.texts import Seat, Text
from engine.town.data import Thief
from engine.town.events import Money

A = TypeVar("A", bound=Action)

OFFERING = Aside("offering", Text("to whom I offer a bandit, and which price I name"), "3.8", first=False)
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
COUNTEROFFER = Counteroffer()
PRICES = tuple(map(Price, range(-MAX_PRICE, MAX_PRICE + 1, OFFER_STEP)))
"""All prices in ascending order."""

HALVES = (2, 1, 3, 4, 0, -1, -2, -3)
"""Prices to suggest, in order of preference, in halves of the bandit's value for the buyer."""

MAX_SUGGESTIONS = 6


class Wish(NamedTuple):
    """A counteroffer: the price for which the buyer would take a bandit. It is not binding."""

    thief: Thief
    buyer: Seat
    price: Terms


class Interrupted(Frame[GangsTable, A]):
    """A question that is interrupted by a trade and goes on after it."""

    @property
    @abstractmethod
    def may_offer(self) -> bool:
        """Whether another offer is possible."""

    @property
    @abstractmethod
    def wish(self) -> Wish | None:
        """The counteroffer to the previous offer."""

    @abstractmethod
    def go_on(self, after: GangsBuilder, wish: Wish | None = None) -> Result:
        """Go on after an answer or a counteroffer. The question is on top of the stack."""


def interrupted_frame(table: GangsTable | GangsBuilder, depth: int = 1) -> Interrupted[Action]:
    """The question that goes on after a trade, at this depth of the stack."""
    # For the caller that is itself on top of the stack, the depth is 2.
    waiting = table.frames[-depth]
    assert isinstance(waiting, Interrupted), "a trade happens in a window"
    return waiting


class ChooseBuyer(Frame[GangsTable, To]):
    """The choice of the buyer."""

    rule, aside = "3.8", OFFERING

    seat: Seat
    thief: Thief

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """All other seats, even those without money, since a price may be 0 or negative (rule 3.8)."""
        others = tuple(To(Seat(n)) for n in range(state.seats) if n != self.seat)
        return (Decision(self.seat, Text("Choose who gets your offer of {thief}.", thief=self.thief), others),)

    def resolve(self, state: GangsTable, seat: Seat, action: To) -> Result:
        """Go on with the price."""
        after = GangsBuilder(state)
        after.answered()
        after.tell(OfferedTo(seat, action.seat))
        after.ask(NamePrice(seat, self.thief, action.seat))
        return after.done()

    def gloss(self, state: GangsTable, action: To) -> Text:
        """The money of the buyer."""
        purse = state.purses[action.seat]
        return Text("has {purse}", purse=purse) if purse else Text("has nothing")

    def named(self, state: GangsTable, action: To, field: str = "") -> Text:
        """The buyer."""
        return Text("{seat}", seat=action.seat)

    def advice(self, state: GangsTable) -> tuple[Text, ...]:
        """Reasons why others may want the bandit."""
        return WHY_OFFER, WHOM_TO_OFFER

    def why_not(self, state: GangsTable, seat: Seat, action: Action) -> Refusal | None:
        """Say which seats are possible."""
        if isinstance(action, To):
            sentence = (
                "You cannot make an offer to yourself." if action.seat == seat else "There is no player in that seat."
            )
            return Refusal(Text(sentence), self.rule)
        return None


class NamePrice(Frame[GangsTable, Price]):
    """The price of an offer; the seller pays a negative price."""

    rule, aside = "3.8", OFFERING

    seat: Seat
    thief: Thief
    buyer: Seat

    def limits(self, state: GangsTable) -> tuple[int, int]:
        """The lowest and the highest price that the purses allow."""
        # Whole tens, up to the money of the payer (rule 3.8).
        lowest, highest = (min(MAX_PRICE, state.purses[s]) // OFFER_STEP for s in (self.seat, self.buyer))
        return -lowest * OFFER_STEP, highest * OFFER_STEP

    def prices(self, state: GangsTable) -> tuple[Price, ...]:
        """All prices within the limits."""
        # `PRICES` is sorted, so they are one slice.
        lowest, highest = ((MAX_PRICE + price) // OFFER_STEP for price in self.limits(state))
        return PRICES[lowest : highest + 1]

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """Any of these prices."""
        prompt = Text("Set a price for {thief}. A negative price means you pay.", thief=self.thief)
        return (Decision(self.seat, prompt, self.prices(state)),)

    def suggested(self, state: GangsTable) -> tuple[Price, ...]:
        """Up to six prices: a counteroffer by the buyer, and multiples of the bandit's value for the buyer."""
        (lowest, highest), worth = self.limits(state), state.gain(self.buyer, self.thief)
        likely = [Price(max(lowest, min(highest, worth * halves // 2))) for halves in HALVES]
        nearest = sorted(self.prices(state), key=lambda option: abs(option.piastres - likely[0].piastres))
        wished = self.wished_prices(state)
        few = list(dict.fromkeys((*wished, *likely, *nearest)))[:MAX_SUGGESTIONS]
        return tuple(sorted(few, key=lambda option: (option not in wished, option.piastres)))

    def wished_prices(self, state: GangsTable) -> tuple[Price, ...]:
        """The price of the buyer's counteroffer, if there is one."""
        wish = interrupted_frame(state, 2).wish
        return (Price(wish.price),) if wish and (wish.thief, wish.buyer) == (self.thief, self.buyer) else ()

    def resolve(self, state: GangsTable, seat: Seat, action: Price) -> Result:
        """Make the offer to the buyer."""
        after, price = GangsBuilder(state), Terms(action.piastres)
        after.answered()
        after.tell(Priced(seat, self.buyer, self.thief, price))
        after.ask(Answer(seat, self.thief, self.buyer, price))
        return after.done()

    def gloss(self, state: GangsTable, action: Price) -> Text | None:
        """The money that remains to the payer."""
        payer = self.seat if action.piastres < 0 else self.buyer
        rest = Money(state.purses[payer] - abs(action.piastres))
        return Text("{payer} {payer:has|have} {left} left", payer=payer, left=rest) if action.piastres else None

    def named(self, state: GangsTable, action: Price, field: str = "") -> Text:
        """`150 piastres`, or `You pay 150 piastres` for a negative price."""
        if not action.piastres:
            return Text("For nothing")
        template = "{amount} piastres" if action.piastres > 0 else "You pay {amount} piastres"
        return Text(template, amount=abs(action.piastres))

    def advice(self, state: GangsTable) -> tuple[Text, ...]:
        """The value of the bandit."""
        return price_advice(self.thief)

    def why_not(self, state: GangsTable, seat: Seat, action: Action) -> Refusal | None:
        """Name the limits, or the purse that is too small."""
        if not isinstance(action, Price):
            return None
        lowest, highest = self.limits(state)
        if lowest == highest:
            broke = "Neither of you has {step}: the price can only be 0."
            return Refusal(Text(broke, step=OFFER_STEP), self.rule)
        return Refusal(self.out_of_reach(state, action.piastres), self.rule)

    def out_of_reach(self, state: GangsTable, price: int) -> Text:
        """The reason why a price is impossible: `Yellow has 400 and cannot pay 500 for red 1`."""
        if price % OFFER_STEP or abs(price) > MAX_PRICE:
            return Text("The price must be a multiple of ten from {low} to {high}.", low=-MAX_PRICE, high=MAX_PRICE)
        payer = self.seat if price < 0 else self.buyer
        poor = "{payer} {payer:has|have} {purse} and cannot pay {price} for {thief}."
        if price < 0:
            poor = "{payer} {payer:has|have} {purse} and cannot add {price} to {thief}."
        purse = Money(state.purses[payer])
        return Text(poor, payer=payer, purse=purse, price=abs(price), thief=self.thief)


class NameCounteroffer(NamePrice):
    """The price of a counteroffer, which is below the offer."""

    offered: Terms

    def limits(self, state: GangsTable) -> tuple[int, int]:
        """The lowest price that the seller can pay, and the highest one below the offer."""
        lowest, _ = NamePrice.limits(self, state)
        return lowest, self.offered - OFFER_STEP

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """All prices within the limits."""
        prompt = "Name a lower price for {thief}. A negative price means {seat} {seat:pays|pay}."
        return (Decision(self.buyer, Text(prompt, thief=self.thief, seat=self.seat), self.prices(state)),)

    def wished_prices(self, state: GangsTable) -> tuple[Price, ...]:
        """None, since nothing precedes a counteroffer."""
        return ()

    def resolve(self, state: GangsTable, seat: Seat, action: Price) -> Result:
        """Report the counteroffer; the seller's window goes on."""
        after, wish = GangsBuilder(state), Wish(self.thief, self.buyer, Terms(action.piastres))
        after.answered()
        after.tell(Countered(self.buyer, self.thief, wish.price))
        return interrupted_frame(after).go_on(after, wish)

    def named(self, state: GangsTable, action: Price, field: str = "") -> Text:
        """`150 piastres`, or `Red pays 150 piastres` for a negative price."""
        if action.piastres >= 0:
            return NamePrice.named(self, state, action, field)
        return Text("{seat} {seat:pays|pay} {amount} piastres", seat=self.seat, amount=-action.piastres)

    def out_of_reach(self, state: GangsTable, price: int) -> Text:
        """Name the offer."""
        if price >= self.offered and not price % OFFER_STEP:
            template = "You were offered {thief} {price}: name a lower price than that."
            return Text(template, thief=self.thief, price=self.offered)
        return NamePrice.out_of_reach(self, state, price)


OFFER_PROMPT = "{seat} {seat:offers|offer} you the bandit {thief} {price}. Do you agree?"


class Answer(Frame[GangsTable, Accept | Decline | Counteroffer]):
    """The answer of the buyer to an offer."""

    rule, aside = "3.8", BUYING

    seat: Seat
    thief: Thief
    buyer: Seat
    price: Terms

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """Yes, no, or a lower price if the seller can still make another offer."""
        prompt = Text(OFFER_PROMPT, seat=self.seat, thief=self.thief, price=self.price)
        # After the second offer of a window, a counteroffer would have no effect (rule 3.8).
        lower = self.counteroffer.prices(state) and interrupted_frame(state, 2).may_offer
        return (Decision(self.buyer, prompt, (*ANSWERS, COUNTEROFFER) if lower else ANSWERS),)

    @property
    def counteroffer(self) -> NameCounteroffer:
        """The question about a lower price."""
        return NameCounteroffer(self.seat, self.thief, self.buyer, self.price)

    def gloss(self, state: GangsTable, action: Accept | Decline | Counteroffer) -> Text:
        """The payment, and the prospects and risks of the bandit."""
        if isinstance(action, Counteroffer):
            return ANOTHER_PRICE
        if isinstance(action, Decline):
            return NOTHING_CHANGES
        prospect = purchase_gloss(state, self.buyer, self.thief)
        if not self.price:
            return prospect
        payer, amount = (self.seat if self.price < 0 else self.buyer), Money(abs(self.price))
        return Text("{payer} {payer:pays|pay} {amount}; {prospect}", payer=payer, amount=amount, prospect=prospect)

    def named(self, state: GangsTable, action: Accept | Decline | Counteroffer, field: str = "") -> Text | None:
        """`Yes` or `No`."""
        return None if isinstance(action, Counteroffer) else Text("Yes" if isinstance(action, Accept) else "No")

    def advice(self, state: GangsTable) -> tuple[Text, ...]:
        """The value and the risk of the bandit."""
        return price_advice(self.thief)

    def resolve(self, state: GangsTable, seat: Seat, action: Accept | Decline | Counteroffer) -> Result:
        """Trade the bandit, decline, or ask for a lower price; then the seller's window goes on."""
        after = GangsBuilder(state)
        after.answered()
        if isinstance(action, Counteroffer):
            after.tell(AskedForLess(seat))
            after.ask(self.counteroffer)
            return after.done()
        if isinstance(action, Accept):
            payer, payee = (self.seat, self.buyer) if self.price < 0 else (self.buyer, self.seat)
            # `earn`, not `bring`: this is not loot.
            after.earn(payee, after.pay(payer, abs(self.price)))
            after.leave(self.seat, self.thief)
            after.join(self.buyer, self.thief)
            after.tell(Traded(self.seat, self.buyer, self.thief, self.price))
        else:
            after.tell(TurnedDown(seat, self.thief))
        return interrupted_frame(after).go_on(after)

    def why_not(self, state: GangsTable, seat: Seat, action: Action) -> Refusal | None:
        """The reason why a counteroffer is impossible."""
        if not isinstance(action, Counteroffer):
            return None
        if not interrupted_frame(state, 2).may_offer:
            last = "That was the last offer in this window, so a counteroffer would be pointless."
            return Refusal(Text(last), self.rule)
        lowest = "There is no lower price for {thief} that {seat} could pay."
        return Refusal(Text(lowest, thief=self.thief, seat=self.seat), self.rule)

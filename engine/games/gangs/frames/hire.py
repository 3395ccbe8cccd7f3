"""Taking bandits: up to three on an empty space, one for a writing on the wall (rules 3.2 and 3.6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.core import Action, Decision, Frame, Refusal
from engine.games.gangs import refusals
from engine.games.gangs.builder import GangsBuilder, Result
from engine.games.gangs.data import FINE, MOST_TAKEN, PRICES
from engine.games.gangs.events import Called, Hired, HiredFree, TookNoMore, together
from engine.games.gangs.state import GangsTable
from engine.games.gangs.words import VALUES_TOLD, hire_advice
from engine.texts import Seat, Text
from engine.town.actions import Appear, Stop, Take
from engine.town.data import VALUES, Gang, Thief
from engine.town.events import Money, TookNone
from engine.town.luck import TopCard
from engine.town.thieves import GANGS

STOP = Stop()
TAKE = {gang: Take(gang) for gang in GANGS}
OFFERS = tuple(tuple((gang, PRICES[gang][quarter]) for gang in GANGS) for quarter in range(4))
"""Quarter -> gangs and prices."""

FREE_OFFERS = tuple((gang, 0) for gang in GANGS)


def hire(after: GangsBuilder, *, free: bool = False) -> Result:
    """Ask which bandit the seat on turn takes, if there is one to take."""
    # One for a recruit (rule 3.6), up to three on an empty space (rule 3.2).
    after.ask(Hire(1 if free else MOST_TAKEN, free))
    return _go_on(after)


def _go_on(after: GangsBuilder) -> Result:
    """Leave the question for the next bandit as it is, or finish the turn if none can be taken."""
    question = after.frames[-1]
    assert isinstance(question, Hire), "bandits are taken one after the other"
    # A seat that could only stop is not asked.
    if question.left and any(question.choices(after, after.before.on_turn)):
        return after.done()
    after.answered()
    return after.end_turn()


@dataclass(frozen=True, slots=True)
class Hire(Frame[GangsTable, Take | Stop]):
    """Which stack the next bandit is taken from; each is seen before the next question (rule 3.2).

    At most `left` can be taken, this one included.
    """

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

    def choices(self, table: GangsTable | GangsBuilder, seat: Seat) -> Iterator[Gang]:
        """The gangs whose stack is not empty and whose price a seat can pay."""
        # Asked of a position for its options, and of one in the making for whether there is a next question.
        purse, decks, tails = table.purses[seat], table.decks, table.tails
        for gang, price in FREE_OFFERS if self.free else OFFERS[table.quarter]:
            if price <= purse and (tails[gang.place] or any(decks[gang.place])):
                yield gang

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """The stacks that are not empty and can be paid, or no more."""
        seat = state.on_turn
        prompt = Text(TAKE_MORE_PROMPT if self.begun else TAKE_PROMPT, left=self.left)
        return (Decision(seat, prompt, (*(TAKE[gang] for gang in self.choices(state, seat)), STOP)),)

    def resolve(self, state: GangsTable, seat: Seat, action: Take | Stop) -> Result:
        """Pay; the top card is drawn, unless the whole stack lies in an order that everybody knows."""
        after = GangsBuilder(state)
        after.answered()
        if not isinstance(action, Take):
            after.tell(TookNoMore(seat) if self.begun else TookNone(seat))
            return after.end_turn()
        gang, price, following = action.gang, self.price(state, action.gang), Hire(self.left - 1, self.free)
        # Before the card is seen: all of a gang cost the same (rule 3.2).
        after.pay(seat, price)
        if any(state.decks[gang.place]):
            after.tell(Called(seat, gang))
            after.ask(Draw(gang, price), following)
            return after.done()
        # Everybody knows the top card of a tail (rule 4), so no luck is involved. The question comes before the bandit
        # joins, since `_go_on` looks at the question on top.
        after.ask(following)
        return _hired(after, state.tails[gang.place][0], price)

    def gloss(self, state: GangsTable, action: Take | Stop) -> Text | None:
        """What it brings and what it may cost, and how many are left."""
        if not isinstance(action, Take):
            return None
        gang, value = action.gang, VALUES[action.gang]
        if not any(state.decks[gang.place]):
            return Text("{thief} lies on top: it brings {value}", thief=state.tails[gang.place][0], value=value)
        worth = "brings {value}, or costs {fine} if arrested; {cards} on the stack"
        return Text(worth, value=value, fine=FINE * value, cards=state.stack(gang))

    def named(self, state: GangsTable, action: Take | Stop, field: str = "") -> Text:
        """`Red bandit for 40`, or nobody."""
        if not isinstance(action, Take):
            return Text("No more" if self.begun else "Nobody")
        price = self.price(state, action.gang)
        offer = "{gang:^} bandit for {price}" if price else "{gang:^} bandit, free"
        return Text(offer, gang=action.gang, price=price)

    def advice(self, state: GangsTable) -> tuple[Text, ...]:
        """What bandits are good for, and what they cost."""
        return VALUES_TOLD, hire_advice(state, self.free)

    def why_not(self, state: GangsTable, seat: Seat, action: Action) -> Refusal | None:
        """Name the empty stack or the price."""
        return refusals.take(state, seat, action)


TAKE_PROMPT = "Hire {left:a bandit|up to @ bandits}, or stop."
TAKE_MORE_PROMPT = "Hire {left:one more|up to @ more}, or stop."


def _hired(after: GangsBuilder, thief: Thief, price: int) -> Result:
    seat = after.before.on_turn
    after.draw(thief)
    after.join(seat, thief)
    bandits = together((thief,))
    after.tell(Hired(seat, bandits, Money(price)) if price else HiredFree(seat, bandits))
    return _go_on(after)


@dataclass(frozen=True, slots=True)
class Draw(TopCard[GangsTable, Appear]):
    """Luck turns up the top card of a stack, paid for already; the question below it goes on."""

    price: int

    def resolve(self, state: GangsTable, seat: Seat, action: Appear) -> Result:
        """It joins the seat on turn."""
        after = GangsBuilder(state)
        after.answered()
        return _hired(after, action.thief, self.price)

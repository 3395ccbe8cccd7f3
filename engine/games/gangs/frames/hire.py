"""The question of hiring bandits: up to three on an empty space, one for a graffito (rules 3.2 and 3.6)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core import Action, Decision, Frame, Refusal
from engine.games.gangs import refusals
from engine.games.gangs.builder import GangsBuilder, Result
from engine.games.gangs.data import FINE, MAX_HIRES, PRICES
from engine.games.gangs.events import Called, Hired, HiredFree, TookNoMore, group_cards
from engine.games.gangs.state import GangsTable
from engine.games.gangs.words import VALUES_ADVICE, hire_advice
from engine.texts import Seat, Text
from engine.town.actions import Appear, Stop, Take
from engine.town.data import VALUES, Gang, Thief
from engine.town.events import Money, TookNone
from engine.town.luck import TopCard
from engine.town.thieves import GANGS

STOP = Stop()
TAKE = {gang: Take(gang) for gang in GANGS}
OFFERS = tuple(tuple((gang, PRICES[gang][quarter]) for gang in GANGS) for quarter in range(4))
"""Quarter -> gangs with their prices."""

FREE_OFFERS = tuple((gang, 0) for gang in GANGS)


def hire(after: GangsBuilder, *, free: bool = False) -> Result:
    """Ask the seat on turn to hire bandits, or finish the turn if it cannot."""
    # One for a recruit (rule 3.6), up to three on an empty space (rule 3.2).
    after.ask(Hire(1 if free else MAX_HIRES, free))
    return _go_on(after)


def _go_on(after: GangsBuilder) -> Result:
    """Go on with the question on the stack, or finish the turn if its only option is to stop."""
    question = after.frames[-1]
    assert isinstance(question, Hire), "bandits are hired one at a time"
    if question.remaining and any(question.choices(after, after.before.on_turn)):
        return after.done()
    after.answered()
    return after.end_turn()


class Hire(Frame[GangsTable, Take | Stop]):
    """The stack from which the next bandit is taken; the seat sees each one before the next question (rule 3.2).

    At most `remaining` bandits can be taken, including this one.
    """

    rule = "3.2"

    remaining: int
    free: bool

    @property
    def has_taken(self) -> bool:
        """Whether the seat has already taken a bandit here."""
        return not self.free and self.remaining < MAX_HIRES

    def price(self, state: GangsTable, gang: Gang) -> int:
        """The price of a bandit."""
        return 0 if self.free else state.price(gang)

    def choices(self, table: GangsTable | GangsBuilder, seat: Seat) -> Iterator[Gang]:
        """The gangs whose stack is not empty and whose price the seat can pay."""
        # `table` is a position, for its options, or a builder, to decide whether there is a next question.
        purse, decks, tails = table.purses[seat], table.decks, table.tails
        for gang, price in FREE_OFFERS if self.free else OFFERS[table.quarter]:
            if price <= purse and (tails[gang.place] or any(decks[gang.place])):
                yield gang

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """The available and affordable stacks, or stop."""
        seat = state.on_turn
        prompt = Text(TAKE_MORE_PROMPT if self.has_taken else TAKE_PROMPT, left=self.remaining)
        return (Decision(seat, prompt, (*(TAKE[gang] for gang in self.choices(state, seat)), STOP)),)

    def resolve(self, state: GangsTable, seat: Seat, action: Take | Stop) -> Result:
        """Pay for a bandit. It is drawn, unless the order of the whole stack is public."""
        after = GangsBuilder(state)
        after.answered()
        if not isinstance(action, Take):
            after.tell(TookNoMore(seat) if self.has_taken else TookNone(seat))
            return after.end_turn()
        gang, price, following = action.gang, self.price(state, action.gang), Hire(self.remaining - 1, self.free)
        # Paid before the draw, since all bandits of a gang have the same price (rule 3.2).
        after.hired[seat] += after.pay(seat, price)
        if any(state.decks[gang.place]):
            after.tell(Called(seat, gang))
            after.ask(Draw(gang, price), following)
            return after.done()
        # The top card of a tail is public (rule 4), so it is not drawn. The next question is pushed before the bandit
        # joins, since `_go_on` looks at the top of the stack.
        after.ask(following)
        return _add_hired(after, state.tails[gang.place][0], price)

    def series(self, state: GangsTable) -> int:
        """The number of bandits that can still be taken."""
        return self.remaining

    def gloss(self, state: GangsTable, action: Take | Stop) -> Text | None:
        """The value, the fine, and the size of the stack."""
        if not isinstance(action, Take):
            return None
        gang, value = action.gang, VALUES[action.gang]
        if not any(state.decks[gang.place]):
            return Text("{thief} lies on top: it brings {value}", thief=state.tails[gang.place][0], value=value)
        worth = "brings {value}, or costs {fine} if arrested; {cards} on the stack"
        return Text(worth, value=value, fine=FINE * value, cards=state.stack(gang))

    def named(self, state: GangsTable, action: Take | Stop, field: str = "") -> Text:
        """`Red bandit for 40`, or `No bandit`."""
        if not isinstance(action, Take):
            return Text("No more" if self.has_taken else "No bandit")
        price = self.price(state, action.gang)
        offer = "{gang:^} bandit for {price}" if price else "{gang:^} bandit, free"
        return Text(offer, gang=action.gang, price=price)

    def advice(self, state: GangsTable) -> tuple[Text, ...]:
        """The value and the cost of bandits."""
        return VALUES_ADVICE, hire_advice(state, self.free)

    def why_not(self, state: GangsTable, seat: Seat, action: Action) -> Refusal | None:
        """Name the empty stack or the price."""
        return refusals.take(state, seat, action)


TAKE_PROMPT = "Hire {left:a bandit|up to @ bandits}, or stop."
TAKE_MORE_PROMPT = "Hire {left:one more|up to @ more}, or stop."


def _add_hired(after: GangsBuilder, thief: Thief, price: int) -> Result:
    seat = after.before.on_turn
    after.draw(thief)
    after.join(seat, thief)
    bandits = group_cards((thief,))
    after.tell(Hired(seat, bandits, Money(price)) if price else HiredFree(seat, bandits))
    return _go_on(after)


class Draw(TopCard[GangsTable, Appear]):
    """Turn up the top card of a stack, which is already paid for; then the question below goes on."""

    price: int

    def resolve(self, state: GangsTable, seat: Seat, action: Appear) -> Result:
        """Add the bandit to the seat on turn."""
        after = GangsBuilder(state)
        after.answered()
        return _add_hired(after, action.thief, self.price)

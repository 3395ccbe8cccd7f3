"""The questions about bandits in danger: two windows to return them, and two dice (rules 3.3 to 3.5)."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import ClassVar, TypeVar

from engine.core import Action, Aside, Decision, Frame, Refusal
from engine.games.gangs import refusals
from engine.games.gangs.actions import Black, Done, Offer, Return, White
from engine.games.gangs.builder import GangsBuilder, Result
from engine.games.gangs.data import MAX_OFFERS, RETURN_FEE
from engine.games.gangs.events import Alarm, BlackFell, BroughtBack, Offered, Risked, WhiteFell, group_cards
from engine.games.gangs.frames.trade import ChooseBuyer, Interrupted, Wish
from engine.games.gangs.raid import settle
from engine.games.gangs.state import Danger, GangsTable
from engine.games.gangs.words import (
    AFTER_BLACK,
    BEFORE_DICE,
    BEFORE_DICE_ONCE,
    RETURNING,
    bandit_name,
    odds_text,
    prospects,
    risk_text,
)
from engine.texts import CHANCE, Seat, Text
from engine.town.data import Gang
from engine.town.events import Money
from engine.town.thieves import DIE, THIEVES, line, sort_thieves

A = TypeVar("A", bound=Action)

DANGER = Aside(
    "danger",
    Text("what happens to my bandits in danger"),
    "3.4",
    decline=Done,
    declined=Text("Decline: risk them all"),
)

DONE = Done()
RETURN = {thief: Return(thief) for thief in THIEVES}
OFFER = {thief: Offer(thief) for thief in THIEVES}


def alarm(after: GangsBuilder, gangs: tuple[Gang, ...]) -> Result:
    """Stop on a space with jewels: all bandits of its gangs are in danger."""
    types = sort_thieves({thief for bandits in after.bandits for thief in bandits if thief.gang in gangs})
    # Without bandits in danger, there is neither a window nor a roll (rule 3.3).
    if not types:
        return after.end_turn()
    after.danger = Danger(gangs, types)
    after.tell(Alarm(tuple(dict.fromkeys(thief.gang for thief in types))))
    return _ask(after, after.before.clockwise)


# --- The windows -----------------------------------------------------------------------------------------------------


def _ask(after: GangsBuilder, order: tuple[Seat, ...]) -> Result:
    """Ask the next owner with an option to act, or close the window (rule 3.4)."""
    for place, seat in enumerate(order):
        if _can_act(after, seat, may_offer=True):
            after.ask(Window(seat, order[place + 1 :]))
            return after.done()
    return _close(after)


def _can_act(after: GangsBuilder, seat: Seat, may_offer: bool) -> bool:
    """Whether an owner has any option besides risking it."""
    # With trading, even an owner who cannot pay for a return has one (rule 3.8).
    able = after.purses[seat] >= RETURN_FEE or (may_offer and after.before.setup.options.trading)
    return able and after.in_danger(seat)


def _close(after: GangsBuilder) -> Result:
    """Close a window: roll the next die if any bandit is still in danger, otherwise settle the raid."""
    if any(map(after.in_danger, after.before.clockwise)):
        # The black die comes first (rule 3.3).
        after.ask(WHITE if after.present_danger.black else BLACK)
        return after.done()
    settle(after)
    return after.end_turn()


class Window(Interrupted[Return | Offer | Done]):
    """An owner's choice to return or offer a bandit in danger (rule 3.4). The seats in `then` are asked next."""

    rule, aside = "3.4", DANGER

    seat: Seat
    then: tuple[Seat, ...]
    offers: int = 0
    returned: bool = False
    wish: Wish | None = None

    @property
    def may_offer(self) -> bool:
        """Whether another offer is possible: at most two, and before the first return (rule 3.8)."""
        return self.offers < MAX_OFFERS and not self.returned

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """Return a bandit, offer one (with the option `trading`), or stop."""
        types = state.in_danger(self.seat)
        offering = types if state.setup.options.trading and self.may_offer else ()
        returning = types if state.purses[self.seat] >= RETURN_FEE else ()
        options = (*(RETURN[thief] for thief in returning), *(OFFER[thief] for thief in offering), DONE)
        single_prompt = RETURN_PROMPT if returning else OFFER_PROMPT
        return (Decision(self.seat, RETURN_OR_OFFER_PROMPT if returning and offering else single_prompt, options),)

    def resolve(self, state: GangsTable, seat: Seat, action: Return | Offer | Done) -> Result:
        """Return a bandit, offer it, or risk it."""
        after = GangsBuilder(state)
        after.answered()
        match action:
            case Return(thief):
                after.bring_back(seat, thief)
                after.returned[seat] += after.pay(seat, RETURN_FEE)
                after.tell(BroughtBack(seat, group_cards((thief,)), Money(RETURN_FEE)))
                # There are no more offers in this window (rule 3.8).
                again = Window(seat, self.then, self.offers, returned=True)
                after.ask(again)
                return again.go_on(after)
            case Offer(thief):
                after.tell(Offered(seat, thief))
                # The window stays on the stack and goes on after the answer (rule 3.8).
                after.ask(ChooseBuyer(seat, thief), replace(self, offers=self.offers + 1))
                return after.done()
        after.tell(Risked(seat))
        return _ask(after, self.then)

    def go_on(self, after: GangsBuilder, wish: Wish | None = None) -> Result:
        """Ask the same owner again if they can still act."""
        after.answered()
        if _can_act(after, self.seat, self.may_offer):
            after.ask(replace(self, wish=wish))
            return after.done()
        return _ask(after, self.then)

    def gloss(self, state: GangsTable, action: Return | Offer | Done) -> Text | None:
        """The odds and the cost of an arrest, if the bandit is not returned or sold."""
        if isinstance(action, Done):
            return risk_text(state, self.seat)
        return Text("otherwise, {prospects}", prospects=prospects(state, self.seat, action.bandit))

    def named(self, state: GangsTable, action: Return | Offer | Done, field: str = "") -> Text | None:
        """`Red bandit 3, returned for 20`; for the field, only the bandit."""
        match action:
            case Done():
                return self._risk_label(state)
            case Return(thief) | Offer(thief) if field:
                return bandit_name(thief)
            case Return(thief):
                return Text("{bandit}, returned for {fee}", bandit=bandit_name(thief), fee=RETURN_FEE)
            case Offer(thief):
                return Text("{bandit}, offered to somebody", bandit=bandit_name(thief))

    def _risk_label(self, state: GangsTable) -> Text:
        if sum(state.bandits[self.seat].count(thief) for thief in state.in_danger(self.seat)) == 1:
            return Text("Risk it")
        return Text("Risk the others" if self.returned else "Risk them all")

    def advice(self, state: GangsTable) -> tuple[Text, ...]:
        """Advice on whether to return bandits now."""
        if state.danger and state.danger.black:
            return AFTER_BLACK, RETURNING
        return (BEFORE_DICE if state.setup.options.second_window else BEFORE_DICE_ONCE), RETURNING

    def why_not(self, state: GangsTable, seat: Seat, action: Action) -> Refusal | None:
        """Name the bandit that is safe or absent."""
        return refusals.window(state, seat, action, self.may_offer)


RETURN_PROMPT = Text("Return a bandit, or risk it.")
OFFER_PROMPT = Text("Offer a bandit, or risk it.")
RETURN_OR_OFFER_PROMPT = Text("Return or offer a bandit, or risk it.")


# --- The dice --------------------------------------------------------------------------------------------------------


class Die(Frame[GangsTable, A]):
    """The roll of a die (rule 3.3)."""

    roll: ClassVar[Decision]

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """Six equally likely faces."""
        return (self.roll,)

    def sample(self, state: GangsTable, rng: Random) -> Action:
        """Draw a face without building a list of weights."""
        return rng.choice(self.roll.options)

    def odds(self, state: GangsTable) -> Text:
        """The number of possible numbers that arrest bandits of each owner."""
        return odds_text(state)


class BlackDie(Die[Black]):
    """The black die, which selects the line."""

    roll = Decision(CHANCE, Text("The black die is rolled first."), tuple(map(Black, DIE)))

    def resolve(self, state: GangsTable, seat: Seat, action: Black) -> Result:
        """Types without a mark in the line are safe; owners may still return the others."""
        after = GangsBuilder(state)
        after.answered()
        after.danger = after.present_danger._replace(black=action.pips)
        after.tell(BlackFell(action.pips, *line(action.pips)))
        # Without the second window, the white die follows at once (rule 5).
        return _ask(after, after.before.clockwise) if state.setup.options.second_window else _close(after)


class WhiteDie(Die[White]):
    """The white die, which selects the column."""

    roll = Decision(CHANCE, Text("Then the white die is rolled."), tuple(map(White, DIE)))

    def resolve(self, state: GangsTable, seat: Seat, action: White) -> Result:
        """Arrest the bandits that bear the number; the others bring loot."""
        after = GangsBuilder(state)
        after.answered()
        after.danger = after.present_danger._replace(white=action.pips)
        after.tell(WhiteFell(action.pips, after.danger.number))
        settle(after)
        return after.end_turn()


BLACK, WHITE = BlackDie(), WhiteDie()

"""Bandits in danger: two windows to bring them back, two dice, arrests and raids (rules 3.3 to 3.5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar, TypeVar

from engine.core import Action, Aside, Decision, Frame, Refusal
from engine.games.gangs import refusals
from engine.games.gangs.actions import Black, Done, Offer, Return, White
from engine.games.gangs.builder import GangsBuilder, Result
from engine.games.gangs.data import MOST_OFFERS, RETURN_FEE
from engine.games.gangs.events import Alarm, BlackFell, BroughtBack, Offered, Risked, WhiteFell, together
from engine.games.gangs.frames.trade import ChooseBuyer, Interrupted, Wish
from engine.games.gangs.raid import settle
from engine.games.gangs.state import Danger, GangsTable
from engine.games.gangs.words import (
    AFTER_BLACK,
    BEFORE_DICE,
    BEFORE_DICE_ONCE,
    RETURNING,
    named,
    odds_told,
    prospects,
    risk_told,
)
from engine.texts import CHANCE, Seat, Text
from engine.town.data import Gang
from engine.town.events import Money
from engine.town.thieves import DIE, THIEVES, in_order, line

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
    """Step on a space with jewels: everybody's bandits of its gangs are in danger."""
    types = in_order({thief for bandits in after.bandits for thief in bandits if thief.gang in gangs})
    # Neither a window nor a roll if nobody's bandits are in danger (rule 3.3).
    if not types:
        return after.end_turn()
    after.danger = Danger(gangs, types)
    after.tell(Alarm(tuple(dict.fromkeys(thief.gang for thief in types))))
    return _ask(after, after.before.clockwise)


# --- The windows -----------------------------------------------------------------------------------------------------


def _ask(after: GangsBuilder, order: tuple[Seat, ...]) -> Result:
    """Ask the next owner who can do something, or close the window (rule 3.4)."""
    for place, seat in enumerate(order):
        if _can_act(after, seat, may_offer=True):
            after.ask(Window(seat, order[place + 1 :]))
            return after.done()
    return _close(after)


def _can_act(after: GangsBuilder, seat: Seat, may_offer: bool) -> bool:
    """Whether an owner can do anything but risk it."""
    # With trading, an owner who cannot pay for a return is asked as well (rule 3.8).
    able = after.purses[seat] >= RETURN_FEE or (may_offer and after.before.setup.options.trading)
    return able and after.in_danger(seat)


def _close(after: GangsBuilder) -> Result:
    """After a window: the next die, if a card is left that it could strike, or the raid."""
    if any(map(after.in_danger, after.before.clockwise)):
        # The black die first (rule 3.3).
        after.ask(WHITE if after.present_danger.black else BLACK)
        return after.done()
    settle(after)
    return after.end_turn()


@dataclass(frozen=True, slots=True)
class Window(Interrupted[Return | Offer | Done]):
    """What an owner does about the bandits in danger, one card at a time (rule 3.4). Those of `then` are asked next."""

    rule, aside = "3.4", DANGER

    seat: Seat
    then: tuple[Seat, ...]
    offers: int = 0
    returned: bool = False
    wish: Wish | None = None

    @property
    def may_offer(self) -> bool:
        """Offers come before returns, and there are two at most (rule 3.8)."""
        return self.offers < MOST_OFFERS and not self.returned

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """Return one, offer one with the option `trading`, or no more."""
        types = state.in_danger(self.seat)
        offering = types if state.setup.options.trading and self.may_offer else ()
        returning = types if state.purses[self.seat] >= RETURN_FEE else ()
        options = (*(RETURN[thief] for thief in returning), *(OFFER[thief] for thief in offering), DONE)
        one = RETURN_PROMPT if returning else OFFER_PROMPT
        return (Decision(self.seat, RETURN_OR_OFFER_PROMPT if returning and offering else one, options),)

    def resolve(self, state: GangsTable, seat: Seat, action: Return | Offer | Done) -> Result:
        """Bring a bandit back, hold it out, or let fate decide."""
        after = GangsBuilder(state)
        after.answered()
        match action:
            case Return(thief):
                after.bring_back(seat, thief)
                after.pay(seat, RETURN_FEE)
                after.tell(BroughtBack(seat, together((thief,)), Money(RETURN_FEE)))
                # No more offers in this window (rule 3.8).
                again = Window(seat, self.then, self.offers, returned=True)
                after.ask(again)
                return again.go_on(after)
            case Offer(thief):
                after.tell(Offered(seat, thief))
                # The window waits below, and goes on after the answer (rule 3.8).
                after.ask(ChooseBuyer(seat, thief), replace(self, offers=self.offers + 1))
                return after.done()
        after.tell(Risked(seat))
        return _ask(after, self.then)

    def go_on(self, after: GangsBuilder, wish: Wish | None = None) -> Result:
        """Ask the same owner again, if there is still something to do."""
        after.answered()
        if _can_act(after, self.seat, self.may_offer):
            after.ask(replace(self, wish=wish))
            return after.done()
        return _ask(after, self.then)

    def gloss(self, state: GangsTable, action: Return | Offer | Done) -> Text | None:
        """How likely an arrest is, and what it would cost."""
        return risk_told(state, self.seat) if isinstance(action, Done) else prospects(state, self.seat, action.thief)

    def named(self, state: GangsTable, action: Return | Offer | Done, field: str = "") -> Text | None:
        """`Red bandit 3, returned for 20`; the bandit alone for the field."""
        match action:
            case Done():
                return Text("Risk the others" if self.returned else "Risk them all")
            case Return(thief) | Offer(thief) if field:
                return named(thief)
            case Return(thief):
                return Text("{bandit}, returned for {fee}", bandit=named(thief), fee=RETURN_FEE)
            case Offer(thief):
                return Text("{bandit}, offered to somebody", bandit=named(thief))

    def advice(self, state: GangsTable) -> tuple[Text, ...]:
        """Whether to return now or to wait."""
        if state.danger and state.danger.black:
            return AFTER_BLACK, RETURNING
        return (BEFORE_DICE if state.setup.options.second_window else BEFORE_DICE_ONCE), RETURNING

    def why_not(self, state: GangsTable, seat: Seat, action: Action) -> Refusal | None:
        """Name the bandit that is safe or not there."""
        return refusals.window(state, seat, action, self.may_offer)


RETURN_PROMPT = Text("Return a bandit, or risk it.")
OFFER_PROMPT = Text("Offer a bandit, or risk it.")
RETURN_OR_OFFER_PROMPT = Text("Return or offer a bandit, or risk it.")


# --- The dice --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Die(Frame[GangsTable, A]):
    """Luck rolls a die (rule 3.3)."""

    roll: ClassVar[Decision]

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """Six faces, one as likely as the other."""
        return (self.roll,)

    def sample(self, state: GangsTable, rng: Random) -> Action:
        """The same, without building a list of weights."""
        return rng.choice(self.roll.options)

    def odds(self, state: GangsTable) -> Text:
        """How many of the numbers that are left arrest whose bandits."""
        return odds_told(state)


@dataclass(frozen=True, slots=True)
class BlackDie(Die[Black]):
    """The black die: the line."""

    roll = Decision(CHANCE, Text("The black die is rolled."), tuple(map(Black, DIE)))

    def resolve(self, state: GangsTable, seat: Seat, action: Black) -> Result:
        """Who has no mark in the line is safe; the others may still be brought back."""
        after = GangsBuilder(state)
        after.answered()
        after.danger = after.present_danger._replace(black=action.pips)
        after.tell(BlackFell(action.pips, *line(action.pips)))
        # Without the second window the white die follows at once (rule 5).
        return _ask(after, after.before.clockwise) if state.setup.options.second_window else _close(after)


@dataclass(frozen=True, slots=True)
class WhiteDie(Die[White]):
    """The white die: the place in the line."""

    roll = Decision(CHANCE, Text("The white die is rolled."), tuple(map(White, DIE)))

    def resolve(self, state: GangsTable, seat: Seat, action: White) -> Result:
        """Arrest who bears the number; the others make their raid."""
        after = GangsBuilder(state)
        after.answered()
        after.danger = after.present_danger._replace(white=action.pips)
        after.tell(WhiteFell(action.pips, after.danger.number))
        settle(after)
        return after.end_turn()


BLACK, WHITE = BlackDie(), WhiteDie()

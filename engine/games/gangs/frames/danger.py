"""Bandits in danger: two windows to bring them back, two dice, arrests and raids (rules 3.3 to 3.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from engine.core import Action, Decision, Frame, Refusal
from engine.games.gangs import refusals
from engine.games.gangs.actions import Black, Done, Offer, Return, White
from engine.games.gangs.data import MOST_OFFERS, RETURN_FEE
from engine.games.gangs.draft import Draft, Result
from engine.games.gangs.events import Alarm, BlackFell, BroughtBack, Offered, Risked, WhiteFell
from engine.games.gangs.flow import end_turn
from engine.games.gangs.frames.trade import ChooseBuyer, Interrupted
from engine.games.gangs.raid import settle
from engine.games.gangs.state import Danger, GangsTable
from engine.texts import CHANCE, Seat
from engine.town.events import Money
from engine.town.thieves import GANG_NUMBER, NUMBER, THIEVES, TYPES, gang_of

DONE = Done()
RETURNS = tuple(Return(thief) for thief in THIEVES)
OFFERS = tuple(Offer(thief) for thief in THIEVES)
DIE = range(1, 7)


def alarm(draft: Draft) -> Result:
    """Step on a space with jewels: everybody's bandits of its gangs are in danger."""
    gangs = tuple(GANG_NUMBER[gang] for gang in draft.space.jewels)
    types = tuple(n for n in range(TYPES) if n // 4 in gangs and any(owned[n] for owned in draft.owned))
    if not types:
        return end_turn(draft)
    draft.danger = Danger(gangs, types)
    draft.events.append(Alarm(tuple(dict.fromkeys(gang_of(THIEVES[n]) for n in types))))
    return _ask(draft, draft.clockwise())


def in_danger(draft: Draft, seat: Seat) -> tuple[int, ...]:
    """The types of a seat that are in danger now."""
    danger = draft.danger
    assert danger is not None, "there is a window only in danger"
    owned = draft.owned[seat]
    return tuple([n for n in danger.types if owned[n] and danger.threatens(n)])


# --- The windows -----------------------------------------------------------------------------------------------------


def _ask(draft: Draft, order: tuple[Seat, ...]) -> Result:
    """Ask the next owner who can do something, or close the window (rule 3.4)."""
    for place, seat in enumerate(order):
        window = Window(seat, order[place + 1 :])
        if _open(draft, window):
            return draft.asking(window)
    return _close(draft)


def _open(draft: Draft, window: Window) -> bool:
    if not in_danger(draft, window.seat):
        return False
    return draft.purses[window.seat] >= RETURN_FEE or (draft.setup.options.trading and window.may_offer)


def _close(draft: Draft) -> Result:
    """After a window: the next die, if a card is left that it could strike, or the raid."""
    danger = draft.danger
    assert danger is not None, "there is a window only in danger"
    if any(in_danger(draft, seat) for seat in draft.clockwise()):
        return draft.asking(WHITE if danger.black else BLACK)
    settle(draft)
    return end_turn(draft)


@dataclass(frozen=True, slots=True)
class Window(Interrupted[Return | Offer | Done]):
    """What an owner does about the bandits in danger, one card at a time (rule 3.4). `then` are asked after."""

    rule = "3.4"

    seat: Seat
    then: tuple[Seat, ...]
    offers: int = 0
    returned: bool = False

    @property
    def may_offer(self) -> bool:
        """Offers come before returns, and there are two at most (rule 3.8)."""
        return self.offers < MOST_OFFERS and not self.returned

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """Return one, offer one with the option `trading`, or no more."""
        types = state.in_danger(self.seat)
        offering = types if state.setup.options.trading and self.may_offer else ()
        returning = types if state.purses[self.seat] >= RETURN_FEE else ()
        return _window(self.seat, returning, offering)

    def resolve(self, state: GangsTable, seat: Seat, action: Return | Offer | Done) -> Result:
        """Bring a bandit back, hold it out, or let fate decide."""
        draft = Draft(state)
        match action:
            case Return(thief):
                draft.bring_back(seat, NUMBER[thief])
                draft.pay(seat, -RETURN_FEE)
                draft.events.append(BroughtBack(seat, thief, Money(RETURN_FEE)))
                return Window(seat, self.then, self.offers, True).go_on(draft)
            case Offer(thief):
                draft.events.append(Offered(seat, thief))
                return draft.asking(Window(seat, self.then, self.offers + 1), ChooseBuyer(seat, thief))
        draft.events.append(Risked(seat))
        return _ask(draft, self.then)

    def go_on(self, draft: Draft) -> Result:
        """Ask the same owner again, if there is still something to do."""
        return draft.asking(self) if _open(draft, self) else _ask(draft, self.then)

    def gloss(self, state: GangsTable, action: Return | Offer | Done, names: Sequence[str]) -> str:
        """How many there are, and what an arrest would cost."""
        return "" if isinstance(action, Done) else refusals.at_stake(state, self.seat, action.thief)

    def why_not(self, state: GangsTable, seat: Seat, action: Action) -> Refusal | None:
        """Name the bandit that is safe or not there."""
        return refusals.window(state, seat, action, self.may_offer)


@lru_cache(maxsize=512)
def _window(seat: Seat, returning: tuple[int, ...], offering: tuple[int, ...]) -> tuple[Decision, ...]:
    options = (*(RETURNS[n] for n in returning), *(OFFERS[n] for n in offering), DONE)
    ways = [word for word, types in (("return one", returning), ("offer one", offering)) if types]
    return (Decision(seat, f"Bandits of yours are in danger: {', '.join(ways)}, or risk it.", options),)


# --- The dice --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BlackDie(Frame[GangsTable, Black]):
    """Luck rolls the black die: the line (rule 3.3)."""

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """Six lines."""
        return BLACK_ROLL

    def sample(self, state: GangsTable, rng: Random) -> Action:
        """The same, without building a list of weights."""
        return rng.choice(BLACK_ROLL[0].options)

    def resolve(self, state: GangsTable, seat: Seat, action: Black) -> Result:
        """Who has no mark in the line is safe; the others may still be brought back."""
        assert state.danger is not None, "there is a die only in danger"
        draft = Draft(state)
        draft.danger = Danger(state.danger.gangs, state.danger.types, action.pips)
        draft.events.append(BlackFell(action.pips, 6 * action.pips - 5, 6 * action.pips))
        return _ask(draft, draft.clockwise()) if state.setup.options.second_window else _close(draft)


@dataclass(frozen=True, slots=True)
class WhiteDie(Frame[GangsTable, White]):
    """Luck rolls the white die: the place in the line (rule 3.3)."""

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """Six places."""
        return WHITE_ROLL

    def sample(self, state: GangsTable, rng: Random) -> Action:
        """The same, without building a list of weights."""
        return rng.choice(WHITE_ROLL[0].options)

    def resolve(self, state: GangsTable, seat: Seat, action: White) -> Result:
        """Arrest who bears the number; the others make their raid."""
        assert state.danger is not None, "there is a die only in danger"
        draft = Draft(state)
        draft.danger = Danger(state.danger.gangs, state.danger.types, state.danger.black, action.pips)
        draft.events.append(WhiteFell(action.pips, draft.danger.number))
        settle(draft)
        return end_turn(draft)


BLACK, WHITE = BlackDie(), WhiteDie()
BLACK_ROLL = (Decision(CHANCE, "The black die is rolled.", tuple(map(Black, DIE))),)
WHITE_ROLL = (Decision(CHANCE, "The white die is rolled.", tuple(map(White, DIE))),)

"""What lies in the cave: the question that opens a turn (rules 3.3 and 3.4)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from engine.core import Action, Decision, Frame, Refusal
from engine.games.alibaba import refusals
from engine.games.alibaba.actions import Extend, Steal
from engine.games.alibaba.builder import CaveBuilder, Result
from engine.games.alibaba.data import CAVE, MOST_TURNS
from engine.games.alibaba.events import Extended, LetLie, StayedOut, Stole
from engine.games.alibaba.frames.walk import WALKING
from engine.games.alibaba.state import Cave
from engine.games.alibaba.words import last_turn, safe_when, stake_of
from engine.texts import Seat, Text
from engine.town.events import Money


@dataclass(frozen=True, slots=True)
class Stake(Frame[Cave, Steal | Extend]):
    """Phase 1: steal, or extend what lies in the cave. It lies below all other questions of a turn."""

    rule = "3.3"

    def decisions(self, state: Cave) -> tuple[Decision, ...]:
        """As many turns as there can still be; 0 is nothing."""
        seat = state.on_turn
        if not state.in_cave(seat):
            return _steal(seat, min(MOST_TURNS, state.left))
        return _extend(seat, max(0, min(MOST_TURNS, state.left - state.turns_left(seat))))

    def resolve(self, state: Cave, seat: Seat, action: Steal | Extend) -> Result:
        """Put the stake in danger; then a card is played."""
        after = CaveBuilder(state)
        match action:
            case Steal(turns=0):
                after.tell(StayedOut(seat))
            case Steal(turns=turns):
                _steal_for(after, seat, turns)
            case Extend(turns=0):
                after.tell(LetLie(seat))
            case Extend(turns=turns):
                _extend_by(after, seat, turns)
        after.ask(WALKING)
        return after.done()

    def gloss(self, state: Cave, action: Steal | Extend) -> Text:
        """The amount, and when it is safe."""
        stake, more = state.stakes[state.on_turn], Money(CAVE[action.turns])
        safe = safe_when(state, action.turns)
        match action:
            case Steal(turns=0):
                return Text("nothing")
            case Extend(turns=0):
                return Text("{stake} as it is, {safe}", stake=stake_of(stake), safe=safe)
            case Steal(turns=turns):
                return Text("{amount}: this turn and {turns} more, {safe}", amount=more, turns=turns, safe=safe)
            case Extend():
                return Text("{more} more makes {amount}, {safe}", more=more, amount=Money(stake + more), safe=safe)

    def why_not(self, state: Cave, seat: Seat, action: Action) -> Refusal | None:
        """Name the stake or the limit in the way."""
        return refusals.stake(state, seat, action)


def _steal_for(after: CaveBuilder, seat: Seat, turns: int) -> None:
    safe_after = after.turn + turns
    after.set_stake(seat, CAVE[turns], safe_after)
    after.tell(Stole(seat, Money(CAVE[turns]), turns, *last_turn(after.turn, safe_after, after.before.seats)))


def _extend_by(after: CaveBuilder, seat: Seat, turns: int) -> None:
    left, amount = after.before.turns_left(seat) + turns, after.stakes[seat] + CAVE[turns]
    safe_after = after.turn + left
    after.set_stake(seat, amount, safe_after)
    last = last_turn(after.turn, safe_after, after.before.seats)
    after.tell(Extended(seat, Money(CAVE[turns]), Money(amount), left, *last))


@lru_cache(maxsize=128)
def _steal(seat: Seat, most: int) -> tuple[Decision, ...]:
    prompt = Text("Steal: choose for how many turns after this one the treasure stays in danger, or 0 for nothing.")
    return (Decision(seat, prompt, tuple(Steal(turns) for turns in range(most + 1))),)


@lru_cache(maxsize=128)
def _extend(seat: Seat, most: int) -> tuple[Decision, ...]:
    prompt = Text("Extend your stake in the cave by some turns, or by 0 to let it lie.")
    return (Decision(seat, prompt, tuple(Extend(turns) for turns in range(most + 1))),)

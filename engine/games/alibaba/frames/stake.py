"""What lies in the cave: the question that opens a turn (rules 3.3 and 3.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.core import Action, Decision, Frame, Refusal
from engine.games.alibaba import refusals
from engine.games.alibaba.actions import Extend, Steal
from engine.games.alibaba.data import CAVE, MOST_TURNS
from engine.games.alibaba.draft import Draft, Result
from engine.games.alibaba.events import Extended, LetLie, StayedOut, Stole
from engine.games.alibaba.frames.walk import WALKING
from engine.games.alibaba.state import Cave
from engine.games.alibaba.words import last_turn, lying, safe_when
from engine.texts import Seat
from engine.town.events import Money, money


@dataclass(frozen=True, slots=True)
class Stake(Frame[Cave, Steal | Extend]):
    """Phase 1: steal, or extend what lies in the cave. It lies below all other questions of a turn."""

    rule = "3.3"

    def decisions(self, state: Cave) -> tuple[Decision, ...]:
        """As many turns as there can still be; 0 is nothing."""
        seat = state.on_turn
        due = state.dues[seat]
        if due is None:
            return _steal(seat, min(MOST_TURNS, state.left))
        return _extend(seat, max(0, min(MOST_TURNS, state.left - due + state.turn)))

    def resolve(self, state: Cave, seat: Seat, action: Steal | Extend) -> Result:
        """Put the stake in danger; then a card is played."""
        draft = Draft(state)
        match action:
            case Steal(turns=0):
                draft.events.append(StayedOut(seat))
            case Steal(turns=turns):
                due = state.turn + turns
                draft.stake(seat, CAVE[turns], due)
                draft.events.append(Stole(seat, Money(CAVE[turns]), turns, *last_turn(state.turn, due, state.seats)))
            case Extend(turns=0):
                draft.events.append(LetLie(seat))
            case Extend(turns=turns):
                _extend_stake(draft, seat, turns)
        return draft.asking(WALKING)

    def gloss(self, state: Cave, action: Steal | Extend, names: Sequence[str]) -> str:
        """The amount, and when it is safe."""
        match action:
            case Steal(turns=0):
                return "nothing"
            case Extend(turns=0):
                return f"{lying(state.stakes[state.on_turn])} as it is, {safe_when(state, 0, names)}"
            case Steal(turns=turns):
                return f"{money(CAVE[turns])}: this turn and {turns} more, {safe_when(state, turns, names)}"
            case Extend(turns=turns):
                amount = state.stakes[state.on_turn] + CAVE[turns]
                return f"{money(CAVE[turns])} more makes {money(amount)}, {safe_when(state, turns, names)}"

    def why_not(self, state: Cave, seat: Seat, action: Action) -> Refusal | None:
        """Name the stake or the limit in the way."""
        return refusals.stake(state, seat, action)


def _extend_stake(draft: Draft, seat: Seat, turns: int) -> None:
    lying_until = draft.dues[seat]
    assert lying_until is not None, "only a stake in the cave can be extended"
    due, amount = lying_until + turns, draft.stakes[seat] + CAVE[turns]
    draft.stake(seat, amount, due)
    last = last_turn(draft.turn, due, draft.setup.seats)
    draft.events.append(Extended(seat, Money(CAVE[turns]), Money(amount), due - draft.turn, *last))


@lru_cache(maxsize=128)
def _steal(seat: Seat, most: int) -> tuple[Decision, ...]:
    prompt = "Steal: choose for how many turns after this one the treasure stays in danger, or 0 for nothing."
    return (Decision(seat, prompt, tuple(Steal(turns) for turns in range(most + 1))),)


@lru_cache(maxsize=128)
def _extend(seat: Seat, most: int) -> tuple[Decision, ...]:
    prompt = "Extend your stake in the cave by some turns, or by 0 to let it lie."
    return (Decision(seat, prompt, tuple(Extend(turns) for turns in range(most + 1))),)

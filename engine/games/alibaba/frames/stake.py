"""The question that opens a turn: steal, or extend the stake (rules 3.3 and 3.4)."""

from __future__ import annotations

from engine.core import Action, Decision, Frame, Refusal
from engine.games.alibaba import refusals
from engine.games.alibaba.actions import Extend, Steal
from engine.games.alibaba.builder import CaveBuilder, Result
from engine.games.alibaba.data import CAVE, MAX_TURNS
from engine.games.alibaba.events import Extended, LetLie, StayedOut, Stole
from engine.games.alibaba.frames.walk import WALKING
from engine.games.alibaba.state import Cave
from engine.games.alibaba.words import extend_name, safe_text, stake_advice, stake_text, steal_name
from engine.texts import Seat, Text
from engine.town.events import Money


class Stake(Frame[Cave, Steal | Extend]):
    """Phase 1: steal, or extend the stake in the cave. This frame is below all others of a turn."""

    rule = "3.3"

    def decisions(self, state: Cave) -> tuple[Decision, ...]:
        """A number of turns up to those that can still follow, or 0."""
        seat = state.on_turn
        if not state.in_cave(seat):
            # One turn more than possible, since every card walks at least one step (rule 6).
            most = min(MAX_TURNS, state.steps_left)
            return (Decision(seat, _STEAL, tuple([Steal(turns) for turns in range(most + 1)])),)
        # The game may end before the stake is safe, so the difference may be negative. The sum may exceed 12 turns
        # (rule 3.4).
        most = max(0, min(MAX_TURNS, state.steps_left - state.turns_left(seat)))
        return (Decision(seat, _EXTEND, tuple([Extend(turns) for turns in range(most + 1)]), usual=_LET_LIE),)

    def resolve(self, state: Cave, seat: Seat, action: Steal | Extend) -> Result:
        """Put the stake into the cave; then ask for a card."""
        # No `answered()`: this frame stays on the stack for the next turn.
        after = CaveBuilder(state)
        match action:
            case Steal(turns=0):
                after.tell(StayedOut(seat))
            case Steal(turns=turns):
                after.set_stake(seat, CAVE[turns], after.turn + turns)
                after.tell(Stole(seat, Money(CAVE[turns]), turns))
            case Extend(turns=0):
                after.tell(LetLie(seat))
            case Extend(turns=turns):
                # The added turns are paid by the table from 1 on (rule 3.4).
                total, amount = state.turns_left(seat) + turns, state.stakes[seat] + CAVE[turns]
                after.set_stake(seat, amount, after.turn + total)
                after.tell(Extended(seat, Money(CAVE[turns]), Money(amount), total))
        after.ask(WALKING)
        return after.done()

    def gloss(self, state: Cave, action: Steal | Extend) -> Text:
        """The turn after which the stake is safe."""
        stake, safe = state.stakes[state.on_turn], safe_text(state, state.on_turn, action.turns)
        match action:
            case Steal(turns=0):
                return Text("no thief can catch you")
            case Extend(turns=0):
                return Text("{stake}, {safe}", stake=stake_text(stake), safe=safe)
            case Steal():
                return safe
            case Extend(turns=turns):
                return Text("makes {amount} in all, {safe}", amount=Money(stake + CAVE[turns]), safe=safe)

    def named(self, state: Cave, action: Steal | Extend, field: str = "") -> Text:
        """`28,000 for 7 more turns`, also for the field."""
        return steal_name(action.turns) if isinstance(action, Steal) else extend_name(action.turns)

    def advice(self, state: Cave) -> tuple[Text, ...]:
        """Good lengths of stay, and the risks ahead."""
        return stake_advice(state)

    def why_not(self, state: Cave, seat: Seat, action: Action) -> Refusal | None:
        """Name the existing stake or the limit."""
        return refusals.stake(state, seat, action)


_STEAL = Text("Steal: for how many more turns?")
_EXTEND = Text("Extend your stake, or not.")
_LET_LIE = Extend(0)

"""Choosing colors once the pawns are laid out (rule 3.4)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.core import Action, Decision, Event, Refusal
from engine.games.jinns import refusals
from engine.games.jinns.actions import Choose
from engine.games.jinns.events import Chose, StaysNeutral
from engine.games.jinns.frames.turn import begin
from engine.games.jinns.options import NEUTRAL
from engine.games.jinns.pawns import COLORS
from engine.games.jinns.state import Jinns, Question
from engine.texts import Seat

_CHOICES = tuple(map(Choose, COLORS))


@dataclass(frozen=True, slots=True)
class Choosing(Question[Choose]):
    """Which free color a seat plays. The last seat chooses first, the first one last; two players go round twice."""

    rule = "3.4"

    def decisions(self, state: Jinns) -> tuple[Decision, ...]:
        """The colors without an owner."""
        options = tuple(choice for n, choice in enumerate(_CHOICES) if state.neutral >> n & 1)
        return (Decision(state.turn, "Choose a color to play.", options),)

    def resolve(self, state: Jinns, seat: Seat, action: Choose) -> tuple[Jinns, tuple[Event, ...]]:
        """Take it; the next one chooses, or the game begins."""
        mask = 1 << COLORS.index(action.color)
        owned = (*state.owned[:seat], state.owned[seat] | mask, *state.owned[seat + 1 :])
        after = replace(state, owned=owned, turn=Seat((seat - 1) % state.seats))
        chose = Chose(seat, action.color)
        free = [color for n, color in enumerate(COLORS) if after.neutral >> n & 1]
        if len(free) > (state.seats == NEUTRAL):
            return after, (chose,)
        after = replace(after, frames=state.frames[:-1])
        return begin(after, chose, *map(StaysNeutral, free))

    def why_not(self, state: Jinns, seat: Seat, action: Action) -> Refusal | None:
        """Name the owner."""
        return refusals.choosing(state, action)

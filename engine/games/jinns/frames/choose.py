"""The question about colors after a random setup (rule 3.4)."""

from __future__ import annotations

from engine.core import Action, Decision, Event, Refusal
from engine.games.jinns import words
from engine.games.jinns.actions import Choose
from engine.games.jinns.builder import JinnsBuilder
from engine.games.jinns.events import Chose, StaysNeutral
from engine.games.jinns.options import NEUTRAL
from engine.games.jinns.pawns import colors_in, mask_of, neutral_colors
from engine.games.jinns.state import Jinns, Question
from engine.texts import Seat, Text

_PROMPT = Text("Choose a color to play.")


class Choosing(Question[Choose]):
    """The choice of a color, from the last seat to the first; with two players, twice."""

    rule = "3.4"

    def decisions(self, state: Jinns) -> tuple[Decision, ...]:
        """The colors without an owner."""
        return (Decision(state.turn, _PROMPT, tuple(map(Choose, colors_in(state.neutral)))),)

    def resolve(self, state: Jinns, seat: Seat, action: Choose) -> tuple[Jinns, tuple[Event, ...]]:
        """Assign the color; then the next seat chooses, or the game begins."""
        after = JinnsBuilder(state)
        after.owned[seat] |= mask_of([action.color])
        # From the last seat to the first one (rule 3.4).
        after.turn = Seat((seat - 1) % state.seats)
        after.tell(Chose(seat, action.color))
        free = colors_in(neutral_colors(after.owned))
        # With three players, one color stays neutral (rule 3.4).
        unassigned = 1 if state.seats == NEUTRAL else 0
        if len(free) == unassigned:
            after.tell(*map(StaysNeutral, free))
            after.begin()
        return after.done()

    def gloss(self, state: Jinns, action: Choose) -> Text:
        """The position of the color."""
        return words.color_gloss(state, action)

    def advice(self, state: Jinns) -> tuple[Text, ...]:
        """The role of colors."""
        return words.FOR_GOOD, words.LEFT_OVER if state.seats == NEUTRAL else words.LOOK_WHERE

    def why_not(self, state: Jinns, seat: Seat, action: Action) -> Refusal | None:
        """Say that the color has an owner."""
        if not isinstance(action, Choose):
            return None
        return Refusal(Text("{color:^} already has an owner.", color=action.color), "3.4")

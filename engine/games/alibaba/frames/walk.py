"""The walk, the deal at half a lap, and the effect of the space (rules 2 and 3.5)."""

from __future__ import annotations

from random import Random

from engine.core import Action, Decision, Frame, Refusal
from engine.games.alibaba.builder import CaveBuilder, Result
from engine.games.alibaba.data import HALF_LAP
from engine.games.alibaba.frames.danger import ask_how_many
from engine.games.alibaba.frames.graffiti import read_graffiti
from engine.games.alibaba.risk import stakers
from engine.games.alibaba.state import Cave
from engine.games.alibaba.words import NO_HURRY, SEND_THIEVES, STAY_CLEAR, stop_gloss
from engine.texts import Seat, Text
from engine.town.actions import Deal, Play
from engine.town.data import WALK
from engine.town.luck import DEALING, deal_odds, random_deal
from engine.town.walk import destination, play_name, refuse_play, stop_advice, walk_decision


class Walk(Frame[Cave, Play]):
    """Phase 2: play a movement card (rule 2.2)."""

    rule = "2.2"

    def decisions(self, state: Cave) -> tuple[Decision, ...]:
        """The plays of the hand."""
        return walk_decision(state)

    def resolve(self, state: Cave, seat: Seat, action: Play) -> Result:
        """Walk. If half a lap is completed, the played cards are dealt before the space counts (rule 3.8)."""
        after = CaveBuilder(state)
        after.answered()
        after.walk(seat, action)
        # At step 26, at Start and at step 26 again, but not at the end of the game (rules 3.8 and 3.9).
        if state.walked // HALF_LAP < after.walked // HALF_LAP and after.walked < WALK:
            after.ask(Redeal())
            return after.done()
        return resolve_space(after)

    def gloss(self, state: Cave, action: Play) -> Text:
        """The consequence of stopping there."""
        return stop_gloss(state, destination(state, action))

    def named(self, state: Cave, action: Play, field: str = "") -> Text:
        """The destination of the card."""
        return play_name(state, action, field)

    def advice(self, state: Cave) -> tuple[Text, ...]:
        """Advice on where to stop."""
        inside = stakers(state)
        if not inside:
            return NO_HURRY, stop_advice(state)
        return (STAY_CLEAR if inside[0] == state.on_turn else SEND_THIEVES), stop_advice(state)

    def why_not(self, state: Cave, seat: Seat, action: Action) -> Refusal | None:
        """Name the missing card or the fork."""
        return refuse_play(state, seat, action) if isinstance(action, Play) else None


class Redeal(Frame[Cave, Deal]):
    """Deal the cards played since the last deal (rule 3.8)."""

    def decisions(self, state: Cave) -> tuple[Decision, ...]:
        """A CHANCE decision without listed options."""
        return DEALING

    def sample(self, state: Cave, rng: Random) -> Deal:
        """Draw a deal."""
        return random_deal(state.cards, rng)

    def odds(self, state: Cave) -> Text:
        """The cards of the next deal."""
        return deal_odds(state.cards)

    def resolve(self, state: Cave, seat: Seat, action: Deal) -> Result:
        """Fill the hands; then the space counts (rule 3.8)."""
        after = CaveBuilder(state)
        after.answered()
        after.deal(action.cards)
        return resolve_space(after)


def resolve_space(after: CaveBuilder) -> Result:
    """Phase 3: ask the question of the space, or finish the turn (rules 3.5 and 3.7)."""
    # A space never has both jewels and a graffito.
    question = ask_how_many(after) if after.space.jewels else read_graffiti(after)
    if question is None:
        return after.end_turn()
    after.ask(question)
    return after.done()


WALKING = Walk()

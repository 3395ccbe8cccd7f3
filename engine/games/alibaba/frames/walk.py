"""The walk, the deal at half a lap, and what the space asks (rules 2 and 3.5)."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from engine.core import Action, Decision, Frame, Refusal
from engine.games.alibaba.builder import CaveBuilder, Result
from engine.games.alibaba.data import HALF_LAP
from engine.games.alibaba.frames.danger import ask_how_many
from engine.games.alibaba.frames.graffiti import read_graffiti
from engine.games.alibaba.risk import stakers
from engine.games.alibaba.state import Cave
from engine.games.alibaba.words import NO_HURRY, SEND_THIEVES, STAY_CLEAR, awaiting
from engine.texts import Seat, Text
from engine.town.actions import Deal, Play
from engine.town.data import WALK
from engine.town.luck import DEALING, dealt_odds, shuffled
from engine.town.walk import destination, play_named, refuse_play, stops, walk_decision


@dataclass(frozen=True, slots=True)
class Walk(Frame[Cave, Play]):
    """Phase 2: play a movement card (rule 2.2)."""

    rule = "2.2"

    def decisions(self, state: Cave) -> tuple[Decision, ...]:
        """Each value of the hand."""
        return walk_decision(state)

    def resolve(self, state: Cave, seat: Seat, action: Play) -> Result:
        """Walk; when half a lap is completed the played cards are dealt first (rule 3.8)."""
        after = CaveBuilder(state)
        after.answered()
        after.walk(seat, action)
        # Past step 26, Start and step 26 again, but not at the very end (rules 3.8 and 3.9).
        if state.walked // HALF_LAP < after.walked // HALF_LAP and after.walked < WALK:
            after.ask(Redeal())
            return after.done()
        return resolve_space(after)

    def gloss(self, state: Cave, action: Play) -> Text:
        """What waits where the card leads."""
        return awaiting(state, destination(state, action))

    def named(self, state: Cave, action: Play, field: str = "") -> Text:
        """Where the card leads."""
        return play_named(state, action, field)

    def advice(self, state: Cave) -> tuple[Text, ...]:
        """Where to stop."""
        inside = stakers(state)
        if not inside:
            return NO_HURRY, stops(state)
        return (STAY_CLEAR if inside[0] == state.on_turn else SEND_THIEVES), stops(state)

    def why_not(self, state: Cave, seat: Seat, action: Action) -> Refusal | None:
        """Name the card or the fork."""
        return refuse_play(state, seat, action) if isinstance(action, Play) else None


@dataclass(frozen=True, slots=True)
class Redeal(Frame[Cave, Deal]):
    """Luck deals the cards played since the last deal (rule 3.8)."""

    def decisions(self, state: Cave) -> tuple[Decision, ...]:
        """Too many deals to list."""
        return DEALING

    def sample(self, state: Cave, rng: Random) -> Deal:
        """Any order of the cards."""
        return shuffled(state.cards, rng)

    def odds(self, state: Cave) -> Text:
        """Which cards are dealt."""
        return dealt_odds(state.cards)

    def resolve(self, state: Cave, seat: Seat, action: Deal) -> Result:
        """Fill the hands; then the space counts."""
        after = CaveBuilder(state)
        after.answered()
        after.deal(action.cards)
        # Only now does the space count (rule 3.8).
        return resolve_space(after)


def resolve_space(after: CaveBuilder) -> Result:
    """Phase 3: ask what the space asks, or finish the turn (rules 3.5 and 3.7)."""
    # A space shows jewels or a writing, never both.
    question = ask_how_many(after) if after.space.jewels else read_graffiti(after)
    if question is None:
        return after.end_turn()
    after.ask(question)
    return after.done()


WALKING = Walk()

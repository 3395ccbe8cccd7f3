"""The walk, the deals that feed it, and what the space asks (rules 2 and 3.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from engine.core import Action, Decision, Frame, Refusal
from engine.games.alibaba.data import HALF_LAP
from engine.games.alibaba.draft import Draft, Result
from engine.games.alibaba.frames.danger import announce
from engine.games.alibaba.frames.graffiti import read_graffiti
from engine.games.alibaba.state import Cave
from engine.texts import Seat
from engine.town.actions import Deal, Play
from engine.town.data import WALK
from engine.town.walk import DEALING, deal_events, plays, refuse_play, shuffled, walk_decision, where


@dataclass(frozen=True, slots=True)
class Walk(Frame[Cave, Play]):
    """Phase 2: play a movement card (rule 2.2)."""

    rule = "2.2"

    def decisions(self, state: Cave) -> tuple[Decision, ...]:
        """Each value of the hand."""
        seat = state.on_turn
        return walk_decision(seat, plays(state.cards.hands[seat], state.step))

    def resolve(self, state: Cave, seat: Seat, action: Play) -> Result:
        """Walk; when half a lap is completed the played cards are dealt first (rule 3.8)."""
        draft = Draft(state)
        draft.walk(state, seat, action)
        if state.total // HALF_LAP < draft.total // HALF_LAP and draft.total < WALK:
            return draft.asking(Redeal())
        return resolve_space(draft)

    def gloss(self, state: Cave, action: Play, names: Sequence[str]) -> str:
        """Where the card leads."""
        return where(state, action)

    def why_not(self, state: Cave, seat: Seat, action: Action) -> Refusal | None:
        """Name the card or the fork."""
        return refuse_play(state, seat, action) if isinstance(action, Play) else None


@dataclass(frozen=True, slots=True)
class FirstDeal(Frame[Cave, Deal]):
    """Luck deals all cards (rule 2.1)."""

    def decisions(self, state: Cave) -> tuple[Decision, ...]:
        """Too many deals to list."""
        return DEALING

    def sample(self, state: Cave, rng: Random) -> Deal:
        """Any order of the cards is as likely as any other."""
        return shuffled(state.cards, rng)

    def resolve(self, state: Cave, seat: Seat, action: Deal) -> Result:
        """Fill the hands; the first seat begins."""
        return _dealt(state, action).asking()


@dataclass(frozen=True, slots=True)
class Redeal(FirstDeal):
    """Luck deals the cards played since the last deal (rule 3.8)."""

    def resolve(self, state: Cave, seat: Seat, action: Deal) -> Result:
        """Fill the hands; then the space counts."""
        return resolve_space(_dealt(state, action))


def _dealt(state: Cave, action: Deal) -> Draft:
    draft = Draft(state)
    draft.cards = state.cards.deal(action.cards)
    draft.events += deal_events(state.cards, draft.cards)
    return draft


def resolve_space(draft: Draft) -> Result:
    """Phase 3: ask what the space asks, or finish the turn (rules 3.5 and 3.7)."""
    question = announce(draft) if draft.space.jewels else read_graffiti(draft)
    return draft.asking(question) if question else draft.next_turn()


WALKING = Walk()

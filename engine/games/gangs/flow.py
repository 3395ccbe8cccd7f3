"""From one turn to the next, and from lap to lap (rule 3.7)."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from engine.core import Decision, Frame
from engine.games.gangs.draft import Draft, Result
from engine.games.gangs.state import GangsTable
from engine.texts import Seat
from engine.town.actions import Deal
from engine.town.walk import DEALING, deal_events, shuffled


def end_turn(draft: Draft) -> Result:
    """Pass the turn on; after the last card of a lap comes its end, and a new deal."""
    draft.next_turn()
    if not draft.lap_over:
        return draft.asking()
    draft.end_lap()
    return draft.asking(DealLap())


@dataclass(frozen=True, slots=True)
class DealLap(Frame[GangsTable, Deal]):
    """Luck deals all movement cards for a lap (rule 2.1)."""

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """Too many deals to list."""
        return DEALING

    def sample(self, state: GangsTable, rng: Random) -> Deal:
        """Any order of the cards is as likely as any other."""
        return shuffled(state.cards, rng)

    def resolve(self, state: GangsTable, seat: Seat, action: Deal) -> Result:
        """Fill the hands; the first seat begins."""
        draft = Draft(state)
        draft.cards = state.cards.deal(action.cards)
        draft.events += deal_events(state.cards, draft.cards)
        return draft.asking()

"""Writings on the walls of the cave game, if the host wants them to count (rule 3.7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from engine.core import Action, Decision, Frame, Refusal
from engine.games.alibaba.data import CAVE_GRAFFITI
from engine.games.alibaba.draft import Draft, Result
from engine.games.alibaba.events import Recruited, SentAway, TollTaken
from engine.games.alibaba.state import Cave
from engine.texts import Seat
from engine.town.actions import Appear, Stop, Take
from engine.town.data import Gang, Graffiti
from engine.town.draws import appearing, cards_of
from engine.town.events import GaveAlms, Money, Rubbed, TookNone
from engine.town.state import put
from engine.town.thieves import GANG_NUMBER, GANGS, NUMBER

STOP = Stop()


def read_graffiti(draft: Draft) -> Recruit | None:
    """Do what a writing says, with the option `cave_graffiti`; a question only for a recruit."""
    seat = Seat(draft.turn % draft.setup.seats)
    if not draft.setup.options.cave_graffiti:
        return None
    match draft.space.graffiti:
        case Graffiti.LAMP:
            draft.pay(seat, CAVE_GRAFFITI)
            draft.events.append(Rubbed(seat, Money(CAVE_GRAFFITI)))
        case Graffiti.ALMS:
            given = min(CAVE_GRAFFITI, draft.purses[seat])
            draft.pay(seat, -given)
            draft.events.append(GaveAlms(seat, Money(given)))
        case Graffiti.TOLL:
            _take_toll(draft)
        case Graffiti.RECRUIT:
            gangs = tuple(gang for n, gang in enumerate(GANGS) if any(draft.decks[n]) or any(draft.piles[n]))
            return Recruit(gangs) if gangs else None
    return None


def _take_toll(draft: Draft) -> None:
    for number, due in enumerate(draft.dues):
        if due is not None:
            seat = Seat(number)
            taken = min(CAVE_GRAFFITI, draft.stakes[seat])
            draft.stakes = put(draft.stakes, seat, draft.stakes[seat] - taken)
            draft.events.append(TollTaken(seat, Money(taken)))


@dataclass(frozen=True, slots=True)
class Recruit(Frame[Cave, Take | Stop]):
    """From which deck the seat on turn recruits, if from any (rule 3.7)."""

    rule = "3.7"

    gangs: tuple[Gang, ...]

    def decisions(self, state: Cave) -> tuple[Decision, ...]:
        """The decks with a card, or none."""
        return _recruit(state.on_turn, self.gangs)

    def resolve(self, state: Cave, seat: Seat, action: Take | Stop) -> Result:
        """Turn up the top card of the deck."""
        draft = Draft(state)
        if isinstance(action, Take):
            gang = GANG_NUMBER[action.gang]
            draft.refill(gang)
            return draft.asking(Join(gang))
        draft.events.append(TookNone(seat))
        return draft.next_turn()

    def gloss(self, state: Cave, action: Take | Stop, names: Sequence[str]) -> str:
        """How many cards are left."""
        if not isinstance(action, Take):
            return ""
        if cards := state.deck(action.gang):
            return f"{cards} in the deck"
        return f"a new deck of {state.discarded(action.gang)} from the discards"

    def why_not(self, state: Cave, seat: Seat, action: Action) -> Refusal | None:
        """Name the deck that is used up."""
        if isinstance(action, Take):
            return Refusal(f"All {action.gang} thieves have been claimed; nobody is left to recruit.", self.rule)
        return None


@lru_cache(maxsize=128)
def _recruit(seat: Seat, gangs: tuple[Gang, ...]) -> tuple[Decision, ...]:
    return (Decision(seat, "Choose the deck to recruit a thief from, or none.", (*map(Take, gangs), STOP)),)


@dataclass(frozen=True, slots=True)
class Join(Frame[Cave, Appear]):
    """Luck turns up a recruit of a gang."""

    gang: int

    def decisions(self, state: Cave) -> tuple[Decision, ...]:
        """Every type of the deck, weighted by its cards."""
        return appearing(self.gang, state.decks[self.gang])

    def sample(self, state: Cave, rng: Random) -> Action:
        """Any card of the deck is as likely as any other."""
        return rng.choice(cards_of(self.gang, state.decks[self.gang]))

    def resolve(self, state: Cave, seat: Seat, action: Appear) -> Result:
        """A new type is claimed, another one goes to the discards."""
        draft, owner, number = Draft(state), state.on_turn, NUMBER[action.thief]
        draft.draw(number)
        if state.claimed[owner] >> number & 1:
            draft.discard(number)
            draft.events.append(SentAway(owner, action.thief))
        else:
            draft.claim(owner, number)
            draft.events.append(Recruited(owner, action.thief))
        return draft.next_turn()

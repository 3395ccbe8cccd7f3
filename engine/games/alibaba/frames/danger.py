"""Thieves in the street: how many turn up, whom they catch, and who claims them (rules 3.5 and 3.6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from random import Random

from engine.core import Action, Decision, Frame, Refusal
from engine.games.alibaba import refusals
from engine.games.alibaba.actions import Claim, Decline, Roll, TurnUp
from engine.games.alibaba.catch import claimants, strike
from engine.games.alibaba.data import MOST_TURNED_UP
from engine.games.alibaba.draft import Draft, Result
from engine.games.alibaba.events import Announced, Claimed, ClaimedNone, TurnedUp
from engine.games.alibaba.state import Cave, Encounter
from engine.texts import CHANCE, Seat
from engine.town.actions import Appear
from engine.town.data import Gang
from engine.town.draws import appearing, cards_of
from engine.town.thieves import GANG_NUMBER, NUMBER, THIEVES, Deck
from engine.town.track import Space

DECLINE = Decline()
CLAIMS = tuple(Claim(thief) for thief in THIEVES)
DIE = range(1, 7)


# --- How many --------------------------------------------------------------------------------------------------------


def announce(draft: Draft) -> Announce | None:
    """The question for a space with jewels; none if nobody is in danger or no thief is left to turn up."""
    if all(due is None for due in draft.dues):
        return None
    supply = _supply(draft.space, draft.decks, draft.piles)
    return Announce() if any(supply) else None


def _supply(space: Space, decks: Sequence[Deck], piles: Sequence[Deck]) -> tuple[bool, ...]:
    """Whether each deck shown on a space has a card, its discards included."""
    numbers = [GANG_NUMBER[gang] for gang in space.jewels]
    return tuple(any(decks[n]) or any(piles[n]) for n in numbers)


@dataclass(frozen=True, slots=True)
class Announce(Frame[Cave, TurnUp]):
    """How many thieves turn up, said before any of them is seen (rule 3.5)."""

    rule = "3.5"

    def decisions(self, state: Cave) -> tuple[Decision, ...]:
        """One to three from each deck; with the option `multi_deck`, three in all."""
        space = state.space
        if state.setup.options.multi_deck == "total" and len(space.jewels) == 2:
            return _announce_two(state.on_turn, _supply(space, state.decks, state.piles))
        return _announce(state.on_turn)

    def resolve(self, state: Cave, seat: Seat, action: TurnUp) -> Result:
        """Draw them one by one, deck by deck."""
        draft = Draft(state)
        draft.encounter = Encounter()
        gangs = state.space.jewels
        each = _each(action, len(gangs))
        draft.events.append(Announced(seat, _told(gangs, each)))
        due = tuple(GANG_NUMBER[gang] for gang, n in zip(gangs, each, strict=True) for _ in range(n))
        return _go_on(draft, due)

    def gloss(self, state: Cave, action: TurnUp, names: Sequence[str]) -> str:
        """Which decks."""
        gangs = state.space.jewels
        return _told(gangs, _each(action, len(gangs)))

    def why_not(self, state: Cave, seat: Seat, action: Action) -> Refusal | None:
        """Name the numbers that are possible here."""
        return refusals.announce(state, action)


def _each(action: TurnUp, decks: int) -> tuple[int, ...]:
    return (action.cards, action.cards if action.second is None else action.second)[:decks]


def _told(gangs: Sequence[Gang], each: Sequence[int]) -> str:
    """`2 green and 2 red`; only the decks that are drawn from."""
    return " and ".join(f"{n} {gang}" for gang, n in zip(gangs, each, strict=True) if n)


@cache
def _announce(seat: Seat) -> tuple[Decision, ...]:
    return (Decision(seat, ANNOUNCE_PROMPT, tuple(TurnUp(n, None) for n in range(1, MOST_TURNED_UP + 1))),)


@lru_cache(maxsize=32)
def _announce_two(seat: Seat, supply: tuple[bool, bool]) -> tuple[Decision, ...]:
    numbers = range(MOST_TURNED_UP + 1)
    pairs = [(a, b) for a in numbers for b in numbers if 1 <= a + b <= MOST_TURNED_UP]
    options = tuple(TurnUp(a, b) for a, b in pairs if (a and supply[0]) or (b and supply[1]))
    return (Decision(seat, ANNOUNCE_PROMPT, options),)


ANNOUNCE_PROMPT = "Choose how many thieves are turned up here."

# --- Who they are ----------------------------------------------------------------------------------------------------


def _go_on(draft: Draft, due: tuple[int, ...]) -> Result:
    """Draw the next thief that is due, or roll. A deck without any card left is skipped (rule 3.5)."""
    while due and not draft.refill(due[0]):
        due = tuple(gang for gang in due if gang != due[0])
    if due:
        return draft.asking(Draw(due))
    assert draft.encounter is not None, "thieves are turned up in an encounter"
    draft.events.append(TurnedUp(draft.encounter.thieves))
    return draft.asking(ROLLING)


@dataclass(frozen=True, slots=True)
class Draw(Frame[Cave, Appear]):
    """Luck turns up a thief of the first gang of `due`; the others follow."""

    due: tuple[int, ...]

    def decisions(self, state: Cave) -> tuple[Decision, ...]:
        """Every type of the deck, weighted by its cards."""
        return appearing(self.due[0], state.decks[self.due[0]])

    def sample(self, state: Cave, rng: Random) -> Action:
        """Any card of the deck is as likely as any other."""
        return rng.choice(cards_of(self.due[0], state.decks[self.due[0]]))

    def resolve(self, state: Cave, seat: Seat, action: Appear) -> Result:
        """Lay it with the others."""
        draft = Draft(state)
        number = NUMBER[action.thief]
        draft.draw(number)
        assert state.encounter is not None, "thieves are turned up in an encounter"
        draft.encounter = Encounter((*state.encounter.types, number))
        return _go_on(draft, self.due[1:])


# --- Whom they catch -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rolling(Frame[Cave, Roll]):
    """Luck rolls both dice (rule 3.5)."""

    def decisions(self, state: Cave) -> tuple[Decision, ...]:
        """36 numbers, one as likely as the other."""
        return ROLL

    def sample(self, state: Cave, rng: Random) -> Action:
        """The same, without building a list of weights."""
        return rng.choice(ROLL[0].options)

    def resolve(self, state: Cave, seat: Seat, action: Roll) -> Result:
        """Catch whom the number strikes; then those caught may claim."""
        draft = Draft(state)
        strike(draft, state.on_turn, action.black, action.white)
        return _ask_claim(draft, claimants(draft, state.on_turn))


ROLL = (Decision(CHANCE, "Both dice are rolled.", tuple(Roll(black, white) for black in DIE for white in DIE)),)
ROLLING = Rolling()

# --- Who claims them -------------------------------------------------------------------------------------------------


def _ask_claim(draft: Draft, order: tuple[Seat, ...]) -> Result:
    """Ask the next one who can claim something, or finish the turn (rule 3.6)."""
    met = draft.encounter
    assert met is not None, "claims come after a roll"
    lying = sum(1 << number for number in set(met.lying))
    for place, seat in enumerate(order):
        if choice := lying & ~draft.claimed[seat]:
            return draft.asking(ClaimOne(seat, choice, order[place + 1 :]))
    return draft.next_turn()


@dataclass(frozen=True, slots=True)
class ClaimOne(Frame[Cave, Claim | Decline]):
    """Which of the thieves somebody caught keeps (rule 3.6).

    `choice` is the bit mask of types to choose from, `then` are the others caught, in order.
    """

    rule = "3.6"

    seat: Seat
    choice: int
    then: tuple[Seat, ...]

    def decisions(self, state: Cave) -> tuple[Decision, ...]:
        """A type that is new, or none."""
        return _claims(self.seat, self.choice)

    def resolve(self, state: Cave, seat: Seat, action: Claim | Decline) -> Result:
        """Keep it; then the next one caught is asked."""
        draft = Draft(state)
        if isinstance(action, Claim):
            met, number = state.encounter, NUMBER[action.thief]
            assert met is not None, "claims come after a roll"
            draft.claim(seat, number)
            draft.encounter = replace(met, claims=(*met.claims, (seat, number)))
            draft.events.append(Claimed(seat, action.thief))
        else:
            draft.events.append(ClaimedNone(seat))
        return _ask_claim(draft, self.then)

    def why_not(self, state: Cave, seat: Seat, action: Action) -> Refusal | None:
        """Say that the type is claimed already or does not lie there."""
        return refusals.claim(state, seat, action)


@lru_cache(maxsize=1024)
def _claims(seat: Seat, choice: int) -> tuple[Decision, ...]:
    claims = tuple(claim for number, claim in enumerate(CLAIMS) if choice >> number & 1)
    return (Decision(seat, "You were caught: choose a thief to keep, or none.", (*claims, DECLINE)),)

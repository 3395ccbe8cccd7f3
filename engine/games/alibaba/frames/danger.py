"""Thieves in the street: how many turn up, whom they catch, and who claims them (rules 3.5 and 3.6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from random import Random

from engine.core import Action, Aside, Decision, Frame, Refusal
from engine.games.alibaba import refusals
from engine.games.alibaba.actions import Claim, Decline, Roll, TurnUp
from engine.games.alibaba.builder import CaveBuilder, Result
from engine.games.alibaba.catch import claimants, roll_and_catch
from engine.games.alibaba.data import MOST_TURNED_UP
from engine.games.alibaba.events import Announced, Claimed, ClaimedNone, Draws, TurnedUp
from engine.games.alibaba.risk import numbers_told, prospect, risks_told, stakers
from engine.games.alibaba.state import Cave, Encounter
from engine.games.alibaba.words import CALL_FEW, CALL_MANY, HOW_THEY_STRIKE, claim_advice, thief_named
from engine.texts import CHANCE, Seat, Text
from engine.town.actions import Appear
from engine.town.data import MARKS, Gang, Thief
from engine.town.luck import TopCard
from engine.town.thieves import BEARERS, DIE, NUMBERS, THIEVES, in_order

DECLINE = Decline()
CLAIM = {thief: Claim(thief) for thief in THIEVES}
CLAIMING = Aside(
    "claiming",
    Text("whether I claim a thief, and which one"),
    "3.6",
    decline=Decline,
    declined=Text("Decline: no thief"),
)


# --- How many --------------------------------------------------------------------------------------------------------


def ask_how_many(after: CaveBuilder) -> Announce | None:
    """The question for a space with jewels; none if nobody is in danger or no thief is left to turn up."""
    in_danger = any(last is not None for last in after.safe_after)
    # With no card left in the decks shown, there is neither a question nor a roll (rule 3.5).
    return Announce() if in_danger and any(map(after.can_draw, after.space.jewels)) else None


@dataclass(frozen=True, slots=True)
class Announce(Frame[Cave, TurnUp]):
    """How many thieves turn up, said before any of them is seen (rule 3.5)."""

    rule = "3.5"

    def decisions(self, state: Cave) -> tuple[Decision, ...]:
        """One to three from each deck; with the option `multi_deck`, three in all."""
        if not state.asks_for_two_numbers:
            return (Decision(state.on_turn, ANNOUNCE_PROMPT, _ANNOUNCEMENTS),)
        # A deck counts with its discards, of which it would be made anew (rule 3.5).
        first, second = (bool(state.deck(gang) or state.discarded(gang)) for gang in state.space.jewels)
        # At least one thief has to turn up.
        pairs = product(range(MOST_TURNED_UP + 1), repeat=2)
        options = tuple(TurnUp(a, b) for a, b in pairs if a + b <= MOST_TURNED_UP and ((a and first) or (b and second)))
        return (Decision(state.on_turn, ANNOUNCE_PROMPT, options),)

    def resolve(self, state: Cave, seat: Seat, action: TurnUp) -> Result:
        """Draw them one by one, deck by deck."""
        after, draws = CaveBuilder(state), _draws(action, state.space.jewels)
        after.answered()
        after.encounter = Encounter()
        after.tell(Announced(seat, draws))
        return _draw_next(after, _due(draws))

    def gloss(self, state: Cave, action: TurnUp) -> Text:
        """Whom they catch how likely."""
        return prospect(state, _due(_draws(action, state.space.jewels)))

    def named(self, state: Cave, action: TurnUp, field: str = "") -> Text:
        """`2 green and 1 red thief`; a number for one of two decks by that deck alone."""
        if field and state.asks_for_two_numbers:
            first, second = state.space.jewels
            return _thieves((Draws(action.cards, first) if field == "cards" else Draws(action.second or 0, second),))
        return _thieves(_draws(action, state.space.jewels))

    def advice(self, state: Cave) -> tuple[Text, ...]:
        """Whether many or few are good."""
        return (CALL_FEW if state.in_cave(state.on_turn) else CALL_MANY), HOW_THEY_STRIKE

    def why_not(self, state: Cave, seat: Seat, action: Action) -> Refusal | None:
        """Name the numbers that are possible here."""
        return refusals.turn_up(state, action)


def _draws(action: TurnUp, gangs: Sequence[Gang]) -> tuple[Draws, ...]:
    """What an announcement means for the decks shown; only those that are drawn from."""
    # The second number is left over where one deck is shown.
    numbers = (action.cards, action.cards if action.second is None else action.second)
    return tuple(Draws(cards, gang) for cards, gang in zip(numbers, gangs, strict=False) if cards)


def _due(draws: Sequence[Draws]) -> tuple[Gang, ...]:
    """The decks to draw from, card by card."""
    return tuple(gang for cards, gang in draws for _ in range(cards))


def _thieves(draws: tuple[Draws, ...]) -> Text:
    return Text("{draws} {last:thief|thieves}", draws=draws, last=draws[-1].cards)


ANNOUNCE_PROMPT = Text("Say how many thieves turn up.")


# All three however few cards there are: then fewer thieves turn up (rule 3.5).
_ANNOUNCEMENTS = tuple(TurnUp(n, None) for n in range(1, MOST_TURNED_UP + 1))


# --- Who they are ----------------------------------------------------------------------------------------------------


def _draw_next(after: CaveBuilder, due: tuple[Gang, ...]) -> Result:
    """Draw the next thief that is due, or roll. A deck without any card left is skipped (rule 3.5)."""
    while due and not after.refill(due[0]):
        due = tuple(gang for gang in due if gang is not due[0])
    if due:
        after.ask(Draw(due[0], due[1:]))
    else:
        # One roll is for all of them (rule 3.5), so one event lists them.
        after.tell(TurnedUp(after.present_encounter.thieves))
        after.ask(ROLLING)
    return after.done()


@dataclass(frozen=True, slots=True)
class Draw(TopCard[Cave, Appear]):
    """Luck turns up a thief of a gang; one of each gang of `then` follows."""

    then: tuple[Gang, ...]

    def resolve(self, state: Cave, seat: Seat, action: Appear) -> Result:
        """Lay it with the others."""
        after = CaveBuilder(state)
        after.answered()
        after.draw(action.thief)
        # All else is as at its beginning: the roll comes after the last thief (rule 3.5).
        after.encounter = Encounter((*after.present_encounter.thieves, action.thief))
        return _draw_next(after, self.then)

    def odds(self, state: Cave) -> Text:
        """How likely all that turns up, and the roll after it, catch whom."""
        return risks_told(state, (self.gang, *self.then))


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

    def merged_chances(self, state: Cave) -> Decision:
        """One number for each set of seats that numbers catch."""
        # Measured: the 36 numbers took half of the steps of a search, and they come down to two or four cases.
        lying = state.encounter.thieves if state.encounter else ()
        return _rolled(frozenset(frozenset(lying).difference(state.claimed[seat]) for seat in stakers(state)))

    def odds(self, state: Cave) -> Text:
        """How many numbers catch whom."""
        return numbers_told(state)

    def resolve(self, state: Cave, seat: Seat, action: Roll) -> Result:
        """Catch those in the cave; then they may claim."""
        after = CaveBuilder(state)
        after.answered()
        roll_and_catch(after, action.black, action.white)
        return _ask_claim(after, claimants(after))


ROLL = (Decision(CHANCE, Text("Both dice are rolled."), tuple(Roll(black, white) for black in DIE for white in DIE)),)
ROLLING = Rolling()


@lru_cache(maxsize=4096)  # looks at 36 numbers; 2 % of a search
def _rolled(feared: frozenset[frozenset[Thief]]) -> Decision:
    """Of the numbers that all of these groups of thieves bear alike only the first one."""
    alike: dict[tuple[bool, ...], list[Action]] = {}
    for number, roll in zip(NUMBERS, ROLL[0].options, strict=True):
        alike.setdefault(tuple(not thieves.isdisjoint(BEARERS[number]) for thieves in feared), []).append(roll)
    options = tuple(rolls[0] for rolls in alike.values())
    return Decision(CHANCE, ROLL[0].prompt, options, weights=tuple(map(len, alike.values())))


# --- Who claims them -------------------------------------------------------------------------------------------------

_CLAIM_ONE = Text("Keep one thief, or none.")


def _ask_claim(after: CaveBuilder, order: tuple[Seat, ...]) -> Result:
    """Ask the next one who can claim something, or finish the turn (rule 3.6)."""
    unclaimed = after.present_encounter.unclaimed
    for place, seat in enumerate(order):
        # Only a type that the seat does not have yet can be claimed (rule 3.6).
        if choice := set(unclaimed).difference(after.claimed[seat]):
            after.ask(ClaimOne(seat, in_order(choice), order[place + 1 :]))
            return after.done()
    return after.end_turn()


@dataclass(frozen=True, slots=True)
class ClaimOne(Frame[Cave, Claim | Decline]):
    """Which of the thieves somebody caught keeps: one of a type of `choice`. Those of `then` are asked next."""

    rule, aside = "3.6", CLAIMING

    seat: Seat
    choice: tuple[Thief, ...]
    then: tuple[Seat, ...]

    def decisions(self, state: Cave) -> tuple[Decision, ...]:
        """A type that is new, or none."""
        # Nobody has to claim (rule 3.6).
        return (Decision(self.seat, _CLAIM_ONE, (*(CLAIM[thief] for thief in self.choice), DECLINE)),)

    def resolve(self, state: Cave, seat: Seat, action: Claim | Decline) -> Result:
        """Keep it; then the next one caught is asked."""
        after = CaveBuilder(state)
        after.answered()
        if isinstance(action, Claim):
            after.claim(seat, action.thief)
            after.tell(Claimed(seat, action.thief))
        else:
            after.tell(ClaimedNone(seat))
        return _ask_claim(after, self.then)

    def gloss(self, state: Cave, action: Claim | Decline) -> Text:
        """The numbers that do no harm any more."""
        if not isinstance(action, Claim):
            return Text("all of them can catch you again")
        return Text("never catches you again with {numbers}", numbers=MARKS[action.thief])

    def named(self, state: Cave, action: Claim | Decline, field: str = "") -> Text:
        """`Red thief 3`, or none."""
        return thief_named(action.thief) if isinstance(action, Claim) else Text("No thief")

    def advice(self, state: Cave) -> tuple[Text, ...]:
        """What a claim is good for."""
        return claim_advice(self.choice)

    def why_not(self, state: Cave, seat: Seat, action: Action) -> Refusal | None:
        """Say that the type is claimed already or does not lie there."""
        return refusals.claim(state, seat, action)

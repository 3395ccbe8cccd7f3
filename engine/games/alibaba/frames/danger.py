"""The questions about thieves: their number, the draws, the roll, and claims (rules 3.5 and 3.6)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from random import Random

from engine.core import Action, Aside, Decision, Frame, Refusal
from engine.games.alibaba import refusals
from engine.games.alibaba.actions import Claim, Decline, Roll, TurnUp
from engine.games.alibaba.builder import CaveBuilder, Result
from engine.games.alibaba.catch import claimants, roll_and_catch
from engine.games.alibaba.data import MAX_TURNED_UP
from engine.games.alibaba.events import Announced, Claimed, ClaimedNone, Draws, TurnedUp
from engine.games.alibaba.risk import numbers_text, risk_gloss, risks_text, stakers
from engine.games.alibaba.state import Cave, Encounter
from engine.games.alibaba.words import CALL_FEW, CALL_MANY, HOW_THEY_STRIKE, claim_advice, thief_name
from engine.texts import CHANCE, Seat, Text
from engine.town.actions import Appear
from engine.town.data import MARKS, Gang, Thief
from engine.town.luck import TopCard
from engine.town.thieves import BEARERS, DIE, NUMBERS, THIEVES, sort_thieves

DECLINE = Decline()
CLAIM = {thief: Claim(thief) for thief in THIEVES}
CLAIMING = Aside(
    "claiming",
    Text("whether I claim a thief, and which one"),
    "3.6",
    decline=Decline,
    declined=Text("Decline: no thief"),
)


# --- The number of thieves -------------------------------------------------------------------------------------------


def ask_how_many(after: CaveBuilder) -> Announce | None:
    """The question for a space with jewels; `None` if no stake is in danger or the decks have run out."""
    in_danger = any(last is not None for last in after.safe_after)
    # If the decks of the space have run out, there is neither a question nor a roll (rule 3.5).
    return Announce() if in_danger and any(map(after.can_draw, after.space.jewels)) else None


class Announce(Frame[Cave, TurnUp]):
    """The number of thieves to turn up, chosen before the first one is turned up (rule 3.5)."""

    rule = "3.5"

    def decisions(self, state: Cave) -> tuple[Decision, ...]:
        """One to three from each deck; with the option `multi_deck`, three in all."""
        if not state.asks_for_two_numbers:
            return (Decision(state.on_turn, ANNOUNCE_PROMPT, _ANNOUNCEMENTS),)
        # An empty deck is refilled from its discards (rule 3.5).
        first, second = (bool(state.deck(gang) or state.discarded(gang)) for gang in state.space.jewels)
        # At least one thief must turn up.
        pairs = product(range(MAX_TURNED_UP + 1), repeat=2)
        options = tuple(TurnUp(a, b) for a, b in pairs if a + b <= MAX_TURNED_UP and ((a and first) or (b and second)))
        return (Decision(state.on_turn, ANNOUNCE_PROMPT, options),)

    def resolve(self, state: Cave, seat: Seat, action: TurnUp) -> Result:
        """Draw the thieves one by one, deck by deck."""
        after, draws = CaveBuilder(state), _draws(action, state.space.jewels)
        after.answered()
        after.encounter = Encounter()
        after.tell(Announced(seat, draws))
        return _draw_next(after, _gangs_due(draws))

    def gloss(self, state: Cave, action: TurnUp) -> Text:
        """The risk of being caught."""
        return risk_gloss(state, _gangs_due(_draws(action, state.space.jewels)))

    def named(self, state: Cave, action: TurnUp, field: str = "") -> Text:
        """`2 green and 1 red thief`; for a field, only the thieves of its deck."""
        if field and state.asks_for_two_numbers:
            first, second = state.space.jewels
            draws = Draws(action.cards, first) if field == "cards" else Draws(action.second or 0, second)
            return _thieves_text((draws,))
        return _thieves_text(_draws(action, state.space.jewels))

    def advice(self, state: Cave) -> tuple[Text, ...]:
        """Whether to choose many or few."""
        return (CALL_FEW if state.in_cave(state.on_turn) else CALL_MANY), HOW_THEY_STRIKE

    def why_not(self, state: Cave, seat: Seat, action: Action) -> Refusal | None:
        """Name the possible numbers."""
        return refusals.turn_up(state, action)


def _draws(action: TurnUp, gangs: Sequence[Gang]) -> tuple[Draws, ...]:
    """The number of cards for each deck of the space, without decks that have none."""
    # On a space with one deck, the second number is unused.
    numbers = (action.cards, action.cards if action.second is None else action.second)
    return tuple(Draws(cards, gang) for cards, gang in zip(numbers, gangs, strict=False) if cards)


def _gangs_due(draws: Sequence[Draws]) -> tuple[Gang, ...]:
    """The gang of each card to draw."""
    return tuple(gang for cards, gang in draws for _ in range(cards))


def _thieves_text(draws: tuple[Draws, ...]) -> Text:
    return Text("{draws} {last:thief|thieves}", draws=draws, last=draws[-1].cards)


ANNOUNCE_PROMPT = Text("Say how many thieves turn up.")


# Always up to three, even with fewer cards: then fewer thieves turn up (rule 3.5).
_ANNOUNCEMENTS = tuple(TurnUp(n, None) for n in range(1, MAX_TURNED_UP + 1))


# --- The draws -------------------------------------------------------------------------------------------------------


def _draw_next(after: CaveBuilder, due: tuple[Gang, ...]) -> Result:
    """Draw the next thief, or roll. A deck that has run out is skipped (rule 3.5)."""
    while due and not after.refill(due[0]):
        due = tuple(gang for gang in due if gang is not due[0])
    if due:
        after.ask(Draw(due[0], due[1:]))
    else:
        # There is one roll for all thieves (rule 3.5), so one event lists them.
        after.tell(TurnedUp(after.present_encounter.thieves))
        after.ask(ROLLING)
    return after.done()


class Draw(TopCard[Cave, Appear]):
    """Turn up a thief of a gang; then one of each gang in `then`."""

    then: tuple[Gang, ...]

    def resolve(self, state: Cave, seat: Seat, action: Appear) -> Result:
        """Add the thief to the encounter."""
        after = CaveBuilder(state)
        after.answered()
        after.draw(action.thief)
        # All other fields still have their defaults, since the roll comes after the last thief (rule 3.5).
        after.encounter = Encounter((*after.present_encounter.thieves, action.thief))
        return _draw_next(after, self.then)

    def odds(self, state: Cave) -> Text:
        """The risk of being caught, over all thieves to come and the roll."""
        return risks_text(state, (self.gang, *self.then))


# --- The roll --------------------------------------------------------------------------------------------------------


class Rolling(Frame[Cave, Roll]):
    """Roll both dice (rule 3.5)."""

    def decisions(self, state: Cave) -> tuple[Decision, ...]:
        """36 equally likely numbers."""
        return ROLL

    def sample(self, state: Cave, rng: Random) -> Action:
        """Draw a number without building a list of weights."""
        return rng.choice(ROLL[0].options)

    def merged_chances(self, state: Cave) -> Decision:
        """One number for each set of seats that are caught."""
        # Measured: the 36 numbers took half of the steps of a search, but usually amount to two or four outcomes.
        lying = state.encounter.thieves if state.encounter else ()
        return _merged_roll(frozenset(frozenset(lying).difference(state.claimed[seat]) for seat in stakers(state)))

    def odds(self, state: Cave) -> Text:
        """The number of numbers that catch each seat."""
        return numbers_text(state)

    def resolve(self, state: Cave, seat: Seat, action: Roll) -> Result:
        """Catch seats in the cave; then they may claim thieves."""
        after = CaveBuilder(state)
        after.answered()
        roll_and_catch(after, action.black, action.white)
        return _ask_claim(after, claimants(after))


ROLL = (Decision(CHANCE, Text("Both dice are rolled."), tuple(Roll(black, white) for black in DIE for white in DIE)),)
ROLLING = Rolling()


@lru_cache(maxsize=4096)  # saves 2 % of a search
def _merged_roll(feared: frozenset[frozenset[Thief]]) -> Decision:
    """The roll with numbers merged that match the same ones of these groups of thieves."""
    alike: dict[tuple[bool, ...], list[Action]] = {}
    for number, roll in zip(NUMBERS, ROLL[0].options, strict=True):
        alike.setdefault(tuple(not thieves.isdisjoint(BEARERS[number]) for thieves in feared), []).append(roll)
    options = tuple(rolls[0] for rolls in alike.values())
    return Decision(CHANCE, ROLL[0].prompt, options, weights=tuple(map(len, alike.values())))


# --- Claims ----------------------------------------------------------------------------------------------------------

_CLAIM_ONE = Text("Keep one thief, or none.")


def _ask_claim(after: CaveBuilder, order: tuple[Seat, ...]) -> Result:
    """Ask the next seat that can claim a thief, or finish the turn (rule 3.6)."""
    unclaimed = after.present_encounter.unclaimed
    for place, seat in enumerate(order):
        # A seat can only claim types that it does not have yet (rule 3.6).
        if choice := set(unclaimed).difference(after.claimed[seat]):
            after.ask(ClaimOne(seat, sort_thieves(choice), order[place + 1 :]))
            return after.done()
    return after.end_turn()


class ClaimOne(Frame[Cave, Claim | Decline]):
    """The claim of a seat that was caught: a type of `choice`, or none. The seats in `then` are asked next."""

    rule, aside = "3.6", CLAIMING

    seat: Seat
    choice: tuple[Thief, ...]
    then: tuple[Seat, ...]

    def decisions(self, state: Cave) -> tuple[Decision, ...]:
        """A new type, or none, since claims are voluntary (rule 3.6)."""
        return (Decision(self.seat, _CLAIM_ONE, (*(CLAIM[thief] for thief in self.choice), DECLINE)),)

    def resolve(self, state: Cave, seat: Seat, action: Claim | Decline) -> Result:
        """Give the thief to the seat; then ask the next seat."""
        after = CaveBuilder(state)
        after.answered()
        if isinstance(action, Claim):
            after.claim(seat, action.thief)
            after.tell(Claimed(seat, action.thief))
        else:
            after.tell(ClaimedNone(seat))
        return _ask_claim(after, self.then)

    def gloss(self, state: Cave, action: Claim | Decline) -> Text:
        """The numbers of the thief, which become harmless."""
        if not isinstance(action, Claim):
            return Text("all of them can catch you again")
        return Text("never catches you again with {numbers}", numbers=MARKS[action.thief])

    def named(self, state: Cave, action: Claim | Decline, field: str = "") -> Text:
        """`Red thief 3`, or `No thief`."""
        return thief_name(action.thief) if isinstance(action, Claim) else Text("No thief")

    def advice(self, state: Cave) -> tuple[Text, ...]:
        """The benefit of a claim."""
        return claim_advice(self.choice)

    def why_not(self, state: Cave, seat: Seat, action: Action) -> Refusal | None:
        """Say that the type is already claimed or absent."""
        return refusals.claim(state, seat, action)

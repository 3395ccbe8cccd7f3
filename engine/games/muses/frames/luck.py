"""What luck decides, and what is uncovered: the deal, who begins, and the end of a hand (rules 3 and 7)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from engine.core import Decision, Event, only
from engine.games.muses.actions import TURN_UP, Deal, First, TurnUp
from engine.games.muses.events import (
    AllTied,
    ApolloWilled,
    Began,
    BonusWon,
    Dealt,
    Ended,
    EndReason,
    HandBegan,
    NeutralLaid,
    RanksWon,
    TurnedUp,
)
from engine.games.muses.floor import EMPTY, NEUTRAL, Floor
from engine.games.muses.frames.place import Placing
from engine.games.muses.scoring import NOBODY, Ranking, apollo, bonus_size, ranking
from engine.games.muses.state import NEUTRAL_SECRET, NO_SECRETS, FinishedHand, Muses, Question
from engine.games.muses.tiles import CENTER, FIRST_HIDDEN, HIDDEN_NEUTRAL, MUSES, TILES, cell_name
from engine.texts import CHANCE, Seat

HAND_SIZE = {2: 4, 3: 3, 4: 2}
"""Seats -> Muses dealt to each (rule 3)."""


# --- The deal --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dealing(Question[Deal]):
    """The Muses are dealt; there are too many deals to list."""

    rule = "3"

    def decisions(self, state: Muses) -> tuple[Decision, ...]:
        """One draw, not listed."""
        return (Decision(CHANCE, "The Muses are dealt.", ()),)

    def sample(self, state: Muses, rng: Random) -> Deal:
        """Any order of the nine."""
        return Deal(tuple(rng.sample(MUSES, len(MUSES))))

    def resolve(self, state: Muses, seat: Seat, action: Deal) -> tuple[Muses, tuple[Event, ...]]:
        """Fill the hands; with two and four players the last tile goes to the middle."""
        dealt = [MUSES.index(muse) for muse in action.muses]
        if sorted(dealt) != list(range(len(MUSES))):
            raise ValueError("a deal has every Muse once")
        size = HAND_SIZE[state.seats]
        hands = tuple(tuple(sorted(dealt[size * n : size * (n + 1)])) for n in range(state.seats))
        events: list[Event] = [HandBegan(state.hand)]
        events += (Dealt(tuple(MUSES[m] for m in hand), audience=only(Seat(n))) for n, hand in enumerate(hands))
        after = replace(state, hands=hands)
        for muse in dealt[size * state.seats :]:
            after, laid = _with_neutral(after, muse)
            events.append(laid)
        following = Rolling() if after.first is None else Placing(after.first)
        return replace(after, frames=state.asking(following)), tuple(events)


def _with_neutral(state: Muses, muse: int) -> tuple[Muses, Event]:
    """Lay the tile that is left over in the middle: face down with two players (ruling 1)."""
    down = state.seats == 2 or state.setup.options.neutral_face_4p == "down"
    tile = HIDDEN_NEUTRAL if down else muse
    secrets = (*NO_SECRETS[:NEUTRAL_SECRET], muse) if down else NO_SECRETS
    floor = EMPTY.with_tile(tile, CENTER, NEUTRAL)
    return replace(state, floor=floor, secrets=secrets), NeutralLaid(TILES[tile], cell_name(CENTER))


@dataclass(frozen=True, slots=True)
class Rolling(Question[First]):
    """Who begins the first hand: the highest roll, which may be anybody's (rule 3)."""

    rule = "3"

    def decisions(self, state: Muses) -> tuple[Decision, ...]:
        """One outcome per seat, all as likely."""
        options = tuple(First(Seat(seat)) for seat in range(state.seats))
        return (Decision(CHANCE, "The highest roll begins.", options, weights=(1,) * state.seats),)

    def resolve(self, state: Muses, seat: Seat, action: First) -> tuple[Muses, tuple[Event, ...]]:
        """That seat lays the first tile."""
        frames = state.asking(Placing(action.seat))
        return replace(state, first=action.seat, frames=frames), (Began(action.seat),)


# --- The end of a hand -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TurningUp(Question[TurnUp]):
    """The hand is over. What lies face down is nobody's to uncover by an own action, so luck does it (rule 7).

    This waits below all other questions of a hand.
    """

    rule = "7"

    def decisions(self, state: Muses) -> tuple[Decision, ...]:
        """A single outcome."""
        return (Decision(CHANCE, "The hand is over; the tiles are turned up.", (TURN_UP,)),)

    def resolve(self, state: Muses, seat: Seat, action: TurnUp) -> tuple[Muses, tuple[Event, ...]]:
        """Turn up, obey Apollo, count, and deal the next hand unless the game is over."""
        names = {FIRST_HIDDEN + n: muse for n, muse in enumerate(state.secrets) if muse is not None}
        open_floor = state.floor.turned_up(names)
        floor = apollo(open_floor, state.table.suns)
        ranks = ranking(floor, state.companies)
        options = state.setup.options
        bonus = bonus_size(state.hand, options.hands, paid=any(state.bonuses)) if ranks.bonus != NOBODY else 0
        bonuses = tuple(have + bonus * (n == ranks.bonus) for n, have in enumerate(state.bonuses))
        points = tuple(have + ranks.points(n) + bonus * (n == ranks.bonus) for n, have in enumerate(state.points))
        after = replace(
            state,
            points=points,
            bonuses=bonuses,
            finished=FinishedHand(state.hand, floor, ranks, bonus),
            floor=EMPTY,
            secrets=NO_SECRETS,
        )
        told = [TurnedUp(TILES[tile], MUSES[muse]) for tile, muse in names.items()]
        events = (*told, *_apollo_told(open_floor, floor), *_ranks_told(state, ranks, bonus))
        return _next_hand(after, events)


def _apollo_told(before: Floor, after: Floor) -> list[Event]:
    turned = tuple(
        MUSES[tile] for tile, old, new in zip(after.tiles, before.values, after.values, strict=True) if old != new
    )
    return [ApolloWilled(turned)] if turned else []


def _ranks_told(state: Muses, ranks: Ranking, bonus: int) -> list[Event]:
    told: list[Event] = [
        RanksWon(state.company_name(company), won, len(won))
        for company in range(state.companies)
        if (won := ranks.won(company))
    ]
    return [*told, BonusWon(state.company_name(ranks.bonus), bonus)] if told else [AllTied()]


def _next_hand(state: Muses, events: tuple[Event, ...]) -> tuple[Muses, tuple[Event, ...]]:
    """The game is over, or the next seat begins another hand (rules 8.3 and 9)."""
    options = state.setup.options
    reason = None
    if state.hand == options.hands:
        reason = EndReason.HANDS
    elif options.target is not None and max(state.points) >= options.target:
        reason = EndReason.TARGET
    if reason is not None:
        return replace(state, ended=reason, frames=()), (*events, Ended(reason))
    assert state.first is not None, "somebody has begun the hand"
    first = state.next_seat(state.first)
    return replace(state, hand=state.hand + 1, first=first, turns=0, frames=(TurningUp(), Dealing())), events

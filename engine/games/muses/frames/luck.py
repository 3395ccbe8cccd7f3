"""The draws and reveals: the deal, the first seat, and the end of a hand (rules 3 and 7)."""

from __future__ import annotations

from random import Random

from engine.core import Decision, Event, only
from engine.games.muses import words
from engine.games.muses.action_cache import TURN_UP
from engine.games.muses.actions import Deal, First, TurnUp
from engine.games.muses.builder import HandBuilder, LayoutBuilder
from engine.games.muses.companies import MEMBERS, Company
from engine.games.muses.events import (
    AllTied,
    ApolloWilled,
    Began,
    BonusWon,
    Dealt,
    Ended,
    EndReason,
    HandBegan,
    HandEnded,
    RanksWon,
    TurnedUp,
)
from engine.games.muses.floor import EMPTY, Floor
from engine.games.muses.frames.place import Placing
from engine.games.muses.scoring import NOBODY, Ranking, apply_apollo, bonus_size, ranking
from engine.games.muses.state import NO_SECRETS, FinishedHand, Muses, Question
from engine.games.muses.tiles import FIRST_HIDDEN, MUSES, NUMBERS, TILES
from engine.texts import CHANCE, Seat, Text

HAND_SIZE = {2: 4, 3: 3, 4: 2}
"""Number of seats -> size of a hand (rule 3)."""


# --- The deal --------------------------------------------------------------------------------------------------------


class Dealing(Question[Deal]):
    """The deal of the Muses, of which there are too many to list."""

    rule = "3"

    def decisions(self, state: Muses) -> tuple[Decision, ...]:
        """A CHANCE decision without listed options."""
        return (Decision(CHANCE, _DEALT, ()),)

    def sample(self, state: Muses, rng: Random) -> Deal:
        """Draw a random order of the nine Muses."""
        # All nine, since a Muse that is not dealt to a seat is the Neutral tile.
        return Deal(tuple(rng.sample(MUSES, len(MUSES))))

    def resolve(self, state: Muses, seat: Seat, action: Deal) -> tuple[Muses, tuple[Event, ...]]:
        """Fill the hands; with two and four players, the last tile goes to the middle."""
        dealt = [NUMBERS[muse] for muse in action.muses]
        # Deals are not listed as options, so this is the only check of one from a stored log.
        if sorted(dealt) != list(range(len(MUSES))):
            raise ValueError("a deal has every Muse once")
        after = LayoutBuilder(state)
        after.answered()
        size, seats = HAND_SIZE[state.seats], state.seats
        after.hands = [tuple(sorted(dealt[size * seat : size * (seat + 1)])) for seat in range(seats)]
        after.tell(HandBegan(state.hand))
        for owner, hand in enumerate(after.hands):
            after.tell(Dealt(tuple(MUSES[muse] for muse in hand), audience=only(Seat(owner))))
        # At most one, face down with two players (rule 3); with four, the host decides (rule 10).
        for muse in dealt[size * seats :]:
            after.lay_neutral(muse, down=seats == 2 or state.setup.options.neutral_face_4p == "down")
        # Seats roll only for the first hand; later ones begin with the next seat (rule 8.3).
        after.ask(Rolling() if state.first is None else Placing(state.first))
        return after.done()


class Rolling(Question[First]):
    """The draw of the seat that begins the first hand (rule 3)."""

    rule = "3"

    def decisions(self, state: Muses) -> tuple[Decision, ...]:
        """All seats, equally likely."""
        options = tuple(First(Seat(seat)) for seat in range(state.seats))
        # Equivalent to the highest roll with rerolled ties.
        return (Decision(CHANCE, _ROLLED, options, weights=(1,) * state.seats),)

    def odds(self, state: Muses) -> Text | None:
        """The equal chance of each seat."""
        return Text("Everyone has a 1 in {seats} chance of going first.", seats=state.seats)

    def resolve(self, state: Muses, seat: Seat, action: First) -> tuple[Muses, tuple[Event, ...]]:
        """Ask this seat to lay the first tile."""
        after = HandBuilder(state)
        after.answered()
        after.first = action.seat
        after.tell(Began(action.seat))
        after.ask(Placing(action.seat))
        return after.done()


# --- The end of a hand -----------------------------------------------------------------------------------------------


class TurningUp(Question[TurnUp]):
    """The end of a hand (rule 7). An action of a seat must not reveal the face-down tiles, so CHANCE does.

    This frame is below all others of a hand.
    """

    rule = "7"

    def decisions(self, state: Muses) -> tuple[Decision, ...]:
        """A single outcome."""
        return _TURNED_UP

    def odds(self, state: Muses) -> Text | None:
        """The Muses that the viewer has not seen."""
        return words.unseen_muses(state)

    def resolve(self, state: Muses, seat: Seat, action: TurnUp) -> tuple[Muses, tuple[Event, ...]]:
        """Turn up the tiles, apply the will of Apollo, score, and deal the next hand unless the game is over."""
        after = HandBuilder(state)
        after.answered()
        # Without a 6, the limit of turns ended the hand, which `TurnsRanOut` has reported (rule 7.2).
        if state.floor.hand_over:
            after.tell(HandEnded(words.sixes(state.floor)))
        floor = _turn_up(after)
        ranks = ranking(floor, state.companies)
        bonus = (
            0 if ranks.bonus == NOBODY else bonus_size(state.hand, state.setup.options.hands, paid=any(state.bonuses))
        )
        _score(after, ranks, bonus)
        after.finished = FinishedHand(state.hand, floor, ranks, bonus)
        # All tiles and dice are taken back (rule 8.3).
        after.floor, after.secrets = EMPTY, list(NO_SECRETS)
        _next_hand(after)
        return after.done()


def _turn_up(after: HandBuilder) -> Floor:
    """The floor with all tiles face up and the will of Apollo applied (rule 7.1)."""
    names = {FIRST_HIDDEN + n: muse for n, muse in enumerate(after.secrets) if muse is not None}
    if names:
        after.tell(TurnedUp(tuple(words.revealed_name(TILES[tile], MUSES[muse]) for tile, muse in names.items())))
    # All tiles are turned up first, since Apollo depends on the suns of each (rule 7.1).
    before = after.floor.with_names(names)
    floor = apply_apollo(before, after.before.muse_table.suns)
    rows = zip(floor.tiles, before.values, floor.values, strict=True)
    if turned := tuple(MUSES[tile] for tile, old, new in rows if old != new):
        after.tell(ApolloWilled(turned))
    return floor


def _score(after: HandBuilder, ranks: Ranking, bonus: int) -> None:
    """Score the ranks and the bonus (rules 8.1 and 8.2)."""
    for company in range(after.before.companies):
        if won := ranks.won(company):
            after.points[company] += len(won)
            after.tell(RanksWon(Company(company), MEMBERS[after.before.seats][company], won, len(won)))
    if ranks.bonus == NOBODY:
        after.tell(AllTied())
    else:
        after.points[ranks.bonus] += bonus
        after.bonuses[ranks.bonus] += bonus
        # The first rank that this company won is the first rank with a winner (rule 8.2).
        after.tell(BonusWon(Company(ranks.bonus), ranks.won(ranks.bonus)[0], bonus))


def _next_hand(after: HandBuilder) -> None:
    """End the game, or let the next seat begin another hand (rules 8.3 and 9)."""
    options = after.before.setup.options
    if after.hand == options.hands:
        after.ended = EndReason.HANDS
    # The target is checked after the scoring of a hand (rule 10).
    elif options.target is not None and max(after.points) >= options.target:
        after.ended = EndReason.TARGET
    if after.ended:
        after.tell(Ended(after.ended))
        return
    assert after.first is not None, "a seat has begun the hand"
    after.hand, after.first, after.turns = after.hand + 1, after.before.next_seat(after.first), 0
    after.ask(Dealing(), TurningUp())


_DEALT, _ROLLED = Text("The Muses are dealt."), Text("The highest roll goes first.")
_TURNED_UP = (Decision(CHANCE, Text("The hand is over; the tiles are turned up."), (TURN_UP,)),)

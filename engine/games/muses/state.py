"""A position of Dance of Muses: what lies where, who holds what, whose turn it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any, ClassVar, Self, TypeVar

from engine.core import Action, Frame, Outcome, Setup, State
from engine.games.muses.companies import COMPANIES, Company, company_count
from engine.games.muses.events import EndReason
from engine.games.muses.floor import Floor
from engine.games.muses.muse_table import MuseTable, table_of
from engine.games.muses.scoring import Ranking, ranking, winners
from engine.games.muses.tiles import FIRST_HIDDEN, HIDDEN_NEUTRAL, MUSES, Muse
from engine.texts import Seat, Text

A = TypeVar("A", bound=Action)

# Random hands take 4 to 29 turns, so it ends only those in which nobody wants a die to rise.
MOST_TURNS = 200
"""A hand ends after so many turns although no die shows 6 (rule 7.2)."""

UNSEEN = -1
"""A Muse that the viewer may not know."""

NEUTRAL_SECRET = HIDDEN_NEUTRAL - FIRST_HIDDEN
"""Place of the Neutral tile in `Muses.secrets`."""

NO_SECRETS: tuple[int | None, ...] = (None,) * (NEUTRAL_SECRET + 1)


class Question(Frame["Muses", A]):
    """A pending question of Dance of Muses."""

    __slots__ = ()

    opens_turn: ClassVar[bool] = False
    """Whether a turn of its `seat` begins with it."""


@dataclass(frozen=True, slots=True)
class FinishedHand:
    """A hand that is over, with all tiles face up and the will of Apollo done. Everybody knows all of it.

    `bonus` are the points its bonus was worth, 0 if nobody won one.
    """

    number: int
    floor: Floor
    ranking: Ranking
    bonus: int


@dataclass(frozen=True, slots=True)
class Muses(State):
    """A position.

    `hand` counts from 1. `first` begins the hand, None until that is rolled. `turns` counts the finished turns of
    the dance. `secrets` has who lies under each face-down tile (number minus `FIRST_HIDDEN`), None where there is no
    such tile. `hands` are Muses by number. `points` include `bonuses`; both are by company. `finished` is the hand
    played last.
    """

    frames: tuple[Question[Any], ...]
    setup: Setup
    hand: int
    first: Seat | None
    turns: int
    floor: Floor
    secrets: tuple[int | None, ...]
    hands: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]
    bonuses: tuple[int, ...]
    finished: FinishedHand | None
    ended: EndReason | None

    @property
    def seats(self) -> int:
        """Number of players."""
        return self.setup.seats

    @property
    def companies(self) -> int:
        """Number of companies."""
        return company_count(self.setup.seats)

    @property
    def muse_table(self) -> MuseTable:
        """Suns and powers in this match."""
        return table_of(self.setup.options.powers)

    @property
    def turns_left(self) -> int:
        """How many turns this hand can have at most, the one at work included; 0 when it is over (rule 7.2)."""
        return 0 if self.floor.hand_over else MOST_TURNS - self.turns

    def if_on_turn(self, seat: Seat) -> Muses | None:
        """A turn of another seat, with the cloth as it is."""
        # `MustMove` and `AfterMove` are about a turn under way, and what luck is asked is nobody's turn.
        asked: Any = self.frames[-1] if self.frames else None
        if asked is None or not asked.opens_turn:
            return None
        return replace(self, frames=(*self.frames[:-1], replace(asked, seat=seat)))

    def company_of(self, seat: int) -> Company:
        """The company a seat plays for."""
        return COMPANIES[self.setup.seats][seat]

    @property
    def placing(self) -> bool:
        """Whether the tiles of this hand are still being dealt and laid out."""
        # Before the deal hands are empty as well, but so is the cloth.
        return not self.ended and (any(self.hands) or not self.floor.tiles)

    def muse(self, tile: int) -> Muse | None:
        """Who lies on a tile, None if this position does not know."""
        if tile < FIRST_HIDDEN:
            return MUSES[tile]
        secret = self.secrets[tile - FIRST_HIDDEN]
        return None if secret is None or secret == UNSEEN else MUSES[secret]

    def held(self, seat: Seat) -> tuple[Muse | None, ...]:
        """The hand of a seat, None for each Muse this position does not know."""
        return tuple(None if muse == UNSEEN else MUSES[muse] for muse in self.hands[seat])

    def ranking(self) -> Ranking:
        """How the dice compare as they show now, before the suns."""
        return ranking(self.floor, self.companies)

    def next_seat(self, seat: Seat) -> Seat:
        """The next one clockwise."""
        return _NEXT[self.setup.seats][seat]

    def outcome(self) -> Outcome | None:
        """The result with its reason, once the game is over (rule 9)."""
        if self.ended is None or self.finished is None:
            return None
        # Of the last hand, after Apollo (rule 9).
        sums = [sum(dice) for dice in self.finished.ranking.dice]
        won = winners(self.points, self.bonuses, sums)
        of_company = [self.company_of(seat) for seat in range(self.seats)]
        # Seats share the win, and team mates get half of it each.
        sharing = sum(company in won for company in of_company)
        returns = tuple(1 / sharing if company in won else 0.0 for company in of_company)
        return Outcome(returns, tuple(self.points[company] for company in of_company), self.ended)

    def tally(self, seat: Seat) -> int:
        """The points of a seat's company."""
        return self.points[self.company_of(seat)]

    def account(self, seat: Seat) -> Text | None:
        """The points of a seat's company: for ranks, and from bonuses."""
        company = self.company_of(seat)
        bonus = self.bonuses[company]
        return Text("{ranks} for ranks, {bonus} from bonuses", ranks=self.points[company] - bonus, bonus=bonus)

    # --- secrets ---

    def observe(self, viewer: Seat | None) -> Self:
        """Without the hands of others, their face-down Muses, and the Neutral one if it lies face down."""
        return self._with_unseen(viewer, lambda _: UNSEEN)

    def determinize(self, viewer: Seat | None, rng: Random) -> Self:
        """With the Muses that the viewer does not see dealt anew to where they can be."""
        seen = self.observe(viewer)
        # A covered Muse is UNSEEN here, which is the number of none.
        known = {*seen.floor.tiles, *seen.secrets, *(muse for hand in seen.hands for muse in hand)}
        left = [muse for muse in range(len(MUSES)) if muse not in known]
        rng.shuffle(left)
        return seen._with_unseen(viewer, lambda _: left.pop())

    def _with_unseen(self, viewer: Seat | None, muse: Callable[[int], int]) -> Self:
        """This position with every Muse replaced that the viewer may not know."""
        # Hands are in order, so that equal ones make equal positions.
        hands = tuple(
            hand if seat == viewer else tuple(sorted(map(muse, hand))) for seat, hand in enumerate(self.hands)
        )
        # The place of a secret is the seat that knows it; the last one, the Neutral tile's, is no seat.
        secrets = tuple(
            secret if secret is None or place == viewer else muse(secret) for place, secret in enumerate(self.secrets)
        )
        # Nothing is hidden: the position itself is quickest to compare with.
        if hands == self.hands and secrets == self.secrets:
            return self
        return replace(self, hands=hands, secrets=secrets)


_NEXT = {seats: tuple(Seat((seat + 1) % seats) for seat in range(seats)) for seats in (2, 3, 4)}

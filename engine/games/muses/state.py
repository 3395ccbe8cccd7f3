"""The position of Dance of Muses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, ClassVar, Self, TypeVar

from engine.core import Action, Frame, Outcome, Setup, State
from engine.games.muses.companies import COMPANIES, Company, company_count
from engine.games.muses.events import EndReason
from engine.games.muses.floor import Floor
from engine.games.muses.muse_table import MuseTable, table_of
from engine.games.muses.scoring import EQUAL, Ranking, deciding_ties, ranking, winners
from engine.games.muses.tiles import FIRST_HIDDEN, HIDDEN_NEUTRAL, MUSES, Muse
from engine.texts import Seat, Text
from engine.ties import explain_ties
from engine.values import Value

A = TypeVar("A", bound=Action)

# Random hands take 4 to 29 turns, so it only ends hands in which all players avoid raising dice.
MAX_TURNS = 200
"""Maximum number of turns in a hand, even if no die shows 6 (rule 7.2)."""

UNSEEN = -1
"""A Muse that is hidden from the viewer."""

NEUTRAL_SECRET = HIDDEN_NEUTRAL - FIRST_HIDDEN
"""Index of the Neutral tile in `Muses.secrets`."""

NO_SECRETS: tuple[int | None, ...] = (None,) * (NEUTRAL_SECRET + 1)


class Question(Frame["Muses", A]):
    """A pending question of Dance of Muses."""

    __slots__ = ()

    opens_turn: ClassVar[bool] = False
    """Whether it opens a turn of its `seat`."""


class FinishedHand(Value):
    """A finished hand, with all tiles face up and the will of Apollo applied. All of it is public.

    `bonus` has the points of its bonus, 0 if there was none.
    """

    number: int
    floor: Floor
    ranking: Ranking
    bonus: int


class Muses(State):
    """A position of Dance of Muses.

    `hand` counts from 1. `first` is the seat that begins the hand, `None` before the roll. `turns` counts the finished
    turns of the dance. `secrets` has the Muse of each face-down tile (by its number minus `FIRST_HIDDEN`), `None` for
    tiles that are not on the floor. `hands` has the numbers of Muses. `points` include `bonuses`; both are by company.
    `finished` is the previous hand.
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
        """The number of players."""
        return self.setup.seats

    @property
    def companies(self) -> int:
        """The number of companies."""
        return company_count(self.setup.seats)

    @property
    def muse_table(self) -> MuseTable:
        """The suns and powers of this match."""
        return table_of(self.setup.options.powers)

    @property
    def turns_left(self) -> int:
        """The maximum number of turns left in this hand, including the current one; 0 when it is over (rule 7.2)."""
        return 0 if self.floor.hand_over else MAX_TURNS - self.turns

    def if_on_turn(self, seat: Seat) -> Muses | None:
        """The position as if another seat's turn began now; `None` in the middle of a turn."""
        # `MustMove`, `AfterMove` and the frames of CHANCE do not open a turn.
        top: Any = self.frames[-1] if self.frames else None
        if top is None or not top.opens_turn:
            return None
        return replace(self, frames=(*self.frames[:-1], replace(top, seat=seat)))

    def company_of(self, seat: int) -> Company:
        """The company of a seat."""
        return COMPANIES[self.setup.seats][seat]

    @property
    def is_placing(self) -> bool:
        """Whether the tiles of this hand are being dealt or laid out."""
        # Before the deal, hands are empty, too, but so is the floor.
        return not self.ended and (any(self.hands) or not self.floor.tiles)

    def muse(self, tile: int) -> Muse | None:
        """The Muse of a tile, `None` if it is hidden in this position."""
        if tile < FIRST_HIDDEN:
            return MUSES[tile]
        secret = self.secrets[tile - FIRST_HIDDEN]
        return None if secret is None or secret == UNSEEN else MUSES[secret]

    def held(self, seat: Seat) -> tuple[Muse | None, ...]:
        """The hand of a seat, with `None` for each Muse that is hidden in this position."""
        return tuple(None if muse == UNSEEN else MUSES[muse] for muse in self.hands[seat])

    def ranking(self) -> Ranking:
        """The comparison of the present dice, before the suns."""
        return ranking(self.floor, self.companies)

    def next_seat(self, seat: Seat) -> Seat:
        """The next seat clockwise."""
        return _NEXT[self.setup.seats][seat]

    def outcome(self) -> Outcome | None:
        """The result after the end of the game (rule 9)."""
        if self.ended is None or self.finished is None:
            return None
        # The dice of the last hand, after Apollo (rule 9).
        sums = [sum(dice) for dice in self.finished.ranking.dice]
        won = winners(self.points, self.bonuses, sums)
        of_company = [self.company_of(seat) for seat in range(self.seats)]
        # Seats share the win, so team mates get a half each.
        sharing = sum(company in won for company in of_company)
        returns = tuple(1 / sharing if company in won else 0.0 for company in of_company)
        scores = tuple(self.points[company] for company in of_company)
        deciding = deciding_ties(self.points, self.bonuses, sums)
        tie_break = explain_ties(returns, scores, EQUAL, deciding, of_company)
        return Outcome(returns, scores, self.ended, tie_break)

    def tally(self, seat: Seat) -> int:
        """The points of a seat's company."""
        return self.points[self.company_of(seat)]

    def account(self, seat: Seat) -> Text | None:
        """The points of a seat's company from ranks and from bonuses."""
        company = self.company_of(seat)
        bonus = self.bonuses[company]
        return Text("{ranks} from ranks, {bonus} from bonuses", ranks=self.points[company] - bonus, bonus=bonus)

    # --- secrets ---

    def observe(self, viewer: Seat | None) -> Self:
        """The position without the hands of others and without face-down Muses, except the viewer's own."""
        return self._with_unseen(viewer, lambda _: UNSEEN)

    def determinize(self, viewer: Seat | None, rng: Random) -> Self:
        """A position with the Muses that are hidden from the viewer assigned at random."""
        seen = self.observe(viewer)
        # UNSEEN is not the number of a Muse.
        visible = {*seen.floor.tiles, *seen.secrets, *(muse for hand in seen.hands for muse in hand)}
        hidden = [muse for muse in range(len(MUSES)) if muse not in visible]
        rng.shuffle(hidden)
        return seen._with_unseen(viewer, lambda _: hidden.pop())

    def _with_unseen(self, viewer: Seat | None, muse: Callable[[int], int]) -> Self:
        """This position with all Muses replaced that are hidden from the viewer."""
        # Hands are sorted, so that equal hands are equal values.
        hands = tuple(
            hand if seat == viewer else tuple(sorted(map(muse, hand))) for seat, hand in enumerate(self.hands)
        )
        # The index of a secret is the seat that knows it, except for the last one, that of the Neutral tile.
        secrets = tuple(
            secret if secret is None or place == viewer else muse(secret) for place, secret in enumerate(self.secrets)
        )
        # If nothing is hidden, return the position itself, with which comparisons are fast.
        if hands == self.hands and secrets == self.secrets:
            return self
        return replace(self, hands=hands, secrets=secrets)


_NEXT = {seats: tuple(Seat((seat + 1) % seats) for seat in range(seats)) for seats in (2, 3, 4)}

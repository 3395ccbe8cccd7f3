"""A position of Muscat: what stands where, whose turn it is, and what is asked."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Self, TypeVar

from engine.core import Action, Frame, Outcome, Setup, State
from engine.games.muscat import scoring
from engine.games.muscat.artists import ARTISTS, Artist, Token
from engine.games.muscat.board import HOLDERS
from engine.games.muscat.events import EndReason
from engine.games.muscat.repertoire import Idler
from engine.texts import Seat

A = TypeVar("A", bound=Action)

Pile = tuple[int, int, int, int]
"""How many artists of each field lie face down; their order is drawn when it is needed."""


def palace_limit(seats: int) -> int:
    """How many tokens in the palace bring the last round (rule 6.1)."""
    return 6 if seats == 3 else 8


@dataclass(frozen=True, slots=True)
class Question(Frame["Muscat", A]):
    """A pending question of Muscat, and what it holds in the air."""

    opens_turn: ClassVar[bool] = False
    """Whether this question is the first one of a turn: to come back to it ends the turn before."""

    def drawn(self) -> tuple[Seat, Artist] | None:
        """The drawn token that waits to be placed."""
        return None

    def rising(self) -> tuple[tuple[Seat, Token, int], ...]:
        """The risers that wait, as owner, token and number of the market they left; the one asked now first."""
        return ()


@dataclass(frozen=True, slots=True)
class Muscat(State):
    """A position. Everything lies open except the order of the piles, which nobody knows.

    `clock` counts finished turns, the start placements among them. `board` has a code per market (see `board`),
    level by level. `idlers` has the never-do-wells of each seat, sorted. `courtiers` counts the tokens in the palace
    by seat and field (number seat * 4 + field). `shown` are the face-up tokens.
    """

    frames: tuple[Question[Any], ...]
    setup: Setup
    clock: int
    last_round: bool
    board: tuple[int, ...]
    idlers: tuple[tuple[Idler, ...], ...]
    courtiers: tuple[int, ...]
    shown: tuple[Token | None, ...]
    piles: tuple[Pile, ...]
    ended: EndReason | None

    @property
    def seats(self) -> int:
        """Number of players, which is also the number of markets on a level."""
        return self.setup.seats

    @property
    def turn(self) -> Seat:
        """The seat on turn; at the end the last one, or the one that was to play and could not."""
        return Seat((self.setup.options.start_player + self.clock) % self.setup.seats)

    @property
    def round(self) -> int:
        """0 during the start placement, then 1, 2, ..."""
        return self.clock // self.setup.seats

    @property
    def palace_limit(self) -> int:
        """How many tokens in the palace bring the last round."""
        return palace_limit(self.setup.seats)

    @property
    def palace_count(self) -> int:
        """Tokens in the palace, all colors together."""
        return sum(self.courtiers)

    @property
    def palace(self) -> tuple[tuple[Seat, Artist, int], ...]:
        """Who is in the palace: seat, artist, how many; sorted by seat and field."""
        return tuple((Seat(n // 4), ARTISTS[n % 4], count) for n, count in enumerate(self.courtiers) if count)

    @property
    def drawn(self) -> tuple[Seat, Artist] | None:
        """A drawn token that waits to be placed: its seat and artist."""
        return self.frames[-1].drawn() if self.frames else None

    @property
    def rising(self) -> tuple[tuple[Seat, Artist, int, int], ...]:
        """Risers that wait: owner, artist, level and index of the market they left; the one asked now first."""
        waiting = self.frames[-1].rising() if self.frames else ()
        return tuple((seat, token.artist, m // self.seats + 1, m % self.seats) for seat, token, m in waiting)

    def market(self, level: int, index: int) -> tuple[Seat | None, ...]:
        """Who stands on the fields P, S, E, F of a market; levels count from 1, markets from 0."""
        return HOLDERS[self.board[(level - 1) * self.setup.seats + index]]

    def street(self, level: int) -> tuple[tuple[Seat, Artist, int], ...]:
        """The never-do-wells below a level: seat, artist, how many; sorted by seat and field."""
        return tuple(
            (Seat(seat), ARTISTS[field], count)
            for seat, idlers in enumerate(self.idlers)
            for field, count in sorted(Counter(f for street, f in idlers if street == level).items())
        )

    def faceup(self, seat: Seat) -> Artist | None:
        """The face-up token of a seat; None before it is turned up and once the pile has run out."""
        token = self.shown[seat]
        return token.artist if token else None

    def pile(self, seat: Seat) -> int:
        """How many tokens of a seat lie face down."""
        return sum(self.piles[seat])

    def unseen(self, seat: Seat) -> Pile:
        """The face-down tokens of a seat, counted by artist P, S, E, F."""
        return self.piles[seat]

    def score(self, seat: Seat) -> int:
        """Points of a seat if the game ended now (rule 7)."""
        return scoring.points(self, seat)

    def in_the_air(self, seat: Seat) -> int:
        """Points that wait with the risers of a seat: as much as they had, and less than they are going to have."""
        return scoring.in_the_air(self, seat)

    def outcome(self) -> Outcome | None:
        """The result with its reason, once the game is over."""
        return scoring.outcome(self, self.ended) if self.ended else None

    # Nobody, not even its owner, knows the order of a pile, and the position does not hold it: nothing to hide.

    def observe(self, viewer: Seat | None) -> Self:
        """The position itself: all players see the same."""
        return self

    def determinize(self, viewer: Seat | None, rng: Random) -> Self:
        """The position itself: what is unknown is not drawn yet."""
        return self

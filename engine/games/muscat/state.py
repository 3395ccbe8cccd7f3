"""A position of Muscat: what is where, whose turn it is, and what is asked."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from random import Random
from typing import Any, NamedTuple, Self, TypeVar

from engine.core import Action, Frame, Outcome, Setup, State
from engine.games.muscat.artists import ARTISTS, Artist
from engine.games.muscat.board import ALL_TOKENS, HOLDERS, NUMBERS, OWNED, SEATS, Counts, Idler, Token
from engine.games.muscat.city import Market, markets
from engine.games.muscat.events import EndReason
from engine.texts import Seat, Text, joined

A = TypeVar("A", bound=Action)

PALACE_POINTS = 10
LEVEL_POINTS = 2
"""Per token and level (rule 7)."""


class Riser(NamedTuple):
    """An artist in the air, and the market it left (rule 5.3)."""

    seat: Seat
    artist: Artist
    origin: Market


@dataclass(frozen=True, slots=True)
class Question(Frame["Muscat", A]):
    """A pending question of Muscat, and what it holds in the air."""

    def drawn(self) -> Token | None:
        """The drawn token that waits to be placed."""
        return None

    def rising(self, state: Muscat) -> tuple[Riser, ...]:
        """The risers that wait, the one asked now first."""
        return ()


class Points(NamedTuple):
    """The points of a seat: +10 in the palace, +2 a level for a token on a market, -1 a level for a never-do-well."""

    palace: int
    on_markets: int
    in_streets: int


class OpensTurn:
    """Mark of a question that is the first one of a turn: to come back to it ends the turn before."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Muscat(State):
    """A position. Everything lies open except the order of the piles, which nobody knows.

    `clock` counts finished turns, the start placements among them. `board` has a code per market (see `board`),
    level by level. `idlers` has the never-do-wells of each seat, sorted. `courtiers` counts the tokens in the palace by
    their numbers, `piles` those face down by kind: their order is drawn when it is needed. `shown` are the face-up
    tokens.
    """

    frames: tuple[Question[Any], ...]
    setup: Setup
    clock: int
    last_round: bool
    board: tuple[int, ...]
    idlers: tuple[tuple[Idler, ...], ...]
    courtiers: tuple[int, ...]
    shown: tuple[Token | None, ...]
    piles: tuple[Counts, ...]
    ended: EndReason | None

    @property
    def seats(self) -> int:
        """Number of players, which is also the number of markets on a level."""
        return self.setup.seats

    @property
    def turn(self) -> Seat:
        """The seat on turn; at the end the last one, or the one that was to play and could not."""
        place: int = (self.setup.options.start_player + self.clock) % self.setup.seats
        return SEATS[place]

    def turn_of(self) -> Seat:
        """The seat on turn, even while another one is asked something."""
        return self.turn

    def if_on_turn(self, seat: Seat) -> Muscat | None:
        """A turn of another seat, with the board as it is."""
        # With `Turn` alone no turn is under way, and the clock says whose is next.
        return replace(self, clock=self.clock + (seat - self.turn) % self.seats) if len(self.frames) == 1 else None

    @property
    def round(self) -> int:
        """0 during the start placement, then 1, 2, ..."""
        return self.clock // self.setup.seats

    @property
    def palace_limit(self) -> int:
        """How many tokens in the palace bring the last round (rule 6.1)."""
        return 6 if self.setup.seats == 3 else 8

    @property
    def palace_count(self) -> int:
        """Tokens in the palace, all colors together."""
        return sum(self.courtiers)

    @property
    def palace(self) -> tuple[tuple[Seat, Artist, int], ...]:
        """Who is in the palace: seat, artist, how many; sorted by seat and field."""
        # Only tokens of the seats that play are counted.
        counted = zip(ALL_TOKENS, self.courtiers, strict=False)
        return tuple((token.seat, token.artist, count) for token, count in counted if count)

    @property
    def drawn(self) -> Token | None:
        """A drawn token that waits to be placed."""
        return self.frames[-1].drawn() if self.frames else None

    @property
    def rising(self) -> tuple[Riser, ...]:
        """Risers that wait, the one asked now first."""
        return self.frames[-1].rising(self) if self.frames else ()

    def code(self, market: Market) -> int:
        """The code of a market (see `board`)."""
        return self.board[NUMBERS[self.setup.seats][market]]

    def market(self, market: Market) -> tuple[Seat | None, ...]:
        """Who is on the fields P, S, E, F of a market."""
        return HOLDERS[self.code(market)]

    def street(self, level: int) -> tuple[tuple[Seat, Artist, int], ...]:
        """The never-do-wells below a level: seat, artist, how many; sorted by seat and field."""
        here = Counter([(seat, f) for seat, own in enumerate(self.idlers) for street, f in own if street == level])
        return tuple((Seat(seat), ARTISTS[field], count) for (seat, field), count in sorted(here.items()))

    def faceup(self, seat: Seat) -> Artist | None:
        """The face-up token of a seat; None before it is turned up and once the pile has run out."""
        token = self.shown[seat]
        return token.artist if token else None

    def pile(self, seat: Seat) -> int:
        """How many tokens of a seat lie face down."""
        return sum(self.piles[seat])

    def points(self, seat: Seat) -> Points:
        """The points of a seat if the game ended now, by where they come from (rule 7)."""
        city = zip(markets(self.seats), self.board, strict=True)
        on_markets = sum(market.level * OWNED[seat][code] for market, code in city)
        in_streets = sum(idler.street for idler in self.idlers[seat])
        return Points(PALACE_POINTS * self._in_palace(seat), LEVEL_POINTS * on_markets, -in_streets)

    def score(self, seat: Seat) -> int:
        """The same in one number."""
        return sum(self.points(seat))

    def in_the_air(self, seat: Seat) -> int:
        """Points that wait with the risers of a seat: as much as they had, and less than they are going to have."""
        return LEVEL_POINTS * sum(riser.origin.level for riser in self.rising if riser.seat == seat)

    def tally(self, seat: Seat) -> int:
        """The same, with those on their way up counted where they come from."""
        return self.score(seat) + self.in_the_air(seat)

    def account(self, seat: Seat) -> Text | None:
        """What a seat has in the palace, on the markets and in the streets; nothing if it has no points anywhere."""
        palace, on_markets, in_streets = self.points(seat)
        all_parts = (
            palace and Text("{points} in the palace", points=palace),
            on_markets and Text("{points} on the markets", points=on_markets),
            in_streets and Text("{points} in the streets", points=in_streets),
        )
        parts = [part for part in all_parts if part]
        return joined(parts, ", ") if parts else None

    def outcome(self) -> Outcome | None:
        """Most points win, then most tokens on the board; who is still equal shares the win (rule 7)."""
        if self.ended is None:
            return None
        ranks = [(self.score(seat), self._tokens_on_board(seat)) for seat in SEATS[: self.seats]]
        best = max(ranks)
        returns = tuple(1 / ranks.count(best) if rank == best else 0.0 for rank in ranks)
        return Outcome(returns, tuple(score for score, _ in ranks), self.ended)

    def _tokens_on_board(self, seat: Seat) -> int:
        """What breaks a tie: tokens in the palace, on markets and, unless the option says no, in streets."""
        on_markets = sum(OWNED[seat][code] for code in self.board)
        in_streets = len(self.idlers[seat]) if self.setup.options.tie_counts_streets else 0
        return self._in_palace(seat) + on_markets + in_streets

    def _in_palace(self, seat: Seat) -> int:
        """How many of the tokens in the palace belong to a seat."""
        return sum(self.courtiers[seat * len(ARTISTS) : (seat + 1) * len(ARTISTS)])

    # Nobody, not even its owner, knows the order of a pile, and the position does not hold it: nothing to hide.

    def observe(self, viewer: Seat | None) -> Self:
        """The position itself: all players see the same."""
        return self

    def determinize(self, viewer: Seat | None, rng: Random) -> Self:
        """The position itself: what is unknown is not drawn yet."""
        return self

"""The position of Muscat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple, Self, TypeVar

from engine.core import Action, Frame, Outcome, Setup, State
from engine.games.muscat.artists import ARTISTS, Artist
from engine.games.muscat.board import ALL_TOKENS, HOLDERS, NUMBERS, OWNED, SEATS, Counts, Idler, Token
from engine.games.muscat.city import Market, markets
from engine.games.muscat.events import EndReason
from engine.texts import Seat, Text, joined
from engine.ties import explain_ties

A = TypeVar("A", bound=Action)

PALACE_POINTS = 10
LEVEL_POINTS = 2
"""Points for each token and level (rule 7)."""


class Riser(NamedTuple):
    """An artist that is about to rise, and the market that it left (rule 5.3)."""

    seat: Seat
    artist: Artist
    origin: Market


class Question(Frame["Muscat", A]):
    """A pending question of Muscat, with the tokens that are not on the board."""

    def drawn(self) -> Token | None:
        """The drawn token to place, if any."""
        return None

    def rising(self, state: Muscat) -> tuple[Riser, ...]:
        """The waiting risers, starting with the one in question."""
        return ()


class Points(NamedTuple):
    """The points of a seat: +10 in the palace, +2 a level for a token on a market, -1 a level for a never-do-well."""

    palace: int
    on_markets: int
    in_streets: int


class OpensTurn:
    """Marker of a question that opens a turn: when it comes up, the previous turn is over."""

    __slots__ = ()


class Muscat(State):
    """A position. Everything is public, except for the order of the piles, which is not drawn in advance.

    `clock` counts finished turns, including the start placements. `board` has the code of each market (see `board`),
    level by level. `idlers` has the sorted never-do-wells of each seat. `courtiers` has the number of each token (by
    its `number`) in the palace, `piles` the number of face-down tokens of each kind, and `shown_tokens` the face-up
    ones.
    """

    frames: tuple[Question[Any], ...]
    setup: Setup
    clock: int
    last_round: bool
    board: tuple[int, ...]
    idlers: tuple[tuple[Idler, ...], ...]
    courtiers: tuple[int, ...]
    shown_tokens: tuple[Token | None, ...]
    piles: tuple[Counts, ...]
    ended: EndReason | None

    @property
    def seats(self) -> int:
        """The number of players, which is also the number of markets on a level."""
        return self.setup.seats

    @property
    def turn(self) -> Seat:
        """The seat on turn; after the end, the last one, or the one that had no action."""
        place: int = (self.setup.options.start_player + self.clock) % self.setup.seats
        return SEATS[place]

    def turn_of(self) -> Seat:
        """The seat on turn, even while another seat has a decision."""
        return self.turn

    def if_on_turn(self, seat: Seat) -> Muscat | None:
        """The position as if another seat's turn began now; `None` in the middle of a turn."""
        # Between turns, `Turn` is the only frame, and the clock determines the seat.
        return replace(self, clock=self.clock + (seat - self.turn) % self.seats) if len(self.frames) == 1 else None

    @property
    def round(self) -> int:
        """The number of the round: 0 during the start placement, then 1, 2, ..."""
        return self.clock // self.setup.seats

    @property
    def palace_limit(self) -> int:
        """The number of tokens in the palace that triggers the last round (rule 6.1)."""
        return palace_limit(self.setup.seats)

    @property
    def palace_count(self) -> int:
        """The number of tokens in the palace."""
        return sum(self.courtiers)

    @property
    def palace(self) -> tuple[tuple[Seat, Artist, int], ...]:
        """The tokens in the palace: seat, artist, number; sorted by seat and field."""
        # `courtiers` covers only the seats of this match.
        counted = zip(ALL_TOKENS, self.courtiers, strict=False)
        return tuple((token.seat, token.artist, count) for token, count in counted if count)

    @property
    def drawn(self) -> Token | None:
        """The drawn token to place, if any."""
        return self.frames[-1].drawn() if self.frames else None

    @property
    def rising(self) -> tuple[Riser, ...]:
        """The waiting risers, starting with the one in question."""
        return self.frames[-1].rising(self) if self.frames else ()

    def code(self, market: Market) -> int:
        """The code of a market (see `board`)."""
        return self.board[NUMBERS[self.setup.seats][market]]

    def market(self, market: Market) -> tuple[Seat | None, ...]:
        """The seats on the fields P, S, E, F of a market."""
        return HOLDERS[self.code(market)]

    def street(self, level: int) -> tuple[tuple[Seat, Artist, int], ...]:
        """The never-do-wells below a level: seat, artist, number; sorted by seat and field."""
        here = Counter([(seat, f) for seat, own in enumerate(self.idlers) for street, f in own if street == level])
        return tuple((Seat(seat), ARTISTS[field], count) for (seat, field), count in sorted(here.items()))

    def faceup(self, seat: Seat) -> Artist | None:
        """The face-up token of a seat; `None` before it is turned up and after the pile has run out."""
        token = self.shown_tokens[seat]
        return token.artist if token else None

    def pile(self, seat: Seat) -> int:
        """The number of face-down tokens of a seat."""
        return sum(self.piles[seat])

    def points(self, seat: Seat) -> Points:
        """The points of a seat if the game ended now, by source (rule 7)."""
        city = zip(markets(self.seats), self.board, strict=True)
        on_markets = sum(market.level * OWNED[seat][code] for market, code in city)
        in_streets = sum(idler.street for idler in self.idlers[seat])
        return Points(PALACE_POINTS * self._in_palace(seat), LEVEL_POINTS * on_markets, -in_streets)

    def score(self, seat: Seat) -> int:
        """The score of a seat if the game ended now."""
        return sum(self.points(seat))

    def rising_points(self, seat: Seat) -> int:
        """The points that the waiting risers of a seat had before they left their markets."""
        return LEVEL_POINTS * sum(riser.origin.level for riser in self.rising if riser.seat == seat)

    def tally(self, seat: Seat) -> int:
        """The score of a seat, with waiting risers counted at their previous level."""
        return self.score(seat) + self.rising_points(seat)

    def account(self, seat: Seat) -> Text | None:
        """The points of a seat in the palace, on the markets and in the streets; `None` if all are 0."""
        palace, on_markets, in_streets = self.points(seat)
        all_parts = (
            palace and Text("{points} in the palace", points=palace),
            on_markets and Text("{points} on the markets", points=on_markets),
            in_streets and Text("{points} in the streets", points=in_streets),
        )
        parts = [part for part in all_parts if part]
        return joined(parts, ", ") if parts else None

    def outcome(self) -> Outcome | None:
        """The seats with the most points share the win; ties are broken by tokens on the board (rule 7)."""
        if self.ended is None:
            return None
        ranks = [(self.score(seat), self._tokens_on_board(seat)) for seat in SEATS[: self.seats]]
        best = max(ranks)
        returns = tuple(1 / ranks.count(best) if rank == best else 0.0 for rank in ranks)
        scores = tuple(score for score, _ in ranks)
        return Outcome(returns, scores, self.ended, explain_ties(returns, scores, EQUAL, _tie_sentences(ranks)))

    def _tokens_on_board(self, seat: Seat) -> int:
        """The tie-breaker: tokens in the palace, on markets and, depending on the option, in streets."""
        on_markets = sum(OWNED[seat][code] for code in self.board)
        in_streets = len(self.idlers[seat]) if self.setup.options.tie_counts_streets else 0
        return self._in_palace(seat) + on_markets + in_streets

    def _in_palace(self, seat: Seat) -> int:
        """The number of a seat's tokens in the palace."""
        return sum(self.courtiers[seat * len(ARTISTS) : (seat + 1) * len(ARTISTS)])

    # The order of a pile is unknown even to its owner and not part of the position, so there is nothing to hide.

    def observe(self, viewer: Seat | None) -> Self:
        """The position itself, since everything is public."""
        return self

    def determinize(self, viewer: Seat | None, rng: Random) -> Self:
        """The position itself, since unknown tokens are not drawn yet."""
        return self


def palace_limit(seats: int) -> int:
    """The number of artists in the palace that makes this round the last (rule 6.1)."""
    return 6 if seats == 3 else 8


EQUAL = Text("Tied on points and on artists on the board: the win is shared.")


def _tie_sentences(ranks: Sequence[tuple[int, int]]) -> tuple[Text, ...]:
    """The sentence about the tie-breaker between seats with the most points, if it decides (rule 7.1).

    `ranks` has the points of each seat and its artists on the board.
    """
    points, most = max(ranks)
    fewer = sorted({artists for score, artists in ranks if score == points and artists < most}, reverse=True)
    template = "Tied on points: artists on the board decide, {most} to {fewer}."
    return (Text(template, most=most, fewer=tuple(fewer)),) if fewer else ()

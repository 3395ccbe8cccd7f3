"""Points and the tie-break (rule 7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.core import Outcome
from engine.games.muscat.artists import ARTISTS
from engine.games.muscat.board import OWNED, Idler
from engine.games.muscat.city import markets
from engine.games.muscat.events import EndReason
from engine.texts import Seat, Text, joined

PALACE_POINTS = 10
LEVEL_POINTS = 2
"""Per token and level."""


class Points(NamedTuple):
    """The points of a seat: +10 in the palace, +2 a level for a token on a market, -1 a level for a never-do-well."""

    palace: int
    on_markets: int
    in_streets: int

    @property
    def account(self) -> Text | None:
        """The parts that are not zero; nothing if all are."""
        parts = (
            self.palace and Text("{points} in the palace", points=self.palace),
            self.on_markets and Text("{points} on the markets", points=self.on_markets),
            self.in_streets and Text("{points} in the streets", points=self.in_streets),
        )
        told = [part for part in parts if part]
        return joined(told, ", ") if told else None


def points(seat: Seat, seats: int, board: Sequence[int], idlers: Sequence[Idler], courtiers: Sequence[int]) -> Points:
    """What a seat has if the game ends now.

    Args:
        seat: whose points.
        seats: number of players.
        board: codes of all markets.
        idlers: the never-do-wells of the seat.
        courtiers: the tokens in the palace, of all seats.
    """
    city = zip(markets(seats), board, strict=True)
    on_markets = sum([market.level * OWNED[seat][code] for market, code in city])
    in_streets = sum(idler.street for idler in idlers)
    return Points(PALACE_POINTS * in_palace(seat, courtiers), LEVEL_POINTS * on_markets, -in_streets)


def in_palace(seat: Seat, courtiers: Sequence[int]) -> int:
    """How many of the tokens in the palace belong to a seat."""
    return sum(courtiers[seat * len(ARTISTS) : (seat + 1) * len(ARTISTS)])


def on_markets(seat: Seat, board: Sequence[int]) -> int:
    """How many tokens on the markets belong to a seat."""
    return sum(map(OWNED[seat].__getitem__, board))


def outcome(ranks: Sequence[tuple[int, int]], reason: EndReason) -> Outcome:
    """Most points win, then most tokens on the board; who is still equal shares the win. `ranks` has both by seat."""
    winners = ranks.count(max(ranks))
    returns = tuple(1 / winners if rank == max(ranks) else 0.0 for rank in ranks)
    return Outcome(returns, tuple(score for score, _ in ranks), reason)

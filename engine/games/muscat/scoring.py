"""Points (rule 7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.games.muscat.artists import ARTISTS
from engine.games.muscat.board import OWNED, Idler
from engine.games.muscat.city import markets
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
        all_parts = (
            self.palace and Text("{points} in the palace", points=self.palace),
            self.on_markets and Text("{points} on the markets", points=self.on_markets),
            self.in_streets and Text("{points} in the streets", points=self.in_streets),
        )
        parts = [part for part in all_parts if part]
        return joined(parts, ", ") if parts else None


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

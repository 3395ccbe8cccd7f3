"""Points and the tie-break (rule 7)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from engine.core import Outcome
from engine.games.muscat.board import OWNED
from engine.games.muscat.city import markets
from engine.games.muscat.events import EndReason
from engine.texts import Seat, Text, joined

if TYPE_CHECKING:
    from engine.games.muscat.state import Muscat

PALACE_POINTS = 10
LEVEL_POINTS = 2
"""Per token and level."""


def points(state: Muscat, seat: Seat) -> int:
    """+2 a level for a token on a market, +10 in the palace, -1 a level for a never-do-well."""
    return _in_palace(state, seat) + _on_markets(state, seat) + _in_streets(state, seat)


def account(state: Muscat, seat: Seat) -> Text | None:
    """The parts of the points that are not zero; nothing if all are."""
    palace, on_markets, in_streets = (part(state, seat) for part in (_in_palace, _on_markets, _in_streets))
    parts = (
        palace and Text("{points} in the palace", points=palace),
        on_markets and Text("{points} on the markets", points=on_markets),
        in_streets and Text("{points} in the streets", points=in_streets),
    )
    told = [part for part in parts if part]
    return joined(told, ", ") if told else None


def in_the_air(state: Muscat, seat: Seat) -> int:
    """What the risers of a seat counted on the market they left. `points` leaves them out until they arrive."""
    return LEVEL_POINTS * sum(riser.origin.level for riser in state.rising if riser.seat == seat)


def tokens_on_board(state: Muscat, seat: Seat) -> int:
    """What breaks a tie: tokens in the palace, on markets and, unless the option says no, in streets."""
    in_markets = sum(map(OWNED[seat].__getitem__, state.board))
    in_streets = len(state.idlers[seat]) if state.setup.options.tie_counts_streets else 0
    return in_markets + in_streets + _courtiers(state, seat)


def outcome(state: Muscat, reason: EndReason) -> Outcome:
    """Most points win, then most tokens on the board; who is still equal shares the win."""
    seats = [Seat(seat) for seat in range(state.seats)]
    ranks = [(state.score(seat), tokens_on_board(state, seat)) for seat in seats]
    winners = ranks.count(max(ranks))
    returns = tuple(1 / winners if rank == max(ranks) else 0.0 for rank in ranks)
    return Outcome(returns, tuple(score for score, _ in ranks), reason)


def _in_palace(state: Muscat, seat: Seat) -> int:
    return PALACE_POINTS * _courtiers(state, seat)


def _courtiers(state: Muscat, seat: Seat) -> int:
    return sum(count for owner, _, count in state.palace if owner == seat)


def _on_markets(state: Muscat, seat: Seat) -> int:
    city = zip(_levels(state.seats), state.board, strict=True)
    return LEVEL_POINTS * sum([level * OWNED[seat][code] for level, code in city])


@cache
def _levels(seats: int) -> tuple[int, ...]:
    """Of the markets."""
    return tuple(market.level for market in markets(seats))


def _in_streets(state: Muscat, seat: Seat) -> int:
    return -sum(idler.street for idler in state.idlers[seat])

"""Positions and sizes in the pictures of Muscat, in px. Nothing is drawn here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from engine.games.muscat.artists import FIELD, Artist
from engine.games.muscat.city import LETTERS, LEVELS, Market, markets_on
from engine.games.muscat.state import Muscat
from engine.texts import Seat
from engine.values import Value
from renders.theme import Box, Point

ICONS = {
    Artist.PIPER: "piper",
    Artist.SNAKE_CHARMER: "snake",
    Artist.ELEPHANT_TRAINER: "elephant",
    Artist.FIRE_EATER: "fire",
}
"""Icon of each artist, in the clockwise order of their fields, from the top left."""

LEVELS_FROM_TOP = LEVELS[::-1]
"""Levels from top to bottom."""

COLUMNS = len(LETTERS)
MARKET_W, MARKET_H = 182, 166
FIELD_W, FIELD_H = 72, 68
TOKEN_R = 35
STREET_LEFT, STREET_W = 100, 936
PALACE_R = 33
MAX_SINGLE_NICHES = 10
"""Maximum number of tokens in the palace with a niche of their own."""

PANELS_TOP, PANELS_BOTTOM = 1212, 1394

Group = tuple[Seat, Artist, int]
"""Equal tokens: seat, artist, count."""


class Piece(Value):
    """A token, or several equal ones, with its position; `r` is its optical radius."""

    seat: Seat
    artist: Artist
    x: float
    y: float
    r: float
    count: int = 1


# --- Levels ----------------------------------------------------------------------------------------------------------


def level_top(level: int) -> int:
    """Upper edge of a level's markets."""
    return 268 + 230 * (4 - level)


def column(seats: int, market: Market) -> int:
    """Column 0..4 of a market. With three seats, both outer columns are closed; with four, the last one."""
    # All markets of a level are equally near (rule 2.2), so any columns may be closed.
    return market.place + 1 if seats == 3 else market.place


@lru_cache(maxsize=4)
def closed_columns(seats: int) -> tuple[int, ...]:
    """Columns without a market."""
    return tuple(c for c in range(COLUMNS) if c not in {column(seats, market) for market in markets_on(1, seats)})


def column_center(level: int, col: int) -> Point:
    """Center of a market's place."""
    return 100 + 190 * col + MARKET_W / 2, level_top(level) + MARKET_H / 2


@lru_cache(maxsize=64)
def market_center(seats: int, market: Market) -> Point:
    """Center of a market."""
    return column_center(market.level, column(seats, market))


def field_center(market: Point, artist: Artist) -> Point:
    """Center of an artist's field on a market."""
    n = FIELD[artist]
    # Clockwise from the upper left: P, S, E, F (rule 2.2).
    return market[0] + (44.5 if n in (1, 2) else -44.5), market[1] + (41 if n > 1 else -41)


def market_pieces(state: Muscat, market: Market) -> tuple[Piece, ...]:
    """The tokens of a market."""
    center = market_center(state.seats, market)
    holders = zip(ICONS, state.market(market), strict=True)
    return tuple(
        Piece(seat, artist, *field_center(center, artist), TOKEN_R) for artist, seat in holders if seat is not None
    )


# --- Streets and palace ----------------------------------------------------------------------------------------------


def street_y(level: int) -> int:
    """Vertical center of the tokens in the street below a level."""
    return level_top(level) + 202


def risers_from(state: Muscat, level: int) -> tuple[tuple[Seat, Artist], ...]:
    """The artists that wait to rise from a level, the one up for a decision first."""
    return tuple((riser.seat, riser.artist) for riser in state.rising if riser.origin.level == level)


def waiting_width(risers: int) -> int:
    """Width of the plate for the risers at the right end of a street."""
    return 62 + 56 * risers


def street_pieces(state: Muscat, level: int) -> tuple[Piece, ...]:
    """The tokens of a street, with equal ones merged."""
    groups = _sort_groups(state.street(level))
    risers = len(risers_from(state, level))
    room = STREET_W - (waiting_width(risers) + 18 if risers else 0)
    pitch = min(62, room / max(1, len(groups)))
    r = min(24, 0.44 * pitch)
    return tuple(
        Piece(seat, artist, STREET_LEFT + (k + 0.5) * pitch, street_y(level), r, count)
        for k, (seat, artist, count) in enumerate(groups)
    )


def palace_pieces(state: Muscat) -> tuple[Piece, ...]:
    """The tokens in the palace. If there are more than ten, equal ones are merged."""
    groups = _sort_groups(state.palace)
    if state.palace_count <= MAX_SINGLE_NICHES:
        groups = [(seat, artist, 1) for seat, artist, count in groups for _ in range(count)]
    pitch = niche_pitch(niches(state))
    r = min(PALACE_R, 0.44 * pitch)
    return tuple(
        Piece(seat, artist, niche_x(niches(state), k), 224, r, count) for k, (seat, artist, count) in enumerate(groups)
    )


def niches(state: Muscat) -> int:
    """Number of niches in the palace."""
    niche_count = state.palace_count if state.palace_count <= MAX_SINGLE_NICHES else len(state.palace)
    return max(state.palace_limit, niche_count)


def niche_pitch(n: int) -> float:
    """Distance between the centers of adjacent niches."""
    # The last round may fill more niches than the limit (rule 6.1), so they move closer together.
    return min(96, 880 / n)


def niche_x(n: int, k: int) -> float:
    """Center of niche `k` of `n`."""
    # The palace spans x from 118 to 1022.
    return 570 + (k - (n - 1) / 2) * niche_pitch(n)


def _sort_groups(groups: Iterable[Group]) -> list[Group]:
    return sorted(groups, key=lambda group: (group[0], FIELD[group[1]]))


# --- All places ------------------------------------------------------------------------------------------------------

PALACE: Literal["palace"] = "palace"


class Street(NamedTuple):
    """The street below a level."""

    level: int


Location = Market | Street | Literal["palace"]

PiecesByPlace = Mapping[Location, tuple[Piece, ...]]
"""The pieces on each place, from top to bottom."""


def pieces_by_place(state: Muscat) -> PiecesByPlace:
    """All pieces in the city, by place."""
    places: dict[Location, tuple[Piece, ...]] = {PALACE: palace_pieces(state)}
    for level in LEVELS_FROM_TOP:
        for market in markets_on(level, state.seats):
            places[market] = market_pieces(state, market)
        places[Street(level)] = street_pieces(state, level)
    return places


# --- Panels ----------------------------------------------------------------------------------------------------------


def panel_box(seats: int, seat: int) -> Box:
    """Left, top, right and bottom of a seat's panel."""
    width = (1016 - 10 * (seats - 1)) / seats
    x0 = round(32 + seat * (width + 10))
    return x0, PANELS_TOP, round(x0 + width), PANELS_BOTTOM


class Rows(Value):
    """Vertical centers of the lines of a panel, and of its token."""

    name: int
    score: int
    pile: int
    slot: int
    person: int = 0


UNNAMED_ROWS = Rows(name=1252, score=1312, pile=1362, slot=1332)
NAMED_ROWS = Rows(name=1241, person=1284, score=1325, pile=1366, slot=1344)


def rows_of(persons: Sequence[str]) -> Rows:
    """Vertical centers of panel elements, with or without people's names."""
    return NAMED_ROWS if persons else UNNAMED_ROWS


def slot_center(seats: int, seat: int, rows: Rows = UNNAMED_ROWS) -> Point:
    """Center of the face-up or drawn token in a panel."""
    return panel_box(seats, seat)[2] - 50, rows.slot


def score_room(seats: int) -> float:
    """Width available for a panel's score beside the token, in px."""
    return slot_center(seats, 0)[0] - 40 - (panel_box(seats, 0)[0] + 18)


def pile_left(seats: int, seat: int, rows: Rows) -> Point:
    """Left end of the text about the pile in a panel."""
    return panel_box(seats, seat)[0] + 20, rows.pile

"""Markets encoded as small numbers, with lookup tables for their properties.

The *code* of a market is the sum of the weights of its tokens: a number with one digit for each field (rule 2.2). So
tokens are added and removed by addition, and properties of a market need no loop. A board has the code of each market,
in the order of `city.markets`. A set of fields is a bit mask, so that `&` is the intersection.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from engine.games.muscat.artists import ARTISTS, FIELD, Artist, strength_order
from engine.games.muscat.city import LEVELS, markets
from engine.texts import Seat
from engine.values import Value

MAX_SEATS = 5
CAPACITY = 3
"""Maximum number of tokens on a market (rule 2.2)."""

_BASE = MAX_SEATS + 1
"""Base of the codes. The digit of a field is 0 if it is empty, otherwise seat + 1."""

# 1,296 codes, so the tables below are small. Codes with four artists do not occur (rule 2.2).
_CODES = range(_BASE ** len(ARTISTS))
_ALL_FIELDS = range(len(ARTISTS))

SEATS = tuple(map(Seat, range(MAX_SEATS)))
"""The seats of the largest game, created once."""


# --- Tokens ----------------------------------------------------------------------------------------------------------


class Token(Value):
    """An artist of a color, which represents the four equal ones of a seat (rule 2.1).

    `number` is the index in `ALL_TOKENS`. `weight` is its summand in the code of its market.
    """

    seat: Seat
    field: int
    artist: Artist
    number: int
    weight: int


def _token(seat: int, field: int) -> Token:
    return Token(SEATS[seat], field, ARTISTS[field], seat * len(ARTISTS) + field, (seat + 1) * _BASE**field)


TOKENS = tuple(tuple(_token(seat, field) for field in _ALL_FIELDS) for seat in range(MAX_SEATS))
"""TOKENS[seat][field]."""

ALL_TOKENS = tuple(token for own in TOKENS for token in own)
"""All tokens, seat by seat, in the order of the fields."""


def token_of(seat: Seat, artist: Artist) -> Token:
    """The token of a seat for an artist."""
    return TOKENS[seat][FIELD[artist]]


class Idler(NamedTuple):
    """A never-do-well: its street 1..4 and its field (rule 5.2)."""

    street: int
    field: int


IDLERS = {(street, field): Idler(street, field) for street in LEVELS for field in _ALL_FIELDS}
"""Street and field -> the never-do-well there, created once."""

Counts = tuple[int, int, int, int]
"""The number of tokens of each field P, S, E, F."""


def without_one(counts: Counts, field: int) -> Counts:
    """The counts with one token less of a field."""
    rest = list(counts)
    rest[field] -= 1
    # Unpacked, since mypy infers a tuple of any length from a list.
    pipers, snake_charmers, elephant_trainers, fire_eaters = rest
    return pipers, snake_charmers, elephant_trainers, fire_eaters


# --- Sets of fields --------------------------------------------------------------------------------------------------

Fields = int
"""A set of fields: bit n stands for field n."""

FIELD_SETS = range(1 << len(ARTISTS))
"""All sets of fields, from the empty set to the full set."""


def fields_in(fields: Fields) -> list[int]:
    """The fields of a set, clockwise."""
    return [field for field in _ALL_FIELDS if fields >> field & 1]


def _set_of(fields: Iterable[int]) -> Fields:
    return sum(1 << field for field in fields)


# --- Markets ---------------------------------------------------------------------------------------------------------


class Trio(Value):
    """The three artists of a full market, ranked by its empty field (rule 5.1)."""

    strongest: Token
    second: Token
    weakest: Token
    missing: int


def _holders(code: int) -> tuple[Seat | None, ...]:
    digits = (code // _BASE**field % _BASE for field in _ALL_FIELDS)
    return tuple(SEATS[digit - 1] if digit else None for digit in digits)


def _trio(holders: tuple[Seat | None, ...]) -> Trio | None:
    if holders.count(None) != 1:
        return None
    missing = holders.index(None)
    ranked = ((holders[field], field) for field in strength_order(missing))
    strongest, second, weakest = (TOKENS[seat][field] for seat, field in ranked if seat is not None)
    return Trio(strongest, second, weakest, missing)


NUMBERS = {seats: {market: n for n, market in enumerate(markets(seats))} for seats in range(3, MAX_SEATS + 1)}
"""NUMBERS[seats][market]: the index of a market on a board, level by level (rule 2.2)."""

HOLDERS = tuple(_holders(code) for code in _CODES)
"""Code -> the seat on each field, `None` if it is empty."""

COUNT = tuple(4 - holders.count(None) for holders in HOLDERS)
"""Code -> number of tokens."""

TRIO = tuple(_trio(holders) for holders in HOLDERS)
"""Code -> the ranked artists of a full market, which can be set in motion (rule 4.2); `None` for other markets."""


def trio_of(code: int) -> Trio:
    """The ranked artists of a full market."""
    trio = TRIO[code]
    assert trio is not None, "the market has three artists"
    return trio


OPEN = tuple(
    tuple(h[field] is None and COUNT[code] < CAPACITY for code, h in enumerate(HOLDERS)) for field in _ALL_FIELDS
)
"""OPEN[field][code]: whether a market has room for an artist: none of its kind and at most two in all (rule 2.2)."""

VACANT: tuple[Fields, ...] = tuple(_set_of(f for f in _ALL_FIELDS if holders[f] is None) for holders in HOLDERS)
"""Code -> the empty fields."""

OWN: tuple[tuple[Fields, ...], ...] = tuple(
    tuple(_set_of(f for f in _ALL_FIELDS if holders[f] == seat) for holders in HOLDERS) for seat in range(MAX_SEATS)
)
"""OWN[seat][code]: the fields of a seat."""

RIVALS: tuple[tuple[Fields, ...], ...] = tuple(
    tuple(_set_of(f for f in _ALL_FIELDS if holders[f] not in (seat, None)) for holders in HOLDERS)
    for seat in range(MAX_SEATS)
)
"""RIVALS[seat][code]: the fields of other seats."""


OWNED = tuple(tuple(map(int.bit_count, fields)) for fields in OWN)
"""OWNED[seat][code]: the number of tokens of a seat."""

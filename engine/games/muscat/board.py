"""Markets as small numbers, and everything worth knowing about each number looked up in a table.

The *code* of a market is the sum of the weights of its tokens: a number with one digit per field (rule 2.2). So tokens
come and go by addition, and no question about a market needs a loop. A board has a code per market, in the order of
`city.markets`. A set of fields is a number too, with one bit per field, so that `&` gives what two sets share.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from engine.games.muscat.artists import ARTISTS, FIELD, Artist, strength_order
from engine.games.muscat.city import LEVELS, markets
from engine.texts import Seat

MOST_SEATS = 5
CAPACITY = 3
"""Most tokens on a market (rule 2.2)."""

_BASE = MOST_SEATS + 1
"""Each field of a market is a digit in this base: nobody, or seat + 1."""

# 1,296 codes, so the tables below stay small. Those with four artists never come up (rule 2.2).
_CODES = range(_BASE ** len(ARTISTS))
_ALL_FIELDS = range(len(ARTISTS))

SEATS = tuple(map(Seat, range(MOST_SEATS)))
"""The seats of the largest game, made once."""


# --- Tokens ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Token:
    """An artist of a color; it represents all four equal ones of a seat (rule 2.1).

    `number` counts seat by seat, in the order of the fields. `weight` is what it adds to the code of its market.
    """

    seat: Seat
    field: int
    artist: Artist
    number: int
    weight: int


def _token(seat: int, field: int) -> Token:
    return Token(SEATS[seat], field, ARTISTS[field], seat * len(ARTISTS) + field, (seat + 1) * _BASE**field)


TOKENS = tuple(tuple(_token(seat, field) for field in _ALL_FIELDS) for seat in range(MOST_SEATS))
"""TOKENS[seat][field]."""

ALL_TOKENS = tuple(token for own in TOKENS for token in own)
"""Number of a token -> the token."""


def token_of(seat: Seat, artist: Artist) -> Token:
    """The token of a seat for an artist."""
    return TOKENS[seat][FIELD[artist]]


class Idler(NamedTuple):
    """A never-do-well of some seat: its street 1..4 and its field (rule 5.2)."""

    street: int
    field: int


IDLERS = {(street, field): Idler(street, field) for street in LEVELS for field in _ALL_FIELDS}
"""Street and field -> the never-do-well there, made once."""

Counts = tuple[int, int, int, int]
"""How many tokens of each field P, S, E, F."""


def without_one(counts: Counts, field: int) -> Counts:
    """The counts with one token less of a field."""
    left = list(counts)
    left[field] -= 1
    # Unpacked, since mypy takes a tuple made of a list for one of any length.
    pipers, snake_charmers, elephant_trainers, fire_eaters = left
    return pipers, snake_charmers, elephant_trainers, fire_eaters


# --- Sets of fields --------------------------------------------------------------------------------------------------

Fields = int
"""A set of fields: bit n stands for field n."""

FIELD_SETS = range(1 << len(ARTISTS))
"""Every set of fields, from none to all of them."""


def fields_in(fields: Fields) -> list[int]:
    """The fields of a set, clockwise."""
    return [field for field in _ALL_FIELDS if fields >> field & 1]


def _set_of(fields: Iterable[int]) -> Fields:
    return sum(1 << field for field in fields)


# --- Markets ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trio:
    """Three artists on a market, ranked by the field that is empty (rule 5.1)."""

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


NUMBERS = {seats: {market: n for n, market in enumerate(markets(seats))} for seats in range(3, MOST_SEATS + 1)}
"""NUMBERS[seats][market]: its place on a board, which goes level by level (rule 2.2)."""

HOLDERS = tuple(_holders(code) for code in _CODES)
"""Code -> who is on the fields, None where nobody is."""

COUNT = tuple(4 - holders.count(None) for holders in HOLDERS)
"""Code -> number of tokens."""

TRIO = tuple(_trio(holders) for holders in HOLDERS)
"""Code -> the ranked artists of a market with three, which can be set in motion (rule 4.2); None for any other."""

OPEN = tuple(
    tuple(h[field] is None and COUNT[code] < CAPACITY for code, h in enumerate(HOLDERS)) for field in _ALL_FIELDS
)
"""OPEN[field][code]: whether a market takes an artist on this field: none of its kind, at most two (rule 2.2)."""

VACANT: tuple[Fields, ...] = tuple(_set_of(f for f in _ALL_FIELDS if holders[f] is None) for holders in HOLDERS)
"""Code -> the empty fields; who changes place needs one of them (rule 4.4)."""

OWN: tuple[tuple[Fields, ...], ...] = tuple(
    tuple(_set_of(f for f in _ALL_FIELDS if holders[f] == seat) for holders in HOLDERS) for seat in range(MOST_SEATS)
)
"""OWN[seat][code]: the fields of a seat."""

RIVALS: tuple[tuple[Fields, ...], ...] = tuple(
    tuple(_set_of(f for f in _ALL_FIELDS if holders[f] not in (seat, None)) for holders in HOLDERS)
    for seat in range(MOST_SEATS)
)
"""RIVALS[seat][code]: the fields of everybody else, whom an expulsion can drive out (rule 4.5)."""


OWNED = tuple(tuple(map(int.bit_count, fields)) for fields in OWN)
"""OWNED[seat][code]: how many tokens a seat has."""

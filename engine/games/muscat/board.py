"""Markets as small numbers, and everything worth knowing about each number looked up in a table.

The *code* of a market is the sum of the weights of its tokens: a number with one digit per field. So tokens come and
go by addition, and no question about a market needs a loop. The board is a flat tuple of codes, level by level.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.games.muscat.artists import ARTISTS, BASE, MOST_SEATS, TOKENS, Token, strength_order
from engine.texts import Seat

MARKETS = "ABCDE"
"""Letters of the markets of a level, by index."""

LEVELS = 4
CAPACITY = 3

_CODES = range(BASE ** len(ARTISTS))
_ALL_FIELDS = range(len(ARTISTS))


def market_text(level: int, index: int) -> str:
    """`(2, 1)` -> `2B`."""
    return f"{level}{MARKETS[index]}"


def market_at(text: str) -> tuple[int, int]:
    """`2B` -> `(2, 1)`. Raises `ValueError` for a text that names no market of the city."""
    if len(text) != 2 or text[0] not in "1234" or text[1] not in MARKETS:
        raise ValueError(f"there is no market {text}")
    return int(text[0]), MARKETS.index(text[1])


@dataclass(frozen=True, slots=True)
class Trio:
    """Three artists on a market, ranked by the field that is empty (rule 5.1)."""

    strongest: Token
    second: Token
    weakest: Token
    missing: int


def _holders(code: int) -> tuple[Seat | None, ...]:
    digits = (code // BASE**field % BASE for field in _ALL_FIELDS)
    return tuple(Seat(digit - 1) if digit else None for digit in digits)


def _trio(holders: tuple[Seat | None, ...]) -> Trio | None:
    if holders.count(None) != 1:
        return None
    missing = holders.index(None)
    ranked = ((holders[field], field) for field in strength_order(missing))
    strongest, second, weakest = (TOKENS[seat][field] for seat, field in ranked if seat is not None)
    return Trio(strongest, second, weakest, missing)


def _mask(fields: Iterable[int]) -> int:
    """A set of fields as a bit mask: bit n stands for field n."""
    return sum(1 << field for field in fields)


HOLDERS = tuple(_holders(code) for code in _CODES)
"""Code -> who stands on the fields, None where nobody does."""

COUNT = tuple(4 - holders.count(None) for holders in HOLDERS)
"""Code -> number of tokens."""

TRIO = tuple(_trio(holders) for holders in HOLDERS)
"""Code -> the ranked artists of a full market, None for any other."""

OPEN = tuple(
    tuple(h[field] is None and COUNT[code] < CAPACITY for code, h in enumerate(HOLDERS)) for field in _ALL_FIELDS
)
"""OPEN[field][code]: whether a market takes an artist on this field."""

VACANT = tuple(_mask(f for f in _ALL_FIELDS if holders[f] is None) for holders in HOLDERS)
"""Code -> the empty fields."""

OWN = tuple(tuple(_mask(f for f in _ALL_FIELDS if h[f] == seat) for h in HOLDERS) for seat in range(MOST_SEATS))
"""OWN[seat][code]: the fields of a seat."""

RIVALS = tuple(tuple(15 - VACANT[code] - own[code] for code in _CODES) for own in OWN)
"""RIVALS[seat][code]: the fields of everybody else."""

"""The coordinates of the city: levels, markets and streets (rule 2.2)."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple, Self

LEVELS = range(1, 5)
"""The levels from poor to rich; the street below a level has the same number."""

LETTERS = "ABCDE"
"""The letters of the markets of a level; a city has as many markets on each level as players."""


class Market(NamedTuple):
    """A market by its level 1..4 and its letter."""

    level: int
    letter: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse `2B` as level 2, market B. Raises `ValueError` if the market is in no city."""
        # The rules refuse a market that exists only with more seats (2.2).
        if not re.fullmatch("[1-4][A-E]", text):
            raise ValueError(f"there is no market {text}")
        return cls(int(text[0]), text[1])

    def __str__(self) -> str:
        return f"{self.level}{self.letter}"

    @property
    def place(self) -> int:
        """The index on its level, 0..4 from the left."""
        return LETTERS.index(self.letter)


class Start(StrEnum):
    """The start of a new artist: a market of level 1, by its letter, or street 1 (rule 4.1)."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"
    E = "E"
    STREET = "street"

    @property
    def market(self) -> Market | None:
        """The market on level 1; `None` for the street."""
        return _FIRST_MARKETS.get(self)


_ON_LEVEL = tuple(tuple(Market(level, letter) for letter in LETTERS) for level in LEVELS)


def markets(seats: int) -> tuple[Market, ...]:
    """The markets of the city for a number of players, level by level."""
    return tuple(market for level in LEVELS for market in markets_on(level, seats))


def markets_on(level: int, seats: int) -> tuple[Market, ...]:
    """The markets of a level, from A on."""
    return _ON_LEVEL[level - 1][:seats]


def starts(seats: int) -> tuple[Start, ...]:
    """The markets of level 1 as starts, from A on, without the street."""
    # `STREET` comes after all letters.
    return tuple(Start)[:seats]


_FIRST_MARKETS = {start: Market(1, start.value) for start in starts(len(LETTERS))}

"""Lookups in the tables of the thieves, and decks of their cards (rule 2.4)."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter

from engine.town.data import COPIES, MARKS, VALUES, Gang, Thief

GANGS = tuple(Gang)
THIEVES = tuple(Thief)

VALUE = {thief: VALUES[thief.gang] for thief in THIEVES}
"""The value of one card of each type."""

PIPS = 6
"""The faces of a die, which are also the lines of a table and the columns of a line."""

DIE = range(1, PIPS + 1)
NUMBERS = range(1, PIPS * PIPS + 1)
"""All squares of a table, line by line."""


def number_of(black: int, white: int) -> int:
    """The number of a roll, 1..36: the black die is the line, the white die the column."""
    return PIPS * (black - 1) + white


def square(number: int) -> tuple[int, int]:
    """The line and the column of a number in the table, both counted from 0."""
    return divmod(number - 1, PIPS)


def line(black: int) -> tuple[int, int]:
    """The first and the last number of a line, selected by the black die."""
    return number_of(black, 1), number_of(black, PIPS)


def bears(thief: Thief, number: int) -> bool:
    """Whether the number of a roll is marked on the cards of a type."""
    return number in MARKS[thief]


BEARERS = tuple(tuple(thief for thief in THIEVES if bears(thief, number)) for number in (0, *NUMBERS))
"""Number of a roll -> the types marked with it, in order; 0 stands for no roll."""

LINES = {thief: frozenset(square(number)[0] + 1 for number in MARKS[thief]) for thief in THIEVES}
"""Type -> the lines with a mark, which are the values of the black die that leave it in danger."""


def sort_thieves(thieves: Iterable[Thief]) -> tuple[Thief, ...]:
    """Sort thieves by gang, the cheapest first, and by group."""
    return tuple(sorted(thieves, key=attrgetter("place")))


# --- Decks -----------------------------------------------------------------------------------------------------------

Deck = tuple[int, ...]
"""The number of cards of each group, in the order of the groups; the order of the cards is unknown."""

FULL_DECK: Deck = (COPIES, COPIES, COPIES, COPIES)
EMPTY_DECK: Deck = (0, 0, 0, 0)


def with_card(deck: Deck, thief: Thief, cards: int = 1) -> Deck:
    """The deck with `cards` more cards of a type, or fewer if negative."""
    counts = list(deck)
    counts[thief.group - 1] += cards
    return tuple(counts)

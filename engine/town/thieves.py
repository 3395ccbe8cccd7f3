"""What the tables of the thieves say, and decks of their cards (rule 2.4)."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter

from engine.town.data import COPIES, MARKS, VALUES, Gang, Thief

GANGS = tuple(Gang)
THIEVES = tuple(Thief)

VALUE = {thief: VALUES[thief.gang] for thief in THIEVES}
"""What one card of a type is worth."""

PIPS = 6
"""The most that a die shows, and so the lines of a table and the places in a line."""

DIE = range(1, PIPS + 1)
NUMBERS = range(1, PIPS * PIPS + 1)
"""All squares of a table, line by line."""


def number_of(black: int, white: int) -> int:
    """The number of a roll, 1..36: black is the line, white the place in it."""
    return PIPS * (black - 1) + white


def square(number: int) -> tuple[int, int]:
    """Line and place of a number in the table, both counted from 0."""
    return divmod(number - 1, PIPS)


def line(black: int) -> tuple[int, int]:
    """The first and the last number of the line that a black die shows."""
    return number_of(black, 1), number_of(black, PIPS)


def bears(thief: Thief, number: int) -> bool:
    """Whether the number of a roll is marked on the cards of a type."""
    return number in MARKS[thief]


BEARERS = tuple(tuple(thief for thief in THIEVES if bears(thief, number)) for number in (0, *NUMBERS))
"""Number of a roll -> the types that bear it, in order; 0 stands for no roll."""

LINES = {thief: frozenset(square(number)[0] + 1 for number in MARKS[thief]) for thief in THIEVES}
"""Type -> the pips of a black die that leave it in danger, because their line has a mark."""


def in_order(thieves: Iterable[Thief]) -> tuple[Thief, ...]:
    """The same thieves, those of the cheapest gang first, group by group."""
    return tuple(sorted(thieves, key=attrgetter("place")))


# --- Decks -----------------------------------------------------------------------------------------------------------

Deck = tuple[int, ...]
"""How many cards of each group, the first group first: in an order that nobody knows."""

FULL_DECK: Deck = (COPIES, COPIES, COPIES, COPIES)
EMPTY_DECK: Deck = (0, 0, 0, 0)


def with_card(deck: Deck, thief: Thief, cards: int = 1) -> Deck:
    """The deck with so many cards of a type more, or fewer below zero."""
    counts = list(deck)
    counts[thief.group - 1] += cards
    return tuple(counts)

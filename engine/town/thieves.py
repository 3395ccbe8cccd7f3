"""Thieves as small numbers: a type is gang * 4 + group, a deck how many cards of each group it has (rule 2.4)."""

from __future__ import annotations

from engine.town.data import COPIES, MARKS, VALUES, Gang, Thief

GANGS = tuple(Gang)
THIEVES = tuple(Thief)
"""Number of a type -> the type."""

NUMBER = {thief: number for number, thief in enumerate(THIEVES)}
GANG_NUMBER = {gang: number for number, gang in enumerate(GANGS)}
TYPES = len(THIEVES)
VALUE = tuple(VALUES[gang] for gang in GANGS for _ in range(4))
"""Number of a type -> what one such card is worth."""

Deck = tuple[int, int, int, int]
"""How many cards of each group."""

FULL_DECK: Deck = (COPIES, COPIES, COPIES, COPIES)
EMPTY_DECK: Deck = (0, 0, 0, 0)

BEARS = tuple(tuple(n in MARKS[thief] for n in range(37)) for thief in THIEVES)
"""BEARS[type][number]: whether the number of a roll is marked."""

BEARERS = tuple(sum(1 << t for t in range(TYPES) if BEARS[t][n]) for n in range(37))
"""Number of a roll -> the types that bear it, as a bit mask."""

IN_LINE = tuple(tuple(any(marks[line * 6 - 5 : line * 6 + 1]) for line in range(7)) for marks in BEARS)
"""IN_LINE[type][black die]: whether the line has a mark; line 0 is none at all."""


def number_of(black: int, white: int) -> int:
    """The number of a roll, 1..36: black is the line, white the place in it."""
    return 6 * (black - 1) + white


def gang_of(thief: Thief) -> Gang:
    """The gang of a type."""
    return GANGS[NUMBER[thief] // 4]


def without(deck: Deck, group: int) -> Deck:
    """The deck with a card of a group (0..3) less."""
    return (*deck[:group], deck[group] - 1, *deck[group + 1 :])  # type: ignore[return-value]  # four, as before


def with_card(deck: Deck, group: int) -> Deck:
    """The deck with a card of a group (0..3) more."""
    return (*deck[:group], deck[group] + 1, *deck[group + 1 :])  # type: ignore[return-value]  # four, as before


def members(mask: int) -> tuple[Thief, ...]:
    """The types of a bit mask, in order."""
    return tuple(thief for number, thief in enumerate(THIEVES) if mask >> number & 1)

"""A position of the gangs: who has which bandits, the stacks, and the last raid (rule 3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Self

from engine.games.gangs.data import LAPS, PRICES
from engine.texts import Seat
from engine.town.cards import Cards
from engine.town.data import COPIES, LAP, Gang, Thief
from engine.town.state import Town
from engine.town.thieves import GANG_NUMBER, IN_LINE, THIEVES, TYPES, Deck, number_of

Gangs = tuple[int, ...]
"""Numbers of gangs, 0 yellow to 3 red."""

NOBODY = (0,) * TYPES


@dataclass(frozen=True, slots=True)
class Stack:
    """A gang's stack: cards in an order nobody knows, above those brought back, in the order in which they came."""

    unseen: Deck
    tail: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """How many cards it has."""
        return sum(self.unseen) + len(self.tail)


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of somebody's bandits in danger: who raided, for which loot, and who was arrested, for which fine.

    `raided` and `arrested` are types, card by card; `fine` is as much of it as was paid.
    """

    seat: Seat
    raided: tuple[int, ...]
    arrested: tuple[int, ...]
    loot: int
    fine: int


@dataclass(frozen=True, slots=True)
class Danger:
    """The last space with jewels, kept for all to see until the figure moves on; the dice are 0 before their roll.

    `types` are those that were in danger at first. `fates` are of all who had bandits there when it was `over`.
    """

    gangs: Gangs
    types: tuple[int, ...]
    black: int = 0
    white: int = 0
    over: bool = False
    fates: tuple[Fate, ...] = ()

    @property
    def number(self) -> int:
        """The number of the roll, 0 before both dice have fallen."""
        return number_of(self.black, self.white) if self.white else 0

    def threatens(self, number: int) -> bool:
        """Whether a type is in danger: of a gang shown and, after the black die, with a mark in its line."""
        return number // 4 in self.gangs and (not self.black or IN_LINE[number][self.black])


@dataclass(frozen=True, slots=True)
class GangsTable(Town):
    """A position. `owned[seat]` counts the bandits of each type; `stacks` go by gang."""

    owned: tuple[tuple[int, ...], ...]
    stacks: tuple[Stack, ...]
    danger: Danger | None

    @property
    def lap(self) -> int:
        """1 or 2."""
        return min(self.total // LAP + 1, LAPS)

    def price(self, gang: Gang) -> int:
        """What a bandit costs in the quarter of the figure (rule 3.2)."""
        return PRICES[gang][self.space.quarter]

    def stack(self, gang: Gang) -> int:
        """How many cards lie on the stack of a gang."""
        return self.stacks[GANG_NUMBER[gang]].size

    def bandits(self, seat: Seat) -> tuple[Thief, ...]:
        """The bandits of a seat, equal ones one after the other."""
        return tuple(thief for thief, count in zip(THIEVES, self.owned[seat], strict=True) for _ in range(count))

    def in_danger(self, seat: Seat) -> tuple[int, ...]:
        """The types of a seat that are in danger now."""
        if self.danger is None or self.danger.over:
            return ()
        return tuple(n for n, count in enumerate(self.owned[seat]) if count and self.danger.threatens(n))

    @property
    def endangered(self) -> tuple[int, ...]:
        """The types in danger, whoever owns them; once it is over those that were until the last die."""
        if self.danger is None:
            return ()
        rows = (fate.raided + fate.arrested for fate in self.danger.fates)
        if not self.danger.over:
            rows = (self.in_danger(Seat(seat)) for seat in range(self.seats))
        left = {number for row in rows for number in row}
        return tuple(n for n in self.danger.types if n in left and self.danger.threatens(n))

    def observe(self, viewer: Seat | None) -> Self:
        """The position with all hands covered but the viewer's."""
        return self._with(self.cards.observe(viewer))

    def determinize(self, viewer: Seat | None, rng: Random) -> Self:
        """A position with hands as they may be. The order of the stacks is drawn only when it is needed."""
        return self._with(self.cards.guess(viewer, rng))

    def _with(self, cards: Cards) -> Self:
        return replace(self, cards=cards)


def full(owned: tuple[int, ...], number: int) -> bool:
    """Whether all four cards of a type are in one hand (rule 3.5)."""
    return owned[number] == COPIES

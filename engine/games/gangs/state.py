"""A position of the gangs: who has which bandits, the bottoms of the stacks, and the last raid (rule 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.games.gangs.data import FULL_GROUP, GANGS_PURSE, LAPS, PRICES
from engine.texts import Seat, Text, joined
from engine.town.data import COPIES, LAP, Gang, Thief
from engine.town.state import Town
from engine.town.thieves import LINES, VALUE, number_of


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of somebody's bandits in danger: who raided, for which loot, and who was arrested, for which fine.

    `raided` and `arrested` are types, card by card; `fine` is as much of it as was paid.
    """

    seat: Seat
    raided: tuple[Thief, ...]
    arrested: tuple[Thief, ...]
    loot: int
    fine: int


class Danger(NamedTuple):
    """The last space with jewels, kept for all to see until the camel moves on; the dice are 0 before their roll.

    `types` are those that were in danger at first, in order. `fates` are of all who had bandits there when it was
    `over`.
    """

    gangs: tuple[Gang, ...]
    types: tuple[Thief, ...]
    black: int = 0
    white: int = 0
    over: bool = False
    fates: tuple[Fate, ...] = ()

    @property
    def number(self) -> int:
        """The number of the roll, 0 before both dice have fallen."""
        return number_of(self.black, self.white) if self.white else 0

    def threatens(self, thief: Thief) -> bool:
        """Whether a type is in danger: of a gang shown and, after the black die, with a mark in its line."""
        return thief.gang in self.gangs and (not self.black or self.black in LINES[thief])

    def among(self, bandits: Sequence[Thief]) -> tuple[Thief, ...]:
        """The types of some bandits that are in danger now, each once and in order; none once it is over."""
        if self.over or not bandits:
            return ()
        own = [thief for thief in self.types if thief in bandits]
        return tuple([thief for thief in own if self.black in LINES[thief]] if self.black else own)


@dataclass(frozen=True, slots=True)
class GangsTable(Town):
    """A position.

    `bandits` are those of each seat, in order and equal ones one after the other. A gang's stack is its deck, cards in
    an order nobody knows, above its `tails`, those brought back, in the order in which they came. `fined` is what each
    seat has paid for arrests so far.
    """

    bandits: tuple[tuple[Thief, ...], ...]
    tails: tuple[tuple[Thief, ...], ...]
    danger: Danger | None
    fined: tuple[int, ...]

    @property
    def lap(self) -> int:
        """1 or 2."""
        # At the very end the camel is at the beginning of a third lap.
        return min(self.walked // LAP + 1, LAPS)

    def price(self, gang: Gang) -> int:
        """What a bandit costs in the quarter of the camel (rule 3.2)."""
        return PRICES[gang][self.quarter]

    def stack(self, gang: Gang) -> int:
        """How many cards lie on the stack of a gang."""
        return sum(self.decks[gang.place]) + len(self.tails[gang.place])

    def account(self, seat: Seat) -> Text:
        """`2,500 at first, 1,280 by bandits, −480 fines, −340 else`; what is zero is left out."""
        brought, fined = self.brought[seat], self.fined[seat]
        rest = self.purses[seat] - GANGS_PURSE - brought + fined
        parts = [Text("{first} at first", first=GANGS_PURSE)]
        parts += [Text("{brought} by bandits", brought=brought)] if brought else []
        parts += [Text("{fines} fines", fines=-fined)] if fined else []
        parts += [Text("{rest} other", rest=rest)] if rest else []
        return joined(parts, ", ")

    def in_danger(self, seat: Seat) -> tuple[Thief, ...]:
        """The types of a seat that are in danger now."""
        return self.danger.among(self.bandits[seat]) if self.danger else ()

    def gain(self, seat: Seat, thief: Thief) -> int:
        """By how much one more bandit of a type raises what a seat's bandits are worth."""
        bandits = self.bandits[seat]
        return group_value((*bandits, thief), thief) - group_value(bandits, thief)

    @property
    def endangered(self) -> tuple[Thief, ...]:
        """The types in danger, of all owners; once it is over, those that were until the last die."""
        if self.danger is None:
            return ()
        rows = (fate.raided + fate.arrested for fate in self.danger.fates) if self.danger.over else self.bandits
        left = {thief for row in rows for thief in row}
        return tuple(thief for thief in self.danger.types if thief in left and self.danger.threatens(thief))


def group_value(bandits: Sequence[Thief], thief: Thief) -> int:
    """What the cards of a type among somebody's bandits are worth; a full group is doubled (rule 3.5)."""
    cards = bandits.count(thief)
    return VALUE[thief] * cards * (FULL_GROUP if cards == COPIES else 1)

"""The position of the gangs game: the bandits of each seat, the bottoms of the stacks, and the last raid (rule 3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.games.gangs.data import FULL_GROUP, GANGS_PURSE, LAPS, PRICES
from engine.texts import Seat, Text, joined
from engine.town.data import COPIES, LAP, Gang, Thief
from engine.town.state import Town
from engine.town.thieves import LINES, VALUE, number_of
from engine.values import Value


class Fate(Value):
    """The result of a raid for a seat: the bandits that raided and their loot, those arrested and their fine.

    `raided` and `arrested` have a type for each card; `fine` is the amount paid.
    """

    seat: Seat
    raided: tuple[Thief, ...]
    arrested: tuple[Thief, ...]
    loot: int
    fine: int


class Danger(NamedTuple):
    """The danger at the last space with jewels, which remains visible until the camel moves on.

    `types` are those that were in danger at first, in order. The dice are 0 before their roll. Once it is `over`,
    `fates` has the result for each seat with bandits in danger.
    """

    gangs: tuple[Gang, ...]
    types: tuple[Thief, ...]
    black: int = 0
    white: int = 0
    over: bool = False
    fates: tuple[Fate, ...] = ()

    @property
    def number(self) -> int:
        """The number of the roll, 0 before the second die."""
        return number_of(self.black, self.white) if self.white else 0

    def threatens(self, thief: Thief) -> bool:
        """Whether a type is in danger: of a gang of the space and, after the black die, with a mark in its line."""
        return thief.gang in self.gangs and (not self.black or self.black in LINES[thief])

    def among(self, bandits: Sequence[Thief]) -> tuple[Thief, ...]:
        """The types among some bandits that are in danger now, each once and in order; none once it is over."""
        if self.over or not bandits:
            return ()
        own = [thief for thief in self.types if thief in bandits]
        return tuple([thief for thief in own if self.black in LINES[thief]] if self.black else own)


class GangsTable(Town):
    """A position of the gangs game.

    `bandits` has the sorted types of each seat's bandits, one for each card. A gang's stack is its deck, in an unknown
    order, above its tail of returned cards, whose order is public (`tails`). `fined` has the fines that each seat has
    paid so far, `hired` its payments for bandits less what it sold, and `returned` its fees for returns.
    """

    bandits: tuple[tuple[Thief, ...], ...]
    tails: tuple[tuple[Thief, ...], ...]
    danger: Danger | None
    fined: tuple[int, ...]
    hired: tuple[int, ...]
    returned: tuple[int, ...]

    @property
    def lap(self) -> int:
        """The number of the lap, 1 or 2."""
        # At the end of the game, the camel is at the beginning of a third lap.
        return min(self.walked // LAP + 1, LAPS)

    def price(self, gang: Gang) -> int:
        """The price of a bandit in the quarter of the camel (rule 3.2)."""
        return PRICES[gang][self.quarter]

    def stack(self, gang: Gang) -> int:
        """The number of cards in a gang's stack."""
        return sum(self.decks[gang.place]) + len(self.tails[gang.place])

    def account(self, seat: Seat) -> Text:
        """`2,500 to start, 1,280 loot, −480 fines, −320 hires`, without parts that are zero."""
        brought, fined = self.brought[seat], self.fined[seat]
        hired, returned = self.hired[seat], self.returned[seat]
        rest = self.purses[seat] - GANGS_PURSE - brought + fined + hired + returned
        elsewhere = "{rest} elsewhere" if self.setup.options.trading else "{rest} in town"
        parts = [Text("{first} to start", first=GANGS_PURSE)]
        parts += [Text("{brought} loot", brought=brought)] if brought else []
        parts += [Text("{fines} fines", fines=-fined)] if fined else []
        parts += [Text("{hires} hires", hires=-hired)] if hired else []
        parts += [Text("{returns} returns", returns=-returned)] if returned else []
        parts += [Text(elsewhere, rest=rest)] if rest else []
        return joined(parts, ", ")

    def in_danger(self, seat: Seat) -> tuple[Thief, ...]:
        """The types of a seat that are in danger now."""
        return self.danger.among(self.bandits[seat]) if self.danger else ()

    def gain(self, seat: Seat, thief: Thief) -> int:
        """The increase of the value of a seat's bandits by one more bandit of a type."""
        bandits = self.bandits[seat]
        return group_value((*bandits, thief), thief) - group_value(bandits, thief)

    @property
    def endangered(self) -> tuple[Thief, ...]:
        """The types in danger over all owners; once it is over, those that were in danger at the last die."""
        if self.danger is None:
            return ()
        rows = (fate.raided + fate.arrested for fate in self.danger.fates) if self.danger.over else self.bandits
        present = {thief for row in rows for thief in row}
        return tuple(thief for thief in self.danger.types if thief in present and self.danger.threatens(thief))


def group_value(bandits: Sequence[Thief], thief: Thief) -> int:
    """The value of all cards of a type among some bandits; a full group counts double (rule 3.5)."""
    cards = bandits.count(thief)
    return VALUE[thief] * cards * (FULL_GROUP if cards == COPIES else 1)

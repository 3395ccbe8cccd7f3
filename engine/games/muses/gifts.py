"""What Muses can do: the powers a table of Muses chooses from (rule 6), each with its options and its effect.

A gift knows no Muse. Who uses it is `me`, the index of the acting tile; "her die" is the die on that tile.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from engine.core import Event
from engine.games.muses.actions import Book, Power, Wish, book
from engine.games.muses.events import Carried, DiceSwapped, DieTurned, PlacesSwapped
from engine.games.muses.floor import TOP, Floor
from engine.games.muses.shape import Shape
from engine.games.muses.tiles import FIRST_HIDDEN, OFFSETS, TILES, Tile, cell_name


class Gift(ABC):
    """A power. `words` is how many tiles an option names before its cell."""

    words: ClassVar[int] = 1
    borrows: ClassVar[bool] = False
    """Whether it is no power of its own, but a neighbor's."""
    stays: ClassVar[bool] = True
    """Whether she can move afterwards just as before."""

    @property
    @abstractmethod
    def line(self) -> str:
        """What it does, in a short line after the name of the Muse."""

    @property
    @abstractmethod
    def needs(self) -> str:
        """What it can be used on, for a refusal."""

    @abstractmethod
    def wishes(self, floor: Floor, shape: Shape, me: int, *, moving: bool) -> Sequence[Wish]:
        """What it can be used on; unless she `stays`, with `moving` only if `me` can move afterwards (ruling 12)."""

    def uses(self, page: Book, floor: Floor, shape: Shape, me: int, moving: bool) -> list[Power]:
        """The same as actions, from the page for who uses it."""
        return [page[wish] for wish in self.wishes(floor, shape, me, moving=moving)]

    @abstractmethod
    def grant(self, floor: Floor, me: int, wish: Wish) -> tuple[Floor, Event]:
        """The effect."""


@dataclass(frozen=True, slots=True)
class Change(Gift):
    """A die becomes higher or lower, and stays within 1..6: her own, or a neighbor's."""

    own: bool
    by: int

    @property
    def needs(self) -> str:
        """A die with room for the change."""
        return f"{'her own die' if self.own else 'one neighbor’s die'}, which has to stay within 1 and 6"

    @property
    def line(self) -> str:
        """`+1 on a neighbor’s die`."""
        sign = "+" if self.by > 0 else "−"
        return f"{sign}{abs(self.by)} on {'her own' if self.own else 'a neighbor’s'} die"

    def wishes(self, floor: Floor, shape: Shape, me: int, *, moving: bool) -> Sequence[Wish]:
        """Dice with room for the change."""
        values, tiles, by = floor.values, floor.tiles, self.by
        if self.own:
            return ((),) if 1 <= values[me] + by <= TOP else ()
        return [(tiles[index],) for index in shape.near(me) if 1 <= values[index] + by <= TOP]

    def grant(self, floor: Floor, me: int, wish: Wish) -> tuple[Floor, Event]:
        """Turn the die."""
        index = floor.tiles.index(wish[0]) if wish else me
        value = floor.values[index] + self.by
        return floor.with_value(index, value), DieTurned(TILES[floor.tiles[index]], value)


@dataclass(frozen=True, slots=True)
class Copy(Gift):
    """A neighbor's die takes the value of hers, or with `own` hers takes the neighbor's; they must differ."""

    own: bool

    @property
    def needs(self) -> str:
        """A difference."""
        return "one neighbor whose die has another value than hers"

    @property
    def line(self) -> str:
        """`a neighbor’s die copies hers`."""
        return "her die copies a neighbor’s" if self.own else "a neighbor’s die copies hers"

    def wishes(self, floor: Floor, shape: Shape, me: int, *, moving: bool) -> Sequence[Wish]:
        """Neighbors with another value."""
        values, tiles = floor.values, floor.tiles
        mine = values[me]
        return [(tiles[index],) for index in shape.near(me) if values[index] != mine]

    def grant(self, floor: Floor, me: int, wish: Wish) -> tuple[Floor, Event]:
        """Turn the die."""
        other = floor.tiles.index(wish[0])
        index, value = (me, floor.values[other]) if self.own else (other, floor.values[me])
        return floor.with_value(index, value), DieTurned(TILES[floor.tiles[index]], value)


@dataclass(frozen=True, slots=True)
class SwapDice(Gift):
    """She exchanges her die with a neighbor's; with `both` two neighbors exchange theirs."""

    both: bool

    words = 2

    @property
    def needs(self) -> str:
        """Its partners."""
        return "two different neighbors" if self.both else "one neighbor"

    @property
    def line(self) -> str:
        """`swaps dice with a neighbor`."""
        return "swaps two neighbors’ dice" if self.both else "swaps dice with a neighbor"

    def wishes(self, floor: Floor, shape: Shape, me: int, *, moving: bool) -> Sequence[Wish]:
        """Any neighbor, or any two: an exchange of equal dice is allowed (ruling 7)."""
        return _partners(floor, shape, me, both=self.both)

    def grant(self, floor: Floor, me: int, wish: Wish) -> tuple[Floor, Event]:
        """Exchange the dice, color and value."""
        one, other = _pair(floor, me, wish)
        return floor.with_dice_swapped(one, other), DiceSwapped(*_names(floor, one, other))


@dataclass(frozen=True, slots=True)
class SwapTiles(Gift):
    """She changes places with a neighbor; with `both` two neighbors do. Each tile keeps its die."""

    both: bool

    words = 2

    @property
    def needs(self) -> str:
        """Its partners."""
        return "two different neighbors" if self.both else "one neighbor"

    @property
    def stays(self) -> bool:  # type: ignore[override]  # a constant of the other gifts
        """Not if she herself changes places."""
        return self.both

    @property
    def line(self) -> str:
        """`swaps places with a neighbor`."""
        return "swaps two neighbors’ places" if self.both else "swaps places with a neighbor"

    def wishes(self, floor: Floor, shape: Shape, me: int, *, moving: bool) -> Sequence[Wish]:
        """The pattern of cells stays the same, so where she lands says whether she can move then."""
        if self.both or not moving:
            return _partners(floor, shape, me, both=self.both)
        tiles, ways = floor.tiles, shape.ways()
        return [(tiles[index],) for index in shape.near(me) if ways[index]]

    def grant(self, floor: Floor, me: int, wish: Wish) -> tuple[Floor, Event]:
        """Exchange the tiles."""
        one, other = _pair(floor, me, wish)
        return floor.with_cells_swapped(one, other), PlacesSwapped(*_names(floor, one, other))


@dataclass(frozen=True, slots=True)
class Carry(Gift):
    """She lifts a neighbor with its die to another empty cell that touches her; the group rule holds."""

    stays = False

    @property
    def needs(self) -> str:
        """What is lifted, and where to."""
        return "a neighbor and an empty cell beside her, so that all tiles stay one group"

    @property
    def line(self) -> str:
        """`moves a neighbor around her`."""
        return "moves a neighbor around her"

    def wishes(self, floor: Floor, shape: Shape, me: int, *, moving: bool) -> Sequence[Wish]:
        """A neighbor and its new cell."""
        tiles = floor.tiles
        return [(tiles[index], cell) for index, cell in shape.lifts(me, mobile=moving)]

    def grant(self, floor: Floor, me: int, wish: Wish) -> tuple[Floor, Event]:
        """Lift the tile."""
        index = floor.tiles.index(wish[0])
        event = Carried(TILES[wish[0]], cell_name(floor.cells[index]), cell_name(wish[1]))
        return floor.with_cell(index, wish[1]), event


@dataclass(frozen=True, slots=True)
class Mimic(Gift):
    """She uses the power of a face-up neighbor as if it were her own. Nobody borrows a power to borrow.

    Its options are made by `uses`; here it only says what it is.
    """

    borrows = True

    @property
    def needs(self) -> str:
        """Whom she borrows from."""
        return "a face-up neighbor with a power"

    @property
    def line(self) -> str:
        """`uses a neighbor’s power`."""
        return "uses a neighbor’s power"

    def wishes(self, floor: Floor, shape: Shape, me: int, *, moving: bool) -> Sequence[Wish]:
        """Nothing by itself."""
        return ()

    def grant(self, floor: Floor, me: int, wish: Wish) -> tuple[Floor, Event]:
        """Never asked: what she borrows is granted."""
        raise TypeError("a borrowed power is granted by its own gift")


Gifts = Sequence[Gift | None]
"""Number of a Muse -> her power, None if she has none."""


def uses(gifts: Gifts, floor: Floor, shape: Shape, me: int, *, moving: bool) -> list[Power]:
    """The options of the power of a tile: none for a face-down one (rule 6)."""
    tiles = floor.tiles
    muse = tiles[me]
    gift = gifts[muse] if muse < FIRST_HIDDEN else None
    if gift is None:
        return []
    stuck = moving and not shape.ways()[me]
    if not gift.borrows:
        return [] if stuck and gift.stays else gift.uses(book(muse, None, gift.words), floor, shape, me, moving)
    found: list[Power] = []
    for index in shape.near(me):
        copied = tiles[index]
        lent = gifts[copied] if copied < FIRST_HIDDEN else None
        if lent is not None and not lent.borrows and not (stuck and lent.stays):
            found += lent.uses(book(muse, copied, lent.words), floor, shape, me, moving)
    return found


def understood(gifts: Gifts, floor: Floor, action: Power) -> tuple[int, int | None, Gift, Wish]:
    """Index of the acting tile, whom it copies, the gift that is granted, and what it is used on.

    Raises:
        LookupError: the words name no tile on the table, no neighbor cell, or a Muse without a power.
    """
    me = floor.tiles.index(NUMBERS[action.muse])
    words = action.on.split(",") if action.on else []
    gift = gifts[NUMBERS[action.muse]]
    copied = None
    if gift is not None and gift.borrows:
        copied = NUMBERS[words.pop(0)]
        gift = gifts[copied]
    if gift is None:
        raise LookupError("no power")
    around = {cell_name(floor.cells[me] + offset): floor.cells[me] + offset for offset in OFFSETS}
    return me, copied, gift, tuple(NUMBERS[word] if word in NUMBERS else around[word] for word in words)


NUMBERS: dict[str, int] = {str(tile): number for number, tile in enumerate(TILES)}
"""Word of a tile -> its number."""


def _partners(floor: Floor, shape: Shape, me: int, *, both: bool) -> Sequence[Wish]:
    tiles = floor.tiles
    near = [tiles[index] for index in shape.near(me)]
    return list(combinations(near, 2)) if both else [(tile,) for tile in near]


def _pair(floor: Floor, me: int, wish: Wish) -> tuple[int, int]:
    first, *second = (floor.tiles.index(tile) for tile in wish)
    return (first, second[0]) if second else (me, first)


def _names(floor: Floor, one: int, other: int) -> tuple[Tile, Tile]:
    return TILES[floor.tiles[one]], TILES[floor.tiles[other]]

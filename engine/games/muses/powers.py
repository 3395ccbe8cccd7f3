"""The powers that a table of Muses can assign (rule 6), each with its options and its effect.

A power does not depend on a particular Muse: `me` is the index of the acting tile, and "her die" is the die on it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from engine.core import Event
from engine.games.muses.action_cache import OWN_USES, Uses, subsets
from engine.games.muses.actions import Power, Target
from engine.games.muses.cells import cell_name, nearest_number
from engine.games.muses.events import Carried, DiceSwapped, DieTurned, PlacesSwapped
from engine.games.muses.floor import TOP, Floor
from engine.games.muses.shape import Shape
from engine.games.muses.tiles import FIRST_HIDDEN, NUMBERS, TILES, Tile
from engine.texts import Text
from engine.values import AbstractValue

NOTHING = Target(())
"""The target of a power that needs neither tiles nor a cell."""


Powers = Sequence["MusePower | None"]
"""Number of a tile -> its power, `None` without a power or face down."""


class Stage:
    """The situation in which powers are used. With `moving`, the acting tile must move afterwards.

    `stuck` is the mask of tiles that would have to move but cannot, unless a power changes the arrangement: bit n for
    the tile with number n.
    """

    __slots__ = ("_tiles_by_value", "floor", "moving", "powers", "shape", "stuck")

    def __init__(self, powers: Powers, floor: Floor, shape: Shape, *, moving: bool) -> None:
        self.powers = powers
        self.floor = floor
        self.shape = shape
        self.moving = moving
        self.stuck = shape.stuck() if moving else 0
        self._tiles_by_value: list[int] | None = None

    def tiles_by_value(self) -> list[int]:
        """Value -> the tiles with this value, as a mask."""
        if self._tiles_by_value is None:
            self._tiles_by_value = self.floor.tiles_by_value()
        return self._tiles_by_value


class MusePower(AbstractValue):
    """The power of a Muse."""

    tiles: ClassVar[int] = 1
    """Maximum number of tiles that a use names, not counting the lender."""
    borrows: ClassVar[bool] = False
    """Whether it uses the power of a neighbor."""
    leaves_her: ClassVar[bool] = True
    """Whether it never changes how she can move."""

    @property
    @abstractmethod
    def summary(self) -> Text:
        """A short description, to follow the name of the Muse."""

    @property
    @abstractmethod
    def requirement(self) -> Text:
        """The required target, for a refusal."""

    @abstractmethod
    def uses(self, stage: Stage, me: int, near: int, actions: Uses) -> Sequence[Power]:
        """The legal uses, from her `actions`; `near` is the mask of her neighbors.

        A power without `leaves_her` must return only uses after which she can move, if she must.
        """

    @abstractmethod
    def use(self, floor: Floor, me: int, on: Target) -> tuple[Floor, Event]:
        """The floor after a use, and its event."""


class ChangeDie(MusePower):
    """Raise or lower a die within 1..6: her own, or a neighbor's."""

    own: bool
    by: int

    @property
    def summary(self) -> Text:
        """`+1 on a neighbor’s die`."""
        change = Text("+{by}", by=self.by) if self.by > 0 else Text("−{by}", by=-self.by)
        return Text("{change} on her own die" if self.own else "{change} on a neighbor’s die", change=change)

    @property
    def requirement(self) -> Text:
        """A die with room for the change."""
        return Text("{whose} die, which has to stay between 1 and 6", whose=_HER_OWN if self.own else _ONE_NEIGHBORS)

    def uses(self, stage: Stage, me: int, near: int, actions: Uses) -> Sequence[Power]:
        """Dice with room for the change."""
        if self.own:
            return (actions.alone,) if 1 <= stage.floor.values[me] + self.by <= TOP else ()
        by, tiles = self.by, stage.tiles_by_value()
        # Without the dice that would leave 1..6. Each tile has one value, so the sum is the union.
        return actions.on_each(near & ~sum(tiles[TOP + 1 - by :] if by > 0 else tiles[: 1 - by]))

    def use(self, floor: Floor, me: int, on: Target) -> tuple[Floor, Event]:
        """Turn the die."""
        index = me if self.own else floor.index(on.tiles[0])
        value = floor.values[index] + self.by
        return floor.with_value(index, value), DieTurned(TILES[floor.tiles[index]], floor.values[index], value)


_HER_OWN, _ONE_NEIGHBORS = Text("her own"), Text("one neighbor’s")


class CopyDie(MusePower):
    """Set a neighbor's die to the value of hers, or with `own` hers to that of the neighbor; they must differ."""

    own: bool

    requirement = Text("one neighbor whose die shows a different value from hers")

    @property
    def summary(self) -> Text:
        """`a neighbor’s die copies hers`."""
        return _HERS_COPIES if self.own else _HERS_IS_COPIED

    def uses(self, stage: Stage, me: int, near: int, actions: Uses) -> Sequence[Power]:
        """Neighbors with another value."""
        # Unlike a swap, a copy needs different values (rule 6.2).
        return actions.on_each(near & ~stage.tiles_by_value()[stage.floor.values[me]])

    def use(self, floor: Floor, me: int, on: Target) -> tuple[Floor, Event]:
        """Turn the die."""
        other = floor.index(on.tiles[0])
        index, value = (me, floor.values[other]) if self.own else (other, floor.values[me])
        return floor.with_value(index, value), DieTurned(TILES[floor.tiles[index]], floor.values[index], value)


_HERS_COPIES, _HERS_IS_COPIED = Text("her die copies a neighbor’s"), Text("a neighbor’s die copies hers")


class SwapDice(MusePower):
    """Swap her die with a neighbor's, or with `both` the dice of two neighbors."""

    both: bool

    tiles = 2

    @property
    def summary(self) -> Text:
        """`swaps dice with a neighbor`."""
        return _SWAPS_TWO_DICE if self.both else _SWAPS_HER_DIE

    @property
    def requirement(self) -> Text:
        """The neighbors that take part."""
        return _TWO_NEIGHBORS if self.both else _ONE_NEIGHBOR

    def uses(self, stage: Stage, me: int, near: int, actions: Uses) -> Sequence[Power]:
        """Any neighbor, or any two. A swap of equal dice is legal (rule 12)."""
        return actions.on_pairs[near] if self.both else actions.on_each(near)

    def use(self, floor: Floor, me: int, on: Target) -> tuple[Floor, Event]:
        """Swap the dice, with color and value."""
        one, other = _pair(floor, me, on)
        event = DiceSwapped(TILES[floor.tiles[one]], TILES[floor.tiles[other]])
        return floor.with_dice_swapped(one, other), event


_SWAPS_TWO_DICE, _SWAPS_HER_DIE = Text("swaps two neighbors’ dice"), Text("swaps dice with a neighbor")
_TWO_NEIGHBORS, _ONE_NEIGHBOR = Text("two different neighbors"), Text("one neighbor")


class SwapPlaces(MusePower):
    """Swap her place with a neighbor's, or with `both` the places of two neighbors. Each tile keeps its die."""

    both: bool

    tiles = 2

    @property
    def summary(self) -> Text:
        """`swaps places with a neighbor`."""
        return _SWAPS_TWO_PLACES if self.both else _SWAPS_HER_PLACE

    @property
    def requirement(self) -> Text:
        """The neighbors that take part."""
        return _TWO_NEIGHBORS if self.both else _ONE_NEIGHBOR

    @property
    def leaves_her(self) -> bool:  # type: ignore[override]  # a constant of the other powers
        """False if she herself changes places."""
        return self.both

    def uses(self, stage: Stage, me: int, near: int, actions: Uses) -> Sequence[Power]:
        """Any neighbor whose place lets her move afterwards, or any two neighbors."""
        if self.both:
            return actions.on_pairs[near]
        # The arrangement of cells does not change, so in the place of a stuck neighbor she would be stuck.
        return actions.on_each(near & ~stage.stuck)

    def use(self, floor: Floor, me: int, on: Target) -> tuple[Floor, Event]:
        """Swap the tiles."""
        one, other = _pair(floor, me, on)
        event = PlacesSwapped(TILES[floor.tiles[one]], TILES[floor.tiles[other]])
        return floor.with_cells_swapped(one, other), event


_SWAPS_TWO_PLACES, _SWAPS_HER_PLACE = Text("swaps two neighbors’ places"), Text("swaps places with a neighbor")


class Carry(MusePower):
    """Carry a neighbor with its die to another empty cell that touches her; the group rule applies."""

    leaves_her = False  # moving a neighbor may free her or pin her
    summary = Text("moves a neighbor around her")
    requirement = Text("a neighbor and an empty cell beside her, so that all tiles stay one group")

    def uses(self, stage: Stage, me: int, near: int, actions: Uses) -> Sequence[Power]:
        """The neighbors with their possible cells."""
        uses: list[Power] = []
        for tile, cells in stage.shape.lifts(me, mobile=stage.moving):
            uses += map(actions.carrying[tile].__getitem__, cells)
        return uses

    def use(self, floor: Floor, me: int, on: Target) -> tuple[Floor, Event]:
        """Carry the tile."""
        (tile,), cell = on.tiles, on.cell
        if cell is None:
            raise ValueError("nothing is carried to no cell")
        index = floor.index(tile)
        event = Carried(tile, cell_name(floor.cells[index]), cell)
        # Of all cells with this name (rule 2.2), the one beside her.
        return floor.with_cell(index, nearest_number(cell, floor.cells[me])), event


class Borrow(MusePower):
    """Use the power of a face-up neighbor as her own, except for a power to borrow."""

    borrows = True
    leaves_her = False  # depends on the borrowed power, see `uses`
    summary = Text("uses a neighbor’s power")
    requirement = Text("a face-up neighbor with a power")

    def uses(self, stage: Stage, me: int, near: int, actions: Uses) -> Sequence[Power]:
        """The uses of the powers of all face-up neighbors."""
        uses: list[Power] = []
        muse = stage.floor.tiles[me]
        # Borrowing from a face-down tile is illegal, since it might reveal the Muse (rules 2.4 and 6.2).
        for lender in _MUSES_IN[near & _ALL_MUSES]:
            lent = stage.powers[lender]
            # If she is stuck, a power that does not change how she can move is illegal (rule 6.1).
            if lent is not None and not lent.borrows and not (stage.stuck >> muse & 1 and lent.leaves_her):
                uses += lent.uses(stage, me, near, actions.lent[lender])
        return uses

    def use(self, floor: Floor, me: int, on: Target) -> tuple[Floor, Event]:
        """Never called, since `resolve_power` resolves the borrowed power."""
        raise TypeError("use the borrowed power instead")


_ALL_MUSES = (1 << FIRST_HIDDEN) - 1
_MUSES_IN = subsets(range(FIRST_HIDDEN))
"""Mask of face-up tiles -> their numbers."""


def power_uses(stage: Stage, me: int) -> Sequence[Power]:
    """The legal uses of the power of a tile (rule 6)."""
    power = stage.powers[muse := stage.floor.tiles[me]]
    return () if power is None else power.uses(stage, me, stage.shape.near(me), OWN_USES[muse])


def all_power_uses(stage: Stage) -> list[Power]:
    """The legal uses of the powers of all tiles, after which the tile can move if it must (rule 6.1)."""
    uses: list[Power] = []
    powers, stuck = stage.powers, stage.stuck
    for me, muse in enumerate(stage.floor.tiles):
        power = powers[muse]
        # If she is stuck, a power that does not change how she can move is illegal (rule 6.1).
        if power and not (stuck and stuck >> muse & 1 and power.leaves_her):
            uses += power.uses(stage, me, stage.shape.near(me), OWN_USES[muse])
    return uses


def resolve_power(powers: Powers, action: Power) -> tuple[MusePower, Tile | None, Target]:
    """The power in use, its lender, if any, and its target.

    Raises:
        LookupError: the Muse, or the lender, has no power.
    """
    power, on, lender = powers[NUMBERS[action.muse]], action.on or NOTHING, None
    if power is not None and power.borrows:
        lender, *tiles = on.tiles
        # The rest is the target as the owner of the power would name it.
        power, on = powers[NUMBERS[lender]], Target(tuple(tiles), on.cell)
    if power is None:
        raise LookupError("no power")
    return power, lender, on


def _pair(floor: Floor, me: int, on: Target) -> tuple[int, int]:
    first, *second = map(floor.index, on.tiles)
    # If only one tile is named, the other one is her own.
    return (first, second[0]) if second else (me, first)

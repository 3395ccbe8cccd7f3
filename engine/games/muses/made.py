"""The actions that options are made of, each made once: random games spend their time on lists of options."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache
from typing import TypeVar

from engine.games.muses.actions import Done, Place, Power, Step, Target, TurnUp
from engine.games.muses.cells import WAYS, cell_named
from engine.games.muses.tiles import MUSES, TILES, Face, Tile

DONE = Done()
TURN_UP = TurnUp()

Key = TypeVar("Key")
Made = TypeVar("Made")


class Kept(dict[Key, Made], ABC):
    """Actions by what they are about, each made when it is first wanted. What is full starts anew."""

    ROOM = 1024

    def __missing__(self, key: Key) -> Made:
        if len(self) >= self.ROOM:
            self.clear()
        made = self[key] = self._made(key)
        return made

    @abstractmethod
    def _made(self, key: Key) -> Made:
        """What is kept under a key."""


class Placings(Kept[int, tuple[Place, ...]]):
    """What can be done with a Muse of a hand on a cell."""

    def __init__(self, muse: int, *faces: Face) -> None:
        """`faces` are the sides that may be up."""
        super().__init__()
        self._muse = MUSES[muse]
        self._faces = faces

    def _made(self, cell: int) -> tuple[Place, ...]:
        return tuple(Place(self._muse, cell_named(cell), face) for face in self._faces)


_ALL = range(len(MUSES))
BOTH = tuple(Placings(muse, Face.UP, Face.DOWN) for muse in _ALL)
UP = tuple(Placings(muse, Face.UP) for muse in _ALL)
DOWN = tuple(Placings(muse, Face.DOWN) for muse in _ALL)
"""Number of a Muse -> how she may be laid: either side up, or one."""


def _by_mask(tile: Tile) -> tuple[tuple[Step, ...], ...]:
    single = [Step(tile, way) for way in WAYS]
    return tuple(tuple(step for n, step in enumerate(single) if mask >> n & 1) for mask in range(256))


STEPS = tuple(_by_mask(tile) for tile in TILES)
"""STEPS[tile][mask of ways]."""

Numbers = tuple[int, ...]
"""What a power is used on: numbers of tiles; in the end the number of a cell, if the power needs one."""


class Uses(Kept[Numbers, Power]):
    """The uses of a power by a Muse, by what they are used on."""

    def __init__(self, muse: int, lender: int | None, tiles: int) -> None:
        """`lender` is whose power she borrows; so many numbers are `tiles`, what follows is a cell."""
        super().__init__()
        self._muse = TILES[muse]
        self._lender = () if lender is None else (TILES[lender],)
        self._tiles = tiles

    def _made(self, numbers: Numbers) -> Power:
        tiles = (*self._lender, *(TILES[number] for number in numbers[: self._tiles]))
        cell = next((cell_named(number) for number in numbers[self._tiles :]), None)
        return Power(self._muse, Target(tiles, cell, lent=bool(self._lender)) if tiles else None)


@lru_cache(maxsize=128)
def uses_of(muse: int, lender: int | None, tiles: int) -> Uses:
    """The uses of a power by a Muse: her own, or one that is lent to her."""
    return Uses(muse, lender, tiles)

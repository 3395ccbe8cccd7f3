"""Everything somebody can do in Dance of Muses, one small class per verb, and the draws of luck."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from engine.core import Action, describe
from engine.games.muses.tiles import MUSES, TILES, WAYS, Face, Muse, Tile, Way, cell_name
from engine.texts import Seat, listed


@dataclass(frozen=True, slots=True)
class Place(Action):
    """Lay a Muse of your hand on the cloth, face up or face down."""

    label = "{muse} on {cell}, {face}"

    muse: Muse = describe("a Muse of your hand")
    cell: str = describe("an empty cell beside a tile, such as m13")
    face: Face = describe("up, or down: once in a hand everybody hides one Muse")


@dataclass(frozen=True, slots=True)
class Step(Action):
    """Let any tile take a step; it pushes what is in its way, and all of them gain 1."""

    label = "{muse} {way}"

    muse: Tile = describe("any tile on the table, also hidden0 or hiddenN")
    way: Way = describe("n, e, s or w")


class Aim(str):
    """What a power is used on, words between commas: `clio`, `clio,erato`, `clio,n14`, `thalia,clio,erato`.

    `label` is how people read it: `as Thalia on Clio and Erato`.
    """

    label: str = ""


@dataclass(frozen=True, slots=True)
class Power(Action):
    """Use the power of a face-up Muse: before her move, or after it."""

    label = "Power: {muse} {on}"

    muse: Tile = describe("the Muse that moves in this turn")
    on: str | None = describe("tiles and cell, such as clio or clio,n14; Polyhymnia first names whom she copies")


@dataclass(frozen=True, slots=True)
class Done(Action):
    """End your turn without using the power."""

    label = "Done"


# --- Luck ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Deal(Action):
    """The nine Muses, shuffled: the first seat's hand, the next one's, and so on; what is left is Neutral."""

    muses: tuple[Muse, ...]


@dataclass(frozen=True, slots=True)
class First(Action):
    """Who has rolled highest and begins."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TurnUp(Action):
    """Turn up the face-down tiles at the end of a hand."""


# --- Every action is made once ---------------------------------------------------------------------------------------

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
        return tuple(Place(self._muse, cell_name(cell), face) for face in self._faces)


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

Wish = tuple[int, ...]
"""What a power is used on: numbers of tiles; in the end the number of a cell, if the power needs one."""


class Book(Kept[Wish, Power]):
    """The uses of a Muse's power by what they are used on."""

    def __init__(self, muse: int, copied: int | None, words: int) -> None:
        """`copied` is whose power she borrows; `words` of a wish are tiles, what follows is a cell."""
        super().__init__()
        self._muse = TILES[muse]
        self._head = [] if copied is None else [TILES[copied]]
        self._words = words

    def _made(self, wish: Wish) -> Power:
        tiles = [TILES[number] for number in wish[: self._words]]
        cells = [cell_name(number) for number in wish[self._words :]]
        words = (*self._head, *tiles, *cells)
        aim = Aim(",".join(words)) if words else None
        if aim is not None:
            aim.label = " ".join((*_phrase("as", self._head), *_phrase("on", tiles), *_phrase("to", cells)))
        return Power(self._muse, aim)


def _phrase(preposition: str, words: Sequence[str]) -> tuple[str, ...]:
    """`on Clio and Erato`, or nothing."""
    return (preposition, listed([getattr(word, "label", word) for word in words])) if words else ()


@lru_cache(maxsize=32)
def book(muse: int, copied: int | None, words: int) -> Book:
    """The one book for a Muse, whom she copies, and the number of tiles in a wish."""
    return Book(muse, copied, words)

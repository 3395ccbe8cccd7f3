"""The nine Muses and their public names on the table (rules 2 and 3)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from engine.texts import Seat, Text


class Muse(StrEnum):
    """A Muse, by the name on the front of her tile."""

    CALLIOPE = "calliope"
    CLIO = "clio"
    ERATO = "erato"
    EUTERPE = "euterpe"
    MELPOMENE = "melpomene"
    POLYHYMNIA = "polyhymnia"
    TERPSICHORE = "terpsichore"
    THALIA = "thalia"
    URANIA = "urania"

    @property
    def label(self) -> str:
        """The name: `Calliope`."""
        return self.capitalize()


MUSES = tuple(Muse)
"""The Muses by number, 0..8."""


class Tile(StrEnum):
    """A tile on the table by its public name, which never reveals a face-down Muse (rule 2.4)."""

    CALLIOPE = "calliope"
    CLIO = "clio"
    ERATO = "erato"
    EUTERPE = "euterpe"
    MELPOMENE = "melpomene"
    POLYHYMNIA = "polyhymnia"
    TERPSICHORE = "terpsichore"
    THALIA = "thalia"
    URANIA = "urania"
    HIDDEN0 = "hidden0"
    HIDDEN1 = "hidden1"
    HIDDEN2 = "hidden2"
    HIDDEN3 = "hidden3"
    HIDDEN_NEUTRAL = "hiddenN"

    @property
    def label(self) -> str | Text:
        """The name within a sentence: `Calliope`, `Red’s hidden Muse`."""
        return self.capitalize() if NUMBERS[self] < FIRST_HIDDEN else TILE_NAMES[self]

    @property
    def owner(self) -> Seat | None:
        """The seat that hid her; see `engine.core.members`."""
        return OWNERS.get(self)


TILES = tuple(Tile)
"""The tiles by number. A face-up tile has the number of its Muse."""

NUMBERS: Mapping[Muse | Tile, int] = {tile: number for number, tile in enumerate(TILES)}
"""Tile -> its number. A Muse is a key, too, since she equals her face-up tile."""

FIRST_HIDDEN = len(MUSES)
"""Number of the first seat's face-down tile; those of the other seats follow."""

HIDDEN_NEUTRAL = len(TILES) - 1
"""Number of the face-down Neutral tile."""

OWNERS = {tile: Seat(number) for number, tile in enumerate(TILES[FIRST_HIDDEN:HIDDEN_NEUTRAL])}
"""Face-down tile -> the seat that hid its Muse."""


def _tile_name(tile: Tile, *, first: bool) -> Text:
    if tile in OWNERS and first:
        return Text("{owner:@’s|Your} hidden Muse", owner=OWNERS[tile])
    if tile in OWNERS:
        return Text("{owner:@’s hidden Muse|the Muse you hid}", owner=OWNERS[tile])
    if tile is Tile.HIDDEN_NEUTRAL:
        return Text("The hidden Neutral tile") if first else Text("the hidden Neutral tile")
    return Text("{muse}", muse=tile)


TILE_NAMES: Mapping[Tile, Text] = {tile: _tile_name(tile, first=False) for tile in TILES}
"""The public name of a tile within a sentence: `Clio`, `Red’s hidden Muse`."""

TILE_NAMES_FIRST: Mapping[Tile, Text] = {tile: _tile_name(tile, first=True) for tile in TILES}
"""The public name of a tile at the beginning of a sentence."""


class Face(StrEnum):
    """The visible side of a tile."""

    UP = "up"
    DOWN = "down"

    @property
    def label(self) -> str:
        """The side in words."""
        return "face up" if self is Face.UP else "face down"

    @property
    def shown(self) -> str:
        """The side as people type it: a word of its label."""
        return str(Text("a word to type\4up") if self is Face.UP else Text("a word to type\4down"))

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
        """How people read it: `Calliope`."""
        return self.capitalize()


MUSES = tuple(Muse)
"""Number of a Muse, 0..8 -> the Muse."""


class Tile(StrEnum):
    """What everybody calls a tile on the table: a face-down one never goes by its Muse (rule 2.4)."""

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
        """How people read it where nobody has a name: `Calliope`, `seat 1’s hidden Muse`; else see `CALLED`."""
        if NUMBERS[self] < FIRST_HIDDEN:
            return self.capitalize()
        return Text("seat {nth}’s hidden Muse", nth=OWNERS[self] + 1) if self in OWNERS else _HIDDEN_NEUTRAL

    @property
    def owner(self) -> Seat | None:
        """The seat that has hidden her; see `engine.core.members`."""
        return OWNERS.get(self)


_HIDDEN_NEUTRAL = Text("hidden Neutral tile")

TILES = tuple(Tile)
"""Number of a tile -> the tile. A face-up tile has the number of its Muse."""

NUMBERS: Mapping[Muse | Tile, int] = {tile: number for number, tile in enumerate(TILES)}
"""The same the other way round; a Muse is found by the name of her tile."""

FIRST_HIDDEN = len(MUSES)
"""Number of the tile that the first seat has face down; those of the other seats follow."""

HIDDEN_NEUTRAL = len(TILES) - 1
"""Number of the Neutral tile while it lies face down."""

OWNERS = {tile: Seat(number) for number, tile in enumerate(TILES[FIRST_HIDDEN:HIDDEN_NEUTRAL])}
"""The tile of each hidden Muse -> the seat that has hidden her."""


def _called(tile: Tile, *, first: bool) -> Text:
    if tile in OWNERS and first:
        return Text("{owner:@’s|Your} hidden Muse", owner=OWNERS[tile])
    if tile in OWNERS:
        return Text("{owner:@’s hidden Muse|the Muse you hid}", owner=OWNERS[tile])
    if tile is Tile.HIDDEN_NEUTRAL:
        return Text("The hidden Neutral tile") if first else Text("the hidden Neutral tile")
    return Text("{muse}", muse=tile)


CALLED: Mapping[Tile, Text] = {tile: _called(tile, first=False) for tile in TILES}
"""What everybody calls a tile inside a sentence: `Clio`, `Red’s hidden Muse`."""

CALLED_FIRST: Mapping[Tile, Text] = {tile: _called(tile, first=True) for tile in TILES}
"""The same where a sentence begins."""


class Face(StrEnum):
    """Which side of a tile is up."""

    UP = "up"
    DOWN = "down"

    @property
    def label(self) -> str:
        """How people read it."""
        return "face up" if self is Face.UP else "face down"

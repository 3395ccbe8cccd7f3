"""The actions of Dance of Muses, one class for each verb, for seats and for CHANCE."""

from __future__ import annotations

from dataclasses import field

from engine.core import Action, Part, describe
from engine.games.muses.cells import Cell, Way
from engine.games.muses.tiles import NUMBERS, TILES, Face, Muse, Tile
from engine.notation import shown_word
from engine.texts import Seat, Text, joined
from engine.values import Value

_LENDER, _ON_WHOM, _WHERE_TO = Text("Like whom?"), Text("On whom?"), Text("Where to?")


class Place(Action):
    """Lay a Muse from your hand on the cloth, face up or face down."""

    sense = "laying a tile"
    label = "{muse} on {cell}, {face}"

    muse: Muse = describe("the Muse from your hand to lay", "Which Muse?")
    cell: Cell = describe("an empty cell beside a tile, by column and row, such as M13", "Where to?")
    face: Face = describe("which side is up: you hide exactly one Muse, face down", "Face up or face down?")


class Step(Action):
    """Let any tile take a step; it pushes tiles in its way, and all of them gain 1."""

    label = "{muse} {way}"

    muse: Tile = describe("the tile that steps: anybody’s, face up or hidden", "Which tile?")
    way: Way = describe("the direction: n for north, e for east, s for south, w for west", "Which way?")


class Target(Value):
    """The target of a power: tiles, and for some powers a cell; the notation is `clio`, `clio,erato` or `clio,n14`.

    A borrowed power names the lender first: `thalia,clio,erato`. The notation alone does not show whether a power is
    borrowed, so `lent` says so; it is not part of the value.
    """

    tiles: tuple[Tile, ...]
    cell: Cell | None = None
    lent: bool = field(default=False, compare=False)

    @classmethod
    def parse(cls, text: str) -> Target:
        """Parse the notation of a target. Raises `ValueError`."""
        *words, last = text.split(",")
        # The last word is a tile or a cell; their names are disjoint.
        if last in NUMBERS:
            return cls((*map(Tile, words), Tile(last)))
        return cls(tuple(map(Tile, words)), Cell.parse(last))

    @classmethod
    def read(cls, text: str) -> Target:
        """Parse a target as players type it, with the displayed names of cells. Raises `ValueError`."""
        notation = {shown_word(Tile, tile).casefold(): tile for tile in TILES}
        *words, last = (notation.get(word, word) for word in text.casefold().replace(" ", "").split(","))
        return cls.parse(",".join((*words, last if last in NUMBERS else str(Cell.read(last)))))

    @property
    def shown(self) -> str:
        """The target in the reader's language, in the form that players type: `clio,N14`."""
        return ",".join(shown_word(type(word), word) for word in self.words)

    def __str__(self) -> str:
        return ",".join(map(str, self.words))

    @property
    def words(self) -> tuple[Tile | Cell, ...]:
        """The tiles, then the cell."""
        return self.tiles if self.cell is None else (*self.tiles, self.cell)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The lender, the tiles and the cell, each with its question."""
        lenders, tiles = self.tiles[: self.lent], self.tiles[self.lent :]
        cells = (self.cell,) if self.cell else ()
        questions = ((_LENDER, lenders), (_ON_WHOM, tiles), (_WHERE_TO, cells))
        return tuple(Part(question, value) for question, values in questions for value in values)

    @property
    def label(self) -> Text:
        """The target in words: `as Thalia on Clio and Erato`."""
        lender, on = self.tiles[: self.lent], self.tiles[self.lent :]
        phrases = [Text("as {muse}", muse=lender)] if lender else []
        phrases += [Text("on {tiles}", tiles=on)] if on else []
        return joined([*phrases, *([Text("to {cell}", cell=self.cell)] if self.cell else [])])


class Power(Action):
    """Use the power of a face-up Muse: before her move, or after it."""

    label = "Power: {muse} {on}"

    muse: Tile = describe("the Muse whose power you use; she must also be the one that moves", "Whose power?")
    on: Target | None = describe(
        "whom the power affects, such as clio or clio,N14; if the power is borrowed, first whose it is",
        "On whom?",
    )


class Done(Action):
    """End your turn without using the power."""

    label = "Done"


# --- Luck ------------------------------------------------------------------------------------------------------------


class Deal(Action):
    """The nine Muses, shuffled: the first seat's hand, the next one's, and so on; the rest is Neutral."""

    muses: tuple[Muse, ...]


class First(Action):
    """The seat that rolled highest and begins."""

    seat: Seat


class TurnUp(Action):
    """Turn up the face-down tiles at the end of a hand."""

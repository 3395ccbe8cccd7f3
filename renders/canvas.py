"""What every board is drawn on: a ground, things put on it, and bands that are only made once.

A canvas keeps a list of what lies where. `finish` cuts the picture into bands, and those into tiles; one on which the
same things lay before is taken from the shelf, so a move pays for the tiles it touches, and for pressing their bands.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from threading import Lock
from typing import Generic, TypeVar

from PIL import Image

from renders.encoding import BAND, BANDS, ROW, Band, pressed
from renders.lettering import Face, fit, line, width
from renders.palette import Palette
from renders.sprites import Sprite
from renders.theme import HEIGHT, IVORY, WIDTH, Color

TILE = 90
"""Width of a tile in px; a divisor of the picture's width."""

COLUMNS = WIDTH // TILE


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What never changes in a game's pictures: an RGB picture of the full size, and the palette of all of them."""

    image: Image.Image
    palette: Palette


Box = tuple[int, int, int, int]
"""Left, top, right, bottom, in px."""

Put = tuple[Sprite, int, int]
"""A sprite and the place of its top left corner on the picture."""


class Canvas:
    """A picture in the making. Coordinates are px from the top left; later things lie on earlier ones."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self._puts: list[Put] = []
        self._bands: list[list[Put]] = [[] for _ in range(BANDS)]

    def put(self, sprite: Sprite, x: float = 0, y: float = 0) -> None:
        """Put a sprite on a point."""
        top = round(y) + sprite.top
        put = (sprite, round(x) + sprite.left, top)
        self._puts.append(put)
        for band in self._bands[max(0, top // BAND) : (top + sprite.height - 1) // BAND + 1]:
            band.append(put)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        face: Face,
        color: Color = IVORY,
        align: str = "left",
        room: float = WIDTH,
    ) -> float:
        """Write one line, shortened to `room` px, its capitals centered on `y`. Returns its width in px."""
        short = fit(text, face, room) if room < WIDTH else text
        if short:
            self.put(line(short, face, color, align), x, y)
        return width(short, face)

    def flat(self) -> Image.Image:
        """The picture in full color, before it is mapped to the palette."""
        return _painted(self.ground, (0, 0, WIDTH, HEIGHT), self._puts)

    def changes(self, before: Canvas | None) -> list[Box]:
        """Boxes that do not overlap, around all that lies only on this canvas or only on another one of its kind."""
        whole = [(0, 0, WIDTH, HEIGHT)]
        if before is None or before.ground is not self.ground:
            return whole
        here, there = set(self._puts), set(before._puts)
        kept = [put for put in self._puts if put in there]
        return whole if kept != [put for put in before._puts if put in here] else _joined(map(_box, here ^ there))

    def part(self, box: Box, scale: int = 1) -> Image.Image:
        """A part of the picture in palette colors, some times smaller; the edges of the box are multiples of that."""
        return self.ground.palette.indexed(_painted(self.ground, box, self._puts).reduce(scale))

    def finish(self) -> tuple[Band, ...]:
        """The picture from top to bottom."""
        return tuple(_shelf.get_or((self.ground, n, tuple(puts)), self._band) for n, puts in enumerate(self._bands))

    def _band(self, key: Key) -> Band:
        """A band put together from its tiles, most of which were drawn before."""
        ground, number, puts = key
        rows = _bare_rows(ground, number).copy()
        for column, run in self._tiles(puts):
            if run:
                tile = _tiles.get_or((ground, number * COLUMNS + column, run), _tile)
                rows.im.paste(tile.im, _places(column))  # hundreds a picture: what Pillow does around it costs more
        return pressed(rows.tobytes())

    def _tiles(self, puts: tuple[Put, ...]) -> Iterator[tuple[int, tuple[Put, ...]]]:
        """What lies on the tiles of a band, from left to right."""
        columns: list[list[Put]] = [[] for _ in range(COLUMNS)]
        for put in puts:
            left = put[1]
            for column in columns[max(0, left // TILE) : (left + put[0].width - 1) // TILE + 1]:
                column.append(put)
        return enumerate(map(tuple, columns))


Key = tuple[Ground, int, tuple[Put, ...]]
"""All that a band or a tile depends on: its ground, its number and what lies on it."""


@cache
def _places(column: int) -> tuple[int, int, int, int]:
    """Where a tile lies in its band, right of the filters."""
    return 1 + column * TILE, 0, 1 + column * TILE + TILE, BAND


@lru_cache(maxsize=8 * BANDS)
def _bare_rows(ground: Ground, number: int) -> Image.Image:
    """A band of a ground with nothing on it, as it stands in the file."""
    rows = Image.new("P", (ROW, BAND))
    rows.paste(ground.palette.indexed(ground.image.crop((0, number * BAND, WIDTH, number * BAND + BAND))), (1, 0))
    return rows


def _tile(key: Key) -> Image.Image:
    ground, number, puts = key
    row, column = divmod(number, COLUMNS)
    left, top = column * TILE, row * BAND
    return ground.palette.indexed(_painted(ground, (left, top, left + TILE, top + BAND), puts))


def _box(put: Put) -> Box:
    """What a sprite covers of the picture, up to even px, so that half the size has no odd edge."""
    sprite, x, y = put
    right, bottom = min(WIDTH, x + sprite.width + 1), min(HEIGHT, y + sprite.height + 1)
    return max(0, x) & ~1, max(0, y) & ~1, right & ~1, bottom & ~1


def _joined(boxes: Iterable[Box]) -> list[Box]:
    """Some boxes, those that overlap joined to one around them."""
    found: list[Box] = []
    for box in boxes:
        while touched := [other for other in found if _overlap(box, other)]:
            found = [other for other in found if other not in touched]
            box = around([box, *touched])
        found.append(box)
    return found


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def around(boxes: Sequence[Box]) -> Box:
    """The smallest box around some others."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _painted(ground: Ground, box: Box, puts: Sequence[Put]) -> Image.Image:
    """A part of the picture in full color."""
    left, top, right, bottom = box
    image = ground.image.crop(box)
    for sprite, x, y in puts:
        if y < bottom and y + sprite.height > top and x < right and x + sprite.width > left:
            image.paste(
                sprite.paint, (x - left, y - top, x - left + sprite.width, y - top + sprite.height), sprite.mask
            )
    return image


T = TypeVar("T")


class _Shelf(Generic[T]):
    """What was made for the last pictures, least recently used first. Safe to share between threads."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._things: OrderedDict[Key, T] = OrderedDict()
        self._lock = Lock()

    def get_or(self, key: Key, make: Callable[[Key], T]) -> T:
        """What is kept under a key; if nothing is, it is made."""
        with self._lock:
            if (found := self._things.get(key)) is not None:
                self._things.move_to_end(key)
                return found
        return self.keep(key, make(key))

    def keep(self, key: Key, thing: T) -> T:
        with self._lock:
            self._things[key] = thing
            while len(self._things) > self._room:
                self._things.popitem(last=False)
        return thing


_shelf: _Shelf[Band] = _Shelf(room=32 * BANDS)
_tiles: _Shelf[Image.Image] = _Shelf(room=8 * BANDS * COLUMNS)

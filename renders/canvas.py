"""What every board is drawn on: a ground, things put on it, and bands that are only made once.

A canvas keeps a list of what lies where. `finish` cuts the picture into bands, and those into tiles; one on which the
same things lay before is taken from the shelf, so a move pays for the tiles it touches, and for pressing their bands.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import groupby
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from PIL import Image

from renders.encoding import BAND, BANDS, ROW, Band, pressed
from renders.lettering import Face, fit, line, width
from renders.palette import Palette
from renders.sprites import Sprite
from renders.theme import HEIGHT, IVORY, WIDTH, Color

if TYPE_CHECKING:
    from PIL._imaging import ImagingCore as Pixels

TILE = 90
"""Width of a tile in px; a divisor of the picture's width."""

COLUMNS = WIDTH // TILE


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What never changes in a game's pictures: an RGB picture of the full size, and the palette of all of them."""

    image: Image.Image
    palette: Palette


Put = tuple[Sprite, int, int]
"""A sprite and the place of its top left corner on the picture."""

Box = tuple[int, int, int, int]
"""Left, top, right and bottom on the picture, in px."""


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
        image = self.ground.image.copy()
        _paint(image.im, (0, 0, WIDTH, HEIGHT), self._puts)
        return image

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
        image = self.ground.image.crop(box)
        _paint(image.im, box, self._puts)
        return self.ground.palette.indexed(image.reduce(scale))

    def finish(self) -> tuple[Band, ...]:
        """The picture from top to bottom."""
        return tuple(_bands.all_of([(self.ground, n, tuple(puts)) for n, puts in enumerate(self._bands)], _pressed))


Key = tuple[Ground, int, tuple[Put, ...]]
"""All that a band or a tile depends on: its ground, its number and what lies on it."""


def _pressed(keys: Sequence[Key]) -> list[Band]:
    desk = _Desk()
    return [desk.pressed(key) for key in keys]


class _Desk:
    """Where bands are put together from their tiles, most of which were drawn before."""

    def __init__(self) -> None:
        self._rows = bytearray(ROW * BAND)
        self._pixels = Image.frombuffer("P", (ROW, BAND), self._rows, "raw", "P", 0, 1).im  # they are the same memory

    def pressed(self, key: Key) -> Band:
        """A band as it stands in the file."""
        ground, number, puts = key
        self._pixels.paste(_bare_band(ground, number), (0, 0, ROW, BAND))
        tiles = [(ground, number * COLUMNS + column, run) for column, run in enumerate(_columns(puts)) if run]
        for (_, tile, _), pixels in zip(tiles, _tiles.all_of(tiles, partial(_drawn, puts=puts)), strict=True):
            self._pixels.paste(pixels, _place(tile % COLUMNS))
        return pressed(self._rows)


def _columns(puts: Sequence[Put]) -> list[tuple[Put, ...]]:
    """What lies on the tiles of a band, from left to right."""
    columns: list[list[Put]] = [[] for _ in range(COLUMNS)]
    for put in puts:
        left = put[1]
        for column in columns[max(0, left // TILE) : (left + put[0].width - 1) // TILE + 1]:
            column.append(put)
    return [*map(tuple, columns)]


def _drawn(keys: Sequence[Key], puts: Sequence[Put]) -> Iterator[Pixels]:
    """Tiles of one band on which these things lie. Neighbors are painted in one go."""
    ground = keys[0][0]
    for numbers in _runs([number for _, number, _ in keys]):
        row, column = divmod(numbers[0], COLUMNS)
        left, top = column * TILE, row * BAND
        box = (left, top, left + TILE * len(numbers), top + BAND)
        strip = ground.image.im.crop(box)
        _paint(strip, box, puts)
        indices = ground.palette.indices(strip)
        yield from (indices.crop((TILE * n, 0, TILE * n + TILE, BAND)) for n in range(len(numbers)))


def _runs(numbers: Sequence[int]) -> Iterator[list[int]]:
    """Rising numbers in groups without a gap."""
    for _, run in groupby(enumerate(numbers), key=lambda found: found[1] - found[0]):
        yield [number for _, number in run]


@cache
def _place(column: int) -> Box:
    """Where a tile lies in its band, right of the filters."""
    return 1 + column * TILE, 0, 1 + column * TILE + TILE, BAND


@lru_cache(maxsize=8 * BANDS)
def _bare_band(ground: Ground, number: int) -> Pixels:
    """A band of a ground with nothing on it, as it stands in the file."""
    band = Image.new("P", (ROW, BAND))
    band.paste(ground.palette.indexed(ground.image.crop((0, number * BAND, WIDTH, number * BAND + BAND))), (1, 0))
    return band.im


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


def _paint(pixels: Pixels, box: Box, puts: Sequence[Put]) -> None:
    """Put things on a part of the picture in full color."""
    left, top, right, bottom = box
    for sprite, x, y in puts:
        if y < bottom and y + sprite.height > top and x < right and x + sprite.width > left:
            sprite.paste_on(pixels, x - left, y - top)


T = TypeVar("T")


class _Shelf(Generic[T]):
    """What was made for the last pictures, least recently used first. Safe to share between threads."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._things: OrderedDict[Key, T] = OrderedDict()
        self._lock = Lock()

    def all_of(self, keys: Sequence[Key], make: Callable[[Sequence[Key]], Iterable[T]]) -> Iterator[T]:
        """What is kept under the keys, in their order; those under which nothing is are made together."""
        found = self._found(keys)
        if missing := [key for key in keys if key not in found]:
            found.update(zip(missing, make(missing), strict=True))
            self._keep({key: found[key] for key in missing})
        return map(found.__getitem__, keys)

    def _found(self, keys: Sequence[Key]) -> dict[Key, T]:
        with self._lock:
            found = {key: self._things[key] for key in keys if key in self._things}
            for key in found:
                self._things.move_to_end(key)
        return found

    def _keep(self, things: Mapping[Key, T]) -> None:
        with self._lock:
            self._things.update(things)
            while len(self._things) > self._room:
                self._things.popitem(last=False)


_bands: _Shelf[Band] = _Shelf(room=32 * BANDS)
_tiles: _Shelf[Pixels] = _Shelf(room=8 * BANDS * COLUMNS)

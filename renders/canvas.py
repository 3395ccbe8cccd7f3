"""What every board is drawn on: a ground, things put on it, and bands that are only made once.

A canvas keeps a list of what lies where. `finish` cuts the picture into bands, and those into tiles; one on which the
same things lay before is taken from the shelf, so a move pays for the tiles it touches, and for pressing their bands.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import chain, groupby
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

CELL = 80
"""Height of the tiles of a film in px; a divisor of the picture's height."""


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
        for band in self._bands[_touched(top, sprite.height, BAND)]:
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

    def cells(self) -> list[Key]:
        """What the tiles of a film depend on, row by row."""
        rows: list[list[list[Put]]] = [[[] for _ in range(COLUMNS)] for _ in range(HEIGHT // CELL)]
        for put in self._puts:
            sprite, left, top = put
            across = _touched(left, sprite.width, TILE)
            for row in rows[_touched(top, sprite.height, CELL)]:
                for cell in row[across]:
                    cell.append(put)
        return [(self.ground, number, tuple(run)) for number, run in enumerate(chain.from_iterable(rows))]

    def shrunk(self, cells: Sequence[Key], scale: int) -> Iterator[Pixels]:
        """Some of these tiles in palette colors, as many times smaller."""
        return _drawn(cells, self._puts, CELL, scale)

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
        # where there are words, nearly every move changes some; all over a picture this would take too many bytes
        return pressed(self._rows, quickly=number < BANDS // 2 and any(sprite.is_flat for sprite, _, _ in puts))


def _columns(puts: Sequence[Put]) -> list[tuple[Put, ...]]:
    """What lies on the tiles of a band, from left to right."""
    columns: list[list[Put]] = [[] for _ in range(COLUMNS)]
    for put in puts:
        for column in columns[_touched(put[1], put[0].width, TILE)]:
            column.append(put)
    return [*map(tuple, columns)]


def _touched(start: int, length: int, step: int) -> slice:
    """Which of strips as wide as `step` something lies on, all in px."""
    return slice(start // step if start > 0 else 0, (start + length - 1) // step + 1)


def _drawn(keys: Sequence[Key], puts: Sequence[Put], height: int = BAND, scale: int = 1) -> Iterator[Pixels]:
    """Tiles on which these things lie, as many times smaller. Neighbors are painted in one go."""
    ground, across, down = keys[0][0], TILE // scale, height // scale
    for numbers in _runs([number for _, number, _ in keys]):
        row, column = divmod(numbers[0], COLUMNS)
        left, top = column * TILE, row * height
        box = (left, top, left + TILE * len(numbers), top + height)
        strip = ground.image.im.crop(box)
        _paint(strip, box, puts)
        indices = ground.palette.indices(strip if scale == 1 else _reduced(strip, scale))
        yield from (indices.crop((across * n, 0, across * n + across, down)) for n in range(len(numbers)))


def _reduced(pixels: Pixels, scale: int) -> Pixels:
    """The mean of every square of pixels."""
    reduced: Pixels = pixels.reduce((scale, scale), (0, 0, *pixels.size))
    return reduced


def _runs(numbers: Sequence[int]) -> Iterator[list[int]]:
    """Rising numbers of tiles in groups without a gap in a row."""
    for _, run in groupby(enumerate(numbers), key=lambda found: (found[1] // COLUMNS, found[1] - found[0])):
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


def _paint(pixels: Pixels, box: Box, puts: Sequence[Put]) -> None:
    """Put things on a part of the picture in full color."""
    left, top, right, bottom = box
    for sprite, x, y in puts:
        if y < bottom and y + sprite.height > top and x < right and x + sprite.width > left:
            sprite.paste_on(pixels, x - left, y - top)


T = TypeVar("T")


class Shelf(Generic[T]):
    """What was made for the last pictures, least recently used first. Safe to share between threads."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._things: OrderedDict[Key, T] = OrderedDict()
        self._lock = Lock()

    def all_of(self, keys: Sequence[Key], make: Callable[[Sequence[Key]], Iterable[T]]) -> list[T]:
        """What is kept under the keys, in their order; those under which nothing is are made together."""
        found = self._found(keys)
        if missing := [key for key, thing in zip(keys, found, strict=True) if thing is None]:
            made = list(make(missing))
            self._keep(missing, made)
            rest = iter(made)
            return [next(rest) if thing is None else thing for thing in found]
        return [thing for thing in found if thing is not None]

    def _found(self, keys: Sequence[Key]) -> list[T | None]:
        things = self._things
        with self._lock:  # to hash a key costs more than all else here
            found = [things.get(key) for key in keys]
            for key, thing in zip(keys, found, strict=True):
                if thing is not None:
                    things.move_to_end(key)
        return found

    def _keep(self, keys: Sequence[Key], things: Sequence[T]) -> None:
        with self._lock:
            self._things.update(zip(keys, things, strict=True))
            while len(self._things) > self._room:
                self._things.popitem(last=False)


_bands: Shelf[Band] = Shelf(room=32 * BANDS)
_tiles: Shelf[Pixels] = Shelf(room=8 * BANDS * COLUMNS)

"""What every board is drawn on: a ground, things put on it, and bands that are only made once.

A canvas keeps a list of what lies where. `finish` cuts the picture into bands, and those into tiles; one on which the
same things lay before is taken from the shelf, so a move pays for the tiles it touches, and for pressing their bands.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, count, groupby
from operator import itemgetter
from struct import Struct
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from PIL import Image

from renders.encoding import BAND, BANDS, ROW, Band, Press
from renders.lettering import Face, fit, line, width
from renders.palette import BLANK, Palette
from renders.sprites import Sprite
from renders.theme import HEIGHT, IVORY, WIDTH, Color

if TYPE_CHECKING:
    from PIL._imaging import ImagingCore as Pixels

TILE = 90
"""Width of a tile in px; a divisor of the picture's width."""

COLUMNS = WIDTH // TILE

CELL = 80
"""Height of the tiles of a film in px; a divisor of the picture's height."""


class Ground:
    """What never changes in a game's pictures, in the colors of their palette: a byte per pixel, for it is kept."""

    def __init__(self, image: Image.Image, palette: Palette, like: Ground | None = None) -> None:
        """From an RGB picture of the full size. What is as on another ground of the palette, `like`, is held once."""
        self.palette = palette
        self.number = next(_numbers)
        self._bands = [self._band(image, number) for number in range(BANDS)]
        if like:
            pairs = zip(self._bands, like._bands, strict=True)
            self._bands = [theirs if own == theirs else own for own, theirs in pairs]

    def _band(self, image: Image.Image, number: int) -> Image.Image:
        """As it stands in the file, right of the filters."""
        band = Image.new("P", (ROW, BAND))
        band.putpalette(self.palette.bytes)
        band.paste(self.palette.indexed(image.crop((0, number * BAND, WIDTH, number * BAND + BAND))), (1, 0))
        return band

    def band(self, number: int) -> Pixels:
        """A band with nothing on it, as it stands in the file."""
        band: Pixels = self._bands[number].im
        return band

    def rgb(self, box: Box) -> Pixels:
        """A part of the picture in full color."""
        left, top, right, bottom = box
        part: Pixels = Image.new("RGB", (right - left, bottom - top)).im
        for number in range(BANDS)[_touched(top, bottom - top, BAND)]:
            strip = self._bands[number].im.crop((1 + left, 0, 1 + right, BAND)).convert("RGB", Image.Dither.NONE)
            part.paste(strip, (0, number * BAND - top, right - left, number * BAND - top + BAND))
        return part


class Draft(Ground):
    """A picture to draw on before there is a palette for it: all it can be used for is `Canvas.flat`."""

    def __init__(self, image: Image.Image) -> None:
        """From an RGB picture of any size."""
        self.palette = BLANK
        self._image = image

    def rgb(self, box: Box) -> Pixels:
        """A part of the picture."""
        part: Pixels = self._image.im.crop(box)
        return part


_numbers = count()

Put = tuple[Sprite, int, int, bytes]
"""A sprite, the place of its top left corner on the picture, and these three in a few bytes."""

_code = Struct("<Ihh").pack

Box = tuple[int, int, int, int]
"""Left, top, right and bottom on the picture, in px."""


class Canvas:
    """A picture in the making. Coordinates are px from the top left; later things lie on earlier ones."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self._puts: list[Put] = []

    def put(self, sprite: Sprite, x: float = 0, y: float = 0) -> None:
        """Put a sprite on a point."""
        left, top = round(x) + sprite.left, round(y) + sprite.top
        self._puts.append((sprite, left, top, _code(sprite.number, left, top)))

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
        """The picture in full color, before what was put on it is mapped to the palette."""
        image, box = Image.new("RGB", (WIDTH, HEIGHT)), (0, 0, WIDTH, HEIGHT)
        image.im.paste(self.ground.rgb(box), box)
        _paint(image.im, box, self._puts)
        return image

    def cells(self) -> list[Key]:
        """What the tiles of a film depend on, row by row."""
        rows = [_columns(row) for row in _rows(self._puts, CELL)]
        return [_key(self.ground, number, run) for number, run in enumerate(chain.from_iterable(rows))]

    def shrunk(self, numbers: Sequence[int], scale: int) -> Iterator[Pixels]:
        """Some of these tiles in palette colors, as many times smaller."""
        return _drawn(self.ground, numbers, self._puts, CELL, scale)

    def finish(self) -> tuple[Band, ...]:
        """The picture from top to bottom."""
        rows = _rows(self._puts, BAND)
        keys = [_key(self.ground, number, row) for number, row in enumerate(rows)]
        return tuple(_bands.all_of(keys, lambda missing: _pressed(self.ground, rows, missing)))


Key = bytes
"""All that a band or a tile depends on: its ground, its number and what lies on it."""

_head, _own_code = Struct("<II").pack, itemgetter(3)


def _key(ground: Ground, number: int, puts: Iterable[Put]) -> Key:
    return _head(ground.number, number) + b"".join(map(_own_code, puts))


def _rows(puts: Sequence[Put], step: int) -> list[list[Put]]:
    """What lies on the strips of a height that the picture is cut into, from top to bottom."""
    rows: list[list[Put]] = [[] for _ in range(HEIGHT // step)]
    for put in puts:
        for row in rows[_touched(put[2], put[0].height, step)]:
            row.append(put)
    return rows


def _columns(puts: Sequence[Put]) -> list[list[Put]]:
    """What of it lies on the tiles of such a strip, from left to right."""
    columns: list[list[Put]] = [[] for _ in range(COLUMNS)]
    for put in puts:
        for column in columns[_touched(put[1], put[0].width, TILE)]:
            column.append(put)
    return columns


def _touched(start: int, length: int, step: int) -> slice:
    """Which of strips as wide as `step` something lies on, all in px."""
    return slice(start // step if start > 0 else 0, (start + length - 1) // step + 1)


def _pressed(ground: Ground, rows: Sequence[Sequence[Put]], numbers: Sequence[int]) -> Iterator[Band]:
    """Some bands as they stand in the file, put together from their tiles, most of which were drawn before."""
    rows_of_file = bytearray(ROW * BAND)
    pixels = Image.frombuffer("P", (ROW, BAND), rows_of_file, "raw", "P", 0, 1).im  # they are the same memory
    press = Press()
    for number in numbers:
        pixels.paste(ground.band(number), (0, 0, ROW, BAND))
        _lay_tiles(pixels, ground, number, rows[number])
        # where there are words, nearly every move changes some; all over a picture this would take too many bytes
        yield press.band(rows_of_file, quickly=any(sprite.is_flat for sprite, *_ in rows[number]))


def _lay_tiles(pixels: Pixels, ground: Ground, number: int, puts: Sequence[Put]) -> None:
    """Lay the tiles of a band on it where there is anything on them."""
    tiles = [(number * COLUMNS + column, run) for column, run in enumerate(_columns(puts)) if run]
    keys = [_key(ground, *tile) for tile in tiles]
    drawn = _tiles.all_of(keys, lambda missing: _drawn(ground, [tiles[n][0] for n in missing], puts))
    for (tile, _), found in zip(tiles, drawn, strict=True):
        pixels.paste(found, _place(tile % COLUMNS))


def _drawn(
    ground: Ground, numbers: Sequence[int], puts: Sequence[Put], height: int = BAND, scale: int = 1
) -> Iterator[Pixels]:
    """Tiles on which these things lie, as many times smaller. Neighbors are painted in one go."""
    across, down = TILE // scale, height // scale
    for run in _runs(numbers):
        row, column = divmod(run[0], COLUMNS)
        left, top = column * TILE, row * height
        box = (left, top, left + TILE * len(run), top + height)
        strip = ground.rgb(box)
        _paint(strip, box, puts)
        indices = ground.palette.indices(strip if scale == 1 else _reduced(strip, scale))
        yield from (indices.crop((across * n, 0, across * n + across, down)) for n in range(len(run)))


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


def _paint(pixels: Pixels, box: Box, puts: Sequence[Put]) -> None:
    """Put things on a part of the picture in full color."""
    left, top, right, bottom = box
    for sprite, x, y, _ in puts:
        if y < bottom and y + sprite.height > top and x < right and x + sprite.width > left:
            sprite.paste_on(pixels, x - left, y - top)


T = TypeVar("T")


class Shelf(Generic[T]):
    """What was made for the last pictures, least recently used first. Safe to share between threads."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._things: OrderedDict[Key, T] = OrderedDict()
        self._lock = Lock()

    def all_of(self, keys: Sequence[Key], make: Callable[[list[int]], Iterable[T]]) -> list[T]:
        """What is kept under the keys, in their order; those that are missing are made together, by their place."""
        found = self._found(keys)
        if missing := [place for place, thing in enumerate(found) if thing is None]:
            for place, thing in zip(missing, made := list(make(missing)), strict=True):
                found[place] = thing
            self._keep([keys[place] for place in missing], made)
        return [thing for thing in found if thing is not None]

    def _found(self, keys: Sequence[Key]) -> list[T | None]:
        things = self._things
        with self._lock:
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

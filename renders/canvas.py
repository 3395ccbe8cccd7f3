"""What every board is drawn on: a ground, things put on it, and bands that are only made once.

A canvas keeps a list of what lies where. `finish` cuts the picture into bands, and those into tiles; one on which the
same things lay before is taken from the shelf, so a move pays for the tiles it touches, and for pressing their bands.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, count, groupby
from operator import itemgetter
from struct import Struct
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from PIL import Image

from renders.encoding import BAND, BANDS, ROW, Band, Press
from renders.lettering import Face, fit, line, width
from renders.palette import BLANK, Palette, in_rgb
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

    def __init__(self, image: Image.Image, palette: Palette, like: Ground | None = None, *, quiet: int = 0) -> None:
        """From an RGB picture of the full size. What is as on another ground of the palette, `like`, is held once.

        Bands with up to `quiet` things on them, which seldom change, are pressed thoroughly: where a ground has many
        details, all of them pressed quickly would take too many bytes.
        """
        self.palette, self.quiet = palette, quiet
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

    def part(self, number: int, left: int, right: int) -> Pixels:
        """A part of a band, from one column of pixels to another."""
        part: Pixels = self._bands[number].im.crop((1 + left, 0, 1 + right, BAND))
        return part

    def rgb(self, box: Box) -> Pixels:
        """A part of the picture in full color."""
        left, top, right, bottom = box
        colors: Pixels = Image.new("RGB", (right - left, bottom - top)).im
        for number in range(BANDS)[_touched(top, bottom - top, BAND)]:
            down = number * BAND - top
            colors.paste(in_rgb(self.part(number, left, right)), (0, down, right - left, down + BAND))
        return colors


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

Put = tuple[Sprite, int, int, bytes, slice]
"""A sprite, the place of its top left corner on the picture, these three in a few bytes, and the columns it touches."""

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
        code, columns = _code(sprite.number, left, top), _touched(left, sprite.width, TILE)
        self._puts.append((sprite, left, top, code, columns))

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
        rows, across, down = _rows(self._puts, CELL), TILE // scale, CELL // scale
        for run in _runs(numbers):
            row, column = divmod(run[0], COLUMNS)
            box = (column * TILE, row * CELL, (column + len(run)) * TILE, (row + 1) * CELL)
            colors = self.ground.rgb(box)
            _paint(colors, box, rows[row])
            reduced = colors.reduce((scale, scale), (0, 0, *colors.size))
            yield from _cut(self.ground.palette.indices(reduced), across, down)

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
        for column in columns[put[4]]:
            column.append(put)
    return columns


def _touched(start: int, length: int, step: int) -> slice:
    """Which of strips as wide as `step` something lies on, all in px."""
    return slice(start // step if start > 0 else 0, (start + length - 1) // step + 1)


def _pressed(ground: Ground, rows: Sequence[Sequence[Put]], numbers: Sequence[int]) -> Iterator[Band]:
    """Some bands as they stand in the file, put together from their tiles, most of which were drawn before."""
    rows_of_file = bytearray(ROW * BAND)
    pixels = Image.frombuffer("P", (ROW, BAND), rows_of_file, "raw", "P", 0, 1).im  # they are the same memory
    press, tiles = Press(), _tiles_on(ground, rows, numbers)
    for number in numbers:
        pixels.paste(ground.band(number), (0, 0, ROW, BAND))
        for place, tile in tiles[number]:
            pixels.paste(tile, place)
        yield press.band(rows_of_file, quickly=len(rows[number]) > ground.quiet)


def _tiles_on(
    ground: Ground, rows: Sequence[Sequence[Put]], bands: Sequence[int]
) -> dict[int, list[tuple[Box, Pixels]]]:
    """Band -> its tiles on which there is anything, and their places."""
    runs = [(band, column, run) for band in bands for column, run in enumerate(_columns(rows[band])) if run]
    numbers = [band * COLUMNS + column for band, column, _ in runs]
    keys = [_key(ground, number, run) for number, (*_, run) in zip(numbers, runs, strict=True)]
    drawn = _tiles.all_of(keys, lambda missing: _drawn(ground, [numbers[n] for n in missing], rows))
    found: dict[int, list[tuple[Box, Pixels]]] = {band: [] for band in bands}
    for (band, column, _), tile in zip(runs, drawn, strict=True):
        found[band].append((PLACES[column], tile))
    return found


def _drawn(ground: Ground, numbers: Sequence[int], rows: Sequence[Sequence[Put]]) -> Iterator[Pixels]:
    """Tiles of rows of things. Neighbors are laid in one go."""
    for run in _runs(numbers):
        row, column = divmod(run[0], COLUMNS)
        left, right = column * TILE, (column + len(run)) * TILE
        strip = ground.part(row, left, right)
        puts = [put for put in rows[row] if put[1] < right and put[1] + put[0].width > left]
        _lay(strip, ground, left, row * BAND, puts)
        yield from _cut(strip, TILE, BAND)


def _lay(pixels: Pixels, ground: Ground, left: int, top: int, puts: Sequence[Put]) -> None:
    """Lay things on pixels of a ground, with palette colors, whose corner lies there on the picture."""
    across, down = pixels.size
    taken: list[Box] = []
    for sprite, x, y, *_ in puts:
        whole = x - left, y - top, x - left + sprite.width, y - top + sprite.height
        box = max(0, whole[0]), max(0, whole[1]), min(across, whole[2]), min(down, whole[3])
        below = pixels.crop(box)
        darkest, brightest = below.getextrema()
        if darkest == brightest:
            pixels.paste(_on_flat(sprite, ground.palette, darkest), whole)
        elif any(a < box[2] and c > box[0] and b < box[3] and d > box[1] for a, b, c, d in taken):
            colors = in_rgb(below)
            sprite.paste_on(colors, whole[0] - box[0], whole[1] - box[1])
            pixels.paste(ground.palette.indices(colors), box)
        else:
            pixels.paste(_on_ground(sprite, ground, x, y), whole)
        taken.append(box)


@lru_cache(maxsize=1024)
def _on_ground(sprite: Sprite, ground: Ground, x: int, y: int) -> Pixels:
    """Something as it looks on nothing but the ground."""
    across, down = sprite.width, sprite.height
    colors = Image.new("RGB", (across, down)).im
    inside = (max(0, x), max(0, y), min(WIDTH, x + across), min(HEIGHT, y + down))
    colors.paste(ground.rgb(inside), (inside[0] - x, inside[1] - y, inside[2] - x, inside[3] - y))
    sprite.paste_on(colors, 0, 0)
    return ground.palette.indices(colors)


@lru_cache(maxsize=1024)
def _on_flat(sprite: Sprite, palette: Palette, index: int) -> Pixels:
    """Something as it looks on nothing but one color of a palette: most words and signs lie so."""
    colors = Image.new("RGB", (sprite.width, sprite.height), palette.color(index))
    sprite.paste_on(colors.im, 0, 0)
    return palette.indices(colors.im)


def _cut(strip: Pixels, across: int, down: int) -> Iterator[Pixels]:
    """The tiles of a strip, from left to right."""
    return (strip.crop((left, 0, left + across, down)) for left in range(0, strip.size[0], across))


def _runs(numbers: Sequence[int]) -> Iterator[list[int]]:
    """Rising numbers of tiles in groups without a gap in a row."""
    for _, run in groupby(enumerate(numbers), key=lambda found: (found[1] // COLUMNS, found[1] - found[0])):
        yield [number for _, number in run]


PLACES = [(left, 0, left + TILE, BAND) for left in range(1, ROW, TILE)]
"""Where the tiles lie in a band, right of the filters."""


def _paint(pixels: Pixels, box: Box, puts: Sequence[Put]) -> None:
    """Put things on a part of the picture in full color."""
    left, top, right, bottom = box
    for sprite, x, y, *_ in puts:
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

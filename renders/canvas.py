"""What every board is drawn on: a ground, things put on it, and bands that are only made once.

A canvas keeps a list of what lies where. `finish` cuts the picture into bands; one on which the same things lay before
is taken from the shelf. The others are put together from pieces that were kept as well: what a thing looks like on all
that lies below it. So a move pays for pressing the bands it touches, and for the things that lie there as never before.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, count, groupby
from operator import itemgetter
from struct import Struct
from threading import Lock
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from PIL import Image

from renders.encoding import BAND, BANDS, ROW, Band, Press
from renders.lettering import Face, fit, line, width
from renders.palette import BLANK, Palette, in_rgb
from renders.sprites import Sprite
from renders.theme import HEIGHT, IVORY, WIDTH, Color

if TYPE_CHECKING:
    from PIL._imaging import ImagingCore as Pixels

TILE = 90
"""Width of the tiles of a film in px, which are as high as a band; a divisor of the picture's width."""

COLUMNS = WIDTH // TILE


_numbers = count()


@dataclass(frozen=True, slots=True, eq=False)
class Bare:
    """A band of a ground with nothing on it, and its own code: grounds share those on which they are alike."""

    pixels: Pixels
    code: bytes = field(init=False, default_factory=lambda: Struct("<I").pack(next(_numbers)))


QUICKLY, THOROUGHLY = b"q", b"t"


class Quiet(NamedTuple):
    """Which bands seldom change with a move: those with up to `few` things on them, and some by number, `always`."""

    few: int = 0
    always: Collection[int] = ()


ONLY_BARE = Quiet()
"""Only those without anything on them."""


class Ground:
    """What never changes in a game's pictures, in the colors of their palette: a byte per pixel, for it is kept."""

    def __init__(self, bands: Sequence[Bare], palette: Palette, quiet: Quiet = ONLY_BARE) -> None:
        """Its `quiet` bands are pressed thoroughly: where a ground has many details, all of them pressed quickly would
        take too many bytes.
        """
        self.palette, self.quiet = palette, quiet
        self._bands = bands

    @classmethod
    def of(cls, image: Image.Image, palette: Palette, quiet: Quiet = ONLY_BARE) -> Ground:
        """From an RGB picture of the full size."""
        tops = range(0, HEIGHT, BAND)
        strips = (palette.indexed(image.crop((0, top, WIDTH, top + BAND))) for top in tops)
        return cls([Bare(strip.im) for strip in strips], palette, quiet)

    def band(self, number: int) -> Bare:
        """A band with nothing on it."""
        return self._bands[number]

    def way(self, number: int, puts: Sequence[Put]) -> bytes:
        """How a band is pressed that has these on it."""
        return THOROUGHLY if len(puts) <= self.quiet.few or number in self.quiet.always else QUICKLY

    def image(self) -> Image.Image:
        """All of it in full color."""
        image = Image.new("RGB", (WIDTH, HEIGHT))
        for number, band in enumerate(self._bands):
            image.im.paste(in_rgb(band.pixels), (0, number * BAND, WIDTH, number * BAND + BAND))
        return image


class Draft(Ground):
    """A picture to draw on before there is a palette for it: all it can be used for is `Canvas.flat`."""

    def __init__(self, image: Image.Image) -> None:
        """From an RGB picture of any size."""
        self.palette = BLANK
        self._image = image

    def image(self) -> Image.Image:
        """All of it."""
        return self._image.copy()


Put = tuple[Sprite, int, int, int, int, bytes]
"""A sprite, its left, top, right and bottom on the picture, and where it lies in a few bytes."""

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
        code = _code(sprite.number, left, top)
        self._puts.append((sprite, left, top, left + sprite.width, top + sprite.height, code))

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
        image = self.ground.image()
        for sprite, left, top, *_ in self._puts:
            sprite.paste_on(image.im, left, top)
        return image

    def cells(self) -> list[Key]:
        """What the tiles of a film depend on, row by row."""
        runs = chain.from_iterable(map(_columns, self._rows()))
        return [_key(self.ground, number // COLUMNS, run) + bytes((number,)) for number, run in enumerate(runs)]

    def shrunk(self, numbers: Sequence[int], scale: int) -> Iterator[Pixels]:
        """Some of these tiles in palette colors, as many times smaller."""
        rows = self._rows()
        for run in _runs(numbers):
            row, column = divmod(run[0], COLUMNS)
            strip = _laid(self.ground, row, rows[row]).crop((column * TILE, 0, (column + len(run)) * TILE, BAND))
            if scale > 1:
                strip = self.ground.palette.indices(in_rgb(strip).reduce((scale, scale), (0, 0, *strip.size)))
            yield from _cut(strip, TILE // scale, BAND // scale)

    def finish(self) -> tuple[Band, ...]:
        """The picture from top to bottom."""
        ground, rows = self.ground, self._rows()
        keys = [_key(ground, number, row) + ground.way(number, row) for number, row in enumerate(rows)]
        return tuple(_bands.all_of(keys, lambda missing: _pressed(ground, rows, missing)))

    def settled(self, quiet: Quiet | None = None) -> Ground:
        """A ground on which all of this lies already. Bands on which nothing lies are held once for both."""
        ground = self.ground
        bands = [Bare(_laid(ground, n, row)) if row else ground.band(n) for n, row in enumerate(self._rows())]
        return Ground(bands, ground.palette, ground.quiet if quiet is None else quiet)

    def _rows(self) -> list[list[Put]]:
        """What lies on each of the bands."""
        rows: list[list[Put]] = [[] for _ in range(BANDS)]
        for put in self._puts:
            for row in rows[_touched(put[2], put[4], BAND)]:
                row.append(put)
        return rows


Key = bytes
"""All that a band or a tile depends on: its ground and what lies on it."""

_own_code = itemgetter(5)


def _key(ground: Ground, number: int, puts: Iterable[Put]) -> Key:
    return ground.band(number).code + b"".join(map(_own_code, puts))


def _columns(puts: Sequence[Put]) -> list[list[Put]]:
    """What of it lies on the tiles of a band, from left to right."""
    columns: list[list[Put]] = [[] for _ in range(COLUMNS)]
    for put in puts:
        for column in columns[_touched(put[1], put[3], TILE)]:
            column.append(put)
    return columns


def _touched(start: int, end: int, step: int) -> slice:
    """Which of strips as wide as `step` something lies on, all in px."""
    return slice(start // step if start > 0 else 0, (end - 1) // step + 1)


def _pressed(ground: Ground, rows: Sequence[Sequence[Put]], numbers: Sequence[int]) -> Iterator[Band]:
    """Some bands as they stand in the file."""
    rows_of_file = bytearray(ROW * BAND)
    pixels = Image.frombuffer("P", (ROW, BAND), rows_of_file, "raw", "P", 0, 1).im  # they are the same memory
    press = Press()
    for number in numbers:
        pixels.paste(_laid(ground, number, rows[number]), (1, 0, ROW, BAND))
        yield press.band(rows_of_file, quickly=ground.way(number, rows[number]) == QUICKLY)


def _laid(ground: Ground, number: int, puts: Sequence[Put]) -> Pixels:
    """A band with all that lies on it: most of it has lain on the same things before."""
    band: Pixels = ground.band(number).pixels.copy()
    head, up, found = ground.band(number).code, number * BAND, _pieces.get
    for n, (sprite, left, top, right, bottom, _) in enumerate(puts, 1):
        lower = [it for _, a, b, c, d, it in puts[:n] if a < right and c > left and b < bottom and d > top]
        box = max(0, left), max(0, top - up), min(WIDTH, right), min(BAND, bottom - up)
        if (piece := found(key := head + b"".join(lower))) is None:
            piece = _piece(band.crop(box), sprite, left - box[0], top - up - box[1], ground.palette)
            _pieces.keep(key, piece)
        band.paste(piece, box)
    return band


def _piece(below: Pixels, sprite: Sprite, x: int, y: int, palette: Palette) -> Pixels:
    """What pixels in palette colors look like with something on them, its corner on a point that may lie outside."""
    darkest, brightest = below.getextrema()
    if darkest == brightest:
        below.paste(_on_flat(sprite, palette, darkest), (x, y, x + sprite.width, y + sprite.height))
        return below
    for edge in _blended(below, sprite, x, y, palette):
        colors = in_rgb(below.crop(edge))
        sprite.paste_on(colors, x - edge[0], y - edge[1])
        below.paste(palette.indices(colors), edge)
    return below


def _blended(below: Pixels, sprite: Sprite, x: int, y: int, palette: Palette) -> list[Box]:
    """Where the colors of both meet: all around the inside of a sprite, which is put there at once if it is solid."""
    whole = 0, 0, *below.size
    if sprite.core is None:
        return [whole]
    left, top, right, bottom, solid, color = sprite.core
    core = max(0, x + left), max(0, y + top), min(whole[2], x + right), min(whole[3], y + bottom)
    if core[0] >= core[2] or core[1] >= core[3]:
        return [whole]
    if color:
        below.paste(palette.index(color), core)
    elif solid:  # whatever lies below
        below.paste(palette.indices(sprite.picture.im.crop(_moved(core, -x, -y))), core)
    return _around(whole, core)


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


def _around(whole: Box, core: Box) -> list[Box]:
    """What lies around a box in another one: above, below, left and right of it, where there is anything."""
    left, top, right, bottom = core
    boxes = (
        (whole[0], whole[1], whole[2], top),
        (whole[0], bottom, whole[2], whole[3]),
        (whole[0], top, left, bottom),
        (right, top, whole[2], bottom),
    )
    return [box for box in boxes if box[0] < box[2] and box[1] < box[3]]


def _moved(box: Box, x: int, y: int) -> Box:
    return box[0] + x, box[1] + y, box[2] + x, box[3] + y


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


class Pieces(dict[Key, "Pixels"]):
    """What a thing on a band looks like on all that lies below it. Safe to share between threads.

    The oldest give way, used or not: hundreds are looked up for a picture, and to make one anew costs little.
    """

    ROOM = 4096

    def __init__(self) -> None:
        super().__init__()
        self._oldest_first: deque[Key] = deque()
        self._lock = Lock()

    def keep(self, key: Key, piece: Pixels) -> None:
        """Keep a piece under its key."""
        with self._lock:
            if key not in self:
                self._oldest_first.append(key)
            self[key] = piece
            if len(self) > self.ROOM:
                del self[self._oldest_first.popleft()]

    def clear(self) -> None:
        """Forget all of them."""
        with self._lock:
            super().clear()
            self._oldest_first.clear()


_bands: Shelf[Band] = Shelf(room=32 * BANDS)
_pieces = Pieces()

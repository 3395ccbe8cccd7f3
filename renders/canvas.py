"""What every board is drawn on: a ground, things put on it, and bands that are only made once.

A canvas keeps a list of what lies where. `finish` cuts the picture into bands; a band on which the same things lay
before is taken from the cache, so a move pays for the bands it touches.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from threading import Lock

from PIL import Image

from renders.encoding import BAND, BANDS, EFFORT, ROW, Band, pressed
from renders.lettering import Face, fit, line, width
from renders.palette import Palette
from renders.sprites import Sprite
from renders.theme import HEIGHT, IVORY, WIDTH, Color


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What never changes in a game's pictures: an RGB picture of the full size, and the palette of all of them.

    `effort` is what their compression may cost, 1 to 9: quiet grounds stay small with little of it.
    """

    image: Image.Image
    palette: Palette
    effort: int = EFFORT


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

    def flat(self, top: int = 0, bottom: int = HEIGHT) -> Image.Image:
        """The picture between two heights in full color, before it is mapped to the palette."""
        image = self.ground.image.crop((0, top, WIDTH, bottom))
        for sprite, x, y in self._puts:
            if y < bottom and y + sprite.height > top:
                image.paste(sprite.paint, (x, y - top, x + sprite.width, y - top + sprite.height), sprite.mask)
        return image

    def finish(self) -> tuple[Band, ...]:
        """The picture from top to bottom."""
        keys: list[Key] = [(self.ground, n, tuple(puts)) for n, puts in enumerate(self._bands)]
        found = [_shelf.get(key) for key in keys]
        for missing, run in groupby(range(BANDS), key=lambda n: found[n] is None):
            if missing:
                numbers = list(run)
                for n, band in zip(numbers, self._made(numbers[0], numbers[-1] + 1), strict=True):
                    found[n] = _shelf.keep(keys[n], band)
        return tuple(band for band in found if band)

    def _made(self, first: int, end: int) -> Iterator[Band]:
        """Bands `first` to `end` - 1, drawn in one go."""
        pixels = self.ground.palette.indexed(self.flat(first * BAND, end * BAND))
        rows = Image.new(pixels.mode, (ROW, pixels.height))
        rows.paste(pixels, (1, 0))  # right of the filters
        raw, size = rows.tobytes(), BAND * ROW
        for start in range(0, len(raw), size):
            yield pressed(raw[start : start + size], self.ground.effort)


Key = tuple[Ground, int, tuple[Put, ...]]
"""All that a band depends on: its ground, its number and what lies on it."""


class _Shelf:
    """The bands of the last pictures, least recently used first. Safe to share between threads."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._bands: OrderedDict[Key, Band] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> Band | None:
        with self._lock:
            if band := self._bands.get(key):
                self._bands.move_to_end(key)
            return band

    def keep(self, key: Key, band: Band) -> Band:
        with self._lock:
            self._bands[key] = band
            while len(self._bands) > self._room:
                self._bands.popitem(last=False)
        return band


_shelf = _Shelf(room=32 * BANDS)

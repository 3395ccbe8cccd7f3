"""What every board is drawn on: a ground, things put on it, and bands that are only made once.

A canvas keeps a list of what lies where. `finish` cuts the picture into bands; a band whose things were seen
before is taken from the cache, so a move pays for the bands it touches.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from PIL import Image

from renders.lettering import Face, fit, line, width
from renders.palette import Palette
from renders.sprites import Sprite
from renders.theme import HEIGHT, IVORY, WIDTH, Color

BAND = 40
"""Height of a band in px; a divisor of the picture's height."""


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What never changes in a game's pictures: an RGB picture in bands, and the palette of all of them."""

    bands: tuple[Image.Image, ...]
    palette: Palette

    @classmethod
    def of(cls, image: Image.Image, palette: Palette) -> Ground:
        """Cut an RGB picture of the full size into bands."""
        return cls(tuple(image.crop((0, y, WIDTH, y + BAND)) for y in range(0, HEIGHT, BAND)), palette)


Put = tuple[Sprite, int, int]
"""A sprite and the place of its top left corner."""


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """A finished band: its pixels as indices into `palette`."""

    image: Image.Image
    palette: Palette


class Canvas:
    """A picture in the making. Coordinates are px from the top left; later things lie on earlier ones."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self._bands: list[list[Put]] = [[] for _ in ground.bands]

    def put(self, sprite: Sprite, x: float = 0, y: float = 0) -> None:
        """Put a sprite on a point."""
        left, top = round(x) + sprite.left, round(y) + sprite.top
        first, last = max(0, top // BAND), min(HEIGHT - 1, top + sprite.mask.height - 1) // BAND
        for n in range(first, last + 1):
            self._bands[n].append((sprite, left, top - n * BAND))

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
        short = fit(text, face, room)
        if short.strip():
            self.put(line(short, face, color, align), x, y)
        return width(short, face)

    def finish(self) -> tuple[Band, ...]:
        """The picture from top to bottom."""
        return tuple(_band(self.ground, n, tuple(puts)) for n, puts in enumerate(self._bands))

    def flat(self) -> Image.Image:
        """The picture in full color, before it is mapped to the palette."""
        image = Image.new("RGB", (WIDTH, HEIGHT))
        for n, puts in enumerate(self._bands):
            image.paste(_drawn(self.ground, n, tuple(puts)), (0, n * BAND))
        return image


@lru_cache(maxsize=256)
def _band(ground: Ground, n: int, puts: tuple[Put, ...]) -> Band:
    return Band(ground.palette.indexed(_drawn(ground, n, puts)), ground.palette)


def _drawn(ground: Ground, n: int, puts: tuple[Put, ...]) -> Image.Image:
    image = ground.bands[n].copy()
    for sprite, x, y in puts:
        size = sprite.mask.size
        image.paste(sprite.paint, (x, y, x + size[0], y + size[1]), sprite.mask)
    return image

"""One palette of 256 colors per theme: flat colors exact, the rest for the soft edges between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import PIL
from PIL import Image

from renders.contrast import RGB, Pair, stronger
from renders.disk_cache import kept
from renders.sprites import rgb
from renders.theme import GOLD, INK, IVORY, SEATS, STRONG, TURQUOISE, Color, Theme

if TYPE_CHECKING:
    from PIL._imaging import ImagingCore as Pixels

EXACT = 220
"""How many flat colors are kept as they are."""
APART = 10
"""Closer colors than this, summed over the channels, share an entry."""


class Palette:
    """256 colors and the mapping to them, without dithering; `strong` has what some become in high contrast."""

    def __init__(self, colors: Sequence[RGB], strong: Sequence[Pair] = ()) -> None:
        self.bytes = _filled(colors)
        self._colors, self._strong = colors, strong
        self._image = Image.new("P", (1, 1))
        # Pillow looks colors up by the lower corner of their cell of 4 x 4 x 4, so that is where ours have to be
        self._image.putpalette(bytes(value & 0xFC for value in self.bytes))
        self.indexed(Image.new("RGB", (1, 1)))  # fills the mapping's table before threads share it

    @cached_property
    def contrast(self) -> bytes:
        """The same 256 colors in high contrast, red, green and blue of each, in the same order."""
        return _filled(stronger(self._colors, self._strong))

    def color(self, index: int) -> RGB:
        """Red, green and blue of an index."""
        return tuple(self.bytes[3 * index : 3 * index + 3])

    def index(self, color: RGB) -> int:
        """The index that a color is mapped to."""
        index: int = self.indices(Image.new("RGB", (1, 1), color).im).getpixel((0, 0))
        return index

    def indexed(self, image: Image.Image) -> Image.Image:
        """An RGB picture as indices into the palette."""
        indexed = image.quantize(palette=self._image, dither=Image.Dither.NONE)
        indexed.putpalette(self.bytes)
        indexed.load()  # only now do its pixels know the palette
        return indexed

    def indices(self, pixels: Pixels) -> Pixels:
        """The same for the inside of an image."""
        indices: Pixels = pixels.convert("P", Image.Dither.NONE, self._image.im)
        return indices


def in_rgb(indices: Pixels) -> Pixels:
    """The inside of an image of indices in full color, if it knows its palette."""
    colors: Pixels = indices.convert("RGB", Image.Dither.NONE)
    return colors


def _filled(colors: Sequence[RGB]) -> bytes:
    flat = [part for color in colors for part in color]
    return bytes(flat + flat[:3] * (256 - len(colors)))


BLANK = Palette([(0, 0, 0)])
"""For canvases that are never mapped to a palette."""


def palette_for(specimen: Image.Image, theme: Theme, flats: Iterable[Color] = ()) -> Palette:
    """The palette of all pictures of a theme that look like the specimen.

    First come the named flat colors and the most frequent ones, then what median cut makes of the remaining.
    """
    house = (INK, IVORY, GOLD, TURQUOISE, *(s.fill for s in SEATS))
    named = [rgb(color) for color in (*house, *theme.colors(), *flats)]
    strong = [(rgb(color), rgb(becomes)) for color, becomes in (*STRONG, *theme.strong)]
    made_of = repr((PIL.__version__, specimen.size, named)).encode() + specimen.tobytes()
    filled = kept(made_of, 3 * 256, lambda: _filled(_chosen(specimen, named)))
    return Palette([tuple(filled[i : i + 3]) for i in range(0, len(filled), 3)], strong)


def _chosen(specimen: Image.Image, named: Sequence[RGB]) -> list[RGB]:
    counted = sorted(specimen.getcolors(specimen.width * specimen.height) or (), reverse=True)
    frequent = [color for _, color in counted if isinstance(color, tuple)]
    colors = _spread([*named, *frequent], EXACT)
    return _spread([*colors, *_cut(counted, set(colors))], 256)


def _spread(colors: Iterable[RGB], limit: int) -> list[RGB]:
    kept: list[RGB] = []
    for color in colors:
        if all(sum(abs(a - b) for a, b in zip(color, other, strict=True)) >= APART for other in kept):
            kept.append(color)
        if len(kept) == limit:
            break
    return kept


def _cut(counted: list[tuple[int, object]], exact: set[RGB]) -> list[RGB]:
    """Median cut over the colors that are not exact, each as often as the root of its pixels."""
    pixels = [
        color for n, color in counted if isinstance(color, tuple) and color not in exact for _ in range(round(n**0.5))
    ]
    if not pixels:
        return []
    sheet = Image.new("RGB", (len(pixels), 1))
    sheet.putdata(pixels)
    cut = sheet.quantize(256 - len(exact), Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    flat = cut.getpalette() or []
    return [tuple(flat[i : i + 3]) for i in range(0, len(flat), 3)]

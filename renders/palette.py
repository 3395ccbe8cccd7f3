"""One palette of 256 colors per theme: flat colors exact, the rest for the soft edges between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from PIL import Image

from renders.contrast import stronger
from renders.sprites import RGB, rgb
from renders.theme import GOLD, INK, IVORY, SEATS, STRONG, TURQUOISE, Color, Strong, Theme

# The other 36 of 256 are for soft edges.
EXACT = 220
"""How many flat colors are kept as they are."""
APART = 10
"""Closer colors than this, summed over the channels, share an entry."""


class Palette:
    """256 colors, red, green and blue of each, and the mapping to them, without dithering.

    `strong` has what some of them become in high contrast, beside those of the house.
    """

    def __init__(self, colors: bytes, strong: Strong = ()) -> None:
        self.bytes = colors
        self._strong = (*STRONG, *strong)
        self._image = Image.new("P", (1, 1))
        # Pillow looks colors up by the lower corner of their cell of 4 x 4 x 4, so that is where ours have to be
        self._image.putpalette(bytes(value & 0xFC for value in colors))
        self.indexed(Image.new("RGB", (1, 1)))  # fills the mapping's table before threads share it

    @property
    def colors(self) -> list[RGB]:
        """The same 256 one by one."""
        return list(zip(*[iter(self.bytes)] * 3, strict=True))

    @cached_property
    def contrast(self) -> bytes:
        """The same 256 colors in high contrast, in the same order."""
        fixed = [(rgb(color), rgb(becomes)) for color, becomes in self._strong]
        return bytes(part for color in stronger(self.colors, fixed) for part in color)

    def indices(self, image: Image.Image) -> Image.Image:
        """The index of each pixel of an RGB picture, as a picture that knows nothing of the palette's colors."""
        return image.quantize(palette=self._image, dither=Image.Dither.NONE)

    def indexed(self, image: Image.Image) -> Image.Image:
        """An RGB picture in the colors of the palette."""
        indexed = self.indices(image)
        indexed.putpalette(self.bytes)
        indexed.load()  # only now do its pixels know the palette, before threads share them
        return indexed


BLANK = Palette(bytes(3 * 256))
"""For canvases that are never mapped to a palette."""


def palette_for(specimen: Image.Image, theme: Theme, flats: Iterable[Color] = ()) -> Palette:
    """The palette of all pictures of a theme that look like the specimen.

    First come the named flat colors and the most frequent ones, then what median cut makes of the remaining.
    """
    house = (INK, IVORY, GOLD, TURQUOISE, *(s.fill for s in SEATS))
    named = [rgb(color) for color in (*house, *theme.colors(), *flats)]
    counted = sorted(specimen.getcolors(specimen.width * specimen.height) or (), reverse=True)
    frequent = [color for _, color in counted if isinstance(color, tuple)]
    exact = _spread([*named, *frequent], EXACT)
    colors = _spread([*exact, *_median_cut(counted, set(exact))], 256)
    # The file and Pillow want all 256.
    padded = [*colors, *colors[:1] * (256 - len(colors))]
    return Palette(bytes(part for color in padded for part in color), theme.strong)


def _spread(colors: Iterable[RGB], limit: int) -> list[RGB]:
    """Those that are not too close to one before, up to a limit."""
    chosen: list[RGB] = []
    for color in colors:
        if all(sum(abs(a - b) for a, b in zip(color, other, strict=True)) >= APART for other in chosen):
            chosen.append(color)
        if len(chosen) == limit:
            break
    return chosen


def _median_cut(counted: Sequence[tuple[int, object]], exact: set[RGB]) -> list[RGB]:
    """Median cut over the colors that are not exact, each as often as the root of its pixels."""
    # By the root, so that thin edges get colors beside broad areas.
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

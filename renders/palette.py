"""A 256-color palette per theme: exact flat colors first, the rest for anti-aliased edges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from PIL import Image

from renders.contrast import high_contrast
from renders.sprites import RGB, rgb
from renders.theme import GOLD, INK, IVORY, SEATS, STRONG, TURQUOISE, Color, Strong, Theme

if TYPE_CHECKING:
    from PIL._imaging import ImagingCore

# The remaining 36 entries serve anti-aliased edges.
MAX_EXACT_COLORS = 220
"""Number of flat colors that get an exact entry."""
MIN_DISTANCE = 10
"""Minimum distance between two entries, summed over the three channels. Closer colors share an entry."""


class Palette:
    """A palette of 256 RGB colors that maps pictures to them without dithering.

    `strong` adds high-contrast replacements to the shared ones.
    """

    def __init__(self, colors: bytes, strong: Strong = ()) -> None:
        self.bytes = colors
        self._strong = (*STRONG, *strong)
        self._image = Image.new("P", (1, 1))
        # Pillow looks up a color by the lower corner of its 4 x 4 x 4 cell, so the entries must lie on those corners.
        self._image.putpalette(bytes(value & 0xFC for value in colors))
        self.quantize(Image.new("RGB", (1, 1)))  # fills Pillow's lookup table before threads share it

    @property
    def colors(self) -> list[RGB]:
        """The 256 colors as RGB tuples."""
        return list(zip(*[iter(self.bytes)] * 3, strict=True))

    @cached_property
    def contrast(self) -> bytes:
        """The high-contrast colors, in the same order."""
        fixed = [(rgb(color), rgb(becomes)) for color, becomes in self._strong]
        return bytes(part for color in high_contrast(self.colors, fixed) for part in color)

    def indices(self, image: Image.Image) -> Image.Image:
        """Map an RGB picture to palette indices; the result does not carry the palette's colors."""
        return image.quantize(palette=self._image, dither=Image.Dither.NONE)

    def core_indices(self, core: ImagingCore) -> ImagingCore:
        """`indices` for the pixels of Pillow's C code (`Image.im`)."""
        indices: ImagingCore = core.convert("P", Image.Dither.NONE, self._image.im)
        return indices

    def quantize(self, image: Image.Image) -> Image.Image:
        """Map an RGB picture to the palette, with its colors attached."""
        quantize = self.indices(image)
        quantize.putpalette(self.bytes)
        quantize.load()  # applies the palette now, before threads share the image
        return quantize


BLANK = Palette(bytes(3 * 256))
"""Placeholder for canvases that are never mapped to a palette."""


def palette_for(sample: Image.Image, theme: Theme, flats: Iterable[Color] = ()) -> Palette:
    """Build the palette for all pictures of a theme that look like the sample.

    Named flat colors and the most frequent ones come first; median cut over the other pixels fills the rest.
    """
    house = (INK, IVORY, GOLD, TURQUOISE, *(s.fill for s in SEATS))
    named = [rgb(color) for color in (*house, *theme.colors(), *flats)]
    counted = sorted(sample.getcolors(sample.width * sample.height) or (), reverse=True)
    frequent = [color for _, color in counted if isinstance(color, tuple)]
    exact = _spread([*named, *frequent], MAX_EXACT_COLORS)
    colors = _spread([*exact, *_median_cut(counted, set(exact))], 256)
    # Both PNG and Pillow expect all 256 entries.
    padded = [*colors, *colors[:1] * (256 - len(colors))]
    return Palette(bytes(part for color in padded for part in color), theme.strong)


def _spread(colors: Iterable[RGB], limit: int) -> list[RGB]:
    """Up to `limit` colors, skipping each one too close to an earlier one."""
    chosen: list[RGB] = []
    for red, green, blue in colors:
        if all(abs(red - r) + abs(green - g) + abs(blue - b) >= MIN_DISTANCE for r, g, b in chosen):
            chosen.append((red, green, blue))
        if len(chosen) == limit:
            break
    return chosen


def _median_cut(counted: Sequence[tuple[int, object]], exact: set[RGB]) -> list[RGB]:
    """Quantize the colors that have no exact entry by median cut, weighted by the square root of their pixel counts."""
    # Linear weights would let broad areas crowd out thin edges.
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

"""The colors in which grounds were drawn: they themselves keep those of their palette only, a byte per pixel."""

from __future__ import annotations

from unittest.mock import patch

from PIL import Image, ImageChops

from renders.canvas import Canvas, Ground
from renders.palette import Palette

_drawn: dict[Ground, Image.Image] = {}


def keep_colors() -> None:
    """From now on, remember the picture that a ground is made of; to be called before the first one is made."""
    begin, redraw = Ground.__init__, Ground.redrawn

    def noting(ground: Ground, image: Image.Image, palette: Palette, *, quiet: int = 0) -> None:
        begin(ground, image, palette, quiet=quiet)
        _drawn[ground] = image

    def noting_redrawn(ground: Ground, image: Image.Image, *, quiet: int | None = None) -> Ground:
        other = redraw(ground, image, quiet=quiet)
        _drawn[other] = Image.composite(image, _drawn[ground], _apart(image, ground.image()))
        return other

    patch.object(Ground, "__init__", noting).start()
    patch.object(Ground, "redrawn", noting_redrawn).start()


def _apart(one: Image.Image, other: Image.Image) -> Image.Image:
    """A mask of where two pictures differ."""
    red, green, blue = ImageChops.difference(one, other).split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue).point(lambda value: 255 * (value > 0))


def in_true_colors(canvas: Canvas) -> Image.Image:
    """What lies on a canvas in full color, before any of it was mapped to the palette."""
    with patch.object(Ground, "image", lambda ground: _drawn[ground].copy()):
        return canvas.flat()

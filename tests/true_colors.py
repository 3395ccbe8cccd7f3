"""The colors in which grounds were drawn: they themselves keep those of their palette only, a byte per pixel."""

from __future__ import annotations

from unittest.mock import patch

from PIL import Image

from renders import grounds
from renders.canvas import Canvas, Ground
from renders.palette import Palette

_before: list[tuple[Image.Image, Image.Image]] = []
_drawn: dict[Ground, Image.Image] = {}


def keep_colors() -> None:
    """From now on, remember the picture that a ground is made of; to be called before the first one is made."""
    index, make, flatten = Palette.indexed, Ground.of, Canvas.flattened

    def noting_indexed(palette: Palette, image: Image.Image) -> Image.Image:
        indexed = index(palette, image)
        _before.append((indexed, image))
        return indexed

    def noting(image: Image.Image, palette: Palette) -> Ground:
        ground = make(image, palette)
        (_drawn[ground],) = (colors for indexed, colors in _before if indexed is image)
        _before.clear()
        return ground

    def noting_flattened(canvas: Canvas) -> Ground:
        ground = flatten(canvas)
        _drawn[ground] = in_true_colors(canvas)
        return ground

    patch.object(grounds, "_sources", lambda: b"nothing that is prerendered").start()
    patch.object(Palette, "indexed", noting_indexed).start()
    patch.object(Ground, "of", noting).start()
    patch.object(Canvas, "flattened", noting_flattened).start()


def in_true_colors(canvas: Canvas) -> Image.Image:
    """What lies on a canvas in full color, before any of it was mapped to the palette."""
    with patch.object(Ground, "image", lambda ground: _drawn[ground].copy()):
        return canvas.flat()

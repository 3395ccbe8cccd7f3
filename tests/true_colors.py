"""The colors in which grounds were drawn: they themselves keep those of their palette only, a byte per pixel."""

from __future__ import annotations

from unittest.mock import patch

from PIL import Image

from renders.canvas import ONLY_BARE, Canvas, Ground, Quiet
from renders.palette import Palette

_drawn: dict[Ground, Image.Image] = {}


def keep_colors() -> None:
    """From now on, remember the picture that a ground is made of; to be called before the first one is made."""
    make, settle = Ground.of, Canvas.settled

    def noting(image: Image.Image, palette: Palette, quiet: Quiet = ONLY_BARE) -> Ground:
        ground = make(image, palette, quiet)
        _drawn[ground] = image
        return ground

    def noting_settled(canvas: Canvas, quiet: Quiet | None = None) -> Ground:
        ground = settle(canvas, quiet)
        _drawn[ground] = in_true_colors(canvas)
        return ground

    patch.object(Ground, "of", noting).start()
    patch.object(Canvas, "settled", noting_settled).start()


def in_true_colors(canvas: Canvas) -> Image.Image:
    """What lies on a canvas in full color, before any of it was mapped to the palette."""
    with patch.object(Ground, "image", lambda ground: _drawn[ground].copy()):
        return canvas.flat()

"""A finished picture with its alt text."""

from __future__ import annotations

from dataclasses import field

from engine.values import Value
from renders.canvas import Canvas
from renders.strips import png_file


class Picture(Value, eq=False):
    """A PNG file with its alt text: a board of 1080 x 1440 px, or a stats card of the same width and variable height.

    `alt` has at most 1000 characters. `contrast` is the high-contrast palette as RGB bytes, or empty if there is none.
    """

    png: bytes = field(repr=False)
    alt: str
    contrast: bytes = field(default=b"", repr=False)


def picture_of(canvas: Canvas, alt: str) -> Picture:
    """Encode a canvas as a picture."""
    palette = canvas.ground.palette
    return Picture(png_file(canvas.strips(), palette.bytes), alt, palette.contrast)

"""A finished picture."""

from __future__ import annotations

from dataclasses import dataclass, field

from renders.canvas import Canvas
from renders.strips import png_file


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A board of 1080 x 1440 px, or a card that is less high, as a PNG file, and the same in words, `alt`, in at most
    1000 characters.

    `contrast` has the colors it takes on for those who need more of it, as bytes of red, green and blue; nothing if it
    has no others.
    """

    png: bytes = field(repr=False)
    alt: str
    contrast: bytes = field(default=b"", repr=False)


def picture_of(canvas: Canvas, alt: str) -> Picture:
    """What was drawn on a canvas, and the same in words."""
    palette = canvas.ground.palette
    return Picture(png_file(canvas.strips(), palette.bytes), alt, palette.contrast)

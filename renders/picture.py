"""A finished picture."""

from __future__ import annotations

import io
from dataclasses import dataclass, field

from PIL import Image

from renders.canvas import Canvas
from renders.encoding import png_file, with_palette


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A board of 1080 x 1440 px, and its text twin `alt` in at most 1000 characters.

    `content` is an image, or its PNG file: most pictures are sent and never looked at as an image. `contrast` has the
    colors it takes on for those who need more of it, as bytes of red, green and blue; nothing if it has no others.
    """

    content: Image.Image | bytes = field(repr=False)
    alt: str
    contrast: bytes = field(default=b"", repr=False)

    @property
    def image(self) -> Image.Image:
        """The board as an image in palette colors; a file is decoded anew each time."""
        if isinstance(self.content, Image.Image):
            return self.content
        image = Image.open(io.BytesIO(self.content))
        image.load()
        return image

    @property
    def png(self) -> bytes:
        """The board as a PNG file."""
        if isinstance(self.content, bytes):
            return self.content
        file = io.BytesIO()
        self.content.save(file, "PNG")
        return file.getvalue()

    @property
    def strong(self) -> bytes:
        """The same file in high contrast."""
        return with_palette(self.png, self.contrast) if self.contrast else self.png


def picture_of(canvas: Canvas, alt: str) -> Picture:
    """What was drawn on a canvas, with its text twin."""
    palette = canvas.ground.palette
    return Picture(png_file(canvas.finish(), palette.bytes), alt, palette.contrast)

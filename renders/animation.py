"""Animate a series of positions as a GIF whose frames store only the changes."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import lru_cache

from PIL import Image

import renders
from engine.core import State, View
from renders.canvas import Canvas
from renders.palette import Palette
from renders.strips import STRIP_HEIGHT, Strip
from renders.theme import HEIGHT, WIDTH

FULL, HALF = 1, 2
"""Divisors of the frame size: 1080 x 1440 px or 540 x 720 px."""

PACE, LAST_PACE = 1200, 4000
"""Duration of each frame and of the last one, in ms."""
MIN_PACE, LONG_DURATION = 500, 60_000
"""Minimum frame duration, and the target duration of a long animation, in ms."""


def animate(
    views: Sequence[View[State]],
    labels: Sequence[str],
    persons: Sequence[str] = (),
    *,
    scale: int,
    most: int,
    contrast: bool = False,
) -> Iterator[tuple[bytes, int]]:
    """Yield the GIF of a series of views and the number of views in it; yields `b"", 0` after every frame before that.

    If the file is larger than `most` bytes, it is made again from fewer views, always with the first and the last one.
    """
    frames = Frames(scale)
    for canvas in renders.paint_all(views, labels, persons):
        frames.add(canvas)
        yield b"", 0
    file = frames.gif(contrast=contrast)
    if len(file) <= most or len(views) <= 2:
        yield file, len(views)
    else:
        fewer = thin_out(views, most / len(file))
        yield from animate(fewer, labels, persons, scale=scale, most=most, contrast=contrast)


def thin_out(views: Sequence[View[State]], share: float) -> list[View[State]]:
    """Keep about this share of at least three views, evenly spaced from the first to the last."""
    # Aim 5 % lower: frame sizes vary, and every retry draws all frames again.
    number = max(2, min(len(views) - 1, int(len(views) * share * 0.95)))
    return [views[round(n * (len(views) - 1) / (number - 1))] for n in range(number)]


class Frames:
    """Frames of an animation. All canvases must use the same palette."""

    def __init__(self, scale: int) -> None:
        self._scale = scale
        self._images: list[Image.Image] = []
        self._strips: list[Strip] = []
        self._palette: Palette | None = None

    def add(self, canvas: Canvas) -> None:
        """Append a frame. Only strips that differ from the previous frame are drawn."""
        before, self._strips, self._palette = self._strips, canvas.strips(), canvas.ground.palette
        if self._images:
            image = self._images[-1].copy()
        else:
            image = Image.new("P", (WIDTH // self._scale, HEIGHT // self._scale))
            image.putpalette(self._palette.bytes)
        for number, strip in enumerate(self._strips):
            if not before or strip != before[number]:
                # Average in RGB: palette indices have no mean.
                small = self._palette.indices(strip.pixels().convert("RGB").reduce(self._scale))
                image.paste(small.point(_spare_mapping(self._palette)), (0, number * STRIP_HEIGHT // self._scale))
        self._images.append(image)

    def gif(self, *, contrast: bool = False) -> bytes:
        """Encode all frames as an endlessly looping GIF. At least one frame is required."""
        assert self._palette, "an animation has a frame"
        first, *others = self._images
        pace = max(MIN_PACE, min(PACE, LONG_DURATION // len(self._images)))
        # Discord does not animate APNG files (API tracker 6359), so this is a GIF.
        file = io.BytesIO()
        # To leave out unchanged pixels, Pillow needs a transparent color and frames that stay in place (disposal 1).
        # Loop 0 means forever.
        first.save(
            file,
            "GIF",
            save_all=True,
            append_images=others,
            palette=self._palette.contrast if contrast else self._palette.bytes,
            duration=[pace] * len(others) + [LAST_PACE],
            transparency=spare_of(self._palette)[0],
            optimize=True,
            disposal=1,
            loop=0,
        )
        return file.getvalue()


@lru_cache(maxsize=16)
def spare_of(palette: Palette) -> tuple[int, int]:
    """A palette entry that can serve as the transparent color, and the entry closest to it, which replaces it."""
    colors = palette.colors
    _, spare, other = min((_distance(colors[a], colors[b]), b, a) for b in range(256) for a in range(b))
    return spare, other


def _distance(one: Sequence[int], other: Sequence[int]) -> int:
    """Distance between two colors: the largest difference in any channel."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


@lru_cache(maxsize=16)
def _spare_mapping(palette: Palette) -> list[int]:
    """Lookup table that maps the spare entry to its replacement and every other entry to itself."""
    spare, other = spare_of(palette)
    return [other if n == spare else n for n in range(256)]

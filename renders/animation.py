"""Animations: positions one after the other as a GIF, of which every frame holds only what has changed."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import lru_cache

from PIL import Image

import renders
from engine.core import State, View
from renders.canvas import Canvas
from renders.palette import Palette
from renders.strips import STRIP, Strip
from renders.theme import HEIGHT, WIDTH

FULL, HALF = 1, 2
"""How many times smaller than a board the frames are: not at all, or 540 x 720 px."""

PACE, LAST = 1200, 4000
"""How long a position is shown, and the last one, in ms."""
BRIEFEST, WHOLE = 500, 60_000
"""Many positions are shown for less long, so that all of them take about a minute, but never shorter than this."""


def animated(
    views: Sequence[View[State]],
    labels: Sequence[str],
    persons: Sequence[str] = (),
    *,
    scale: int,
    most: int,
    contrast: bool = False,
) -> Iterator[tuple[bytes, int]]:
    """The GIF of some views of a game and how many of them it shows; empty after every frame until it is finished.

    If it is larger than `most` bytes, it is made anew of fewer views, always with the first and the last one.
    """
    frames = Frames(scale)
    for canvas in renders.paint_all(views, labels, persons):
        frames.add(canvas)
        yield b"", 0
    file = frames.gif(contrast=contrast)
    if len(file) <= most or len(views) <= 2:
        yield file, len(views)
    else:
        fewer = thinned(views, most / len(file))
        yield from animated(fewer, labels, persons, scale=scale, most=most, contrast=contrast)


def thinned(views: Sequence[View[State]], share: float) -> list[View[State]]:
    """About this share of at least three views, evenly spread from the first to the last one."""
    # A little less than that, since frames differ in size and every try draws anew.
    number = max(2, min(len(views) - 1, int(len(views) * share * 0.95)))
    return [views[round(n * (len(views) - 1) / (number - 1))] for n in range(number)]


class Frames:
    """The frames of an animation. All canvases must have the same palette."""

    def __init__(self, scale: int) -> None:
        self._scale = scale
        self._images: list[Image.Image] = []
        self._shown: list[Strip] = []
        self._palette: Palette | None = None

    def add(self, canvas: Canvas) -> None:
        """One more; only the strips that are not as on the one before are drawn."""
        before, self._shown, self._palette = self._shown, canvas.strips(), canvas.ground.palette
        if self._images:
            image = self._images[-1].copy()
        else:
            image = Image.new("P", (WIDTH // self._scale, HEIGHT // self._scale))
            image.putpalette(self._palette.bytes)
        for number, strip in enumerate(self._shown):
            if not before or strip != before[number]:
                # Averaged in full color: indices of a palette have no mean.
                small = self._palette.indices(strip.pixels().convert("RGB").reduce(self._scale))
                image.paste(small.point(_without_spare(self._palette)), (0, number * STRIP // self._scale))
        self._images.append(image)

    def gif(self, *, contrast: bool = False) -> bytes:
        """The file of all frames so far, which begin anew at the end. There must be one."""
        assert self._palette, "an animation has a frame"
        first, *others = self._images
        pace = max(BRIEFEST, min(PACE, WHOLE // len(self._images)))
        # Discord does not animate APNG files (API tracker 6359), so this is a GIF.
        file = io.BytesIO()
        # Pillow leaves out what has not changed since the frame before. For that it needs a transparent color, and
        # frames that stay in place (disposal 1). Loop 0 means forever.
        first.save(
            file,
            "GIF",
            save_all=True,
            append_images=others,
            palette=self._palette.contrast if contrast else self._palette.bytes,
            duration=[pace] * len(others) + [LAST],
            transparency=spare_of(self._palette)[0],
            optimize=True,
            disposal=1,
            loop=0,
        )
        return file.getvalue()


@lru_cache(maxsize=16)
def spare_of(palette: Palette) -> tuple[int, int]:
    """A color that frames can do without, so that it can mark what stays as it is, and the one most like it."""
    colors = palette.colors
    _, spare, other = min((_unlike(colors[a], colors[b]), b, a) for b in range(256) for a in range(b))
    return spare, other


def _unlike(one: Sequence[int], other: Sequence[int]) -> int:
    """How far two colors are apart in the channel in which they differ most."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


@lru_cache(maxsize=16)
def _without_spare(palette: Palette) -> list[int]:
    """Each color -> the same, but the spare one -> the one most like it."""
    spare, other = spare_of(palette)
    return [other if n == spare else n for n in range(256)]

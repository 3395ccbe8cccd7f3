"""Moving pictures: positions one after the other as a GIF, of which every frame holds only what has changed.

Pillow’s own `save_all` writes files several times as large: it keeps no color free for what stays as it is.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from functools import lru_cache

from PIL import GifImagePlugin, Image, ImageChops

import renders
from engine.core import State, View
from renders.canvas import Box, Canvas, around
from renders.palette import Palette
from renders.theme import HEIGHT, WIDTH

FULL, HALF = 1, 2
"""How many times smaller than a board the frames are: not at all, or 540 x 720 px."""

PACE, LAST = 1200, 4000
"""How long a position is shown, and the last one, in ms."""
BRIEFEST, WHOLE = 500, 60_000
"""Many positions are shown for less long, so that all of them take about a minute, but never shorter than this."""


def filmed(
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
    film = Film(scale)
    for canvas in renders.paint_all(views, labels, persons):
        film.add(canvas)
        yield b"", 0
    file = film.file(contrast=contrast)
    if len(file) <= most or len(views) <= 2:
        yield file, len(views)
    else:
        fewer = thinned(views, most / len(file))
        yield from filmed(fewer, labels, persons, scale=scale, most=most, contrast=contrast)


def thinned(views: Sequence[View[State]], share: float) -> list[View[State]]:
    """About this share of at least three views, evenly spread from the first to the last one."""
    number = max(2, min(len(views) - 1, int(len(views) * share * 0.95)))
    return [views[round(n * (len(views) - 1) / (number - 1))] for n in range(number)]


class Film:
    """A GIF in the making. All its canvases must have the same palette."""

    def __init__(self, scale: int) -> None:
        self._scale = scale
        self._image = Image.new("L", (WIDTH // scale, HEIGHT // scale))
        self._canvas: Canvas | None = None
        self._frames: list[bytes] = []

    def add(self, canvas: Canvas) -> None:
        """Add a frame: the smallest box around what is not as on the one before, all else in it transparent."""
        changes, before = canvas.changes(self._canvas), self._image.copy()
        for box in changes:
            self._image.im.paste(canvas.part(box, self._scale).im, self._shrunk(box))
        first, self._canvas = self._canvas is None, canvas
        box = self._shrunk(around(changes)) if changes else (0, 0, 1, 1)
        after = self._image.crop(box).point(_without_spare(canvas.ground.palette))
        self._frames.append(_block(*((after, box) if first else _parts(before.crop(box), after, box, self._spare))))

    def file(self, *, contrast: bool = False) -> bytes:
        """All frames so far, which begin anew at the end. There must be one."""
        assert self._canvas, "a film has a frame"
        palette = self._canvas.ground.palette
        pace = max(BRIEFEST, min(PACE, WHOLE // len(self._frames)))
        times = [pace] * (len(self._frames) - 1) + [LAST]
        size = (WIDTH // self._scale, HEIGHT // self._scale)
        head = b"GIF89a" + struct.pack("<HHBBB", *size, 0xF7, 0, 0)
        colors = palette.contrast if contrast else palette.bytes
        shown = (_timed(frame, time, self._spare) for frame, time in zip(self._frames, times, strict=True))
        return b"".join((head, colors, b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", *shown, b";"))

    @property
    def _spare(self) -> int:
        assert self._canvas, "a film has a frame"
        return spare_of(self._canvas.ground.palette)[0]

    def _shrunk(self, box: Box) -> Box:
        """Where a box of the picture lies on a frame."""
        left, top, right, bottom = (edge // self._scale for edge in box)
        return left, top, right, bottom


def _parts(before: Image.Image, after: Image.Image, box: Box, spare: int) -> tuple[Image.Image, Box]:
    """What of the later of two pictures of the same box is not as on the earlier one."""
    apart = ImageChops.difference(before, after)
    left, top, right, bottom = tight = apart.getbbox() or (0, 0, 1, 1)
    after.paste(spare, mask=apart.point(_SAME))
    return after.crop(tight), (box[0] + left, box[1] + top, box[0] + right, box[1] + bottom)


_SAME = [255] + 255 * [0]
"""A mask of where two pictures do not differ, from their difference."""


def _block(image: Image.Image, box: Box) -> bytes:
    """An image block of a GIF: where it lies, and its compressed pixels."""
    return b"".join(GifImagePlugin.getdata(image, offset=box[:2], interlace=0))


def _timed(block: bytes, time: int, spare: int) -> bytes:
    """A block that is shown for a time in ms, on what was there before, with a transparent color."""
    stays_and_transparent = 1 << 2 | 1
    return b"!\xf9\x04" + struct.pack("<BHBB", stays_and_transparent, time // 10, spare, 0) + block


@lru_cache(maxsize=16)
def spare_of(palette: Palette) -> tuple[int, int]:
    """A color that frames can do without, so that it can stand for no color, and the one most like it."""
    colors = list(zip(*[iter(palette.bytes)] * 3, strict=True))
    pairs = ((_apart(colors[a], colors[b]), b, a) for b in range(256) for a in range(b))
    _, spare, twin = min(pairs)
    return spare, twin


def _apart(one: Sequence[int], other: Sequence[int]) -> int:
    """How far two colors are apart in the channel in which they differ most."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


@lru_cache(maxsize=16)
def _without_spare(palette: Palette) -> list[int]:
    """Each color -> the same, but the spare one -> its twin."""
    spare, twin = spare_of(palette)
    return [twin if n == spare else n for n in range(256)]

"""Moving pictures: positions one after the other as a GIF, of which every frame holds only what has changed.

Pillow’s own `save_all` writes files several times as large: it keeps no color free for what stays as it is.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from PIL import GifImagePlugin, Image, ImageChops

import renders
from engine.core import State, View
from renders.canvas import COLUMNS, TILE, Box, Canvas, Key, Shelf
from renders.encoding import BAND
from renders.palette import Palette
from renders.theme import HEIGHT, WIDTH

if TYPE_CHECKING:
    from PIL._imaging import ImagingCore as Pixels

FULL, HALF = 1, 2
"""How many times smaller than a board the frames are: not at all, or 540 x 720 px."""

PACE, LAST = 1200, 4000
"""How long a position is shown, and the last one, in ms."""
BRIEFEST, WHOLE = 500, 60_000
"""Many positions are shown for less long, so that all of them take about a minute, but never shorter than this."""
BLINK = 20
"""For how long a part of a frame waits for the next one, in ms: the least that every viewer keeps to."""

KEPT = 1800
"""Tiles that a film keeps to use them again: some eight pictures."""


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
        self._palette: Palette | None = None
        self._lying: list[Key] = []
        self._cells: Shelf[Pixels] = Shelf(KEPT)
        self._frames: list[list[bytes]] = []

    def add(self, canvas: Canvas) -> None:
        """Add a frame: what is not as on the one before, in a block for every part that is apart from the others."""
        before, after, self._palette = self._lying, canvas.cells(), canvas.ground.palette
        changed = [n for n, cell in enumerate(after) if not before or cell != before[n]]
        image, self._lying = self._image.copy(), after
        drawn = self._cells.all_of(
            [after[n] for n in changed], lambda missing: self._drawn(canvas, [changed[place] for place in missing])
        )
        for number, pixels in zip(changed, drawn, strict=True):
            self._image.im.paste(pixels, self._place(number))
        boxes = map(_around, _apart([*map(self._place, changed)]))
        parts = [self._part(image if before else None, box) for box in boxes]
        self._frames.append([*filter(None, parts)] or [_block(Image.new("L", (1, 1), self._spare), (0, 0))])

    def _drawn(self, canvas: Canvas, numbers: Sequence[int]) -> Iterator[Pixels]:
        """Tiles without the spare color."""
        table = _without_spare(canvas.ground.palette)
        return (pixels.point(table, "L") for pixels in canvas.shrunk(numbers, self._scale))

    def _place(self, number: int) -> Box:
        """Where a tile lies on a frame."""
        row, column = divmod(number, COLUMNS)
        width, height = TILE // self._scale, BAND // self._scale
        return column * width, row * height, column * width + width, row * height + height

    def _part(self, before: Image.Image | None, box: Box) -> bytes:
        """The block of a part of the frame: all of it, or what of it is not as before, if anything."""
        after = self._image.crop(box)
        if not before:
            return _block(after, box[:2])
        difference = ImageChops.difference(before.crop(box), after)
        if not (tight := difference.getbbox()):
            return b""
        after.paste(self._spare, mask=difference.point(_SAME))
        return _block(after.crop(tight), (box[0] + tight[0], box[1] + tight[1]))

    def file(self, *, contrast: bool = False) -> bytes:
        """All frames so far, which begin anew at the end. There must be one."""
        assert self._palette, "a film has a frame"
        pace = max(BRIEFEST, min(PACE, WHOLE // len(self._frames)))
        times = [pace] * (len(self._frames) - 1) + [LAST]
        head = b"GIF89a" + struct.pack("<HHBBB", *self._image.size, 0xF7, 0, 0)
        colors = self._palette.contrast if contrast else self._palette.bytes
        shown = (_timed(blocks, time, self._spare) for blocks, time in zip(self._frames, times, strict=True))
        return b"".join((head, colors, b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", *shown, b";"))

    @property
    def _spare(self) -> int:
        assert self._palette, "a film has a frame"
        return spare_of(self._palette)[0]


def _around(boxes: Sequence[Box]) -> Box:
    """The smallest box around some others."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _apart(boxes: Iterable[Box]) -> list[list[Box]]:
    """Boxes in rows from top to bottom, in groups with a row free between them."""
    groups: list[list[Box]] = []
    for box in boxes:
        if groups and box[1] <= groups[-1][-1][3]:
            groups[-1].append(box)
        else:
            groups.append([box])
    return groups


_SAME = [255] + 255 * [0]
"""A mask of where two pictures do not differ, from their difference."""


def _block(image: Image.Image, corner: tuple[int, int]) -> bytes:
    """An image block of a GIF: where it lies, and its compressed pixels."""
    return b"".join(GifImagePlugin.getdata(image, offset=corner, interlace=0))


def _timed(blocks: Sequence[bytes], time: int, spare: int) -> bytes:
    """The blocks of a frame, that together are shown for a time in ms, on what was there before."""
    rest = time - BLINK * (len(blocks) - 1)
    return b"".join(_shown(block, BLINK, spare) for block in blocks[:-1]) + _shown(blocks[-1], rest, spare)


def _shown(block: bytes, time: int, spare: int) -> bytes:
    stays_and_transparent = 1 << 2 | 1
    return b"!\xf9\x04" + struct.pack("<BHBB", stays_and_transparent, time // 10, spare, 0) + block


@lru_cache(maxsize=16)
def spare_of(palette: Palette) -> tuple[int, int]:
    """A color that frames can do without, so that it can stand for no color, and the one most like it."""
    colors = list(zip(*[iter(palette.bytes)] * 3, strict=True))
    pairs = ((_unlike(colors[a], colors[b]), b, a) for b in range(256) for a in range(b))
    _, spare, twin = min(pairs)
    return spare, twin


def _unlike(one: Sequence[int], other: Sequence[int]) -> int:
    """How far two colors are apart in the channel in which they differ most."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


@lru_cache(maxsize=16)
def _without_spare(palette: Palette) -> list[int]:
    """Each color -> the same, but the spare one -> its twin."""
    spare, twin = spare_of(palette)
    return [twin if n == spare else n for n in range(256)]

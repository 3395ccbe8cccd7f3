"""A finished picture and its bytes."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field
from functools import lru_cache

from PIL import Image

from renders.canvas import BAND, BANDS, Band, Canvas
from renders.theme import HEIGHT, WIDTH

LEVEL = 5
"""Effort of the compression."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A board: `image` is 1080 x 1440 px in palette colors, `alt` its text twin in at most 1000 characters."""

    image: Image.Image
    alt: str
    bands: tuple[Band, ...] = field(default=(), repr=False)


def picture_of(canvas: Canvas, alt: str) -> Picture:
    """What was drawn on a canvas, with its text twin."""
    bands = canvas.finish()
    image = Image.frombytes("P", (WIDTH, HEIGHT), b"".join(band.pixels for band in bands))
    image.putpalette(canvas.ground.palette.bytes)
    return Picture(image, alt, bands)


@lru_cache(maxsize=4)
def encode(picture: Picture) -> bytes:
    """An 8-bit PNG. Bands are compressed on their own, each at most once, and chained into one stream."""
    sums = (1, 0)
    chunks = []
    for band in picture.bands:
        part = _compressed(band)
        chunks.append(part.chunk)
        sums = _joined(sums, part.sums, BAND * (WIDTH + 1))
    tail = _chunk(b"IDAT", b"\x03\x00" + struct.pack(">HH", sums[1], sums[0]))
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0)
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", head),
            _chunk(b"PLTE", picture.bands[0].palette.bytes),
            _chunk(b"IDAT", b"\x78\x01"),
            *chunks,
            tail,
            _chunk(b"IEND", b""),
        )
    )


@dataclass(frozen=True, slots=True)
class _Part:
    """A band in the file: its chunk, and the two sums of its Adler-32."""

    chunk: bytes
    sums: tuple[int, int]


@lru_cache(maxsize=8 * BANDS)
def _compressed(band: Band) -> _Part:
    rows = (band.pixels[start : start + WIDTH] for start in range(0, BAND * WIDTH, WIDTH))
    raw = b"\0" + b"\0".join(rows)  # each row begins with its filter, which is none
    deflate = zlib.compressobj(LEVEL, zlib.DEFLATED, -15)
    data = deflate.compress(raw) + deflate.flush(zlib.Z_FULL_FLUSH)
    adler = zlib.adler32(raw)
    return _Part(_chunk(b"IDAT", data), (adler & 0xFFFF, adler >> 16))


def _joined(first: tuple[int, int], then: tuple[int, int], length: int) -> tuple[int, int]:
    """Adler-32 of two texts in a row from those of each; `length` in bytes is the second one's."""
    return (first[0] + then[0] - 1) % 65521, (first[1] + then[1] + length * (first[0] - 1)) % 65521


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

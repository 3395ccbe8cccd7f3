"""8-bit PNG files in bands: each band is compressed on its own, so that it can be kept and used again."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from isal import isal_zlib
from zlib_ng import zlib_ng

from renders.theme import HEIGHT, WIDTH

BAND = 80
"""Height of a band in px; a divisor of the picture's height."""

BANDS = HEIGHT // BAND

QUICK, THOROUGH = 1, 4
"""Levels of the two compressors: the first takes a third of the time, and makes a sixth more bytes."""


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """A band of a picture as it stands in the file: its chunk, and the two sums of its Adler-32."""

    chunk: bytes
    sums: tuple[int, int]


ROW = 1 + WIDTH
"""Bytes of a row of pixels in the file: its filter, which is always none, and a palette index per pixel."""


class Press:
    """Presses bands one after the other: to begin anew for each would take longer."""

    def __init__(self) -> None:
        self._quick = isal_zlib.compressobj(QUICK, 8, -15)
        self._thorough = zlib_ng.compressobj(THOROUGH, 8, -15)

    def band(self, raw: bytes | bytearray, *, quickly: bool) -> Band:
        """A band from its rows as they are written to the file, each beginning with its filter, 0."""
        deflate = self._quick if quickly else self._thorough
        # after a full flush nothing depends on what came before
        data = deflate.compress(raw) + deflate.flush(zlib_ng.Z_FULL_FLUSH)
        adler = zlib_ng.adler32(raw)
        return Band(_chunk(b"IDAT", data), (adler & 0xFFFF, adler >> 16))


def png_file(bands: Sequence[Band], palette: bytes) -> bytes:
    """The file of all bands from top to bottom; `palette` has red, green and blue of 256 colors."""
    sums = (1, 0)
    for band in bands:
        sums = _joined(sums, band.sums, BAND * ROW)
    parts = (
        b"\x89PNG\r\n\x1a\n",
        _chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0)),
        _chunk(b"PLTE", palette),
        _chunk(b"IDAT", b"\x78\x01"),
        *(band.chunk for band in bands),
        _chunk(b"IDAT", b"\x03\x00" + struct.pack(">HH", sums[1], sums[0])),
        _chunk(b"IEND", b""),
    )
    return b"".join(parts)


def with_palette(file: bytes, palette: bytes) -> bytes:
    """A PNG file with other colors under the same indices; only its list of colors is written anew."""
    start = file.index(b"PLTE") - 4
    length = int.from_bytes(file[start : start + 4])
    return file[:start] + _chunk(b"PLTE", palette) + file[start + length + 12 :]


def _joined(first: tuple[int, int], then: tuple[int, int], length: int) -> tuple[int, int]:
    """Adler-32 of two texts in a row from those of each; `length` in bytes is the second one's."""
    return (first[0] + then[0] - 1) % 65521, (first[1] + then[1] + length * (first[0] - 1)) % 65521


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib_ng.crc32(kind + data))

"""Encode pictures as cached horizontal strips, so that a move recompresses only the strips it changes.

A `Strip` lists the layers on a strip of a ground, `pixels` draws it in palette colors, and `png_file` joins a picture's
strips to an 8-bit PNG. Within a changed strip, only changed layers are drawn again. This takes a third of the time that
Pillow needs to draw and compress a whole palette picture, since Pillow does not reuse earlier work.

A picture has about 200 layers in changed strips, so drawing them calls the C functions of Pillow directly (`Image.im`).
Measured: `Image.paste`, `convert` and `quantize` take several times as long as the C functions that they call.

A zlib stream may be split after a full flush (RFC 1950, 1951), and the Adler-32 of the whole can be combined from those
of its parts. Strips compressed separately therefore form one valid image.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from isal import isal_zlib
from PIL import Image

from engine.values import Value
from renders.palette import Palette
from renders.sprites import Sprite
from renders.theme import HEIGHT, WIDTH

if TYPE_CHECKING:
    from PIL._imaging import ImagingCore

# Even, since animations show boards at half size.
STRIP_HEIGHT = 80
"""Height of a strip in px; it divides the picture's height."""

MAX_STRIPS, MAX_FRAGMENTS = 32 * (HEIGHT // STRIP_HEIGHT), 4096
"""Cache sizes: the compressed strips of 32 entirely different pictures, and fragments."""

BARE_LEVEL, COVERED_LEVEL = 3, 1
"""Compression levels, at most 3, of strips without layers, which are compressed only once, and of all others."""


class GroundStrip(Value, eq=False):
    """A strip of a ground, in palette colors."""

    image: Image.Image
    palette: Palette


class Layer(NamedTuple):
    """A sprite with its box relative to the top left corner of a strip, in px."""

    sprite: Sprite
    x0: int
    y0: int
    x1: int
    y1: int


class Strip(NamedTuple):
    """A strip of a picture: its ground and its layers, from bottom to top."""

    ground: GroundStrip
    layers: tuple[Layer, ...]

    def pixels(self) -> Image.Image:
        """Draw the strip in palette colors."""
        image = self.ground.image.copy()
        core = image.im
        for number, layer in enumerate(self.layers):
            # The layers below are part of the key, since the soft edges mix with their colors.
            fragment = _fragment(self.ground, (*_overlapping(layer, self.layers[:number]), layer))
            # The part above the strip belongs to the previous one.
            box = max(0, layer.x0), max(0, layer.y0), min(WIDTH, layer.x1), min(STRIP_HEIGHT, layer.y1)
            if fragment.core is None:
                fragment.core = self._draw_layer(core, layer, box)
            core.paste(fragment.core, box)
        return image

    def _draw_layer(self, below: ImagingCore, layer: Layer, box: tuple[int, int, int, int]) -> ImagingCore:
        """The pixels of a box after a layer was drawn on those below it."""
        x0, y0, *_ = box
        part = below.crop(box).convert("RGB", Image.Dither.NONE)
        sprite = layer.sprite.picture.im
        part.paste(sprite, (layer.x0 - x0, layer.y0 - y0, layer.x1 - x0, layer.y1 - y0), sprite)
        return self.ground.palette.core_indices(part)


def _overlapping(layer: Layer, others: Sequence[Layer]) -> Iterator[Layer]:
    """Those of `others` that overlap the layer."""
    _, x0, y0, x1, y1 = layer
    for other in others:
        if other.x0 < x1 and other.x1 > x0 and other.y0 < y1 and other.y1 > y0:
            yield other


@dataclass(slots=True, eq=False)
class Fragment:
    """The pixels of a layer's box, in palette colors; `None` until they are drawn."""

    core: ImagingCore | None = None


@lru_cache(maxsize=MAX_FRAGMENTS)
def _fragment(_ground: GroundStrip, _layers: tuple[Layer, ...]) -> Fragment:
    """The cache entry of the topmost layer, given the layers below that overlap it."""
    return Fragment()


@lru_cache(maxsize=MAX_STRIPS)
def _compress(strip: Strip) -> tuple[bytes, tuple[int, int]]:
    """The strip's compressed PNG chunk and the two sums of its Adler-32."""
    # Each row of pixels starts with filter type 0 (none). Measured: filters make flat art 28 % larger, and choosing
    # them takes up to 40 % of the time.
    rows = Image.new("P", (1 + WIDTH, STRIP_HEIGHT))
    rows.im.paste(strip.pixels().im, (1, 0, 1 + WIDTH, STRIP_HEIGHT))
    raw = rows.tobytes()
    # -15 means raw deflate (RFC 1951): the file has one zlib header for all strips.
    deflate = isal_zlib.compressobj(COVERED_LEVEL if strip.layers else BARE_LEVEL, isal_zlib.DEFLATED, -15)
    data = deflate.compress(raw) + deflate.flush(isal_zlib.Z_FULL_FLUSH)
    adler = isal_zlib.adler32(raw)
    return _chunk(b"IDAT", data), (adler & 0xFFFF, adler >> 16)


def png_file(strips: Sequence[Strip], colors: bytes) -> bytes:
    """Join strips, from top to bottom, to a PNG file; `colors` has the RGB values of 256 colors."""
    # Adler-32 of an empty string (RFC 1950): the sum of all bytes, and the sum of all those sums.
    chunks, low, high = list[bytes](), 1, 0
    for chunk, (added_low, added_high) in map(_compress, strips):
        chunks.append(chunk)
        # Combine the Adler-32 of two consecutive parts. 65521 is the largest prime below 2 ** 16, as Adler-32 requires.
        high = (high + added_high + STRIP_HEIGHT * (1 + WIDTH) * (low - 1)) % 65521
        low = (low + added_low - 1) % 65521
    parts = (
        b"\x89PNG\r\n\x1a\n",
        # 8 bits per pixel, color type 3: palette indices.
        _chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, STRIP_HEIGHT * len(strips), 8, 3, 0, 0, 0)),
        _chunk(b"PLTE", colors),
        # Header of the zlib stream.
        _chunk(b"IDAT", b"\x78\x01"),
        *chunks,
        # An empty last block, then the Adler-32 of everything in big-endian order.
        _chunk(b"IDAT", b"\x03\x00" + struct.pack(">HH", high, low)),
        _chunk(b"IEND", b""),
    )
    return b"".join(parts)


def with_colors(file: bytes, colors: bytes) -> bytes:
    """Replace the palette of a PNG file."""
    start = file.index(b"PLTE") - 4
    length = int.from_bytes(file[start : start + 4])
    # Length, type and checksum of a chunk take 12 bytes.
    return file[:start] + _chunk(b"PLTE", colors) + file[start + length + 12 :]


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", isal_zlib.crc32(kind + data))

"""The RGB pictures behind grounds, which themselves store only palette indices."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from PIL import Image

from renders import grounds
from renders.canvas import Canvas, Ground
from renders.palette import Palette


class Quantized(threading.local):
    """The pictures that the current thread mapped to a palette, each with its original: the bot draws in several."""

    def __init__(self) -> None:
        self.pairs: list[tuple[Image.Image, Image.Image]] = []


_quantized = Quantized()
_originals: dict[Ground, Image.Image] = {}


@contextmanager
def keeping_colors() -> Iterator[None]:
    """Draw all grounds again, and record the RGB picture of each."""
    quantize, make, flatten = Palette.quantize, Ground.of, Canvas.flatten

    def noting_quantize(palette: Palette, image: Image.Image) -> Image.Image:
        result = quantize(palette, image)
        _quantized.pairs.append((result, image))
        return result

    def noting_make(image: Image.Image, palette: Palette) -> Ground:
        ground = make(image, palette)
        (_originals[ground],) = (original for result, original in _quantized.pairs if result is image)
        _quantized.pairs.clear()
        return ground

    def noting_flatten(canvas: Canvas) -> Ground:
        ground = flatten(canvas)
        _originals[ground] = in_true_colors(canvas)
        return ground

    with (
        # No prerendered ground matches this digest.
        patch.object(grounds, "_source_digest", lambda: b"no prerendered ground"),
        patch.object(Palette, "quantize", noting_quantize),
        patch.object(Ground, "of", noting_make),
        patch.object(Canvas, "flatten", noting_flatten),
    ):
        forget_drawings()
        yield
    _originals.clear()


def forget_drawings() -> None:
    """Clear all caches of pictures and of their parts."""
    for module in [module for name, module in sys.modules.items() if name.startswith("renders.")]:
        for cache in [thing for thing in vars(module).values() if hasattr(thing, "cache_clear")]:
            cache.cache_clear()


def in_true_colors(canvas: Canvas) -> Image.Image:
    """The canvas in RGB, before any of it was mapped to the palette."""
    with patch.object(Ground, "image", lambda ground: _originals[ground].copy()):
        return canvas.to_rgb()

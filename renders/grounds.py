"""Grounds with their palettes, cached on disk. Drawing one takes a third of a second.

`python -m renders.prerendering` draws them at installation. The bot only reads the cache, and draws missing grounds in
memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import PIL
import resvg_py
from PIL import Image

from engine.languages import ENGLISH, reading
from renders.canvas import Canvas, Ground, RGBGround
from renders.palette import Palette, palette_for
from renders.sprites import rasterize
from renders.theme import HEIGHT, WIDTH, Color, Theme

SOURCES = Path(__file__).parent
FOLDER = SOURCES / "prerendered"

writing = False
"""Whether to save missing grounds to the folder."""

Draw = Callable[[Canvas], None]


def ground_of(
    name: str,
    theme: Theme,
    drawing: str,
    draw_samples: Draw,
    *,
    letters: Draw | None = None,
    flats: Iterable[Color] = (),
) -> Ground:
    """A ground with its palette, drawn from a full-size SVG fragment with `letters` on top, under a unique name.

    `draw_samples` draws all sprites that may appear on the ground, so that the palette covers their soft edges.
    `flats` are colors that need exact entries in addition to the theme's.
    """
    path = FOLDER / f"{sha256(_source_digest() + f'{name} {drawing}'.encode()).hexdigest()}.png"
    if (image := _read(path)) is None:
        # One file serves readers of all languages, and translated words on the samples would change its palette.
        with reading(ENGLISH):
            image = _draw(theme, drawing, draw_samples, letters, flats)
        if writing:
            image.save(path)
    return Ground.of(image, Palette(bytes(image.getpalette() or ()), theme.strong))


def _draw(theme: Theme, drawing: str, draw_samples: Draw, letters: Draw | None, flats: Iterable[Color]) -> Image.Image:
    """The ground in the colors of its own palette."""
    bare = Canvas(RGBGround(rasterize(drawing, 0, 0, WIDTH, HEIGHT).convert("RGB")))
    if letters:
        letters(bare)
    image = bare.to_rgb()
    crowded = Canvas(RGBGround(image))
    draw_samples(crowded)
    return palette_for(crowded.to_rgb(), theme, flats).quantize(image)


def _read(path: Path) -> Image.Image | None:
    """The picture in palette colors, or `None` if the file is missing or damaged."""
    try:
        with Image.open(path) as image:
            image.load()
    except (OSError, SyntaxError):  # Pillow raises SyntaxError for a truncated file
        return None
    return image


@lru_cache(maxsize=1)
def _source_digest() -> bytes:
    """Digest of all drawing sources, so that files drawn by other versions are ignored."""
    # Other library versions may draw edges differently.
    digest = sha256(f"{PIL.__version__} {resvg_py.__version__}".encode())
    # Sorted, since directory order is not deterministic.
    for path in sorted(path for path in SOURCES.rglob("*") if path.suffix in (".py", ".svg")):
        digest.update(path.read_bytes())
    return digest.digest()

"""Grounds with their palettes: to draw one takes a third of a second, so a program of its own does it beforehand.

`python -m renders.prerendering` writes them when the bot is installed. A bot only reads, and draws what is missing.
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

FOLDER = Path(__file__).parent / "prerendered"

writing = False
"""Whether grounds that are missing are written to the folder, too."""

Draw = Callable[[Canvas], None]


def ground_of(
    name: str,
    theme: Theme,
    drawing: str,
    specimen: Draw,
    *,
    letters: Draw | None = None,
    flats: Iterable[Color] = (),
) -> Ground:
    """A ground by a name of its own: an SVG fragment of the full size, and what `letters` writes on it.

    Its palette is made for it and for all that may lie on it: `specimen` puts some of everything somewhere, so that the
    palette knows the soft edges. `flats` are colors that it has exactly, beside those of the theme.
    """
    path = FOLDER / f"{sha256(_sources() + f'{name} {drawing}'.encode()).hexdigest()}.png"
    if (image := _read(path)) is None:
        # It is kept for readers of all languages; words in the specimen would change its palette.
        with reading(ENGLISH):
            image = _drawn(theme, drawing, specimen, letters, flats)
        if writing:
            image.save(path)
    return Ground.of(image, Palette(bytes(image.getpalette() or ()), theme.strong))


def _drawn(theme: Theme, drawing: str, specimen: Draw, letters: Draw | None, flats: Iterable[Color]) -> Image.Image:
    """The ground in the colors of the palette that is made for it."""
    bare = Canvas(RGBGround(rasterize(drawing, 0, 0, WIDTH, HEIGHT).convert("RGB")))
    if letters:
        letters(bare)
    image = bare.flat()
    crowded = Canvas(RGBGround(image))
    specimen(crowded)
    return palette_for(crowded.flat(), theme, flats).indexed(image)


def _read(path: Path) -> Image.Image | None:
    """A picture in palette colors, if it is there and whole."""
    try:
        with Image.open(path) as image:
            image.load()
    except (OSError, SyntaxError):  # so Pillow calls a file that breaks off in the middle
        return None
    return image


@lru_cache(maxsize=1)
def _sources() -> bytes:
    """A digest of all that draws: what anything else has drawn is not read."""
    # Other versions of the libraries may draw edges otherwise.
    digest = sha256(f"{PIL.__version__} {resvg_py.__version__}".encode())
    # Sorted, since folders are listed in no fixed order.
    for path in sorted(path for path in FOLDER.parent.rglob("*") if path.suffix in (".py", ".svg")):
        digest.update(path.read_bytes())
    return digest.digest()

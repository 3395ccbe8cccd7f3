"""Small pictures with a soft edge, rasterized from SVG, and the one cache of those that were used last."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache, wraps
from importlib import resources
from typing import Any, ParamSpec

import resvg_py
from PIL import Image, ImageColor

from renders.theme import Color

P = ParamSpec("P")

RGB = tuple[int, ...]
"""Red, green, blue in 0..255."""


# Compared by identity: the cache has one sprite for each thing, and strips are found by what lies on them.
@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A picture in RGBA to paste. `left`, `top` say where its corner lies, seen from the point it is put on."""

    picture: Image.Image
    left: int
    top: int
    width: int = field(init=False)
    height: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "width", self.picture.width)
        object.__setattr__(self, "height", self.picture.height)

    @property
    def coverage(self) -> Image.Image:
        """How much of each pixel it covers, 0 to 255."""
        return self.picture.getchannel("A")

    def paste_on(self, image: Image.Image, x: int, y: int) -> None:
        """Paste it on an RGB or RGBA image, its corner on a point that may lie outside."""
        image.paste(self.picture, (x, y), self.picture)


CACHED = 2048
"""Sprites of all kinds that are cached, the least recently used ones given up first."""


def cached(make: Callable[P, Sprite]) -> Callable[P, Sprite]:
    """A function whose sprites go into the one cache that all of them share."""

    @wraps(make)
    def get(*args: P.args, **kwargs: P.kwargs) -> Sprite:
        return _made(make, *args, **kwargs)  # type: ignore[arg-type]  # what sprites are made of is hashable

    return get


# Every cache of the pictures has a bound (tests/test_architecture.py).
@lru_cache(maxsize=CACHED)
def _made(make: Callable[..., Sprite], *args: Any, **kwargs: Any) -> Sprite:
    return make(*args, **kwargs)


def sprite(body: str, left: int, top: int, right: int, bottom: int) -> Sprite:
    """An SVG fragment as a sprite; the box is in the fragment's own units, which are px."""
    return Sprite(rasterize(body, left, top, right, bottom), left, top)


BAND_HEIGHT = 320
"""Rows of a band: the library lets no other thread of the bot run while it draws, some 20 ms for a band."""


def banded_sprite(body: str, left: int, top: int, right: int, bottom: int) -> Sprite:
    """`sprite` for a tall box, drawn in bands. Only straight edges look the same where a band cuts them."""
    picture = Image.new("RGBA", (right - left, bottom - top))
    for row in range(top, bottom, BAND_HEIGHT):
        picture.paste(rasterize(body, left, row, right, min(row + BAND_HEIGHT, bottom)), (0, row - top))
    return Sprite(picture, left, top)


def centered(body: str, half: int) -> Sprite:
    """An SVG fragment as a sprite that reaches `half` px from its middle to each side."""
    return sprite(body, -half, -half, half, half)


def tinted(mask: Image.Image, color: Color, left: int, top: int) -> Sprite:
    """A mask of coverage in one color, as words are."""
    picture = Image.new("RGBA", mask.size, color)
    picture.putalpha(mask)
    return Sprite(picture, left, top)


def stacked(below: Sprite, above: Sprite, x: float = 0, y: float = 0) -> Sprite:
    """A picture with something else on a point of it, which does not make it larger: one sprite to put, not two."""
    picture = below.picture.copy()
    above.paste_on(picture, round(x - below.left) + above.left, round(y - below.top) + above.top)
    # Pillow blends the coverage as well: where the edge of what is above is soft, the ground would show through.
    picture.putalpha(below.coverage)
    return replace(below, picture=picture)


def rasterize(body: str, left: int, top: int, right: int, bottom: int) -> Image.Image:
    """An SVG fragment as an RGBA picture of the size of the box; else as for a sprite."""
    width, height = right - left, bottom - top
    head = f'width="{width}" height="{height}" viewBox="{left} {top} {width} {height}"'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {head}>{body}</svg>'
    # Drawings have no letters: Pillow writes those, with fonts from packages.
    data = resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True)
    return Image.open(io.BytesIO(data)).convert("RGBA")


@lru_cache(maxsize=128)
def fragment(name: str) -> str:
    """The shapes of a drawing in `art/`, such as `muscat` or `icons/fire`, without its outer element."""
    text = resources.files("renders").joinpath("art", f"{name}.svg").read_text(encoding="utf-8")
    return text[text.index(">") + 1 : text.rindex("</svg>")]


def icon(name: str, color: Color, hole: Color, size: float, x: float = 0, y: float = 0) -> str:
    """SVG fragment of an icon centered on (x, y): its box of 100 units scaled to `size` px."""
    return art_in_box(f"icons/{name}", color, hole, size, x, y)


def art_in_box(name: str, color: Color, hole: Color, size: float, x: float = 0, y: float = 0) -> str:
    """The same of any drawing in `art/` that is as large as an icon."""
    # Icons are drawn in white with black holes. No theme has these colors, so the second replacement leaves the first
    # alone.
    body = fragment(name).replace("#FFFFFF", color).replace("#000000", hole)
    corner = f"{x - size / 2:.2f} {y - size / 2:.2f}"
    return f'<g transform="translate({corner}) scale({size / 100:.4f})">{body}</g>'


def rgb(color: Color) -> RGB:
    """Red, green, blue of a color."""
    return ImageColor.getrgb(color)

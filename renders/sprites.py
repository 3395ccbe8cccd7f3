"""Small anti-aliased pictures rasterized from SVG, in one shared LRU cache."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from dataclasses import field, replace
from functools import lru_cache, wraps
from importlib import resources
from typing import Any, ParamSpec

import resvg_py
from PIL import Image, ImageColor

from engine.values import Value
from renders.theme import Color

P = ParamSpec("P")

RGB = tuple[int, ...]
"""Red, green, blue in 0..255."""


# Compared by identity: the cache has one sprite per drawing, and strips are cached by the sprites on them.
class Sprite(Value, eq=False):
    """An RGBA picture to paste. `dx` and `dy` are the offset of its corner from its origin."""

    picture: Image.Image
    dx: int
    dy: int
    width: int = field(init=False)
    height: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "width", self.picture.width)
        object.__setattr__(self, "height", self.picture.height)

    @property
    def coverage(self) -> Image.Image:
        """Alpha channel: opacity per pixel, 0 to 255."""
        return self.picture.getchannel("A")

    def paste_on(self, image: Image.Image, x: int, y: int) -> None:
        """Paste it on an RGB or RGBA image with its corner at a point, which may lie outside."""
        image.paste(self.picture, (x, y), self.picture)


MAX_SPRITES = 2048
"""Capacity of the shared sprite cache; the least recently used sprites are dropped first."""


_lock = threading.RLock()
"""Lock of the cache, held while a sprite is looked up or drawn; reentrant, since a sprite may be drawn from others."""


def cached(make: Callable[P, Sprite]) -> Callable[P, Sprite]:
    """Decorator that puts a function's sprites into the shared cache."""

    @wraps(make)
    def get(*args: P.args, **kwargs: P.kwargs) -> Sprite:
        # one at a time: threads that miss at once would draw the same sprite, and block the event loop in turn
        with _lock:
            return _sprite_of(make, *args, **kwargs)  # type: ignore[arg-type]  # all arguments are hashable

    return get


# Every cache of pictures must be bounded (tests/test_architecture.py).
@lru_cache(maxsize=MAX_SPRITES)
def _sprite_of(make: Callable[..., Sprite], *args: Any, **kwargs: Any) -> Sprite:
    return make(*args, **kwargs)


def sprite(body: str, left: int, top: int, right: int, bottom: int) -> Sprite:
    """Rasterize an SVG fragment as a sprite; the box is in the fragment's own units, which are px."""
    return Sprite(rasterize(body, left, top, right, bottom), left, top)


BAND_HEIGHT = 160
"""Rows of a band: the library blocks all other threads of the bot while it draws, about 10 ms for a band."""


def banded_sprite(body: str, left: int, top: int, right: int, bottom: int) -> Sprite:
    """`sprite` for a tall box, drawn in bands. Only straight edges look the same where a band cuts them."""
    picture = Image.new("RGBA", (right - left, bottom - top))
    for row in range(top, bottom, BAND_HEIGHT):
        picture.paste(rasterize(body, left, row, right, min(row + BAND_HEIGHT, bottom)), (0, row - top))
    return Sprite(picture, left, top)


def centered_sprite(body: str, half: int) -> Sprite:
    """Rasterize an SVG fragment as a sprite that extends `half` px from its center to each side."""
    return sprite(body, -half, -half, half, half)


def tint(mask: Image.Image, color: Color, dx: int, dy: int) -> Sprite:
    """Fill a coverage mask with one color, as for text."""
    picture = Image.new("RGBA", mask.size, color)
    picture.putalpha(mask)
    return Sprite(picture, dx, dy)


def stack(below: Sprite, above: Sprite, x: float = 0, y: float = 0) -> Sprite:
    """Merge two sprites into one of the lower one's size, with the upper one's origin at a point."""
    picture = below.picture.copy()
    above.paste_on(picture, round(x - below.dx) + above.dx, round(y - below.dy) + above.dy)
    # Pillow blends the alpha channel too: without this, the ground would show through soft edges of the upper sprite.
    picture.putalpha(below.coverage)
    return replace(below, picture=picture)


def rasterize(body: str, left: int, top: int, right: int, bottom: int) -> Image.Image:
    """Rasterize an SVG fragment as an RGBA picture of the box's size; parameters as for `sprite`."""
    width, height = right - left, bottom - top
    head = f'width="{width}" height="{height}" viewBox="{left} {top} {width} {height}"'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {head}>{body}</svg>'
    # Drawings have no text: Pillow draws that, with fonts from packages.
    data = resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True)
    return Image.open(io.BytesIO(data)).convert("RGBA")


@lru_cache(maxsize=128)
def fragment(name: str) -> str:
    """The content of a drawing in `art/`, such as `muscat` or `icons/fire`, without its outer element."""
    text = resources.files("renders").joinpath("art", f"{name}.svg").read_text(encoding="utf-8")
    return text[text.index(">") + 1 : text.rindex("</svg>")]


def icon(name: str, color: Color, hole: Color, size: float, x: float = 0, y: float = 0) -> str:
    """SVG fragment of an icon centered on (x, y), with its box of 100 units scaled to `size` px."""
    return art_in_box(f"icons/{name}", color, hole, size, x, y)


def art_in_box(name: str, color: Color, hole: Color, size: float, x: float = 0, y: float = 0) -> str:
    """SVG fragment of any drawing in `art/` with a box of 100 units; parameters as for `icon`."""
    # Icons are drawn in white with black holes. No theme has these colors, so the second replacement leaves the
    # first alone.
    body = fragment(name).replace("#FFFFFF", color).replace("#000000", hole)
    corner = f"{x - size / 2:.2f} {y - size / 2:.2f}"
    return f'<g transform="translate({corner}) scale({size / 100:.4f})">{body}</g>'


def rgb(color: Color) -> RGB:
    """Red, green, blue of a color."""
    return ImageColor.getrgb(color)

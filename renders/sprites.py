"""Small pictures with a soft edge, rasterised once from SVG and kept."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

import resvg_py
from PIL import Image, ImageColor

from renders.disk_cache import kept
from renders.theme import Color

if TYPE_CHECKING:
    from PIL._imaging import ImagingCore as Pixels  # what is inside an image


class Core(NamedTuple):
    """The inside of a sprite, most of what it covers, where its mask is the same everywhere: solid, or hollow.

    `color` is red, green and blue of a solid one that has no other.
    """

    left: int
    top: int
    right: int
    bottom: int
    solid: bool
    color: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """Something to paste: a picture in RGBA, or one `color` through a mask of coverage, as words are.

    `left`, `top` say where its corner lies, seen from the point it is put on.
    """

    picture: Image.Image
    left: int
    top: int
    width: int
    height: int
    color: tuple[int, ...] | None = None
    core: Core | None = None
    number: int = field(init=False, default_factory=count().__next__)
    """Its own: nothing else in the process has it."""

    @property
    def coverage(self) -> Image.Image:
        """How much of each pixel it covers, 0 to 255."""
        return self.picture if self.color else self.picture.getchannel("A")

    def paste_on(self, pixels: Pixels, x: int, y: int) -> None:
        """Paste it into the inside of an image, its corner on a point that may lie outside."""
        # a box of one color is made and pasted in half the time that the bare color takes
        paint = Image.new("RGB", self.picture.size, self.color) if self.color else self.picture
        # hundreds a picture: what `Image.paste` does around it costs more
        pixels.paste(paint.im, (x, y, x + self.width, y + self.height), self.picture.im)


def sprite(body: str, left: int, top: int, right: int, bottom: int, *, once: bool = False) -> Sprite:
    """An SVG fragment as a sprite; the box is in the fragment's own units, which are px. Whoever asks keeps it.

    What is used `once`, for a single game, is not left in the folder for other starts.
    """
    return _of(rasterise(body, left, top, right, bottom, once=once), left, top)


def stretched(body: str, side: int, width: int, height: int) -> Sprite:
    """A fragment of `side` x `side` px from the origin on, its middle row and column repeated, put on its corner.

    What comes in many sizes, such as a panel with round corners, is rasterized only once. Its inside must be of one
    color that covers all below.
    """
    small = rasterise(body, 0, 0, side, side)
    inset = next(inset for inset in INSETS if small.crop((inset, inset, side - inset, side - inset)).getcolors(1))
    core = Core(inset, inset, width - inset, height - inset, solid=True, color=_middle(small)[:3])
    return Sprite(_stretched(small, width, height), 0, 0, width, height, core=core)


def _stretched(small: Image.Image, width: int, height: int) -> Image.Image:
    large = Image.new(small.mode, (width, height), _middle(small))
    for left, right, x, across in _spans(small.width, width):
        for top, bottom, y, down in _spans(small.height, height):
            if (across, down) != (width - small.width + 1, height - small.height + 1):  # the inside is filled already
                part = small.crop((left, top, right, bottom))
                large.paste(part.resize((across, down), Image.Resampling.NEAREST), (x, y))
    return large


def _middle(picture: Image.Image) -> Any:
    """The color in its middle: as many numbers as the picture has channels."""
    return picture.getpixel((picture.width // 2, picture.height // 2))


def _spans(short: int, long: int) -> Iterator[tuple[int, int, int, int]]:
    """From where to where there is a side of the small picture, where it goes, and how long it becomes."""
    half = short // 2
    yield 0, half, 0, half
    yield half, half + 1, half, long - short + 1
    yield half + 1, short, long - short + half + 1, short - half - 1


def _of(picture: Image.Image, left: int, top: int) -> Sprite:
    return Sprite(picture, left, top, *picture.size, core=_core(picture.getchannel("A")))


INSETS = (6, 8, 12, 16, 22, 30)
"""How far a core is looked for from the edges of a sprite, in px."""


def _core(coverage: Image.Image) -> Core | None:
    for inset in INSETS:
        right, bottom = coverage.width - inset, coverage.height - inset
        if 2 * (right - inset) * (bottom - inset) < coverage.width * coverage.height or right <= inset:
            return None
        darkest, brightest = coverage.im.crop((inset, inset, right, bottom)).getextrema()
        if darkest == brightest and darkest in (0, 255):
            return Core(inset, inset, right, bottom, darkest == 255)
    return None


def stacked(below: Sprite, above: Sprite, x: float = 0, y: float = 0) -> Sprite:
    """A picture with something else on a point of it, which does not make it larger: one sprite to put, not two."""
    picture = below.picture.copy()
    above.paste_on(picture.im, round(x - below.left) + above.left, round(y - below.top) + above.top)
    picture.putalpha(below.coverage)
    return replace(below, picture=picture)


def rasterise(body: str, left: int, top: int, right: int, bottom: int, *, once: bool = False) -> Image.Image:
    """An SVG fragment as an RGBA picture of the size of the box; else as for a sprite."""
    width, height = right - left, bottom - top
    head = f'width="{width}" height="{height}" viewBox="{left} {top} {width} {height}"'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {head}>{body}</svg>'
    made_of = f"{resvg_py.__version__} {svg}".encode()
    data = _pixels(svg) if once else kept(made_of, 4 * width * height, lambda: _pixels(svg))
    return Image.frombytes("RGBA", (width, height), data)


def _pixels(svg: str) -> bytes:
    data = resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True)
    return Image.open(io.BytesIO(data)).convert("RGBA").tobytes()


@cache
def art(name: str) -> str:
    """The text of a drawing in `art/`, such as `muscat` or `icons/fire`."""
    return resources.files("renders").joinpath("art", f"{name}.svg").read_text(encoding="utf-8")


def fragment(name: str) -> str:
    """The shapes of a drawing in `art/`, without its outer element."""
    text = art(name)
    return text[text.index(">") + 1 : text.rindex("</svg>")]


def icon(name: str, color: Color, hole: Color, size: float, x: float = 0, y: float = 0) -> str:
    """SVG fragment of an icon centered on (x, y): its box of 100 units scaled to `size` px."""
    return art_in_box(f"icons/{name}", color, hole, size, x, y)


def art_in_box(name: str, color: Color, hole: Color, size: float, x: float = 0, y: float = 0) -> str:
    """The same of any drawing in `art/` that is as large as an icon."""
    body = fragment(name).replace("#FFFFFF", color).replace("#000000", hole)
    corner = f"{x - size / 2:.2f} {y - size / 2:.2f}"
    return f'<g transform="translate({corner}) scale({size / 100:.4f})">{body}</g>'


def rgb(color: Color) -> tuple[int, ...]:
    """Red, green, blue in 0..255."""
    return ImageColor.getrgb(color)

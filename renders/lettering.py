"""Text: two families from their font packages, nothing under 28 px, shortened and never squeezed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module

from PIL import Image, ImageDraw, ImageFont

from renders.sprites import Sprite, rgb
from renders.theme import Color

SMALLEST = 28
"""No text in any picture is set smaller than this, in px of the 1080 wide canvas."""


@dataclass(frozen=True, slots=True)
class Face:
    """A weight of a family at a size in px."""

    family: str
    size: int

    def __post_init__(self) -> None:
        if self.size < SMALLEST:
            raise ValueError(f"text of {self.size} px cannot be read on a phone; the smallest is {SMALLEST}")

    @property
    def capital(self) -> float:
        """Height of a capital letter or digit."""
        return 0.66 * self.size


def serif(size: int) -> Face:
    """The bold serif of titles and level digits."""
    return Face("SourceSerifProBold", size)


def sans(size: int, weight: str = "Bold") -> Face:
    """The sans of everything else; `weight` is Semibold, Bold or Black."""
    return Face(f"SourceSansPro{weight}", size)


TITLE = serif(46)
FACT = sans(32, "Semibold")
PILL = sans(32)
SCORE = sans(52, "Black")
NAME = sans(34)
LABEL = sans(30)
SMALL = sans(28, "Semibold")
BADGE = sans(28, "Black")


@lru_cache(maxsize=64)
def _font(face: Face) -> ImageFont.FreeTypeFont:
    package = import_module("font_source_serif_pro" if "Serif" in face.family else "font_source_sans_pro")
    # the basic layout needs no library of the machine, so a picture is the same everywhere
    return ImageFont.truetype(getattr(package, face.family), face.size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=1024)
def width(text: str, face: Face) -> float:
    """Advance width of a line, in px."""
    return _font(face).getlength(text)


def fit(text: str, face: Face, room: float) -> str:
    """The text, shortened with an ellipsis until it is at most `room` px wide."""
    if width(text, face) <= room:
        return text
    for end in range(len(text) - 1, 0, -1):
        if width(short := f"{text[:end].rstrip()}…", face) <= room:
            return short
    return "…"


def wrap(text: str, face: Face, room: float) -> list[str]:
    """Lines of at most `room` px, broken between words."""
    lines: list[str] = []
    used = room
    for word in text.split():
        length = width(f" {word}", face)
        if lines and used + length <= room:
            lines[-1] += f" {word}"
            used += length
        else:
            lines.append(fit(word, face, room))
            used = width(word, face)
    return lines


@lru_cache(maxsize=1024)
def line(text: str, face: Face, color: Color, align: str) -> Sprite:
    """A line of text; the point it is put on lies at half the height of its capitals.

    `align` says what of the line stands on that point: `left`, `middle` or `right`.
    """
    font = _font(face)
    left, top, right, bottom = font.getbbox(text, anchor="ls")
    mask = Image.new("L", (max(1, int(right - left)), max(1, int(bottom - top))))
    ImageDraw.Draw(mask).text((-left, -top), text, font=font, fill=255, anchor="ls")
    shift = {"left": 0.0, "middle": 0.5, "right": 1.0}[align] * width(text, face)
    return Sprite(rgb(color), mask, round(left - shift), round(top + face.capital / 2), *mask.size)

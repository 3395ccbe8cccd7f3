"""Text: families from their font packages, nothing under 29 px, shortened and never squeezed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.resources import files

from PIL import Image, ImageDraw, ImageFont

from renders.sprites import Sprite, cached, tinted
from renders.theme import Color

# On a phone 360 points wide these are just under 10 points.
SMALLEST = 29
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
        # Measured: 0.65 to 0.66 in all weights of both families.
        return 0.66 * self.size


def serif(size: int) -> Face:
    """The bold serif of titles and level digits."""
    return Face("SourceSerifProBold", size)


def sans(size: int, weight: str = "Bold") -> Face:
    """The sans of everything else; `weight` is Semibold, Bold or Black."""
    return Face(f"SourceSansPro{weight}", size)


def noto(script: str) -> Face:
    """What the sans does not cover, at the size and weight of `SMALL`; `script` is a key of `NOTO`."""
    return Face(script, SMALLEST)


NOTO = {
    "Latin": ("manimgx_fonts", "NotoSans[wght].ttf"),
    "Hebrew": ("manimgx_fonts", "NotoSansHebrew[wght].ttf"),
    "Arabic": ("manimgx_fonts", "NotoSansArabic[wght].ttf"),
    "Armenian": ("manimgx_fonts", "NotoSansArmenian[wght].ttf"),
    "Georgian": ("manimgx_fonts", "NotoSansGeorgian[wght].ttf"),
    "Ethiopic": ("manimgx_fonts", "NotoSansEthiopic[wght].ttf"),
    "CJK": ("noto_cjk_sans_jp_bold", "NotoSansCJKjp-Bold.otf"),
}
"""Script -> package and file. Scripts that are wrong without shaping, such as Devanagari and Thai, are not here."""

SEMIBOLD = 600

TITLE = serif(46)
FACT = sans(32, "Semibold")
HEAD_FACT = sans(42, "Semibold")
PILL = sans(42)
STORY = sans(36, "Semibold")
GAIN = sans(30, "Black")
PLACE = serif(60)
WINNER = sans(44)
FINAL = sans(72, "Black")
SCORE = sans(52, "Black")
NAME = sans(34)
LABEL = sans(30)
SMALL = sans(SMALLEST, "Semibold")
BADGE = sans(SMALLEST, "Black")


@lru_cache(maxsize=64)
def _font(face: Face) -> ImageFont.FreeTypeFont:
    if face.family in NOTO:
        package, name = NOTO[face.family]
        path = str(files(package) / name)
    else:
        path = getattr(import_module(f"font_source_{'serif' if 'Serif' in face.family else 'sans'}_pro"), face.family)
    # The basic layout needs no library of the machine, so a picture is the same everywhere.
    font = ImageFont.truetype(path, face.size, layout_engine=ImageFont.Layout.BASIC)
    # These are variable fonts, lighter by default; the one of CJK is bold by itself.
    if face.family in NOTO and face.family != "CJK":
        font.set_variation_by_axes([SEMIBOLD])
    return font


@lru_cache(maxsize=1024)
def width(text: str, face: Face) -> float:
    """Advance width of a line, in px."""
    return _font(face).getlength(text)


def fit(text: str, face: Face, room: float) -> str:
    """The text, shortened with an ellipsis until it is at most `room` px wide."""
    return shortened(text, room, lambda part: width(part, face))


def shortened(text: str, room: float, measure: Callable[[str], float]) -> str:
    """The text, shortened with an ellipsis until it measures at most `room` px."""
    if measure(text) <= room:
        return text
    for end in range(len(text) - 1, 0, -1):
        if measure(short := f"{text[:end].rstrip()}…") <= room:
            return short
    return "…"


def wrap(text: str, face: Face, room: float) -> list[str]:
    """Lines of at most `room` px, broken between words."""
    lines: list[str] = []
    used = room
    # Only at spaces and newlines: before a French `!` stands a space that may not break.
    for word in filter(None, re.split("[ \n]+", text)):
        # Word by word: measuring every growing line anew would take quadratic time.
        length = width(f" {word}", face)
        if lines and used + length <= room:
            lines[-1] += f" {word}"
            used += length
        else:
            lines.append(fit(word, face, room))
            used = width(word, face)
    return lines


@cached
def line(text: str, face: Face, color: Color, align: str) -> Sprite:
    """A line of text; the point it is put on lies at half the height of its capitals.

    `align` says which part of the line is at that point: `left`, `middle` or `right`.
    """
    mask, left, top = ink(text, face)
    shift = {"left": 0.0, "middle": 0.5, "right": 1.0}[align] * width(text, face)
    return tinted(mask, color, round(left - shift), round(top + face.capital / 2))


Mask = tuple[Image.Image, int, int]
"""Coverage, and the place of its left top corner, seen from the pen on the base line, in px."""


def ink(text: str, face: Face) -> Mask:
    """A line, put together of its letters: the fonts move none of them nearer to another one."""
    masks, pen = list[Mask](), 0.0
    for letter in text:
        # To the pixel as if the line were written in one go (tests/renders/test_legibility.py).
        mask, left, top = _letter(letter, face)
        masks.append((mask, round(pen) + left, top))
        pen += width(letter, face)
    return overlaid(masks)


@lru_cache(maxsize=1024)
def _letter(letter: str, face: Face) -> Mask:
    """To draw one takes as long as to put ten of them together."""
    font = _font(face)
    left, top, right, bottom = map(round, font.getbbox(letter, anchor="ls"))
    # A space has no ink, and no image may be 0 px wide.
    mask = Image.new("L", (max(1, right - left), max(1, bottom - top)))
    ImageDraw.Draw(mask).text((-left, -top), letter, 255, font, anchor="ls")
    return mask, left, top


def overlaid(masks: Sequence[Mask]) -> Mask:
    """One mask of several."""
    left, top = min(x for _, x, _ in masks), min(y for *_, y in masks)
    right = max(x + mask.width for mask, x, _ in masks)
    bottom = max(y + mask.height for mask, _, y in masks)
    sheet = Image.new("L", (right - left, bottom - top))
    for mask, x, y in masks:
        sheet.paste(255, (x - left, y - top), mask)
    return sheet, left, top


def has(letter: str, face: Face) -> bool:
    """Whether a face draws a letter visibly and as itself, not as the box that stands for those it lacks."""
    mask, missing = (ink(drawn, face)[0] for drawn in (letter, NO_LETTER))
    return mask.getbbox() is not None and (mask.size, mask.tobytes()) != (missing.size, missing.tobytes())


NO_LETTER = "\uffff"
"""Unicode promises that this is never one."""

"""Text in pictures: fonts from packages, at least 29 px, shortened rather than squeezed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module
from importlib.resources import files

from PIL import Image, ImageDraw, ImageFont

from engine.values import Value
from renders.sprites import Sprite, cached, tint
from renders.theme import Color

# Just under 10 points on a phone that is 360 points wide.
MIN_SIZE = 29
"""Minimum text size, in px of the 1080 px wide canvas."""


class Face(Value):
    """A font family and weight at a size in px."""

    family: str
    size: int

    def __post_init__(self) -> None:
        if self.size < MIN_SIZE:
            raise ValueError(f"text of {self.size} px cannot be read on a phone; the smallest is {MIN_SIZE}")

    @property
    def capital(self) -> float:
        """Height of capital letters and digits, in px."""
        # Measured: 0.65 to 0.66 of the size in all weights of both families.
        return 0.66 * self.size


def serif(size: int) -> Face:
    """Bold serif for titles and level numbers."""
    return Face("SourceSerifProBold", size)


def sans(size: int, weight: str = "Bold") -> Face:
    """Sans for all other text; `weight` is Semibold, Bold or Black."""
    return Face(f"SourceSansPro{weight}", size)


def noto(script: str) -> Face:
    """Fallback font for a script that the sans lacks, matching `SMALL`; `script` is a key of `NOTO`."""
    return Face(script, MIN_SIZE)


NOTO = {
    "Latin": ("manimgx_fonts", "NotoSans[wght].ttf"),
    "Hebrew": ("manimgx_fonts", "NotoSansHebrew[wght].ttf"),
    "Arabic": ("manimgx_fonts", "NotoSansArabic[wght].ttf"),
    "Armenian": ("manimgx_fonts", "NotoSansArmenian[wght].ttf"),
    "Georgian": ("manimgx_fonts", "NotoSansGeorgian[wght].ttf"),
    "Ethiopic": ("manimgx_fonts", "NotoSansEthiopic[wght].ttf"),
    "CJK": ("noto_cjk_sans_jp_bold", "NotoSansCJKjp-Bold.otf"),
}
"""Package and font file by script. Scripts that need shaping, such as Devanagari and Thai, are not supported."""

SEMIBOLD = 600

TITLE = serif(46)
FACT = sans(32, "Semibold")
"""Facts on a board."""
HEAD_FACT = sans(42, "Semibold")
PILL = sans(42)
STORY = sans(36, "Semibold")
GAIN = sans(30, "Black")
PLACE = serif(60)
WINNER = sans(44)
FINAL = sans(72, "Black")
SCORE = sans(52, "Black")
"""The points in a panel."""
NAME = sans(34)
"""The names of seats."""
LABEL = sans(30)
"""Words beside pieces."""
SMALL = sans(MIN_SIZE, "Semibold")
"""The smallest text."""
BADGE = sans(MIN_SIZE, "Black")


@lru_cache(maxsize=64)
def _font(face: Face) -> ImageFont.FreeTypeFont:
    if face.family in NOTO:
        package, name = NOTO[face.family]
        path = str(files(package) / name)
    else:
        path = getattr(import_module(f"font_source_{'serif' if 'Serif' in face.family else 'sans'}_pro"), face.family)
    # Basic layout does not depend on system libraries, so pictures are the same on every machine.
    font = ImageFont.truetype(path, face.size, layout_engine=ImageFont.Layout.BASIC)
    # The variable fonts default to a light weight; the CJK font is static and already bold.
    if face.family in NOTO and face.family != "CJK":
        font.set_variation_by_axes([SEMIBOLD])
    return font


@lru_cache(maxsize=1024)
def width(text: str, face: Face) -> float:
    """Advance width of a line, in px."""
    return _font(face).getlength(text)


def fit(text: str, face: Face, room: float) -> str:
    """Shorten the text with an ellipsis to at most `room` px."""
    return shorten(text, room, lambda part: width(part, face))


def fit_before(rest: str, text: str, face: Face, room: float) -> str:
    """Shorten the text so that it fits into `room` px together with the `rest`, which follows it unshortened."""
    return fit(text, face, room - width(rest, face)) + rest


def shorten(text: str, room: float, measure: Callable[[str], float]) -> str:
    """Shorten the text with an ellipsis until `measure` returns at most `room`."""
    if measure(text) <= room:
        return text
    for end in range(len(text) - 1, 0, -1):
        if measure(short := f"{text[:end].rstrip()}…") <= room:
            return short
    return "…"


def wrap(text: str, face: Face, room: float) -> list[str]:
    """Break the text between words into lines of at most `room` px."""
    lines: list[str] = []
    used = room
    # Split only at spaces and newlines: French puts a no-break space before `!`.
    for word in filter(None, re.split("[ \n]+", text)):
        # Measure word by word: measuring every growing line again would take quadratic time.
        length = width(f" {word}", face)
        if lines and used + length <= room:
            lines[-1] += f" {word}"
            used += length
        else:
            lines.append(fit(word, face, room))
            used = width(word, face)
    return lines


def wrap_evenly(text: str, face: Face, room: float) -> list[str]:
    """Break the text like `wrap`, into equally many lines of similar length, so that no line has a lone last word."""
    lines = wrap(text, face, room)
    # A single word cannot be shorter.
    while " " in (longest := max(lines, key=lambda line: width(line, face), default="")):
        narrower = wrap(text, face, width(longest, face) - 1)
        if len(narrower) > len(lines):
            break
        lines = narrower
    return lines


@cached
def line(text: str, face: Face, color: Color, align: str) -> Sprite:
    """A line of text as a sprite, with its origin at half the height of the capitals.

    `align` places the origin at the `left`, `middle` or `right` of the line.
    """
    mask, dx, dy = ink(text, face)
    shift = {"left": 0.0, "middle": 0.5, "right": 1.0}[align] * width(text, face)
    return tint(mask, color, round(dx - shift), round(dy + face.capital / 2))


Mask = tuple[Image.Image, int, int]
"""Coverage image with the offset of its top left corner from the pen position on the baseline, in px."""


def ink(text: str, face: Face) -> Mask:
    """Compose a line from single letters. The fonts have no kerning, so this loses nothing."""
    masks, pen = list[Mask](), 0.0
    for letter in text:
        # Matches Pillow's own line rendering to the pixel (tests/renders/test_legibility.py).
        mask, dx, dy = _letter(letter, face)
        masks.append((mask, round(pen) + dx, dy))
        pen += width(letter, face)
    return overlay(masks)


@lru_cache(maxsize=1024)
def _letter(letter: str, face: Face) -> Mask:
    """The mask of a letter, cached because drawing one costs as much as composing ten."""
    font = _font(face)
    x0, y0, x1, y1 = map(round, font.getbbox(letter, anchor="ls"))
    # A space has no ink, but an image must be at least 1 px wide.
    mask = Image.new("L", (max(1, x1 - x0), max(1, y1 - y0)))
    ImageDraw.Draw(mask).text((-x0, -y0), letter, 255, font, anchor="ls")
    return mask, x0, y0


def overlay(masks: Sequence[Mask]) -> Mask:
    """Combine several masks into one."""
    x0, y0 = min(x for _, x, _ in masks), min(y for *_, y in masks)
    x1 = max(x + mask.width for mask, x, _ in masks)
    y1 = max(y + mask.height for mask, _, y in masks)
    sheet = Image.new("L", (x1 - x0, y1 - y0))
    for mask, x, y in masks:
        sheet.paste(255, (x - x0, y - y0), mask)
    return sheet, x0, y0


def has_glyph(letter: str, face: Face) -> bool:
    """Whether the face has a visible glyph for the letter, other than its missing-glyph box."""
    mask, missing = (ink(char, face)[0] for char in (letter, NO_LETTER))
    return mask.getbbox() is not None and (mask.size, mask.tobytes()) != (missing.size, missing.tobytes())


NO_LETTER = "\uffff"
"""A Unicode noncharacter, which no font has a glyph for."""

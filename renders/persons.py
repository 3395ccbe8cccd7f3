"""Names of people, in any script that the fonts cover, in the order it is read, and cut to the room there is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from unicodedata import bidirectional, category, normalize

from PIL import Image

from renders.canvas import Canvas
from renders.lettering import NOTO, SMALL, Face, has, ink, noto, shortened, width
from renders.sprites import Sprite, rgb
from renders.theme import Color

FACES = (SMALL, *map(noto, NOTO))
"""Asked in this order for a letter. A font is opened when all before it lack one: most names need only the first."""

LONGEST = 64
"""Letters of a name that are looked at; no panel has room for more."""

LEFT_OUT = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Me", "Mn", "So"})
"""Categories of Unicode that are never drawn: controls, marks without a letter of their own to stand on, emoji."""

Run = tuple[Face, str]
"""Letters side by side that one face draws."""


def drawable(persons: Sequence[str], seats: int) -> tuple[str, ...]:
    """What can be drawn of the names, one per seat, "" for none; nothing at all if it is so for every seat."""
    names = tuple(map(_drawable, persons[:seats]))
    return names + ("",) * (seats - len(names)) if any(names) else ()


def draw_person(canvas: Canvas, x: float, y: float, name: str, room: float, color: Color) -> float:
    """Write a drawable name from a point on, shortened to `room` px. Returns its width in px."""
    if not length_of(name):
        return 0
    written, length = _line(name, int(room), color)
    canvas.put(written, x, y)
    return length


@lru_cache(maxsize=256)
def length_of(name: str) -> float:
    """Width of a drawable name that is not shortened, in px."""
    return sum(width(text, face) for face, text in _runs(name))


@lru_cache(maxsize=256)
def _drawable(name: str) -> str:
    """The letters that some font covers; nothing where that is less than half of them."""
    letters = normalize("NFKC", name[:LONGEST])[:LONGEST]  # this also makes plain letters of ornamental ones
    wanted = [letter for letter in letters if letter.isalnum()]
    if 2 * sum(_face_of(letter) is not None for letter in wanted) < len(wanted):
        return ""
    return " ".join("".join(map(_kept, letters)).split())


def _kept(letter: str) -> str:
    if letter.isspace():
        return " "
    return letter if category(letter) not in LEFT_OUT and _face_of(letter) else ""


@lru_cache(maxsize=1024)
def _face_of(letter: str) -> Face | None:
    """The first face that can draw a letter."""
    return SMALL if letter == " " else next((face for face in FACES if has(letter, face)), None)


@lru_cache(maxsize=256)
def _line(name: str, room: int, color: Color) -> tuple[Sprite, float]:
    """A name that fits into `room` px, seen from the left at half the height of its capitals, and its width."""
    short = shortened(name, room, length_of)
    return _sprite(_runs(short), color), length_of(short)


def _runs(name: str) -> list[Run]:
    letters = [(face, letter) for letter in _as_read(name) if (face := _face_of(letter))]
    return [(face, "".join(letter for _, letter in run)) for face, run in groupby(letters, key=itemgetter(0))]


def _as_read(name: str) -> str:
    """From left to right as it is seen: Arabic letters joined, and what is read from the right turned round."""
    if not any(bidirectional(letter) in ("R", "AL", "AN") for letter in name):
        return name
    from arabic_reshaper import reshape  # few names need these two
    from bidi import get_display

    seen: str = get_display(reshape(name))
    return seen


def _sprite(runs: Sequence[Run], color: Color) -> Sprite:
    masks, pen = list[tuple[Image.Image, int, int]](), 0.0
    for face, text in runs:
        mask, left, top = ink(text, face)
        masks.append((mask, round(pen + left), round(top)))
        pen += width(text, face)
    return _joined(masks, color)


def _joined(masks: Sequence[tuple[Image.Image, int, int]], color: Color) -> Sprite:
    """One sprite of masks on a common base line."""
    left, top = min(x for _, x, _ in masks), min(y for *_, y in masks)
    right = max(x + mask.width for mask, x, _ in masks)
    bottom = max(y + mask.height for mask, _, y in masks)
    sheet = Image.new("L", (right - left, bottom - top))
    for mask, x, y in masks:
        sheet.paste(255, (x - left, y - top), mask)
    return Sprite(rgb(color), sheet, left, round(top + SMALL.capital / 2), *sheet.size)

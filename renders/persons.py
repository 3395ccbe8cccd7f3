"""Names of people, in any script that the fonts cover, in the order it is read, and cut to the room there is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import groupby
from operator import itemgetter
from unicodedata import bidirectional, category, normalize

from PIL import Image, ImageChops

from renders.canvas import Canvas
from renders.lettering import NOTO, SMALL, Face, Mask, has, ink, noto, overlaid, shortened, width
from renders.sprites import Sprite, art_in_box, cached, rasterize, tinted
from renders.theme import Color

FACES = (SMALL, *map(noto, NOTO))
"""Asked in this order for a letter. A font is opened when all before it lack one: most names need only the first."""

LONGEST = 64
"""Letters of a name that are looked at; no panel has room for more."""

LEFT_OUT = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Me", "Mn", "So"})
"""Categories of Unicode that are never drawn: controls, marks without a letter of their own to stand on, emoji."""

FIRST_PORTRAIT = 0xE001
"""The portraits are letters of their own, from here on: no font has them, and no name of a person keeps one."""

PORTRAIT, PORTRAIT_W = 40, 36
"""Size of a portrait, and how far the letters move on for it, in px."""

Run = tuple[Face | None, str]
"""Letters side by side that one face draws; without a face, portraits."""


@lru_cache(maxsize=1)
def portraits() -> dict[str, str]:
    """The letter of every portrait in `art/portraits` -> whom it shows, by the id of a computer player."""
    # Sorted, so that a letter means the same portrait in every process.
    shown = sorted(file.name.removesuffix(".svg") for file in files("renders").joinpath("art/portraits").iterdir())
    return {chr(FIRST_PORTRAIT + number): player for number, player in enumerate(shown)}


def portrayed(player: str, name: str) -> str:
    """The name of a computer player behind its portrait; just the name if it has none."""
    return next((f"{letter} {name}" for letter, shown in portraits().items() if shown == player), name)


def drawable(persons: Sequence[str], seats: int) -> tuple[str, ...]:
    """What can be drawn of the names, one per seat, "" for none; nothing at all if it is so for every seat."""
    names = tuple(map(_drawable, persons[:seats]))
    return names + ("",) * (seats - len(names)) if any(names) else ()


def draw_person(canvas: Canvas, x: float, y: float, name: str, room: float, color: Color) -> float:
    """Write a drawable name from a point on, shortened to `room` px. Returns its width in px."""
    # A name without a letter has no ink to make a sprite of.
    if not length_of(name):
        return 0
    # In whole px, so that the cache has few entries for a name.
    short = _shortened(name, int(room))
    canvas.put(_written(short, color), x, y)
    return length_of(short)


@lru_cache(maxsize=256)
def length_of(name: str) -> float:
    """Width of a drawable name that is not shortened, in px."""
    return sum(map(_width, _runs(name)))


@lru_cache(maxsize=256)
def _drawable(name: str) -> str:
    """The letters that some font covers; nothing where that is less than half of them."""
    # Cut twice: before, to save time; after, since the plain form of one letter may be several.
    letters = normalize("NFKC", name[:LONGEST])[:LONGEST]  # this also makes plain letters of ornamental ones
    wanted = [letter for letter in letters if letter.isalnum()]
    if 2 * sum(_face_of(letter) is not None for letter in wanted) < len(wanted):
        return ""
    return " ".join("".join(map(_kept, letters)).split())


def _kept(letter: str) -> str:
    if letter.isspace():
        return " "
    return letter if letter in portraits() or (category(letter) not in LEFT_OUT and _face_of(letter)) else ""


@lru_cache(maxsize=1024)
def _face_of(letter: str) -> Face | None:
    """The first face that can draw a letter."""
    return SMALL if letter == " " else next((face for face in FACES if has(letter, face)), None)


@lru_cache(maxsize=256)
def _shortened(name: str, room: int) -> str:
    return shortened(name, room, length_of)


def _runs(name: str) -> list[Run]:
    letters = [
        (face, letter) for letter in _as_read(name) if (face := _face_of(letter)) is not None or letter in portraits()
    ]
    return [(face, "".join(letter for _, letter in run)) for face, run in groupby(letters, key=itemgetter(0))]


def _as_read(name: str) -> str:
    """From left to right as it is seen: Arabic letters joined, and what is read from the right turned round."""
    if not any(bidirectional(letter) in ("R", "AL", "AN") for letter in name):
        return name
    from arabic_reshaper import reshape  # few names need these two
    from bidi import get_display

    seen: str = get_display(reshape(name))
    return seen


@cached
def _written(name: str, color: Color) -> Sprite:
    """A drawable name as a sprite; the point it is put on lies at its left, at half the height of its capitals."""
    masks, pen = list[Mask](), 0.0
    for face, text in _runs(name):
        if face is not None:
            mask, left, top = ink(text, face)
            masks.append((mask, round(pen + left), top))
        else:
            top = round(-(PORTRAIT + SMALL.capital) / 2)
            masks += [(_portrait(letter), round(pen + n * PORTRAIT_W), top) for n, letter in enumerate(text)]
        pen += _width((face, text))
    mask, left, top = overlaid(masks)
    return tinted(mask, color, left, round(top + SMALL.capital / 2))


def _width(run: Run) -> float:
    face, text = run
    return PORTRAIT_W * len(text) if face is None else width(text, face)


def _portrait(letter: str) -> Image.Image:
    """The coverage of a portrait, whose holes let the ground through."""
    drawing = art_in_box(f"portraits/{portraits()[letter]}", "#FFFFFF", "#000000", PORTRAIT)
    picture = rasterize(drawing, -PORTRAIT // 2, -PORTRAIT // 2, PORTRAIT // 2, PORTRAIT // 2)
    return ImageChops.multiply(picture.convert("L"), picture.getchannel("A"))

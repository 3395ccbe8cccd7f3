"""People's names: any script that the fonts cover, in reading order, shortened to fit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import groupby
from operator import itemgetter
from unicodedata import bidirectional, category, normalize

from PIL import Image, ImageChops

from renders.canvas import Canvas
from renders.lettering import NOTO, SMALL, Face, Mask, has_glyph, ink, noto, overlay, shorten, width
from renders.sprites import Sprite, art_in_box, cached, rasterize, tint
from renders.theme import Color

FACES = (SMALL, *map(noto, NOTO))
"""Faces to try in this order for each letter. Fonts are opened on demand; most names need only the first."""

MAX_LETTERS = 64
"""Maximum number of letters of a name that are processed; no panel has room for more."""

UNDRAWN_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Me", "Mn", "So"})
"""Unicode categories that are never drawn: controls, marks without a base letter, emoji."""

FIRST_PORTRAIT = 0xE001
"""Portraits are private-use characters from here on: no font has them, and they are removed from people's names."""

PORTRAIT, PORTRAIT_W = 40, 36
"""Size of a portrait and its advance width, in px."""

Run = tuple[Face | None, str]
"""Consecutive letters drawn with one face, or portraits if the face is `None`."""


@lru_cache(maxsize=1)
def portraits() -> dict[str, str]:
    """The character of every portrait in `art/portraits`, mapped to the id of its computer player."""
    # Sorted, so that a character means the same portrait in every process.
    players = sorted(file.name.removesuffix(".svg") for file in files("renders").joinpath("art/portraits").iterdir())
    return {chr(FIRST_PORTRAIT + number): player for number, player in enumerate(players)}


def with_portrait(player: str, name: str) -> str:
    """A computer player's name after its portrait, or the plain name if it has no portrait."""
    return next((f"{letter} {name}" for letter, owner in portraits().items() if owner == player), name)


def drawable_names(persons: Sequence[str], seats: int) -> tuple[str, ...]:
    """The drawable form of each seat's name, "" if there is none. Empty if no seat has one."""
    names = tuple(map(_drawable_name, persons[:seats]))
    return names + ("",) * (seats - len(names)) if any(names) else ()


def draw_person(canvas: Canvas, x: float, y: float, name: str, room: float, color: Color) -> float:
    """Write a drawable name, left-aligned at a point and shortened to `room` px. Returns its width in px."""
    # An empty name has no ink for a sprite.
    if not length_of(name):
        return 0
    # Whole pixels keep the number of cache entries for a name low.
    short = _shorten_name(name, int(room))
    canvas.put(_name_sprite(short, color), x, y)
    return length_of(short)


@lru_cache(maxsize=256)
def length_of(name: str) -> float:
    """Width of a drawable name in full, in px."""
    return sum(map(_width, _runs(name)))


@lru_cache(maxsize=256)
def _drawable_name(name: str) -> str:
    """The part of a name that the fonts cover, or "" if they cover less than half of its letters."""
    # Cut before normalizing to save time, and again afterward, since one letter may expand into several.
    letters = normalize("NFKC", name[:MAX_LETTERS])[:MAX_LETTERS]  # NFKC also turns ornamental letters into plain ones
    alphanumeric = [letter for letter in letters if letter.isalnum()]
    if 2 * sum(_face_of(letter) is not None for letter in alphanumeric) < len(alphanumeric):
        return ""
    return " ".join("".join(map(_drawable_letter, letters)).split())


def _drawable_letter(letter: str) -> str:
    if letter.isspace():
        return " "
    return letter if letter in portraits() or (category(letter) not in UNDRAWN_CATEGORIES and _face_of(letter)) else ""


@lru_cache(maxsize=1024)
def _face_of(letter: str) -> Face | None:
    """The first face that can draw the letter."""
    return SMALL if letter == " " else next((face for face in FACES if has_glyph(letter, face)), None)


@lru_cache(maxsize=256)
def _shorten_name(name: str, room: int) -> str:
    return shorten(name, room, length_of)


def _runs(name: str) -> list[Run]:
    faces = [(_face_of(letter), letter) for letter in _visual_order(name)]
    letters = [(face, letter) for face, letter in faces if face is not None or letter in portraits()]
    return [(face, "".join(letter for _, letter in run)) for face, run in groupby(letters, key=itemgetter(0))]


def _visual_order(name: str) -> str:
    """The letters in visual order, left to right, with Arabic letters joined."""
    if not any(bidirectional(letter) in ("R", "AL", "AN") for letter in name):
        return name
    from arabic_reshaper import reshape  # imported here because few names need these two
    from bidi import get_display

    visual: str = get_display(reshape(name))
    return visual


@cached
def _name_sprite(name: str, color: Color) -> Sprite:
    """A drawable name as a sprite. Its origin is at the left, at half the height of the capitals."""
    masks, pen = list[Mask](), 0.0
    for face, text in _runs(name):
        if face is not None:
            mask, dx, dy = ink(text, face)
            masks.append((mask, round(pen + dx), dy))
        else:
            dy = round(-(PORTRAIT + SMALL.capital) / 2)
            masks += [(_portrait(letter), round(pen + n * PORTRAIT_W), dy) for n, letter in enumerate(text)]
        pen += _width((face, text))
    mask, dx, dy = overlay(masks)
    return tint(mask, color, dx, round(dy + SMALL.capital / 2))


def _width(run: Run) -> float:
    face, text = run
    return PORTRAIT_W * len(text) if face is None else width(text, face)


def _portrait(letter: str) -> Image.Image:
    """Coverage of a portrait; the ground shows through its holes."""
    drawing = art_in_box(f"portraits/{portraits()[letter]}", "#FFFFFF", "#000000", PORTRAIT)
    picture = rasterize(drawing, -PORTRAIT // 2, -PORTRAIT // 2, PORTRAIT // 2, PORTRAIT // 2)
    return ImageChops.multiply(picture.convert("L"), picture.getchannel("A"))

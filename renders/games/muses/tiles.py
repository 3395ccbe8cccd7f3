"""Sprites on the cloth: star tiles, dice, lattice, arrows. Each is drawn once per size."""

from __future__ import annotations

from math import ceil, cos, floor, pi, sin

from engine.games.muses.floor import NEUTRAL
from engine.games.muses.tiles import TILES
from renders.games.muses.layout import MIN_FULL_NAME_SIDE, MIN_NAME_SIDE
from renders.games.muses.theme import THEME
from renders.lettering import MIN_SIZE, fit_before, line, sans, width
from renders.sprites import Sprite, cached, centered_sprite, icon, rasterize, sprite, stack, tint
from renders.theme import GOLD, INK, IVORY, SEATS, Color
from renders.tokens import body

NEUTRAL_FILL = "#8C93AD"
INNER_EDGE = "#5C6FBF"
STAR_LINES = "#39468F"
SECONDARY = "#8F9BD6"
"""The color of the back of a hidden Muse, and of her emblem in her owner's own picture."""


def star(x: float, y: float, r: float, points: int = 8, inner: float = 0.8, turn: float = pi / 8) -> str:
    """SVG points of a star around (x, y)."""
    corners = []
    for n in range(2 * points):
        radius, angle = (r if n % 2 == 0 else inner * r), turn + n * pi / points
        corners.append(f"{x + radius * cos(angle):.1f},{y + radius * sin(angle):.1f}")
    return " ".join(corners)


# --- Tiles -----------------------------------------------------------------------------------------------------------


@cached
def tile(number: int, side: int, suns: int, name: str) -> Sprite:
    """A face-up tile without its die, centered on its origin; `name` is the Muse’s name, shortened to fit."""
    bare = stack(stack(_face(side), _emblem(number, side)), _row_of_suns(side, suns))
    # Small tiles have no band for a name; the emblem has to suffice.
    return bare if side < MIN_NAME_SIDE else _with_name(bare, name, side, THEME.emblem)


@cached
def _face(s: int) -> Sprite:
    """The part shared by all face-up tiles of a size, which is most of their pixels."""
    return centered_sprite(_card(s, THEME.tile) + _inner_edge(s) + (_band(s) if s >= MIN_NAME_SIDE else ""), s // 2 + 1)


def _inner_edge(s: int) -> str:
    inset = 0.06 * s
    box = f'x="{inset - s / 2}" y="{inset - s / 2}" width="{s - 2 * inset}" height="{s - 2 * inset}" rx="{0.055 * s}"'
    return f'<rect {box} fill="none" stroke="{INNER_EDGE}" stroke-width="2"/>'


def _emblem(number: int, s: int) -> Sprite:
    if s >= MIN_NAME_SIDE:
        x, y, size = 0.19 * s, -0.165 * s, 0.45 * s
    else:
        size = max(32, s - 54)
        x = y = s / 2 - 8 - size / 2
    half = 0.56 * size  # some lines extend beyond their box
    box = floor(x - half), floor(y - half), ceil(x + half), ceil(y + half)
    return sprite(icon(TILES[number], THEME.emblem, THEME.tile, size, x, y), *box)


@cached
def _row_of_suns(s: int, suns: int) -> Sprite:
    reach = s // 2 - 6
    box = (
        (0, round(0.08 * s), reach, round(0.26 * s)) if s >= MIN_NAME_SIDE else (reach - 24, -reach, reach, 48 - reach)
    )
    return sprite(_suns(s, suns), *box)


def _card(s: int, fill: Color) -> str:
    """Ink rim, gold rim, and fill of a tile."""
    layers = ((0, INK, 0.1), (2, GOLD, 0.09), (5, fill, 0.075))
    return "".join(
        f'<rect x="{inset - s / 2}" y="{inset - s / 2}" width="{s - 2 * inset}" height="{s - 2 * inset}" '
        f'rx="{rounding * s:.1f}" fill="{color}"/>'
        for inset, color, rounding in layers
    )


def _band_height(s: int) -> float:
    return max(0.215 * s, 30)


def _band(s: int) -> str:
    """The dark band for the name at the bottom; its lower corners follow the tile's."""
    h, half, r = _band_height(s), s / 2 - 5, 0.075 * s
    top = half - h + 5
    corners = f"A{r} {r} 0 0 1 {half - r} {half}H{r - half}A{r} {r} 0 0 1 {-half} {half - r}"
    path = f"M{-half} {top}H{half}V{half - r}{corners}Z"
    return f'<path d="{path}" fill="{INK}"/>'


def _suns(s: int, suns: int) -> str:
    """One to three suns: above the band or, on small tiles, in a column above the emblem."""
    if s >= MIN_NAME_SIDE:
        r = 0.066 * s
        places = [(s / 2 - 0.135 * s - n * 2.2 * r, 0.175 * s) for n in range(suns)]
    else:
        r = 7.5
        places = [(s / 2 - 17, 16 - s / 2 + n * 15.5) for n in range(suns)]
    return "".join(
        f'<polygon points="{star(x, y, r, inner=0.72)}" fill="{GOLD}"/>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{0.42 * r:.1f}" fill="{THEME.emblem}"/>'
        for x, y in places
    )


@cached
def face_down(owner: str, side: int, owner_sees: str) -> Sprite:
    """A face-down tile, labeled with its owner. `owner_sees` is the Muse, only in her owner's own picture."""
    s = side
    bare = _with_name(_back_face(s, owner_sees), short_owner(owner, s - 8), s, THEME.muted)
    if owner_sees:
        return bare
    # On small tiles, the question mark is in the space that the die leaves free.
    x, y, size = (0.13 * s, -0.06 * s, round(0.56 * s)) if s >= MIN_NAME_SIDE else (24.5, -0.14 * s, round(0.42 * s))
    return stack(bare, line("?", sans(max(MIN_SIZE, size), "Black"), THEME.emblem, "middle"), x, y)


def short_owner(owner: str, room: float) -> str:
    """The name of an owner in `room` px, with the number that tells teammates apart."""
    name = owner.rstrip("0123456789 ")
    return fit_before(owner[len(name) :], name, sans(MIN_SIZE), room)


@cached
def _back_face(s: int, owner_sees: str) -> Sprite:
    """The part shared by the tiles of all owners."""
    lines = f'fill="none" stroke="{STAR_LINES}" stroke-width="{max(2, 0.02 * s):.1f}" stroke-linejoin="round"'
    drawing = _card(s, THEME.face_down)
    y = -0.06 * s
    drawing += "".join(f'<polygon points="{star(0, y, r * s)}" {lines}/>' for r in (0.39, 0.275, 0.16))
    drawing += "".join(f'<polygon points="{star(x * 0.38 * s, -0.38 * s, 0.055 * s)}" {lines}/>' for x in (-1, 1))
    if owner_sees:
        place, emblem = ((0.19 * s, -0.15 * s), 0.44 * s) if s >= MIN_NAME_SIDE else ((26, -0.14 * s), s - 64)
        drawing += icon(owner_sees, SECONDARY, THEME.face_down, emblem, *place)
    return centered_sprite(drawing + _band(s), s // 2 + 1)


@cached
def back(side: int) -> Sprite:
    """A tile in another player's hand."""
    lines = f'fill="none" stroke="{STAR_LINES}" stroke-width="2.5" stroke-linejoin="round"'
    rings = "".join(f'<polygon points="{star(0, 0, r * side)}" {lines}/>' for r in (0.36, 0.24, 0.12))
    return sprite(_card(side, THEME.face_down) + rings, -side // 2, -side // 2, side // 2, side // 2)


def _with_name(bare: Sprite, text: str, s: int, color: Color) -> Sprite:
    """Write a name into a tile's band, in the largest letters that fit."""
    largest = max(MIN_SIZE, min(38, round(0.17 * s))) if s >= MIN_FULL_NAME_SIDE else MIN_SIZE
    faces = map(sans, range(largest, MIN_SIZE, -1))
    face = next((face for face in faces if width(text, face) <= s - 20), sans(MIN_SIZE))
    return stack(bare, line(text, face, color, "middle"), 0, s / 2 - _band_height(s) / 2 - 3)


@cached
def hand_tile(number: int, side: int, suns: int, name: str) -> Sprite:
    """A Muse in the viewer's hand, without a die and therefore with a centered emblem."""
    s = side
    emblem = icon(TILES[number], THEME.emblem, THEME.tile, 0.45 * s, 0, -0.19 * s)
    drawing = _card(s, THEME.tile) + _inner_edge(s) + emblem + _band(s) + _suns(s, suns)
    return _with_name(centered_sprite(drawing, s // 2 + 1), name, s, THEME.emblem)


# --- Dice ------------------------------------------------------------------------------------------------------------


def die_place(side: int) -> tuple[float, float]:
    """Position of the die relative to the tile's center."""
    if side < MIN_NAME_SIDE:
        return 30 - side / 2, 31 - side / 2
    return (0.245 - 0.5) * side, (0.27 - 0.5) * side


def die_radius(side: int) -> float:
    """Optical radius of the die on a tile."""
    return 23 if side < MIN_NAME_SIDE else round(0.195 * side, 1)


@cached
def die(color: int, value: int, r: float) -> Sprite:
    """A company's or the Neutral die, with its value."""
    size = MIN_SIZE if r <= 23 else max(MIN_SIZE, round(1.2 * r))
    ink = INK if color == NEUTRAL else SEATS[color].text
    return stack(_blank_die(color, r), line(str(value), sans(size, "Black"), ink, "middle"))


@cached
def _blank_die(color: int, r: float) -> Sprite:
    return centered_sprite(_octagon(r) if color == NEUTRAL else body(SEATS[color], r), round(1.24 * r) + 4)


def _octagon(r: float) -> str:
    """The shape of the Neutral die, with the layers of a token (`renders.tokens.body`)."""
    ink = f'fill="{INK}" stroke="{INK}" stroke-width="4" stroke-linejoin="round"'
    # Rotated by half an angle, so that it stands on an edge.
    corners = [(cos(pi / 8 + n * pi / 4), sin(pi / 8 + n * pi / 4)) for n in range(8)]
    drawing = ""
    for radius, style in ((r, ink), (r - 1.5, f'fill="{IVORY}"'), (r - 5, f'fill="{NEUTRAL_FILL}"')):
        points = " ".join(f"{1.04 * radius * x:.2f},{1.04 * radius * y:.2f}" for x, y in corners)
        drawing += f'<polygon points="{points}" {style}/>'
    return drawing


# --- Lattice, arrows and emblems -------------------------------------------------------------------------------------


@cached
def lattice(size: int) -> Sprite:
    """The ring of an empty cell, centered on its origin."""
    style = f'fill="none" stroke="#FFFFFF" stroke-width="{max(2.5, 0.022 * size):.1f}" stroke-linejoin="round"'
    return _lattice_sprite(
        f'<polygon points="{star(0, 0, 0.335 * size, inner=0.79)}" {style}/>', round(0.35 * size) + 1
    )


@cached
def lattice_knot(size: int) -> Sprite:
    """The small star where four cells meet."""
    return _lattice_sprite(
        f'<polygon points="{star(0, 0, 0.17 * size, 4, 0.42, 0)}" fill="#FFFFFF"/>', round(0.17 * size) + 1
    )


def _lattice_sprite(drawing: str, half: int) -> Sprite:
    """A drawing in the lattice color, pasted as a mask, which is faster than pasting RGBA."""
    mask = rasterize(drawing, -half, -half, half, half).getchannel("A")
    return tint(mask, THEME.lattice, -half, -half)


@cached
def arrow(direction: int, size: int) -> Sprite:
    """The arrow in a cell that a tile left; directions are n, e, s, w, then the diagonals."""
    return _rotate(
        f"M{-0.16 * size} {-0.075 * size}H{0.04 * size}V{-0.19 * size}L{0.25 * size} 0"
        f"L{0.04 * size} {0.19 * size}V{0.075 * size}H{-0.16 * size}Z",
        direction,
        round(0.3 * size),
    )


@cached
def arrowhead(direction: int, size: int) -> Sprite:
    """The continuation of an arrow between two tiles of a chain."""
    r = max(11, round(0.1 * size))
    return _rotate(f"M{-0.7 * r} {-r}L{r} 0L{-0.7 * r} {r}Z", direction, r + 4)


def _rotate(path: str, direction: int, reach: int) -> Sprite:
    # The drawing points east; directions are in the order of `WAYS`.
    turn = (-90, 0, 90, 180, -45, 45, 135, -135)[direction]
    style = f'fill="{IVORY}" stroke="{INK}" stroke-width="3" stroke-linejoin="round"'
    return sprite(f'<path d="{path}" {style} transform="rotate({turn})"/>', -reach, -reach, reach, reach)


@cached
def small_emblem(number: int) -> Sprite:
    """A Muse's emblem beside the line about her power."""
    return sprite(icon(TILES[number], THEME.emblem, THEME.cloth, 32), -17, -17, 17, 17)

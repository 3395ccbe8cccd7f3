"""Sprites on the town: figure, thieves, dice, plates and chips, with their colors and faces."""

from __future__ import annotations

from collections.abc import Sequence

from engine.town.data import Gang, Thief
from engine.town.thieves import NUMBERS, bears, square
from renders.canvas import Canvas
from renders.house import brackets
from renders.lettering import MIN_SIZE, line, sans
from renders.sprites import Sprite, cached, icon, sprite, stack
from renders.theme import GOLD, INK, IVORY, SEATS, Color
from renders.town.layout import CARD_H, DIE, FIGURE_R, JEWELS, SPACE_H, SPACE_W, SYMBOL
from renders.town.theme import THEME

NUMBER_FACE, EMPTY_FACE = sans(MIN_SIZE), sans(30)
MONEY, MONEY_LARGE = sans(40, "Black"), sans(46, "Black")
STAKE, STAKE_SMALL = sans(36, "Black"), sans(34, "Black")
CHIP = sans(MIN_SIZE, "Black")
TABLE_FACE = sans(MIN_SIZE, "Semibold")
COUNT = sans(32, "Black")

GANG_FILL = {
    Gang.YELLOW: SEATS[2].fill,
    Gang.GREEN: SEATS[3].fill,
    Gang.BLUE: SEATS[1].fill,
    Gang.RED: SEATS[0].fill,
}
TEXT_ON = {Gang.YELLOW: INK, Gang.GREEN: INK, Gang.BLUE: IVORY, Gang.RED: IVORY}
"""Color of text and icons on a gang's color."""

BROWN, WRITING, WRITTEN = "#8A5A35", "#E4D6C8", "#6A5560"
DULL_COIN, LOST_COLOR, SAFE_COLOR = "#6B5566", "#FF9E80", "#B9ABBD"
COIN, COIN_EDGE, PURSE = "#F4C95D", "#A8522F", "#FFE0A0"


# --- Pieces ----------------------------------------------------------------------------------------------------------


@cached
def camel(r: int = FIGURE_R) -> Sprite:
    """The camel figure with radius `r`."""
    disc = f'<circle r="{r - 2}" fill="{IVORY}" stroke="{INK}" stroke-width="4"/>'
    ring = f'<circle r="{r - 7}" fill="none" stroke="{GOLD}" stroke-width="3"/>'
    # The small figure is too small for a ring.
    drawing = disc + (ring if r == FIGURE_R else "") + icon("camel", THEME.text_on_light, IVORY, 1.24 * r, 0, 0)
    return sprite(drawing, -r - 2, -r - 2, r + 2, r + 2)


@cached
def hourglass(size: int) -> Sprite:
    """The icon before a number of turns."""
    half = size // 2
    return sprite(icon("hourglass", THEME.muted, THEME.cave, size), -half, -half, half, half)


@cached
def coins(*, lost: bool, size: float = 1) -> Sprite:
    """The pile of coins below a stake, dull if `lost`."""
    fill, edge = (DULL_COIN, INK) if lost else (COIN, COIN_EDGE)
    # Lower row first, since the upper one overlaps it.
    heap = "".join(
        f'<ellipse cx="{x}" cy="{y}" rx="13" ry="5" fill="{fill}" stroke="{edge}" stroke-width="2"/>'
        for x, y in ((-36, 4), (-18, 5), (0, 4), (18, 5), (36, 4), (-27, -1), (-9, 0), (9, 0), (27, -1))
    )
    half, up, down = round(52 * size), round(9 * size), round(12 * size)
    return sprite(f'<g transform="scale({size})">{heap}</g>', -half, -up, half, down)


LINE_H = 20
"""Height of a row of a card's table."""
TABLE_TOP = CARD_H - 6 * LINE_H - 8


def square_w(w: int) -> float:
    """Width of a square of the table on a card of width `w`."""
    return min((w - 10) / 6, LINE_H)


def table_left(w: int) -> float:
    """Left edge of the table on a card of width `w`."""
    return (w - 6 * square_w(w)) / 2


@cached
def thief(kind: Thief, w: int, threatened: bool = True, scale: float = 1) -> Sprite:
    """A thief's card with symbol and numbered table, its origin at the top left corner; pale unless `threatened`.

    It is `w` wide, times `scale`.
    """
    fill, on = (GANG_FILL[kind.gang], TEXT_ON[kind.gang]) if threatened else (SAFE_COLOR, INK)
    side, table_x = square_w(w), table_left(w)
    edge = f'<rect x="2" y="2" width="{w - 4}" height="{CARD_H - 4}" rx="12" fill="{fill}" stroke="{INK}"'
    board = f'<rect x="{table_x - 2:.1f}" y="{TABLE_TOP - 2}" width="{6 * side + 4:.1f}" height="{6 * LINE_H + 4}"'
    symbol = icon(SYMBOL[kind], on, fill, 34, w - 27, 22)
    squares = "".join(_square(kind, n, table_x, side) for n in NUMBERS)
    drawing = f'{edge} stroke-width="3"/>{symbol}{board} rx="4" fill="{INK}"/>{squares}'
    card = sprite(f'<g transform="scale({scale})">{drawing}</g>', 0, 0, round(w * scale), round(CARD_H * scale))
    places = [((table_x + (k + 0.5) * side) * scale, (TABLE_TOP - 14) * scale) for k in range(6)]
    return _with_numbers(card, places, on, scale)


# A marked square is a gold dot on the dark board; an unmarked square is light.
def _square(kind: Thief, n: int, left: float, w: float) -> str:
    row, column = square(n)
    x, y = left + column * w, TABLE_TOP + row * LINE_H
    if not bears(kind, n):
        return f'<rect x="{x + 1:.1f}" y="{y + 1}" width="{w - 2:.1f}" height="{LINE_H - 2}" fill="{IVORY}"/>'
    side = 0.5 * min(w, LINE_H)
    inner = f'width="{side:.1f}" height="{side:.1f}"'
    return f'<rect x="{x + (w - side) / 2:.1f}" y="{y + (LINE_H - side) / 2:.1f}" {inner} rx="1.5" fill="{GOLD}"/>'


@cached
def line_numbers(scale: float = 1) -> Sprite:
    """Row numbers 1 to 6 for a row of cards, to be placed at the top left corner of the first card."""
    top, height = TABLE_TOP - 3, 6 * LINE_H + 6
    box = f'x="-33.5" y="{top + 1.5}" width="27" height="{height - 3}" rx="7"'
    drawing = f'<rect {box} fill="{THEME.sand}" stroke="{THEME.wall[1]}" stroke-width="3"/>'
    edges = (round(edge * scale) for edge in (-36, top, -4, top + height))
    strip = sprite(f'<g transform="scale({scale})">{drawing}</g>', *edges)
    places = [(-20 * scale, (TABLE_TOP + (k + 0.5) * LINE_H) * scale) for k in range(6)]
    return _with_numbers(strip, places, THEME.text_on_light, scale)


def _with_numbers(card: Sprite, places: Sequence[tuple[float, float]], color: Color, scale: float) -> Sprite:
    """Write 1, 2, 3, … on a sprite at the given points."""
    face = TABLE_FACE if scale == 1 else sans(round(MIN_SIZE * scale), "Semibold")
    for k, (x, y) in enumerate(places, 1):
        card = stack(card, line(str(k), face, color, "middle"), x, y)
    return card


def draw_roll(
    canvas: Canvas, kind: Thief, w: int, corner: tuple[float, float], black: int, number: int, scale: float = 1
) -> None:
    """Ring the rolled square on a card or, before the white die is rolled, its whole line. `corner` is its top left."""
    if not black:
        return
    side = square_w(w)
    # Until the white die is rolled, the whole line is possible (rule 3.3 of the gangs).
    column, wide = (square(number)[1], 1) if number else (0, 6)
    hit = not number or bears(kind, number)
    dx, dy = table_left(w) + (column + wide / 2) * side, TABLE_TOP + (black - 0.5) * LINE_H
    ring = _ring(round(wide * side * scale) + 4, round(LINE_H * scale) + 4, hit)
    canvas.put(ring, corner[0] + dx * scale, corner[1] + dy * scale)


@cached
def _ring(w: int, h: int, hit: bool) -> Sprite:
    box = f'<rect x="{-w / 2}" y="{-h / 2}" width="{w}" height="{h}" rx="5" fill="none"'
    color = IVORY if hit else THEME.dull
    drawing = f'{box} stroke="{INK}" stroke-width="8"/>{box} stroke="{color}" stroke-width="4"/>'
    return sprite(drawing, -w // 2 - 5, -h // 2 - 5, w // 2 + 6, h // 2 + 6)


@cached
def hit_arrow() -> Sprite:
    """The gold arrow below a thief that bears the rolled number."""
    disc = f'<circle r="13.5" fill="{GOLD}" stroke="{INK}" stroke-width="3"/>'
    return sprite(f'{disc}<path d="M-7 -4H7L0 7Z" fill="{INK}"/>', -16, -16, 16, 16)


@cached
def die(pips: int, *, black: bool) -> Sprite:
    """A die: the black one picks the line, the white one the place in it (rule 2.4)."""
    fill, on = (INK, IVORY) if black else (IVORY, INK)
    half = DIE / 2
    box = f'x="{-half + 2}" y="{-half + 2}" width="{DIE - 4}" height="{DIE - 4}" rx="11"'
    dots = "".join(f'<circle cx="{x * 14}" cy="{y * 14}" r="5.5" fill="{on}"/>' for x, y in PIPS[pips])
    edge = IVORY if black else INK
    drawing = f'<rect {box} fill="{fill}" stroke="{edge}" stroke-width="3"/>{dots}'
    return sprite(drawing, -round(half), -round(half), round(half), round(half))


PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def landing_mark() -> Sprite:
    """Corner marks on a space where the figure may land, clear of its number."""
    return brackets(SPACE_W - 3, SPACE_H - 3)


# --- Plates and chips ------------------------------------------------------------------------------------------------


@cached
def plate(w: int, h: int, fill: Color = IVORY, edge: Color = THEME.text_on_light, corner: int = 12) -> Sprite:
    """A rounded plate, centered on its origin."""
    box = f'x="{-w / 2 + 1.5}" y="{-h / 2 + 1.5}" width="{w - 3}" height="{h - 3}" rx="{corner}"'
    return sprite(
        f'<rect {box} fill="{fill}" stroke="{edge}" stroke-width="3"/>', -w // 2, -h // 2, w - w // 2, h - h // 2
    )


@cached
def thief_chip(gang: Gang, w: int, *, jewel: bool) -> Sprite:
    """The plate of a thief chip in a gang's color, with its origin at the middle of the left edge."""
    box = f'x="1.5" y="-20.5" width="{w - 3}" height="41" rx="9"'
    drawing = f'<rect {box} fill="{GANG_FILL[gang]}" stroke="{IVORY}" stroke-width="3"/>'
    if jewel:
        drawing += icon(JEWELS[gang], TEXT_ON[gang], GANG_FILL[gang], 26, 22, 0)
    return sprite(drawing, 0, -22, w, 22)


@cached
def hand_card() -> Sprite:
    """The small pack of cards that shows the size of a hand."""
    back = f'<rect x="-21" y="-22" width="32" height="38" rx="5" fill="{THEME.muted}" stroke="{INK}" stroke-width="2"/>'
    front = f'<rect x="-16" y="-18" width="36" height="40" rx="5" fill="{IVORY}" stroke="{INK}" stroke-width="2"/>'
    return sprite(back + front, -23, -24, 22, 24)


@cached
def movement_card(*, own: bool) -> Sprite:
    """A movement card, from the row of played cards or from the viewer's own hand."""
    box = 'x="-25.5" y="-29.5" width="51" height="59" rx="9"'
    edge = GOLD if own else THEME.text_on_light
    fill = IVORY if own else THEME.paving
    return sprite(f'<rect {box} fill="{fill}" stroke="{edge}" stroke-width="{4 if own else 3}"/>', -28, -32, 28, 32)


def sand_plate(w: int, h: int) -> Sprite:
    """A plain plate for text over roofs."""
    return plate(w, h, THEME.sand, THEME.wall[1], 14)

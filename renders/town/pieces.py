"""Everything that lies on the town: the figure, thieves, dice, plates and chips, and their colors and faces."""

from __future__ import annotations

from functools import cache, lru_cache

from engine.town.data import Gang, Thief
from engine.town.thieves import NUMBERS, bears, square
from renders.canvas import Canvas
from renders.lettering import SMALLEST, Face, sans, width
from renders.sprites import Sprite, icon, sprite
from renders.theme import GOLD, INK, IVORY, SEATS, Color
from renders.town.layout import CARD_H, DIE, FIGURE_R, JEWELS, SYMBOL
from renders.town.theme import THEME

NUMBER_FACE, EMPTY_FACE = sans(SMALLEST), sans(30)
MONEY = sans(42, "Black")
STAKE, STAKE_SMALL = sans(36, "Black"), sans(34, "Black")
CHIP = sans(SMALLEST, "Black")
COUNT = sans(32, "Black")

FILL = {
    Gang.YELLOW: SEATS[2].fill,
    Gang.GREEN: SEATS[3].fill,
    Gang.BLUE: SEATS[1].fill,
    Gang.RED: SEATS[0].fill,
}
ON = {Gang.YELLOW: INK, Gang.GREEN: INK, Gang.BLUE: IVORY, Gang.RED: IVORY}
"""Color of text and icons on a gang's color."""

BROWN, WRITING, WRITTEN = "#8A5A35", "#E4D6C8", "#6A5560"
MARK_OFF, LOST, SAFE = "#6B5566", "#FF9E80", "#B9ABBD"
COIN, COIN_EDGE, PURSE = "#F4C95D", "#A8522F", "#FFE0A0"


# --- Pieces ----------------------------------------------------------------------------------------------------------


@cache
def camel() -> Sprite:
    """The one figure."""
    disc = f'<circle r="{FIGURE_R - 2}" fill="{IVORY}" stroke="{INK}" stroke-width="4"/>'
    ring = f'<circle r="{FIGURE_R - 7}" fill="none" stroke="{GOLD}" stroke-width="3"/>'
    return sprite(disc + ring + icon("camel", THEME.text_on_light, IVORY, 42, 0, 0), -36, -36, 36, 36)


@cache
def coins(*, lost: bool) -> Sprite:
    """A heap of coins below a stake, without shine once it is lost."""
    fill, edge = (MARK_OFF, INK) if lost else (COIN, COIN_EDGE)
    heap = "".join(
        f'<ellipse cx="{x}" cy="{y}" rx="13" ry="5" fill="{fill}" stroke="{edge}" stroke-width="2"/>'
        for x, y in ((-36, 4), (-18, 5), (0, 4), (18, 5), (36, 4), (-27, -1), (-9, 0), (9, 0), (27, -1))
    )
    return sprite(heap, -52, -9, 52, 12)


def square_side(w: int) -> float:
    """Side of a square of the table on a card of this width."""
    return min((w - 14) / 6, 17)


def table_corner(w: int) -> tuple[float, float]:
    """Top left corner of the table on a card."""
    return (w - 6 * square_side(w)) / 2, CARD_H - 6 * square_side(w) - 9


@lru_cache(maxsize=96)
def thief(kind: Thief, w: int, threatened: bool = True) -> Sprite:
    """A thief's card with symbol and table, its top left corner on the point; dull if it is out of danger."""
    fill, on = (FILL[kind.gang], ON[kind.gang]) if threatened else (SAFE, INK)
    side, (left, top) = square_side(w), table_corner(w)
    edge = f'<rect x="2" y="2" width="{w - 4}" height="{CARD_H - 4}" rx="12" fill="{fill}" stroke="{INK}"'
    board = f'<rect x="{left - 2:.1f}" y="{top - 2:.1f}" width="{6 * side + 4:.1f}" height="{6 * side + 4:.1f}"'
    size = 46 if w > 115 else 38
    symbol = icon(SYMBOL[kind], on, fill, size, w - size / 2 - 9, 30)
    squares = "".join(_square(kind, n, left, top, side) for n in NUMBERS)
    drawing = f'{edge} stroke-width="3"/>{symbol}{board} rx="4" fill="{INK}"/>{squares}'
    return sprite(drawing, 0, 0, w, CARD_H)


def _square(kind: Thief, n: int, left: float, top: float, side: float) -> str:
    row, column = square(n)
    x, y = left + column * side, top + row * side
    if not bears(kind, n):
        whole = f'x="{x + 1:.1f}" y="{y + 1:.1f}" width="{side - 2:.1f}" height="{side - 2:.1f}"'
        return f'<rect {whole} fill="{IVORY}"/>'
    gap = side * 0.26
    inner = f'width="{side - 2 * gap:.1f}" height="{side - 2 * gap:.1f}"'
    return f'<rect x="{x + gap:.1f}" y="{y + gap:.1f}" {inner} rx="1.5" fill="{GOLD}"/>'


def draw_roll(canvas: Canvas, kind: Thief, w: int, corner: tuple[float, float], black: int, number: int) -> None:
    """The ring on a card at a corner: around the rolled square, or around the line while only black has fallen."""
    if not black:
        return
    side, (left, top) = square_side(w), table_corner(w)
    column, wide = (square(number)[1], 1) if number else (0, 6)
    hit = not number or bears(kind, number)
    x, y = corner[0] + left + (column + wide / 2) * side, corner[1] + top + (black - 0.5) * side
    canvas.put(_ring(round(wide * side) + 4, round(side) + 4, hit), x, y)


@lru_cache(maxsize=16)
def _ring(w: int, h: int, hit: bool) -> Sprite:
    box = f'<rect x="{-w / 2}" y="{-h / 2}" width="{w}" height="{h}" rx="5" fill="none"'
    color = IVORY if hit else THEME.dull
    drawing = f'{box} stroke="{INK}" stroke-width="8"/>{box} stroke="{color}" stroke-width="4"/>'
    return sprite(drawing, -w // 2 - 5, -h // 2 - 5, w // 2 + 6, h // 2 + 6)


@cache
def struck() -> Sprite:
    """The gold arrow below a thief that bears the number."""
    disc = f'<circle r="13.5" fill="{GOLD}" stroke="{INK}" stroke-width="3"/>'
    return sprite(f'{disc}<path d="M-7 -4H7L0 7Z" fill="{INK}"/>', -16, -16, 16, 16)


@lru_cache(maxsize=12)
def die(pips: int, *, black: bool) -> Sprite:
    """A die, black for the line and white for the place in it."""
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


# --- Plates and chips ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def plate(w: int, h: int, fill: Color = IVORY, edge: Color = THEME.text_on_light, corner: int = 12) -> Sprite:
    """A rounded plate around its middle."""
    box = f'x="{-w / 2 + 1.5}" y="{-h / 2 + 1.5}" width="{w - 3}" height="{h - 3}" rx="{corner}"'
    return sprite(
        f'<rect {box} fill="{fill}" stroke="{edge}" stroke-width="3"/>', -w // 2, -h // 2, w - w // 2, h - h // 2
    )


@lru_cache(maxsize=64)
def thief_chip(gang: Gang, w: int, *, jewel: bool) -> Sprite:
    """The thieves of a gang in a panel, left edge and middle on the point."""
    box = f'x="1.5" y="-20.5" width="{w - 3}" height="41" rx="9"'
    drawing = f'<rect {box} fill="{FILL[gang]}" stroke="{IVORY}" stroke-width="3"/>'
    if jewel:
        drawing += icon(JEWELS[gang], ON[gang], FILL[gang], 26, 22, 0)
    return sprite(drawing, 0, -22, w, 22)


@cache
def hand_card() -> Sprite:
    """The small pack that tells how many movement cards a seat holds."""
    back = f'<rect x="-21" y="-22" width="32" height="38" rx="5" fill="{THEME.muted}" stroke="{INK}" stroke-width="2"/>'
    front = f'<rect x="-16" y="-18" width="36" height="40" rx="5" fill="{IVORY}" stroke="{INK}" stroke-width="2"/>'
    return sprite(back + front, -23, -24, 22, 24)


@cache
def movement_card(*, own: bool) -> Sprite:
    """A card of the row of played cards or of the own hand."""
    box = 'x="-25.5" y="-29.5" width="51" height="59" rx="9"'
    edge = GOLD if own else THEME.text_on_light
    fill = IVORY if own else THEME.paving
    return sprite(f'<rect {box} fill="{fill}" stroke="{edge}" stroke-width="{4 if own else 3}"/>', -28, -32, 28, 32)


def sand_plate(w: int, h: int) -> Sprite:
    """A quiet ground for words on the roofs."""
    return plate(w, h, THEME.sand, THEME.wall[1], 14)


def shorter(texts: tuple[str, ...], face: Face, room: float) -> str:
    """The first of several wordings that fits."""
    return next((text for text in texts if width(text, face) <= room), texts[-1])


def money(amount: int) -> str:
    """`28 000`."""
    return f"{amount:,}".replace(",", " ")

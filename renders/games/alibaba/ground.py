"""The town behind the game: scenery, the track with its jewels, and the palette that all of it shares."""

from __future__ import annotations

from functools import cache

from engine.games.alibaba import Gang, Space, Thief
from engine.games.alibaba.thieves import BEARS, NUMBER, gang_of
from engine.games.alibaba.track import all_spaces
from renders.canvas import Canvas, Ground
from renders.games.alibaba.layout import (
    CARD_H,
    DECK_H,
    DECK_W,
    DIE,
    FIGURE_R,
    GANG_H,
    GANG_W,
    JEWELS,
    PANEL_W,
    SPACE_H,
    SPACE_W,
    SYMBOLS,
    WALLS,
    center,
    figure,
)
from renders.house import brackets, draw_badge, draw_panel, frame, plate_mark
from renders.lettering import FACT, LABEL, NAME, SCORE, Face, sans, width
from renders.palette import BLANK, palette_for
from renders.sprites import Sprite, fragment, icon, rasterise, sprite
from renders.theme import GOLD, HEIGHT, INK, IVORY, SEATS, WIDTH, AliBaba, Color
from renders.tokens import token

LAND = AliBaba()
NUMBER_FACE, EMPTY_FACE = sans(28), sans(30)
MONEY = sans(42, "Black")
STAKE, STAKE_SMALL = sans(36, "Black"), sans(34, "Black")
CHIP = sans(28, "Black")
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
MARK_OFF, LOST, DULL = "#6B5566", "#FF9E80", "#8C7B90"
COIN, COIN_EDGE, PURSE = "#F4C95D", "#A8522F", "#FFE0A0"


@cache
def ground() -> Ground:
    """The empty town."""
    spaces = "".join(_space(space) for space in all_spaces())
    drawing = fragment("alibaba") + spaces + "".join(_wall(*bar) for bar in WALLS) + frame(LAND.page)
    bare = Canvas(Ground(rasterise(drawing, 0, 0, WIDTH, HEIGHT).convert("RGB"), BLANK))
    for space in all_spaces():
        _write_name(bare, space)
    image = bare.flat()
    return Ground(image, palette_for(_specimen(Ground(image, BLANK)).flat(), LAND.colors()))


# --- The track -------------------------------------------------------------------------------------------------------


def _space(space: Space) -> str:
    x, y = center(space)
    edge = f'x="{x - SPACE_W / 2:.1f}" y="{y - SPACE_H / 2:.1f}" width="{SPACE_W}" height="{SPACE_H}" rx="10"'
    return f'<rect {edge} fill="{LAND.wall[1]}"/>' + _face(space, x, y)


def _face(space: Space, x: float, y: float) -> str:
    if len(space.jewels) == 2:
        one, other = space.jewels
        left, right = _half(x, y, FILL[one], -1), _half(x, y, FILL[other], 1)
        return left + right + _jewel(one, 32, x - 18.5, y + 14) + _jewel(other, 32, x + 19, y + 5)
    if space.jewels:
        (gang,) = space.jewels
        return _plate(x, y, FILL[gang]) + _jewel(gang, 43, x + 13, y + 12)
    if space.graffiti:
        return _plate(x, y, WRITING) + icon(space.graffiti, WRITTEN, WRITING, 42, x + 12, y + 12)
    if not space.step:
        return _plate(x, y, GOLD) + icon("toll", LAND.text_on_light, GOLD, 40, x, y + 14)
    return _plate(x, y, LAND.paving)


def _jewel(gang: Gang, size: float, x: float, y: float) -> str:
    return icon(JEWELS[gang], ON[gang], FILL[gang], size, x, y)


def _plate(x: float, y: float, fill: Color) -> str:
    box = f'x="{x - 37.5:.1f}" y="{y - 35.5:.1f}" width="75" height="71" rx="8"'
    return f'<rect {box} fill="{fill}"/>'


def _half(x: float, y: float, fill: Color, side: int) -> str:
    outer, inner, edge = x + side * 29.5, x + side * 37.5, x + side * 0.5
    bow = int(side > 0)
    path = (
        f"M{edge:.1f} {y - 35.5:.1f}H{outer:.1f}A8 8 0 0 {bow} {inner:.1f} {y - 27.5:.1f}"
        f"V{y + 27.5:.1f}A8 8 0 0 {bow} {outer:.1f} {y + 35.5:.1f}H{edge:.1f}Z"
    )
    return f'<path d="{path}" fill="{fill}"/>'


def _wall(x: int, y: int, w: int, h: int) -> str:
    box = f'x="{x - w / 2}" y="{y - h / 2}" width="{w}" height="{h}" rx="4"'
    ends = ((x, y - h / 2), (x, y + h / 2)) if h > w else ((x - w / 2, y), (x + w / 2, y))
    towers = "".join(
        f'<rect x="{a - 9}" y="{b - 9}" width="18" height="18" rx="5" fill="{LAND.wall[0]}" '
        f'stroke="{LAND.wall[1]}" stroke-width="3"/>'
        for a, b in ends
    )
    return f'<rect {box} fill="{LAND.wall[0]}" stroke="{LAND.wall[1]}" stroke-width="3"/>{towers}'


def _write_name(canvas: Canvas, space: Space) -> None:
    x, y = center(space)
    if not space.step:
        canvas.text(x, y - 21, "Start", NUMBER_FACE, LAND.text_on_light, "middle")
    elif space.empty:
        canvas.text(x, y, space.name, EMPTY_FACE, BROWN, "middle")
    else:
        color = ON[space.jewels[0]] if space.jewels else LAND.text_on_light
        canvas.text(x - 31, y - 19, space.name, NUMBER_FACE, color)


# --- Pieces ----------------------------------------------------------------------------------------------------------


@cache
def camel() -> Sprite:
    """The one figure."""
    disc = f'<circle r="{FIGURE_R - 2}" fill="{IVORY}" stroke="{INK}" stroke-width="4"/>'
    ring = f'<circle r="{FIGURE_R - 7}" fill="none" stroke="{GOLD}" stroke-width="3"/>'
    return sprite(disc + ring + icon("camel", LAND.text_on_light, IVORY, 42, 0, 0), -36, -36, 36, 36)


@cache
def cave() -> Sprite:
    """The mouth of the cave."""
    return sprite(fragment("alibaba-cave"), 120, 204, 960, 354)


@cache
def coins(*, lost: bool) -> Sprite:
    """A heap of coins below a stake, without shine once it is lost."""
    fill, edge = (MARK_OFF, INK) if lost else (COIN, COIN_EDGE)
    heap = "".join(
        f'<ellipse cx="{x}" cy="{y}" rx="13" ry="5" fill="{fill}" stroke="{edge}" stroke-width="2"/>'
        for x, y in ((-36, 4), (-18, 5), (0, 4), (18, 5), (36, 4), (-27, -1), (-9, 0), (9, 0), (27, -1))
    )
    return sprite(heap, -52, -9, 52, 12)


@cache
def strike_out(width: int) -> Sprite:
    """The line through a lost amount."""
    return sprite(
        f'<rect x="{-width / 2}" y="-2" width="{width}" height="4" fill="{LOST}"/>', -width // 2, -3, width, 3
    )


@cache
def thief(kind: Thief, w: int, line: int, number: int, threatened: bool = True) -> Sprite:
    """A thief's card, its top left corner on the point: symbol, and the table with the line or the number ringed."""
    gang = gang_of(kind)
    fill, on = (FILL[gang], ON[gang]) if threatened else (DULL, INK)
    square = min((w - 14) / 6, 17)
    left, top = (w - 6 * square) / 2, CARD_H - 6 * square - 9
    edge = f'<rect x="2" y="2" width="{w - 4}" height="{CARD_H - 4}" rx="12" fill="{fill}" stroke="{INK}"'
    board = f'<rect x="{left - 2:.1f}" y="{top - 2:.1f}" width="{6 * square + 4:.1f}" height="{6 * square + 4:.1f}"'
    size = 46 if w > 115 else 38
    symbol = icon(SYMBOLS[NUMBER[kind] % 4], on, fill, size, w - size / 2 - 9, 30)
    return sprite(
        f'{edge} stroke-width="3"/>{symbol}{board} rx="4" fill="{INK}"/>'
        + "".join(_square(kind, n, left, top, square) for n in range(1, 37))
        + _ring(kind, line, number, left, top, square),
        0,
        0,
        w,
        CARD_H,
    )


def _square(kind: Thief, n: int, left: float, top: float, side: float) -> str:
    row, column = divmod(n - 1, 6)
    x, y = left + column * side, top + row * side
    whole = f'x="{x + 1:.1f}" y="{y + 1:.1f}" width="{side - 2:.1f}" height="{side - 2:.1f}"'
    if not BEARS[NUMBER[kind]][n]:
        return f'<rect {whole} fill="{IVORY}"/>'
    gap = side * 0.26
    return (
        f'<rect x="{x + gap:.1f}" y="{y + gap:.1f}" width="{side - 2 * gap:.1f}" height="{side - 2 * gap:.1f}" '
        f'rx="1.5" fill="{GOLD}"/>'
    )


def _ring(kind: Thief, line: int, number: int, left: float, top: float, side: float) -> str:
    if not line:
        return ""
    column, wide = ((number - 1) % 6, 1) if number else (0, 6)
    x, y = left + column * side - 2, top + (line - 1) * side - 2
    hit = BEARS[NUMBER[kind]][number] if number else True
    box = f'x="{x:.1f}" y="{y:.1f}" width="{wide * side + 4:.1f}" height="{side + 4:.1f}" rx="5" fill="none"'
    color = IVORY if hit else DULL
    return f'<rect {box} stroke="{INK}" stroke-width="8"/><rect {box} stroke="{color}" stroke-width="4"/>'


@cache
def struck() -> Sprite:
    """The gold arrow below a thief that bears the number."""
    disc = f'<circle r="13.5" fill="{GOLD}" stroke="{INK}" stroke-width="3"/>'
    return sprite(f'{disc}<path d="M-7 -4H7L0 7Z" fill="{INK}"/>', -16, -16, 16, 16)


@cache
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


@cache
def plate(w: int, h: int, fill: Color = IVORY, edge: Color = LAND.text_on_light, corner: int = 12) -> Sprite:
    """A rounded plate around its middle."""
    box = f'x="{-w / 2 + 1.5}" y="{-h / 2 + 1.5}" width="{w - 3}" height="{h - 3}" rx="{corner}"'
    return sprite(
        f'<rect {box} fill="{fill}" stroke="{edge}" stroke-width="3"/>', -w // 2, -h // 2, w - w // 2, h - h // 2
    )


@cache
def deck_chip(gang: Gang) -> Sprite:
    """A deck with its jewel; the number is written on it, that of its discards on the small open card."""
    drawing = (
        f'<rect x="{-DECK_W / 2 + 1.5}" y="{-DECK_H / 2 + 1.5}" width="{DECK_W - 3}" height="{DECK_H - 3}" rx="12" '
        f'fill="{FILL[gang]}" stroke="{LAND.text_on_light}" stroke-width="3"/>'
        + icon(JEWELS[gang], ON[gang], FILL[gang], 32, -40, 0)
        + f'<rect x="17" y="-20" width="37" height="40" rx="6" fill="{IVORY}" stroke="{INK}" stroke-width="2.5"/>'
    )
    return sprite(drawing, -DECK_W // 2, -DECK_H // 2, DECK_W // 2, DECK_H // 2)


@cache
def gang_chip(gang: Gang) -> Sprite:
    """A gang's stack with its jewel, for price and cards left."""
    drawing = (
        f'<rect x="{-GANG_W / 2 + 2}" y="{-GANG_H / 2 + 2}" width="{GANG_W - 4}" height="{GANG_H - 4}" rx="14" '
        f'fill="{FILL[gang]}" stroke="{INK}" stroke-width="4"/>' + icon(JEWELS[gang], ON[gang], FILL[gang], 58, -46, 0)
    )
    return sprite(drawing, -GANG_W // 2, -GANG_H // 2, GANG_W // 2, GANG_H // 2)


@cache
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
    back = f'<rect x="-21" y="-22" width="32" height="38" rx="5" fill="{LAND.muted}" stroke="{INK}" stroke-width="2"/>'
    front = f'<rect x="-16" y="-18" width="36" height="40" rx="5" fill="{IVORY}" stroke="{INK}" stroke-width="2"/>'
    return sprite(back + front, -23, -24, 22, 24)


@cache
def movement_card(*, own: bool) -> Sprite:
    """A card of the row of played cards or of the own hand."""
    box = 'x="-25.5" y="-29.5" width="51" height="59" rx="9"'
    edge = GOLD if own else LAND.text_on_light
    fill = IVORY if own else LAND.paving
    return sprite(f'<rect {box} fill="{fill}" stroke="{edge}" stroke-width="{4 if own else 3}"/>', -28, -32, 28, 32)


@cache
def sand_plate(w: int, h: int) -> Sprite:
    """A quiet ground for words on the roofs."""
    return plate(w, h, LAND.sand, LAND.wall[1], 14)


# --- The palette -----------------------------------------------------------------------------------------------------


def _specimen(bare: Ground) -> Canvas:
    """Everything that may lie on the town, somewhere, so that the palette knows the soft edges."""
    canvas = Canvas(bare)
    canvas.put(cave())
    for k, kind in enumerate(tuple(Thief)[::3]):
        canvas.put(thief(kind, 104, 1 + k % 6, 6 * (k % 6) + k, k != 4), 210 + 112 * k, 366)
    for k, gang in enumerate(Gang):
        _specimen_chips(canvas, gang, 300 + 150 * k)
    for seat in range(6):
        left, top = 174 + seat % 2 * 370, 778 + seat // 2 * 142
        draw_panel(canvas, (left, top, left + PANEL_W, top + 134), LAND, golden=seat == 2)
        draw_badge(canvas, seat, left + 36, top + 34)
        canvas.put(token(seat, 23), 220 + 120 * seat, 278)
        canvas.text(left + 340, top + 34, "0123 456 789", MONEY, PURSE, "right")
        canvas.put(hand_card(), left + 40, top + 94)
        canvas.text(left + 70, top + 34, "Purple", NAME)
        canvas.text(220 + 100 * seat, 320, "28 000", STAKE, PURSE)
        canvas.put(coins(lost=seat > 3), 220 + 120 * seat, 342)
    _specimen_marks(canvas)
    return canvas


def _specimen_chips(canvas: Canvas, gang: Gang, x: float) -> None:
    canvas.put(deck_chip(gang), x, 694)
    canvas.text(x, 694, "12", COUNT, ON[gang])
    canvas.text(x + 36, 694, "12", NUMBER_FACE, INK, "middle")
    canvas.put(thief_chip(gang, 110, jewel=True), x - 120, 870)
    canvas.text(x - 80, 870, "1234", CHIP, ON[gang])
    canvas.put(gang_chip(gang), x, 560)
    canvas.text(x + 20, 540, "120", STAKE, ON[gang])


def _specimen_marks(canvas: Canvas) -> None:
    canvas.put(plate(380, 60), 676, 614)
    canvas.text(500, 614, "R2 strikes", LABEL, LAND.text_on_light)
    canvas.put(die(5, black=True), 297, 640)
    canvas.put(die(6, black=False), 363, 640)
    canvas.put(sand_plate(98, 54), 317, 740)
    canvas.text(300, 740, "Decks", LABEL, LAND.text_on_light)
    canvas.put(struck(), 500, 540)
    canvas.text(600, 66, "Walked 0123456789 of 104", FACT)
    canvas.text(600, 1280, "0123456789", SCORE, LOST)
    canvas.text(200, 1280, "lost 0123", LABEL, LOST)
    canvas.text(200, 1240, "0123", LABEL, DULL)
    for k, space in enumerate(all_spaces()):
        if k % 9 == 0:
            canvas.put(plate_mark(SPACE_W + 4, SPACE_H + 4, 12, dashed=bool(k % 2)), *center(space))
            canvas.put(camel(), *figure(space))
        elif k % 9 == 4:
            canvas.put(brackets(SPACE_W - 11, SPACE_H - 11), *center(space))
    for k in range(5):
        canvas.put(movement_card(own=k > 2), 250 + 58 * k, 1230)


def shorter(texts: tuple[str, ...], face: Face, room: float) -> str:
    """The first of several wordings that fits."""
    return next((text for text in texts if width(text, face) <= room), texts[-1])

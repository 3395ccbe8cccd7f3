"""Drawing the gangs: prices and stacks, the bandits in danger, and what became of them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.gangs.state import Danger, Fate, GangsTable
from engine.texts import number
from engine.town.data import Gang, Thief
from engine.town.thieves import line
from renders.canvas import Canvas
from renders.games.gangs.layout import CARD_W, DICE_YS, DIE_X, PLATE_Y, TOPS, gang_center
from renders.lettering import LABEL, wrap
from renders.theme import INK, SEATS
from renders.town.layout import CARD_GAP, CARD_H, DICE_Y, FOOT_Y, LEFT, MID, Point
from renders.town.pieces import COUNT, NUMBER_FACE, ON, STAKE_SMALL, die, draw_roll, plate, struck, thief
from renders.town.theme import THEME

IN_ROW = 4
LETTERS = tuple(style.letter for style in SEATS)
PLATE_W = 540


def draw_gangs(canvas: Canvas, state: GangsTable) -> None:
    """Prices and stacks; below them the danger of this turn."""
    for gang in Gang:
        x, y = gang_center(gang)
        price = state.price(gang)
        canvas.text(x - 8, y - 17, str(price) if price else "free", STAKE_SMALL, ON[gang])
        canvas.text(x - 8, y + 21, f"{state.stack(gang)} left", NUMBER_FACE, ON[gang])
    if state.danger:
        _draw_danger(canvas, state, state.danger)


def card_corner(danger: Danger, kind: Thief) -> Point:
    """Top left corner of a type in danger: one row in the middle, or two rows of four beside the dice."""
    n = len(danger.types)
    row, column = divmod(danger.types.index(kind), IN_ROW)
    if n > IN_ROW:
        return LEFT + column * (CARD_W + CARD_GAP), TOPS[row]
    return MID + (column - n / 2) * (CARD_W + CARD_GAP) + CARD_GAP / 2, TOPS[0]


def _draw_danger(canvas: Canvas, state: GangsTable, danger: Danger) -> None:
    arrested = {kind for fate in danger.fates for kind in fate.arrested}
    for kind in danger.types:
        x, y = card_corner(danger, kind)
        threatened = kind in state.endangered
        canvas.put(thief(kind, CARD_W, threatened), x, y)
        draw_roll(canvas, kind, CARD_W, (x, y), danger.black, danger.number)
        canvas.text(round(x) + 12, y + 30, kind, COUNT, ON[kind.gang] if threatened else INK)
        if kind in arrested:
            canvas.put(struck(), x + CARD_W / 2, y + CARD_H + 2)
    stacked = len(danger.types) > IN_ROW
    _draw_dice(canvas, danger, STACKED if stacked else SIDE_BY_SIDE)
    _draw_verdict(canvas, danger, PLATE_Y if stacked else FOOT_Y)


STACKED = tuple((DIE_X, y) for y in DICE_YS)
SIDE_BY_SIDE = ((MID - 34, DICE_Y - 10), (MID + 34, DICE_Y - 10))


def _draw_dice(canvas: Canvas, danger: Danger, places: tuple[Point, ...]) -> None:
    for pips, black, place in ((danger.black, True, places[0]), (danger.white, False, places[1])):
        if pips:
            canvas.put(die(pips, black=black), *place)


def _draw_verdict(canvas: Canvas, danger: Danger, y: float) -> None:
    lines = verdict_lines(danger)
    x = LEFT + PLATE_W / 2
    canvas.put(plate(PLATE_W, 66), x, y)
    for k, text in enumerate(lines):
        canvas.text(x, y + (k - (len(lines) - 1) / 2) * 30, text, LABEL, THEME.text_on_light, "middle")


def verdict(danger: Danger, names: Sequence[str] = LETTERS) -> str:
    """How far the alarm has come, and in the end what it brought: `Number 25: R +160 −480, B +80`."""
    if not danger.over:
        if danger.black:
            first, last = line(danger.black)
            return f"Line {danger.black}: {first} to {last}"
        return "No die has fallen yet"
    return _raid(danger, [_fate(fate, names[fate.seat]) for fate in danger.fates])


def verdict_lines(danger: Danger) -> list[str]:
    """The same in the two lines there is room for; loot and fine in one sum where they would take a third."""
    lines = wrap(verdict(danger), LABEL, PLATE_W - 24)
    sums = [f"{LETTERS[fate.seat]} {_signed(fate.loot - fate.fine)}" for fate in danger.fates]
    return lines if len(lines) <= 2 else wrap(_raid(danger, sums), LABEL, PLATE_W - 24)


def _raid(danger: Danger, fates: Sequence[str]) -> str:
    told = ", ".join(fates) or "All were returned"
    return f"Number {danger.number}: {told}" if danger.number else told


def _signed(amount: int) -> str:
    return f"{'+' * (amount > 0)}{number(amount)}"


def _fate(fate: Fate, name: str) -> str:
    loot = f" +{number(fate.loot)}" if fate.raided else ""
    fine = f" {number(-fate.fine) if fate.fine else 'arrested'}" if fate.arrested else ""
    return f"{name}{loot}{fine}"

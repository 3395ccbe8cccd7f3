"""Draw the gangs: prices and stacks, the bandits in danger, and the result of the alarm."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from engine.core import View
from engine.games.gangs.data import PRICES as PRICES_OF
from engine.games.gangs.events import BroughtBack
from engine.games.gangs.state import Danger, Fate, GangsTable
from engine.texts import Text, number
from engine.town.data import Gang, Thief
from engine.town.thieves import VALUE, line
from renders.canvas import Canvas
from renders.games.gangs.layout import (
    DICE_Y,
    DICE_YS,
    DIE_X,
    GANG_H,
    GANG_W,
    HINT_Y,
    LOW_PLATE_Y,
    MAX_IN_ROW,
    NARROW_CARD_W,
    PLATE_Y,
    PRICES,
    SMALL_H,
    SMALL_W,
    TOP,
    TOPS,
    card_width,
    stack_center,
    stall_center,
)
from renders.games.gangs.pieces import current_price, gang_chip, stall
from renders.house import draw_badge, plate_mark
from renders.lettering import LABEL, width
from renders.theme import INK, SEATS, Point
from renders.tokens import token
from renders.town.layout import CARD_GAP, CARD_H, LEFT, MID
from renders.town.pieces import (
    COUNT,
    NUMBER_FACE,
    STAKE,
    TEXT_ON,
    die,
    draw_roll,
    hit_arrow,
    line_numbers,
    plate,
    sand_plate,
    thief,
)
from renders.town.theme import THEME

PLATE_W, HINT_W, BADGE_R = 600, 560, 18
OWNER_R = 12
LETTERS = tuple(style.letter for style in SEATS)


def draw_stalls(canvas: Canvas) -> None:
    """Draw the gangs' stalls, for turns without danger."""
    for gang in Gang:
        x, y = stall_center(gang)
        canvas.put(stall(gang), x, y)
        canvas.text(x, y + 28, str(Text("worth")), NUMBER_FACE, TEXT_ON[gang], "middle")
        # All types of a gang have the same value (rule 2.4).
        canvas.text(x, y + 62, str(VALUE[Thief[f"{gang.letter}1"]]), STAKE, TEXT_ON[gang], "middle")
    canvas.put(sand_plate(HINT_W, 52), MID, HINT_Y)


def draw_stacks(canvas: Canvas) -> None:
    """Draw the stacks, for turns with up to four types in danger."""
    for gang in Gang:
        # For more types, see `draw_small_stacks`.
        canvas.put(gang_chip(gang, GANG_W, GANG_H, 42, -54), *stack_center(gang, MAX_IN_ROW))


def draw_small_stacks(canvas: Canvas) -> None:
    """Draw the small stacks, for turns with more than four types in danger."""
    for gang in Gang:
        canvas.put(gang_chip(gang, SMALL_W, SMALL_H, 28, -18), *stack_center(gang, MAX_IN_ROW + 1))


def draw_gangs(canvas: Canvas, view: View[GangsTable]) -> None:
    """Draw prices and stacks, and below them this turn's danger."""
    state = view.state
    if state.danger is None:
        _draw_prices(canvas, state)
        return
    for gang in Gang:
        x, y = stack_center(gang, len(state.danger.types))
        price = state.price(gang)
        # With two rows of types, only the number of cards fits.
        if len(state.danger.types) > MAX_IN_ROW:
            canvas.text(x + 16, y, str(state.stack(gang)), NUMBER_FACE, TEXT_ON[gang], "middle")
            continue
        canvas.text(x - 20, y - 13, _price(price), NUMBER_FACE, TEXT_ON[gang])
        canvas.text(x - 20, y + 14, _stack_text(state, gang), NUMBER_FACE, TEXT_ON[gang])
    returned = {cards.thief for event in view.events if isinstance(event, BroughtBack) for cards in event.bandits}
    _draw_danger(canvas, state, state.danger, returned)


def _draw_prices(canvas: Canvas, state: GangsTable) -> None:
    """Draw each gang's prices by quarter, the current one in gold, and its number of cards left."""
    # The quarter is that of the camel's space, where bandits are hired (rule 3.2).
    quarter = state.space.quarter
    for gang in Gang:
        x, y = stall_center(gang)
        canvas.text(x, y - 22, _stack_text(state, gang), COUNT, TEXT_ON[gang], "middle")
        for k, (price, (dx, dy)) in enumerate(zip(PRICES_OF[gang], PRICES, strict=True)):
            if k == quarter:
                canvas.put(current_price(), x + dx, y + dy)
            color = INK if k == quarter else THEME.text_on_light
            canvas.text(x + dx, y + dy, _price(price), NUMBER_FACE, color, "middle")
    canvas.text(MID, HINT_Y, str(HINTS[quarter]), LABEL, THEME.text_on_light, "middle", HINT_W - 8)


HINTS = (
    Text("Prices by quarter; this is the first"),
    Text("Prices by quarter; this is the second"),
    Text("Prices by quarter; this is the third"),
    Text("Prices by quarter; this is the last"),
)


def _price(price: int) -> str:
    return str(price) if price else str(Text("free"))


def _stack_text(state: GangsTable, gang: Gang) -> str:
    return str(Text("{n} left", n=state.stack(gang)))


def card_corner(danger: Danger, kind: Thief) -> Point:
    """Top left corner of a type in danger: one centered row, or two rows of four beside the dice."""
    n = len(danger.types)
    row, column = divmod(danger.types.index(kind), MAX_IN_ROW)
    pitch = card_width(n) + CARD_GAP
    if n > MAX_IN_ROW:
        return LEFT + column * pitch, TOPS[row]
    return MID + (column - n / 2) * pitch + CARD_GAP / 2, TOP


def _draw_danger(canvas: Canvas, state: GangsTable, danger: Danger, returned: Collection[Thief]) -> None:
    w = card_width(len(danger.types))
    places = {kind: card_corner(danger, kind) for kind in danger.types}
    # Line numbers go to the left of each row.
    for x, y in list(places.values())[::MAX_IN_ROW]:
        canvas.put(line_numbers(), round(x), y)
    for kind, (x, y) in places.items():
        # Cards out of danger stay in place, but pale.
        threatened = kind in state.endangered
        canvas.put(thief(kind, w, threatened), x, y)
        draw_roll(canvas, kind, w, (x, y), danger.black, danger.number)
        canvas.text(round(x) + 12, y + 24, kind, COUNT, TEXT_ON[kind.gang] if threatened else INK)
        if kind in returned:
            canvas.put(plate_mark(w - 2, CARD_H - 2, 12), x + w / 2, y + CARD_H / 2)
    arrested = {kind for fate in danger.fates for kind in fate.arrested}
    for kind, (x, y) in places.items():
        # Arrested bandits are back on their stack and have no owner.
        if kind in arrested:
            canvas.put(hit_arrow(), x + w / 2, y + CARD_H + 2)
        else:
            _draw_owners(canvas, state, kind, x + w / 2, y + CARD_H + 1)
    stacked = len(danger.types) > MAX_IN_ROW
    _draw_dice(canvas, danger, STACKED if stacked else SIDE_BY_SIDE)
    _draw_verdict(canvas, danger, LOW_PLATE_Y if stacked else PLATE_Y)


def _draw_owners(canvas: Canvas, state: GangsTable, kind: Thief, x: float, y: float) -> None:
    """Draw the tokens of a type's owners on the lower edge of its card."""
    owners = [seat for seat in range(state.seats) if kind in state.bandits[seat]]
    # Many owners move closer together, so that they stay on the card.
    pitch = min(30, (NARROW_CARD_W - 2 * OWNER_R) / max(1, len(owners) - 1))
    for k, seat in enumerate(owners):
        canvas.put(token(seat, OWNER_R), x + (k - (len(owners) - 1) / 2) * pitch, y)


STACKED = tuple((DIE_X, y) for y in DICE_YS)
SIDE_BY_SIDE = ((MID - 34, DICE_Y), (MID + 34, DICE_Y))


def _draw_dice(canvas: Canvas, danger: Danger, places: tuple[Point, ...]) -> None:
    for pips, black, place in ((danger.black, True, places[0]), (danger.white, False, places[1])):
        if pips:
            canvas.put(die(pips, black=black), *place)


Part = tuple[int | None, str]
"""A seat whose badge precedes some words, if any, and the words."""


def _draw_verdict(canvas: Canvas, danger: Danger, y: float) -> None:
    rows = verdict_rows(danger)
    canvas.put(plate(PLATE_W, 66 if len(rows) < 3 else 96), MID, y)
    for n, row in enumerate(rows):
        x = MID - (sum(map(_length, row)) - GAP) / 2
        for seat, words in row:
            if seat is not None:
                draw_badge(canvas, seat, x + BADGE_R, y + (n - (len(rows) - 1) / 2) * 30, BADGE_R)
            start = x + (2 * BADGE_R + 6 if seat is not None else 0)
            canvas.text(start, y + (n - (len(rows) - 1) / 2) * 30, words, LABEL, THEME.text_on_light)
            x += _length((seat, words))


def verdict(danger: Danger, names: Sequence[str] = LETTERS) -> str:
    """The state of the alarm, or its results: `Number 25: R +160 −480, B +80`."""
    if not danger.over:
        if danger.black:
            first, last = line(danger.black)
            return str(Text("Line {line}: {first} to {last}", line=danger.black, first=first, last=last))
        return str(Text("No die has been rolled yet"))
    fates = ", ".join(_fate(fate, names[fate.seat]) for fate in danger.fates)
    return f"{_last_roll(danger)} {fates}" if fates else str(Text("All were returned"))


def _last_roll(danger: Danger) -> str:
    """The rolled number, or only the line if no bandit was left to strike with the white die."""
    return str(Text("Number {n}:", n=danger.number) if danger.number else Text("Line {n}:", n=danger.black))


GAP = 14
"""Gap between two parts of the verdict, in px."""


def _length(part: Part) -> float:
    """Width of a part in a line, in px."""
    seat, words = part
    return width(words, LABEL) + GAP + (2 * BADGE_R + 6 if seat is not None else 0)


def verdict_rows(danger: Danger) -> list[list[Part]]:
    """The verdict as lines with badges. Loot and fine are combined if they would take a third line."""
    if not danger.fates:
        return [[(None, verdict(danger))]]
    head: Part = (None, _last_roll(danger))
    full = [head, *((fate.seat, _fate(fate, "").strip()) for fate in danger.fates)]
    rows = _in_rows(full)
    # Separate loot and fine say more, so they are preferred if two lines are enough.
    return (
        rows if len(rows) <= 2 else _in_rows([head, *((f.seat, _format_signed(f.loot - f.fine)) for f in danger.fates)])
    )


def _in_rows(parts: Sequence[Part]) -> list[list[Part]]:
    rows: list[list[Part]] = [[]]
    for part in parts:
        if rows[-1] and sum(map(_length, rows[-1])) + _length(part) - GAP > PLATE_W - 24:
            rows.append([])
        rows[-1].append(part)
    return rows


def _format_signed(amount: int) -> str:
    return f"{'+' * (amount > 0)}{number(amount)}"


def _fate(fate: Fate, name: str) -> str:
    loot = f" +{number(fate.loot)}" if fate.raided else ""
    # The fine is 0 if the purse is empty (rule 3.3), but the arrest still shows.
    fine = f" {number(-fate.fine) if fate.fine else Text('arrested')}" if fate.arrested else ""
    return f"{name}{loot}{fine}"

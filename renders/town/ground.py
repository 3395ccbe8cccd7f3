"""The town's ground: scenery, the track with its jewels, and the palette of all pictures."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from engine.languages import language
from engine.town.data import Gang, Thief
from engine.town.track import FORK, MAIN, START, Space, all_spaces
from renders.canvas import Canvas, Ground
from renders.grounds import ground_of
from renders.house import draw_badge, draw_panel, frame, plate_mark
from renders.lettering import FACT, LABEL, NAME, SCORE
from renders.sprites import fragment, icon
from renders.theme import GOLD, INK, Color
from renders.tokens import token
from renders.town.layout import (
    JEWELS,
    PANEL_W,
    SPACE_H,
    SPACE_W,
    WALLS,
    center,
    figure,
    figure_r,
)
from renders.town.pieces import (
    BROWN,
    CHIP,
    COUNT,
    EMPTY_FACE,
    GANG_FILL,
    LOST_COLOR,
    MONEY,
    NUMBER_FACE,
    PURSE,
    STAKE,
    TEXT_ON,
    WRITING,
    WRITTEN,
    camel,
    coins,
    die,
    draw_roll,
    hand_card,
    hit_arrow,
    landing_mark,
    movement_card,
    plate,
    sand_plate,
    thief,
    thief_chip,
)
from renders.town.scene import Scene
from renders.town.theme import THEME, WalledTown

FACE = SPACE_H - 5
"""Height of a space's face inside its edge, in px."""


def ground(scene: Scene[Any], furnish: Callable[[Canvas], None] | None) -> Ground:
    """The town in the reader's language, with the furniture drawn by `furnish`, if any."""
    return _furnished_ground(scene, furnish, language().code)


@lru_cache(maxsize=8)
def _furnished_ground(scene: Scene[Any], furnish: Callable[[Canvas], None] | None, _language: str) -> Ground:
    # Furniture that rarely changes is merged into the ground once, so that its strips are cached.
    canvas = Canvas(_bare_ground(scene))
    _write_start(canvas)
    if furnish:
        furnish(canvas)
    return canvas.flatten()


# One entry for each of the two games in the town.
@lru_cache(maxsize=2)
def _bare_ground(scene: Scene[Any]) -> Ground:
    """A game's town without furniture."""

    def draw_samples(canvas: Canvas) -> None:
        _write_start(canvas)
        scene.furnish(canvas)
        _draw_samples(canvas, scene.theme)

    drawing = _town(scene.theme, scene.lights)
    # Every theme needs the day colors (`flats`), since spaces and walls keep them at night.
    return ground_of(scene.title, scene.theme, drawing, draw_samples, letters=_write_names, flats=THEME.colors())


def _town(theme: WalledTown, lights: str) -> str:
    """SVG of the town in a theme's colors."""
    scenery = fragment("town") + (fragment(lights) if lights else "")
    # The drawing uses the day colors, which are replaced by the theme's.
    for usual, color in zip(THEME.colors(), theme.colors(), strict=True):
        # Replaced one by one: a new color must not equal a day color that is still to be replaced.
        scenery = scenery.replace(usual, color)
    spaces = "".join(_space(space) for space in all_spaces())
    return scenery + spaces + "".join(_wall(*bar) for bar in WALLS) + frame(theme.page)


def _write_names(canvas: Canvas) -> None:
    for space in all_spaces():
        x, y = center(space)
        if space.empty and space.step and FORK[space.step] is None:
            canvas.text(x, y, str(space), EMPTY_FACE, BROWN, "middle")
        # The start has a word instead of a number: see `_write_start`.
        elif space.step:
            color = TEXT_ON[space.jewels[0]] if space.jewels else BROWN if space.empty else THEME.text_on_light
            canvas.text(x - 31, y - 19, str(space), NUMBER_FACE, color)


def _write_start(canvas: Canvas) -> None:
    """Write the only word on the track. It is translated, so it is not part of the ground cached on disk."""
    x, y = center(MAIN[0])
    canvas.text(x, y - 21, str(START), NUMBER_FACE, THEME.text_on_light, "middle", SPACE_W - 4)


# --- The track -------------------------------------------------------------------------------------------------------


def _space(space: Space) -> str:
    x, y = center(space)
    edge = f'x="{x - SPACE_W / 2:.1f}" y="{y - SPACE_H / 2:.1f}" width="{SPACE_W}" height="{SPACE_H}" rx="10"'
    return f'<rect {edge} fill="{THEME.wall[1]}"/>' + _face(space, x, y)


def _face(space: Space, x: float, y: float) -> str:
    if len(space.jewels) == 2:
        one, other = space.jewels
        left_half, right_half = _half(x, y, GANG_FILL[one], -1), _half(x, y, GANG_FILL[other], 1)
        return left_half + right_half + _jewel(one, 32, x - 18.5, y + 14) + _jewel(other, 32, x + 19, y + 5)
    if space.jewels:
        (gang,) = space.jewels
        return _plate(x, y, GANG_FILL[gang]) + _jewel(gang, 43, x + 13, y + 12)
    if space.graffiti:
        return _plate(x, y, WRITING) + icon(space.graffiti, WRITTEN, WRITING, 42, x + 12, y + 12)
    if not space.step:
        return _plate(x, y, GOLD) + icon("toll", THEME.text_on_light, GOLD, 40, x, y + 14)
    return _plate(x, y, THEME.paving)


def _jewel(gang: Gang, size: float, x: float, y: float) -> str:
    return icon(JEWELS[gang], TEXT_ON[gang], GANG_FILL[gang], size, x, y)


def _plate(x: float, y: float, fill: Color) -> str:
    box = f'x="{x - 37.5:.1f}" y="{y - FACE / 2:.1f}" width="75" height="{FACE}" rx="8"'
    return f'<rect {box} fill="{fill}"/>'


def _half(x: float, y: float, fill: Color, side: int) -> str:
    outer, inner, edge = x + side * 29.5, x + side * 37.5, x + side * 0.5
    bow = int(side > 0)
    path = (
        f"M{edge:.1f} {y - FACE / 2:.1f}H{outer:.1f}A8 8 0 0 {bow} {inner:.1f} {y - FACE / 2 + 8:.1f}"
        f"V{y + FACE / 2 - 8:.1f}A8 8 0 0 {bow} {outer:.1f} {y + FACE / 2:.1f}H{edge:.1f}Z"
    )
    return f'<path d="{path}" fill="{fill}"/>'


def _wall(x: int, y: int, w: int, h: int) -> str:
    box = f'x="{x - w / 2}" y="{y - h / 2}" width="{w}" height="{h}" rx="4"'
    ends = ((x, y - h / 2), (x, y + h / 2)) if h > w else ((x - w / 2, y), (x + w / 2, y))
    towers = "".join(
        f'<rect x="{a - 9}" y="{b - 9}" width="18" height="18" rx="5" fill="{THEME.wall[0]}" '
        f'stroke="{THEME.wall[1]}" stroke-width="3"/>'
        for a, b in ends
    )
    return f'<rect {box} fill="{THEME.wall[0]}" stroke="{THEME.wall[1]}" stroke-width="3"/>{towers}'


# --- The palette -----------------------------------------------------------------------------------------------------


def _draw_samples(canvas: Canvas, theme: WalledTown) -> None:
    """Draw samples of all sprites that may appear on the town."""
    for k, kind in enumerate(tuple(Thief)[::3]):
        canvas.put(thief(kind, 104, k != 4), 210 + 112 * k, 366)
        draw_roll(canvas, kind, 104, (210 + 112 * k, 366), 1 + k % 6, 6 * (k % 6) + 1 + k % 6)
    for gang in Gang:
        x = 300 + 150 * gang.place
        canvas.text(x, 694, "12", COUNT, TEXT_ON[gang])
        canvas.text(x + 36, 694, "12", NUMBER_FACE, INK, "middle")
        canvas.put(thief_chip(gang, 110, jewel=True), x - 120, 870)
        canvas.text(x - 80, 870, "R×1234", CHIP, TEXT_ON[gang])
        canvas.text(x + 20, 540, "120", STAKE, TEXT_ON[gang])
    for seat in range(6):
        x0, y0 = 174 + seat % 2 * 370, 778 + seat // 2 * 142
        draw_panel(canvas, (x0, y0, x0 + PANEL_W, y0 + 134), theme, golden=seat == 2)
        draw_badge(canvas, seat, x0 + 36, y0 + 34)
        canvas.put(token(seat, 23), 220 + 120 * seat, 278)
        canvas.text(x0 + 340, y0 + 34, "0,123,456,789", MONEY, PURSE, "right")
        canvas.put(hand_card(), x0 + 40, y0 + 94)
        canvas.text(x0 + 70, y0 + 34, "Purple", NAME)
        canvas.text(220 + 100 * seat, 320, "28,000", STAKE, PURSE)
        canvas.put(coins(lost=seat > 3), 220 + 120 * seat, 342)
    _draw_sample_marks(canvas)


def _draw_sample_marks(canvas: Canvas) -> None:
    canvas.put(plate(380, 60), 676, 614)
    canvas.text(500, 614, "R2 strikes", LABEL, THEME.text_on_light)
    canvas.put(die(5, black=True), 297, 640)
    canvas.put(die(6, black=False), 363, 640)
    canvas.put(sand_plate(98, 54), 317, 740)
    canvas.text(300, 740, "Decks", LABEL, THEME.text_on_light)
    canvas.put(hit_arrow(), 500, 540)
    canvas.text(600, 66, "Walked 0123456789 of 104", FACT)
    canvas.text(600, 1280, "0123456789", SCORE, LOST_COLOR)
    canvas.text(200, 1280, "lost 0123", LABEL, LOST_COLOR)
    canvas.text(200, 1240, "0123", LABEL, THEME.dull)
    for k, space in enumerate(all_spaces()):
        if k % 9 == 0:
            canvas.put(plate_mark(SPACE_W + 4, SPACE_H + 4, 12, dashed=bool(k % 2)), *center(space))
            canvas.put(camel(figure_r(space)), *figure(space))
        elif k % 9 == 4:
            canvas.put(landing_mark(), *center(space))
    for k in range(5):
        canvas.put(movement_card(own=k > 2), 250 + 58 * k, 1230)

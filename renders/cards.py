"""Draw a `/stats` page: a rating curve with its error band, and a table with optional bars."""

from __future__ import annotations

from functools import lru_cache

from engine.texts import number
from engine.values import Value
from renders.canvas import Canvas, Ground
from renders.ending import crown
from renders.grounds import ground_of
from renders.house import HEADER_Y, bar, draw_panel, frame, polyline
from renders.lettering import FINAL, TITLE, has_glyph, sans, width
from renders.persons import draw_person, drawable_names, length_of
from renders.picture import Picture, picture_of
from renders.sprites import Sprite, banded_sprite, cached, sprite
from renders.strips import STRIP_HEIGHT
from renders.theme import GOLD, HOUSE, INK, IVORY, SEATS, WIDTH
from renders.words import MAX_ALT_CHARS, clip

LEFT, RIGHT, TOP, GAP = 32, 1048, 118, 12
VALUE, WORD = sans(42), sans(36, "Semibold")
"""Faces of the values and the words: about 10 and 9 points on a phone that shows the picture 262 points wide."""
COLUMNS = (1020, 850, 700)
"""Right edges of the columns, starting from the last."""
HEAD_H, ROW_H, SECOND_LINE_H = 70, 88, 44
"""Heights of the column headings, of a row, and of its optional second line with a bar or a note."""
PLOT = (150, 230, 1010, 500)
"""Left, top, right and bottom of the curve."""
CURVE_BOTTOM = 530
MAX_MARGIN = 200
"""Maximum points by which a band widens the scale on either side; wider bands are cut off."""
TICK_STEPS = (20, 50, 100, 200, 500)


class Line(Value):
    """A row of the table: subject, values, and below them a bar or a note.

    `share` is the length of the bar and `fair` the position of its mark, both from 0 to 1. `place` overrides the row's
    number.
    """

    about: str
    values: tuple[str, ...]
    share: float | None = None
    fair: float | None = None
    note: str = ""
    place: int | None = None


class Card(Value):
    """Content of a card. `course` has the rating and its margin after each match of `game`, oldest first."""

    title: str
    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    game: str = ""
    course: tuple[tuple[int, int], ...] = ()
    numbered: bool = False
    podium: tuple[tuple[int, str, str], ...] = ()
    caption: str = ""
    """Words at the left of the column headings."""


def draw(card: Card, alt: str) -> Picture:
    """Draw the card, 1080 px wide and as high as its content needs, with its alt text."""
    top = CURVE_BOTTOM + GAP if card.course or card.podium else TOP
    head = HEAD_H if any(card.columns) else 24
    bottom = top + head + sum(map(_height, card.lines)) + 44
    strips = -(-bottom // STRIP_HEIGHT)
    # Distribute the unused rest of the last strip among the rows.
    spare = (strips * STRIP_HEIGHT - bottom) // max(1, len(card.lines))
    full = ground()
    canvas = Canvas(Ground(full.strips[:strips], full.palette))
    canvas.put(_frame(strips * STRIP_HEIGHT))
    _draw_words(canvas, 102, HEADER_Y, card.title, RIGHT - 102, title=True)
    if card.course:
        _draw_course(canvas, card)
    if card.podium:
        _draw_podium(canvas, card)
    draw_panel(canvas, (LEFT, top, RIGHT, strips * STRIP_HEIGHT - 32), HOUSE)
    _draw_table(canvas, card, top, top + head, spare)
    return picture_of(canvas, clip(alt, MAX_ALT_CHARS))


def _height(line: Line) -> int:
    return ROW_H + (SECOND_LINE_H if line.share is not None or line.note else 0)


@cached
def _frame(height: int) -> Sprite:
    return banded_sprite(frame(HOUSE.page, height), 0, 0, WIDTH, height)


def _draw_words(
    canvas: Canvas, x: float, y: float, words: str, room: float, *, title: bool = False, muted: bool = False
) -> None:
    """Write a line; like players' names, text in scripts that the face lacks uses the fallback fonts."""
    face = TITLE if title else WORD if muted else VALUE
    color = HOUSE.muted if muted else IVORY
    if all(letter == " " or has_glyph(letter, face) for letter in words):
        canvas.text(x, y, words, face, color, room=room)
    else:
        draw_person(canvas, x, y, "".join(drawable_names([words], 1)), room, color)


def _draw_table(canvas: Canvas, card: Card, top: int, first: int, spare: int) -> None:
    ends = COLUMNS[: len(card.columns)][::-1]
    if card.caption:
        canvas.text(LEFT + 28, top + 40, card.caption, WORD, HOUSE.muted, room=600)
    for name, x in zip(card.columns, ends, strict=True):
        canvas.text(x, top + 40, name, WORD, HOUSE.muted, "right")
    y = first + (ROW_H + spare) // 2 - 8
    for place, line in enumerate(card.lines, start=1):
        x0 = LEFT + 28
        if card.numbered:
            number = line.place or place
            canvas.text(x0 + 24, y, str(number), VALUE, GOLD if number == 1 else HOUSE.muted, "middle")
            x0 += 68
        _draw_words(canvas, x0, y, line.about, ends[0] - 250 - x0 if len(ends) > 1 else 700)
        for value, x in zip(line.values, ends, strict=True):
            canvas.text(x, y, value, VALUE, IVORY, "right")
        if line.share is not None:
            fair = None if line.fair is None else round(100 * line.fair)
            canvas.put(bar(*BAR, round(100 * line.share), fair), x0, y + 48)
        _draw_words(canvas, x0, y + 50, line.note, 900, muted=True)
        y += _height(line) + spare


BAR = (960, 11)
"""Length of a bar and half its height, in px."""


PODIUM_STEPS = ((540, 320), (205, 385), (875, 425))
"""Horizontal center and top of the first, second and third step."""
STEP_W = 300
"""Width of a step, in px."""


def _draw_podium(canvas: Canvas, card: Card) -> None:
    """Draw the winners on their steps, with a crown for each first place."""
    draw_panel(canvas, (LEFT, TOP, RIGHT, CURVE_BOTTOM), HOUSE, golden=True)
    # With fewer than three players, the other steps stay empty.
    for (place, name, points), (x, _) in zip(card.podium, PODIUM_STEPS, strict=False):
        _, top = PODIUM_STEPS[min(place, len(PODIUM_STEPS)) - 1]  # tied players stand on equal steps
        canvas.put(_step(CURVE_BOTTOM - 16 - top), x, top)
        room = STEP_W + 20
        _draw_words(canvas, round(x - min(length_of(name), room) / 2), top - 34, name, room)
        canvas.text(x, top + 40, points, VALUE, GOLD if place == 1 else IVORY, "middle")
        if place == 1:
            canvas.put(crown(), x, top - 68)


@cached
def _step(height: int) -> Sprite:
    """A podium step. Its origin is the middle of the top edge."""
    box = f'<rect x="{-STEP_W / 2}" y="2" width="{STEP_W}" height="{height}" rx="10" fill="{INK}" stroke="{GOLD}"'
    return sprite(f'{box} stroke-width="3"/>', -STEP_W // 2 - 4, 0, STEP_W // 2 + 4, height + 4)


def _draw_course(canvas: Canvas, card: Card) -> None:
    """Draw the panel with the game, its current rating, and the curve."""
    draw_panel(canvas, (LEFT, TOP, RIGHT, CURVE_BOTTOM), HOUSE)
    points, margin = card.course[-1]
    now = f"{number(points)} ± {margin}"
    canvas.text(RIGHT - 28, TOP + 50, now, FINAL, GOLD, "right")
    canvas.text(LEFT + 28, TOP + 50, card.game, VALUE, room=RIGHT - LEFT - 90 - width(now, FINAL))
    low = min(points - min(margin, MAX_MARGIN) for points, margin in card.course)
    high = max(points + min(margin, MAX_MARGIN) for points, margin in card.course)
    step = next((step for step in TICK_STEPS if (high - low) / step <= 4), 1000)
    canvas.put(_curve(card.course, low, high, step))
    for tick in range(-(-low // step) * step, high + 1, step):
        canvas.text(PLOT[0] - 16, _y(tick, low, high), number(tick), WORD, HOUSE.muted, "right")


def _y(points: float, low: int, high: int) -> float:
    inside = min(max(points, low), high)
    return PLOT[3] - (PLOT[3] - PLOT[1]) * (inside - low) / (high - low)


@cached
def _curve(course: tuple[tuple[int, int], ...], low: int, high: int, step: int) -> Sprite:
    """The rating as a line inside its error band, with horizontal rules at the ticks."""
    x0, y0, x1, y1 = PLOT
    # A single match has a level line.
    points_of = course * 2 if len(course) == 1 else course
    across = [x0 + (x1 - x0) * n / (len(points_of) - 1) for n in range(len(points_of))]
    upper = [(x, _y(points + margin, low, high)) for x, (points, margin) in zip(across, points_of, strict=True)]
    lower = [(x, _y(points - margin, low, high)) for x, (points, margin) in zip(across, points_of, strict=True)]
    line = [(x, _y(points, low, high)) for x, (points, _) in zip(across, points_of, strict=True)]
    rules = "".join(
        f'<path d="M{x0} {_y(tick, low, high):.1f}H{x1}" stroke="{HOUSE.panel_edge}" stroke-width="3"/>'
        for tick in range(-(-low // step) * step, high + 1, step)
    )
    band = f'<path d="M{polyline([*upper, *reversed(lower)])}Z" fill="{SEATS[1].fill}" fill-opacity=".75"/>'
    curve = "".join(
        f'<path d="M{polyline(line)}" fill="none" stroke="{color}" stroke-width="{thick}" stroke-linejoin="round"/>'
        for color, thick in ((INK, 13), (GOLD, 7))
    )
    x, y = line[-1]
    dot = f'<circle cx="{x}" cy="{y:.1f}" r="12" fill="{GOLD}" stroke="{INK}" stroke-width="4"/>'
    return sprite(band + rules + curve + dot, x0 - 8, y0 - 8, x1 + 16, y1 + 8)


@lru_cache(maxsize=1)
def ground() -> Ground:
    """The ground of all cards, with their palette."""

    def draw_samples(canvas: Canvas) -> None:
        canvas.put(_frame(1440))
        draw_panel(canvas, (LEFT, TOP, RIGHT, 1400), HOUSE)
        canvas.put(_curve(((1500, 300), (1600, 100), (1550, 60)), 1200, 1800, 100))
        canvas.put(bar(*BAR, 60, 30), LEFT + 40, 700)
        # Letters of all kinds, so that the palette covers their soft edges in every color.
        for n, color in enumerate((IVORY, GOLD, HOUSE.muted)):
            canvas.text(LEFT + 24, 780 + 70 * n, "The quick caravan crosses 13 dunes", VALUE, color)
        canvas.text(102, HEADER_Y, "House 0123456789", TITLE)

    page = f'<rect width="{WIDTH}" height="1440" fill="{HOUSE.page}"/>'
    return ground_of("card", HOUSE, page, draw_samples)

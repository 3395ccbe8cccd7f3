"""Elements shared by all pictures: gold frame, header, seat badges, score panels and marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil

from engine.core import LastAction, State, View
from engine.texts import CHANCE, SEAT_COLORS, Text, number, term
from engine.values import Value
from engine.wording import Voice, say
from renders.canvas import Canvas
from renders.lettering import BADGE, FACT, GAIN, HEAD_FACT, PILL, STORY, TITLE, fit, width
from renders.sprites import Sprite, cached, icon, sprite
from renders.theme import GOLD, HEIGHT, INK, IVORY, SAFE, SEATS, TURQUOISE, WIDTH, Box, Color, Theme
from renders.tokens import token

BADGE_R = 23
"""Optical radius of a badge in a panel, in px."""
PILL_R = 22
PILL_STEP = 2 * PILL_R + 12
"""Distance from a badge in the pill to the next element, in px."""
PILL_H = 56
MAX_PILL_W = 360
HEADER_Y = 60
"""Vertical center of the title, the fact and the pill."""
STORY_Y, STORY_H, STORY_R = 115, 42, 18
"""Vertical center and height of the plates for last action and question, and the optical radius of the badge."""
MAX_STORY_W, PLATE_GAP = SAFE[2] - SAFE[0] - 16, 12
"""Total width of both plates, and the gap between them, in px."""


# --- Header ----------------------------------------------------------------------------------------------------------


class Header(Value):
    """Content of a picture's header.

    `facts` is one fact in wordings from long to short; the first that fits is used. `badges` has each seat's index in
    `SEATS`, or `None` while it has no color. No fact begins left of `clear`, in px.
    """

    title: str
    facts: tuple[str, ...]
    badges: tuple[int | None, ...]
    clear: int = 0


def draw_header(canvas: Canvas, view: View[State], labels: Sequence[str], header: Header) -> None:
    """Draw title, fact, turn pill, last action and open question; a preview has a ribbon instead of title and fact."""
    # Drawn first, since title and fact get the remaining width.
    badges, words = pill_content(view, labels, header.badges)
    pill_x = _draw_pill(canvas, badges, words)
    if view.preview:
        _draw_preview(canvas)
    else:
        _draw_title(canvas, header, pill_x - 22)
    _draw_story(canvas, view, labels, header.badges)


def _draw_title(canvas: Canvas, header: Header, right: float) -> None:
    title = 102 + canvas.text(102, HEADER_Y, str(term(header.title)), TITLE)
    room = right - max(title + 24, header.clear)
    # The description repeats the fact, so it is left out here rather than cut.
    for fact in [fact for fact in header.facts if width(fact, HEAD_FACT) <= room][:1]:
        canvas.text(right, HEADER_Y, fact, HEAD_FACT, align="right")


def _draw_pill(canvas: Canvas, badges: Sequence[int], words: str) -> int:
    """Draw the pill, right-aligned. Returns its left edge."""
    badges_w = PILL_STEP * len(badges)
    name = fit(words, PILL, MAX_PILL_W - badges_w) if words else ""
    x0 = SAFE[2] - round(16 + badges_w + width(name, PILL) + 18)
    canvas.put(_pill(SAFE[2] - x0), x0, HEADER_Y - PILL_H // 2)
    for k, badge in enumerate(badges):
        draw_badge(canvas, badge, x0 + 16 + PILL_R + k * PILL_STEP, HEADER_Y, PILL_R)
    canvas.text(x0 + 16 + badges_w, HEADER_Y, name, PILL)
    return x0


@cached
def _pill(length: int) -> Sprite:
    box = f'x="1.5" y="1.5" width="{length - 3}" height="{PILL_H - 3}" rx="{PILL_H / 2 - 1.5}"'
    return sprite(f'<rect {box} fill="{INK}" stroke="{GOLD}" stroke-width="3"/>', 0, 0, length, PILL_H)


def pill_content(view: View[State], labels: Sequence[str], badges: Sequence[int | None]) -> tuple[tuple[int, ...], str]:
    """The pill's badges and its text: `Red’s turn`, `Your turn`, `Red wins`, `4-way tie`, or nothing.

    A preview always says `You`. For a win shared by more than two companies, only their number is given.
    """
    seats = (view.viewer,) if view.preview else view.outcome.winners if view.outcome else view.due
    # Each badge only once: teammates wear the same one.
    colors = tuple(dict.fromkeys(badge for seat in seats if seat is not None and (badge := badges[seat]) is not None))
    if view.outcome and not view.preview:
        return _win_pill(seats, colors, labels)
    if len(seats) > 1:
        return colors, ""
    if view.preview:
        return colors, str(Text("You"))
    if seats == (view.viewer,):
        return colors, str(Text("Your turn"))
    turn = "{name}’s turn"
    # Shorten the name rather than the sentence, whose end carries the meaning.
    room = MAX_PILL_W - PILL_STEP - width(str(Text(turn, name="")), PILL)
    return colors, "".join(str(Text(turn, name=fit(labels[seat], PILL, room))) for seat in view.due)


def _win_pill(
    seats: Sequence[int | None], badges: tuple[int, ...], labels: Sequence[str]
) -> tuple[tuple[int, ...], str]:
    """The badges and the label of a win. Teammates win together under one color, so theirs is not a shared win."""
    if len(seats) == 1 and seats[0] is not None:
        return badges, str(Text("{name} wins", name=labels[seats[0]]))
    if len(badges) == 1:
        return badges, str(Text("{name} wins", name=Text(SEAT_COLORS[badges[0]])))
    return badges if len(badges) == 2 else (), str(Text("{n}-way tie", n=len(seats)))


# --- Story and preview -----------------------------------------------------------------------------------------------


def _draw_story(canvas: Canvas, view: View[State], labels: Sequence[str], badges: Sequence[int | None]) -> None:
    """Draw the plates under the header: the last action with its seat's badge, and the open question.

    If both do not fit, the question is left out; the message text repeats it.
    """
    question = _question(view, labels)
    question_w = _plate_length(width(question, FACT) + 36) if question else 0
    if view.last_action:
        badge = badges[view.last_action.seat] if view.last_action.seat != CHANCE else None
        indent = 18 if badge is None else 24 + 2 * STORY_R
        own_w = width(Voice(labels).brief(view.last_action.event), STORY) + indent + 48
        if own_w > MAX_STORY_W - question_w - PLATE_GAP:
            question, question_w = "", 0
        room = MAX_STORY_W - question_w - (PLATE_GAP if question_w else 0)
        words = last_action_text(view.last_action, labels, room - indent - 48)
        length = _plate_length(indent + width(words, STORY) + 18)
        x0 = (WIDTH - length - (question_w + PLATE_GAP if question_w else 0)) // 2
        canvas.put(_story_plate(length, TURQUOISE if view.preview else GOLD), x0, STORY_Y)
        if badge is not None:
            draw_badge(canvas, badge, x0 + 14 + STORY_R, STORY_Y, STORY_R)
        canvas.text((x0 + indent + x0 + length - 18) / 2, STORY_Y, words, STORY, align="middle")
        x0 += length + PLATE_GAP
    else:
        x0 = (WIDTH - question_w) // 2
    if question:
        canvas.put(_story_plate(question_w, INK, GOLD), x0, STORY_Y)
        canvas.text(x0 + question_w / 2, STORY_Y, question, FACT, INK, "middle")


def _question(view: View[State], labels: Sequence[str]) -> str:
    """The public question to the seats that are due; players read their own in the message text."""
    prompts = {say(decision.prompt, labels) for decision in view.decisions if decision.seat != CHANCE}
    # The plate has room for one question, so none is shown if the seats are asked different ones.
    return fit(prompts.pop().rstrip("."), FACT, MAX_STORY_W - 48) if len(prompts) == 1 and view.viewer is None else ""


def _plate_length(min_length: float) -> int:
    """Round up to a few lengths, so that most plates come from the cache."""
    return 30 * ceil(min_length / 30)


def last_action_text(last_action: LastAction, labels: Sequence[str], room: int) -> str:
    """The last action after as many earlier ones as fit in `room` px; `…` stands for the omitted ones."""
    brief, ellipsis = Voice(labels).brief, "… · "
    words = brief(last_action.event)
    for event in reversed(last_action.earlier):
        if width(f"{ellipsis}{brief(event)} · {words}", STORY) > room:
            more = f"{ellipsis}{words}"
            return fit(more if width(more, STORY) <= room else words, STORY, room)
        words = f"{brief(event)} · {words}"
    return fit(words, STORY, room)


@cached
def _story_plate(length: int, edge: Color, fill: Color = INK) -> Sprite:
    box = f'x="1.5" y="{1.5 - STORY_H / 2}" width="{length - 3}" height="{STORY_H - 3}" rx="12"'
    rim = f'<rect {box} fill="{fill}" stroke="{edge}" stroke-width="3"/>'
    return sprite(rim, 0, -STORY_H // 2, length, STORY_H // 2)


def _draw_preview(canvas: Canvas) -> None:
    """Draw a ribbon over the title and fact, and a broad turquoise frame over the golden one."""
    canvas.put(_ribbon(), 34, HEADER_Y)
    words = str(Text("Preview – not played yet"))
    canvas.text(34 + RIBBON_W / 2 - 8, HEADER_Y, words, PILL, INK, "middle", RIBBON_W - 60)
    # Four separate strips, so that nothing covers the board.
    edge = 30
    canvas.put(_frame_part(0, 0, WIDTH, edge))
    canvas.put(_frame_part(0, HEIGHT - edge, WIDTH, HEIGHT))
    canvas.put(_frame_part(0, edge, edge, HEIGHT - edge))
    canvas.put(_frame_part(WIDTH - edge, edge, WIDTH, HEIGHT - edge))


RIBBON_W = 580


@cached
def _ribbon() -> Sprite:
    w, h = RIBBON_W, PILL_H / 2
    path = f"M2 {2 - h}H{w - 2}L{w - 28} 0L{w - 2} {h - 2}H2Z"
    band = f'<path d="{path}" fill="{TURQUOISE}" stroke="{INK}" stroke-width="4" stroke-linejoin="round"/>'
    return sprite(band, 0, -PILL_H // 2, w, PILL_H // 2)


@cached
def _frame_part(left: int, top: int, right: int, bottom: int) -> Sprite:
    box = f'<rect x="13" y="13" width="{WIDTH - 26}" height="{HEIGHT - 26}" rx="14" fill="none"'
    line = f'{box} stroke="{INK}" stroke-width="26"/>{box} stroke="{TURQUOISE}" stroke-width="18"/>'
    return sprite(line, left, top, right, bottom)


# --- Frame -----------------------------------------------------------------------------------------------------------


def frame(page: Color, height: int = HEIGHT) -> str:
    """SVG fragment of the gold frame with a star on each corner, and the header's crest."""
    box = f'x="13" y="13" width="1054" height="{height - 26}" rx="10"'
    line = f'<rect {box} fill="none" stroke="{GOLD}" stroke-width="3"/>'
    stars = "".join(_star(x, y) for x in (13, WIDTH - 13) for y in (13, height - 13))
    return line + stars + icon("crest", GOLD, page, 66, 62, HEADER_Y)


def _star(x: int, y: int) -> str:
    around = ((12, 5), (7, 7), (5, 12), (0, 9.9), (-5, 12), (-7, 7), (-12, 5), (-9.9, 0))
    points = " ".join(f"{x + a * s:.1f},{y + b * s:.1f}" for s in (1, -1) for a, b in around)
    return f'<polygon points="{points}" fill="{GOLD}" stroke="{INK}" stroke-width="3" stroke-linejoin="round"/>'


# --- Seats -----------------------------------------------------------------------------------------------------------


def draw_badge(canvas: Canvas, seat: int, x: float, y: float, r: float = BADGE_R) -> None:
    """Draw a seat's shape with its letter."""
    canvas.put(token(seat, r), x, y)
    canvas.text(x, y, SEATS[seat].letter, BADGE, SEATS[seat].text, "middle")


def draw_panel(canvas: Canvas, box: Box, theme: Theme, *, golden: bool = False, arrow: str = "") -> None:
    """Draw a score panel. A due seat's panel is lighter and `golden`, with an arrowhead on its `top` or `left` edge."""
    x0, y0, x1, y1 = box
    fill = theme.panel_due if arrow else theme.panel
    canvas.put(_panel(x1 - x0, y1 - y0, fill, GOLD if golden else theme.panel_edge), x0, y0)
    if arrow == "top":
        canvas.put(_arrowhead(0), (x0 + x1) / 2, y0)
    elif arrow == "left":
        canvas.put(_arrowhead(-90), x0, (y0 + y1) / 2)


@cached
def _panel(w: int, h: int, fill: Color, edge: Color) -> Sprite:
    if edge != GOLD:
        box = f'x="2" y="2" width="{w - 4}" height="{h - 4}" rx="15"'
        return sprite(f'<rect {box} fill="{fill}" stroke="{edge}" stroke-width="4"/>', 0, 0, w, h)
    # Ink around the gold keeps it distinct from sand and roofs.
    rim = f'<rect width="{w}" height="{h}" rx="17" fill="{INK}"/>'
    box = f'x="6" y="6" width="{w - 12}" height="{h - 12}" rx="12"'
    return sprite(f'{rim}<rect {box} fill="{fill}" stroke="{GOLD}" stroke-width="5"/>', 0, 0, w, h)


@cached
def _arrowhead(turn: int) -> Sprite:
    path = f'<path d="M-20 -5H20L0 16Z" fill="{GOLD}" stroke="{INK}" stroke-width="3" stroke-linejoin="round"'
    return sprite(f'{path} transform="rotate({turn})"/>', -24, -24, 24, 24)


def draw_gain(canvas: Canvas, box: Box, gain: int) -> None:
    """Draw the change of a score as a tab on the panel's upper edge; nothing for 0."""
    if not gain:
        return
    words = f"+{number(gain)}" if gain > 0 else number(gain)
    # Few lengths, as in `_plate_length`.
    length = 10 * ceil((width(words, GAIN) + 24) / 10)
    x, y = box[2] - 14 - length / 2, box[1] - 2
    canvas.put(_gain(length, INK if gain < 0 else IVORY), x, y)
    canvas.text(x, y, words, GAIN, IVORY if gain < 0 else INK, "middle")


@cached
def _gain(length: int, fill: Color) -> Sprite:
    """A light tab for a gain, a dark one for a loss."""
    box = f'x="{-length / 2 + 4}" y="-13" width="{length - 8}" height="26" rx="10"'
    rims = ((INK, 7), (IVORY, 3)) if fill == INK else ((INK, 4),)
    drawing = "".join(f'<rect {box} fill="{fill}" stroke="{color}" stroke-width="{w}"/>' for color, w in rims)
    return sprite(drawing, -length // 2, -17, length - length // 2, 17)


@cached
def bar(length: int, half: int, part: int, fair: int | None = None) -> Sprite:
    """A progress bar, twice `half` px high, filled to `part` percent, with an optional mark at `fair` percent."""
    box = f'width="{length}" height="{2 * half}" rx="{half}"'
    whole = f'<rect x="1" y="{-half}" {box} fill="{INK}" stroke="{IVORY}" stroke-width="2"/>'
    r, room = half - 3, length - 6
    # At least as wide as its two round ends.
    filled = (
        f'<rect x="4" y="{-r}" width="{max(2.0 * r, room * part / 100):.1f}" height="{2 * r}" rx="{r}" fill="{GOLD}"/>'
    )
    x = 0 if fair is None else 4 + room * fair / 100
    mark = "".join(
        f'<path d="M{x:.1f} {-half - 5}V{half + 5}" stroke="{color}" stroke-width="{thick}"/>'
        for color, thick in ((INK, 9), (IVORY, 4))
    )
    drawing = whole + (filled if part else "") + ("" if fair is None else mark)
    return sprite(drawing, 0, -half - 7, length + 4, half + 7)


def polyline(points: Iterable[tuple[float, float]]) -> str:
    """SVG path data of a polyline, without the leading `M`."""
    return "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


# --- Marks -----------------------------------------------------------------------------------------------------------


@cached
def plate_mark(w: int, h: int, corner: int, *, dashed: bool = False) -> Sprite:
    """Mark around the center of a rounded w x h px plate: solid, or `dashed` for a former position."""
    box = f'<rect x="{-w / 2}" y="{-h / 2}" width="{w}" height="{h}" rx="{corner}" fill="none"'
    line = 'stroke-width="4" stroke-dasharray="12 8"' if dashed else 'stroke-width="5.5"'
    drawing = f'{box} stroke="{INK}" stroke-width="11"/>{box} stroke="{IVORY}" {line}/>'
    return sprite(drawing, -w // 2 - 7, -h // 2 - 7, w // 2 + 7, h // 2 + 7)


@cached
def brackets(w: int, h: int) -> Sprite:
    """Four open turquoise corners around the center of a w x h px box: a legal target."""
    arm = max(17, min(26, min(w, h) // 4))
    x, y = w / 2, h / 2
    path = "".join(
        f"M{sx * x} {sy * (y - arm)}V{sy * y}H{sx * (x - arm)}" for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    )
    style = 'fill="none" stroke-linejoin="round" stroke-linecap="round"'
    drawing = (
        f'<path d="{path}" {style} stroke="{INK}" stroke-width="11"/>'
        f'<path d="{path}" {style} stroke="{TURQUOISE}" stroke-width="6"/>'
    )
    return sprite(drawing, -w // 2 - 7, -h // 2 - 7, w // 2 + 7, h // 2 + 7)


@cached
def count_badge() -> Sprite:
    """Disc for the number of equal pieces."""
    return sprite(f'<circle r="14.5" fill="{IVORY}" stroke="{INK}" stroke-width="3"/>', -16, -16, 16, 16)

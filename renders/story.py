"""Picture of a match's story: winning chances over time, turning points, and each player's accuracy."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate
from math import ceil

from engine.core import State, View
from engine.story.chapter import DRAW, Chapter, Remark
from engine.texts import SEAT_COLORS, Text, number, term
from engine.values import Value
from renders.canvas import Canvas, Ground
from renders.grounds import ground_of
from renders.house import Header, bar, draw_badge, draw_header, draw_panel, frame, polyline
from renders.lettering import BADGE, LABEL, NAME, SMALL, TITLE, fit, has_glyph, width, wrap
from renders.persons import draw_person, drawable_names
from renders.picture import Picture, picture_of
from renders.plain import theme_of
from renders.sprites import Sprite, cached, sprite
from renders.theme import GOLD, HEIGHT, INK, IVORY, SEATS, WIDTH, Theme
from renders.words import MAX_ALT_CHARS, clip, join_with_semicolons, result_sentence

LEFT, RIGHT = 32, 1048
AXIS, END = 116, 1024
"""Left and right end of the curves."""
TOP, BOTTOM = 118, 1404
LINE_H, ROW_H = 38, 50
HEAD_H = 112
"""Height of the heading and marks above the curves."""
FOOT_H = 56
"""Height of the move numbers below the curves."""
MARK_R = 19
"""Radius of a mark."""
MIN_BAND_H = 62
"""Minimum height of a band that carries a badge, in px."""
BAR = (160, 9)
"""Length of a bar and half its height, in px."""
TICKS = (5, 10, 20, 25, 50, 100, 200, 500)


def draw(view: View[State], chapter: Chapter, labels: Sequence[str], persons: Sequence[str] = ()) -> Picture:
    """Draw the story, 1080 x 1440 px, with its alt text.

    `view` is the final public view; `labels` and `persons` are the same as for boards.
    """
    assert view.outcome is not None, "a story needs a finished match"
    theme, people = theme_of(view.game), drawable_names(persons, len(labels))
    canvas = Canvas(ground(theme))
    # Lay out from the bottom up: sentences and rows take what they need; the curves get the rest.
    lines = [(remark, _lines(remark.words)) for remark in chapter.remarks]
    remarks_top = BOTTOM - (sum(LINE_H * len(words) + 10 for _, words in lines) + 26 if lines else 0)
    table_top = remarks_top - (12 if lines else 0) - (64 + ROW_H * len(labels))
    _draw_curves(canvas, view, chapter, theme, table_top - 12)
    _draw_table(canvas, view, chapter, (labels, people), theme, (table_top, remarks_top - (12 if lines else 0)))
    _draw_remarks(canvas, lines, theme, remarks_top)
    badges = tuple(_color_of(view, seat) for seat in range(len(labels)))
    # The story covers all actions, so the header must not show the last one.
    facts = str(Text("The story of the game")), str(Text("The story"))
    draw_header(canvas, replace(view, last_action=None), labels, Header(view.title, facts, badges))
    return picture_of(canvas, clip(_description(view, chapter, labels), MAX_ALT_CHARS))


def _color_of(view: View[State], seat: int) -> int:
    """Index of the seat's color in `SEATS`."""
    color = view.colors[seat]
    return SEAT_COLORS.index(color) if color else seat


# --- The curves ------------------------------------------------------------------------------------------------------


class _Plot(Value):
    """Position of the curves, and each company's share at each ply from the first move on, from top to bottom."""

    top: int
    bottom: int
    parts: tuple[tuple[float, ...], ...]
    first: int = 0

    @property
    def last(self) -> int:
        # Curves of a single position have length 0, which would divide by zero.
        return max(1, len(self.parts) - 1)

    def x(self, ply: float) -> float:
        return AXIS + (END - AXIS) * (ply - self.first) / self.last

    def y(self, share: float) -> float:
        return self.top + (self.bottom - self.top) * share


def _draw_curves(canvas: Canvas, view: View[State], chapter: Chapter, theme: Theme, bottom: int) -> None:
    draw_panel(canvas, (LEFT, TOP, RIGHT, bottom), theme)
    canvas.text(LEFT + 24, TOP + 36, str(Text("Chances of winning, in percent")), LABEL, IVORY)
    first = chapter.moves.index(1)  # the random setup is not part of the story
    plot = _Plot(TOP + HEAD_H, bottom - FOOT_H, _parts(chapter)[first:], first)
    seats = tuple(chapter.companies.index(company) for company in dict.fromkeys(chapter.companies))
    canvas.put(_bands(plot, tuple(_color_of(view, seat) for seat in seats)))
    for share in (0, 25, 50, 75, 100):
        canvas.text(AXIS - 14, plot.y(1 - share / 100), str(share), SMALL, theme.muted, "right")
    _draw_moves(canvas, chapter, plot, theme)
    for place, company in enumerate(dict.fromkeys(chapter.companies)):
        mates = [seat for seat, own in enumerate(chapter.companies) if own == company]
        _draw_badges(canvas, chapter, [_color_of(view, seat) for seat in mates], plot, place)
    _draw_marks(canvas, chapter, plot)


def _parts(chapter: Chapter) -> tuple[tuple[float, ...], ...]:
    """Each company's chances at each ply, which add up to 1."""
    first = [chapter.companies.index(company) for company in dict.fromkeys(chapter.companies)]
    return tuple(
        # Stored shares are rounded, so their sum may be slightly off.
        tuple(chances[seat] / sum(chances[other] for other in first) for seat in first)
        for chances in chapter.story.course
    )


def _bands(plot: _Plot, colors: tuple[int, ...]) -> Sprite:
    """One band per company, in its color and pattern, separated by two-tone lines."""
    edges = [tuple(accumulate(parts, initial=0.0)) for parts in plot.parts]
    points = [
        [(plot.x(ply), plot.y(edge[n])) for ply, edge in enumerate(edges, plot.first)] for n in range(len(colors) + 1)
    ]
    shapes = []
    for n, color in enumerate(colors):
        outline = polyline((*points[n], *reversed(points[n + 1])))
        shapes += [f'<path d="M{outline}Z" fill="{fill}"/>' for fill in (SEATS[color].fill, f"url(#p{color})")]
    for line in points[1:-1]:
        path = polyline(line)
        shapes += [
            f'<path d="M{path}" fill="none" stroke="{color}" stroke-width="{thick}" stroke-linejoin="round"/>'
            for color, thick in ((INK, 7), (IVORY, 3))
        ]
    style = f'stroke="{INK}" stroke-opacity=".55" stroke-width="2" stroke-dasharray="4 8"'
    for y in map(plot.y, (0.25, 0.5, 0.75)):
        shapes.append(f'<path d="M{AXIS} {y:.1f}H{END}" fill="none" {style}/>')
    box = f'x="{AXIS}" y="{plot.top}" width="{END - AXIS}" height="{plot.bottom - plot.top}"'
    shapes.append(f'<rect {box} fill="none" stroke="{INK}" stroke-width="4"/>')
    # Not cached, since every match has different curves.
    return sprite("".join((_PATTERNS, *shapes)), AXIS - 4, plot.top - 4, END + 4, plot.bottom + 4)


def _pattern(color: int, size: int, body: str) -> str:
    style = f'fill="none" stroke="{SEATS[color].text}" stroke-opacity=".32" stroke-width="3"'
    box = f'width="{size}" height="{size}" patternUnits="userSpaceOnUse"'
    return f'<pattern id="p{color}" {box}><g {style}>{body}</g></pattern>'


_PATTERNS = "".join(
    (
        "<defs>",
        _pattern(0, 22, '<path d="M-3 25L25 -3M-14 14L14 -14M8 36L36 8"/>'),
        _pattern(1, 22, '<path d="M0 11H22"/>'),
        _pattern(2, 24, '<circle cx="12" cy="12" r="3"/>'),
        _pattern(3, 22, '<path d="M-3 -3L25 25M-14 8L14 36M8 -14L36 14"/>'),
        _pattern(4, 24, '<path d="M12 0V24M0 12H24"/>'),
        _pattern(5, 22, '<path d="M11 0V22"/>'),
        "</defs>",
    )
)
"""A pattern for each color, so that bands are distinct without color."""


def _draw_moves(canvas: Canvas, chapter: Chapter, plot: _Plot, theme: Theme) -> None:
    """Write some move numbers below the curves."""
    canvas.text(LEFT + 20, plot.bottom + 28, str(Text("move")), SMALL, theme.muted)
    last = chapter.moves[-1] if chapter.moves else 0
    step = next((step for step in TICKS if last / step <= 8), TICKS[-1])
    for move in range(step, last + 1, step):
        x = plot.x(chapter.moves.index(move))
        canvas.put(_tick(), x, plot.bottom + 2)
        canvas.text(x, plot.bottom + 28, str(move), SMALL, theme.muted, "middle")


@cached
def _tick() -> Sprite:
    return sprite(f'<path d="M0 0V10" stroke="{IVORY}" stroke-width="3"/>', -3, 0, 3, 11)


def _draw_badges(canvas: Canvas, chapter: Chapter, colors: Sequence[int], plot: _Plot, number: int) -> None:
    """Draw a company's badges where its band is highest and clear of all marks, if they fit."""
    half = 27.0 * len(colors)
    marks = [plot.x(remark.ply) for remark in chapter.remarks]
    free = [place for place in _places(plot, number, half) if all(abs(place[1] - x) > half for x in marks)]
    height, x, y = max(free, default=(0.0, 0.0, 0.0))
    if height >= MIN_BAND_H:
        for n, color in enumerate(colors):
            draw_badge(canvas, color, x + (n - (len(colors) - 1) / 2) * 54, y, 22)


def _places(plot: _Plot, number: int, half: float) -> Iterator[tuple[float, float, float]]:
    """The places for a badge, for each ply with `half` px on both sides: the height of the band, and the center."""
    reach = ceil(half * plot.last / (END - AXIS))
    for ply in range(reach, plot.last - reach + 1):
        window = plot.parts[ply - reach : ply + reach + 1]
        above, below = max(sum(parts[:number]) for parts in window), min(sum(parts[: number + 1]) for parts in window)
        yield (below - above) * (plot.bottom - plot.top), plot.x(ply + plot.first), plot.y((above + below) / 2)


def _draw_marks(canvas: Canvas, chapter: Chapter, plot: _Plot) -> None:
    """Draw a disc for each remark above the curves, pushed apart where they collide, with a leader line to its ply."""
    remarks = sorted(chapter.remarks, key=lambda remark: remark.ply)
    places = _spread([plot.x(remark.ply) for remark in remarks])
    for remark, x in zip(remarks, places, strict=True):
        canvas.put(_leader(round(plot.x(remark.ply) - x), plot.bottom - plot.top), x, plot.top)
        _draw_mark(canvas, remark.mark, x, plot.top - MARK_R - 8)


def _spread(places: Sequence[float]) -> list[float]:
    """Spread positions to a minimum distance, keeping their order and staying left of the end."""
    apart = list(places)
    step = 2 * MARK_R + 6
    # First push to the right, then back from the end to the left.
    for n in range(1, len(apart)):
        apart[n] = max(apart[n], apart[n - 1] + step)
    if apart:
        apart[-1] = min(apart[-1], END)
    for n in reversed(range(len(apart) - 1)):
        apart[n] = min(apart[n], apart[n + 1] - step)
    return apart


@cached
def _leader(aside: int, height: int) -> Sprite:
    way = f'<path d="M0 -8L{aside} 6V{height}" fill="none"'
    lines = f'{way} stroke="{INK}" stroke-width="8"/>{way} stroke="{IVORY}" stroke-width="3" stroke-dasharray="10 5"/>'
    return sprite(lines, min(0, aside) - 6, -10, max(0, aside) + 6, height)


def _draw_mark(canvas: Canvas, mark: str, x: float, y: float) -> None:
    canvas.put(_disc(lucky=mark == DRAW), x, y)
    if mark != DRAW:
        canvas.text(x, y, mark, BADGE, INK, "middle")


@cached
def _disc(*, lucky: bool) -> Sprite:
    """A disc for a number, or a die for a random event."""
    if not lucky:
        return sprite(f'<circle r="{MARK_R - 1.5}" fill="{IVORY}" stroke="{INK}" stroke-width="3"/>', -20, -20, 20, 20)
    box = f'<rect x="-16" y="-16" width="32" height="32" rx="7" fill="{GOLD}" stroke="{INK}" stroke-width="3"/>'
    pips = "".join(f'<circle cx="{x}" cy="{y}" r="3.6" fill="{INK}"/>' for x in (-7.5, 7.5) for y in (-7.5, 0, 7.5))
    return sprite(box + pips, -20, -20, 20, 20)


# --- The table, and the words ----------------------------------------------------------------------------------------


def _draw_table(
    canvas: Canvas,
    view: View[State],
    chapter: Chapter,
    names: tuple[Sequence[str], Sequence[str]],
    theme: Theme,
    edges: tuple[int, int],
) -> None:
    """Draw a row for each seat: badge, name, player, points, and accuracy (how often it made the best choice)."""
    assert view.outcome is not None
    (labels, people), (top, bottom) = names, edges
    draw_panel(canvas, (LEFT, top, RIGHT, bottom), theme)
    canvas.text(LEFT + 24, top + 34, str(Text("Who played")), LABEL, IVORY)
    canvas.text(740, top + 34, str(Text("points")), SMALL, theme.muted, "right")
    canvas.text(RIGHT - 24, top + 34, str(Text("accuracy /100")), SMALL, theme.muted, "right")
    for seat, label in enumerate(labels):
        y = top + 58 + ROW_H // 2 + ROW_H * seat
        draw_badge(canvas, _color_of(view, seat), LEFT + 46, y, 20)
        canvas.text(LEFT + 80, y, label, NAME, room=190)
        if people and people[seat]:
            x = LEFT + 96 + min(190, width(fit(label, NAME, 190), NAME))
            draw_person(canvas, x, y, people[seat], round(640 - x), theme.muted)
        canvas.text(740, y, number(view.outcome.scores[seat]), NAME, IVORY, "right")
        accuracy = chapter.story.plays[seat].accuracy
        canvas.put(bar(*BAR, accuracy or 0), 780, y)
        canvas.text(RIGHT - 24, y, "–" if accuracy is None else str(accuracy), NAME, IVORY, "right")


def _lines(words: str) -> list[str]:
    """Break a remark into at most two lines, with a dash for each letter that the font lacks.

    Sentences at the end that do not fit are left out; a single sentence is cut.
    """
    printable = "".join(letter if letter.isspace() or has_glyph(letter, SMALL) else "–" for letter in words)
    first, *rest = wrap(printable, SMALL, RIGHT - LEFT - 104)
    if len(rest) > 1 and (sentences := re.fullmatch("(.+[.!?]) .+", printable, re.DOTALL)):
        return _lines(sentences[1])
    return [first, fit(" ".join(rest), SMALL, RIGHT - LEFT - 104)] if rest else [first]


def _draw_remarks(canvas: Canvas, remarks: Sequence[tuple[Remark, Sequence[str]]], theme: Theme, top: int) -> None:
    if not remarks:
        return
    draw_panel(canvas, (LEFT, top, RIGHT, BOTTOM), theme)
    y = top + 18 + LINE_H // 2
    for remark, lines in remarks:
        _draw_mark(canvas, remark.mark, LEFT + 46, y)
        for line in lines:
            canvas.text(LEFT + 80, y, line, SMALL, IVORY)
            y += LINE_H
        y += 10


# --- In words, and the page ------------------------------------------------------------------------------------------


def _description(view: View[State], chapter: Chapter, labels: Sequence[str]) -> str:
    """Describe the chances at each quarter, the turning points, and every player's accuracy."""
    course = chapter.story.course
    chances_by_quarter = [
        str(Text(when, chances=tuple(f"{name} {100 * share:.0f}" for name, share in zip(labels, at, strict=True))))
        for part, when in QUARTERS.items()
        for at in [course[round(part * (len(course) - 1))]]
    ]
    scores = tuple(
        Text("{name} none", name=name) if play.accuracy is None else f"{name} {play.accuracy}"
        for name, play in zip(labels, chapter.story.plays, strict=True)
    )
    return " ".join(
        (
            str(Text("The story of {game}.", game=term(view.title))),
            result_sentence(view, labels),
            str(Text("Chances of winning, in percent: {stood}.", stood=join_with_semicolons(chances_by_quarter))),
            *(remark.words for remark in chapter.remarks),
            str(Text("Accuracy, out of 100: {scores}.", scores=scores)),
        )
    )


QUARTERS = {
    0: "At first {chances}",
    0.25: "after a quarter {chances}",
    0.5: "halfway {chances}",
    0.75: "after three quarters {chances}",
}
"""Points in the game where the chances are described, as shares of its length, with their sentences."""


@lru_cache(maxsize=8)
def ground(theme: Theme) -> Ground:
    """The ground of all stories of a game, with their palette."""
    page = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{theme.page}"/>'

    def draw_samples(canvas: Canvas) -> None:
        draw_panel(canvas, (LEFT, TOP, RIGHT, BOTTOM), theme)
        even = tuple((1 / len(SEATS),) * len(SEATS) for _ in range(2))
        canvas.put(_bands(_Plot(TOP + HEAD_H, 700, even), tuple(range(len(SEATS)))))
        for n, color in enumerate((IVORY, GOLD, theme.muted)):
            canvas.text(LEFT + 24, 760 + 60 * n, "The quick caravan crosses 13 dunes", NAME, color)
        for seat in range(len(SEATS)):
            draw_badge(canvas, seat, LEFT + 60 + 80 * seat, 960)
        for n, mark in enumerate(("1", DRAW)):
            _draw_mark(canvas, mark, LEFT + 60 + 60 * n, 1040)
        canvas.put(bar(*BAR, 60), LEFT + 60, 1100)
        canvas.text(102, 60, "House 0123456789", TITLE)

    return ground_of(f"story {theme}", theme, page + frame(theme.page), draw_samples)

"""Picture and description for games without their own: seats, turn, events and open decisions of any view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec

from engine.core import Action, State, View
from engine.games import discover
from engine.texts import SEAT_COLORS, Text, term
from engine.wording import Voice, say
from renders.canvas import Canvas, Ground
from renders.ending import Card, draw_ending
from renders.grounds import ground_of
from renders.house import Header, draw_badge, draw_gain, draw_header, draw_panel, frame
from renders.lettering import LABEL, NAME, TITLE, wrap
from renders.persons import draw_person
from renders.sprites import fragment
from renders.theme import GOLD, HEIGHT, HOUSE, IVORY, SEATS, WIDTH, Box, Theme
from renders.words import (
    MAX_ALT_CHARS,
    MAX_CHARS,
    clip,
    due_sentence,
    join_with_semicolons,
    result_sentence,
    with_label,
)

LEFT, RIGHT, TOP, BOTTOM = 40, 1040, 150, 1190
LINE_H = 44
MAX_OPTION_CHARS = 2400
"""Maximum number of characters that options take in the long description."""
CARD = Card(32, 1048, 1404)


def paint(view: View[State], labels: Sequence[str], persons: Sequence[str] = ()) -> Canvas:
    """Paint the seats, the player to act, the latest events and the open decisions."""
    theme = theme_of(view.game)
    canvas = Canvas(_ground(theme))
    _draw_paragraphs(canvas, view, labels)
    if not view.outcome:
        _draw_seats(canvas, view, labels, persons)
    badges = tuple(SEAT_COLORS.index(color) if color else None for color in view.colors)
    draw_ending(canvas, view, (labels, persons), badges, CARD, theme)
    draw_header(canvas, view, labels, Header(view.title, (str(Text("Step {n}", n=str(view.ply))),), badges))
    return canvas


def alt(view: View[State], labels: Sequence[str]) -> str:
    """Alt text, at most 1000 characters."""
    words = " ".join(
        [_heading(view, labels), *(text for text, _ in (*_paragraphs(view, labels), *_listing(view, labels)))]
    )
    return clip(words.replace("**", "").replace("\n", " "), MAX_ALT_CHARS)


def tell(view: View[State], labels: Sequence[str]) -> str:
    """Long description in simple Markdown, under 3500 characters, with as many options as fit, one per line."""
    listed_options = "\n".join(_option_lines(view, labels))
    paragraphs = "\n".join([_heading(view, labels), *(text for text, _ in _paragraphs(view, labels))])
    # Cut the paragraphs rather than the options: without them, the text cannot be played from.
    return f"{clip(paragraphs, MAX_CHARS - len(listed_options))}\n{listed_options}".rstrip()


def panels(view: View[State]) -> list[Box]:
    """Panel boxes of all seats."""
    return [panel_box(view.setup.seats, seat) for seat in range(view.setup.seats)]


def _heading(view: View[State], labels: Sequence[str]) -> str:
    heading = "**{game}**, step {n}. {names} are playing."
    return str(Text(heading, game=term(view.title), n=str(view.ply), names=tuple(labels)))


def _paragraphs(view: View[State], labels: Sequence[str]) -> list[tuple[str, bool]]:
    """Paragraphs, each with a flag that marks a heading."""
    events = [(say(event, labels), False) for event in view.events]
    headline = result_sentence(view, labels) if view.outcome else due_sentence(view, labels)
    due = [decision for decision in view.decisions if decision.seat >= 0]
    prompts = [(with_label(labels[d.seat], say(d.prompt, labels, view.viewer)), False) for d in due]
    diagram = view.state.diagram()
    lines = [(line, False) for line in say(diagram, labels).splitlines()] if diagram else []
    return [*lines, *events, (headline, True), *prompts]


def _listing(view: View[State], labels: Sequence[str]) -> list[tuple[str, bool]]:
    """The viewer's options as one paragraph."""
    options = [*map(Voice(labels, state=view.state).label, _options(view))]
    return [(str(Text("Options: {options}.", options=join_with_semicolons(options))), False)] if options else []


def _option_lines(view: View[State], labels: Sequence[str]) -> Iterator[str]:
    """The viewer's options under a heading, one per line with their explanations."""
    voice, options, room = Voice(labels, state=view.state), _options(view), MAX_OPTION_CHARS
    if options:
        yield str(Text("**Options**"))
    for n, option in enumerate(options):
        line = f"- {with_label(voice.label(option), voice.gloss(option))}"
        room -= len(line) + 1
        if room < 0:
            # In Discord's Markdown, `-#` marks small print.
            yield str(Text("-# And {n} more.", n=len(options) - n))
            return
        yield line


def _options(view: View[State]) -> Sequence[Action]:
    own = view.decision_of(view.viewer)
    return view.offered or (own.options if own else ())


def _draw_paragraphs(canvas: Canvas, view: View[State], labels: Sequence[str]) -> None:
    draw_panel(canvas, (LEFT - 8, TOP, RIGHT + 8, BOTTOM), theme_of(view.game))
    y = TOP + 50
    for text, heading in (*_paragraphs(view, labels), *_listing(view, labels)):
        face, color = (NAME, GOLD) if heading else (LABEL, IVORY)
        for words in wrap(text, face, RIGHT - LEFT - 48):
            # The alt text has the part that is cut here.
            if y > BOTTOM - 40:
                return
            canvas.text(LEFT + 24, y, words, face, color)
            y += LINE_H
        y += LINE_H // 2


def _draw_seats(canvas: Canvas, view: View[State], labels: Sequence[str], persons: Sequence[str]) -> None:
    pitch, theme = _pitch(len(labels)), theme_of(view.game)
    for seat, name in enumerate(labels):
        x0, *_ = box = panel_box(len(labels), seat)
        due = seat in view.due
        draw_panel(canvas, box, theme, golden=due, arrow="top" if due else "")
        draw_gain(canvas, box, view.gain(seat))
        if color := view.colors[seat]:
            draw_badge(canvas, SEAT_COLORS.index(color), x0 + 36, 1252)
        canvas.text(x0 + 68, 1252, name, LABEL, room=pitch - 90)
        if persons:
            draw_person(canvas, x0 + 20, 1302, persons[seat], pitch - 46, theme.muted)


def panel_box(seats: int, seat: int) -> Box:
    """Left, top, right and bottom of a seat's panel."""
    x0 = round(32 + seat * _pitch(seats))
    return x0, 1212, round(x0 + _pitch(seats) - 10), 1394


def _pitch(seats: int) -> float:
    # Spread across `SAFE`, with 10 px between panels.
    return (1016 + 10) / seats


def picture_module(game: str) -> str:
    """Name of the module that draws a game, or "" if the game has no picture of its own."""
    spec = discover().get(game)
    return spec.picture if spec is not None and spec.picture else own_picture(game)


def own_picture(game: str) -> str:
    """Name of the module in `renders/games` that draws a game, or "" if there is none."""
    own = find_spec(f"renders.games.{game}")
    # A folder without `__init__.py`, possibly left over from an earlier version, has no origin.
    return own.name if own and own.origin else ""


@lru_cache(maxsize=64)
def theme_of(game: str) -> Theme:
    """`THEME` of the module that draws a game, or `HOUSE` if it has none."""
    name = picture_module(game)
    theme: Theme = getattr(import_module(name), "THEME", HOUSE) if name else HOUSE
    return theme


@lru_cache(maxsize=8)
def _ground(theme: Theme) -> Ground:
    page = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{theme.page}"/>'
    drawing = page + fragment("house") + frame(theme.page)

    def draw_samples(canvas: Canvas) -> None:
        draw_panel(canvas, (LEFT, TOP, RIGHT, BOTTOM), theme, golden=True, arrow="top")
        for n, color in enumerate((IVORY, GOLD, theme.muted)):
            canvas.text(LEFT + 24, TOP + 100 + 60 * n, "The quick caravan crosses 13 dunes", NAME, color)
        for seat in range(len(SEATS)):
            draw_badge(canvas, seat, LEFT + 60 + 80 * seat, BOTTOM - 80)
        canvas.text(102, 60, "House Step 0123456789", TITLE)

    return ground_of(f"plain {theme}", theme, drawing, draw_samples)

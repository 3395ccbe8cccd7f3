"""Paint the whole picture, and the parts shared by both games: figure, movement cards, and a panel per seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from engine.core import View
from engine.texts import Seat, Text, number
from engine.town.data import CARD_COUNTS, Gang, Thief
from engine.town.events import Walked
from engine.town.state import Town
from renders.canvas import Canvas
from renders.ending import Card, draw_ending
from renders.house import Header, draw_badge, draw_gain, draw_header, draw_panel, plate_mark
from renders.lettering import LABEL, NAME, width
from renders.persons import draw_person
from renders.theme import INK, Box
from renders.town.close_up import PANEL, draw_close_up
from renders.town.ground import ground
from renders.town.layout import (
    ROW_LEFT,
    ROW_PITCH,
    ROW_Y,
    SPACE_H,
    SPACE_W,
    center,
    figure,
    figure_r,
    panel_box,
    rows_of,
)
from renders.town.marks import draw_offers, draw_origin
from renders.town.pieces import (
    CHIP,
    COUNT,
    MONEY,
    MONEY_LARGE,
    NUMBER_FACE,
    PURSE,
    TEXT_ON,
    camel,
    hand_card,
    movement_card,
    sand_plate,
    thief_chip,
)
from renders.town.scene import CloseUp, Scene, T
from renders.town.theme import THEME

CHIP_GAP, CHIP_ROW, CHIP_PAD = 4, 48, 8


LARGE_PURSE_SEATS = (2, 3, 4)
"""Numbers of seats with panels large enough for larger purses."""

CARD = Card(208, 872, 1236)


def paint(scene: Scene[T], view: View[T], labels: Sequence[str], persons: Sequence[str] = ()) -> Canvas:
    """Paint the town, not yet mapped to the palette."""
    close_up = _close_up(scene, view)
    # After the end, the result card replaces everything inside the walls.
    canvas = Canvas(ground(scene, None if view.outcome or close_up else scene.furnishing(view.state)))
    if close_up and view.viewer is not None:
        draw_close_up(canvas, close_up, view.offered)
        seat = view.viewer
        _draw_seat(canvas, scene, view, seat, (labels[seat], persons[seat] if persons else None), PANEL)
        draw_row(canvas, view)
    elif not view.outcome:
        scene.draw(canvas, view, labels)
        draw_row(canvas, view)
        draw_panels(canvas, scene, view, labels, persons)
    # Above panels and cards, so that the figure and its marks stay visible.
    draw_origin(canvas, view)
    draw_figure(canvas, view)
    if not close_up:
        draw_offers(canvas, scene, view)
    badges = tuple(range(len(labels)))
    draw_ending(canvas, view, (labels, persons), badges, CARD, scene.theme)
    facts = tuple(str(Text("{fact:^}", fact=fact)) for fact in scene.facts(view.state))
    draw_header(canvas, view, labels, Header(scene.title, facts, badges))
    return canvas


def panels(scene: Scene[T], view: View[T]) -> list[Box]:
    """Panel boxes of all seats; in a close-up, that of the viewer only."""
    if _close_up(scene, view):
        return [PANEL]
    return [panel_box(view.setup.seats, seat) for seat in range(view.setup.seats)]


def _close_up(scene: Scene[T], view: View[T]) -> CloseUp | None:
    """The subject of one person's question, if the picture shows it large in place of the town."""
    return scene.close_up(view) if view.viewer is not None and view.offered else None


def draw_figure(canvas: Canvas, view: View[Town]) -> None:
    """Draw the camel beside its space, with an outline around the space if the camel has just arrived."""
    space = view.state.space
    if any(isinstance(event, Walked) for event in view.events):
        canvas.put(plate_mark(SPACE_W + 4, SPACE_H + 4, 12), *center(space))
    canvas.put(camel(figure_r(space)), *figure(space))


# --- Movement cards --------------------------------------------------------------------------------------------------


def draw_row(canvas: Canvas, view: View[Town]) -> None:
    """Draw the cards played since the last deal, or the viewer's own hand."""
    own = view.viewer is not None
    hands = view.state.cards.hands
    counts = Counter(hands[view.viewer]) if view.viewer is not None else played_counts(view.state)
    canvas.put(sand_plate(112, 52), 186, ROW_Y)
    canvas.text(186, ROW_Y, str(Text("Hand") if own else Text("Played")), LABEL, THEME.text_on_light, "middle", 108)
    for k, (value, all_cards) in enumerate(CARD_COUNTS.items()):
        x, n = ROW_LEFT + k * ROW_PITCH, counts[value]
        canvas.put(movement_card(own=own and n > 0), x, ROW_Y)
        # Values missing from the hand keep their place, but are dulled.
        color = THEME.dull if own and not n else THEME.text_on_light
        canvas.text(x, ROW_Y - 13, str(value), COUNT, color, "middle")
        canvas.text(x, ROW_Y + 14, (f"×{n}" if n else "–") if own else f"{n}/{all_cards}", NUMBER_FACE, color, "middle")


def played_counts(state: Town) -> Counter[int]:
    """Number of cards played since the last deal, by value."""
    return Counter(value for own in state.cards.played for value in own)


# --- Panels ----------------------------------------------------------------------------------------------------------


def draw_panels(canvas: Canvas, scene: Scene[T], view: View[T], labels: Sequence[str], persons: Sequence[str]) -> None:
    """Draw a panel per seat: name, purse, person, number of cards, thieves."""
    for seat, name in zip(map(Seat, range(len(labels))), labels, strict=True):
        names = name, persons[seat] if persons else None
        _draw_seat(canvas, scene, view, seat, names, panel_box(view.state.seats, seat))


def _draw_seat(
    canvas: Canvas, scene: Scene[T], view: View[T], seat: Seat, names: tuple[str, str | None], box: Box
) -> None:
    """Draw the panel of a seat with its name, and that of its person if this picture names persons."""
    name, person = names
    seats, due = view.state.seats, seat in view.due
    rows = rows_of(seats, named=person is not None)
    draw_panel(canvas, box, scene.theme, golden=due, arrow="left" if due else "")
    draw_badge(canvas, seat, box[0] + 38, box[1] + rows.badge)
    purse, face = number(view.state.purses[seat]), MONEY_LARGE if seats in LARGE_PURSE_SEATS else MONEY
    canvas.text(box[2] - 20, box[1] + rows.purse, purse, face, PURSE, "right")
    canvas.text(box[0] + 70, box[1] + rows.name, name, NAME, room=box[2] - box[0] - 100 - width(purse, face))
    if person is not None:
        room = box[2] - box[0] - 90
        draw_person(canvas, box[0] + 70, box[1] + rows.person, person, room, scene.theme.muted)
    canvas.put(hand_card(), box[0] + 38, box[1] + rows.hand)
    canvas.text(box[0] + 40, box[1] + rows.hand + 1, str(len(view.state.cards.hands[seat])), CHIP, INK, "middle")
    draw_gain(canvas, box, view.gain(seat))
    _draw_chips(canvas, scene.thieves(view.state, seat), box, box[1] + rows.hand)


def _draw_chips(canvas: Canvas, thieves: Sequence[Thief], box: Box, top: int) -> None:
    """Draw a seat's thieves as chips. `top` is the center of the first line."""
    # A line begins 22 px above its center.
    for chip, x, row in chips_of(thieves, box[0] + 66, box[2] - 14, (box[3] - top + 22) // CHIP_ROW):
        y = top + row * CHIP_ROW
        canvas.put(thief_chip(chip.gang, chip.width, jewel=chip.jewel), x, y)
        canvas.text(x + (38 if chip.jewel else CHIP_PAD), y, chip.text, CHIP, TEXT_ON[chip.gang])


class Chip(NamedTuple):
    """A plate with a text in a gang's color, optionally with the gang's jewel."""

    gang: Gang
    text: str
    jewel: bool = False

    @property
    def width(self) -> int:
        """Width in px, including the padding."""
        return round(width(self.text, CHIP)) + CHIP_PAD + (38 if self.jewel else CHIP_PAD)


def chips_of(thieves: Sequence[Thief], left: int, right: int, rows: int) -> list[tuple[Chip, int, int]]:
    """One chip per type, or per gang if that would not fit in `rows`. Returns each chip with its left edge and row."""
    # From most to least detailed.
    for chips in (_chips_by_type(thieves), _chips_by_gang(thieves, jewel=True), _chips_by_gang(thieves, jewel=False)):
        places = _flow([chip.width for chip in chips], left, right)
        if not places or places[-1][1] < rows:
            # If nothing fits, the last layout is used anyway.
            break
    return [(chip, x, row) for chip, (x, row) in zip(chips, places, strict=True)]


def _chips_by_type(thieves: Sequence[Thief]) -> list[Chip]:
    """Texts as on the cards, such as `R1` and `B2×3`; the most valuable gang first."""
    ordered = sorted(Counter(thieves).items(), key=lambda held: (-held[0].gang.place, held[0].group))
    return [Chip(thief.gang, with_count(thief, cards)) for thief, cards in ordered]


def _chips_by_gang(thieves: Sequence[Thief], *, jewel: bool) -> list[Chip]:
    counts = Counter(thief.gang for thief in thieves)
    held = [(gang, counts[gang]) for gang in reversed(Gang) if counts[gang]]
    return [Chip(gang, f"{'' if jewel else gang.letter}×{cards}", jewel) for gang, cards in held]


def with_count(thief: Thief, cards: int) -> str:
    """A type as on its cards, with a count above one: `R1`, `B2×3`."""
    return f"{thief}×{cards}" if cards > 1 else str(thief)


def _flow(widths: Sequence[int], left: int, right: int) -> list[tuple[int, int]]:
    """Left edge and row of each chip, in reading order."""
    places, x, row = [], left, 0
    for w in widths:
        # A chip too wide for any row still gets a row.
        if x + w > right and x > left:
            x, row = left, row + 1
        places.append((x, row))
        x += w + CHIP_GAP
    return places

"""The whole picture, and what both games share on it: the figure, movement cards, and a panel per seat."""

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
    ON,
    PURSE,
    camel,
    hand_card,
    movement_card,
    sand_plate,
    thief_chip,
)
from renders.town.scene import Scene, T
from renders.town.theme import THEME

CHIP_GAP, CHIP_ROW, CHIP_PAD = 4, 48, 8


ROOMY = (2, 3, 4)
"""With so many seats the purses are written larger."""

CARD = Card(208, 872, 1236)


def paint(scene: Scene[T], view: View[T], labels: Sequence[str], persons: Sequence[str] = ()) -> Canvas:
    """The town with everything that happens in it, before it is mapped to the palette."""
    # At the end nothing is left to be done in the town.
    canvas = Canvas(ground(scene, None if view.outcome else scene.furnishing(view.state)))
    if not view.outcome:
        scene.draw(canvas, view, labels)
        draw_row(canvas, view)
        draw_panels(canvas, scene, view, labels, persons)
    # Above panels and cards: the figure and its marks must stay visible.
    draw_origin(canvas, view)
    draw_figure(canvas, view)
    draw_offers(canvas, scene, view)
    badges = tuple(range(len(labels)))
    draw_ending(canvas, view, (labels, persons), badges, CARD, scene.theme)
    facts = tuple(str(Text("{fact:^}", fact=fact)) for fact in scene.facts(view.state))
    draw_header(canvas, view, labels, Header(scene.title, facts, badges))
    return canvas


def panels(view: View[Town]) -> list[Box]:
    """The panels of the seats."""
    return [panel_box(view.setup.seats, seat) for seat in range(view.setup.seats)]


def draw_figure(canvas: Canvas, view: View[Town]) -> None:
    """The camel beside its space, which is outlined if the camel has just come."""
    space = view.state.space
    if any(isinstance(event, Walked) for event in view.events):
        canvas.put(plate_mark(SPACE_W + 4, SPACE_H + 4, 12), *center(space))
    canvas.put(camel(figure_r(space)), *figure(space))


# --- Movement cards --------------------------------------------------------------------------------------------------


def draw_row(canvas: Canvas, view: View[Town]) -> None:
    """The cards played since the last deal, or in a private picture the own hand."""
    own = view.viewer is not None
    hands = view.state.cards.hands
    counts = Counter(hands[view.viewer]) if view.viewer is not None else played_counts(view.state)
    canvas.put(sand_plate(112, 52), 186, ROW_Y)
    canvas.text(186, ROW_Y, str(Text("Hand") if own else Text("Played")), LABEL, THEME.text_on_light, "middle", 108)
    for k, (value, all_cards) in enumerate(CARD_COUNTS.items()):
        x, n = ROW_LEFT + k * ROW_PITCH, counts[value]
        canvas.put(movement_card(own=own and n > 0), x, ROW_Y)
        # A value that the own hand lacks stays in its place, but dull.
        color = THEME.dull if own and not n else THEME.text_on_light
        canvas.text(x, ROW_Y - 13, str(value), COUNT, color, "middle")
        canvas.text(x, ROW_Y + 14, (f"×{n}" if n else "–") if own else f"{n}/{all_cards}", NUMBER_FACE, color, "middle")


def played_counts(state: Town) -> Counter[int]:
    """Value -> cards played since the last deal."""
    return Counter(value for own in state.cards.played for value in own)


# --- Panels ----------------------------------------------------------------------------------------------------------


def draw_panels(canvas: Canvas, scene: Scene[T], view: View[T], labels: Sequence[str], persons: Sequence[str]) -> None:
    """A panel per seat: name, purse, person, size of the hand, thieves."""
    seats = view.state.seats
    rows = rows_of(seats, named=bool(persons))
    for seat, name in zip(map(Seat, range(len(labels))), labels, strict=True):
        box = panel_box(seats, seat)
        due = seat in view.due
        draw_panel(canvas, box, scene.theme, golden=due, arrow="left" if due else "")
        draw_badge(canvas, seat, box[0] + 38, box[1] + rows.badge)
        purse, face = number(view.state.purses[seat]), MONEY_LARGE if seats in ROOMY else MONEY
        canvas.text(box[2] - 20, box[1] + rows.purse, purse, face, PURSE, "right")
        canvas.text(box[0] + 70, box[1] + rows.name, name, NAME, room=box[2] - box[0] - 100 - width(purse, face))
        if persons:
            room = box[2] - box[0] - 90
            draw_person(canvas, box[0] + 70, box[1] + rows.person, persons[seat], room, scene.theme.muted)
        canvas.put(hand_card(), box[0] + 38, box[1] + rows.hand)
        canvas.text(box[0] + 40, box[1] + rows.hand + 1, str(len(view.state.cards.hands[seat])), CHIP, INK, "middle")
        draw_gain(canvas, box, view.gain(seat))
        _draw_chips(canvas, scene.thieves(view.state, seat), box, box[1] + rows.hand)


def _draw_chips(canvas: Canvas, thieves: Sequence[Thief], box: Box, top: int) -> None:
    """What a seat has, on chips from `top` on, the middle of their first line."""
    # A line begins 22 px above its middle.
    for chip, x, row in chips_of(thieves, box[0] + 66, box[2] - 14, (box[3] - top + 22) // CHIP_ROW):
        y = top + row * CHIP_ROW
        canvas.put(thief_chip(chip.gang, chip.width, jewel=chip.jewel), x, y)
        canvas.text(x + (38 if chip.jewel else CHIP_PAD), y, chip.text, CHIP, ON[chip.gang])


class Chip(NamedTuple):
    """A plate with a text in the color of a gang, perhaps behind its jewel."""

    gang: Gang
    text: str
    jewel: bool = False

    @property
    def width(self) -> int:
        """From edge to edge, in px."""
        return round(width(self.text, CHIP)) + CHIP_PAD + (38 if self.jewel else CHIP_PAD)


def chips_of(thieves: Sequence[Thief], left: int, right: int, rows: int) -> list[tuple[Chip, int, int]]:
    """A chip per type, or per gang where they would take more rows; each with its left edge and its row."""
    # From most to least detail.
    for chips in (_by_type(thieves), _by_gang(thieves, jewel=True), _by_gang(thieves, jewel=False)):
        places = _flow([chip.width for chip in chips], left, right)
        if not places or places[-1][1] < rows:
            # The last one is taken whether it fits or not.
            break
    return [(chip, x, row) for chip, (x, row) in zip(chips, places, strict=True)]


def _by_type(thieves: Sequence[Thief]) -> list[Chip]:
    """`R1` and `B2×3`, as on the cards; the dearest gang first."""
    ordered = sorted(Counter(thieves).items(), key=lambda held: (-held[0].gang.place, held[0].group))
    return [Chip(thief.gang, with_count(thief, cards)) for thief, cards in ordered]


def _by_gang(thieves: Sequence[Thief], *, jewel: bool) -> list[Chip]:
    counts = Counter(thief.gang for thief in thieves)
    held = [(gang, counts[gang]) for gang in reversed(Gang) if counts[gang]]
    return [Chip(gang, f"{'' if jewel else gang.letter}×{cards}", jewel) for gang, cards in held]


def with_count(thief: Thief, cards: int) -> str:
    """A type as on its cards, and how many of them if there are several: `R1`, `B2×3`."""
    return f"{thief}×{cards}" if cards > 1 else str(thief)


def _flow(widths: Sequence[int], left: int, right: int) -> list[tuple[int, int]]:
    """Left edge and row of each of several chips."""
    places, x, row = [], left, 0
    for w in widths:
        # A chip too wide for any row still gets one.
        if x + w > right and x > left:
            x, row = left, row + 1
        places.append((x, row))
        x += w + CHIP_GAP
    return places

"""The picture of Jinns of the Lake and its text descriptions."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from itertools import combinations, islice, takewhile

import pytest
from PIL import Image, ImageChops

import renders
from engine.core import OptionValue, View
from engine.games.jinns import GAME
from engine.games.jinns.events import Moved, SharedTower, TookTower
from engine.games.jinns.pawns import COLORS, Color, Pawn, Pile
from engine.games.jinns.ring import SQUARES
from engine.games.jinns.state import Jinns
from engine.texts import Seat
from renders.games.jinns import paint
from renders.games.jinns.ground import GHOST_RIM, crown, ghost, storey
from renders.games.jinns.layout import (
    BAR_H,
    CHIP_W,
    PLINTH_H,
    REPETITION_BOX,
    STYLE,
    chip_places,
    foot,
    panel_box,
    pile_height,
)
from renders.games.jinns.panels import subtitle
from renders.games.jinns.piles import gains
from renders.games.jinns.shore import squares_counted
from renders.games.jinns.theme import THEME
from renders.lettering import LABEL, SMALL, width
from renders.sprites import rgb
from renders.theme import IVORY, SEATS
from tests.games.jinns_positions import fresh, table
from tests.renders.blessed import recorded_view
from tests.renders.color_vision import contrast
from tests.renders.positions import (
    Box,
    WrittenLine,
    alt_of,
    boxes_touch,
    image_of,
    is_inside_margin,
    play_randomly,
    views_of,
)

LONG_NAMES = ("Maximilian the Great", "Anna-Katharina", "Wu", "Xenophon of Athens")

SEATS_OF = pytest.mark.parametrize("seats", GAME.seats)


matches, views, at = partial(play_randomly, GAME), partial(views_of, GAME), partial(recorded_view, "jinns")


def picture(view: View) -> Image.Image:
    return image_of(renders.draw(view, labels(view))).convert("RGB")


def board(view: View) -> Jinns:
    assert isinstance(view.state, Jinns)
    return view.state


def labels(view: View) -> tuple[str, ...]:
    return GAME.seat_names(view.setup)


# --- legibility ---


def test_every_pile_stays_inside_the_margin_and_off_other_squares() -> None:
    """Three storeys under the tallest dome reach just up to the plinth above."""
    boxes = []
    for square in range(SQUARES):
        x, y = foot(square)
        boxes.append((x - 46, y - pile_height(3, 3) + 1, x + 46, y + PLINTH_H))
    assert all(map(is_inside_margin, boxes))
    assert not any(boxes_touch(one, other) for one, other in combinations(boxes, 2))


@pytest.mark.parametrize(
    ("text", "behind"),
    [(IVORY, THEME.plinth), (GHOST_RIM, THEME.empty), (THEME.muted, THEME.panel), (IVORY, THEME.panel)],
)
def test_text_contrasts_with_its_background(text: str, behind: str) -> None:
    assert contrast(text, behind) >= 4.5


@pytest.mark.parametrize("color", COLORS)
@pytest.mark.parametrize("strength", [1, 2, 3, 4])
def test_the_strength_equals_the_number_of_domes(color: Color, strength: int) -> None:
    mask = crown(color, strength).coverage
    column = [next((y for y in range(mask.height) if solid(mask, x, y)), mask.height) for x in range(mask.width)]
    tips = [x for x, y in enumerate(column) if y < mask.height and y == min(column[max(0, x - 6) : x + 7])]
    apart = [x for n, x in enumerate(tips) if n == 0 or x - tips[n - 1] > 6]
    assert strength == len(apart)


def solid(mask: Image.Image, x: int, y: int) -> bool:
    value = mask.getpixel((x, y))
    return isinstance(value, int) and value > 128


def test_the_colors_are_distinguishable_by_pattern_alone() -> None:
    """The storeys differ on both sides of the letter, with every color in the same two tones."""
    sides = []
    for color in COLORS:
        picture, fill = storey(Pawn(color, 1), 0).picture.convert("RGB"), rgb(SEATS[STYLE[color]].fill)
        side = picture.crop((6, 6, 26, BAR_H - 5))
        sides.append(
            ImageChops.difference(side, Image.new("RGB", side.size, fill)).convert("L").point(lambda v: v > 60 and 255)
        )
    for one, other in combinations(sides, 2):
        shared, both = ImageChops.darker(one, other), ImageChops.lighter(one, other)
        assert sum(shared.histogram()[1:]) < 0.7 * sum(both.histogram()[1:])


# --- marks ---


def test_the_route_of_a_move_passes_one_pile_fewer_than_its_strength() -> None:
    for match in matches(3, 5):
        view = match.view(None)
        for event in view.events:
            if isinstance(event, Moved):
                route = squares_counted(board(view), event)
                assert route is not None
                assert event.pawns.top.strength == len(route[1]) + 1


def test_the_last_move_is_marked_at_both_ends() -> None:
    match = next(match for match in matches(3, 6) if match.state.moves == 5)  # type: ignore[attr-defined]
    seen, bare = match.view(None), match.view(None, since=match.ply)
    apart = ImageChops.difference(picture(seen), picture(bare))
    (move,) = (event for event in seen.events if isinstance(event, Moved))
    for square in (move.origin, move.target):
        x, y = foot(square)
        assert apart.crop((round(x) - 52, round(y) - 60, round(x) + 52, round(y) + 40)).getbbox()


# --- a position that comes again ---

AGAIN = [
    pytest.param("2-repetition", 84, 2, id="two seats"),
    pytest.param("3-repetition-draft", 86, 2, id="three seats, with a neutral color"),
    pytest.param("4-repetition", 67, 2, id="four seats"),
]
SECOND = "This position has come up for the second time; the third ends the game."


@pytest.mark.parametrize(("name", "ply", "times"), AGAIN)
def test_the_number_of_occurrences_of_a_position_is_drawn_under_the_moon(name: str, ply: int, times: int) -> None:
    view = at(name, ply)
    assert times == view.state.times
    box = plate_of(view)
    assert box is not None
    assert (
        box[0] >= REPETITION_BOX[0],
        box[1] >= REPETITION_BOX[1],
        box[2] <= REPETITION_BOX[2],
        box[3] <= REPETITION_BOX[3],
    ) == (True,) * 4
    assert (box[2] - box[0], box[3] - box[1]) > (400, 70)


def plate_of(view: View) -> Box | None:
    """Bounding box of the plate about repetition, below the header: the difference from the position's first
    occurrence.
    """
    once = replace(view, state=replace(view.state, record=((view.state.turn, view.state.board),)))
    apart = ImageChops.difference(picture(view), picture(once))
    apart.paste((0, 0, 0), (0, 0, apart.width, 140))
    return apart.getbbox()


@pytest.mark.parametrize(("name", "ply", "times"), AGAIN)
def test_the_text_on_the_repetition_plate_does_not_overlap(
    name: str, ply: int, times: int, written_lines: list[WrittenLine]
) -> None:
    view = at(name, ply)
    canvas = paint(view, LONG_NAMES[: view.setup.seats])
    boxes = [line.box for line in written_lines if line.canvas is canvas]
    x0, y0, x1, y1 = REPETITION_BOX
    on_plate = [box for box in boxes if x0 < box[0] and box[2] < x1 and y0 < box[1] and box[3] < y1]
    assert 2 == len(on_plate)
    assert [] == [(one, other) for one, other in combinations(boxes, 2) if boxes_touch(one, other)]


def test_the_first_occurrence_of_a_position_is_not_mentioned() -> None:
    view = at("2-repetition", 83)
    assert (1, None) == (view.state.times, plate_of(view))
    assert not any(
        "This position has come" in words for words in (alt_of(view, LONG_NAMES), renders.tell(view, LONG_NAMES))
    )


def test_the_descriptions_state_the_number_of_occurrences_of_a_position() -> None:
    for view in (at("2-repetition", 84), at("2-repetition", 84, offered="")):
        assert [1, 1] == [
            text.count(SECOND) for text in (alt_of(view, LONG_NAMES[:2]), renders.tell(view, LONG_NAMES[:2]))
        ]


def test_the_description_respects_a_repetition_limit_of_two() -> None:
    state = table({0: "Y4 B1", 5: "R4"}, turn=1, repetition_limit=2).play("move 0 1 5", "move 5 1 0").state
    setup = GAME.setup(2, {"repetition_limit": 2})
    view = View("jinns", GAME.title, GAME.seat_colors(setup), setup, None, 2, state, (), (), state.outcome())
    assert "This position has come up for the second time. " in alt_of(view, LONG_NAMES[:2])


# --- the descriptions ---

PILE = r"((?:[YBRG][1-4])+)"
"""A pile in the short description, from bottom to top."""


def short_pile(pile: Pile) -> str:
    return str(pile).replace(" ", "")


@SEATS_OF
def test_the_short_description_contains_the_whole_position_in_1000_characters(seats: int) -> None:
    for view in views(seats, 7, step=5):
        for names in (labels(view), LONG_NAMES[:seats]):
            alt, state = alt_of(view, names), board(view)
            assert len(alt) <= 1000
            assert not alt.endswith("…")
            piles = {int(square): pile for square, pile in re.findall(rf"(\d+) {PILE}[;.]", alt)}
            assert piles == {n: short_pile(pile) for n, pile in enumerate(state.board) if pile}
            taken_piles = [pile for text in re.findall(r"took ([^.]*)\.", alt) for pile in text.split("; ")]
            assert taken_piles == [short_pile(pile) for piles in state.taken_piles for pile in piles]


@pytest.mark.parametrize(
    ("seats", "options"),
    [(2, {}), (2, {"edition": "later"}), (3, {"colors": "draft"}), (4, {"team_score": True})],
    ids=str,
)
def test_the_long_description_is_complete_and_short_enough(seats: int, options: dict[str, OptionValue]) -> None:
    for view in views(seats, 8, step=5, **options):
        description, state = renders.tell(view, LONG_NAMES[:seats]), board(view)
        assert len(description) < 3400
        assert not description.endswith("…")
        assert rows_of_piles(description) == {n: pile for n, pile in enumerate(state.board) if pile}
        for seat in map(Seat, range(seats)):
            points = f"{state.score(seat)} = {state.taken_points(seat)} taken + {state.lake_points(seat)} on the lake"
            assert points in description
        taken_piles = [
            parse_pile(pile) for text in re.findall(r"Took ([^.]*)\.", description) for pile in text.split("; ")
        ]
        assert taken_piles == [pile for piles in state.taken_piles for pile in piles]


def rows_of_piles(description: str) -> dict[int, Pile]:
    """The lake, parsed from the long description."""
    return {int(square): parse_pile(pile) for square, pile in re.findall(r"^(\d+): (.*)$", description, re.MULTILINE)}


def parse_pile(words: str) -> Pile:
    """Parse `Y3 over G1 and B4`, from top to bottom."""
    return Pile.parse(" ".join(reversed(re.findall(r"[YBRG]\d", words))))


def test_the_help_for_typed_moves_with_partners_explains_the_words_for_towers() -> None:
    text = renders.tell(table({0: "Y1", 5: "R3 B2", 9: "G1"}, seats=4).match.view(None), LONG_NAMES)
    assert "square they land on, then leave or take for a tower, as in `move 0 1 5 leave`." in text


def test_the_long_description_lists_the_pawns_left_to_place() -> None:
    text = renders.tell(at("3-no-moves", 1), ("Yellow", "Blue", "Red"))
    assert re.search(r"Yellow pawns left: (Y\d ×\d(, | and )?)+\.", text)
    assert "Colors of the squares to come: 1 to 3 yellow; 4 to 5 green; 6 to 9 blue; 10 to 11 green;" in text


def test_the_points_of_partners_stay_whole_beside_a_long_name() -> None:
    line = subtitle(table({0: "B4", 5: "Y1 G3"}, seats=4, team_score=True).state, LONG_NAMES, Seat(1), 200)
    assert ("+ Xen", "… = 10") == (line[:5], line[-6:])
    assert 200 >= width(line, SMALL)


def test_the_descriptions_add_up_the_points_of_partners() -> None:
    t = table({0: "B4", 5: "Y1 G3"}, seats=4, team_score=True, taken={0: "R3 G4", 1: "B1 Y3"})
    text, points = renders.tell(t.match.view(None), ("Ana", "Ben", "Caro", "Dan")), t.scores
    together = {f"(together {points[0] + points[2]})", f"(together {points[1] + points[3]})"}
    assert together == set(re.findall(r"\(together \d+\)", text))


def test_a_tower_that_was_just_taken_has_a_bright_edge_in_the_panel() -> None:
    match = next(m for m in matches(2, 9) if any(isinstance(event, TookTower) for event in m.view(None).events))
    taker = next(event.seat for event in match.view(None).events if isinstance(event, TookTower))
    seen, bare = (picture(replace(match.view(None, since=since), gains=())) for since in (None, match.version))
    changed = ImageChops.difference(seen, bare).crop(panel_box(2, taker)).getbbox()
    x, y = chip_places(2)[len(match.view(None).state.taken_piles[taker]) - 1]
    assert changed is not None
    assert (x <= changed[0], y <= changed[1], changed[2] <= x + CHIP_W, changed[3] <= y + 42) == (True,) * 4


@pytest.mark.parametrize("placed", [0, 12])
def test_the_short_description_lists_the_pawns_left_to_place_and_explains_piles(placed: int) -> None:
    match = next(m for m in matches(4, 1, setup="placement") if m.state.placed == placed)  # type: ignore[attr-defined]
    assert re.search(r"\w+ pawns left: (\w\d ×\d(, | and )?)+\.", alt_of(match.view(None), LONG_NAMES[:4]))
    assert ("Piles from bottom to top: " in alt_of(match.view(None), LONG_NAMES[:4])) == bool(placed)


def test_a_tower_that_is_worth_nothing_shows_that(written_lines: list[WrittenLine]) -> None:
    t = table({0: "Y4 B1", 5: "R4"}, seats=3, neutral_tower="zero", taken={0: "Y1 G3"})
    paint(t.match.view(None), t.match.names)
    chips = [line.text for line in written_lines if line.size == LABEL.size and line.text == "0"]
    assert ["0"] == chips


def test_the_mark_of_a_choice_surrounds_the_pawns_that_will_certainly_move() -> None:
    view = table({0: "Y1 B3 R1", 5: "G1"}).match.view(Seat(0))
    one, two = (next(o for o in view.decisions[0].options if o.take == take) for take in (1, 2))
    top, both, open_ = (picture(replace(view, offered=offered)) for offered in ((one,), (two,), (one, two)))
    assert ImageChops.difference(top, both).getbbox()
    assert top.tobytes() == open_.tobytes()


@pytest.mark.parametrize(("setup", "ghosts"), [("random", 0), ("placement", SQUARES)])
def test_only_a_layout_by_players_shows_the_colors_of_pawns_to_come(setup: str, ghosts: int) -> None:
    canvas = paint(fresh(4, setup=setup).match.view(None), LONG_NAMES)
    assert ghosts == sum(layer.sprite in {ghost(color) for color in COLORS} for layer in canvas.layers)


def test_only_piles_that_the_last_move_brought_are_new() -> None:
    brought = 0
    for match in islice(matches(4, 9), 90):
        seen = [(event, isinstance(event, Moved)) for event in match.view(None, since=0).events]
        last = [event for event, _ in takewhile(lambda pair: not pair[1], reversed(seen))]
        takers = {event.seat for event in last if isinstance(event, TookTower | SharedTower)}
        takers |= {event.partner for event in last if isinstance(event, SharedTower)}
        assert takers == set(gains(match.view(None, since=0)))
        brought += bool(takers)
    assert brought


@pytest.mark.parametrize("count", [1, 12, 13, 30])
def test_the_piles_in_a_panel_add_up_to_the_points_that_were_taken(
    count: int, written_lines: list[WrittenLine]
) -> None:
    """Those that do not fit are one sum."""
    piles = ("B1 Y3", "G4", "R1 G1 Y2")
    t = table({0: "B4", 5: "Y1"}, taken={0: ", ".join(piles[n % 3] for n in range(count))})
    written_lines.clear()
    paint(t.match.view(None), t.match.names)
    chips = [
        line for line in written_lines if re.fullmatch(r"\+\d+|\d×\d=\d+|0", line.text) and line.size == LABEL.size
    ]
    assert min(count, len(chip_places(2))) == len(chips)
    assert sum(int(re.split(r"[+=]", line.text)[-1]) for line in chips) == t.state.taken_points(Seat(0))


def test_a_move_has_the_symbol_of_the_pawn_on_top() -> None:
    t = table({0: "Y1 B3", 5: "R1", 9: "G1", 12: "R2", 20: "Y2"}, turn=1)
    option = next(option for option in t.decision.options if option.square == 0)  # type: ignore[attr-defined]
    assert renders.piece("jinns", Color("B")) == renders.symbol("jinns", t.state, option)

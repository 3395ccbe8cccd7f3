"""The picture of Dance of Muses and its text descriptions. Leaks are tested with the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import pytest

import renders
from engine.core import Action, Event, View
from engine.games.muses import GAME
from engine.games.muses.actions import Place, Power, Step
from engine.games.muses.cells import Way, cell_at, cell_name
from engine.games.muses.events import BonusWon, DiceSwapped, DieTurned, HandBegan, Pushed, RanksWon, Stepped
from engine.games.muses.floor import Floor
from engine.games.muses.scoring import NOBODY
from engine.games.muses.state import Muses
from engine.games.muses.tiles import FIRST_HIDDEN, NUMBERS, TILE_NAMES, TILE_NAMES_FIRST, TILES, Tile
from engine.games.muses.words import step_name
from engine.match import Match
from engine.texts import Seat
from engine.wording import Voice, say
from renders.games.muses import paint
from renders.games.muses.board import legend_lines
from renders.games.muses.ground import DIM
from renders.games.muses.layout import (
    explained_muses,
    grid_of,
    own_hand,
    scene_of,
)
from renders.games.muses.marks import former_values, origins, targets
from renders.games.muses.panels import members, rank_word
from renders.games.muses.theme import THEME
from renders.games.muses.tiles import NEUTRAL_FILL, face_down, short_owner
from renders.theme import INK, SEATS
from renders.words import clip, word
from tests.games.muses_positions import table
from tests.renders.color_vision import color_distance, contrast
from tests.renders.positions import WrittenLine, alt_of, boxes_touch, play_randomly, views_of

LONG_NAMES = ("Maximilian the Great", "Anna-Katharina", "Wu", "Xenophon of Athens")

SEATS_OF = pytest.mark.parametrize("seats", GAME.seats)


matches, views = partial(play_randomly, GAME), partial(views_of, GAME)


def labels(view: View[Muses]) -> tuple[str, ...]:
    return GAME.seat_names(view.setup)


def test_the_neutral_die_stands_out_from_all_companies_for_every_kind_of_vision() -> None:
    fills = [style.fill for style in SEATS[:3]]
    for sight in ("normal", "protanopia", "deuteranopia", "tritanopia"):
        assert min(color_distance(NEUTRAL_FILL, fill, sight) for fill in fills) >= 15, sight


@pytest.mark.parametrize(
    ("text", "on"),
    [
        (THEME.emblem, INK),
        (THEME.muted, THEME.cloth),
        (THEME.muted, THEME.panel),
        (THEME.emblem, THEME.tile),
        (INK, NEUTRAL_FILL),
        (DIM, THEME.panel),
    ],
)
def test_text_and_emblems_contrast_with_their_background(text: str, on: str) -> None:
    assert contrast(text, on) >= 4.5


# --- layout ---


def boards() -> Iterator[tuple[View[Muses], tuple[str, ...]]]:
    for seats in GAME.seats:
        for view in views(seats, 7, step=9):
            yield view, labels(view)
            yield view, LONG_NAMES[:seats]
    for view in stretched_dances():
        yield view, labels(view)


def stretched_dances() -> Iterator[View[Muses]]:
    """Dances of nine tiles with the maximum height and width, in public and with a seat's options."""
    for shape in ([(n, n) for n in range(9)], [(n, 0) for n in range(9)], [(0, n) for n in range(9)]):
        match = next(m for m in matches(3, 5) if m.state.turns == 2)  # type: ignore[attr-defined]
        state = match.state
        assert isinstance(state, Muses)
        floor = state.floor
        cells = tuple(cell_at(x, y) for x, y in shape)
        match.state = replace(state, floor=Floor(floor.tiles, cells, floor.values, floor.colors))
        (decision,) = match.state.decisions()
        yield match.view(None, since=match.ply)
        yield match.view(decision.seat, since=match.ply, offered=decision.options)


def test_no_coordinate_or_legend_line_overlaps_a_tile(written_lines: list[WrittenLine]) -> None:
    for view, names in boards():
        if view.outcome:
            continue  # the result card covers some of them
        written_lines.clear()
        paint(view, names)
        scene = scene_of(view)
        grid = grid_for(view)
        half = grid.tile / 2
        tiles = [(x - half, y - half, x + half, y + half) for x, y in map(grid.center, scene.floor.cells)]
        for line in (
            line for line in written_lines if "→" not in line.text
        ):  # the plate with a die's change is on its tile
            assert not any(boxes_touch(line.box, (round(a), round(b), round(c), round(d))) for a, b, c, d in tiles), (
                line
            )


def grid_for(view: View[Muses]):  # type: ignore[no-untyped-def]  # a Grid
    scene = scene_of(view)
    emptied = [number for number, _ in origins(view, scene)]
    return grid_of((*scene.floor.cells, *emptied, *targets(view)), legend_lines(explained_muses(view, scene)))


def test_coordinates_match_those_of_the_commands() -> None:
    for view in views(3, 3, step=3):
        grid = grid_for(view)
        columns, rows = dict(grid.column_labels()), dict(grid.row_labels())
        for number in (*scene_of(view).floor.cells, *targets(view)):
            x, y = grid.center(number)
            assert cell_name(number).label == columns[x] + rows[y]


def test_all_face_down_tiles_look_the_same_except_for_their_name() -> None:
    """The sprite is made from the owner's name alone."""
    below = [face_down(owner, 165, "") for owner in (*LONG_NAMES, "Neutral")]
    upper = [sprite.picture.crop((0, 0, sprite.width, 124)).tobytes() for sprite in below]
    assert 1 == len(set(upper))


def test_teammates_keep_their_numbers_on_small_tiles() -> None:
    assert [" 1", " 2"] == [short_owner(f"Rouge {n}", 60)[-2:] for n in (1, 2)]


# --- marks ---


def test_the_target_cells_of_a_carried_muse_are_marked() -> None:
    t = table({"clio": "0,0 r3", "calliope": "1,0 b2", "erato": "2,0 n5", "urania": "1,1 r2"}, has_moved="urania")
    carrying = tuple(option for option in t.decision.options if isinstance(option, Power) and option.on.cell)
    marked = {cell_name(number) for number in targets(t.match.view(t.due, offered=carrying))}
    assert carrying
    assert {option.on.cell for option in carrying} <= marked


def test_a_hand_is_shown_only_to_its_owner() -> None:
    match = next(iter(matches(3, 4)))
    assert [3, 0] == [len(own_hand(match.view(viewer))) for viewer in (match.state.decisions()[0].seat, None)]


def test_the_arrow_of_a_push_starts_at_the_cell_left_empty() -> None:
    match = next(m for m in matches(4, 6) if any(isinstance(e, Pushed) for e in m.view(None).events))
    view = match.view(None)
    (emptied,) = [number for number, way in origins(view, scene_of(view)) if way is not None]
    pushed = next(event for event in view.events if isinstance(event, Pushed))
    assert pushed.origin == cell_name(emptied)
    assert emptied not in scene_of(view).floor.cells
    assert len(paint(view, labels(view)).layers) > 40


def test_the_public_sees_the_finished_hand_until_the_next_layout_starts() -> None:
    """Players' own pictures already show their next hand."""
    match = next(m for m in matches(2, 8) if m.state.hand == 2)  # type: ignore[attr-defined]
    assert scene_of(match.view(None)).finished
    assert not scene_of(match.view(match.state.decisions()[0].seat)).finished
    match.play(match.state.decisions()[0].seat, match.state.decisions()[0].options[0])
    assert not scene_of(match.view(None)).finished


def test_ranks_are_shown_as_the_rules_count_them() -> None:
    for view in views(3, 11, step=6):
        scene = scene_of(view)
        for rank, winner in enumerate(scene.ranking.winners):
            words = [rank_word(scene, company, rank) for company in range(3)]
            assert (winner == NOBODY) == (words.count("tie") >= 2), words
            if winner != NOBODY:
                assert words[winner].startswith("+")


@SEATS_OF
def test_ranks_and_bonus_of_a_finished_hand_are_shown_as_paid(seats: int) -> None:
    bonuses: list[int] = []
    for view in (match.view(None) for seed in range(4) for match in matches(seats, seed)):
        ranks = {event.company: event.ranks for event in view.events if isinstance(event, RanksWon)}
        bonus = {event.company: event.points for event in view.events if isinstance(event, BonusWon)}
        bonuses += bonus.values()
        if ranks:
            scene = scene_of(view)
            assert scene.finished
            for company, dice in enumerate(scene.ranking.dice):
                words = [rank_word(scene, company, rank) for rank in range(len(dice))]
                won = {rank: int(word) for rank, word in enumerate(words, 1) if word.startswith("+")}
                assert ranks.get(company, ()) == tuple(won)
                assert len(won) + bonus.get(company, 0) == sum(won.values())
    assert {1, 2} == set(bonuses)


# --- the end after 200 turns ---


def after_turns(match: Match, turns: int) -> View[Muses]:
    """The public view of a dance after `turns` turns."""
    state = match.state
    assert isinstance(state, Muses)
    match.state = replace(state, turns=turns)
    view = match.view(None)
    match.state = state
    return view


@SEATS_OF
def test_picture_and_descriptions_count_down_the_last_20_turns_of_a_hand(
    seats: int, written_lines: list[WrittenLine]
) -> None:
    match = next(m for m in matches(seats, 5) if m.state.turns == 2)  # type: ignore[attr-defined]
    for turns in (0, 2, 179, 180, 181, 198, 199, 200):
        view, turns_left = after_turns(match, turns), 200 - turns
        words = "last turn" if turns_left == 1 else f"at most {turns_left} turns left"
        words = words if 1 <= turns_left <= 20 else ""
        briefly = words.removeprefix("at most ")
        written_lines.clear()
        paint(view, labels(view))
        header = [line.text for line in written_lines if re.search(r"turns? left|last turn", line.text, re.IGNORECASE)]
        assert bool(words) == len(header)
        assert all(briefly in line.lower() for line in header)
        for text in (alt_of(view, labels(view)), renders.tell(view, labels(view))):
            assert words in text
            assert bool(words) == bool(re.search(r"turns? left|last turn", text))


# --- text descriptions ---


Tiles = dict[str, tuple[str, str]]
"""Cell and die, such as `R3`, by the tile's name."""


def read_alt(alt: str) -> Tiles:
    """The tiles, parsed from the short description."""
    parts = (re.findall(r"Tiles \(suns\), cell, die: (.*?)\.", alt) or [""])[0].split("; ")
    shape = re.compile(r"(.+?)(?:\(\d\)|, [A-Z][a-z]+\(\d\))? ([A-Z]+\d+) ([RBYN]\d)")
    parsed = [match for part in parts if (match := shape.fullmatch(part))]
    return {name.removeprefix("the "): (where, die) for name, where, die in (match.groups() for match in parsed)}


def read_tale(text: str) -> Tiles:
    """The tiles, parsed from the rows of the long description."""
    parts = [part for row in re.findall(r"^Row \d+: (.*)$", text, re.MULTILINE) for part in row.split("; ")]
    shape = re.compile(r"([A-Z]+\d+) (.+?)(?: \([^)]*\))?, (Red|Blue|Yellow|Neutral) die (\d)")
    parsed = [match.groups() for part in parts if (match := shape.fullmatch(part))]
    return {name.removeprefix("the "): (where, color[0] + value) for where, name, color, value in parsed}


def truth(state: Muses, names: Sequence[str]) -> Tiles:
    letters = {-1: "N", 0: "R", 1: "B", 2: "Y"}
    floor = state.floor
    rows = zip(floor.tiles, floor.cells, floor.values, floor.colors, strict=True)
    return {
        say(TILE_NAMES[TILES[number]], names).removeprefix("the "): (
            cell_name(where).label,
            f"{letters[color]}{value}",
        )
        for number, where, value, color in rows
    }


def lists_option(text: str, state: Muses, names: Sequence[str], action: Action) -> bool:
    """Whether the long description lists this option."""
    lines = text.partition("**Options**\n")[2].splitlines()
    if isinstance(action, Place):
        start = f"{action.muse.label} {action.face.label} on "
        return any(line.startswith(start) and action.cell.label in line[len(start) :].split(", ") for line in lines)
    if isinstance(action, Step):
        name = say(TILE_NAMES_FIRST[action.muse], names)
        way = say(step_name(state, action), names).removeprefix(name)
        return any(line.startswith(name) and re.search(rf"{way}\b", line) for line in lines)
    return any(Voice(names, state=state).label(action) in line.split("; ") for line in lines)


@SEATS_OF
def test_the_short_description_contains_the_whole_position_in_1000_characters(seats: int) -> None:
    for view in views(seats, 1, step=3):
        alt = alt_of(view, LONG_NAMES[:seats])
        assert len(alt) <= 1000
        assert not alt.endswith("…"), "nothing is cut off"
        assert truth(view.state, [clip(name, 12) for name in LONG_NAMES]) == read_alt(alt)
        for muse in own_hand(view):
            assert TILES[muse].label in alt.partition("You hold")[2]
        for tile_number in view.state.floor.tiles:
            if tile_number < FIRST_HIDDEN:
                assert f"{TILES[tile_number].label}({view.state.muse_table.suns[tile_number]})" in alt


@SEATS_OF
def test_the_long_description_contains_the_position_the_powers_and_all_options(seats: int) -> None:
    for view in views(seats, 5, step=4):
        text = renders.tell(view, labels(view))
        assert len(text) < 3500
        assert truth(view.state, labels(view)) == read_tale(text)
        for tile_number in view.state.floor.tiles:
            if tile_number < FIRST_HIDDEN:
                assert say(view.state.muse_table.summary(tile_number)) in text
        for action in {action for decision in view.decisions for action in decision.options}:
            assert lists_option(text, view.state, labels(view), action), action


def test_the_longest_texts_stay_within_their_limits() -> None:
    for view in views(4, 9, step=5, neutral_face_4p="down", hands=3, diagonal_slide=True):
        alt, text = alt_of(view, LONG_NAMES), renders.tell(view, LONG_NAMES)
        assert len(alt) <= 1000
        assert len(text) < 3400, "nothing is cut off"
        assert not re.search(r"hidden[0-9N]|_", alt + text)


@SEATS_OF
def test_a_changed_die_shows_its_old_and_new_value(seats: int, written_lines: list[WrittenLine]) -> None:
    before, since, seen = {}, 0, 0
    for match in matches(seats, 7):
        view = match.view(None, since=since)
        if match.outcome or scene_of(view).finished:
            break
        floor = match.state.floor  # type: ignore[attr-defined]
        now = dict(zip(floor.tiles, floor.values, strict=True))
        if any(isinstance(event, HandBegan) for event in view.events):
            before = {}
        changed = [f"{before[tile]}→{value}" for tile, value in now.items() if before.get(tile, value) != value]
        if changed:
            written_lines.clear()
            paint(view, LONG_NAMES[:seats])
            assert sorted(changed) == sorted(line.text for line in written_lines if re.fullmatch(r"\d→\d", line.text))
            seen += len(changed)
        before, since = now, match.version
    assert seen


@SEATS_OF
def test_the_descriptions_state_points_hands_dice_and_what_the_viewer_knows(seats: int) -> None:
    count = 0
    for view in views(seats, 3, step=3):
        state, names = view.state, labels(view)
        brief, text = alt_of(view, names), renders.tell(view, names)
        floor, suns = state.floor, state.muse_table.suns
        for company in range(state.companies):
            name, points, bonus = members(state, names, company), state.points[company], state.bonuses[company]
            dice = [value for value, color in zip(floor.values, floor.colors, strict=True) if color == company]
            hands = [str(len(hand)) for seat, hand in enumerate(state.hands) if state.company_of(seat) == company]
            hand = f"{' + '.join(hands)} in hand" if state.is_placing else ""
            short = f"{name} {points}{f' (bonus {bonus})' if bonus else ''}{', ' * bool(hand)}{hand}."
            assert short in brief
            (line,) = re.findall(rf"^\*\*{re.escape(name)}\*\* \(.*\): (.*)$", text, re.MULTILINE)
            dice_text = f", dice {', '.join(map(str, sorted(dice, reverse=True)))}" if dice else ""
            counted = rf"{points} points?, {bonus} of them from bonuses{dice_text}{'; ' * bool(hand)}{re.escape(hand)}"
            assert re.fullmatch(counted, line)
        hidden = [(tile, state.muse(tile)) for tile in floor.tiles if tile >= FIRST_HIDDEN]
        own = [(muse, suns[NUMBERS[muse]]) for _, muse in hidden if muse]
        count += len(own)
        lies = brief.partition("Tiles (suns)")[2].partition(". ")[0]
        assert [f"{word(muse)}({n})" for muse, n in own] == re.findall(r", (\w+\(\d\)) ", lies)
        assert all(f"({word(muse)}, {n} sun" in text for muse, n in own)
        powers = [say(state.muse_table.summary(muse)) for muse in own_hand(view)]
        assert all(power in text for power in powers if not state.ended)
        is_over = scene_of(view).finished
        assert [is_over] * 2 == [f"ice at the end of hand {scene_of(view).hand}" in words for words in (brief, text)]
    assert count or seats == 2


def test_a_die_that_changed_several_times_shows_its_value_before_the_turn() -> None:
    t = table({"clio": "0,0 r3", "calliope": "1,0 b2", "erato": "2,0 n5"})
    clio, calliope, erato = (Tile(name) for name in ("clio", "calliope", "erato"))
    stepped = Stepped(Seat(0), clio, Way.N, cell_name(cell_at(0, 1)), cell_name(cell_at(0, 0)))
    cases: list[tuple[tuple[Event, ...], dict[Tile, int]]] = [
        ((DiceSwapped(clio, calliope), DiceSwapped(calliope, erato)), {clio: 5, calliope: 3, erato: 2}),
        ((stepped, DieTurned(clio, 2, 3)), {clio: 1}),
    ]
    for events, before in cases:
        view = replace(t.match.view(None), events=events)
        assert {NUMBERS[tile]: value for tile, value in before.items()} == former_values(view, scene_of(view))

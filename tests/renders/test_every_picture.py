"""Promises that the pictures and descriptions of every game keep."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import combinations, islice
from pkgutil import iter_modules
from random import Random
from typing import Any

import pytest
from PIL import Image

import renders.games
from engine.core import OptionValue, View, field_types
from engine.games import discover
from engine.match import Match
from engine.texts import Seat
from renders.lettering import GAIN
from tests.renders.positions import (
    WrittenLine,
    boxes_touch,
    count_mark_pixels,
    image_of,
    is_inside_margin,
    play_randomly,
    views_of,
)
from tests.sampling import every

LONG_NAMES = (
    "Maximilian the Great",
    "Anna-Katharina",
    "Wu",
    "Xenophon of Athens",
    "Bartholomew",
    "Scheherazade of Baghdad",
)
GAMES = tuple(module.name for module in iter_modules(renders.games.__path__))
"""Games with a picture of their own."""

FULLEST_OPTIONS: dict[str, dict[str, OptionValue]] = {"jinns": {"team_score": True}}
"""Options that put the most text on a picture."""

TAB = 15
"""Pixels from the middle of the tab with the change of a score to its visible edge."""

TABLES = [(slug, seats) for slug in GAMES for seats in discover()[slug].seats]
FEWEST_AND_MOST = [(slug, seats) for slug in GAMES for seats in (discover()[slug].seats[0], discover()[slug].seats[-1])]
every_table = pytest.mark.parametrize(("slug", "seats"), TABLES)
every_game = pytest.mark.parametrize("slug", GAMES)


def labels(view: View[Any]) -> tuple[str, ...]:
    return discover()[view.game].seat_names(view.setup)


def draw_image(view: View[Any]) -> Image.Image:
    return image_of(renders.draw(view, labels(view)))


@pytest.mark.parametrize(("slug", "seats"), FEWEST_AND_MOST)
def test_every_position_can_be_drawn_and_described_within_the_limits(slug: str, seats: int) -> None:
    for n, view in enumerate(views_of(discover()[slug], seats, 2, step=5)):
        text = renders.tell(view, LONG_NAMES[:seats])
        assert 0 < len(text) < 3500
        assert not text.endswith("…"), "the options stand last and are complete"
        if n % 4 == 0 or view.outcome:
            picture = renders.draw(view, LONG_NAMES[:seats])
            assert (1080, 1440) == Image.open(io.BytesIO(picture.png)).size
            assert 0 < len(picture.alt) <= 1000
            assert len(renders.png(picture)) <= 250_000


@every_table
def test_text_is_large_enough_inside_the_margin_and_never_overlaps(
    slug: str, seats: int, written_lines: list[WrittenLine]
) -> None:
    for n, view in enumerate(views_of(discover()[slug], seats, 1, step=23, **FULLEST_OPTIONS.get(slug, {}))):
        written_lines.clear()
        (canvas,) = renders.paint_all([view], labels(view) if n % 3 == 2 else LONG_NAMES[:seats])
        lines = [line for line in written_lines if line.canvas is canvas and line.layer]
        assert len(lines) > 8
        assert [] == [line for line in lines if line.size < 29 or not is_inside_margin(line.box)]
        assert [] == [(a.text, b.text) for a, b in combinations(lines, 2) if boxes_touch(a.box, b.box)]


@every_table
def test_the_tab_with_the_change_of_a_score_touches_no_text(
    slug: str, seats: int, written_lines: list[WrittenLine]
) -> None:
    views, tabs = (view for view in views_of(discover()[slug], seats, 1) if any(view.gains)), 0
    for view in islice(views, 12 // every(2)):
        written_lines.clear()
        (canvas,) = renders.paint_all([view], labels(view), LONG_NAMES[:seats])
        lines = [line for line in written_lines if line.canvas is canvas and line.layer]
        for gain in (line for line in lines if line.size == GAIN.size and re.fullmatch(r"[+−][\d,]+", line.text)):
            x0, _, x1, _ = gain.box
            tab = x0, round(gain.y) - TAB, x1, round(gain.y) + TAB
            assert [] == [line.text for line in lines if line is not gain and boxes_touch(tab, line.box)]
            tabs += 1
    assert tabs, "scores change in a game"


@every_game
def test_only_offered_options_are_marked(slug: str) -> None:
    match = next(match for match in unfinished_positions(slug) if match.ply > 12)
    due = match.state.decisions()[0]
    public, marked = match.view(None), match.view(due.seat, offered=due.options)
    assert count_mark_pixels(draw_image(marked)) > count_mark_pixels(draw_image(public)) + 500


@every_game
def test_an_option_that_names_a_piece_has_a_drawing_beside_it(slug: str) -> None:
    missing = set()
    for match in islice(unfinished_positions(slug), 0, None, 5):
        for option in match.state.decisions()[0].options:
            values = [getattr(option, name) for name in field_types(type(option))]
            if any(renders.piece(slug, value) for value in values) and not renders.symbol(slug, match.state, option):
                missing.add(str(option))
    assert set() == missing


def unfinished_positions(slug: str) -> Iterator[Match]:
    spec = discover()[slug]
    return (match for match in play_randomly(spec, spec.seats[1], 4) if match.outcome is None)


@every_game
def test_hidden_information_changes_no_byte_of_pictures_or_descriptions(slug: str) -> None:
    for n, match in enumerate(unfinished_positions(slug)):
        if n % 29:
            continue
        true = match.state
        for viewer in map(Seat, range(match.setup.seats)):
            seen = shown_to(match, viewer)
            match.state = true.determinize(viewer, Random(n))
            assert seen == shown_to(match, viewer), (match.ply, viewer)
            match.state = true


def shown_to(match: Match, viewer: Seat) -> list[object]:
    """Pictures and descriptions of a viewer's position, and of a preview of one option."""
    own = next((decision for decision in match.state.decisions() if decision.seat == viewer), None)
    views = [match.view(viewer, offered=own.options if own else ())]
    views += [match.preview(viewer, own.options[match.ply % len(own.options)])] if own else []
    pictures = [renders.draw(view, match.names) for view in views]
    return [(picture.png, picture.alt) for picture in pictures] + [renders.tell(view, match.names) for view in views]

"""A game without its own art has a picture and a description too."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from functools import cache

import pytest
from PIL import Image

import renders
from engine.core import View
from engine.games import discover
from engine.wording import label
from renders import plain
from tests.authors import heaps
from tests.engine.toys import TOYS
from tests.renders.positions import WrittenLine, draw_plainly, play_randomly

SPECS = {**discover(), **TOYS, heaps.GAME.slug: heaps.GAME}


@cache
def some_views(slug: str) -> list[tuple[View, tuple[str, ...]]]:
    spec = SPECS[slug]
    seats = spec.seats[-1]
    views = []
    for n, match in enumerate(play_randomly(spec, seats, 1)):
        if n % 60 == 0 or match.outcome:
            due = next(iter(match.state.decisions()), None)
            views.append((match.view(due.seat if due else None), match.names))
    return views


@pytest.mark.parametrize("slug", SPECS)
def test_any_game_can_be_drawn_and_described(slug: str) -> None:
    for view, names in some_views(slug):
        picture = draw_plainly(view, names)
        image = Image.open(io.BytesIO(renders.png(picture)))
        assert image.size == (1080, 1440)
        assert 0 < len(picture.alt) <= 1000
        assert len(plain.tell(view, names)) < 3500


@pytest.mark.parametrize("slug", SPECS)
def test_the_text_names_the_players_to_decide_or_the_winners(slug: str) -> None:
    for view, names in some_views(slug):
        text = plain.tell(view, names)
        seats = view.outcome.winners if view.outcome else view.due
        assert all(names[seat] in text for seat in seats)


def test_a_game_without_a_module_gets_the_plain_picture() -> None:
    view, names = some_views("muscat")[0]
    unknown = replace(view, game="no_such_game")
    assert renders.draw(unknown, names).alt.startswith("Muscat, step")
    assert renders.tell(unknown, names) == plain.tell(unknown, names)


def test_the_plain_picture_shows_the_diagram_of_a_game() -> None:
    """A new game can be played before it has art."""
    before, after = (view for view, _ in some_views("toll")[:: len(some_views("toll")) - 1])
    assert "Red: step 0, 2 coins" in plain.tell(before, ("Red", "Blue", "Yellow"))
    assert plain.tell(before, ("Red", "Blue", "Yellow")) != plain.tell(after, ("Red", "Blue", "Yellow"))
    bare = replace(before, state=replace(before.state, places=(9, 0, 0)))
    assert draw_plainly(before, ("Red", "Blue", "Yellow")).png != draw_plainly(bare, ("Red", "Blue", "Yellow")).png


def test_the_text_counts_the_options_that_do_not_fit() -> None:
    view, names = some_views("garden")[0]
    options = view.decision_of(view.viewer).options
    text, rest = plain.tell(view, names).rsplit("\n", 1)
    listed = text.partition("**Options**\n")[2].splitlines()
    assert f"-# And {len(options) - len(listed)} more." == rest
    assert listed == [f"- {label(option, names)}" for option in options[: len(listed)]]
    assert len(listed) > 80


def test_options_have_their_labels_for_this_position_in_text_and_picture() -> None:
    view, names = some_views(heaps.GAME.slug)[0]
    text, picture = plain.tell(view, names), draw_plainly(view, names)
    assert "- 1 of 3 from heap 1: leaves 11 in all\n" in text
    assert "Options: 1 of 3 from heap 1; " in picture.alt
    assert len(text) < 3500


def test_the_plain_picture_shows_score_changes(written_lines: list[WrittenLine]) -> None:
    view, names = some_views("toll")[0]
    draw_plainly(replace(view, gains=(0, -12, 1_500)), names)
    assert ["−12", "+1,500"] == [line.text for line in written_lines if re.fullmatch(r"[+−][\d,]+", line.text)]


def test_badges_have_the_seat_colors_of_the_game() -> None:
    view, names = some_views("toll")[0]
    red, none = (replace(view, colors=colors) for colors in (("Red",) * 3, ("",) * 3))
    pictures = {draw_plainly(seen, names).png for seen in (view, red, none)}
    assert 3 == len(pictures)

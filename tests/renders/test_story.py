"""Story pictures: any story can be drawn, the file is small, and the leader is visible."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from engine.core import State, View
from engine.games import discover
from engine.match import Match
from engine.story.chapter import DRAW, Chapter, Remark
from engine.story.telling import Play, Story
from renders import story as drawing
from renders.theme import HEIGHT, SEATS, WIDTH
from tests.renders.positions import WrittenLine, image_of


@pytest.fixture(scope="module")
def ended_view() -> View[State]:
    spec, rng = discover()["gangs"], Random(2)
    match = Match.begin(spec, spec.setup(6), "drawn")
    while match.outcome is None:
        decision = match.state.decisions()[0]
        match.play(decision.seat, rng.choice(decision.options))
    return match.view(None)


def chapter(ahead: int, *remarks: Remark) -> Chapter:
    """A story of six seats in which one is far ahead throughout."""
    shares = tuple(0.75 if seat == ahead else 0.05 for seat in range(6))
    story = Story((shares,) * 41, (), (Play(4, 3, 0.05, 0.2),) * 5 + (Play(0, 0, 0.0, 0.0),), None)
    return Chapter(story, tuple(range(6)), tuple(range(1, 41)), remarks)


LABELS = ("Red", "Blue", "Yellow", "Green", "Purple", "White")
LONG_TEXT = (
    "Move 7, Red: “Something that has a very long name” cost 20 % of the winning chances “what is still longer ⇄”. "
)
MARKS = (
    Remark(30, "1", LONG_TEXT * 3),
    Remark(31, "2", LONG_TEXT),
    Remark(39, "3", LONG_TEXT),
    Remark(39, DRAW, LONG_TEXT),
)


@pytest.mark.parametrize("ahead", range(5))  # White is the ivory of the lines.
def test_the_largest_band_has_the_color_of_the_leader(ended_view: View[State], ahead: int) -> None:
    picture = drawing.draw(ended_view, chapter(ahead), LABELS)
    image = image_of(picture).convert("RGB")
    counted = {color: n for n, color in image.crop((120, 230, 1020, 700)).getcolors(1 << 20)}
    fills = [tuple(bytes.fromhex(style.fill[1:])) for style in SEATS]
    assert ahead == max(range(6), key=lambda seat: counted.get(fills[seat], 0))
    shares = [f"{name} {75 if n == ahead else 5}" for n, name in enumerate(LABELS[:5])]
    assert f"At first {', '.join(shares)} and White 5;" in picture.alt


def test_the_fullest_story_fits(ended_view: View[State], written_lines: list[WrittenLine]) -> None:
    bare = drawing.draw(ended_view, chapter(0), LABELS)
    written_lines.clear()
    full = drawing.draw(ended_view, chapter(0, *MARKS), LABELS, ["Somebody with quite a name"] * 6)
    assert (WIDTH, HEIGHT) == image_of(full).size
    assert len(full.png) < 250_000
    assert len(full.alt) <= 1000
    assert full.png != bare.png
    assert all(46 <= y <= HEIGHT - 46 for y in [line.y for line in written_lines])
    assert not any(line.text.endswith("…") for line in written_lines)


def test_a_remark_that_is_too_long_leaves_out_its_last_sentences() -> None:
    first = "Luck after move 92 brought Yellow 23% of the winning chances."
    most = f"{first} The dice show 4 and 3: number 21. Number 21 is on red 4."
    assert most == " ".join(drawing._lines(f"{most} Yellow is caught and loses a stake of 4,000, one of many."))
    assert most == " ".join(drawing._lines(most))
    (line, cut) = drawing._lines(f"Yellow {'never ' * 60}stops.")
    assert (False, True) == (line.endswith("…"), cut.endswith("…"))


def test_close_marks_are_spread_side_by_side() -> None:
    places = drawing._spread([drawing.END - 20, drawing.END - 10, drawing.END])
    assert all(b - a >= 2 * drawing.MARK_R for a, b in pairwise(places))
    assert places[-1] <= drawing.END


def test_seats_of_a_company_share_a_band(ended_view: View[State]) -> None:
    alone = chapter(0)
    pairs = replace(alone, companies=(0, 1, 2, 0, 1, 2))
    parts = drawing._parts(pairs)
    assert 3 == len(parts[0])
    assert 1 == pytest.approx(sum(parts[0]))
    assert drawing.draw(ended_view, pairs, LABELS).png != drawing.draw(ended_view, alone, LABELS).png

"""Contents of every game's pictures: the last action, score changes, previews, selections and the end."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import groupby
from pkgutil import iter_modules
from typing import Any

import pytest
from PIL import Image

import renders.games
from engine.core import LastAction, View
from engine.games import discover
from engine.match import Match
from engine.texts import CHANCE, SEAT_COLORS, Seat, number
from engine.town.events import GaveAlms, Rubbed, TookNone
from engine.wording import Voice, say
from renders.canvas import Canvas, RGBGround
from renders.chosen import chosen_mark, chosen_token
from renders.ending import Card, crown, draw_ending, places
from renders.games.muscat.theme import THEME as PALACE
from renders.house import MAX_STORY_W, last_action_text, pill_content, plate_mark
from renders.lettering import FACT, LABEL, STORY, width
from renders.sprites import Sprite, rgb
from renders.theme import HEIGHT, IVORY, TURQUOISE, WIDTH
from renders.tokens import ring
from tests.renders.positions import WrittenLine, boxes_touch, image_of, play_randomly

GAMES = tuple(module.name for module in iter_modules(renders.games.__path__))
"""Games with a picture of their own."""

EVERY_GAME = pytest.mark.parametrize("slug", GAMES)


@cache
def matches(slug: str) -> tuple[Match, ...]:
    """A few positions of a random game with few seats, each between an action and a decision, and the game's end."""
    spec = discover()[slug]
    game = [match.copy() for match in play_randomly(spec, spec.seats[0], 1)]
    acted = [m for m in game if m.outcome is None and any(entry.seat != CHANCE for entry in m.entries)]
    return (*acted[:: max(1, len(acted) // 6)], game[-1])


def draw_image(view: View[Any]) -> Image.Image:
    return image_of(renders.draw(view, discover()[view.game].seat_names(view.setup))).convert("RGB")


def paint(view: View[Any]) -> None:
    """Write the lines of a picture, without a file."""
    list(renders.paint_all([view], discover()[view.game].seat_names(view.setup)))


@EVERY_GAME
def test_every_picture_shows_the_last_action_and_the_score_changes(slug: str, written_lines: list[WrittenLine]) -> None:
    for match in matches(slug)[:-1]:
        view = match.view(None, since=0)
        assert view.last_action is not None, "give an event of the game a `brief`"
        written_lines.clear()
        paint(view)
        last = Voice(match.names).brief(view.last_action.event)
        plates = [line.text.removeprefix("… · ") for line in written_lines if line.size == 36]
        assert [text for text in plates if text.endswith(last) or last.startswith(text.removesuffix("…").rstrip())]
        tabs = {f"{'+' * (gain > 0)}{number(gain)}" for gain in view.gains if gain}
        assert tabs <= {line.text for line in written_lines}
        turns = {f"{match.names[seat]}’s turn" for seat in view.due}
        assert [line for line in written_lines if line.text in turns and line.size >= 42], "the pill"


@EVERY_GAME
def test_only_the_public_picture_shows_the_prompt_next_to_the_turn(slug: str, written_lines: list[WrittenLine]) -> None:
    """The player who decides reads the question in the message text, which has more space."""
    for match in matches(slug)[:-1]:
        (decision,) = match.state.decisions()
        prompt = say(decision.prompt, match.names).rstrip(".")
        for viewer, count in ((None, 1), (decision.seat, 0)):
            written_lines.clear()
            paint(match.view(viewer, since=0))
            lines = [line.text for line in written_lines]
            whose = "Your turn" if viewer is not None else f"{match.names[decision.seat]}’s turn"
            assert 1 == lines.count(whose)
            assert count == lines.count(prompt) or (count and _is_long(match.view(None, since=0), prompt))


def _is_long(view: View[Any], prompt: str) -> bool:
    """Whether the question does not fit beside the last action. It is then only in the message text."""
    assert view.last_action is not None
    names = discover()[view.game].seat_names(view.setup)
    return width(Voice(names).brief(view.last_action.event), STORY) + width(prompt, FACT) > MAX_STORY_W - 200


def test_several_actions_of_a_seat_are_shown_in_order_as_far_as_they_fit() -> None:
    first, second, last = events = (TookNone(Seat(0)), Rubbed(Seat(0), 50), GaveAlms(Seat(0), 100))
    names, several = ("Red", "Blue"), LastAction(Seat(0), last, (first, second))
    briefs = [Voice(names).brief(event) for event in events]
    whole = " · ".join(briefs)
    assert whole == last_action_text(several, names, 2000)
    assert f"… · {briefs[1]} · {briefs[2]}" == last_action_text(several, names, int(width(whole, STORY)) - 1)
    assert briefs[2] == last_action_text(LastAction(Seat(0), last), names, 2000)


@EVERY_GAME
def test_a_board_shows_all_actions_of_a_seat_since_the_last_board(slug: str) -> None:
    """Each action of the seat since that board is shown, and none before it."""
    several = 0
    for match in matches(slug)[:-1]:
        for since in {0, match.version // 2, match.version}:
            last_action = match.view(None, since=since).last_action
            briefs = [
                match._brief_event(n, None)
                for n in range(match._first_since(since), match.ply)
                if (event := match._brief_event(n, None))
                and last_action
                and match._subject(n, event) == last_action.seat
            ]
            assert last_action is None or briefs in ([], [*last_action.earlier, last_action.event])
            several += len(briefs) > 1
    assert several


@EVERY_GAME
def test_a_preview_has_a_frame_a_ribbon_and_the_word_you(slug: str, written_lines: list[WrittenLine]) -> None:
    match = matches(slug)[1]
    seat = match.state.decisions()[0].seat
    action = match.state.decisions()[0].options[0]
    for preview, view in ((True, match.preview(seat, action)), (False, match.view(None))):
        written_lines.clear()
        picture = draw_image(view)
        edge = {picture.getpixel(at) for at in ((540, 13), (540, 1427), (13, 700), (1067, 700))}
        assert (edge == {rgb(TURQUOISE)}) == preview
        lines = [(line.text, line.size) for line in written_lines]
        assert ("Preview – not played yet" in dict(lines)) == preview
        assert (("You", 42) in lines) == preview


def test_the_pill_of_a_preview_shows_its_viewer_regardless_of_the_next_player() -> None:
    view = matches("jinns")[1].view(Seat(0))
    for seat in (Seat(0), Seat(1)):
        badges = (2, 1)
        seen = replace(view, viewer=seat, preview=True)
        assert pill_content(seen, ("Yellow", "Blue"), badges) == ((badges[seat],), "You")


def test_a_shared_win_shows_the_number_of_winners() -> None:
    view = matches("gangs")[-1].view(None)
    assert view.outcome is not None
    shared = replace(view, outcome=replace(view.outcome, returns=(0.25,) * 4, scores=(7,) * 4))
    assert pill_content(shared, SEAT_COLORS[:4], (0, 1, 2, 3)) == ((), "4-way tie")
    two = replace(view, outcome=replace(view.outcome, returns=(0.5, 0.5), scores=(7, 7)))
    assert pill_content(two, SEAT_COLORS[:2], (0, 1)) == ((0, 1), "2-way tie")


@EVERY_GAME
def test_the_picture_of_the_end_shows_places_scores_and_the_reason(slug: str, written_lines: list[WrittenLine]) -> None:
    match = matches(slug)[-1]
    view = match.view(None)
    assert view.outcome is not None
    draw_image(view)
    sizes = {line.text: line.size for line in written_lines}
    for row in places(view, view.outcome, match.names, tuple(range(view.setup.seats))):
        assert sizes[number(row.score)] == 72
        assert str(row.place) in sizes
        assert all(word in " ".join(sizes) for word in row.account.split()[:1])
    assert str(view.outcome.summary).split()[0] in " ".join(sizes)
    assert not [line for line in sizes if line.startswith(("Walked 1", "Nobody is in the cave"))]


@pytest.mark.parametrize("room", [460, 540, 800])
def test_the_crown_stands_clear_of_the_reason_for_the_end(room: int, written_lines: list[WrittenLine]) -> None:
    match = matches("muscat")[-1]
    canvas = Canvas(RGBGround(Image.new("RGB", (WIDTH, HEIGHT))))
    draw_ending(canvas, match.view(None), (match.names, ()), (0, 1, 2), Card(100, 100 + room, 1000), PALACE)
    crowned = next(layer for layer in canvas.layers if layer[0] is crown())
    above = [line.box for line in written_lines if line.size == LABEL.size and line.y < crowned[2] + 20]
    assert above, "the reason is above the crown"
    assert [] == [box for box in above if boxes_touch(box, crowned[1:])]


def test_seats_without_a_badge_get_separate_places() -> None:
    spec, ended = discover()["gangs"], matches("gangs")[-1].outcome
    assert ended is not None
    view = Match.begin(spec, spec.setup(4), "places").view(None)
    outcome = replace(ended, returns=(0.0, 1.0, 0.0, 0.0), scores=(5, 9, 7, 5))
    rows = places(view, outcome, SEAT_COLORS[:4], (None,) * 4)
    assert [(1, (1,)), (2, (2,)), (3, (0,)), (3, (3,))] == [(row.place, row.seats) for row in rows]
    teams = replace(outcome, returns=(0.0, 0.5, 0.0, 0.5), scores=(5, 9, 5, 9))
    rows = places(view, teams, SEAT_COLORS[:4], (0, 1, 0, 1))
    assert [(1, (1, 3)), (2, (0, 2))] == [(row.place, row.seats) for row in rows]
    behind = replace(outcome, returns=(0.0, 0.5, 0.0, 0.5), scores=(9, 5, 7, 3))
    rows = places(view, behind, SEAT_COLORS[:4], (None,) * 4)
    assert [1, 3, 0, 2] == [seat for row in rows for seat in row.seats], "winners come first, even with fewer points"


# --- selection marks and marks of past actions ---


def lines_across(mark: Sprite, color: str) -> int:
    """Number of lines of a color between the left edge of a mark and its center, at half height."""
    y = mark.height // 2
    row = (mark.picture.getpixel((x, y)) == (*rgb(color), 255) for x in range(mark.width // 2))
    return sum(key for key, _ in groupby(row))


def test_marks_of_chosen_options_have_two_lines_and_marks_of_past_actions_one() -> None:
    """Turquoise and ivory look alike to some people."""
    assert [2, 2] == [lines_across(mark, TURQUOISE) for mark in (chosen_mark(90, 90, 10), chosen_token(0, 35))]
    assert [1, 1] == [lines_across(mark, IVORY) for mark in (plate_mark(90, 90, 10), ring(0, 35))]

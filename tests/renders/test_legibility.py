"""All text is readable on a phone: large enough, inside the margin, and without overlap."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest
from PIL import Image, ImageChops

from engine.core import View
from engine.texts import Seat
from renders.games.muscat import paint
from renders.games.muscat.board import score_text
from renders.games.muscat.ground import draw_values
from renders.games.muscat.layout import PANELS_TOP, panel_box, pieces_by_place, slot_center
from renders.lettering import MIN_SIZE, SMALL, TITLE, Face, _font, fit, ink, line, noto, sans, width, wrap, wrap_evenly
from renders.tokens import token
from tests.renders.positions import LABELS, WrittenLine, boxes_touch, fullest, is_inside_margin, views

LONG_NAMES = ("Maximilian the Great", "Anna-Katharina", "Wu", "Bartholomew", "Ξενοφών of Athens")


def test_a_line_equals_the_sum_of_its_letters() -> None:
    """The fonts have no kerning, so a line can be composed from letters."""
    for face in (SMALL, TITLE, sans(72, "Black"), noto("Latin"), noto("Hebrew")):
        for text in ("AVATAR, To fj. Wy", "×12 – “7” …", "שלום לכם"):
            mask_of_line, (x0, y0) = _font(face).getmask2(text, "L", anchor="ls")
            whole, lettered = Image.new("L", (900, 200)), Image.new("L", (900, 200))
            across, down = round(x0) + 50, round(y0) + 99
            whole.im.paste(mask_of_line, (across, down, across + mask_of_line.size[0], down + mask_of_line.size[1]))
            mask, x, y = ink(text, face)
            lettered.paste(mask, (x + 50, y + 99))
            assert ImageChops.difference(whole, lettered).getbbox() is None, (face, text)
            assert width(text, face) == _font(face).getlength(text), (face, text)


def boards() -> Iterator[tuple[View, tuple[str, ...]]]:
    for seats in (3, 4, 5):
        for view in views(seats, 1, step=23):
            yield view, LABELS[:seats]
            yield view, LONG_NAMES[:seats]
    yield fullest(), LONG_NAMES


def test_text_is_large_enough_inside_the_margin_and_never_overlaps(written_lines: list[WrittenLine]) -> None:
    """The texts include those on the fullest board, and over the values on the ground."""
    for view, labels in boards():
        written_lines.clear()
        canvas = paint(view, labels)
        if not view.outcome:  # the result card covers some of them
            draw_values(canvas)
        lines = [line for line in written_lines if line.canvas is canvas and line.layer]
        assert [] == [line for line in lines if line.size < 29 or not is_inside_margin(line.box)]
        assert [] == [(one, other) for one, other in combinations(lines, 2) if boxes_touch(one.box, other.box)]


def test_no_score_overlaps_the_token_beside_it(written_lines: list[WrittenLine]) -> None:
    """One board has scores such as −101 and −94+, longer than in any game."""
    for view, labels in boards():
        if view.outcome:
            continue  # the scores are on the result card
        written_lines.clear()
        canvas, seats = paint(view, labels), view.state.seats
        scores = {score_text(view.state, Seat(seat)) for seat in range(seats)}
        scores_on_panels = [
            text
            for text in written_lines
            if text.canvas is canvas and text.text in scores and text.box[1] > PANELS_TOP and text.size > 30
        ]
        assert len(scores_on_panels) >= len(scores)
        for text in scores_on_panels:
            panel = next(seat for seat in range(seats) if text.box[0] < panel_box(seats, seat)[2])
            assert text.box[2] <= slot_center(seats, panel)[0] - 36, text


def test_every_token_stays_inside_the_margin() -> None:
    for view, _ in boards():
        for pieces in pieces_by_place(view.state).values():
            for piece in pieces:
                sprite = token(piece.seat, piece.r)
                x0, y0, x1, y1 = sprite.coverage.getbbox() or (0, 0, 0, 0)
                x, y = piece.x + sprite.dx, piece.y + sprite.dy
                assert is_inside_margin((x + x0, y + y0, x + x1, y + y1)), piece


def test_tokens_in_one_place_do_not_hide_each_other() -> None:
    for view, _ in boards():
        for pieces in pieces_by_place(view.state).values():
            for one, other in combinations(pieces, 2):
                assert abs(one.x - other.x) + abs(one.y - other.y) >= 1.9 * one.r


def test_no_font_is_smaller_than_29_px() -> None:
    assert MIN_SIZE == 29
    with pytest.raises(ValueError, match="28"):
        Face("SourceSansProBold", 28)


@pytest.mark.parametrize("room", [40, 90, 200])
def test_text_is_shortened_and_never_squeezed(room: int) -> None:
    short = fit("Bartholomew of the Dunes", SMALL, room)
    assert width(short, SMALL) <= room
    assert short.endswith("…")
    assert fit("Wu", SMALL, room) == "Wu"


def test_long_words_are_broken_into_lines_that_fit() -> None:
    lines = wrap("The quick caravan crosses the dunes of Incomprehensibilities", SMALL, 160)
    assert len(lines) > 2
    assert all(width(words, SMALL) <= 160 for words in lines)


def test_a_paragraph_has_lines_of_similar_length_and_no_lone_last_word() -> None:
    words = "The camel is back at Start for the second time."
    room = width(words, SMALL) - 1
    assert wrap(words, SMALL, room) == ["The camel is back at Start for the second", "time."]
    assert wrap_evenly(words, SMALL, room) == ["The camel is back at", "Start for the second time."]


@pytest.mark.parametrize("words", ["", "Incomprehensibilities", "of Incomprehensibilities", "Incomprehensibilities of"])
def test_even_lines_cut_no_word_that_fits(words: str) -> None:
    lines = wrap_evenly(words, SMALL, width("Incomprehensibilities", SMALL))
    assert lines == words.split()


def test_a_line_is_centered_on_its_point() -> None:
    sprite = line("H", SMALL, "#FFFFFF", "middle")
    assert abs(sprite.dx + sprite.width / 2) <= 1
    assert abs(sprite.dy + sprite.height / 2) <= 1

"""A seat wears the color it is named after, whatever its number."""

from __future__ import annotations

import pytest

from bot.messages import SEAT_MARKS, seat_mark
from engine import CHANCE, SEAT_COLORS, Seat


@pytest.mark.parametrize(
    ("names", "marks"),
    [
        (("Red", "Blue", "Yellow", "Green", "Purple", "White"), "🔴🟦🔶🟢🟣⚪"),
        (("Yellow", "Blue", "Red"), "🔶🟦🔴"),
        (("Red 1", "Blue 1", "Red 2", "Blue 2"), "🔴🟦🔴🟦"),
        (("North", "South"), "◽◽"),
    ],
)
def test_the_mark_of_a_seat_shows_the_color_of_its_name(names: tuple[str, ...], marks: str) -> None:
    assert list(marks) == [seat_mark(Seat(seat), names) for seat in range(len(names))]


def test_luck_wears_dice() -> None:
    assert "🎲" == seat_mark(CHANCE, ("Red", "Blue"))


def test_every_color_of_the_house_has_a_mark_of_its_own() -> None:
    assert len(SEAT_COLORS) == len(set(SEAT_MARKS.values()))

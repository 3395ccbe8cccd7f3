"""A seat has its color, under any name and number."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import pytest

from bot.store.facts import Facts
from bot.tables.people import SEAT_MARKS
from bot.tables.table import Table
from engine.core import Options, Setup, color_names, option
from engine.games import discover
from engine.texts import SEAT_COLORS, Seat
from tests.bot.walks import table_of

SPEC = next(iter(discover().values()))


@pytest.mark.parametrize(
    ("colors", "marks"),
    [
        (("Red", "Blue", "Yellow", "Green", "Purple", "White"), "🔴🟦🟨🟢🟣⚪"),
        (("Yellow", "Blue", "Red"), "🟨🟦🔴"),
        (("Red", "Blue", "Red", "Blue"), "🔴🟦🔴🟦"),
        (("", ""), "◽◽"),
    ],
)
def test_the_mark_of_a_seat_shows_its_color(colors: tuple[str, ...], marks: str) -> None:
    table = table_of(replace(SPEC, seat_colors=lambda _: colors), len(colors))
    assert tuple(marks) == table.marks
    assert list(marks) == [table.mark(Seat(seat)) for seat in range(len(colors))]


def test_every_seat_color_has_its_own_mark() -> None:
    assert len(SEAT_COLORS) == len(set(SEAT_MARKS.values()))


def test_a_seat_mark_has_the_color_of_its_seat() -> None:
    assert {mark: color.upper() for color, mark in SEAT_MARKS.items()} == {
        mark: unicodedata.name(mark).split()[1]  # as in LARGE YELLOW SQUARE
        for mark in SEAT_MARKS.values()
    }


class Choice(Options):
    windy: bool = option(False, "Whether seats are named after winds.")


def winds(setup: Setup) -> tuple[str, ...]:
    return ("North", "South") if setup.options.windy else color_names(setup)


@pytest.mark.parametrize(("options", "names"), [({}, ("Red", "Blue")), ({"windy": True}, ("North", "South"))])
def test_the_lobby_names_seats_according_to_the_chosen_options(options: dict[str, bool], names: tuple[str]) -> None:
    spec = replace(SPEC, seats=(2,), options=Choice, seat_names=winds)
    table = table_of(spec, 2)
    assert names == Table(Facts(replace(table.row, options=options)), spec).seat_names

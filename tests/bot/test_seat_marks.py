"""A seat wears the color it is named after, whatever its number."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from bot.posting.story import SEAT_MARKS, seat_mark
from bot.tables.table import Table
from engine.core import Options, Setup, color_names, option
from engine.games import discover
from engine.texts import CHANCE, SEAT_COLORS, Seat
from tests.bot.walks import table_of


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


@dataclass(frozen=True, slots=True)
class Choice(Options):
    windy: bool = option(False, "Whether seats are named after winds.")


def winds(setup: Setup) -> tuple[str, ...]:
    return ("North", "South") if setup.options.windy else color_names(setup)


@pytest.mark.parametrize(("chosen", "names"), [({}, ("Red", "Blue")), ({"windy": True}, ("North", "South"))])
def test_the_lobby_calls_seats_as_the_chosen_options_will_call_them(chosen: dict[str, bool], names: tuple[str]) -> None:
    spec = replace(next(iter(discover().values())), seats=(2,), options=Choice, seat_names=winds)
    table = table_of(spec, 2)
    assert names == Table(replace(table.row, options=chosen), spec).names

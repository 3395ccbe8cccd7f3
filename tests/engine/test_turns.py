"""Rounds of a match, as they come and where seats have no turn any more."""

from __future__ import annotations

import pytest

from engine.texts import CHANCE, Seat
from engine.turns import Turn, rounds_of


def scenes(seats: str) -> list[Turn]:
    """How it began, and a turn of each of these seats; `*` is luck."""
    return [Turn(CHANCE if seat == "*" else Seat(seat), 0, 0, (0, 0), ()) for seat in f"*{seats}"]


@pytest.mark.parametrize(
    ("turns", "rounds"),
    [
        ("", []),
        ("01", []),
        ("012", [(1, 3)]),
        ("01202", [(1, 3)]),
        ("012021", [(1, 3), (4, 6)]),
        ("0102", [(1, 4)]),
        ("010101010", [(1, 9)]),
    ],
)
def test_a_round_is_over_when_every_seat_had_its_turn_or_has_none_any_more(
    turns: str, rounds: list[tuple[int, int]]
) -> None:
    assert rounds == rounds_of(scenes(turns), 3)

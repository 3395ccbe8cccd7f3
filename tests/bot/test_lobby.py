"""The lobby shows the table as it will be: every seat by the name it will have, with who plays it."""

from __future__ import annotations

import pytest

from bot.posting.story import seat_mark
from engine import GameSpec, Seat
from engine.games import discover
from tests.bot.inn import Inn
from tests.bot.walks import name_of

pytestmark = pytest.mark.usefixtures("watch")

every_game = pytest.mark.parametrize("spec", discover().values(), ids=name_of)


def seats_of(spec: GameSpec, seats: int) -> list[str]:
    """Mark and name of every seat."""
    names = spec.seat_names(spec.setup(seats))
    return [f"{seat_mark(Seat(n), names)} {name}" for n, name in enumerate(names)]


@every_game
async def test_a_seat_that_is_taken_has_its_name_and_its_player(inn: Inn, spec: GameSpec) -> None:
    for seats in spec.seats:
        ana = inn.room().person("Ana")
        shown = await ana.slash("game new", game=spec.slug)
        for _ in range(seats - 1):
            shown = await ana.tap("Add computer")
        lines = [line.replace("**", "") for line in shown.text.splitlines()]
        for seat, who in zip(seats_of(spec, seats), [ana.mention, *["(computer)"] * (seats - 1)], strict=True):
            assert f"{seat} {who}" in lines


@every_game
async def test_a_seat_that_must_be_taken_waits_by_its_name(inn: Inn, spec: GameSpec) -> None:
    shown = await inn.room().person("Ana").slash("game new", game=spec.slug)
    least = spec.seats[0]
    assert [f"{seat} …" for seat in seats_of(spec, least)[1:]] == [
        s for s in shown.text.splitlines() if s.endswith("…")
    ]
    assert f"{least - 1} more to go" in shown

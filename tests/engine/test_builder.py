"""A position while one ply changes it."""

from __future__ import annotations

import pytest

from engine.texts import Seat
from tests.engine.toys.toll import Gate, Road, RoadBuilder, TollPaid, Turn, Walking

ROAD = Road((Turn(Seat(0)),), (0, 3), (2, 2), 8, False)


def test_what_a_ply_does_not_touch_stays_as_it_was() -> None:
    after = RoadBuilder(ROAD)
    assert ((0, 3), 3) == (tuple(after.places), after.before.places[1])
    assert (ROAD, ()) == after.done()


def test_tuples_are_lists_while_a_ply_changes_them() -> None:
    after = RoadBuilder(ROAD)
    after.places[0] += 5
    after.tell(TollPaid(Seat(0), Seat(1)))
    assert Road(ROAD.frames, (5, 3), (2, 2), 8, False) == after.position()
    assert (TollPaid(Seat(0), Seat(1)),) == after.done()[1]
    assert (0, 3) == ROAD.places


def test_the_first_question_asked_is_answered_first_and_what_lies_below_comes_after() -> None:
    after = RoadBuilder(ROAD)
    after.answered()
    after.ask(Walking(Seat(0)), Turn(Seat(1)))
    after.ask(Gate(Seat(0)))
    asked = []
    while after.frames:
        asked.append(after.frames[-1])
        after.answered()
    assert [Gate(Seat(0)), Walking(Seat(0)), Turn(Seat(1))] == asked
    assert () == after.position().frames


def test_a_misspelled_field_is_no_field() -> None:
    with pytest.raises(AttributeError):
        _ = RoadBuilder(ROAD).place  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):  # computed, and of the position before
        _ = RoadBuilder(ROAD).arrived  # type: ignore[attr-defined]

"""Builders apply the changes of a ply and leave the position before it unchanged."""

from __future__ import annotations

import pytest

from engine.texts import Seat
from tests.engine.toys.toll import Gate, Road, RoadBuilder, TollPaid, Turn, Walking

ROAD = Road((Turn(Seat(0)),), (0, 3), (2, 2), 8, False)


def test_a_builder_leaves_untouched_fields_unchanged() -> None:
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


def test_new_questions_are_answered_in_order_before_earlier_ones() -> None:
    after = RoadBuilder(ROAD)
    after.answered()
    after.ask(Walking(Seat(0)), Turn(Seat(1)))
    after.ask(Gate(Seat(0)))
    questions = []
    while after.frames:
        questions.append(after.frames[-1])
        after.answered()
    assert [Gate(Seat(0)), Walking(Seat(0)), Turn(Seat(1))] == questions
    assert () == after.position().frames


def test_a_misspelled_field_raises_an_attribute_error() -> None:
    with pytest.raises(AttributeError):
        _ = RoadBuilder(ROAD).place  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):  # computed, and of the position before
        _ = RoadBuilder(ROAD).arrived  # type: ignore[attr-defined]

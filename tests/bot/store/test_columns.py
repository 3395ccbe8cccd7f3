"""Columns: each type has one form in the database, and a damaged value is refused when it is read."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import pytest

from bot.store.columns import Hidden, OtherId, Person, Unstored, UserId, bare, column, is_optional, marks_in, users_in
from bot.store.jobs import JobKind
from bot.store.schema import has_users, match_tables
from engine.texts import Seat

AT = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("kind", "value", "stored"),
    [
        (datetime, AT, "2026-06-01T12:00:00.000000+00:00"),
        (datetime | None, None, None),
        (timedelta, timedelta(minutes=1.5), 90.0),
        (bool, True, 1),
        (Annotated[bool, Hidden()], False, 0),
        (Seat, Seat(2), 2),
        (JobKind, JobKind.BOARD, "board"),
        (str | None, "x", "x"),
        (tuple[str, ...], ("b", "a"), '["b","a"]'),
        (tuple[Seat, ...], (Seat(1), Seat(0)), "[1,0]"),
        (Annotated[frozenset[UserId] | None, Hidden()], frozenset({8, 4, 30}), "[4,8,30]"),
        (dict[UserId, str], {7: "wait"}, '{"7":"wait"}'),
        (Mapping[str, Any], {"a": [1]}, '{"a":[1]}'),
    ],
)
def test_a_value_is_read_as_it_was_written(kind: Any, value: Any, stored: Any) -> None:
    of_kind = column(kind)
    assert stored == of_kind.encode(value)
    assert (value, type(value)) == ((read := of_kind.decode(stored)), type(read))
    assert of_kind.decode(None) is None


@pytest.mark.parametrize(
    ("kind", "stored"),
    [
        (datetime, "noon"),
        (JobKind, "unknown"),
        (tuple[int, ...], '"12"'),
        (tuple[int, ...], '{"1":2}'),
        (tuple[str, ...], "[1]"),
        (frozenset[Seat], '["x"]'),
        (dict[int, str], "[]"),
        (dict[int, str], '{"x":"y"}'),
        (dict[int, str], '{"1":2}'),
    ],
)
def test_a_damaged_value_is_refused(kind: Any, stored: str) -> None:
    with pytest.raises((TypeError, ValueError)):
        column(kind).decode(stored)


def test_a_type_tells_its_marks_whether_it_may_be_missing_and_whom_its_values_name() -> None:
    users = Annotated[Mapping[UserId, OtherId] | None, Hidden()]
    assert Mapping[UserId, OtherId] == bare(users)
    assert (True, True, False) == (is_optional(users), is_optional(int | None), is_optional(UserId))
    assert {Hidden(), Person()} == marks_in(Annotated[tuple[UserId, ...], Hidden()])
    assert (None, Unstored()) == (column(users).mark(Unstored), column(Annotated[int, Unstored()]).mark(Unstored))
    assert [1, 3] == [*users_in(users, {1: 2, 3: 4})]
    assert [] == [*users_in(users, None)]
    assert [5] == [*users_in(tuple[UserId, OtherId], (5, 6))]
    assert [5, 6] == [*users_in(tuple[UserId | None, ...], (5, None, 6))]


def test_rows_with_users_are_found_by_the_conditions_of_their_indexes() -> None:
    lists = [(table, name) for table in match_tables().values() for name in table.person_lists]
    assert {"clocks.votes": "votes <> '{}'", "matches.ready": "ready IS NOT NULL"} == {
        f"{table.name}.{name}": has_users(table, name) for table, name in lists
    }

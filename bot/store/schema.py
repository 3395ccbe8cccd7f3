"""The tables about matches, as the types of their facts describe them (`bot.store.facts`).

The types say which columns hold persons, times, JSON and secrets, so that no other module has to list them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cache
from typing import get_origin

from bot.store.columns import Column, Hidden, Person, Personal, Plan, bare, columns_of, is_optional
from bot.store.fact_store import SEATS, parts
from bot.store.matches import MatchRow
from bot.store.rows import MATCH, Part
from bot.store.table_events import TableEvent
from engine.values import Value


class MatchTable(Value):
    """A table about matches; `of_player` says that its rows belong to the player of their seat."""

    name: str
    keys: tuple[str, ...]
    columns: Mapping[str, Column]
    of_player: bool = False

    @property
    def owner(self) -> str | None:
        """The column of the user to whom each row belongs, since it is a part of the key."""
        return next((name for name in self.persons if name in self.keys), None)

    @property
    def persons(self) -> tuple[str, ...]:
        """The columns that hold one user."""
        return tuple(name for name in self._columns_with(Person) if not self.columns[name].is_json)

    @property
    def person_lists(self) -> tuple[str, ...]:
        """The columns of JSON that list users."""
        return tuple(name for name in self._columns_with(Person) if self.columns[name].is_json)

    @property
    def hidden(self) -> tuple[str, ...]:
        """The columns with secrets of a game, or data about others."""
        return tuple(self._columns_with(Hidden))

    @property
    def json(self) -> tuple[str, ...]:
        """The columns that hold JSON."""
        return tuple(name for name, column in self.columns.items() if column.is_json)

    @property
    def blanks(self) -> dict[str, str]:
        """The columns with words or choices of the user of a row, and what replaces them."""
        return {name: self.columns[name].mark(Personal).blank for name in self._columns_with(Personal)}

    @property
    def records(self) -> tuple[str, ...]:
        """The columns with times of events."""
        return tuple(name for name in self._times() if not self.columns[name].mark(Plan))

    @property
    def plans(self) -> tuple[str, ...]:
        """The columns with times in the future, as planned."""
        return tuple(name for name in self._times() if self.columns[name].mark(Plan))

    def _columns_with(self, mark: type[object]) -> list[str]:
        return [name for name, column in self.columns.items() if column.mark(mark)]

    def _times(self) -> Iterable[str]:
        return [name for name, column in self.columns.items() if bare(column.kind) is datetime]


@cache
def match_tables() -> Mapping[str, MatchTable]:
    """The tables about matches, by name."""
    tables = [
        MatchTable("matches", ("id",), columns_of(MatchRow)),
        *map(_of_part, (SEATS, *parts().values())),
        MatchTable("table_events", ("id",), columns_of(TableEvent)),
    ]
    return {table.name: table for table in tables}


def _of_part(part: Part) -> MatchTable:
    return MatchTable(part.rows.table, (MATCH, *part.keys), {**part.keys, **part.values}, part.rows.of_player)


def has_users(table: MatchTable, column: str) -> str:
    """The SQL condition for rows in which a list of users is not empty."""
    # for each of these columns, an index holds the few rows with users (`tests/bot/plans.py`)
    kind = table.columns[column].kind
    if is_optional(kind):
        return f"{column} IS NOT NULL"
    empty = "{}" if get_origin(bare(kind)) in (dict, Mapping) else "[]"
    return f"{column} <> '{empty}'"

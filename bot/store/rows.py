"""Mapping between collections and rows of a table: the types of keys and values determine the columns."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, get_args, get_origin

from bot.store.columns import Column, bare, column, columns_of
from bot.store.database import Row
from engine.values import Value

Key: TypeAlias = tuple[Any, ...]
Values: TypeAlias = tuple[Any, ...]

MATCH = "match_id"
"""The first column of the key of each table."""


class Rows(Value):
    """An annotation of a collection about a match: its table, the columns of its keys, and that of a plain `value`.

    Rows `of_player` are deleted when the player of their seat is forgotten. A collection that `may_lose_rows` skips
    damaged rows; others become unreadable. Rows that are `versioned` name their version of the match, so a write need
    not compare it.
    """

    table: str
    keys: tuple[str, ...] = ()
    value: str = ""
    of_player: bool = False
    may_lose_rows: bool = False
    versioned: bool = False


class Part:
    """The rows of a collection's type: a frozen set, an optional dataclass, or nested mappings.

    `keys` are the key columns besides `match_id`, `values` the other columns.
    """

    def __init__(self, rows: Rows, kind: Any) -> None:
        self.rows = rows
        self.keys, self.values = _keys(rows, kind), _values(rows, kind)
        self._kind = bare(kind)

    def rows_of(self, collection: Any) -> dict[Key, Values]:
        """The values of the rows of a collection, by key."""
        return {tuple(map(_encode, self.keys.values(), key)): self._row(value) for key, value in _items(collection, ())}

    def _row(self, value: Any) -> Values:
        if self.rows.value:
            (only,) = self.values.values()
            return (only.encode(value),)
        return tuple(column.encode(getattr(value, name)) for name, column in self.values.items())

    def read(self, rows: Sequence[Row]) -> Any:
        """The collection in these rows. Raises `TypeError` or `ValueError` for damaged ones."""
        kind = self._kind
        if get_origin(kind) not in (frozenset, Mapping):
            return self._value(rows[0], kind) if rows else None
        items = [(tuple(column.decode(row[name]) for name, column in self.keys.items()), row) for row in rows]
        if get_origin(kind) is frozenset:
            return frozenset(key[0] if len(key) == 1 else key for key, _ in items)
        return self._read_nested(items, kind)

    def _read_nested(self, items: Iterable[tuple[Key, Row]], kind: Any) -> dict[Any, Any]:
        inner, nested = bare(get_args(kind)[1]), dict[Any, Any]()
        if get_origin(inner) is Mapping:
            for key, row in items:
                nested.setdefault(key[0], []).append((key[1:], row))
            return {key: self._read_nested(rest, inner) for key, rest in nested.items()}
        for key, row in items:
            try:
                nested[key[0]] = self._value(row, inner)
            except (TypeError, ValueError):
                if not self.rows.may_lose_rows:
                    raise
        return nested

    def _value(self, row: Row, kind: Any) -> Any:
        if self.rows.value:
            (only,) = self.values.values()
            return only.decode(row[self.rows.value])
        return kind(**{name: column.decode(row[name]) for name, column in columns_of(kind).items()})


def _encode(column: Column, value: Any) -> Any:
    return column.encode(value)


def _items(collection: Any, key: Key) -> Iterator[tuple[Key, Any]]:
    """The keys and values of a collection. In nested ones, a key has the keys of all levels."""
    match collection:
        case frozenset():
            yield from (((*key, *item) if isinstance(item, tuple) else (*key, item), None) for item in collection)
        case Mapping():
            for part, value in collection.items():
                yield from _items(value, (*key, part))
        case None if not key:
            return
        case _:
            yield key, collection


def _keys(rows: Rows, kind: Any) -> dict[str, Column]:
    kinds, kind = list[Any](), bare(kind)
    while get_origin(kind) in (frozenset, Mapping):
        first, *inner = get_args(kind)
        kinds += get_args(first) if get_origin(first) is tuple else [first]
        kind = bare(inner[0]) if inner else None
    return dict(zip(rows.keys, map(column, kinds), strict=True))


def _values(rows: Rows, kind: Any) -> dict[str, Column]:
    # `None` as a value of a mapping has a row
    while get_origin(bare(kind)) is Mapping:
        kind = get_args(bare(kind))[1]
    if rows.value:
        return {rows.value: column(kind)}
    if not dataclasses.is_dataclass(bare(kind)):
        return {}
    record = columns_of(bare(kind))
    return {name: column for name, column in record.items() if name not in (MATCH, *rows.keys)}

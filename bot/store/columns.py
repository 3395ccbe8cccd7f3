"""Conversion of values for columns, derived from their types, and the type annotations that mark personal data."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import cache
from typing import Annotated, Any, TypeAlias, Union, get_args, get_origin, get_type_hints

from bot.store.codec import json_at, json_of, time_at, time_of
from engine.values import Value


class Person(Value):
    """Marks the id of a user. *Forget me* removes it from lists, and replaces it where the row has to stay."""


class Personal(Value):
    """Marks words or choices of the user of a row; *Forget me* replaces them by `blank`, a value of the column."""

    blank: str


class Hidden(Value):
    """Marks a secret of a game, or data about others, that *My data* leaves out."""


class Plan(Value):
    """Marks a time that is a plan for the future; without this mark, a time is the record of an event."""


class Unstored(Value):
    """Marks a field without a column."""


class Other(Value):
    """Marks an id, or a word of the program, that says nothing about who a user is."""


UserId: TypeAlias = Annotated[int, Person()]

OtherId: TypeAlias = Annotated[int, Other()]
"""The id of something else than a user: a server, a channel, a message, or an interaction."""

Term: TypeAlias = Annotated[str, Other()]
"""A word of the program, such as the name of a game or of a computer player."""

PlannedTime: TypeAlias = Annotated[datetime, Plan()]
"""A time in the future, as planned."""


class Column(Value):
    """A column: how its values are stored and read, and the marks in their type.

    `decode` raises `TypeError` or `ValueError` for a damaged value.
    """

    kind: Any
    is_json: bool
    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]
    marks: frozenset[object]

    def mark(self, kind: type[Any]) -> Any:
        """The mark of a kind, or `None`."""
        return next((mark for mark in self.marks if isinstance(mark, kind)), None)


def bare(kind: Any) -> Any:
    """A type without marks and without `None`."""
    if get_origin(kind) is Annotated:
        return bare(get_args(kind)[0])
    if get_origin(kind) in (Union, types.UnionType):
        options = [option for option in get_args(kind) if option is not types.NoneType]
        return bare(options[0]) if len(options) == 1 else kind
    return kind


def is_optional(kind: Any) -> bool:
    """Whether a value of a type may be `None`."""
    if get_origin(kind) is Annotated:
        return is_optional(get_args(kind)[0])
    return types.NoneType in get_args(kind)


def marks_in(kind: Any) -> frozenset[object]:
    """All marks in a type, also in the types of its elements."""
    own = frozenset(get_args(kind)[1:]) if get_origin(kind) is Annotated else frozenset[object]()
    inner = get_args(kind)[:1] if get_origin(kind) is Annotated else get_args(kind)
    return own.union(*map(marks_in, inner))


def users_in(kind: Any, value: Any) -> Iterator[int]:
    """The users whom a value of a type names."""
    if value is not None:
        for part_type, part in _inside(bare(kind), value):
            yield from users_in(part_type, part)
        if Person() in marks_in(kind) and isinstance(value, int):
            yield value


def _inside(plain: Any, value: Any) -> Iterator[tuple[Any, Any]]:
    """The values in a collection or a dataclass, with their types."""
    types_inside = get_args(plain)
    if dataclasses.is_dataclass(plain):
        hints = get_type_hints(plain, include_extras=True)
        yield from ((part_type, getattr(value, name)) for name, part_type in hints.items())
    elif isinstance(value, Mapping):
        yield from (pair for item in value.items() for pair in zip(types_inside, item, strict=True))
    elif get_origin(plain) is tuple and Ellipsis not in types_inside:
        yield from zip(types_inside, value, strict=True)
    elif get_origin(plain) in (tuple, frozenset):
        yield from ((types_inside[0], item) for item in value)


def column(kind: Any) -> Column:
    """The column for values of a type; `None` is NULL."""
    plain = bare(kind)
    is_json = get_origin(plain) in (tuple, frozenset, dict, Mapping)
    encode, decode = (_json_encoder(plain), _json_decoder(plain)) if is_json else _codec(plain)
    return Column(kind, is_json, _optional(encode), _optional(decode), marks_in(kind))


@cache
def columns_of(record: type[Any]) -> dict[str, Column]:
    """The columns of a dataclass, by the names of its fields."""
    hints = get_type_hints(record, include_extras=True)
    columns = {field.name: column(hints[field.name]) for field in dataclasses.fields(record)}
    return {name: candidate for name, candidate in columns.items() if not candidate.mark(Unstored)}


def _optional(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else convert(value)


def _codec(plain: Any) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    if plain is datetime:
        return time_of, time_at
    if plain is timedelta:
        return timedelta.total_seconds, _span_at
    if plain is bool:
        return int, bool
    # a subclass of `int` or `str`, such as a seat or an enumeration, is stored as it is
    return _identity, plain if plain not in (int, str, float) else _identity


def _identity(value: Any) -> Any:
    return value


def _span_at(seconds: float) -> timedelta:
    return timedelta(seconds=seconds)


def _json_encoder(plain: Any) -> Callable[[Any], str]:
    if get_origin(plain) is frozenset:
        return lambda value: json_of(sorted(value))
    return lambda value: json_of(dict(value) if isinstance(value, Mapping) else list(value))


def _json_decoder(plain: Any) -> Callable[[str], Any]:
    origin, elements = get_origin(plain), tuple(_element(element) for element in get_args(plain))
    if origin in (tuple, frozenset):
        return lambda stored: origin(map(elements[0], _list_at(stored)))
    key, value = elements
    return lambda stored: {key(name): value(part) for name, part in _object_at(stored).items()}


def _element(kind: Any) -> Callable[[Any], Any]:
    plain = bare(kind) if get_origin(kind) is Annotated else kind
    if plain is str:
        return _str_at
    return plain if isinstance(plain, type) and issubclass(plain, int) and plain is not bool else _identity


def _str_at(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"not a text but {type(value).__name__}")
    return value


def _list_at(stored: str) -> list[Any]:
    value = json_at(stored)
    if not isinstance(value, list):
        raise ValueError(f"not a list but {type(value).__name__}")
    return value


def _object_at(stored: str) -> dict[Any, Any]:
    value = json_at(stored)
    if not isinstance(value, dict):
        raise ValueError(f"not an object but {type(value).__name__}")
    return value

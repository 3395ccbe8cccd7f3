"""Kinds of controls: what the id of each carries, declared once, and the buttons, menus and forms that carry it.

A handler is a kind of control (`at_table` and `anywhere` in `bot/dispatcher.py`), so a button is made from the function
that answers it: `show_log.button(table, Text("Log"))`. Its fields are the parameters that follow the request. Where a
layout lies below the handler, it declares the kind by a function without a body (`declare_at_table`), which the handler
then implements.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import UnionType
from typing import Annotated, Any, Generic, ParamSpec, Self, TypeVar, get_args, get_origin

import discord

from bot.errors import UserError
from bot.interactions.controls import NO_TABLE, Control, ControlId, id_in
from bot.interactions.parts import PLAIN
from bot.tables.table import Table
from engine.texts import Text

P = ParamSpec("P")
T = TypeVar("T")

OUTDATED = Text("This button is outdated and no longer works.")


class Slot(Enum):
    """The part of an id in which a field is written."""

    MATCH = "match"
    VERSION = "version"
    TEXT = "text"


InMatch = Annotated[T, Slot.MATCH]
"""A field in the place of the match, for a kind of control that does not belong to the table of its channel."""

InVersion = Annotated[T, Slot.VERSION]
"""A number in the place of the version. All other fields share the text."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """The position for which a control was made: the version of the match, and a checksum of the choices so far."""

    version: int
    draft: str = ""


NO_STAMP = Stamp(0)
"""The stamp of a control that was made for no position."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a kind of control."""

    name: str
    type: Any
    slot: Slot
    default: Any

    @classmethod
    def of(cls, parameter: inspect.Parameter) -> Field:
        """The field of a parameter, by its annotation."""
        slot, kind = Slot.TEXT, parameter.annotation
        if get_origin(kind) is Annotated:
            kind, slot = get_args(kind)
        if get_origin(kind) is UnionType:
            kind = get_args(kind)[0]
        return cls(parameter.name, kind, Slot.VERSION if kind is Stamp else slot, parameter.default)

    def write(self, value: Any) -> str:
        """A value as text."""
        if isinstance(value, tuple):
            return " ".join(value)
        if value is None:
            return ""
        return str(int(value)) if isinstance(value, int) else str(value)

    def read(self, text: str) -> Any:
        """The value of a text. Raises `UserError` where there can be none: ids come from outside."""
        if not text and self.default is not inspect.Parameter.empty:
            return self.default
        if get_origin(self.type) is tuple:
            return tuple(text.split())
        return text if self.type is str else self.type(_number(text))


def _number(text: str) -> int:
    number = id_in(text)
    if number is None:
        raise UserError(OUTDATED)
    return number


class Kind(Generic[P]):
    """A kind of control: its name in ids, which never changes, and its fields."""

    def __init__(self, name: str, function: Callable[..., object], *, leading: int) -> None:
        """The fields are the parameters of a function after those that are `leading`."""
        register(name, self)
        self.name = name
        parameters = [*inspect.signature(function, eval_str=True).parameters.values()][leading:]
        self._fields = {field.name: field for field in map(Field.of, parameters)}
        self._texts = [field for field in self._fields.values() if field.slot is Slot.TEXT]

    @classmethod
    def like(cls, other: Kind[P]) -> Self:
        """Another object of a kind, of this class."""
        kind = cls.__new__(cls)
        kind.name, kind._fields, kind._texts = other.name, other._fields, other._texts
        return kind

    def read(self, control: ControlId) -> dict[str, Any]:
        """The values of the fields, by name. Raises `UserError` for an id of which one cannot be read."""
        # the last field of the text has the rest of it, which may contain spaces
        texts = iter(control.text.split(" ", len(self._texts) - 1) if self._texts else ())
        return {name: self._read(field, control, texts) for name, field in self._fields.items()}

    def _read(self, field: Field, control: ControlId, texts: Any) -> Any:
        if field.type is Stamp:
            return Stamp(control.version, control.draft)
        if field.slot is Slot.TEXT:
            return field.read(next(texts, ""))
        return field.type(control.version if field.slot is Slot.VERSION else control.match)

    def _id(self, match_id: int, args: Sequence[Any], kwargs: Mapping[str, Any]) -> ControlId:
        by_name = {**dict(zip(self._fields, args, strict=False)), **kwargs}
        values = [(field, by_name.get(field.name, field.default)) for field in self._fields.values()]
        version, draft, texts = 0, "", list[str]()
        for field, value in values:
            if isinstance(value, Stamp):
                version, draft = value.version, value.draft
            elif field.slot is Slot.MATCH:
                match_id = value
            elif field.slot is Slot.VERSION:
                version = int(value or 0)
            else:
                texts.append(field.write(value))
        return ControlId(self.name, match_id, version, " ".join(texts), draft)


class TableKind(Kind[P]):
    """A kind of control that belongs to a table."""

    def id(self, table: Table | int, /, *args: P.args, **kwargs: P.kwargs) -> ControlId:
        """The id of a control with these fields, of a table or the match with an id."""
        return self._id(table if isinstance(table, int) else table.id, args, kwargs)

    def button(
        self,
        table: Table,
        label: Text | str,
        style: discord.ButtonStyle = PLAIN,
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Control:
        """A button with these fields."""
        return Control(self._id(table.id, args, kwargs), label, style)


class FreeKind(Kind[P]):
    """A kind of control that works anywhere."""

    def id(self, *args: P.args, **kwargs: P.kwargs) -> ControlId:
        """The id of a control with these fields."""
        return self._id(NO_TABLE, args, kwargs)

    def button(
        self, label: Text | str, style: discord.ButtonStyle = PLAIN, /, *args: P.args, **kwargs: P.kwargs
    ) -> Control:
        """A button with these fields."""
        return Control(self._id(NO_TABLE, args, kwargs), label, style)


KINDS: dict[str, Kind[...]] = {}
"""All kinds of controls, by name."""


def register(name: str, kind: Kind[...]) -> None:
    """Add a kind of control. Raises `ValueError` for a second one of a name."""
    if name in KINDS:
        raise ValueError(f"two kinds of controls are called {name}")
    KINDS[name] = kind


def declare_at_table(name: str) -> Callable[[Callable[P, None]], TableKind[P]]:
    """A kind of control whose handler lies in a package above, with the parameters of a function as its fields."""
    return lambda function: TableKind(name, function, leading=0)


def declare_anywhere(name: str) -> Callable[[Callable[P, None]], FreeKind[P]]:
    """A kind of control without a table whose handler lies in a package above."""
    return lambda function: FreeKind(name, function, leading=0)

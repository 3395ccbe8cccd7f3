"""Kinds of controls: the fields in their ids, declared once, for buttons, menus and forms.

A handler is a kind of control (`at_table` and `anywhere` in `bot/features/handlers.py`), and makes its buttons:
`show_log.button(table, Text("Log"))`. Its fields are the parameters after the request. A layout in a package below the
handler declares the kind by a function without a body (`declare_at_table`), which the handler then implements.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from types import UnionType
from typing import Annotated, Any, Generic, ParamSpec, Self, TypeVar, get_args, get_origin

import discord

from bot.errors import UserError
from bot.interactions.controls import NO_TABLE, Control, ControlId, id_in
from bot.interactions.parts import PLAIN
from bot.tables.table import Table
from engine.texts import Text
from engine.values import Value

P = ParamSpec("P")
T = TypeVar("T")

OUTDATED_TEXT = Text("This button is outdated and no longer works.")


class Slot(Enum):
    """The part of an id that contains a field."""

    MATCH = "match"
    VERSION = "version"
    TEXT = "text"


InMatch = Annotated[T, Slot.MATCH]
"""A field in place of the match, for controls that do not belong to the table of their channel."""

InVersion = Annotated[T, Slot.VERSION]
"""A number in place of the version. All other fields share the text."""


class Stamp(Value):
    """The position of a control: the version of the match, and a checksum of the choices in the draft."""

    version: int
    draft: str = ""


NO_STAMP = Stamp(0)
"""The stamp of a control without a position."""


class Field(Value):
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
        """The value of a text. Raises `UserError` for an invalid one, since ids come from outside."""
        if not text and self.default is not inspect.Parameter.empty:
            return self.default
        if get_origin(self.type) is tuple:
            return tuple(text.split())
        return text if self.type is str else self.type(_number(text))


def _number(text: str) -> int:
    number = id_in(text)
    if number is None:
        raise UserError(OUTDATED_TEXT)
    return number


class Kind(Generic[P]):
    """A kind of control: its name in ids, which must not change, and its fields."""

    def __init__(self, name: str, function: Callable[..., object], *, leading: int) -> None:
        """The fields are the parameters of `function`, without the first `leading` ones."""
        register(name, self)
        self.name = name
        parameters = [*inspect.signature(function, eval_str=True).parameters.values()][leading:]
        self._fields = {field.name: field for field in map(Field.of, parameters)}
        self._texts = [field for field in self._fields.values() if field.slot is Slot.TEXT]

    @classmethod
    def like(cls, other: Kind[P]) -> Self:
        """A copy of a kind, of this class."""
        kind = cls.__new__(cls)
        kind.name, kind._fields, kind._texts = other.name, other._fields, other._texts
        return kind

    def read(self, control: ControlId) -> dict[str, Any]:
        """The values of the fields, by name. Raises `UserError` if one of them is invalid."""
        # the last field gets the rest of the text, which may contain spaces
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
        """The id of a control with these fields, for a table or the id of its match."""
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
    """Add a kind of control. Raises `ValueError` if its name is taken."""
    if name in KINDS:
        raise ValueError(f"two kinds of controls are called {name}")
    KINDS[name] = kind


def declare_at_table(name: str) -> Callable[[Callable[P, None]], TableKind[P]]:
    """Declare a kind of control at a table, for a handler in a package above; the parameters are its fields."""
    return lambda function: TableKind(name, function, leading=0)


def declare_anywhere(name: str) -> Callable[[Callable[P, None]], FreeKind[P]]:
    """Declare a kind of control without a table, for a handler in a package above."""
    return lambda function: FreeKind(name, function, leading=0)

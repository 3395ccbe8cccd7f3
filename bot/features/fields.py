"""Fields of settings: a page of settings is a table of them, with one renderer and one reader."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Self

import discord
from discord.ui import ActionRow, TextDisplay

from bot.errors import UserError
from bot.features.handlers import Request
from bot.interactions.controls import MAX_PICKED, Control, ControlId, Menu, Picker
from bot.interactions.parts import row
from bot.store.shard_range import NO_SERVER
from engine.texts import Text
from engine.values import AbstractValue, Value
from locales import OwnName

NO_SUCH_TEXT = Text("That setting no longer exists.")


class Choice(Value):
    """A value of a field: its row in the menu, and its label and details there."""

    row: str
    value: Any
    label: Text | str | OwnName
    details: Text | str = ""


def choices_of(labels: Mapping[Any, Text | OwnName]) -> tuple[Choice, ...]:
    """Choices from a mapping of values to labels."""
    return tuple(Choice(row_of(value), value, label) for value, label in labels.items())


class Field(AbstractValue):
    """A field of a page: its name, and its description."""

    name: str
    about: Text | str

    @property
    def title(self) -> str:
        """The name of the field for people: the bold words of its description."""
        # from the description, so that the log and the page cannot differ
        return f"**{str(self.about).split('**')[1]}**"

    @abstractmethod
    def menu(self, control: ControlId, value: Any) -> Menu | Picker:
        """The menu of the field, in which its value is chosen."""

    @abstractmethod
    def read(self, request: Request) -> Any:
        """The value that the user has chosen in the menu. Raises `UserError` for an invalid one."""


class Pick(Field):
    """One of some fixed values."""

    choices: tuple[Choice, ...]
    placeholder: Text | str = ""

    @classmethod
    def of(cls, name: str, about: Text, labels: Mapping[Any, Text | OwnName]) -> Self:
        """A field with these values and their labels."""
        return cls(name, about, choices_of(labels))

    def menu(self, control: ControlId, value: Any) -> Menu:
        """The menu; a value without a row is not selected in it."""
        # with their types, since `True == 1` in Python
        row = next(
            (choice.row for choice in self.choices if (type(choice.value), choice.value) == (type(value), value)), None
        )
        rows = tuple((choice.row, str(choice.label), str(choice.details)) for choice in self.choices)
        return Menu(control, rows, str(self.placeholder), row)

    def read(self, request: Request) -> Any:
        """The chosen value."""
        choice = self.choice_of(request.value)
        if choice is None:
            raise UserError(NO_SUCH_TEXT)
        return choice.value

    def choice_of(self, row: str) -> Choice | None:
        """The choice of a row."""
        return next((choice for choice in self.choices if choice.row == row), None)


OTHER = "other"
"""The row of a menu that opens the form."""


class Typed(Pick):
    """A field whose value may also be typed into a form.

    `other` is the label of the row that opens the form, `own` returns the label of a typed value.
    """

    other: Text = field(kw_only=True)
    own: Callable[[Any], Text | None] = field(kw_only=True)

    def menu(self, control: ControlId, value: Any) -> Menu:
        """The menu, with a row for an earlier typed value, and a row that opens the form."""
        label = self.own(value) if self.choice_of(row_of(value)) is None else None
        typed = [Choice(row_of(value), value, label)] if label else []
        rows = [(choice.row, str(choice.label)) for choice in (*self.choices, *typed, Choice(OTHER, None, self.other))]
        return Menu(control, rows, chosen=row_of(value))


class Channels(Field):
    """Channels of the server; `none` is the label of a menu in which none is chosen."""

    none: Text
    types: tuple[discord.ChannelType, ...]
    most: int = MAX_PICKED

    def menu(self, control: ControlId, value: Any) -> Picker:
        """The menu of channels."""
        return Picker.channels(control, value, str(self.none), self.types, self.most)

    def read(self, request: Request) -> tuple[int, ...]:
        """The ids of the chosen channels."""
        channels = [_guild(request).get_channel(number) for number in _numbers(request, self.most)]
        # Discord also offers channels that the bot may not see
        if any(channel is None or channel.type not in self.types for channel in channels):
            raise UserError(Text("I can’t see one of these channels. Please choose channels that I can see."))
        return tuple(channel.id for channel in channels if channel)


class Channel(Channels):
    """One channel of the server, or none, which is 0."""

    most: int = 1

    def read(self, request: Request) -> Any:
        """The id of the chosen channel."""
        return next(iter(Channels.read(self, request)), 0)


class Roles(Field):
    """Roles of the server; `none` is the label of a menu in which none is chosen."""

    none: Text

    def menu(self, control: ControlId, value: Any) -> Picker:
        """The menu of roles."""
        return Picker.roles(control, value, str(self.none))

    def read(self, request: Request) -> tuple[int, ...]:
        """The ids of the chosen roles."""
        roles = [_guild(request).get_role(number) for number in _numbers(request, MAX_PICKED)]
        if any(role is None for role in roles):
            raise UserError(Text("One of these roles no longer exists. Please choose again."))
        return tuple(role.id for role in roles if role)


def _guild(request: Request) -> discord.Guild:
    return request.services.servers.known.require(request.response.interaction.guild_id or NO_SERVER)


def _numbers(request: Request, most: int) -> list[int]:
    if len(request.values) > most or not all(value.isdecimal() for value in request.values):
        raise UserError(NO_SUCH_TEXT)
    return [int(value) for value in request.values]


def row_of(value: Any) -> str:
    """A value as the row of a menu, which must not be empty."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) or "-"


def field_named(fields: Sequence[Field], name: str) -> Field:
    """The field of an untrusted name. Raises `UserError` if there is none."""
    match = next((setting for setting in fields if setting.name == name), None)
    if match is None:
        raise UserError(NO_SUCH_TEXT)
    return match


class Page(Value):
    """A page of settings, no longer than the screen of a phone: its name in ids, its label, and its fields."""

    name: str
    label: Text
    fields: tuple[Field, ...]


def page_named(pages: Sequence[Page], name: str) -> Page:
    """The page of an untrusted name; the first page for an unknown one."""
    return next((page for page in pages if page.name == name), pages[0])


def page_with(pages: Sequence[Page], name: str) -> Page:
    """The page that has the field of a name; the first page for an unknown one."""
    return next((page for page in pages if name in [setting.name for setting in page.fields]), pages[0])


BUTTONS_IN_LINE = 3
"""Buttons of pages that fit next to each other on a phone."""


def page_rows(
    pages: Sequence[Page], current: Page, control: Callable[[str], ControlId], faulty: Collection[str] = ()
) -> list[ActionRow[Any]]:
    """The buttons to all pages, with a warning sign if one of the `faulty` fields is there."""
    buttons = [Control(control(page.name), _label(page, faulty), disabled=page is current) for page in pages]
    return [row(*buttons[n : n + BUTTONS_IN_LINE]) for n in range(0, len(buttons), BUTTONS_IN_LINE)]


def _label(page: Page, faulty: Collection[str]) -> Text:
    is_faulty = any(setting.name in faulty for setting in page.fields)
    return Text("⚠️ {page}", page=page.label) if is_faulty else page.label


Notes = Mapping[str, Sequence[Text]]
"""Notes below the description of a field, by its name."""


def field_items(
    fields: Sequence[Field],
    control: Callable[[str], ControlId],
    values: Mapping[str, Any],
    notes: Notes | None = None,
) -> Iterator[TextDisplay[Any] | ActionRow[Any]]:
    """The menu of each field below its description; `control` makes the id of the menu of a name."""
    # text, row and menu: each field takes three of the 40 components that Discord allows in a message
    for setting in fields:
        yield TextDisplay("\n".join(map(str, (setting.about, *(notes or {}).get(setting.name, ())))))
        yield row(setting.menu(control(setting.name), values[setting.name]))

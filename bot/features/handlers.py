"""Handlers of taps on controls, of submitted forms, and of commands.

The decorators `@at_table("log")` and `@anywhere("habit")` register a handler. A handler is also the kind of control
that it handles (`bot/interactions/kinds.py`), and makes its controls: `show_log.button(table, Text("Log"))`. The name
of the kind is part of the ids of controls, so it must not change. The parameters after the request are the fields of a
control.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import field, replace
from enum import Enum
from functools import partial
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar, overload

import discord
from discord.ui import TextDisplay

from bot.errors import QuestionAsked, UserError
from bot.features.services import Services
from bot.interactions.controls import Control, ControlId
from bot.interactions.kinds import KINDS, NO_STAMP, FreeKind, Kind, Stamp, TableKind, declare_at_table, register
from bot.interactions.parts import DANGER, layout, row, text_layout
from bot.interactions.responses import Response
from bot.tables.table import Table
from engine.texts import Text
from engine.values import Value

P = ParamSpec("P")
R = TypeVar("R", bound="Request")


class Answer(Enum):
    """The place of the answer to a tap."""

    USUAL = "in place of the private message that was tapped, or else as a new private one"
    NEW = "as a new private message"
    IN_PLACE = "in place of the message that was tapped, though everybody sees it"


@declare_at_table("close")
def close(stamp: Stamp = NO_STAMP) -> None:
    """Close a private message, and discard the draft that it shows."""


class Request(Value):
    """A tap on a control, a submitted form, or a command.

    `confirmation` is the id of the control that confirms it, if its handler asks before it acts; `is_confirmed`:
    whether that control was tapped.
    """

    services: Services
    response: Response
    values: tuple[str, ...] = ()
    answer: Answer = Answer.NEW
    confirmation: ControlId | None = field(default=None, kw_only=True)
    is_confirmed: bool = field(default=False, kw_only=True)

    @property
    def user_id(self) -> int:
        """The user who tapped or typed."""
        return self.response.interaction.user.id

    @property
    def value(self) -> str:
        """The chosen row of a menu. Raises `UserError` unless there is exactly one, since requests can be forged."""
        if len(self.values) != 1:
            raise UserError(Text("Please choose an item from the menu."))
        return self.values[0]

    @property
    def is_command(self) -> bool:
        """Whether the request is a command."""
        return self.response.interaction.type is discord.InteractionType.application_command

    async def confirm(
        self,
        question: Text | Callable[[], Awaitable[Text | str]],
        label: Text,
        *more: Control,
        control: ControlId | None = None,
    ) -> None:
        """Return if the user has confirmed the request; otherwise ask them, and raise `QuestionAsked`.

        The button with this label leads to the same handler with the same fields, or with those of `control`; `more`
        are the buttons beside it. A public message stays as it is.
        """
        if self.is_confirmed:
            return
        assert self.confirmation is not None, "the handler has a kind of control for its confirmation"
        confirmation = replace(control, kind=self.confirmation.kind) if control else self.confirmation
        button = Control(confirmation, self.response.localize(label), DANGER)
        text = await question() if callable(question) else question
        if isinstance(text, str):
            await self.response.show(layout(TextDisplay(text), row(button, *more)))
        elif self.answer is Answer.IN_PLACE:
            await self.response.say(text, button, *more)
        else:
            await self.response.show(text_layout(text, self.response.localize, button, *more))
        raise QuestionAsked


class TableRequest(Request):
    """A request at a table."""

    table: Table = field(kw_only=True)

    @property
    def is_in_charge(self) -> bool:
        """Whether the user is the host or may manage the channel's messages."""
        return self.user_id == self.table.row.host_id or self.response.interaction.permissions.manage_messages

    @property
    def cancel(self) -> Control:
        """The button that closes a question."""
        return close.button(self.table, self.response.localize(Text("Cancel")))


class Tap(Value):
    """The handler of taps on a kind of control, or of a form, and the place of its answer."""

    handler: TableTap[...] | FreeTap[...]
    answer: Answer

    @property
    def is_at_table(self) -> bool:
        """Whether it needs the table of the control."""
        return isinstance(self.handler, TableTap)


TAPS: dict[str, Tap] = {}
"""Kind of control -> its handler; the modules of features fill it when they are imported."""


class _Handler(Kind[P]):
    """A handler as a kind of control. `confirmed` is the kind of the control that confirms it, if it asks first."""

    def _bind(self, handler: Callable[..., Awaitable[None]], answer: Answer, confirmed: str) -> None:
        self.handler = handler
        self._confirmed = confirmed
        _add(self.name, self, answer)
        if confirmed and confirmed != self.name:
            register(confirmed, self)
            # a question is private
            _add(confirmed, self, Answer.USUAL)

    def confirmation(self, control: ControlId) -> ControlId:
        """The id of the control that confirms another one of this kind."""
        return replace(control, kind=self._confirmed)

    async def run(self, request: Request, control: ControlId) -> None:
        """Handle a tap on a control. Raises `UserError` if its id cannot be read."""
        is_confirmed = control.kind == self._confirmed
        await self.handler(self._with_confirmation(request, control, is_confirmed=is_confirmed), **self.read(control))

    def _with_confirmation(self, request: R, control: ControlId, *, is_confirmed: bool = False) -> R:
        if not self._confirmed:
            return request
        return replace(request, confirmation=self.confirmation(control), is_confirmed=is_confirmed)


class TableTap(TableKind[P], _Handler[P]):
    """A handler at a table, and the kind of control that it handles."""

    async def __call__(self, request: TableRequest, /, *args: P.args, **kwargs: P.kwargs) -> None:
        """Handle a request without a control, such as a command."""
        control = self.id(request.table, *args, **kwargs)
        await self.handler(self._with_confirmation(request, control), *args, **kwargs)


class FreeTap(FreeKind[P], _Handler[P]):
    """A handler that needs no table, and the kind of control that it handles."""

    async def __call__(self, request: Request, /, *args: P.args, **kwargs: P.kwargs) -> None:
        """Handle a request without a control, such as a command."""
        await self.handler(self._with_confirmation(request, self.id(*args, **kwargs)), *args, **kwargs)


def _add(name: str, handler: Any, answer: Answer) -> None:
    if name in TAPS:
        raise ValueError(f"two handlers answer controls of the kind {name}")
    TAPS[name] = Tap(handler, answer)


def unhandled_kinds() -> set[str]:
    """The names of declared kinds of controls without a handler in an imported module."""
    return KINDS.keys() - TAPS.keys()


TableHandler: TypeAlias = Callable[Concatenate[TableRequest, P], Awaitable[None]]
FreeHandler: TypeAlias = Callable[Concatenate[Request, P], Awaitable[None]]


@overload
def at_table(
    kind: str, answer: Answer = Answer.USUAL, *, confirmed: str = ""
) -> Callable[[TableHandler[P]], TableTap[P]]: ...


@overload
def at_table(
    kind: TableKind[P], answer: Answer = Answer.USUAL, *, confirmed: str = ""
) -> Callable[[TableHandler[P]], TableTap[P]]: ...


def at_table(kind: Any, answer: Answer = Answer.USUAL, *, confirmed: str = "") -> Any:
    """Make a function the handler of a kind of control, at the table of the control, open or over.

    The kind is a new name, or was declared in a package below. `confirmed` is the kind of the control below the
    question of `Request.confirm`.
    """
    return partial(_register_handler, TableTap, kind, answer, confirmed)


@overload
def anywhere(
    kind: str, answer: Answer = Answer.USUAL, *, confirmed: str = ""
) -> Callable[[FreeHandler[P]], FreeTap[P]]: ...


@overload
def anywhere(
    kind: FreeKind[P], answer: Answer = Answer.USUAL, *, confirmed: str = ""
) -> Callable[[FreeHandler[P]], FreeTap[P]]: ...


def anywhere(kind: Any, answer: Answer = Answer.USUAL, *, confirmed: str = "") -> Any:
    """Make a function the handler of a kind of control that needs no table; otherwise like `at_table`."""
    return partial(_register_handler, FreeTap, kind, answer, confirmed)


def _register_handler(
    tap: type[TableTap[...] | FreeTap[...]],
    kind: Kind[...] | str,
    answer: Answer,
    confirmed: str,
    handler: Callable[..., Awaitable[None]],
) -> Any:
    bound = tap.like(kind) if isinstance(kind, Kind) else tap(kind, handler, leading=1)
    bound._bind(handler, answer, confirmed)
    return bound

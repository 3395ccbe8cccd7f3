"""Handlers: what a tap on a control does, or a form that was sent, or a command.

A handler is registered by being defined, `@at_table("log")` or `@anywhere("habit")`, and is the kind of control that it
answers (`bot/interactions/kinds.py`): `show_log.button(table, Text("Log"))`. The name is that of the kind in the ids of
controls, so it stays what it is. The parameters after the request are what a control carries.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar, overload

import discord
from discord.ui import TextDisplay

from bot.errors import QuestionAsked, UserError
from bot.interactions.controls import Control, ControlId
from bot.interactions.kinds import KINDS, NO_STAMP, FreeKind, Kind, Stamp, TableKind, declare_at_table, register
from bot.interactions.parts import DANGER, layout, row, text_layout
from bot.interactions.responses import Response
from bot.services import Services
from bot.tables.table import Table
from engine.texts import Text

P = ParamSpec("P")
R = TypeVar("R", bound="Request")


class Answer(Enum):
    """Where the answer to a tap is shown."""

    USUAL = "in place of the private message that was tapped, or else as a new private one"
    NEW = "as a new private message"
    IN_PLACE = "in place of the message that was tapped, though everybody sees it"


@declare_at_table("close")
def close(stamp: Stamp = NO_STAMP) -> None:
    """Close a private message, and discard the draft that it shows."""


@dataclass(frozen=True, slots=True)
class Request:
    """A tap on a control, a form that was sent, or a command.

    `confirmation` is the id of a control that confirms it, if its handler asks before it acts; `is_confirmed` is
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
        """The row chosen from a menu. Raises `UserError` for anything but one; taps come from outside."""
        if len(self.values) != 1:
            raise UserError(Text("Please choose an item from the menu."))
        return self.values[0]

    @property
    def is_command(self) -> bool:
        """Whether it was typed."""
        return self.response.interaction.type is discord.InteractionType.application_command

    async def confirm(
        self,
        question: Text | Callable[[], Awaitable[Text | str]],
        label: Text,
        *more: Control,
        control: ControlId | None = None,
    ) -> None:
        """Return if the user has confirmed what they want; otherwise ask them, and raise `QuestionAsked`.

        The button with this label leads to the same handler with the same fields, or with those of `control`; `more`
        are the buttons beside it. A message that everybody sees stays as it is.
        """
        if self.is_confirmed:
            return
        assert self.confirmation is not None, "the handler has a name for what is confirmed"
        confirmation = replace(control, kind=self.confirmation.kind) if control else self.confirmation
        sure = Control(confirmation, self.response.localize(label), DANGER)
        words = await question() if callable(question) else question
        if isinstance(words, str):
            await self.response.show(layout(TextDisplay(words), row(sure, *more)))
        elif self.answer is Answer.IN_PLACE:
            await self.response.say(words, sure, *more)
        else:
            await self.response.show(text_layout(words, self.response.localize, sure, *more))
        raise QuestionAsked


@dataclass(frozen=True, slots=True)
class TableRequest(Request):
    """A request at a table."""

    table: Table = field(kw_only=True)

    @property
    def is_in_charge(self) -> bool:
        """Whether the user is the host or may manage the channel's messages."""
        return self.user_id == self.table.row.host_id or self.response.interaction.permissions.manage_messages

    @property
    def cancel(self) -> Control:
        """The button that takes a question away."""
        return close.button(self.table, self.response.localize(Text("Cancel")))


@dataclass(frozen=True, slots=True)
class Tap:
    """What a tap on a kind of control does, or a form that was sent, and where the answer is shown."""

    handler: TableTap[...] | FreeTap[...]
    answer: Answer

    @property
    def is_at_table(self) -> bool:
        """Whether it needs the table of the control."""
        return isinstance(self.handler, TableTap)


TAPS: dict[str, Tap] = {}
"""What taps do, by the names of the kinds of controls; modules of features fill it when they are imported."""


class _Handler(Kind[P]):
    """A handler as a kind of control. `confirmed` is the name of the control that confirms it, if it asks before."""

    def _answers(self, handler: Callable[..., Awaitable[None]], answer: Answer, confirmed: str) -> None:
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
        await self.handler(self._asking(request, control, is_confirmed=is_confirmed), **self.read(control))

    def _asking(self, request: R, control: ControlId, *, is_confirmed: bool = False) -> R:
        if not self._confirmed:
            return request
        return replace(request, confirmation=self.confirmation(control), is_confirmed=is_confirmed)


class TableTap(TableKind[P], _Handler[P]):
    """A handler at a table, and the kind of control that it answers."""

    async def __call__(self, request: TableRequest, /, *args: P.args, **kwargs: P.kwargs) -> None:
        """Handle a request that came in another way, such as by a command."""
        control = self.id(request.table, *args, **kwargs)
        await self.handler(self._asking(request, control), *args, **kwargs)


class FreeTap(FreeKind[P], _Handler[P]):
    """A handler that needs no table, and the kind of control that it answers."""

    async def __call__(self, request: Request, /, *args: P.args, **kwargs: P.kwargs) -> None:
        """Handle a request that came in another way, such as by a command."""
        await self.handler(self._asking(request, self.id(*args, **kwargs)), *args, **kwargs)


def _add(name: str, handler: Any, answer: Answer) -> None:
    if name in TAPS:
        raise ValueError(f"two handlers answer controls of the kind {name}")
    TAPS[name] = Tap(handler, answer)


def without_handler() -> set[str]:
    """The names of the kinds of controls that are declared but that no imported module handles."""
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

    The kind is named here, or declared in a package below. `confirmed` is the name of the control below the question
    of `Request.confirm`.
    """
    return partial(_registered, TableTap, kind, answer, confirmed)


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
    return partial(_registered, FreeTap, kind, answer, confirmed)


def _registered(
    tap: type[TableTap[...] | FreeTap[...]],
    kind: Kind[...] | str,
    answer: Answer,
    confirmed: str,
    handler: Callable[..., Awaitable[None]],
) -> Any:
    made = tap.like(kind) if isinstance(kind, Kind) else tap(kind, handler, leading=1)
    made._answers(handler, answer, confirmed)
    return made

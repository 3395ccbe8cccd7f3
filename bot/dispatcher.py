"""The dispatcher: every tap and every command comes here, and goes on to the handler that knows what to do."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, TypeAlias, TypeVar

import discord
from discord.app_commands import Choice

from bot.errors import AlreadyHandled, UserError
from bot.interactions.controls import NO_TABLE, Control, ControlId
from bot.interactions.parts import invitation
from bot.interactions.responses import Response, answered
from bot.services import Services
from bot.store.trouble import DatabaseTrouble
from bot.tables.table import Table
from engine.errors import EngineError
from engine.texts import Text

V = TypeVar("V", str, int)
Interaction: TypeAlias = discord.Interaction[Any]

REMEMBERED = 4096
"""Interactions whose repetition is noticed; Discord repeats one within seconds if at all."""

SUCCEEDING = 3.0
"""Seconds for which an interaction may wait for the process that it came to as well; Discord gives it no more."""

HANDED_OVER = 256
"""Interactions of which the next process is told; those of a few seconds may still come to it."""

GRACE = 4.0
"""Seconds for answers that are under way when the bot goes."""

UNKNOWN = Text("This control is from another time; I do not know it any more.")


@dataclass(frozen=True, slots=True)
class Request:
    """What somebody wants, wherever that is: a tap on a control, a form that was sent, or a command."""

    services: Services
    response: Response
    control: ControlId
    values: tuple[str, ...]

    @property
    def user_id(self) -> int:
        """Who tapped or typed."""
        return self.response.interaction.user.id

    @property
    def value(self) -> str:
        """The row chosen from a menu. Raises `UserError` for anything but one; taps come from outside."""
        if len(self.values) != 1:
            raise UserError(Text("Choose one row of the menu, please."))
        return self.values[0]

    @property
    def is_command(self) -> bool:
        """Whether it was typed."""
        return self.response.interaction.type is discord.InteractionType.application_command


@dataclass(frozen=True, slots=True)
class TableRequest(Request):
    """What somebody wants at a table."""

    table: Table

    @property
    def is_in_charge(self) -> bool:
        """Whether the user is the host or may manage the channel's messages."""
        return self.user_id == self.table.row.host_id or self.response.interaction.permissions.manage_messages


Suggest: TypeAlias = Callable[[Interaction, str], Coroutine[Any, Any, list[Choice[V]]]]
Handler: TypeAlias = Callable[[TableRequest], Awaitable[None]]
Anywhere: TypeAlias = Callable[[Request], Awaitable[None]]


class Dispatcher:
    """Knows which interactions have been here, and finds tables and handlers for them.

    `handlers` are by kind of control; those `anywhere` need no table. A private answer takes the place of a private
    message that was tapped, unless the kind is one of `apart`; the answer to those `in_place` is the public message
    they stand on. Nothing is done before `opened` is set. A process that `follows` another one hears of everything that
    comes to that one, and does what comes when that one `leaves`.
    """

    def __init__(
        self,
        services: Services,
        handlers: Mapping[str, Handler],
        anywhere: Mapping[str, Anywhere],
        *,
        follows: bool,
        in_place: frozenset[str],
        apart: frozenset[str],
    ) -> None:
        self.services = services
        self.opened = asyncio.Event()
        self._follows = follows
        self.leaves = False
        self._handlers = handlers
        self._anywhere = anywhere
        self._in_place = in_place
        self._apart = apart
        self._seen: OrderedDict[int, None] = OrderedDict()
        self._working: set[asyncio.Task[Any]] = set()

    async def admits(self, interaction: Interaction) -> bool:
        """Whether this process may see to an interaction, and no other one does."""
        if self.leaves or self.opened.is_set() or not self._follows:
            return not self.leaves
        if interaction.type is discord.InteractionType.autocomplete:
            return False  # nobody is told to whom suggestions were made
        with suppress(TimeoutError):
            async with asyncio.timeout(SUCCEEDING):
                return await self.opened.wait()
        return False

    def inherit(self, served: Sequence[int]) -> None:
        """Know what the process before has seen to."""
        self._seen.update(dict.fromkeys(served))

    @property
    def served(self) -> list[int]:
        """The interactions that were last seen to."""
        return list(self._seen)[-HANDED_OVER:]

    async def tapped(self, interaction: Interaction, control: ControlId, values: tuple[str, ...]) -> None:
        """Carry out a tap on one of our controls, or a form that was sent, of any age."""
        if not await self.admits(interaction):
            return
        message = interaction.message
        private = message is not None and message.flags.ephemeral and control.kind not in self._apart
        response = Response(interaction, updates=private or control.kind in self._in_place)

        async def work() -> None:
            if anywhere := self._anywhere.get(control.kind):
                await anywhere(Request(self.services, response, control, values))
                return
            table = await self.services.tables.find(control.match)
            if table is None or table.row.channel_id != interaction.channel_id:
                raise UserError(Text("This game is not known here any more."))
            if control.kind not in self._handlers:
                raise UserError(UNKNOWN)
            await self._at(table, self._handlers[control.kind], response, control, values)

        await self.serve(response, work)

    async def anywhere(self, interaction: Interaction, handler: Anywhere) -> None:
        """Do something that needs no table."""
        response = Response(interaction)

        async def work() -> None:
            await handler(Request(self.services, response, ControlId("command", NO_TABLE), ()))

        await self.serve(response, work)

    async def at_table(self, interaction: Interaction, handler: Handler, *, also_over: bool = False) -> None:
        """Do something at the open table of a channel; to look, also at the last one that was played there."""
        response, tables = Response(interaction), self.services.tables

        async def work() -> None:
            channel_id = channel_of(interaction)
            table = await (tables.shown_at(channel_id) if also_over else tables.at(channel_id))
            await self._at(table, handler, response, ControlId("command", table.id), ())

        await self.serve(response, work)

    async def serve(self, response: Response, work: Callable[[], Awaitable[None]]) -> None:
        """Do the work of an interaction, once, and see to its answer."""

        async def once() -> None:
            await self.opened.wait()
            self._remember(response.interaction)
            await work()

        task = asyncio.current_task()
        assert task is not None, "an interaction has a task of its own"
        self._working.add(task)
        task.add_done_callback(self._working.discard)
        await answered(response, once)

    async def close(self) -> None:
        """Wait for the answers under way; they must not be torn apart when the bot leaves."""
        if others := self._working - {asyncio.current_task()}:
            await asyncio.wait(others, timeout=GRACE)

    async def _at(
        self, table: Table, handler: Handler, response: Response, control: ControlId, values: tuple[str, ...]
    ) -> None:
        user = response.interaction.user
        response.in_words = partial(table.say, you=table.seat_of(user.id))
        response.rule_control = partial(rule_control, table)
        await self.services.seats.greet(table, user.id, user.display_name)
        await self.services.worker.board_tried(table.id)
        await handler(TableRequest(self.services, response, control, values, table))

    def _remember(self, interaction: Interaction) -> None:
        """Raise `AlreadyHandled` for an interaction that was delivered before."""
        if interaction.id in self._seen:
            raise AlreadyHandled
        self._seen[interaction.id] = None
        if len(self._seen) > REMEMBERED:
            self._seen.popitem(last=False)


def rule_control(table: Table, rule: str) -> Control | None:
    """A button that opens a section of the rules of a table."""
    section = table.spec.rulebook.sections.get(rule)
    if section is None:
        return None
    label = Text("Rule {number}: {heading}", number=section.number, heading=section.heading)
    return Control(ControlId("rule", table.id, text=section.number), table.say(label))


def suggesting(suggest: Suggest[V]) -> Suggest[V]:
    """The same, without suggestions where nothing can be suggested: while somebody types, nobody is told why."""

    @wraps(suggest)
    async def suggested(interaction: Interaction, current: str) -> list[Choice[V]]:
        try:
            return await suggest(interaction, current)
        except (UserError, EngineError, DatabaseTrouble):
            return []

    return suggested


def channel_of(interaction: Interaction) -> int:
    """The channel an interaction comes from, where a table may be. Raises `UserError` where there can be none."""
    if interaction.channel_id is None:
        raise UserError(Text("Games are played in a channel of a server, or in a direct message with me."))
    if interaction.guild_id is not None and not interaction.is_guild_integration():
        link = invitation(interaction.application_id)
        raise UserError(Text("I am no member of this server: [invite me]({link}), then you can play here.", link=link))
    return interaction.channel_id

"""The dispatcher: it passes each tap and each command to its handler."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from functools import partial, wraps
from itertools import islice
from typing import Any, TypeAlias, TypeVar

import discord
from discord.app_commands import Choice

from bot.errors import AlreadyHandled, UserError
from bot.features.handlers import TAPS, Answer, Request, TableRequest
from bot.features.services import Services
from bot.interactions.controls import ControlId
from bot.interactions.kinds import OUTDATED_TEXT
from bot.interactions.parts import invitation
from bot.interactions.responses import Response, reporting_errors
from bot.interactions.typed import MAX_LINE, shorten_options, shortened_words
from bot.store.failures import DatabaseUnavailable
from bot.tables.faults import guarding, guarding_match
from bot.tables.preferences import language_of_reader, note_locale
from bot.tables.table import Table
from engine.errors import EngineError
from engine.languages import ENGLISH, Language, set_language
from engine.texts import Text

V = TypeVar("V", str, int)
Interaction: TypeAlias = discord.Interaction[Any]

MAX_SEEN = 4096
"""Interactions whose repetition is noticed; Discord repeats an interaction only within seconds."""

HANDOVER_TIMEOUT = 3.0
"""Seconds for which an interaction may wait for the old process to stop; Discord's limit for an answer."""

MAX_HANDED_OVER = 256
"""Ids for the next process, which may still get the interactions of the last few seconds."""

SHUTDOWN_TIMEOUT = 4.0
"""Seconds for running answers at a shutdown."""

MAX_SUGGESTIONS = 25
"""Discord's limit for an option of a command."""

MAX_CANDIDATES = 500
"""Candidates to compare with the typed text at most."""

UNKNOWN_GAME_TEXT = Text("I can’t find that game here anymore.")

Suggest: TypeAlias = Callable[[Interaction, str], Coroutine[Any, Any, list[Choice[V]]]]
Candidates: TypeAlias = Iterable[Choice[V] | None]


class Dispatcher:
    """Runs the handler of each interaction, once.

    No handler runs before `ready` is set. A successor receives all interactions of the old process, too, and handles
    those that arrive once the old process is `stopping`.
    """

    def __init__(self, services: Services, *, is_successor: bool) -> None:
        self.services = services
        self.ready = asyncio.Event()
        self.stopping = False
        self._is_successor = is_successor
        # an ordered set, to drop the oldest id first
        self._seen: OrderedDict[int, None] = OrderedDict()
        self._working: set[asyncio.Task[Any]] = set()

    async def accepts(self, interaction: Interaction) -> bool:
        """Whether this process, and not its predecessor or successor, handles an interaction.

        Called for commands and suggestions before discord.py reads their options, which this shortens.
        """
        shorten_options(interaction.data or {})
        # Discord sends each interaction to the old process and to the new one: exactly one of them may answer
        if self.stopping or self.ready.is_set() or not self._is_successor:
            return not self.stopping
        if interaction.type is discord.InteractionType.autocomplete:
            # the ids of the old process do not include requests for suggestions
            return False
        with suppress(TimeoutError):
            async with asyncio.timeout(HANDOVER_TIMEOUT):
                return await self.ready.wait()
        return False

    def adopt_seen(self, ids: Sequence[int]) -> None:
        """Treat the interactions of the previous process as handled."""
        self._seen.update(dict.fromkeys(ids))

    @property
    def recent_ids(self) -> list[int]:
        """The ids of the last handled interactions."""
        return list(self._seen)[-MAX_HANDED_OVER:]

    async def handle_tap(self, interaction: Interaction, control: ControlId, values: tuple[str, ...]) -> None:
        """Handle a tap on a control of any age, or a submitted form."""
        if not await self.accepts(interaction):
            return
        values = tuple(shortened_words(value, MAX_LINE) for value in values)
        tap = TAPS.get(control.kind)
        answer = tap.answer if tap else Answer.USUAL
        is_private = interaction.message is not None and interaction.message.flags.ephemeral
        in_place = answer is Answer.IN_PLACE
        response = Response(interaction, updates=in_place or (is_private and answer is Answer.USUAL))
        request = Request(self.services, response, values, answer)

        async def work() -> None:
            if tap is not None and not tap.is_at_table:
                await tap.handler.run(request, control)
                return
            table = await self._table_of(interaction, control)
            with guarding(table):
                here = await _enter(request, table)
                if tap is None:
                    raise UserError(OUTDATED_TEXT)
                await tap.handler.run(here, control)

        await self.serve(response, work, public=in_place and not is_private)

    async def _table_of(self, interaction: Interaction, control: ControlId) -> Table:
        """The table of a control, open or over. Raises `UserError` for a table of another channel."""
        table = await self.services.tables.find(control.match)
        # ids can be forged: a control must not reach the table of another channel
        if table is None or table.row.channel_id != interaction.channel_id:
            raise UserError(UNKNOWN_GAME_TEXT)
        return table

    async def anywhere(self, interaction: Interaction, handler: Callable[[Request], Awaitable[None]]) -> None:
        """Handle a command that needs no table."""
        response = Response(interaction)
        await self.serve(response, partial(handler, Request(self.services, response)))

    async def at_table(
        self, interaction: Interaction, handler: Callable[[TableRequest], Awaitable[None]], *, also_over: bool = False
    ) -> None:
        """Handle a command at the open table of a channel; with `also_over`, also at its last one."""

        async def at(request: Request) -> None:
            tables, channel_id = self.services.tables, channel_of(interaction)
            table = await (tables.shown_at(channel_id) if also_over else tables.at(channel_id))
            with guarding(table):
                await handler(await _enter(request, table))

        await self.anywhere(interaction, at)

    async def serve(self, response: Response, work: Callable[[], Awaitable[None]], *, public: bool = False) -> None:
        """Run the work of an interaction, once, in the language of its user or, if `public`, of the channel.

        Errors are reported to the user.
        """
        interaction, task = response.interaction, asyncio.current_task()
        assert task is not None, "an interaction has a task of its own"
        self._working.add(task)
        task.add_done_callback(self._working.discard)
        async with reporting_errors(response):
            await self.ready.wait()
            # only now, after `adopt_seen`
            self._remember(interaction)
            if interaction.guild_id is not None:
                # without the members intent, Discord sends names of members only with their interactions
                user = interaction.user
                self.services.members.note(interaction.guild_id, user.id, user.display_name)
            response.set_language(await _reader_of(interaction))
            # the handler may work without the stored locale
            with suppress(DatabaseUnavailable):
                await note_locale(self.services.store.settings, interaction.user.id, str(interaction.locale))
            if public:
                # in the language of the channel, not of one user
                set_language(await self.services.servers.language_at(interaction.channel_id or 0))
            await work()

    async def close(self) -> None:
        """Wait for running answers, which a shutdown must not interrupt."""
        if others := self._working - {asyncio.current_task()}:
            await asyncio.wait(others, timeout=SHUTDOWN_TIMEOUT)

    def _remember(self, interaction: Interaction) -> None:
        """Record an interaction. Raises `AlreadyHandled` if it was delivered before."""
        # Discord may deliver an interaction twice, and discord.py would run its handler twice
        if interaction.id in self._seen:
            raise AlreadyHandled
        self._seen[interaction.id] = None
        if len(self._seen) > MAX_SEEN:
            self._seen.popitem(last=False)


async def _enter(request: Request, table: Table) -> TableRequest:
    """A request at a table, answered with the names of its seats."""
    services, response, user = request.services, request.response, request.response.interaction.user
    response.enter(table)
    # without the members intent, Discord sends the name of a member only with their interactions
    await services.seats.greet(table, user.id, user.display_name)
    # after a start, a user must not act on a position before the channel has seen it
    await services.worker.wait_for_board(table.id)
    return TableRequest(services, response, request.values, request.answer, table=table)


async def _reader_of(interaction: Interaction) -> Language:
    settings = interaction.client.services.store.settings
    return await language_of_reader(settings, interaction.user.id, str(interaction.locale)) or ENGLISH


def suggesting(candidates: Callable[[Interaction, str], Coroutine[Any, Any, Candidates[V]]]) -> Suggest[V]:
    """Make an autocomplete function: suggestions up to Discord's limit, and an empty list in place of an error.

    `candidates` yields each candidate in turn, `None` for one that does not fit the typed text. It is consumed as far
    as needed, up to `MAX_CANDIDATES`.
    """

    @wraps(candidates)
    async def suggest(interaction: Interaction, current: str) -> list[Choice[V]]:
        try:
            set_language(await _reader_of(interaction))
            with guarding_match():
                first = islice(await candidates(interaction, current), MAX_CANDIDATES)
                return list(islice((choice for choice in first if choice is not None), MAX_SUGGESTIONS))
        # Discord shows no errors while a user is typing
        except (UserError, EngineError, DatabaseUnavailable):
            return []

    return suggest


def channel_of(interaction: Interaction) -> int:
    """The channel of an interaction. Raises `UserError` if it cannot have a table."""
    if interaction.channel_id is None:
        raise UserError(Text("Games are played in a server channel, or in a direct message with me."))
    # users may install the bot for themselves, and then use commands in servers without the bot
    if interaction.guild_id is not None and not interaction.is_guild_integration():
        link = invitation(interaction.application_id)
        raise UserError(Text("I’m not in this server: [invite me]({link}), then you can play here.", link=link))
    return interaction.channel_id

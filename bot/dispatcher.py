"""The dispatcher: every tap and every command comes here, and goes on to the handler that knows what to do."""

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
from bot.handlers import TAPS, Answer, Request, TableRequest
from bot.interactions.controls import ControlId
from bot.interactions.kinds import OUTDATED
from bot.interactions.parts import invitation
from bot.interactions.responses import Response, reporting_errors
from bot.interactions.typed import MAX_LINE, shorten_options, shortened_words
from bot.services import Services
from bot.store.trouble import DatabaseTrouble
from bot.tables.preferences import language_of_reader, note_locale
from bot.tables.table import Table
from engine.errors import EngineError
from engine.languages import ENGLISH, Language, read_in
from engine.texts import Text

V = TypeVar("V", str, int)
Interaction: TypeAlias = discord.Interaction[Any]

REMEMBERED = 4096
"""Interactions whose repetition is noticed; Discord repeats one within seconds if at all."""

SUCCEEDING = 3.0
"""Seconds for which an interaction may wait for the process that it came to as well; Discord gives it no more."""

HANDED_OVER = 256
"""How many interactions are handed over to the next process, which may still get those of the last few seconds."""

GRACE = 4.0
"""Seconds for answers that are under way when the bot goes."""

SUGGESTIONS = 25
"""Most suggestions that Discord takes for an option of a command."""

MAX_CANDIDATES = 500
"""Most candidates that are compared with what a person has typed so far."""

UNKNOWN_GAME = Text("I can’t find that game here anymore.")

Suggest: TypeAlias = Callable[[Interaction, str], Coroutine[Any, Any, list[Choice[V]]]]
Candidates: TypeAlias = Iterable[Choice[V] | None]


class Dispatcher:
    """Runs the handler of each interaction, once.

    Nothing is done before `opened` is set. A process that `follows` another one hears of
    everything that comes to that one, and does what comes when that one `leaves`.
    """

    def __init__(self, services: Services, *, follows: bool) -> None:
        self.services = services
        self.opened = asyncio.Event()
        self.leaves = False
        self._follows = follows
        # a set that knows its order: the oldest is forgotten first
        self._seen: OrderedDict[int, None] = OrderedDict()
        self._working: set[asyncio.Task[Any]] = set()

    async def admits(self, interaction: Interaction) -> bool:
        """Whether this process may see to an interaction, and no other one does.

        Every command and every suggestion comes through here before discord.py reads its options, which are cut.
        """
        shorten_options(interaction.data or {})
        # Discord sends each interaction to the old process and to the new one: exactly one of them may answer
        if self.leaves or self.opened.is_set() or not self._follows:
            return not self.leaves
        if interaction.type is discord.InteractionType.autocomplete:
            # no list says which suggestions the old process has made
            return False
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
            here = await _enter(request, await self._table_of(interaction, control))
            if tap is None:
                raise UserError(OUTDATED)
            await tap.handler.run(here, control)

        await self.serve(response, work, public=in_place and not is_private)

    async def _table_of(self, interaction: Interaction, control: ControlId) -> Table:
        """The table of a control, open or over."""
        table = await self.services.tables.find(control.match)
        # ids come from outside: a control must not reach the table of another channel
        if table is None or table.row.channel_id != interaction.channel_id:
            raise UserError(UNKNOWN_GAME)
        return table

    async def anywhere(self, interaction: Interaction, handler: Callable[[Request], Awaitable[None]]) -> None:
        """Carry out a command that needs no table."""
        response = Response(interaction)
        await self.serve(response, partial(handler, Request(self.services, response)))

    async def at_table(
        self, interaction: Interaction, handler: Callable[[TableRequest], Awaitable[None]], *, also_over: bool = False
    ) -> None:
        """Carry out a command at the open table of a channel; to look, also at the last one that was played there."""

        async def at(request: Request) -> None:
            tables, channel_id = self.services.tables, channel_of(interaction)
            table = await (tables.shown_at(channel_id) if also_over else tables.at(channel_id))
            await handler(await _enter(request, table))

        await self.anywhere(interaction, at)

    async def serve(self, response: Response, work: Callable[[], Awaitable[None]], *, public: bool = False) -> None:
        """Do the work of an interaction, once, and see to its answer, in the language of its user or of everybody."""
        interaction, task = response.interaction, asyncio.current_task()
        assert task is not None, "an interaction has a task of its own"
        self._working.add(task)
        task.add_done_callback(self._working.discard)
        async with reporting_errors(response):
            await self.opened.wait()
            # only now: before it took over, this process did not know what the last one had done (`inherit`)
            self._remember(interaction)
            if interaction.guild_id is not None:
                # without the members intent, this is how Discord tells the names of members
                user = interaction.user
                self.services.members.note(interaction.guild_id, user.id, user.display_name)
            response.read_in(await _reader_of(interaction))
            # what they want may be possible all the same
            with suppress(DatabaseTrouble):
                await note_locale(self.services.store.settings, interaction.user.id, str(interaction.locale))
            if public:
                # everybody reads it, so it is not in the language of one user
                read_in(await self.services.servers.language_at(interaction.channel_id or 0))
            await work()

    async def close(self) -> None:
        """Wait for the answers under way; they must not be cut off when the bot leaves."""
        if others := self._working - {asyncio.current_task()}:
            await asyncio.wait(others, timeout=GRACE)

    def _remember(self, interaction: Interaction) -> None:
        """Raise `AlreadyHandled` for an interaction that was delivered before."""
        # Discord may deliver an interaction twice, and discord.py would run its handler twice
        if interaction.id in self._seen:
            raise AlreadyHandled
        self._seen[interaction.id] = None
        if len(self._seen) > REMEMBERED:
            self._seen.popitem(last=False)


async def _enter(request: Request, table: Table) -> TableRequest:
    """A request at a table, which is answered in its words."""
    services, response, user = request.services, request.response, request.response.interaction.user
    response.enter(table)
    # without the members intent, Discord sends the name of a member only with their interactions
    await services.seats.greet(table, user.id, user.display_name)
    # after a start, no user may act on a position that the channel has not seen
    await services.worker.board_tried(table.id)
    return TableRequest(services, response, request.values, request.answer, table=table)


async def _reader_of(interaction: Interaction) -> Language:
    settings = interaction.client.services.store.settings
    return await language_of_reader(settings, interaction.user.id, str(interaction.locale)) or ENGLISH


def suggesting(candidates: Callable[[Interaction, str], Coroutine[Any, Any, Candidates[V]]]) -> Suggest[V]:
    """Suggestions for an option, up to Discord's limit; an empty list in place of an error.

    `candidates` yields each candidate in turn, `None` for one that does not fit the typed text. It is consumed as far
    as needed, and `MAX_CANDIDATES` at most.
    """

    @wraps(candidates)
    async def suggested(interaction: Interaction, current: str) -> list[Choice[V]]:
        try:
            read_in(await _reader_of(interaction))
            compared = islice(await candidates(interaction, current), MAX_CANDIDATES)
            return list(islice((choice for choice in compared if choice is not None), SUGGESTIONS))
        # Discord shows no errors while a person is typing
        except (UserError, EngineError, DatabaseTrouble):
            return []

    return suggested


def channel_of(interaction: Interaction) -> int:
    """The channel an interaction comes from, where a table may be. Raises `UserError` where there can be none."""
    if interaction.channel_id is None:
        raise UserError(Text("Games are played in a server channel, or in a direct message with me."))
    # people may install the bot for themselves, and then use commands in servers that it is not in
    if interaction.guild_id is not None and not interaction.is_guild_integration():
        link = invitation(interaction.application_id)
        raise UserError(Text("I’m not in this server: [invite me]({link}), then you can play here.", link=link))
    return interaction.channel_id

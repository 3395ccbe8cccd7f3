"""The answers to interactions: once, in time, private or public."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import ExitStack, asynccontextmanager, suppress
from contextvars import ContextVar
from copy import copy
from dataclasses import dataclass
from typing import Any, Self, TypeVar

import discord
from discord.ui import Modal

from bot.errors import (
    DISCORD_ERRORS,
    AlreadyHandled,
    GameFault,
    InteractionExpired,
    QuestionAsked,
    ShuttingDown,
    UnreadableAnswer,
    UserError,
    outline,
    reason,
)
from bot.interactions.controls import Control
from bot.interactions.kinds import declare_at_table
from bot.interactions.parts import SILENT, Layout, text_layout
from bot.interactions.refusals import Code, code_of, is_expired
from bot.interactions.requests import Requests, Work
from bot.metrics import ANSWERS, FAILURES
from bot.store.failures import WHY, DatabaseUnavailable
from bot.tables.faults import guarding_match, run_contained
from bot.tables.table import Table
from engine.errors import EngineError
from engine.languages import Language, reading, set_language
from engine.texts import Seat, Text, joined
from locales import language_of

T = TypeVar("T")


@declare_at_table("rule")
def open_rule(section: str) -> None:
    """The button that opens a section of the rules of a table, below a refusal."""


_log = logging.getLogger(__name__)

WORKING_ON: ContextVar[int | None] = ContextVar("WORKING_ON", default=None)
"""The id of the current interaction, also in tasks that it has started: each line of the log has it."""

DEFERRAL_DELAY = 1.0
"""Seconds of work after which the answer is deferred; Discord's limit is 3 s."""

ANSWER_TIMEOUT = 10.0
"""Timeout of an answer in seconds."""

BOARD_TIMEOUT = 3.0
"""Timeout in seconds for a public board as the first answer: after Discord's limit, the channel is used instead."""


@dataclass(slots=True)
class _Progress:
    """The state of the first answer of an interaction."""

    is_tried: bool = False
    is_acknowledged: bool = False


class Response:
    """The answer to one interaction, deferred after a second of work.

    `updates`: the answer replaces the tapped message; otherwise it is a new private message. `already_done` summarizes
    the permanent results so far, for an answer after a failure. `is_public`: the answer is public. `reader` is the
    language of the user.
    """

    def __init__(self, interaction: discord.Interaction[Any], *, updates: bool = False) -> None:
        self.interaction = interaction
        self.reader = language_of(str(interaction.locale))
        self.already_done: Text | None = None
        self._table: Table | None = None
        self._you: Seat | None = None
        self.is_public = False
        self._updates = updates
        self._progress = _Progress()
        self._lock = asyncio.Lock()
        self._unanswered = ExitStack()
        self._unanswered.enter_context(ANSWERS.time())
        self._late: asyncio.Task[None] | None = None
        self._clock = asyncio.get_running_loop().call_later(DEFERRAL_DELAY, self._start_deferring)

    def at(self, table: Table) -> Self:
        """A view of this answer that names the seats of a table."""
        # shallow: both share the lock, the progress and the timer, so there is still only one first answer
        response = copy(self)
        response._table, response._you = table, table.seat_of(self.interaction.user.id)
        return response

    def enter(self, table: Table) -> None:
        """From now on, name the seats of a table in answers."""
        self._table, self._you = table, table.seat_of(self.interaction.user.id)

    def set_language(self, language: Language) -> None:
        """Set the language of the user, and write in it from now on in this task."""
        self.reader = language
        set_language(language)

    def localize(self, text: Text) -> str:
        """A text for this user, with the names of the table's seats; without a table, with the default colors."""
        with reading(self.reader):
            return str(text) if self._table is None else self._table.say(text, self._you)

    def rule_control(self, rule: str) -> Control | None:
        """A button that opens a section of the table's rules; `None` without a table or such a section."""
        with reading(self.reader):
            section = self._table.spec.rulebook.translated.sections.get(rule) if self._table else None
        if self._table is None or section is None:
            return None
        label = Text("Rule {number}: {heading}", number=section.number, heading=section.heading)
        return open_rule.button(self._table, self.localize(label), section=section.number)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._clock.cancel()
        if self._late is not None:
            self._late.cancel()

    async def show(self, layout: Layout, files: Sequence[discord.File] = ()) -> None:
        """Show a private message, or replace the tapped one."""

        async def show() -> None:
            response = self.interaction.response
            # deferred already: edit the placeholder or the tapped message
            if self._is_acknowledged:
                await self.interaction.edit_original_response(view=layout, attachments=files, allowed_mentions=SILENT)
            elif self._updates:
                await response.edit_message(view=layout, attachments=files, allowed_mentions=SILENT)
            else:
                await response.send_message(view=layout, files=files, ephemeral=True, allowed_mentions=SILENT)

        await self._send(show)

    async def show_below(self, layout: Layout, instead: Text) -> None:
        """Like `show`, below the messages that came during the work: `instead` replaces the text of a late answer."""
        if not self._is_acknowledged:
            await self.show(layout)
            return
        await self.show_text(instead)

        async def show() -> None:
            await self.interaction.followup.send(view=layout, ephemeral=True, allowed_mentions=SILENT)

        await self._send(show)

    async def show_text(self, text: Text) -> None:
        """Like `show`, with a message that has a text only."""
        await self.show(text_layout(text, self.localize))

    async def ask(self, form: Modal) -> None:
        """Open a form, which Discord allows only as the first answer."""
        is_late = False

        async def ask() -> None:
            nonlocal is_late
            is_late = self._is_acknowledged
            if not is_late:
                await self.interaction.response.send_modal(form)

        await self._send(ask)
        if is_late:
            await self.say(Text("I was away for a moment. Please tap that again."))

    async def refuse(self, error: EngineError) -> None:
        """Show the reason of a refusal, with a button that opens its rule."""
        control = self.rule_control(getattr(error, "rule", ""))
        await self.say(error.text, *filter(None, [control]))

    async def say(self, text: Text, *controls: Control) -> None:
        """Answer this user privately with a text; the tapped message stays as it is."""
        layout = text_layout(text, self.localize, *controls)

        async def say() -> None:
            if not self._is_acknowledged:
                await self.interaction.response.send_message(view=layout, ephemeral=True, allowed_mentions=SILENT)
            elif self._updates:
                # the original response is the tapped message here, which must stay as it is
                await self.interaction.followup.send(view=layout, ephemeral=True, allowed_mentions=SILENT)
            else:
                await self.interaction.edit_original_response(view=layout, allowed_mentions=SILENT)

        await self._send(say)

    async def publish(
        self,
        layout: Layout,
        mentions: discord.AllowedMentions = SILENT,
        files: Sequence[discord.File] = (),
        *,
        limit: float = ANSWER_TIMEOUT,
    ) -> int | None:
        """Answer publicly. Returns the message id, `None` if a private answer was deferred already."""

        async def publish() -> int | None:
            # a deferred private answer cannot become public
            if self._is_acknowledged:
                return None
            response = self.interaction.response
            sent = await response.send_message(view=layout, files=files, allowed_mentions=mentions)
            return sent.message_id

        try:
            message_id = await self._request(publish, limit)
        except UnreadableAnswer as error:
            message_id = await self._published_id(error)
        if message_id is not None:
            self._updates = self.is_public = True  # a private text must not replace a public message
        return message_id

    async def _published_id(self, error: UnreadableAnswer) -> int:
        """The id of the public answer, after an unreadable response to its request. Raises `DISCORD_ERRORS`."""
        if message_id := error.object_id("resource", "message"):
            return message_id
        try:
            message_id = (await self._request(self.interaction.original_response)).id
        except UnreadableAnswer as again:
            message_id = again.object_id()
        except InteractionExpired:
            raise error from None  # there is none
        if message_id is None:
            raise error
        self._progress.is_acknowledged = True
        return message_id

    async def show_board(
        self, layout: Layout, mentions: discord.AllowedMentions, files: Sequence[discord.File]
    ) -> int | None:
        """Answer a command publicly with a board. Returns the id of the message, None if that is not possible.

        Answers have no nonce, so this needs the permission to search the channel for the message. An answer would also
        appear in a channel without the permission to write.

        Raises:
            DISCORD_ERRORS: it is unknown whether the message has arrived.
        """
        permissions = self.interaction.app_permissions
        # the permission for files implies the one to write
        if not (permissions.read_message_history and permissions.attach_files):
            return None
        return await self.publish(layout, mentions, files, limit=BOARD_TIMEOUT)

    async def _send(self, work: Work[None]) -> None:
        """Make a request without a needed result; an unreadable answer counts by its status."""
        try:
            await self._request(work)
        except UnreadableAnswer as error:
            if not error.is_success:
                raise

    async def _request(self, work: Work[T], limit: float = ANSWER_TIMEOUT) -> T:
        """Make requests one at a time, each with a timeout. Raises `DISCORD_ERRORS`, such as `InteractionExpired`."""
        # the timer may defer at the same moment as the answer
        async with self._lock:
            is_first = not (self._is_acknowledged or self._progress.is_tried)
            self._progress.is_tried = True
            attempt = self._requests.begin(work)
            try:
                result = await self._requests.result(attempt, limit)
            except UnreadableAnswer as error:
                self._progress.is_acknowledged = self._progress.is_acknowledged or error.is_success
                raise
            except RuntimeError as error:  # aiohttp's error for a closed session
                raise ShuttingDown from error
            except discord.HTTPException as error:
                # after an unclear exchange, this process itself may have acknowledged it
                if code_of(error) == Code.ALREADY_ANSWERED and is_first and attempt.exchanges.number <= 1:
                    self._requests.report_second_process(self.interaction.id)
                # an unknown private message was dismissed by its reader
                if is_expired(error) or (code_of(error) == Code.UNKNOWN_MESSAGE and self._is_private):
                    raise InteractionExpired(reason(error)) from error
                raise
            # ends the measurement at the first answer; further calls have no effect
            self._unanswered.close()
            return result

    @property
    def _is_acknowledged(self) -> bool:
        """Whether Discord has the first answer, also after an unreadable response to it."""
        return self.interaction.response.is_done() or self._progress.is_acknowledged

    @property
    def _requests(self) -> Requests:
        requests: Requests = self.interaction.client.requests
        return requests

    @property
    def _is_private(self) -> bool:
        """Whether only this user sees the answer."""
        message = self.interaction.message
        changes_public = self._updates and message is not None and not message.flags.ephemeral
        return not (self.is_public or changes_public)

    def _start_deferring(self) -> None:
        """Start the task that defers the answer; most answers come earlier and do not need it."""
        self._late = asyncio.create_task(self._defer_quietly())

    async def _defer_quietly(self) -> None:
        with suppress(*DISCORD_ERRORS):
            await self.defer()

    async def defer(self) -> None:
        """Acknowledge the interaction, unless it is acknowledged already; the answer follows."""

        async def defer() -> None:
            response = self.interaction.response
            if not self._is_acknowledged:
                await (response.defer() if self._updates else response.defer(ephemeral=True, thinking=True))

        await self._send(defer)


@asynccontextmanager
async def reporting_errors(response: Response) -> AsyncIterator[Response]:
    """Run the work of an interaction within the block, and report each error to its user."""
    WORKING_ON.set(response.interaction.id)
    try:
        async with response:
            try:
                with guarding_match():
                    yield response
            except GameFault as fault:
                await _apologize_for_game(response, fault)
            except UserError as refusal:
                await response.say(joined([text for text in (response.already_done, refusal.text) if text]))
            except EngineError as error:
                await response.refuse(error)
    # the first delivery of the interaction gets the answer; or a question is the answer
    except (AlreadyHandled, QuestionAsked):
        pass
    except DISCORD_ERRORS as error:
        await _report_failed_request(response, error)
    except DatabaseUnavailable as failure:
        await _report_database(response, failure)
    # a bug must not leave its user without an answer; the log and the user get the number of the interaction
    except Exception:
        FAILURES.inc()
        _log.exception("interaction %d failed", response.interaction.id)
        await _apologize(response)


async def together(*works: Awaitable[object]) -> None:
    """Run independent awaitables concurrently, each to its end; then raise the first error among them."""
    # without `return_exceptions`, the others would run on unobserved after the first error
    for result in await asyncio.gather(*map(run_contained, works), return_exceptions=True):
        if isinstance(result, BaseException):
            raise result


async def _apologize_for_game(response: Response, fault: GameFault) -> None:
    """Report a fault of a game to the user. The summary of results may contain texts of the game, which may be it."""
    done = Text("What you did is saved. {fault}", fault=fault.text)
    with suppress(*DISCORD_ERRORS):
        await response.say(done if response.already_done else fault.text)


async def _report_failed_request(response: Response, error: Exception) -> None:
    """Report a failed request to Discord to the user, with the results so far."""
    if isinstance(error, ShuttingDown):
        _log.info("interaction %d was not answered, since the bot is stopping", response.interaction.id)
    elif isinstance(error, InteractionExpired):
        _log.debug("interaction %d has expired, and gets no answer: %s", response.interaction.id, error)
    elif response.already_done:
        _log.warning("interaction %d took effect, but was not answered: %s", response.interaction.id, reason(error))
        with suppress(*DISCORD_ERRORS):
            await response.say(joined([response.already_done, Text("Only my answer got lost.")]))
    elif not isinstance(error, discord.HTTPException):
        _log.warning("interaction %d was not answered: %s", response.interaction.id, reason(error))
        with suppress(*DISCORD_ERRORS):
            await response.say(Text("My answer got lost. Please try again."))
    else:
        FAILURES.inc()
        _log.error("interaction %d failed: %s", response.interaction.id, reason(error))
        _log.debug("it failed here: %s", outline(error))
        await _apologize(response)


async def _report_database(response: Response, failure: DatabaseUnavailable) -> None:
    """Report a failure of the database to the user, with a code and a number that the operator finds in the log."""
    FAILURES.inc()
    _log.error("%s: interaction %d was not carried out: %s", failure.kind, response.interaction.id, failure.problem)
    state = Text("Nothing has changed, and the game is safe")
    if response.already_done:
        state = Text("{kept} What comes next has to wait", kept=response.already_done)
    text = Text(
        "{kept}: {why}{again}\n-# In my log: {kind} · {number}",
        kept=state,
        why=WHY[failure.kind],
        again="" if response.already_done else Text(" Please try again later."),
        kind=failure.kind.value,
        number=str(response.interaction.id),
    )
    with suppress(*DISCORD_ERRORS):
        await response.say(text)


async def _apologize(response: Response) -> None:
    text = Text(
        "Something went wrong on my end. {kept}\n-# Report this number if it happens again: {number}",
        kept=response.already_done or Text("The game is safe; please try again."),
        number=str(response.interaction.id),
    )
    with suppress(*DISCORD_ERRORS):
        await response.say(text)

"""Answering an interaction: once, in time, to the right people."""

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
    TROUBLE,
    AlreadyHandled,
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
from bot.store.trouble import WHY, DatabaseTrouble
from bot.tables.table import Table
from engine.errors import EngineError
from engine.languages import Language, read_in, reading
from engine.texts import Seat, Text, joined
from locales import language_of

T = TypeVar("T")


@declare_at_table("rule")
def open_rule(section: str) -> None:
    """A section of the rules of a table, to which a refusal points."""


_log = logging.getLogger(__name__)

WORKING_ON: ContextVar[int | None] = ContextVar("WORKING_ON", default=None)
"""The interaction being carried out, and whatever it has started: every line of the log has its number."""

LATE = 1.0
"""Seconds of work after which an answer is announced, so that Discord does not give up waiting (3 s)."""

LIMIT = 10.0
"""Seconds that Discord gets to take an answer."""

BOARD_LIMIT = 3.0
"""The same for a first one that everybody waits for: Discord waits no longer for it, and there is another way."""


@dataclass(slots=True)
class _Progress:
    """The state of the first answer of an interaction."""

    is_tried: bool = False
    is_acknowledged: bool = False


class Response:
    """The answer to one interaction; work that takes over a second is announced first.

    `updates`: the answer replaces the message that was tapped; otherwise it is a new message for this user only.
    `kept` is what has been done for good so far: said if the answer fails after that. `is_public`: everybody has seen
    it. `reader` is the language of this user.
    """

    def __init__(self, interaction: discord.Interaction[Any], *, updates: bool = False) -> None:
        self.interaction = interaction
        self.reader = language_of(str(interaction.locale))
        self.kept: Text | None = None
        self._table: Table | None = None
        self._you: Seat | None = None
        self.is_public = False
        self._updates = updates
        self._progress = _Progress()
        self._lock = asyncio.Lock()
        self._unanswered = ExitStack()
        self._unanswered.enter_context(ANSWERS.time())
        self._late: asyncio.Task[None] | None = None
        self._clock = asyncio.get_running_loop().call_later(LATE, self._begin_to_announce)

    def at(self, table: Table) -> Self:
        """The same answer in the words of a table, which knows how its seats are called."""
        # shallow: both share the lock, the progress and the timer, so that there is still only one first answer
        response = copy(self)
        response._table, response._you = table, table.seat_of(self.interaction.user.id)
        return response

    def enter(self, table: Table) -> None:
        """From now on, answer in the words of a table."""
        self._table, self._you = table, table.seat_of(self.interaction.user.id)

    def read_in(self, language: Language) -> None:
        """The language of the user; from now on, this task writes in it."""
        self.reader = language
        read_in(language)

    def localize(self, text: Text) -> str:
        """A text as this user reads it: where no table is known, with the colors of the house."""
        with reading(self.reader):
            return str(text) if self._table is None else self._table.say(text, self._you)

    def rule_control(self, rule: str) -> Control | None:
        """A button that opens a section of the rules of the table."""
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
            # announced already: the placeholder, or the tapped message, is edited
            if self._is_acknowledged:
                await self.interaction.edit_original_response(view=layout, attachments=files, allowed_mentions=SILENT)
            elif self._updates:
                await response.edit_message(view=layout, attachments=files, allowed_mentions=SILENT)
            else:
                await response.send_message(view=layout, files=files, ephemeral=True, allowed_mentions=SILENT)

        await self._send(show)

    async def show_text(self, text: Text) -> None:
        """The same with a message of a text only."""
        await self.show(text_layout(text, self.localize))

    async def ask(self, form: Modal) -> None:
        """Open a form, which Discord allows as the very first answer only."""
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
        """Why something is not possible, with a way to the rule that says so."""
        control = self.rule_control(getattr(error, "rule", ""))
        await self.say(error.text, *filter(None, [control]))

    async def say(self, text: Text, *controls: Control) -> None:
        """A text for this user only, leaving the tapped message alone."""
        layout = text_layout(text, self.localize, *controls)

        async def say() -> None:
            if not self._is_acknowledged:
                await self.interaction.response.send_message(view=layout, ephemeral=True, allowed_mentions=SILENT)
            elif self._updates:
                # the original is the tapped message here, which has to stay as it is
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
        limit: float = LIMIT,
    ) -> int | None:
        """Answer in public, or return `None` if a private answer was announced already. Returns the message id."""

        async def publish() -> int | None:
            # a private announcement cannot become public: Discord fixes that with the first answer
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
        """The id of the public answer, of which Discord's own answer could not be read. Raises `TROUBLE`."""
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
        """Answer a command in public. Returns the id of the message, None if that is not possible.

        Discord knows no nonce here, so an answer needs the permission to look back for it. Answers would also appear
        where the bot may not write.

        Raises:
            TROUBLE: it has perhaps arrived, perhaps not.
        """
        may = self.interaction.app_permissions
        if not (may.read_message_history and may.attach_files):  # files need leave to write
            return None
        return await self.publish(layout, mentions, files, limit=BOARD_LIMIT)

    async def _send(self, work: Work[None]) -> None:
        """A request whose answer does not matter; Discord has accepted one whose answer cannot be read."""
        try:
            await self._request(work)
        except UnreadableAnswer as error:
            if not error.is_success:
                raise

    async def _request(self, work: Work[T], limit: float = LIMIT) -> T:
        """One request at a time, each with a time limit. Raises `TROUBLE`, which `InteractionExpired` is one of."""
        # the announcement comes by a timer, perhaps at the same moment as the answer
        async with self._lock:
            is_first = not (self._is_acknowledged or self._progress.is_tried)
            self._progress.is_tried = True
            attempt = self._requests.begin(work)
            try:
                result = await self._requests.result(attempt, limit)
            except UnreadableAnswer as error:
                self._progress.is_acknowledged = self._progress.is_acknowledged or error.is_success
                raise
            except RuntimeError as error:  # this is how aiohttp says that its session is closed
                raise ShuttingDown from error
            except discord.HTTPException as error:
                # after an exchange without a clear answer, it was this process that has acknowledged it
                if code_of(error) == Code.ALREADY_ANSWERED and is_first and attempt.exchanges.number <= 1:
                    self._requests.report_second_process(self.interaction.id)
                # a private message that is unknown was dismissed by its reader
                if is_expired(error) or (code_of(error) == Code.UNKNOWN_MESSAGE and self._is_private):
                    raise InteractionExpired(reason(error)) from error
                raise
            # stops the measurement at the first answer; further calls do nothing
            self._unanswered.close()
            return result

    @property
    def _is_acknowledged(self) -> bool:
        """Whether Discord has the first answer, also if discord.py could not read that it has."""
        return self.interaction.response.is_done() or self._progress.is_acknowledged

    @property
    def _requests(self) -> Requests:
        requests: Requests = self.interaction.client.requests
        return requests

    @property
    def _is_private(self) -> bool:
        """Whether only this user sees the message that is sent or changed."""
        message = self.interaction.message
        changes_public = self._updates and message is not None and not message.flags.ephemeral
        return not (self.is_public or changes_public)

    def _begin_to_announce(self) -> None:
        """Most answers are there in time and need no task for this."""
        self._late = asyncio.create_task(self._announce())

    async def _announce(self) -> None:
        with suppress(*TROUBLE):
            await self.announce()

    async def announce(self) -> None:
        """Acknowledge the interaction, unless that is done already; the answer follows."""

        async def announce() -> None:
            response = self.interaction.response
            if not self._is_acknowledged:
                await (response.defer() if self._updates else response.defer(ephemeral=True, thinking=True))

        await self._send(announce)


@asynccontextmanager
async def reporting_errors(response: Response) -> AsyncIterator[Response]:
    """The work of an interaction; whatever goes wrong is explained to the user who caused it."""
    WORKING_ON.set(response.interaction.id)
    try:
        async with response:
            try:
                yield response
            except UserError as declined:
                await response.say(joined([text for text in (response.kept, declined.text) if text]))
            except EngineError as error:
                await response.refuse(error)
    # the first delivery of the interaction has its answer, or is about to get it; or a question is the answer
    except (AlreadyHandled, QuestionAsked):
        pass
    except TROUBLE as error:
        await _make_up_for(response, error)
    except DatabaseTrouble as trouble:
        await _tell(response, trouble)
    except Exception:  # a fault of ours: it is logged with a number, which the user is given
        FAILURES.inc()
        _log.exception("interaction %d failed", response.interaction.id)
        await _apologize(response)


async def together(*works: Awaitable[object]) -> None:
    """Do things that need not wait for each other, each to its end; then raise the first error among them."""
    # without `return_exceptions`, the first error would leave the others running unobserved
    for result in await asyncio.gather(*works, return_exceptions=True):
        if isinstance(result, BaseException):
            raise result


async def _make_up_for(response: Response, error: Exception) -> None:
    """A request to Discord has failed: say what counts all the same, or that something went wrong."""
    if isinstance(error, ShuttingDown):
        _log.info("interaction %d was still to be answered when the bot left", response.interaction.id)
    elif isinstance(error, InteractionExpired):
        _log.debug("nobody waits for the answer to interaction %d any more: %s", response.interaction.id, error)
    elif response.kept:
        _log.warning("interaction %d was done, but not answered: %s", response.interaction.id, reason(error))
        with suppress(*TROUBLE):
            await response.say(joined([response.kept, Text("Only my answer got lost.")]))
    elif not isinstance(error, discord.HTTPException):
        _log.warning("interaction %d was not answered: %s", response.interaction.id, reason(error))
        with suppress(*TROUBLE):
            await response.say(Text("My answer got lost. Please try again."))
    else:
        FAILURES.inc()
        _log.error("interaction %d failed: %s", response.interaction.id, reason(error))
        _log.debug("it failed here: %s", outline(error))
        await _apologize(response)


async def _tell(response: Response, trouble: DatabaseTrouble) -> None:
    """Say what became of it, and why it was not all; by code and number the operator finds it in their log."""
    FAILURES.inc()
    _log.error("%s: interaction %d was not carried out: %s", trouble.kind, response.interaction.id, trouble.problem)
    kept = Text("Nothing has changed, and the game is safe")
    if response.kept:
        kept = Text("{kept} What comes next has to wait", kept=response.kept)
    text = Text(
        "{kept}: {why}{again}\n-# In my log: {kind} · {number}",
        kept=kept,
        why=WHY[trouble.kind],
        again="" if response.kept else Text(" Please try again later."),
        kind=trouble.kind.value,
        number=str(response.interaction.id),
    )
    with suppress(*TROUBLE):
        await response.say(text)


async def _apologize(response: Response) -> None:
    text = Text(
        "Something went wrong on my side. {kept}\n-# Report this number if it happens again: {number}",
        kept=response.kept or Text("The game is safe; please try again."),
        number=str(response.interaction.id),
    )
    with suppress(*TROUBLE):
        await response.say(text)

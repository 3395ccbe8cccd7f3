"""Posting boards: after the commit, one message per finished turn, which mentions only newly due players.

A board that Discord refuses stays in the store, and a job retries for days.
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from functools import partial
from typing import Any, TypeAlias

import discord

from bot.clock import Clock
from bot.errors import DISCORD_ERRORS, GameFault, ShuttingDown, UserError, is_refused, reason
from bot.interactions.channels import Channels
from bot.interactions.parts import Layout, calling
from bot.interactions.permissions import Finding, list_findings
from bot.interactions.places import findings_in
from bot.interactions.refusals import is_closed, is_final, is_gone, may_concern_picture
from bot.metrics import BOARDS, REFUSED
from bot.posting.board_layouts import Body, board_layout, marked_control, room_for_events
from bot.posting.board_texts import (
    due_text,
    followers_text,
    marking_pieces,
    others_text,
    predictions_text,
    story,
)
from bot.posting.pictures import Drawn, Pictures
from bot.store.boards import Board
from bot.store.clocks import SeatClock
from bot.store.failures import DatabaseUnavailable
from bot.store.jobs import Job, PutNewer, reminder_job, version_of
from bot.tables.faults import guarding, guarding_match, run_contained
from bot.tables.predictions import Predictions
from bot.tables.table import Table
from bot.tables.tables import Tables
from engine.core import State, View
from engine.languages import reading
from engine.match import Match
from engine.texts import Seat, Text, joined
from engine.values import Value

_log = logging.getLogger(__name__)

SHUTDOWN_TIMEOUT = 5.0
"""Seconds for the last requests when the bot leaves."""

SERVER_OUTAGE = Text(
    "But Discord has an outage in this server at the moment. Nothing is lost: the board will follow when it’s over."
)
CHANNEL_GONE = Text(
    "But Discord says that this channel is gone. I’ll check again in a few hours: if it’s there, the board will "
    "follow; if it was deleted, the game ends and all players get a message from me."
)
REFUSED_BOARD = (
    "But I can’t post the board in {here}. What is missing:\n"
    "{findings}\n"
    "The board will follow when I can; `/game board` shows you the position."
)
CLOSED = Text(
    "But I can’t post the board here: I need to see the channel, send messages and attach files. It will follow when "
    "I can; `/game board` shows you the position."
)
NOT_NOW = Text(
    "But Discord is not accepting the board at the moment. I’ll keep trying; `/game board` shows you the position."
)

ClocksOfBoard: TypeAlias = Callable[[Table, datetime], Awaitable[tuple[SeatClock, ...]]]
"""The clocks of a table that a board changes which is posted at a time."""

LeagueOfMatch: TypeAlias = Callable[[int], Awaitable[int | None]]
"""The id of the league of a match, if it has one."""

NoticesOfBoard: TypeAlias = Callable[[Table, Match, datetime], Awaitable[Sequence[Job]]]
"""Returns the jobs of the notices that a board of a position causes."""


ShowBoard: TypeAlias = Callable[[Layout, discord.AllowedMentions, Sequence[discord.File]], Awaitable[int | None]]
"""Shows a message to a whole channel, unless it is too late for that; returns its id. Raises `DISCORD_ERRORS`."""


class _Posted(Value):
    """A board that Discord has accepted, with its mark, and the clocks that it starts or stops."""

    match: Match
    mark: str
    board: Board
    clocks: tuple[SeatClock, ...]


class Poster:
    """Posts pending boards. A board that cannot be sent stays in the store."""

    def __init__(
        self,
        channels: Channels,
        tables: Tables,
        pictures: Pictures,
        clock: Clock,
        clocks: ClocksOfBoard,
        predictions: Predictions,
        notices: NoticesOfBoard,
        league_of: LeagueOfMatch,
    ) -> None:
        """`clocks` computes the clocks that a board starts, `notices` the jobs that tell players of their next turn."""
        self._channels = channels
        self._tables = tables
        self._pictures = pictures
        self._clock = clock
        self._clocks = clocks
        self._predictions = predictions
        self._notices = notices
        self._league_of = league_of
        self._refused: dict[int, Exception] = {}  # why the board of a match could not be posted at the last attempt
        self._under_way: set[asyncio.Task[None]] = set()
        self._updating: dict[int, asyncio.Task[None]] = {}
        self._posted: dict[int, _Posted] = {}  # accepted but not recorded yet, by match
        self._left = False

    # --- boards ---

    async def deliver(self, table: Table, way: ShowBoard | None = None) -> None:
        """Post the pending board of a table, if there is one.

        `way` sends it as the answer to the move; without one, it goes to the channel. Older boards keep their controls,
        which lead to the current position: removing them would be another request for each move, and Discord limits
        edits of old messages.

        Raises:
            UserError: Discord or the database refuses it; it stays pending, and a job retries it.
        """
        try:
            await self.post(table, way)
        except DatabaseUnavailable as failure:
            text = Text(
                "The board will follow as soon as my database works again; `/game board` shows you the position."
            )
            raise UserError(text) from failure
        # before its base class `DISCORD_ERRORS`: on shutdown, no user reads an excuse
        except ShuttingDown:
            raise
        except DISCORD_ERRORS as error:
            _log.warning("the board of match %d is not posted so far: %s", table.id, reason(error))
            raise UserError(await self._excuse(table, error)) from error

    async def _excuse(self, table: Table, error: Exception) -> Text:
        """The reason for a missing board; it follows the summary of permanent results."""
        row = table.row
        if not self._channels.servers.known.is_there(row.guild_id):
            return SERVER_OUTAGE
        if is_gone(error):
            return CHANNEL_GONE
        if not is_closed(error):
            return NOT_NOW
        guild, findings = self._channels.server(row.guild_id), tuple[Finding, ...]()
        with suppress(*DISCORD_ERRORS):
            findings = await findings_in(self._channels.requests, guild, row.channel_id) if guild else ()
        if not findings:
            return CLOSED
        return Text(REFUSED_BOARD, here=f"<#{row.channel_id}>", findings=list_findings(findings))

    async def post(self, table: Table, way: ShowBoard | None = None) -> None:
        """Like `deliver`, but raises `DISCORD_ERRORS` or `DatabaseUnavailable`, so that the job is retried."""
        async with self._in_language(table), table.posting:
            # first, a board that Discord has but the store lacks: the next one reports the events since then
            await self._note_posted(table)
            await self._predictions.delete_unwelcome(table)
            async with self._resolving_deliveries(table):
                mark, match = table.waiting, table.match
                # another task was faster, or the game was called off
                if mark is None or match is None:
                    self._refused.pop(table.id, None)
                    return
                clocks = await self._clocks(table, self._clock.now())
                view, body, mentions = self._compose(table, table.board, clocks, mark)
            if match.outcome is not None:
                body = dataclasses.replace(body, league=await self._league_of(table.id) or 0)
            # outside `table.lock`: drawing is the slowest step, and players can move meanwhile
            image = await self._draw(table, view)
            try:
                with BOARDS.time():
                    message_id, body = await self._send(table, body, image, mentions, way)
            except DISCORD_ERRORS as error:
                REFUSED.inc()
                self._refused[table.id] = error
                # a 502 or 504 may come after the message was created, and so may an answer that cannot be read
                if not is_refused(error):
                    table.may_be_posted(mark)
                raise
            self._posted[table.id] = _Posted(match, mark, Board(match.version, message_id, body.stored()), clocks)
            await self._note_posted(table)
            self._refused.pop(table.id, None)

    async def _note_posted(self, table: Table) -> None:
        """Note a board that Discord has taken, once more if that failed: posted again, it would be there twice."""
        if (posted := self._posted.get(table.id)) is None:
            return
        await self._note(table, posted)
        del self._posted[table.id]
        self._tables.notify_watchers(table)

    @asynccontextmanager
    async def _resolving_deliveries(self, table: Table) -> AsyncIterator[None]:
        """Hold the lock of the table, after resolving the deliveries of all earlier boards.

        Raises `DISCORD_ERRORS` if Discord does not answer.
        """
        while True:
            await self._resolve_superseded(table)
            async with table.lock:
                # a move may have superseded a board of unknown delivery meanwhile; if that board were recorded after
                # the next one, it would count as the newest
                if table.superseded is None:
                    yield
                    return

    async def _resolve_superseded(self, table: Table) -> None:
        """Record a superseded board if Discord has accepted it after all, since it has mentioned players.

        Raises `DISCORD_ERRORS` if Discord does not answer.
        """
        if (mark := table.superseded) is None:
            return
        channel_id = table.row.channel_id
        # first, since a board that a search does not find could still arrive
        message_id = await self._channels.withdraw(channel_id, _nonce(table, mark))
        if message_id is None and (message := await self._channels.find(channel_id, marked_control(table, mark))):
            message_id = message.id
        table.superseded = None
        match = _match_at(table, version_of(mark))
        if message_id is not None and match is not None:
            due = tuple(decision.seat for decision in match.state.decisions())
            body = Body(str(table.title), "", "", "", due, "", mark=mark)
            self._posted[table.id] = _Posted(match, mark, Board(match.version, message_id, body.stored()), ())
            await self._note_posted(table)

    async def publish(self, table: Table) -> None:
        """Post the pending board, or update the due players on the newest one. Raises `UserError` like `deliver`."""
        if table.waiting is not None:
            await self.deliver(table)
        else:
            self.update_due(table)

    def update_due(self, table: Table) -> None:
        """Update the due players on the newest board in the background, after one of several has decided in secret."""
        # one edit of a board at a time: `_show_due` goes on until the board is up to date
        if table.id not in self._updating:
            task = self._updating[table.id] = self.start(self._show_due(table))
            task.add_done_callback(lambda _: self._updating.pop(table.id))

    def show_people(self, table: Table) -> None:
        """Show on the newest board who plays now. Nobody waits for it."""
        self.start(self._show_people(table))

    async def take_controls(self, table: Table, *, attempts: int = 0) -> None:
        """Take the controls off the newest board, as when a game was called off.

        Raises:
            DISCORD_ERRORS: it may succeed later; this number of attempts failed before.
        """
        if updating := self._updating.get(table.id):
            await asyncio.wait({updating})  # or it might put the controls back
        async with table.posting:
            self._refused.pop(table.id, None)
            if (board := table.board) is None:
                return
            # older boards keep theirs: the store knows only the newest one (`docs/boards.md`)
            compose = partial(board_layout, table, Body.of(board.body), controls=False)
            try:
                await self._channels.edit(table.row.channel_id, board.message_id, compose)
            except DISCORD_ERRORS as error:
                if not is_final(error, attempts):
                    raise
                _log.info("message %d stays as it is: %s", board.message_id, reason(error))
            async with self._tables.changing(table) as change:
                change.facts = table.facts.set_board(None)

    async def show_story(self, table: Table, *, attempts: int = 0) -> None:
        """Add the button of the story to the last board. The message stays where it is.

        Raises:
            DISCORD_ERRORS: it may succeed later; this number of attempts failed before.
        """
        async with self._in_language(table), table.posting:
            if (board := table.board) is None:
                return
            body = dataclasses.replace(Body.of(board.body), has_story=True)
            edited = partial(board_layout, table, body, controls=True)
            await self._channels.update(table.row.channel_id, board.message_id, edited, attempts=attempts)
            async with self._tables.changing(table) as change:
                change.facts = table.facts.set_board(dataclasses.replace(board, body=body.stored()))

    def last_error(self, match_id: int) -> Exception | None:
        """Why the board of a match could not be posted so far, if that is so."""
        return self._refused.get(match_id)

    # --- in the background ---

    async def close(self, *, grace: float = SHUTDOWN_TIMEOUT) -> None:
        """Wait at most `grace` seconds for the work in progress."""
        with suppress(TimeoutError):
            async with asyncio.timeout(grace):
                while self._under_way:  # one thing leads to another
                    await asyncio.wait(self._under_way)
        for task in self._under_way:
            task.cancel()
        self._left = True

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run work in the background. `close` waits for it."""
        task = asyncio.create_task(self._log_errors(work))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return task

    async def _log_errors(self, work: Coroutine[Any, Any, None]) -> None:
        """Background work whose errors are logged.

        Errors of work that outlasts the shutdown are ignored; the next start makes up for it.
        """
        try:
            await run_contained(work)
        except (DatabaseUnavailable, UserError):  # the log has a line, or the game was called off meanwhile
            pass
        # no caller awaits this task, so the log is the only place for its error
        except Exception:
            if not self._left:
                _log.exception("posting in the background failed")

    # --- one board ---

    @asynccontextmanager
    async def _in_language(self, table: Table) -> AsyncIterator[None]:
        """Public texts are in the language of the table, no matter which user has acted. Raises `GameFault`."""
        with reading(await self._channels.servers.language_of(table)), guarding(table):
            yield

    def _compose(
        self, table: Table, last: Board | None, clocks: Sequence[SeatClock], mark: str
    ) -> tuple[View[State], Body, discord.AllowedMentions]:
        """The view to draw, the texts, and the mentions. Must not await anything, or a move could be made meanwhile."""
        match = table.require_match()
        # pending boards in between were never posted: this one includes their events
        since = last.version if last else 0
        history = match.history(None, since=since)
        due = tuple(decision.seat for decision in match.state.decisions())
        waiting = set(Body.of(last.body).due) if last else set()
        # players that have acted since the last board are called again; the others were called by it
        already_called = waiting - {seat for seat, _ in history}
        due_words = _call(table, clocks, first=last is None)
        # a first board only has luck to tell
        room = max(room_for_events(due_words), 0 if last is None else 1)
        # the end of a game leaves no room for the last events, which its picture shows
        events = "" if match.outcome else story(table, history, most=room)
        body = Body(
            heading=str(table.title),
            filename="",
            alt="",
            story=events,
            due=due,
            due_text=due_words,
            first=last is None,
            mark=mark,
        )
        called = [seat for seat in due if seat not in already_called]
        return match.view(None, since=since), body, self._mentions(table, called, first=last is None)

    def _mentions(self, table: Table, seats: Sequence[Seat], *, first: bool) -> discord.AllowedMentions:
        if table.require_match().outcome is not None:
            # the end of a game concerns all players, not only the due ones
            return calling([*table.people, *table.followers])
        if first:
            return calling(table.people)
        return calling(table.row.holders[seat].user_id for seat in seats)

    async def _draw(self, table: Table, view: View[State]) -> Drawn | None:
        """The picture, or `None` if drawing fails: the next player must be mentioned anyway. Raises `ShuttingDown`."""
        try:
            contrast = await self._channels.servers.in_contrast(table)
            with guarding_match(table.row.game, table.id):
                return await self._pictures.draw_at(table, view, contrast=contrast)
        except ShuttingDown:
            raise
        except GameFault:  # the log has a line about it
            return None
        # a bug in drawing must not stop a match
        except Exception:
            _log.exception("the board of match %d cannot be drawn; it goes out as text", table.id)
            return None

    async def _send(
        self, table: Table, body: Body, drawn: Drawn | None, mentions: discord.AllowedMentions, way: ShowBoard | None
    ) -> tuple[int, Body]:
        """Post a board exactly once, even after an uncertain delivery. Returns the message id and its content.

        Raises:
            DISCORD_ERRORS: Discord refuses the board, or its delivery is unknown.
        """
        in_doubt, full = table.in_doubt, _full(body, drawn)
        # an answer has no nonce: where the board may exist already, only the search below avoids a second one
        if way is not None and not in_doubt:
            try:
                layout, files = board_layout(table, full, controls=True), [drawn.file()] if drawn else []
                allowed = await self._channels.filter_mentions(table.row.channel_id, mentions)
                if message_id := await way(layout, allowed, files):
                    self._channels.report_success()
                    return message_id, full
            except TimeoutError:
                raise  # it may still arrive; the retry searches for it
            except DISCORD_ERRORS as error:
                _log.info("the board of match %d did not come as an answer: %s", table.id, reason(error))
                in_doubt = True
        # a search, since Discord has no nonces for answers, and keeps those of messages for some minutes only
        channel_id, marked = table.row.channel_id, marked_control(table, body.mark)
        is_on_its_way = self._channels.is_sending(channel_id, _nonce(table, body.mark))
        if in_doubt and not is_on_its_way and (message := await self._channels.find(channel_id, marked)):
            return message.id, full if message.attachments else body
        return await self._post(table, body, drawn, mentions)

    async def _post(
        self, table: Table, body: Body, drawn: Drawn | None, mentions: discord.AllowedMentions
    ) -> tuple[int, Body]:
        """Send a board, without its picture if Discord finds fault with it. Returns the message and what it says."""
        channel_id, full = table.row.channel_id, _full(body, drawn)
        nonce = _nonce(table, body.mark)
        compose, files = partial(board_layout, table, full, controls=True), [drawn.file()] if drawn else []
        try:
            sent = await self._channels.send(channel_id, compose, files=files, mentions=mentions, nonce=nonce)
            return sent, full
        except discord.HTTPException as error:
            if not may_concern_picture(error):
                raise
            _log.error("Discord refuses the board of match %d; it goes out as text: %s", table.id, reason(error))
        # the nonce is the same: if Discord has taken the first message after all, no second one appears
        compose = partial(board_layout, table, body, controls=True)
        return await self._channels.send(channel_id, compose, mentions=mentions, nonce=nonce), body

    async def _note(self, table: Table, posted: _Posted) -> None:
        """Remember a posted board, and whom it calls."""
        async with self._tables.changing(table) as change:
            called, now = _users_to_mention(table, posted.match), self._clock.now()
            reminders = [reminder_job(table.id, user_id, version, now) for user_id, version in called.items()]
            notices = await self._notices(table, posted.match, now)
            noted = table.facts.note_posted(posted.mark, posted.board, reminders)
            change.facts = noted.with_clocks(posted.clocks).with_jobs(*map(PutNewer, notices))
        if table.superseded == posted.mark:
            table.superseded = None

    async def _show_due(self, table: Table) -> None:
        """Edit the newest board until it names the due players; a pending board will name them by itself."""
        last_text = ""
        async with self._in_language(table):
            # again after each edit: another player may have decided meanwhile
            while table.board and table.waiting is None and (text := table.say(due_text(table))) != last_text:
                last_text = text
                await self._edit(table, table.board, _current_body(table, table.board))

    async def _show_people(self, table: Table) -> None:
        """Draw the newest board once more; one that waits will show by itself who plays."""
        async with self._in_language(table), table.posting:
            if (board := table.board) is None or table.waiting is not None:
                return
            # a board that went out as text has no picture to be replaced
            has_picture = bool(_current_body(table, board).filename)
            image = await self._draw(table, table.require_match().view(None)) if has_picture else None
            body = _current_body(table, board)  # not before: others may be due once it is drawn
            if image is not None:
                # by the same name, by which the message shows its attachment
                image = dataclasses.replace(image, filename=body.filename)
                body = dataclasses.replace(body, alt=image.alt)
            await self._edit(table, board, body, image)
            async with self._tables.changing(table) as change:
                if table.board is board:
                    change.facts = table.facts.set_board(dataclasses.replace(board, body=body.stored()))

    async def _edit(self, table: Table, board: Board, body: Body, drawn: Drawn | None = None) -> None:
        """Change what a board says, and its picture if there is a new one."""
        compose, file = partial(board_layout, table, body, controls=True), drawn.file() if drawn else None
        try:
            await self._channels.edit(table.row.channel_id, board.message_id, compose, file)
        except DISCORD_ERRORS as error:
            _log.info("board %d is out of date, since it was not edited: %s", board.message_id, reason(error))


def _nonce(table: Table, mark: str) -> str:
    """A repeated request, even after a crash, is the same message; another board, or position, is not."""
    return f"b{table.id}-{mark}"


def _match_at(table: Table, version: int) -> Match | None:
    """The match of a table at an earlier version, or `None` if its log is shorter now."""
    match = table.match
    if match is None or version > match.version:
        return None
    return Match.replay(match.spec, match.setup, table.row.seed, match.entries[:version])


def _users_to_mention(table: Table, match: Match) -> dict[int, int]:
    """The users to mention on a board, each with the version since which their decision is open."""
    users = {decision.seat: table.row.holders[decision.seat].user_id for decision in match.state.decisions()}
    return {user_id: match.decision_version(seat) for seat, user_id in users.items() if user_id is not None}


def _full(body: Body, drawn: Drawn | None) -> Body:
    """The texts of a board with the file name and alt text of its picture, if there is one."""
    return dataclasses.replace(body, filename=drawn.filename, alt=drawn.alt) if drawn else body


def _current_body(table: Table, board: Board) -> Body:
    """The content of a board, with the players that are due now."""
    due = tuple(decision.seat for decision in table.require_match().state.decisions())
    body = Body.of(board.body)
    return dataclasses.replace(body, due=due, due_text=_call(table, first=body.first))


def _call(table: Table, clocks: Sequence[SeatClock] = (), *, first: bool) -> str:
    """The due decisions, with all players on the `first` board; at the end the result, predictions and followers."""
    if table.require_match().outcome is not None:
        more = [*predictions_text(table), *([followers_text(table)] if table.followers else [])]
    else:
        more = others_text(table) if first else []
    with marking_pieces(table):
        return table.say(joined([due_text(table, clocks), *more], "\n"))

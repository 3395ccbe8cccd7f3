"""Posting boards: after the commit, one message per finished turn, mentions only for who is newly due."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from collections.abc import Sequence

import aiohttp
import discord

from bot.errors import Sorry
from bot.messages import Body, Layout, board_layout, due_text, story
from bot.pictures import Drawn, Pictures
from bot.store import Post, Store
from bot.tables import Table, Tables
from engine import Seat, View

_log = logging.getLogger(__name__)

AGAIN = 15.0
"""Seconds until a board that Discord could not take is sent again."""

CLOSED_DOORS = (10003, 50001, 50013, 50083, 160005)
"""Discord's codes for a channel that is gone, hidden, closed to the bot, archived or locked."""


class Poster:
    """Sends the boards that wait in the store; what could not be sent stays there."""

    def __init__(self, client: discord.Client, store: Store, tables: Tables, pictures: Pictures) -> None:
        self._client = client
        self._store = store
        self._tables = tables
        self._pictures = pictures
        self._locks: dict[int, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._retired: dict[int, set[int]] = {}  # noted in the store with the next board: one transaction less a move

    async def deliver(self, table: Table) -> None:
        """Post the newest waiting board of a table, if one waits, and take the controls off the one before.

        Raises:
            Sorry: the channel cannot be written any more; the board stays waiting.
        """
        async with self._locks.setdefault(table.id, asyncio.Lock()):
            async with table.lock:  # between two moves: what is composed here is what was committed
                waiting, match, before = table.waiting, table.match, table.showing
                if waiting is None or match is None:
                    return
                view, text, mentions = self._compose(table, before[-1] if before else None)
            drawn = await self._pictures.draw(view, table.names)
            body = dataclasses.replace(text, filename=drawn.filename, alt=drawn.alt)
            layout = board_layout(table, body, controls=True)
            try:
                message_id = await self._send(table, f"board-{table.id}-{match.version}", layout, drawn, mentions)
            except (discord.HTTPException, OSError, aiohttp.ClientError) as error:
                if not _passes(error):
                    raise
                _log.warning("the board of match %d is sent again in %g s: %s", table.id, AGAIN, error)
                self._client.loop.call_later(AGAIN, self._try_again, table.id)
                return
            await self._note(table, Post(waiting, match.ply, message_id, body.stored()))
            self._retired[table.id] = await self._retire(table, before)
            if match.outcome is not None:
                await self._store.retired(self._retired.pop(table.id))

    async def _note(self, table: Table, board: Post) -> None:
        """Remember a posted board, and with it those that were retired since the last one."""
        assert board.message_id is not None, "it was posted"
        assert board.body is not None, "it said something"
        retired = self._retired.pop(table.id, set())
        await self._store.posted(table.id, board.id, board.message_id, board.ply, board.body, retired=retired)
        table.showing = (*table.showing, board)
        if table.waiting == board.id:
            table.waiting = None

    async def catch_up(self) -> None:
        """After a restart: let computer players go on, post every board that waits, and tidy up behind the last one."""
        for match_id in {*await self._store.running(), *await self._store.waiting(), *await self._store.untidy()}:
            try:
                await self._bring_up_to_date(match_id)
            except Exception:
                _log.exception("match %d is not up to date", match_id)

    async def _bring_up_to_date(self, match_id: int) -> None:
        table = await self._tables.find(match_id)
        if table is None or table.problem:
            return
        await self._tables.resume(table)
        try:
            await self.deliver(table)
        except Sorry as sorry:
            _log.warning("the board of match %d waits: %s", match_id, sorry)
        await self._tidy(table, table.showing[:-1])

    def _try_again(self, match_id: int) -> None:
        task = self._client.loop.create_task(self._bring_up_to_date(match_id))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def retire_last(self, table: Table) -> None:
        """Take the controls off the newest board, as when a game is called off."""
        async with self._locks.setdefault(table.id, asyncio.Lock()):
            await self._store.drop_posts(table.id)
            table.waiting = None
            await self._tidy(table, table.showing)

    async def _tidy(self, table: Table, boards: Sequence[Post]) -> None:
        if gone := await self._retire(table, boards):
            await self._store.retired(gone)

    def _compose(self, table: Table, last: Post | None) -> tuple[View, Body, discord.AllowedMentions]:
        """What to draw, what to say beside the picture, and whom to call. Must not wait: a move could slip in."""
        match = table.playing()
        since = last.ply if last else 0
        history = match.history(None, since=since)
        due = tuple(decision.seat for decision in match.state.decisions())
        waiting = set(Body.of(last.body).due) if last and last.body else set()
        known = waiting - {seat for seat, _ in history}
        body = Body(
            heading=table.spec.title,
            filename="",
            alt="",
            story=story(history, table.names),
            due=due,
            due_text=due_text(table),
        )
        return match.view(None, since=since), body, self._mentions(table, [s for s in due if s not in known])

    def _mentions(self, table: Table, seats: Sequence[Seat]) -> discord.AllowedMentions:
        if table.playing().outcome is not None:
            seats = [Seat(n) for n in range(len(table.row.chairs))]
        users = [table.row.chairs[seat].user_id for seat in seats]
        return discord.AllowedMentions(
            everyone=False, roles=False, users=[discord.Object(user) for user in users if user], replied_user=False
        )

    async def _send(
        self, table: Table, nonce: str, layout: Layout, drawn: Drawn, mentions: discord.AllowedMentions
    ) -> int:
        channel = self._client.get_partial_messageable(table.row.channel_id, guild_id=table.row.guild_id)
        try:
            # the nonce names the position: a repeated request, even after a crash, is the same message
            sent = await channel.send(view=layout, file=drawn.file(), allowed_mentions=mentions, nonce=nonce)
        except discord.HTTPException as error:
            if error.code not in CLOSED_DOORS:
                raise
            raise Sorry(
                "Your move is kept, but I cannot post the board here any more. I need to see the channel, send "
                "messages and attach files. `/game board` shows you how it stands."
            ) from error
        return sent.id

    async def _retire(self, table: Table, boards: Sequence[Post]) -> set[int]:
        """Take the controls off boards; returns which have lost them, or can lose them no more.

        One that keeps them does no harm: they know which position they belong to.
        """
        gone = set()
        channel = self._client.get_partial_messageable(table.row.channel_id, guild_id=table.row.guild_id)
        for board in boards:
            assert board.message_id is not None, "it was posted"
            assert board.body is not None, "it is noted with the message"
            layout = board_layout(table, Body.of(board.body), controls=False)
            try:
                await channel.get_partial_message(board.message_id).edit(view=layout)
            except (discord.HTTPException, OSError, aiohttp.ClientError) as error:
                _log.info("board %d keeps its controls: %s", board.message_id, error)
                if _passes(error):
                    continue
            gone.add(board.id)
        table.showing = tuple(board for board in table.showing if board.id not in gone)
        return gone


def _passes(error: Exception) -> bool:
    """Whether it is Discord's trouble or the network's, and the same request may succeed later."""
    return not isinstance(error, discord.HTTPException) or error.status >= 500

"""Messages in channels. All requests go through `Requests`, with a timeout."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Literal, TypeAlias
from weakref import WeakValueDictionary

import discord

from bot.errors import DISCORD_ERRORS, UnreadableAnswer, reason
from bot.interactions.controls import Control
from bot.interactions.parts import SILENT, Layout, text_layout
from bot.interactions.presence import ServerAway
from bot.interactions.refusals import Code, code_of, is_closed, is_final, is_gone, is_message_gone
from bot.interactions.requests import Requests
from bot.interactions.servers import Servers
from bot.store.shard_range import NO_SERVER
from bot.tables.table import Table
from engine.languages import reading
from engine.texts import Text

_log = logging.getLogger(__name__)

# longer for messages: an animation has up to 8 MB
SEND_TIMEOUT, EDIT_TIMEOUT = 20.0, 10.0
"""Timeouts in seconds, for a message and for an edit."""


MAX_SEARCHED = 100
"""Messages of a channel to search for one of ours: the limit of one request."""

Compose: TypeAlias = Callable[[], Layout]
"""Makes a message in the current language, which depends on the channel or the reader."""


ARCHIVE_AFTER: Literal[10080] = 10080
"""Minutes (a week) without a message after which Discord archives a thread: turns may take days."""


def _key(channel_id: int, nonce: str) -> str:
    """The key of a message: its nonce alone is ambiguous for a reminder in a direct message and in a channel."""
    return f"{channel_id}/{nonce}"


def _ids(parts: Iterable[Any]) -> Iterator[str]:
    """The ids of all controls in a message."""
    for part in parts:
        if custom_id := getattr(part, "custom_id", None):
            yield custom_id
        yield from _ids(getattr(part, "children", ()))


class Channels:
    """Sends, edits and finds messages in all channels of the bot.

    `on_gone` is called with a channel that seems to be deleted, `on_success` after each successful message and edit.
    """

    def __init__(
        self,
        client: discord.Client,
        servers: Servers,
        *,
        on_gone: Callable[[int], None],
        on_success: Callable[[], None],
        requests: Requests | None = None,
    ) -> None:
        self._client = client
        self.requests = requests or Requests()
        self.servers = servers
        self._on_gone = on_gone
        self._editing: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self.report_success = on_success

    async def send(
        self,
        channel_id: int,
        compose: Compose,
        *,
        files: Sequence[discord.File] = (),
        mentions: discord.AllowedMentions = SILENT,
        nonce: str = "",
        silent: bool = False,
    ) -> int:
        """Post a message in the language of the channel, by default without mentions. Returns its id.

        A `silent` message causes no push notification. Mentions are removed in a server whose settings forbid them. A
        message sent twice within some minutes with the same nonce is one message; a pending request with it is joined.
        Without a nonce it gets a random one, which covers only retries of this call: jobs, which may send a message
        again, need a nonce of their own.

        Raises:
            DISCORD_ERRORS: Discord refuses it or does not answer.
        """
        mentions = await self.filter_mentions(channel_id, mentions)
        layout = await self.compose_for(channel_id, compose)
        # not from the cache, which has no archived threads and, before READY, no channels
        channel = self._client.get_partial_messageable(channel_id)
        number = nonce or secrets.randbits(63)

        async def post() -> int:
            # discord.py adds `enforce_nonce`, by which Discord answers a repetition with the first message
            sent = await channel.send(view=layout, files=files, allowed_mentions=mentions, nonce=number, silent=silent)
            return sent.id

        with self._detecting_deletion(channel_id):
            message_id = await self._post_once(post, files, key=_key(channel_id, nonce) if nonce else "")
        self.report_success()
        return message_id

    async def _post_once(self, post: Callable[[], Awaitable[int]], files: Sequence[discord.File], key: str) -> int:
        """Send a message. Returns its id, even if the answer cannot be read. Raises `DISCORD_ERRORS`."""
        try:
            return await self.requests.run(post, limit=SEND_TIMEOUT, key=key)
        except UnreadableAnswer as error:
            if message_id := error.object_id():
                return message_id
            unreadable = error
        # if Discord has the message, it answers the same nonce with that message
        for file in files:
            file.reset()
        try:
            return await self.requests.run(post, limit=SEND_TIMEOUT, key=key)
        except UnreadableAnswer as error:
            if message_id := error.object_id():
                return message_id
            raise
        except discord.HTTPException:
            raise unreadable from None  # the first request may have succeeded nevertheless

    def is_sending(self, channel_id: int, nonce: str) -> bool:
        """Whether a request with this nonce is pending, or its result was not read yet."""
        return self.requests.is_under_way(_key(channel_id, nonce))

    async def withdraw(self, channel_id: int, nonce: str) -> int | None:
        """Stop the request for a message, if it is pending. Returns the message's id if it has arrived nevertheless.

        Raises:
            DISCORD_ERRORS: it may still arrive.
        """
        try:
            message_id: int | None = await self.requests.withdraw(_key(channel_id, nonce), limit=SEND_TIMEOUT)
        except UnreadableAnswer as error:
            return error.object_id()
        return message_id

    @contextmanager
    def _detecting_deletion(self, channel_id: int) -> Iterator[None]:
        """Call `on_gone` if a request within the block fails because the channel is unknown."""
        try:
            yield
        except discord.HTTPException as error:
            if is_gone(error):
                self._on_gone(channel_id)
            raise

    async def compose_for(self, channel_id: int, compose: Compose) -> Layout:
        """Compose a message in the language of a channel."""
        with reading(await self.servers.language_at(channel_id)):
            return compose()

    async def exists(self, channel_id: int) -> bool:
        """Whether a channel exists, even if it is closed to the bot. Raises `DISCORD_ERRORS` without a clear answer."""
        try:
            await self.requests.change(partial(self._client.fetch_channel, channel_id), limit=EDIT_TIMEOUT)
        except discord.HTTPException as error:
            if not (is_gone(error) or is_closed(error)):
                raise
            return not is_gone(error)
        return True

    async def is_deleted(self, guild_id: int, channel_id: int) -> bool:
        """Whether a channel or thread is unknown to Discord, and its server does not list it either.

        Raises:
            DISCORD_ERRORS: Discord gives no clear answer, or the server is unavailable.
        """
        if await self.exists(channel_id):
            return False
        if guild_id == NO_SERVER:
            return True
        guild = self.servers.known.find(guild_id)
        if guild is None:
            raise ServerAway(f"server {guild_id} is away")
        # a request, since discord.py's cache is from before an outage
        channels = await self.requests.run(guild.fetch_channels, limit=EDIT_TIMEOUT)
        # the list has no threads; but once a server lists its channels, Discord also knows its threads
        return all(channel.id != channel_id for channel in channels)

    async def filter_mentions(self, channel_id: int, mentions: discord.AllowedMentions) -> discord.AllowedMentions:
        """The mentions that the settings of a channel's server allow: all of the given ones, or none."""
        return mentions if not mentions.users or await self.servers.may_call(channel_id) else SILENT

    async def send_direct(self, user_id: int, compose: Compose, *, nonce: str, silent: bool = False) -> tuple[int, int]:
        """Like `send`, as a direct message in the language of its reader. Returns its channel and its id.

        Raises `DISCORD_ERRORS`; it is `discord.Forbidden` if the user accepts no direct messages.
        """
        channel_id = await self._conversation(user_id)
        with reading(await self.servers.language_of_user(user_id)):
            return channel_id, await self.send(channel_id, compose, nonce=nonce, silent=silent)

    async def _conversation(self, user_id: int) -> int:
        """The channel of the direct messages with a user. Raises `DISCORD_ERRORS`."""
        # an `Object`, since without the members intent discord.py has no users
        user = discord.Object(user_id)
        try:
            return (await self.requests.run(partial(self._client.create_dm, user), limit=SEND_TIMEOUT)).id
        except UnreadableAnswer as error:
            if channel_id := error.object_id():
                return channel_id
            raise

    def editing(self, message_id: int) -> asyncio.Lock:
        """The lock of a message that the taps of several people change. Read its contents and replace it within.

        Otherwise the older contents may arrive last: Discord has no order among requests.
        """
        return self._editing.setdefault(message_id, asyncio.Lock())

    async def edit(self, channel_id: int, message_id: int, compose: Compose, file: discord.File | None = None) -> None:
        """Replace our message, and its picture if there is a new one, without mentions. Raises `DISCORD_ERRORS`."""
        layout = await self.compose_for(channel_id, compose)
        try:
            await self._edit(channel_id, message_id, layout, file)
        except discord.HTTPException as error:
            # Discord refuses edits in an archived thread (50083). A file cannot be sent again
            if code_of(error) != Code.THREAD_ARCHIVED or file is not None:
                raise
            await self._unarchive(channel_id)
            await self._edit(channel_id, message_id, layout)

    async def _edit(self, channel_id: int, message_id: int, layout: Layout, file: discord.File | None = None) -> None:
        # with the bot's own token: that of an interaction expires after 15 min (50027)
        message = self._client.get_partial_messageable(channel_id).get_partial_message(message_id)
        # an empty list would remove the present picture
        files = discord.utils.MISSING if file is None else [file]
        edit = partial(message.edit, view=layout, attachments=files, allowed_mentions=SILENT)
        await self.requests.change(edit, limit=EDIT_TIMEOUT)
        self.report_success()

    async def find(self, channel_id: int, control: Control) -> discord.Message | None:
        """The newest message with a control, among the last `MAX_SEARCHED` messages of a channel.

        Without the permission to read the history, Discord returns an empty list.

        Raises:
            DISCORD_ERRORS: Discord refuses the request or does not answer.
        """
        channel, custom_id = self._client.get_partial_messageable(channel_id), str(control.item.custom_id)

        async def read_history() -> list[discord.Message]:
            return [message async for message in channel.history(limit=MAX_SEARCHED)]

        with self._detecting_deletion(channel_id):
            messages = await self.requests.run(read_history, limit=SEND_TIMEOUT)
        return next((message for message in messages if custom_id in _ids(message.components)), None)

    async def remove(self, channel_id: int, message_id: int) -> None:
        """Delete a message of ours. Raises `DISCORD_ERRORS`."""
        message = self._client.get_partial_messageable(channel_id).get_partial_message(message_id)
        await self.requests.change(message.delete, limit=EDIT_TIMEOUT)

    async def delete(self, channel_id: int, message_id: int) -> None:
        """Delete a message of ours, if Discord allows it."""
        try:
            await self.remove(channel_id, message_id)
        except DISCORD_ERRORS as error:
            _log.info("message %d stays, since Discord did not delete it: %s", message_id, reason(error))

    def server(self, guild_id: int) -> discord.Guild | None:
        """A server, if it is available and the bot is in it."""
        return self.servers.known.find(guild_id)

    # --- threads ---

    def is_locked(self, guild_id: int, channel_id: int) -> bool:
        """Whether a channel is an active thread that a moderator has locked, so that players cannot act there."""
        guild = self.server(guild_id)
        thread = guild.get_thread(channel_id) if guild else None
        return thread is not None and thread.locked

    async def open_thread(self, guild_id: int, channel_id: int, message_id: int, name: str) -> int:
        """Open a public thread at a message, with a name of at most 100 characters. Returns its id.

        Raises:
            DISCORD_ERRORS: Discord refuses it or does not answer.
        """
        channel = self._client.get_partial_messageable(channel_id, guild_id=guild_id)
        starter = channel.get_partial_message(message_id)
        create = partial(starter.create_thread, name=name, auto_archive_duration=ARCHIVE_AFTER)
        try:
            await self.requests.change(create, limit=EDIT_TIMEOUT)
        except discord.HTTPException as error:
            if code_of(error) != Code.THREAD_EXISTS:  # from an earlier request without an answer
                raise
        # a thread that begins at a message has the id of that message
        return message_id

    async def add_members(self, thread_id: int, *user_ids: int) -> None:
        """Add users to a thread without a mention, as far as Discord allows it."""
        try:
            thread = await self._thread(thread_id)
        except DISCORD_ERRORS as error:
            _log.info("thread %d gets no members, since it cannot be read: %s", thread_id, reason(error))
            return
        if thread is None:
            return
        for user_id in user_ids:
            try:
                await self.requests.change(partial(thread.add_user, discord.Object(user_id)), limit=EDIT_TIMEOUT)
            # each by itself: a user may have left the server
            except DISCORD_ERRORS as error:
                _log.info("user %d is not added to thread %d: %s", user_id, thread_id, reason(error))

    async def archive(self, thread_id: int) -> None:
        """Archive a thread of ours without locking it, so that any message reopens it. Raises `DISCORD_ERRORS`."""
        thread = await self._thread(thread_id)
        if thread is not None and not thread.archived:
            await self.requests.change(partial(thread.edit, archived=True), limit=EDIT_TIMEOUT)

    async def reopen(self, thread_id: int, *, attempts: int = 0) -> None:
        """Reopen an archived thread for another week, unless it is locked or the bot lacks the permission.

        Raises:
            DISCORD_ERRORS: it may succeed later; `attempts` have failed before.
        """
        try:
            await self._unarchive(thread_id)
        except DISCORD_ERRORS as error:
            if not is_final(error, attempts):
                raise
            _log.info("thread %d stays archived: %s", thread_id, reason(error))

    async def _unarchive(self, thread_id: int) -> None:
        """Reopen an archived thread, unless it is locked. Raises `DISCORD_ERRORS`."""
        thread = await self._thread(thread_id)
        if thread is None or not thread.archived or thread.locked:
            return
        # in another member's thread, the bot must not set the time
        is_own = self._client.user is not None and thread.owner_id == self._client.user.id
        minutes = ARCHIVE_AFTER if is_own else discord.utils.MISSING
        reopen = partial(thread.edit, archived=False, auto_archive_duration=minutes)
        await self.requests.change(reopen, limit=EDIT_TIMEOUT)

    async def _thread(self, thread_id: int) -> discord.Thread | None:
        """The current state of a thread, None for other channels. Raises `DISCORD_ERRORS`."""
        # a request, since the cache drops archived threads
        channel = await self.requests.run(partial(self._client.fetch_channel, thread_id), limit=EDIT_TIMEOUT)
        return channel if isinstance(channel, discord.Thread) else None

    # --- texts and updates ---

    async def announce(self, table: Table, text: Text) -> bool:
        """Post a text in the channel of a table. Returns whether that succeeded; it is not retried."""
        try:
            # without a nonce of its own, since no job repeats it
            await self.send(table.row.channel_id, partial(text_layout, text, table.say))
        except DISCORD_ERRORS as error:
            _log.warning("match %d: an announcement was not posted: %s", table.id, reason(error))
            return False
        return True

    async def replace(self, channel_id: int, message_id: int, compose: Compose) -> bool:
        """Replace a message of ours. Returns false if it is certainly deleted."""
        try:
            await self.edit(channel_id, message_id, compose)
        except DISCORD_ERRORS as error:
            _log.info("message %d stays as it is: %s", message_id, reason(error))
            return not is_message_gone(error)
        return True

    async def refresh(self, channel_id: int, message_id: int, compose: Compose) -> None:
        """Replace a message of ours, if that succeeds now."""
        try:
            await self.edit(channel_id, message_id, compose)
        except DISCORD_ERRORS as error:
            _log.info("message %d stays as it is: %s", message_id, reason(error))

    async def update(self, channel_id: int, message_id: int, compose: Compose, *, attempts: int = 0) -> None:
        """Replace a message of ours, unless Discord refuses that for good.

        Raises:
            DISCORD_ERRORS: it may succeed later; `attempts` have failed before.
        """
        try:
            await self.edit(channel_id, message_id, compose)
        except DISCORD_ERRORS as error:
            if not is_final(error, attempts):
                raise
            _log.info("message %d stays as it is: %s", message_id, reason(error))

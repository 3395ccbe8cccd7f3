"""Messages in channels. All requests go through `Requests`, which ends the wait for them in time."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Literal, TypeAlias

import discord

from bot.errors import TROUBLE, UnreadableAnswer, reason
from bot.interactions.controls import Control
from bot.interactions.parts import SILENT, Layout, text_layout
from bot.interactions.refusals import Code, code_of, is_closed, is_final, is_gone, is_message_gone
from bot.interactions.requests import Requests
from bot.store.shard_range import NO_SERVER
from bot.tables.guild_settings import Servers
from bot.tables.presence import ServerAway
from bot.tables.table import Table
from engine.languages import reading
from engine.texts import Text

_log = logging.getLogger(__name__)

# longer for messages: an animation has up to 8 MB
SEND_LIMIT, EDIT_LIMIT = 20.0, 10.0
"""Seconds that Discord gets for a message, and for an edit."""


LOOKED_BACK = 100
"""Messages of a channel among which one of ours is looked for: as many as one request brings."""

Compose: TypeAlias = Callable[[], Layout]
"""Makes a message in the language that is being written in: only where it is sent it is known who reads it."""


QUIET_DAYS: Literal[10080] = 10080
"""Minutes, a week, after which Discord archives a thread of ours in which nobody writes: turns may take days."""


def _key(channel_id: int, nonce: str) -> str:
    """What tells a message from all others: a reminder has the same nonce in the direct message and in the channel."""
    return f"{channel_id}/{nonce}"


def _ids(parts: Iterable[Any]) -> Iterator[str]:
    """The ids of all controls in a message."""
    for part in parts:
        if known := getattr(part, "custom_id", None):
            yield known
        yield from _ids(getattr(part, "children", ()))


class Channels:
    """All channels that the bot is in.

    `on_gone` is called with each that seems to be deleted, `on_success` with every message and edit that Discord takes.
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
        self.succeeded = on_success

    async def send(
        self,
        channel_id: int,
        compose: Compose,
        *,
        files: Sequence[discord.File] = (),
        mentions: discord.AllowedMentions = SILENT,
        nonce: str = "",
    ) -> int:
        """Post a message in the language of the channel, by default without mentions. Returns its id.

        Mentions are removed in a server that does not want them. Sent twice within some minutes with the same nonce, it
        is one message; a request under way is joined. Without a nonce it gets a random one, which covers only the
        repetitions of this call: jobs, which may send a message again, have to bring their own.

        Raises:
            TROUBLE: Discord does not take it, or does not answer.
        """
        mentions = await self.permitted(channel_id, mentions)
        layout = await self.composed(channel_id, compose)
        # not from the cache, which has no archived threads and, before READY, no channels at all
        channel = self._client.get_partial_messageable(channel_id)
        number = nonce or secrets.randbits(63)

        async def post() -> int:
            # discord.py adds `enforce_nonce`, by which Discord answers a repetition with the first message
            sent = await channel.send(view=layout, files=files, allowed_mentions=mentions, nonce=number)
            return sent.id

        with self._telling_if_gone(channel_id):
            message_id = await self._post_once(post, files, key=_key(channel_id, nonce) if nonce else "")
        self.succeeded()
        return message_id

    async def _post_once(self, post: Callable[[], Awaitable[int]], files: Sequence[discord.File], key: str) -> int:
        """The id of the message that a request makes, even if the answer cannot be read. Raises `TROUBLE`."""
        try:
            return await self.requests.run(post, limit=SEND_LIMIT, key=key)
        except UnreadableAnswer as error:
            if message_id := error.object_id():
                return message_id
            unreadable = error
        # if Discord has the message, it answers the same nonce with that one
        for file in files:
            file.reset()
        try:
            return await self.requests.run(post, limit=SEND_LIMIT, key=key)
        except UnreadableAnswer as error:
            if message_id := error.object_id():
                return message_id
            raise
        except discord.HTTPException:
            raise unreadable from None  # a refusal of this one says nothing about the first

    def is_sending(self, channel_id: int, nonce: str) -> bool:
        """Whether a message with this nonce is on its way, or its id is known without having been asked for."""
        return self.requests.is_under_way(_key(channel_id, nonce))

    async def withdraw(self, channel_id: int, nonce: str) -> int | None:
        """Stop a message that is perhaps on its way. Returns its id if it has arrived all the same, as far as is known.

        Raises:
            TROUBLE: it may still arrive.
        """
        try:
            message_id: int | None = await self.requests.withdraw(_key(channel_id, nonce), limit=SEND_LIMIT)
        except UnreadableAnswer as error:
            return error.object_id()
        return message_id

    @contextmanager
    def _telling_if_gone(self, channel_id: int) -> Iterator[None]:
        """Requests to a channel, which may be deleted by now."""
        try:
            yield
        except discord.HTTPException as error:
            if is_gone(error):
                self._on_gone(channel_id)
            raise

    async def composed(self, channel_id: int, compose: Compose) -> Layout:
        """A message in the language of a channel."""
        with reading(await self.servers.language_at(channel_id)):
            return compose()

    async def exists(self, channel_id: int) -> bool:
        """Whether Discord knows a channel, though it may be closed to us. Raises `TROUBLE` if it does not tell."""
        try:
            await self.requests.change(partial(self._client.fetch_channel, channel_id), limit=EDIT_LIMIT)
        except discord.HTTPException as error:
            if not (is_gone(error) or is_closed(error)):
                raise
            return not is_gone(error)
        return True

    async def is_deleted(self, guild_id: int, channel_id: int) -> bool:
        """Whether a channel or thread is gone, and its server, which is there, does not list it either.

        Raises:
            TROUBLE: Discord does not tell, or the server is not there.
        """
        if await self.exists(channel_id):
            return False
        if guild_id == NO_SERVER:
            return True
        guild = self.servers.known.find(guild_id)
        if guild is None:
            raise ServerAway(f"server {guild_id} is away")
        # asked anew: discord.py keeps the channels that it knew before an outage
        listed = await self.requests.run(guild.fetch_channels, limit=EDIT_LIMIT)
        # threads are in no list; but a server that lists its channels knows its threads, too
        return all(channel.id != channel_id for channel in listed)

    async def permitted(self, channel_id: int, mentions: discord.AllowedMentions) -> discord.AllowedMentions:
        """Those of some mentions that the settings of a channel's server leave: all, or none."""
        return mentions if not mentions.users or await self.servers.may_call(channel_id) else SILENT

    async def send_direct(self, user_id: int, compose: Compose, *, nonce: str) -> tuple[int, int]:
        """Like `send`, as a direct message in the language of its reader. Returns its channel and its id.

        Raises `TROUBLE`; `discord.Forbidden` for a user who accepts none.
        """
        channel_id = await self._conversation(user_id)
        with reading(await self.servers.language_of_user(user_id)):
            return channel_id, await self.send(channel_id, compose, nonce=nonce)

    async def _conversation(self, user_id: int) -> int:
        """The channel of the direct messages with a user. Raises `TROUBLE`."""
        # an `Object`, since the bot does not ask for the members intent and so knows no users
        user = discord.Object(user_id)
        try:
            return (await self.requests.run(partial(self._client.create_dm, user), limit=SEND_LIMIT)).id
        except UnreadableAnswer as error:
            if channel_id := error.object_id():
                return channel_id
            raise

    async def edit(self, channel_id: int, message_id: int, compose: Compose, file: discord.File | None = None) -> None:
        """Replace a message of ours, its picture too if there is a new one, without mentions. Raises `TROUBLE`."""
        layout = await self.composed(channel_id, compose)
        try:
            await self._edit(channel_id, message_id, layout, file)
        except discord.HTTPException as error:
            # Discord refuses edits in an archived thread (50083). A file was used up by the first attempt
            if code_of(error) != Code.THREAD_ARCHIVED or file is not None:
                raise
            await self._wake(channel_id)
            await self._edit(channel_id, message_id, layout)

    async def _edit(self, channel_id: int, message_id: int, layout: Layout, file: discord.File | None = None) -> None:
        # by the bot's own token: that of an interaction has expired after 15 min (50027)
        message = self._client.get_partial_messageable(channel_id).get_partial_message(message_id)
        # an empty list would remove the picture that is there
        files = discord.utils.MISSING if file is None else [file]
        edit = partial(message.edit, view=layout, attachments=files, allowed_mentions=SILENT)
        await self.requests.change(edit, limit=EDIT_LIMIT)
        self.succeeded()

    async def find(self, channel_id: int, control: Control) -> discord.Message | None:
        """The newest message with a control among the last ones of a channel.

        Discord shows none where we may not look back, and refuses where we could not post either.

        Raises:
            TROUBLE: Discord does not tell.
        """
        channel, custom_id = self._client.get_partial_messageable(channel_id), str(control.item.custom_id)

        async def look_back() -> list[discord.Message]:
            return [message async for message in channel.history(limit=LOOKED_BACK)]

        with self._telling_if_gone(channel_id):
            messages = await self.requests.run(look_back, limit=SEND_LIMIT)
        return next((message for message in messages if custom_id in _ids(message.components)), None)

    async def delete(self, channel_id: int, message_id: int) -> None:
        """Remove a message of ours; if Discord does not do that, it stays."""
        message = self._client.get_partial_messageable(channel_id).get_partial_message(message_id)
        try:
            await self.requests.change(message.delete, limit=EDIT_LIMIT)
        except TROUBLE as error:
            _log.info("message %d is not removed: %s", message_id, reason(error))

    def server(self, guild_id: int) -> discord.Guild | None:
        """A server, if the bot is in it and it is not away."""
        return self.servers.known.find(guild_id)

    # --- threads ---

    def is_locked(self, guild_id: int, channel_id: int) -> bool:
        """Whether a channel is an active thread that a moderator has locked, so that players cannot act there."""
        guild = self.server(guild_id)
        thread = guild.get_thread(channel_id) if guild else None
        return thread is not None and thread.locked

    async def open_thread(self, guild_id: int, channel_id: int, message_id: int, name: str) -> int:
        """A public thread that begins at a message; its name has 100 characters at most. Returns its id.

        Raises:
            TROUBLE: Discord does not open it, or does not answer.
        """
        channel = self._client.get_partial_messageable(channel_id, guild_id=guild_id)
        starter = channel.get_partial_message(message_id)
        create = partial(starter.create_thread, name=name, auto_archive_duration=QUIET_DAYS)
        try:
            await self.requests.change(create, limit=EDIT_LIMIT)
        except discord.HTTPException as error:
            if code_of(error) != Code.THREAD_EXISTS:  # of a request whose answer got lost
                raise
        # Discord gives a thread that begins at a message the id of that message
        return message_id

    async def bring_into(self, thread_id: int, *user_ids: int) -> None:
        """Add people to a thread without calling them; a thread that is closed to us is passed over."""
        try:
            thread = await self._thread(thread_id)
        except TROUBLE as error:
            _log.info("nobody is brought into thread %d: %s", thread_id, reason(error))
            return
        if thread is None:
            return
        for user_id in user_ids:
            try:
                await self.requests.change(partial(thread.add_user, discord.Object(user_id)), limit=EDIT_LIMIT)
            # each by itself: somebody may have left the server
            except TROUBLE as error:
                _log.info("user %d is not brought into thread %d: %s", user_id, thread_id, reason(error))

    async def archive(self, thread_id: int) -> None:
        """Archive a thread of ours without locking it: anybody who writes in it opens it again. Raises `TROUBLE`."""
        thread = await self._thread(thread_id)
        if thread is not None and not thread.archived:
            await self.requests.change(partial(thread.edit, archived=True), limit=EDIT_LIMIT)

    async def reopen(self, thread_id: int, *, attempts: int = 0) -> None:
        """Open an archived thread for another week, unless a moderator has locked it or the bot may not.

        Raises:
            TROUBLE: it may succeed later; this number of attempts failed before.
        """
        try:
            await self._wake(thread_id)
        except TROUBLE as error:
            if not is_final(error, attempts):
                raise
            _log.info("thread %d stays archived: %s", thread_id, reason(error))

    async def _wake(self, thread_id: int) -> None:
        """Open an archived thread, unless a moderator has locked it. Raises `TROUBLE`."""
        thread = await self._thread(thread_id)
        if thread is None or not thread.archived or thread.locked:
            return
        # in another member's thread, the bot may change nothing more
        is_own = self._client.user is not None and thread.owner_id == self._client.user.id
        minutes = QUIET_DAYS if is_own else discord.utils.MISSING
        reopen = partial(thread.edit, archived=False, auto_archive_duration=minutes)
        await self.requests.change(reopen, limit=EDIT_LIMIT)

    async def _thread(self, thread_id: int) -> discord.Thread | None:
        """A thread as it is now, None for any other channel. Raises `TROUBLE`."""
        # fetched: the cache drops threads that are archived
        channel = await self.requests.run(partial(self._client.fetch_channel, thread_id), limit=EDIT_LIMIT)
        return channel if isinstance(channel, discord.Thread) else None

    # --- words ---

    async def announce(self, table: Table, text: Text) -> bool:
        """Say something to everybody at a table. Returns whether that was possible; if not, it is passed over."""
        try:
            # without a nonce of its own: nobody sends it again
            await self.send(table.row.channel_id, partial(text_layout, text, table.say))
        except TROUBLE as error:
            _log.warning("nothing could be said in channel %d: %s", table.row.channel_id, reason(error))
            return False
        return True

    async def replace(self, channel_id: int, message_id: int, compose: Compose) -> bool:
        """Replace a message of ours. Returns whether it is still there, as far as Discord tells."""
        try:
            await self.edit(channel_id, message_id, compose)
        except TROUBLE as error:
            _log.info("message %d stays as it is: %s", message_id, reason(error))
            return not is_message_gone(error)
        return True

    async def refresh(self, channel_id: int, message_id: int, compose: Compose) -> None:
        """Replace a message of ours, if Discord accepts that now."""
        try:
            await self.edit(channel_id, message_id, compose)
        except TROUBLE as error:
            _log.info("message %d stays as it is: %s", message_id, reason(error))

    async def update(self, channel_id: int, message_id: int, compose: Compose, *, attempts: int = 0) -> None:
        """Replace a message of ours, unless Discord refuses that for good.

        Raises:
            TROUBLE: it may succeed later; this number of attempts failed before.
        """
        try:
            await self.edit(channel_id, message_id, compose)
        except TROUBLE as error:
            if not is_final(error, attempts):
                raise
            _log.info("message %d stays as it is: %s", message_id, reason(error))

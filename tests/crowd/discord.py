"""A fake Discord for the fast worlds: deliveries, refusals, members, old messages and threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from types import SimpleNamespace
from typing import Any
from weakref import WeakValueDictionary

import discord

from bot.interactions.channels import MAX_SEARCHED, Channels, Compose
from bot.interactions.controls import Control
from bot.interactions.parts import SILENT, Layout
from bot.interactions.presence import KnownServers, Presence
from bot.interactions.requests import Requests
from bot.interactions.servers import Servers
from bot.tables.table import Table
from engine.languages import ENGLISH, Language
from tests.crowd.times import Time

GUILD = 7

REMEMBERED = timedelta(minutes=5)
"""The lifetime of a nonce."""


class Killed(BaseException):
    """The process has been killed at this point."""


@dataclass
class Process:
    """The state of the bot's process, which may be killed before and after everything it writes or sends."""

    random: Random
    kill_rate: float
    has_ended: bool = False

    def maybe_kill(self) -> None:
        """Kill the process at random. Raises `Killed` if it has ended, now or before."""
        if not self.has_ended and self.random.random() < self.kill_rate:
            self.has_ended = True
        self.go_on()

    def go_on(self) -> None:
        """Raise `Killed` if the process has ended, so that no pending work goes on."""
        if self.has_ended:
            raise Killed


@dataclass(frozen=True)
class Sent:
    """A delivered message: its time, channel (0 for a direct message), nonce, pinged users, text and alt texts.

    `controls` are the ids of its buttons and menus.
    """

    at: datetime
    place: int
    nonce: str
    called: tuple[int, ...]
    words: str
    pictures: tuple[str, ...] = ()
    controls: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """`board`, `warn`, `late`, `vote`, `offer`, `reminder`, `morning` or `lobby`; empty for other messages."""
        head = self.nonce.partition("-")[0]
        numbered = {"r": "reminder", "b": "board", "m": "morning", "l": "lobby"} if head[1:].isdecimal() else {}
        return numbered.get(head[:1], head if "-" in self.nonce else "")


FIRST_MESSAGE = 1_000_000
"""Ids of messages, and thus of threads, are above those of channels and users."""


@dataclass
class FakeDiscord:
    """Discord with one server: members, messages, threads (by the id of their first message), refusals and outages.

    `opened` lists each thread once for each time it was created. The bot can search channels if `has_history` is set.
    """

    time: Time
    random: Random
    deliver: Callable[[Sent], None]
    closed_users: set[int] = field(default_factory=set)
    closed_channels: set[int] = field(default_factory=set)
    down: bool = False
    nonces: dict[str, tuple[datetime, int]] = field(default_factory=dict)
    messages: int = FIRST_MESSAGE
    id: int = GUILD
    members: set[int] = field(default_factory=set)
    standing: list[tuple[int, Sent]] = field(default_factory=list)
    opened: list[int] = field(default_factory=list)
    has_history: bool = False
    repeated: int = 0
    removed: int = 0
    refused: int = 0

    def take(self, sent: Sent) -> int:
        """Deliver a message unless its nonce was used a moment ago. Returns the id of the new or earlier message."""
        earlier = self.nonces.get(sent.nonce) if sent.nonce else None
        if earlier and sent.at - earlier[0] < REMEMBERED:
            self.repeated += 1
            return earlier[1]
        self.messages += 1
        self.nonces[sent.nonce] = (sent.at, self.messages)
        self.standing.append((self.messages, sent))
        self.deliver(sent)
        return self.messages

    def require_open(self, channel_id: int | None = None, user_id: int | None = None) -> None:
        """Raise the error of discord.py for a closed channel or user, or for an outage."""
        if self.down and self.random.random() < 0.7:
            self.refused += 1
            raise OSError("an outage")
        for closed, code in ((channel_id in self.closed_channels, 50083), (user_id in self.closed_users, 50007)):
            if closed:
                self.refused += 1
                answer = SimpleNamespace(status=403, reason="Forbidden")
                raise discord.Forbidden(answer, {"code": code, "message": "closed"})

    def found(self, channel_id: int, control: str) -> Any:
        """The newest message with a control among the latest of a channel, or `None`."""
        there = [(n, sent) for n, sent in self.standing if sent.place == channel_id][-MAX_SEARCHED:]
        messages = (SimpleNamespace(id=n, attachments=sent.pictures) for n, sent in there if control in sent.controls)
        return max(messages, key=lambda message: message.id, default=None)

    def get_channel_or_thread(self, channel_id: int) -> Any:
        """Raise the error of a hidden channel, since this fake has no permissions to look up."""
        answer: Any = SimpleNamespace(status=403, reason="Forbidden")
        raise discord.Forbidden(answer, {"code": 50001, "message": "Missing Access"})

    async def fetch_member(self, user_id: int) -> Any:
        """A member of the server. Raises the errors of discord.py for other users and for an outage."""
        self.require_open()
        if user_id not in self.members:
            answer: Any = SimpleNamespace(status=404, reason="Not Found")
            raise discord.NotFound(answer, {"code": 10007, "message": "Unknown Member"})
        return SimpleNamespace(display_name=f"user {user_id}")


class EasyServers(Servers):
    """Server settings with all defaults."""

    def __init__(self) -> None: ...

    async def may_call(self, channel_id: int) -> bool:
        return True

    async def in_contrast(self, table: Table) -> bool:
        return False

    async def language_in(self, guild_id: int) -> Language:
        return ENGLISH

    async def language_at(self, channel_id: int) -> Language:
        return ENGLISH

    async def language_of(self, table: Table) -> Language:
        return ENGLISH

    async def language_of_user(self, user_id: int) -> Language:
        return ENGLISH


class AllPresent(KnownServers):
    """The bot is a member of every server."""

    def __init__(self) -> None:
        pass

    def presence(self, guild_id: int) -> Presence:
        return Presence.THERE

    def find(self, guild_id: int) -> None:
        """Find the channels of a server; `None`: its channels are unknown."""


class FakeChannels(Channels):
    """The channels as one process of the bot uses them."""

    def __init__(self, post: FakeDiscord, process: Process, on_success: Callable[[], None]) -> None:
        self._post = post
        self._process = process
        self._editing = WeakValueDictionary()
        self.report_success = on_success
        self.requests = Requests()
        self.servers = EasyServers()
        self.servers.known = AllPresent()

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
        self._process.maybe_kill()
        self._post.require_open(channel_id=channel_id)
        users = mentions.users if isinstance(mentions.users, list) else []
        return self._sent(channel_id, compose(), nonce, tuple(user.id for user in users))

    async def send_direct(self, user_id: int, compose: Compose, *, nonce: str, silent: bool = False) -> tuple[int, int]:
        self._process.maybe_kill()
        self._post.require_open(user_id=user_id)
        return 0, self._sent(0, compose(), nonce, (user_id,))

    def is_locked(self, guild_id: int, channel_id: int) -> bool:
        return False

    async def delete(self, channel_id: int, message_id: int) -> None:
        self._process.maybe_kill()
        self._post.removed += 1

    def _sent(self, place: int, layout: Layout, nonce: str, called: tuple[int, ...]) -> int:
        parts = [*layout.walk_children()]
        words = "\n".join(item.content for item in parts if isinstance(item, discord.ui.TextDisplay))
        galleries = (item for item in parts if isinstance(item, discord.ui.MediaGallery))
        pictures = tuple(item.description or "" for gallery in galleries for item in gallery.items)
        controls = tuple(str(control_id) for item in parts if (control_id := getattr(item, "custom_id", None)))
        message_id = self._post.take(Sent(self._post.time.now, place, nonce, called, words, pictures, controls))
        self._process.maybe_kill()
        self.report_success()
        return message_id

    async def find(self, channel_id: int, control: Control) -> Any:
        if not self._post.has_history:
            return None
        self._process.maybe_kill()
        self._post.require_open(channel_id=channel_id)
        return self._post.found(channel_id, str(control.item.custom_id))

    async def edit(self, channel_id: int, message_id: int, compose: Compose, file: discord.File | None = None) -> None:
        self._process.go_on()
        self._post.require_open(channel_id=channel_id)

    def server(self, guild_id: int) -> Any:
        return self._post

    async def exists(self, channel_id: int) -> bool:
        return True

    async def open_thread(self, guild_id: int, channel_id: int, message_id: int, name: str) -> int:
        self._process.maybe_kill()
        self._post.require_open(channel_id=channel_id)
        if message_id not in self._post.opened:
            self._post.opened.append(message_id)
        self._process.maybe_kill()
        return message_id

    async def add_members(self, thread_id: int, *user_ids: int) -> None:
        self._process.maybe_kill()

    async def archive(self, thread_id: int) -> None:
        self._process.maybe_kill()

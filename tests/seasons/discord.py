"""The parts of Discord that leagues need beside messages: members, the messages of a channel, and threads."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import discord

from bot.interactions.channels import MAX_SEARCHED
from bot.interactions.controls import Control
from tests.weeks.discord import FakeChannels, FakeDiscord, Sent
from tests.weeks.simulation import GUILD

FIRST_MESSAGE = 1_000_000
"""The ids of messages, and so of threads, begin above those of channels and users."""


@dataclass
class GuildDiscord(FakeDiscord):
    """Discord with one server: its members, its messages, and its threads by the message at which they begin.

    `opened` has every thread once for each time that it was really opened.
    """

    id: int = GUILD
    messages: int = FIRST_MESSAGE
    members: set[int] = field(default_factory=set)
    standing: list[tuple[int, Sent]] = field(default_factory=list)
    opened: list[int] = field(default_factory=list)

    def take(self, sent: Sent) -> int:
        before = self.messages
        message_id = super().take(sent)
        if self.messages > before:
            self.standing.append((message_id, sent))
        return message_id

    def found(self, channel_id: int, control: str) -> Any:
        """The newest message with a control among the last ones of a channel."""
        there = [one for one in self.standing if one[1].place == channel_id][-MAX_SEARCHED:]
        messages = (SimpleNamespace(id=n, attachments=sent.pictures) for n, sent in there if control in sent.controls)
        return max(messages, key=lambda message: message.id, default=None)

    def get_channel_or_thread(self, channel_id: int) -> Any:
        """No channel: this double has no permissions to look up. Raises the error of a hidden channel."""
        answer: Any = SimpleNamespace(status=403, reason="Forbidden")
        raise discord.Forbidden(answer, {"code": 50001, "message": "Missing Access"})

    async def fetch_member(self, user_id: int) -> Any:
        """Somebody in the server. Raises what discord.py raises for anybody else, or an outage."""
        self.require_open()
        if user_id not in self.members:
            answer: Any = SimpleNamespace(status=404, reason="Not Found")
            raise discord.NotFound(answer, {"code": 10007, "message": "Unknown Member"})
        return SimpleNamespace(display_name=f"user {user_id}")


class GuildChannels(FakeChannels):
    """The channels of one process, with their messages, and threads."""

    _post: GuildDiscord

    def server(self, guild_id: int) -> Any:
        return self._post

    async def exists(self, channel_id: int) -> bool:
        return True

    async def find(self, channel_id: int, control: Control) -> Any:
        self._process.maybe_kill()
        self._post.require_open(channel_id=channel_id)
        return self._post.found(channel_id, str(control.item.custom_id))

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

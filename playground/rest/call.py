"""A parsed REST request, and the table of routes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from playground.faults import Fault
from playground.local import LocalDiscord
from playground.permissions import Permission
from playground.wire import ApiError, Json, Upload, unknown
from playground.world import Channel, Message, User

Answer: TypeAlias = tuple[int, Any]

# https://discord.com/developers/docs/topics/opcodes-and-status-codes#json-json-error-codes
MISSING_ACCESS = 50001
MISSING_PERMISSIONS = 50013


@dataclass(slots=True)
class Call:
    """A parsed request: path parameters, query, JSON body, files, and the fault that applies to it."""

    local: LocalDiscord
    ids: Mapping[str, str]
    query: Mapping[str, str]
    body: Any
    uploads: list[Upload]
    fault: Fault | None = None

    @property
    def bot(self) -> User:
        """The bot, which sends all requests."""
        return self.local.world.bot

    @property
    def json(self) -> Json:
        """The body, which must be an object."""
        if not isinstance(self.body, dict):
            raise ApiError(400, 50109, "The request body contains invalid JSON.")
        return self.body

    def number(self, name: str) -> int:
        """An id from the path."""
        text = self.ids[name]
        if not text.isdigit():
            raise ApiError(400, 50035, f"Invalid Form Body: {text!r} is not a snowflake")
        return int(text)

    def channel(self, *needed: Permission) -> Channel:
        """The channel in the path. Raises ApiError if the bot cannot see it or lacks a needed permission."""
        channel = self.local.world.channels.get(self.number("channel_id"))
        if channel is None or self.local.world.has_outage(channel):
            raise unknown("Channel", 10003)
        granted = self.local.world.permissions(self.bot, channel)
        # Discord uses 50001 for invisible channels, 50013 for a missing permission.
        if not granted & Permission.VIEW_CHANNEL:
            raise ApiError(403, MISSING_ACCESS, "Missing Access")
        if any(not granted & permission for permission in needed):
            raise ApiError(403, MISSING_PERMISSIONS, "Missing Permissions")
        return channel

    def message(self, channel: Channel) -> Message:
        """The message in the path. Ephemeral messages do not exist for these routes."""
        message = channel.message(self.number("message_id"))
        if message is None or message.only_for is not None:
            raise unknown("Message", 10008)
        return message

    def user(self) -> User:
        """The user in the path, which may be `@me`."""
        if self.ids["user_id"] == "@me":
            return self.bot
        user = self.local.world.users.get(self.number("user_id"))
        if user is None:
            raise unknown("User", 10013)
        return user

    def limit(self, default: int) -> int:
        """The `limit` in the query, clamped to 1 to 100."""
        # Discord rejects other numbers; discord.py never requests more than 100.
        return max(1, min(100, int(self.query.get("limit", default))))


Handler: TypeAlias = Callable[[Call], Answer]
ROUTES: dict[tuple[str, str], Handler] = {}


def route(method: str, template: str) -> Callable[[Handler], Handler]:
    """Register a handler under its path template in the OpenAPI file."""

    def register(handler: Handler) -> Handler:
        ROUTES[method, template] = handler
        return handler

    return register

"""The stored message of a server's overview, and the job that keeps it."""

from __future__ import annotations

import dataclasses
from datetime import datetime

from bot.store.jobs import Job, JobKind
from bot.store.settings import Settings
from engine.values import Value

SCOPE, NAME = "server", "overview"

NO_CHANNEL = 0


class OverviewMessage(Value):
    """The newest message of an overview. Each has a `number` of its own, by which the bot finds one whose delivery is
    uncertain: `is_sent` without an id.
    """

    channel_id: int = NO_CHANNEL
    number: int = 0
    message_id: int | None = None
    is_sent: bool = False

    def as_sent(self) -> OverviewMessage:
        """The message once the bot has begun to send it."""
        return dataclasses.replace(self, is_sent=True)

    def with_id(self, message_id: int) -> OverviewMessage:
        """The message once its id is known."""
        return dataclasses.replace(self, message_id=message_id, is_sent=True)

    def following(self, channel_id: int) -> OverviewMessage:
        """The message after this one, in a channel."""
        return OverviewMessage(channel_id, self.number + 1)


async def overview_of(settings: Settings, guild_id: int) -> OverviewMessage:
    """The message of a server's overview."""
    return OverviewMessage(**(await settings.get(SCOPE, guild_id, NAME) or {}))


async def remember_overview(settings: Settings, guild_id: int, message: OverviewMessage) -> None:
    """Store the message of a server's overview."""
    await settings.put(SCOPE, guild_id, NAME, dataclasses.asdict(message))


def overview_job(guild_id: int, at: datetime) -> Job:
    """The job that keeps the overview of a server."""
    # a job about a server has the id of the server in place of the match; ids of matches are far smaller
    return Job(JobKind.OVERVIEW, at, guild_id, guild_id=guild_id)

"""How the bot is doing at this moment."""

from __future__ import annotations

import asyncio
import logging
import math
from dataclasses import dataclass
from datetime import datetime

import discord

from bot import metrics
from bot.clock import Clock
from bot.store.store import Count, Store
from bot.store.trouble import DatabaseTrouble

_log = logging.getLogger(__name__)

PATIENCE = 2.0
"""Seconds that the database gets to answer."""

KEPT = 5.0
"""Seconds for which the pages have the same counts."""


@dataclass(frozen=True, slots=True)
class Condition:
    """`latency` is the way to Discord and back in seconds, None while there is no connection; `is_stuck`: no request
    gets through to Discord; `count` is what the database says, None if it does not answer in time or cannot be written
    to.
    """

    servers: int
    latency: float | None
    is_stuck: bool
    count: Count | None

    @property
    def faults(self) -> tuple[str, ...]:
        """What keeps everybody from playing; nothing if all is well."""
        faults = {"discord": self.latency is None, "requests": self.is_stuck, "database": self.count is None}
        return tuple(name for name, is_fault in faults.items() if is_fault)


class Examiner:
    """Looks again and again how the bot is doing, but counts only every few seconds: anybody may ask for the pages."""

    def __init__(self, client: discord.Client, store: Store, clock: Clock) -> None:
        self._client = client
        self._store = store
        self._clock = clock
        self._counting = asyncio.Lock()
        self._counted: datetime | None = None
        self._count: Count | None = None

    async def examine(self) -> Condition:
        """The same as `examine`, with counts that may be some seconds old."""
        # locked, so that several who ask at once cost one count
        async with self._counting:
            age = (self._clock.now() - self._counted).total_seconds() if self._counted else KEPT
            # negative once the clock of the machine was set back
            if not 0 <= age < KEPT:
                self._count, self._counted = await _count(self._store, self._clock.now()), self._clock.now()
        return _condition(self._client, self._count, self._clock.now())


async def examine(client: discord.Client, store: Store, now: datetime) -> Condition:
    """Look how the bot is doing; the metrics that are not counted as things happen are set by it."""
    return _condition(client, await _count(store, now), now)


def _condition(client: discord.Client, count: Count | None, now: datetime) -> Condition:
    latency = client.latency
    metrics.SERVERS.set(len(client.guilds))
    if count is not None:
        for kind, backlog in count.jobs.items():
            metrics.JOBS.labels(kind).set(backlog.waiting)
            metrics.JOBS_FAILED.labels(kind).set(backlog.failed)
            age = (now - backlog.oldest).total_seconds() if backlog.oldest else 0.0
            # negative for a job that has failed and is to be tried again later
            metrics.JOBS_AGE.labels(kind).set(max(age, 0.0))
        for status, number in count.matches.items():
            metrics.MATCHES.labels(status).set(number)
    is_stuck = metrics.value(metrics.STUCK) > 0
    return Condition(len(client.guilds), latency if math.isfinite(latency) else None, is_stuck, count)


async def _count(store: Store, now: datetime) -> Count | None:
    try:
        # less than `bot.store.database.PATIENCE`: a health check has to answer sooner
        async with asyncio.timeout(PATIENCE):
            await store.require_well()
            return await store.count(now)
    except (DatabaseTrouble, TimeoutError):
        return None
    # a fault of ours, which must not hide how all else is
    except Exception:
        _log.exception("the matches cannot be counted")
        return None

"""The current condition of the bot."""

from __future__ import annotations

import asyncio
import logging
import math
from datetime import datetime

import discord

from bot import metrics
from bot.clock import Clock
from bot.store.failures import DatabaseUnavailable
from bot.store.store import Count, Store
from engine.values import Value

_log = logging.getLogger(__name__)

DATABASE_TIMEOUT = 2.0
"""Seconds."""

CACHE_TIME = 5.0
"""Seconds for which counts are cached."""


class Condition(Value):
    """`latency` is the round trip to Discord in seconds, None without a connection; `is_stuck`: requests to Discord do
    not get through; `count` comes from the database, None if it does not answer in time or cannot be written to.
    """

    servers: int
    latency: float | None
    is_stuck: bool
    count: Count | None

    @property
    def faults(self) -> tuple[str, ...]:
        """Names of the faults that stop all games; empty if there is none."""
        faults = {"discord": self.latency is None, "requests": self.is_stuck, "database": self.count is None}
        return tuple(name for name, is_fault in faults.items() if is_fault)


class Examiner:
    """Examines the bot for the web pages; the counts are cached, since the pages are open to anyone."""

    def __init__(self, client: discord.Client, store: Store, clock: Clock) -> None:
        self._client = client
        self._store = store
        self._clock = clock
        self._counting = asyncio.Lock()
        self._counted_at: datetime | None = None
        self._count: Count | None = None

    async def examine(self) -> Condition:
        """Like the function `examine`, with counts up to `CACHE_TIME` old."""
        # locked, so that concurrent requests cost one count
        async with self._counting:
            age = (self._clock.now() - self._counted_at).total_seconds() if self._counted_at else CACHE_TIME
            # negative after the clock of the machine was set back
            if not 0 <= age < CACHE_TIME:
                self._count, self._counted_at = await _count(self._store, self._clock.now()), self._clock.now()
        return _condition(self._client, self._count, self._clock.now())


async def examine(client: discord.Client, store: Store, now: datetime) -> Condition:
    """The condition of the bot; also sets the metrics that are not updated by events."""
    return _condition(client, await _count(store, now), now)


def _condition(client: discord.Client, count: Count | None, now: datetime) -> Condition:
    latency = client.latency
    metrics.SERVERS.set(len(client.guilds))
    if count is not None:
        for kind, backlog in count.jobs.items():
            metrics.JOBS.labels(kind).set(backlog.waiting)
            metrics.JOBS_FAILED.labels(kind).set(backlog.failed)
            age = (now - backlog.oldest).total_seconds() if backlog.oldest else 0.0
            # negative for a failed job that is retried later
            metrics.JOBS_AGE.labels(kind).set(max(age, 0.0))
        for status, number in count.matches.items():
            metrics.MATCHES.labels(status).set(number)
    is_stuck = metrics.value(metrics.STUCK) > 0
    return Condition(len(client.guilds), latency if math.isfinite(latency) else None, is_stuck, count)


async def _count(store: Store, now: datetime) -> Count | None:
    try:
        # less than `bot.store.database.PATIENCE`: a health check must answer sooner
        async with asyncio.timeout(DATABASE_TIMEOUT):
            await store.require_available()
            return await store.count(now)
    except (DatabaseUnavailable, TimeoutError):
        return None
    # a bug in counting must not hide the rest of the condition
    except Exception:
        _log.exception("counting matches and jobs failed; the health check reports the database as faulty")
        return None

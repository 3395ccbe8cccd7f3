"""Compares the clock of this machine with Discord's: every response says by its `Date` when it was sent."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from types import SimpleNamespace

import aiohttp

from bot.clock import Clock
from bot.metrics import CLOCK_OFFSET

_log = logging.getLogger(__name__)

MAX_OFFSET = timedelta(seconds=30)
"""A clock that differs by less is right; an offset that has changed by more is logged again."""

RIGHT = timedelta()


class ClockCheck:
    """Measures the offset of the machine's clock, positive if it is ahead, and logs one that is too large."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._logged = RIGHT
        # what Discord's clock showed, and the time of the event loop at that moment: that one is never set
        self._seen: tuple[datetime, float] | None = None

    def trace(self, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
        """Add hooks for all requests of a client, which has one trace. Returns it."""
        trace.on_request_start.append(self._start)
        trace.on_request_end.append(self._end)
        return trace

    def offset(self) -> timedelta | None:
        """The offset now, also right after the clock was set; `None` before the first response."""
        if self._seen is None:
            return None
        date, then = self._seen
        return self._clock.now() - date - timedelta(seconds=asyncio.get_running_loop().time() - then)

    async def _start(self, _: aiohttp.ClientSession, request: SimpleNamespace, __: object) -> None:
        request.started = self._clock.now()

    async def _end(
        self, _: aiohttp.ClientSession, request: SimpleNamespace, end: aiohttp.TraceRequestEndParams
    ) -> None:
        if (date := date_of(end.response.headers.get("Date", ""))) is not None:
            self._seen = date, asyncio.get_running_loop().time()
            self.compare(date, request.started, self._clock.now())

    def compare(self, date: datetime, started: datetime, ended: datetime) -> None:
        """Note that Discord's clock showed `date` at some moment between two times of this machine."""
        # the clock was set during the request
        if ended < started:
            return
        offset = max(started - date, RIGHT) + min(ended - date, RIGHT)
        CLOCK_OFFSET.set(offset.total_seconds())
        is_wrong = abs(offset) > MAX_OFFSET
        if is_wrong and abs(offset - self._logged) > MAX_OFFSET:
            self._logged = offset
            side = "ahead of" if offset > RIGHT else "behind"
            text = "the clock of this machine is %.0f s %s Discord's; let a time server set it"
            _log.warning(text, abs(offset).total_seconds(), side)
        elif not is_wrong and self._logged:
            self._logged = RIGHT
            _log.info("the clock of this machine agrees with Discord's again")


def date_of(header: str) -> datetime | None:
    """The time in a `Date` header, or `None` if it cannot be read."""
    try:
        date = parsedate_to_datetime(header)
    # its parser raises these for malformed text and for numbers out of range
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)

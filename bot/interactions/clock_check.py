"""Compares the clock of this machine with Discord's, by the `Date` header of each response."""

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
"""A smaller offset is fine; a change by more is logged again."""

ZERO = timedelta()


class ClockCheck:
    """Measures the offset of the machine's clock, positive if it is ahead, and logs a large one."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._logged = ZERO
        # Discord's time, and the time of the event loop at that moment, which is never set
        self._last_date: tuple[datetime, float] | None = None

    def trace(self, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
        """Add hooks to the trace of a client. Returns the trace."""
        trace.on_request_start.append(self._start)
        trace.on_request_end.append(self._end)
        return trace

    def offset(self) -> timedelta | None:
        """The offset now, also right after the clock was set; `None` before the first response."""
        if self._last_date is None:
            return None
        date, then = self._last_date
        return self._clock.now() - date - timedelta(seconds=asyncio.get_running_loop().time() - then)

    async def _start(self, _: aiohttp.ClientSession, request: SimpleNamespace, __: object) -> None:
        request.started = self._clock.now()

    async def _end(
        self, _: aiohttp.ClientSession, request: SimpleNamespace, end: aiohttp.TraceRequestEndParams
    ) -> None:
        if (date := date_of(end.response.headers.get("Date", ""))) is not None:
            self._last_date = date, asyncio.get_running_loop().time()
            self.compare(date, request.started, self._clock.now())

    def compare(self, date: datetime, started: datetime, ended: datetime) -> None:
        """Compare `date`, Discord's time at a moment between two times of this machine, with both of them."""
        # the clock was set during the request
        if ended < started:
            return
        offset = max(started - date, ZERO) + min(ended - date, ZERO)
        CLOCK_OFFSET.set(offset.total_seconds())
        is_wrong = abs(offset) > MAX_OFFSET
        if is_wrong and abs(offset - self._logged) > MAX_OFFSET:
            self._logged = offset
            side = "ahead of" if offset > ZERO else "behind"
            text = "the clock of this machine is %.0f s %s Discord's; sync it with a time server"
            _log.warning(text, abs(offset).total_seconds(), side)
        elif not is_wrong and self._logged:
            self._logged = ZERO
            _log.info("the clock of this machine agrees with Discord's again")


def date_of(header: str) -> datetime | None:
    """The time in a `Date` header, or `None` if it cannot be read."""
    try:
        date = parsedate_to_datetime(header)
    # its parser raises these for malformed text and for numbers out of range
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)

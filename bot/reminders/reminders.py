"""The one who reminds: when a timer falls due, he looks who is waited for now.

What is stored is when to look, and what was told last. A reminder is noted after it was sent; until then its nonce
stays the same, so that one that is sent again after a crash is the same message, unless Discord has forgotten the nonce
by then (after minutes), or something else has come due.
"""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from hashlib import blake2b
from typing import TypeAlias

from bot.clock import Clock
from bot.errors import TROUBLE, reason
from bot.habits.habits import Habits, habits_of
from bot.reminders.moments import DAY, GAP, TOGETHER, reminder_at
from bot.reminders.waiting import Waiting
from bot.rounds import Round
from bot.store.rows import Reminded, Timer, TimerKind
from bot.store.store import Store

_log = logging.getLogger(__name__)

RETRY = timedelta(minutes=1)
"""Until a reminder that Discord did not take is sent again."""

Look: TypeAlias = Callable[[int, int], Awaitable[Waiting | None]]
"""What waits at the table of a match for a user."""

Due: TypeAlias = Sequence[tuple[Waiting, datetime]]
"""What waits for somebody, and since when."""

Send: TypeAlias = Callable[[int, Due, bool, str], Awaitable[Due]]
"""Reminds a user, if he likes directly, with a nonce. Returns what he could be told. Raises `TROUBLE` if Discord does
not take it now, and may later."""


class Reminders:
    """Reminds whoever is waited for, by the timers in the store."""

    def __init__(self, store: Store, clock: Clock, look: Look, send: Send) -> None:
        self._store = store
        self._clock = clock
        self._look = look
        self._send = send

    def round(self) -> Round[int]:
        """Reminds everybody for whom a timer has fallen due."""
        timers = self._store.timers
        return Round(
            self._clock,
            self._store,
            partial(timers.ripe, TimerKind.REMINDER),
            partial(timers.earliest, TimerKind.REMINDER),
            self.serve,
        )

    async def serve(self, user_id: int) -> None:
        """Remind a user of all that is due, or note when it will be."""
        habits = await habits_of(self._store.settings, user_id)
        last, now = await self._store.timers.reminded(user_id), self._clock.now()
        when = partial(reminder_at, habits=habits, last=last, now=now)
        soon: list[tuple[Timer, Waiting]] = []
        changes: list[tuple[Timer, Timer | None]] = []
        for noted in await self._store.timers.of(TimerKind.REMINDER, user_id):
            near = _before(when(noted), now + TOGETHER)
            timer, waiting = await self._as_it_stands(noted) if near else (noted, None)
            changes.append((noted, timer and dataclasses.replace(timer, at=when(timer) or now + DAY)))
            if timer and waiting and _before(when(timer), now + TOGETHER):
                soon.append((timer, waiting))
        await self._store.timers.settle([change for change in changes if change[0] != change[1]])
        # somebody may have acted since, or have lost his seat
        still = [(timer, waiting) for timer, waiting in soon if await self._look(timer.match_id, user_id) == waiting]
        if any(_before(when(timer), now) for timer, _ in still):
            await self._remind(user_id, habits, last, still)

    async def _as_it_stands(self, noted: Timer) -> tuple[Timer | None, Waiting | None]:
        """A timer by what waits now: it begins anew with another decision, and ends when there is none."""
        waiting = await self._look(noted.match_id, noted.user_id)
        if waiting is None:
            return None, None
        if waiting.version == noted.version:
            return noted, waiting
        asked = await self._store.log.written_at(noted.match_id, waiting.version - 1)
        since = max(noted.since, asked or noted.since)
        return dataclasses.replace(noted, version=waiting.version, since=since, reminded=None), waiting

    async def _remind(
        self, user_id: int, habits: Habits, last: Reminded, soon: Sequence[tuple[Timer, Waiting]]
    ) -> None:
        due = [(waiting, timer.since) for timer, waiting in soon]
        try:
            told = await self._send(user_id, due, habits.direct, _nonce(user_id, last, soon))
        except TROUBLE as error:
            _log.info("user %d is reminded a little later: %s", user_id, reason(error))
            await self._put_off(user_id)
            return
        matches = {waiting.match_id for waiting, _ in told}
        now = self._clock.now()
        changes = [
            (timer, dataclasses.replace(timer, reminded=now, at=now + GAP))
            for timer, _ in soon
            if timer.match_id in matches
        ]
        await self._store.timers.told(user_id, last.number + 1, now, changes)

    async def _put_off(self, user_id: int) -> None:
        now = self._clock.now()
        timers = await self._store.timers.of(TimerKind.REMINDER, user_id)
        await self._store.timers.settle(
            [(timer, dataclasses.replace(timer, at=now + RETRY)) for timer in timers if timer.at <= now]
        )


def _nonce(user_id: int, last: Reminded, soon: Sequence[tuple[Timer, Waiting]]) -> str:
    """The same for the same reminder, until it is noted; of 25 letters at most. Discord knows one for some minutes."""
    asked = [(waiting.match_id, waiting.version) for _, waiting in soon]
    return "reminder-" + blake2b(repr((user_id, last.number, asked)).encode(), digest_size=8).hexdigest()


def _before(moment: datetime | None, other: datetime) -> bool:
    return moment is not None and moment <= other

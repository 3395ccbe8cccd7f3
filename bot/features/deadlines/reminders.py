"""Reminders: when one is due, it lists all decisions that wait for its user.

Where no clock runs, the reminders of a decision end after a week or more: the last one says so, and the game sleeps.

The store has the time of the next check and the last reminder. A reminder is recorded after it was sent, but its
decisions are recorded before: sent again after a crash, it lists the same decisions with the same nonce, so Discord
takes it for the same message. Then earlier reminders are deleted, except for the last one of each game.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TypeAlias

from bot.clock import Clock
from bot.features.deadlines.reminder_times import BATCH_WINDOW, DAY, MIN_GAP, is_last, reminder_at
from bot.features.deadlines.waiting import Waiting
from bot.store.codec import time_at, time_of
from bot.store.jobs import Job, JobKind
from bot.store.reminded import About, LastReminder, Message
from bot.store.store import Store
from bot.tables.preferences import Preferences, preferences_of
from engine.values import Value

Look: TypeAlias = Callable[[int, int], Awaitable[Waiting | None]]
"""Returns the decision of a user in a match."""

Due: TypeAlias = Sequence[tuple[Waiting, datetime]]
"""The decisions of a user, each with the time since when it waits."""


class Sent(Value):
    """A reminder: its decisions, and its message, `None` if the user cannot be reached."""

    about: Due
    message: Message | None = None


Send: TypeAlias = Callable[[int, Due, bool, str], Awaitable[Sent]]
"""Sends a user a reminder: `(user_id, due, direct, nonce)`. Raises `DISCORD_ERRORS` if it may succeed later."""

Remove: TypeAlias = Callable[[int, int], Awaitable[None]]
"""Deletes a message by its channel and id, if Discord allows it."""


class _Agenda(Value):
    """The decisions of a user for a reminder now, with their preferences and last reminder."""

    preferences: Preferences
    last: LastReminder
    soon: Sequence[tuple[Job, Waiting]]


class Reminders:
    """Sends reminders by the jobs in the store: one job for each decision and user."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        look: Look,
        send: Send,
        remove: Remove,
        rests: Callable[[int], bool] = lambda _: False,
    ) -> None:
        """Games of a server for whose id `rests` is true are left out."""
        self._store = store
        self._jobs = store.jobs
        self._clock = clock
        self._look = look
        self._send = send
        self._remove = remove
        self._rests = rests

    async def serve(self, user_id: int) -> None:
        """Remind a user of all due decisions, or store when they come due. Raises `DISCORD_ERRORS` as `Send` does."""
        agenda, now = await self._agenda(user_id), self._clock.now()
        if agenda.soon and not agenda.last.may_have_been_sent(now):
            await self._store.reminded.begin(user_id, [_about(waiting) for _, waiting in agenda.soon], now)
            agenda = await self._agenda(user_id)  # they may have acted or snoozed meanwhile
        if agenda.soon:
            await self._remind(user_id, agenda)

    async def _agenda(self, user_id: int) -> _Agenda:
        """The decisions for a reminder now: none if none is due, otherwise also those that are due soon."""
        preferences = await preferences_of(self._store.settings, user_id)
        last, now = await self._store.reminded.of(user_id), self._clock.now()
        when = partial(reminder_at, preferences=preferences, last=last, now=now)
        soon: list[tuple[Job, Waiting]] = []
        jobs = [job for job in await self._jobs.of_user(JobKind.REMINDER, user_id) if not self._rests(job.guild_id)]
        # the oldest decision first, as in the reminder
        for stored in sorted(jobs, key=lambda job: job.state["since"]):
            due_soon = _before(when(stored), now + BATCH_WINDOW)
            # only if it is due soon: a table that is not in memory is replayed from its log
            job, waiting = await self._refresh(stored) if due_soon else (stored, None)
            # the message of the vote has told them already: a reminder of the same turn would be one message more
            if job and waiting and waiting.in_vote:
                await self._jobs.replace(stored, job.at(now + MIN_GAP))
                continue
            later = job and job.at(when(job) or now + DAY)
            if later != stored:
                await self._jobs.replace(stored, later)
            if job and waiting and _before(when(job), now + BATCH_WINDOW):
                soon.append((job, waiting))
        # meanwhile the user may have acted or lost their seat
        still = [(job, waiting) for job, waiting in soon if await self._look(job.match_id, user_id) == waiting]
        return _Agenda(preferences, last, still if any(_before(when(job), now) for job, _ in still) else [])

    async def _refresh(self, stored: Job) -> tuple[Job | None, Waiting | None]:
        """A job by the current position: reset if its decision is a new one, `None` if there is none."""
        waiting = await self._look(stored.match_id, stored.user_id)
        if waiting is None:
            return None, None
        if waiting.version == stored.state["version"]:
            return stored, waiting
        since = time_at(stored.state["since"])
        # the entry before a decision's version is the one that caused it
        caused_at = await self._store.log.written_at(stored.match_id, waiting.version - 1)
        decision = {"version": waiting.version, "since": time_of(max(since, caused_at or since))}
        return stored.at(stored.due_at, **decision, reminded=None, times=0), waiting

    async def _remind(self, user_id: int, agenda: _Agenda) -> None:
        """Send the reminder that `begin` has recorded, as far as its decisions still wait, and record it as sent."""
        last, direct = agenda.last, agenda.preferences.direct
        now = self._clock.now()
        about = {job.key: _mark_last(job, waiting, now) for job, waiting in agenda.soon}
        due = [
            (about[job.key], time_at(job.state["since"]))
            for job, waiting in agenda.soon
            if _about(waiting) in last.sending
        ]
        # only decisions that `begin` has recorded: by a repeated nonce Discord returns the first message unchanged
        # Discord: a nonce has at most 25 characters, and is forgotten within minutes, so four digits are enough
        sent = await self._send(user_id, due, direct, f"r{user_id}-{last.number % 10000}") if due else Sent(())
        matches, now = {waiting.match_id for waiting, _ in sent.about}, self._clock.now()
        messages = _newest(last.messages, matches, sent.message)
        async with self._store.transaction():
            # even if nothing was sent: its decisions are made, and the next reminder needs a nonce of its own
            await self._store.reminded.note(user_id, last.number + 1, now if due else last.at, messages)
            for job, _ in agenda.soon:
                if job.match_id in matches:
                    await self._record(job, now, is_last=about[job.key].is_last)
        for old in {*last.messages.values()} - {*messages.values()}:
            await self._remove(*old)

    async def _record(self, sent: Job, now: datetime, *, is_last: bool) -> None:
        """Record the reminder of a decision, unless the decision was made meanwhile."""
        job = await self._jobs.find(*sent.key)
        if job is None or job.state["version"] != sent.state["version"]:
            return
        if is_last:
            await self._jobs.drop(*job.key)
        else:
            times = job.state.get("times", 0) + 1
            await self._jobs.put(job.at(now + MIN_GAP, reminded=time_of(now), times=times))


def _newest(earlier: Mapping[int, Message], matches: Collection[int], message: Message | None) -> Mapping[int, Message]:
    """The last reminder of each match, the newest last, after a message about some of them."""
    if message is None:
        return earlier
    others = {match_id: other for match_id, other in earlier.items() if match_id not in matches}
    return others | dict.fromkeys(matches, message)


def _mark_last(job: Job, waiting: Waiting, now: datetime) -> Waiting:
    return dataclasses.replace(waiting, is_last=not waiting.is_timed and is_last(job, now))


def _about(waiting: Waiting) -> About:
    return waiting.match_id, waiting.version


def _before(moment: datetime | None, other: datetime) -> bool:
    return moment is not None and moment <= other

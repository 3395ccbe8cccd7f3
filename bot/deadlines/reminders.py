"""Reminders: when one is due, its user is reminded of everything that waits for them now.

Where no clock runs, the reminders of a decision end after a week or more: the last one says so, and the game sleeps.

Stored are the time of the next look and the last reminder. A reminder is noted after it was sent. What it is about is
noted before: one that is sent again after a crash is about the same, with the same nonce, and so the same message.
Once it is noted, earlier reminders are removed, unless one is the last that a game has had.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeAlias

from bot.clock import Clock
from bot.deadlines.reminder_times import DAY, GAP, TOGETHER, is_last, reminder_at
from bot.deadlines.waiting import Waiting
from bot.store.codec import time_at, time_of
from bot.store.jobs import Job, JobKind
from bot.store.reminded import About, LastReminder, Message
from bot.store.store import Store
from bot.tables.preferences import Preferences, preferences_of

Look: TypeAlias = Callable[[int, int], Awaitable[Waiting | None]]
"""What waits at the table of a match for a user."""

Due: TypeAlias = Sequence[tuple[Waiting, datetime]]
"""What waits for somebody, and since when."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What a user was reminded of, and by which message; by none if they cannot be reached."""

    about: Due
    message: Message | None = None


Send: TypeAlias = Callable[[int, Due, bool, str], Awaitable[Sent]]
"""Reminds a user, directly if they like that, with a nonce. Raises `TROUBLE` if Discord does not take it now, and may
later."""

Remove: TypeAlias = Callable[[int, int], Awaitable[None]]
"""Removes a message, if Discord lets us: by its channel and its id."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What a user is reminded of now, by their preferences and the last reminder."""

    preferences: Preferences
    last: LastReminder
    soon: Sequence[tuple[Job, Waiting]]


class Reminders:
    """Reminds people of what waits for them, by the jobs in the store: one for each decision and user."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        look: Look,
        send: Send,
        remove: Remove,
        rests: Callable[[int], bool] = lambda _: False,
    ) -> None:
        """Nothing is said of the games of a server that `rests`, by its id."""
        self._store = store
        self._jobs = store.jobs
        self._clock = clock
        self._look = look
        self._send = send
        self._remove = remove
        self._rests = rests

    async def serve(self, user_id: int) -> None:
        """Remind a user of all that is due, or note when it will be. Raises `TROUBLE` as `Send` does."""
        found, now = await self._soon(user_id), self._clock.now()
        if found.soon and not found.last.is_in_doubt(now):
            await self._store.reminded.begin(user_id, [_about(waiting) for _, waiting in found.soon], now)
            found = await self._soon(user_id)  # they may have acted meanwhile, or have put it off
        if found.soon:
            await self._remind(user_id, found)

    async def _soon(self, user_id: int) -> _Found:
        """What a user is reminded of now: nothing unless something is due, and then all that is due soon."""
        preferences = await preferences_of(self._store.settings, user_id)
        last, now = await self._store.reminded.of(user_id), self._clock.now()
        when = partial(reminder_at, preferences=preferences, last=last, now=now)
        soon: list[tuple[Job, Waiting]] = []
        jobs = [job for job in await self._jobs.of_user(JobKind.REMINDER, user_id) if not self._rests(job.guild_id)]
        # the decision that waits longest first, as the reminder lists them
        for noted in sorted(jobs, key=lambda job: job.state["since"]):
            near = _before(when(noted), now + TOGETHER)
            # only what is due soon is looked at: a table that is not in memory is replayed from its log
            job, waiting = await self._as_it_stands(noted) if near else (noted, None)
            # their time is up, and the vote has told them so: a reminder of the same turn would be one message more
            if job and waiting and waiting.in_vote:
                await self._jobs.replace(noted, job.at(now + GAP))
                continue
            later = job and job.at(when(job) or now + DAY)
            if later != noted:
                await self._jobs.replace(noted, later)
            if job and waiting and _before(when(job), now + TOGETHER):
                soon.append((job, waiting))
        # somebody may have acted since, or have lost their seat
        still = [(job, waiting) for job, waiting in soon if await self._look(job.match_id, user_id) == waiting]
        return _Found(preferences, last, still if any(_before(when(job), now) for job, _ in still) else [])

    async def _as_it_stands(self, noted: Job) -> tuple[Job | None, Waiting | None]:
        """A job by what waits now: it begins anew with another decision, and ends when there is none."""
        waiting = await self._look(noted.match_id, noted.user_id)
        if waiting is None:
            return None, None
        if waiting.version == noted.state["version"]:
            return noted, waiting
        since = time_at(noted.state["since"])
        # the entry before a decision's version is the one that asked for it
        asked = await self._store.log.written_at(noted.match_id, waiting.version - 1)
        begun = {"version": waiting.version, "since": time_of(max(since, asked or since))}
        return noted.at(noted.due_at, **begun, reminded=None, times=0), waiting

    async def _remind(self, user_id: int, found: _Found) -> None:
        """Send the reminder that has begun to be sent, of what still waits of it, and note it."""
        last, direct = found.last, found.preferences.direct
        now = self._clock.now()
        about = {job.key: _last_marked(job, waiting, now) for job, waiting in found.soon}
        due = [
            (about[job.key], time_at(job.state["since"]))
            for job, waiting in found.soon
            if _about(waiting) in last.sending
        ]
        # only what `begin` has noted: Discord takes a repeated nonce for the same message, whatever it says
        # Discord: a nonce has at most 25 characters, and is forgotten within minutes, so four digits are enough
        sent = await self._send(user_id, due, direct, f"r{user_id}-{last.number % 10000}") if due else Sent(())
        matches, now = {waiting.match_id for waiting, _ in sent.about}, self._clock.now()
        messages = _newest(last.messages, matches, sent.message)
        async with self._store.transaction():
            # even if nothing was sent: what it was about is over, and the next one needs a nonce of its own
            await self._store.reminded.note(user_id, last.number + 1, now if due else last.at, messages)
            for job, _ in found.soon:
                if job.match_id in matches:
                    await self._note(job, now, is_last=about[job.key].is_last)
        for old in {*last.messages.values()} - {*messages.values()}:
            await self._remove(*old)

    async def _note(self, sent: Job, now: datetime, *, is_last: bool) -> None:
        """Note that a user was reminded of a decision; one that is gone in the meantime stays gone."""
        job = await self._jobs.find(*sent.key)
        if job is None or job.state["version"] != sent.state["version"]:
            return
        if is_last:
            await self._jobs.drop(*job.key)
        else:
            times = job.state.get("times", 0) + 1
            await self._jobs.put(job.at(now + GAP, reminded=time_of(now), times=times))


def _newest(known: Mapping[int, Message], matches: Collection[int], message: Message | None) -> Mapping[int, Message]:
    """The last reminder of each match, the newest last, after a message about some of them."""
    if message is None:
        return known
    others = {match_id: other for match_id, other in known.items() if match_id not in matches}
    return others | dict.fromkeys(matches, message)


def _last_marked(job: Job, waiting: Waiting, now: datetime) -> Waiting:
    return dataclasses.replace(waiting, is_last=not waiting.is_timed and is_last(job, now))


def _about(waiting: Waiting) -> About:
    return waiting.match_id, waiting.version


def _before(moment: datetime | None, other: datetime) -> bool:
    return moment is not None and moment <= other

"""The pauses after failed attempts at a job; new due times of the job cannot shorten them.

A pause has a subject, by default the key of a job (see `bot.worker.Work`). Pauses are kept in memory, but the attempts
are stored with the job, so a restart does not shorten the next pause.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.interactions.refusals import Verdict
from bot.store.jobs import Key
from engine.values import Value

SOON, EARLY_GAP, REPEATED_EARLY_GAP = timedelta(seconds=0.5), timedelta(seconds=5), timedelta(seconds=150)
"""Until an early attempt; the minimum between two attempts, and between two early ones that users or servers cause."""

LATER_GAP = timedelta(minutes=20)
"""The minimum between a failure and an early attempt at a request that discord.py has repeated itself."""


class Backoff(Value):
    """The pauses in seconds: the first one, the factor for the next, and the longest."""

    first: float
    factor: float
    longest: float

    def after(self, failed: int) -> timedelta:
        """The pause after a failure, with this number of failed attempts before it."""
        # at most 16: a job may fail forever, and a float would overflow
        return timedelta(seconds=min(self.first * self.factor ** min(failed, 16), self.longest))

    def after_early(self, failed: int, until: datetime, now: datetime) -> datetime:
        """The end of the pause after an early attempt: the rest of the pause `until` is added to the next one."""
        return min(until, now + timedelta(seconds=self.longest)) + self.after(failed)


_MINUTES, _HOUR = Backoff(5, 4, 320), Backoff(5, 4, 3600)

BACKOFFS: Mapping[Verdict, Backoff] = {
    Verdict.SOON: _MINUTES,
    # an attempt is five requests, and there are at most six in an hour
    Verdict.LATER: Backoff(10, 5, 1800),
    Verdict.PERMISSIONS: _HOUR,
    Verdict.SUSPICION: _HOUR,
    Verdict.GIVE_UP: _HOUR,
    Verdict.UNKNOWN: _HOUR,
}
"""With early attempts among them, no job makes more than 30 requests in an hour while Discord refuses them."""


@dataclass(slots=True)
class Pause:
    """The pause of a job after `attempts` failures in a row, the last one at `failed_at`; `early` is an earlier end."""

    key: Key
    guild_id: int
    verdict: Verdict
    attempts: int
    failed_at: datetime
    until: datetime
    was_early: bool
    early: datetime | None = None

    @property
    def end(self) -> datetime:
        """The time from which the job may be retried."""
        return self.until if self.early is None else min(self.early, self.until)

    @property
    def outside_gap(self) -> timedelta:
        """The minimum between the failure and an early attempt that a user or a changed server causes."""
        if self.verdict is Verdict.LATER:
            return LATER_GAP
        return REPEATED_EARLY_GAP if self.was_early else timedelta()

    def end_early(self, now: datetime, gap: timedelta) -> None:
        """Allow an attempt soon, but not earlier than `gap` after the last one."""
        self.early = max(now + SOON, self.failed_at + gap)


class Pauses:
    """The pauses of all jobs that failed at their last attempt, by subject."""

    def __init__(self) -> None:
        self._pauses: dict[Hashable, Pause] = {}

    def __len__(self) -> int:
        return len(self._pauses)

    def begin(
        self, subject: Hashable, key: Key, guild_id: int, verdict: Verdict, *, attempts: int, now: datetime
    ) -> Pause:
        """Begin the pause after a failed attempt; `attempts` is the stored number of failures before it."""
        before = self._pauses.get(subject)
        failed = max(attempts, before.attempts if before else 0)
        was_early = before is not None and now < before.until
        backoff = BACKOFFS[verdict]
        if was_early and before is not None and verdict is Verdict.SOON:
            until = backoff.after_early(failed, before.until, now)
        else:
            until = now + backoff.after(failed)
        pause = self._pauses[subject] = Pause(key, guild_id, verdict, failed + 1, now, until, was_early)
        return pause

    def clear(self, subject: Hashable) -> None:
        """Forget a pause, after a successful attempt or the end of the job."""
        self._pauses.pop(subject, None)

    def is_paused(self, subject: Hashable, now: datetime) -> bool:
        """Whether a job must not be tried now."""
        # a failure in the future: the clock of the machine was set back
        pause = self._pauses.get(subject)
        return pause is not None and pause.failed_at <= now < pause.end

    def may_be_early(self, subject: Hashable, due_at: datetime, now: datetime) -> bool:
        """Whether a job may run before it is due, since its due time is the regular end of a pause that ended early."""
        pause = self._pauses.get(subject)
        return pause is not None and pause.end <= now and due_at <= pause.until

    def early(self, now: datetime) -> dict[Key, Hashable]:
        """The keys of the jobs whose pause has ended early by now, each with its subject."""
        return {
            pause.key: subject
            for subject, pause in self._pauses.items()
            if pause.early is not None and pause.early <= now < pause.until
        }

    def forget_ended(self, due: Collection[Hashable], now: datetime) -> None:
        """Forget finished pauses, except those of `due` jobs, which may fail again."""
        self._pauses = {
            subject: pause
            for subject, pause in self._pauses.items()
            if pause.failed_at <= now < pause.until or subject in due
        }

    def next_end(self, now: datetime) -> datetime | None:
        """The end of the next pause."""
        return min((pause.end for pause in self._pauses.values() if pause.end > now), default=None)

    def end_after_outage(self, now: datetime) -> bool:
        """End early the pauses of jobs that failed in an outage, each once until it fails at the end of a whole pause.

        Returns whether this has ended one.
        """
        gaps = {Verdict.SOON: EARLY_GAP, Verdict.LATER: LATER_GAP}
        fresh = [
            pause
            for pause in self._pauses.values()
            if pause.verdict in gaps and pause.early is None and not pause.was_early
        ]
        for pause in fresh:
            pause.end_early(now, gaps[pause.verdict])
        return bool(fresh)

    def end_in_server(self, guild_id: int, now: datetime) -> bool:
        """End early the pauses of jobs in a server whose permissions, channels or threads have changed.

        Returns whether this has ended one.
        """
        fresh = [pause for pause in self._pauses.values() if pause.guild_id == guild_id and pause.early is None]
        for pause in fresh:
            pause.end_early(now, pause.outside_gap)
        return bool(fresh)

    def end_for_user(self, subject: Hashable, now: datetime) -> bool:
        """End early the pause of a job that a user has made due. Returns whether this has ended it."""
        pause = self._pauses.get(subject)
        if pause is None or pause.early is not None:
            return False
        pause.end_early(now, pause.outside_gap)
        return True

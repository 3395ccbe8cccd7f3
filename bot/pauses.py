"""The pauses after failed attempts at a job: what a kind of job writes cannot shorten them.

A pause is about a subject, which is mostly the key of a job (see `bot.worker.Work`). It lives in memory; the attempts
are stored with the job, so that after a restart the next pause is as long as it would have been.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.interactions.refusals import Verdict
from bot.store.jobs import Key

SOON, EARLY_GAP, REPEATED_EARLY_GAP = timedelta(seconds=0.5), timedelta(seconds=5), timedelta(seconds=150)
"""Until an early attempt; the least time between two attempts, and between two early ones for causes from outside."""

LATER_GAP = timedelta(minutes=20)
"""The least time between a failure and an early attempt at a request that discord.py has repeated itself."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """The pauses in seconds: the first one, the factor for the next, and the longest."""

    first: float
    factor: float
    longest: float

    def after(self, failed: int) -> timedelta:
        """The pause when this number of attempts failed before."""
        # at most 16: a job may fail forever, and a float has an end
        return timedelta(seconds=min(self.first * self.factor ** min(failed, 16), self.longest))

    def after_early(self, failed: int, until: datetime, now: datetime) -> datetime:
        """The end of the pause after an early attempt: what that one has cut off from the pause `until` is added."""
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
    """The pause of a job after `attempts` that failed in a row, the last one at `failed_at`; `early` may end it."""

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
        """When the job may be tried again."""
        return self.until if self.early is None else min(self.early, self.until)

    @property
    def outside_gap(self) -> timedelta:
        """The least time from the failure to an early attempt for a cause from outside: a user, or a changed server."""
        if self.verdict is Verdict.LATER:
            return LATER_GAP
        return REPEATED_EARLY_GAP if self.was_early else timedelta()

    def end_early(self, now: datetime, gap: timedelta) -> None:
        """Allow an attempt soon, but not before a time since the last one has passed."""
        if self.early is None:
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
        """Note that an attempt failed; by the store, this number of attempts failed before it."""
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
        """An attempt succeeded, or the job is gone."""
        self._pauses.pop(subject, None)

    def holds(self, subject: Hashable, now: datetime) -> bool:
        """Whether a job must not be tried now."""
        # a failure in the future: the clock of the machine was set back
        pause = self._pauses.get(subject)
        return pause is not None and pause.failed_at <= now < pause.end

    def may_be_early(self, subject: Hashable, due_at: datetime, now: datetime) -> bool:
        """Whether a job may be tried before it is due: it is due at the end of a pause that has ended early."""
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
        """Forget the pauses that are over, except for jobs that are `due` now: these may fail again."""
        self._pauses = {
            subject: pause
            for subject, pause in self._pauses.items()
            if pause.failed_at <= now < pause.until or subject in due
        }

    def next_end(self, now: datetime) -> datetime | None:
        """When the next of the pauses ends."""
        return min((pause.end for pause in self._pauses.values() if pause.end > now), default=None)

    def discord_works(self, now: datetime) -> bool:
        """A request succeeded: let the attempts that failed in an outage be made early, each once until it fails at
        the end of a whole pause. Returns whether one of them is new.
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

    def server_changed(self, guild_id: int, now: datetime) -> bool:
        """The permissions, channels or threads of a server changed: let all that failed there be tried early. Returns
        whether one of them is new.
        """
        fresh = [pause for pause in self._pauses.values() if pause.guild_id == guild_id and pause.early is None]
        for pause in fresh:
            pause.end_early(now, pause.outside_gap)
        return bool(fresh)

    def user_waits(self, subject: Hashable, now: datetime) -> bool:
        """A user made a job due: let it be tried early if it pauses. Returns whether that is new."""
        pause = self._pauses.get(subject)
        if pause is None or pause.early is not None:
            return False
        pause.end_early(now, pause.outside_gap)
        return True

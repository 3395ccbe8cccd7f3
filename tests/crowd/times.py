"""Simulated time: real time, the machine's clock, and the hours of the bot's process."""

from __future__ import annotations

import heapq
import itertools
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.clock import Clock

SHORT = timedelta(minutes=40)
"""Up to this long, downtime of the bot may count as uptime."""


@dataclass
class Time:
    """The current real time; `shift` is the error of the machine's clock."""

    now: datetime
    shift: timedelta = timedelta()
    shifts: list[tuple[datetime, timedelta]] = field(default_factory=list)
    absences: list[tuple[datetime, datetime]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.shifts.append((self.now, self.shift))

    @property
    def shown(self) -> datetime:
        """The time on the machine's clock."""
        return self.now + self.shift

    def set_clock(self, shift: timedelta) -> None:
        """Set the machine's clock."""
        self.now += timedelta(microseconds=1)  # so that the last event keeps its time on the old clock
        self.shift = shift
        self.shifts.append((self.now, shift))

    def shown_at(self, moment: datetime) -> datetime:
        """The time on the machine's clock at an earlier moment."""
        place = bisect_right(self.shifts, moment, key=lambda row: row[0]) - 1
        return moment + self.shifts[max(place, 0)][1]

    def add_absence(self, begin: datetime, end: datetime) -> None:
        """Record downtime of the bot; it cuts short an earlier absence that was planned to last longer."""
        if self.absences and self.absences[-1][1] > begin:
            earlier, _ = self.absences.pop()
            self.absences.append((earlier, begin))
        self.absences.append((begin, end))

    def was_gone(self, begin: datetime, end: datetime) -> timedelta:
        """The bot's downtime between two moments, not counting short absences."""
        gone = [min(end, back) - max(begin, start) for start, back in self.absences if back - start > SHORT]
        return sum((max(time, timedelta()) for time in gone), timedelta())

    def is_gone(self, moment: datetime) -> bool:
        """Whether the bot was down at a moment, for more than a short absence."""
        return any(begin <= moment < back for begin, back in self.absences if back - begin > SHORT)


class _Alarm:
    """A callback that runs later."""

    def __init__(self, do: Callable[[], None]) -> None:
        self.do = do
        self.canceled = False

    def cancel(self) -> None:
        self.canceled = True


class Wheel(Clock):
    """The clock of one process; its alarms end with the process."""

    def __init__(self, time: Time) -> None:
        self.time = time
        self._alarms: list[tuple[datetime, int, _Alarm]] = []
        self._numbers = itertools.count()

    def now(self) -> datetime:
        return self.time.shown

    def later(self, seconds: float, do: Callable[[], None]) -> _Alarm:
        alarm = _Alarm(do)
        heapq.heappush(self._alarms, (self.time.now + timedelta(seconds=seconds), next(self._numbers), alarm))
        return alarm

    @property
    def next(self) -> datetime | None:
        """Time of the next alarm; `None` without any."""
        while self._alarms and self._alarms[0][2].canceled:
            heapq.heappop(self._alarms)
        return self._alarms[0][0] if self._alarms else None

    def ring(self) -> None:
        """Run the due timers."""
        while (at := self.next) is not None and at <= self.time.now:
            heapq.heappop(self._alarms)[2].do()

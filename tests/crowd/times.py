"""Simulated time: the hours that really pass, the clock of the machine, and when the bot's process was there."""

from __future__ import annotations

import heapq
import itertools
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.clock import Clock

SHORT = timedelta(minutes=40)
"""An absence of the bot that may count as if it had been there."""


@dataclass
class Time:
    """What time it is; `shift` is what the clock of the machine shows beyond that."""

    now: datetime
    shift: timedelta = timedelta()
    shifts: list[tuple[datetime, timedelta]] = field(default_factory=list)
    absences: list[tuple[datetime, datetime]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.shifts.append((self.now, self.shift))

    @property
    def shown(self) -> datetime:
        """What the clock of the machine shows."""
        return self.now + self.shift

    def set_clock(self, shift: timedelta) -> None:
        """Somebody sets the clock of the machine."""
        self.now += timedelta(microseconds=1)  # so that the last event was at the clock as it was
        self.shift = shift
        self.shifts.append((self.now, shift))

    def shown_at(self, moment: datetime) -> datetime:
        """What it showed at an earlier moment."""
        place = bisect_right(self.shifts, moment, key=lambda row: row[0]) - 1
        return moment + self.shifts[max(place, 0)][1]

    def is_absent(self, left: datetime, back: datetime) -> None:
        """The bot is gone until a time, perhaps another one than was meant when it left."""
        if self.absences and self.absences[-1][1] > left:
            begun, _ = self.absences.pop()
            self.absences.append((begun, left))
        self.absences.append((left, back))

    def was_gone(self, begin: datetime, end: datetime) -> timedelta:
        """How long the bot was not there between two moments, short absences left aside."""
        gone = [min(end, back) - max(begin, results) for results, back in self.absences if back - results > SHORT]
        return sum((max(time, timedelta()) for time in gone), timedelta())

    def is_gone(self, moment: datetime) -> bool:
        """Whether the bot was not there at a moment, and not for a short while only."""
        return any(begin <= moment < back for begin, back in self.absences if back - begin > SHORT)


class _Alarm:
    """Something that is done later."""

    def __init__(self, do: Callable[[], None]) -> None:
        self.do = do
        self.canceled = False

    def cancel(self) -> None:
        self.canceled = True


class Wheel(Clock):
    """The clock of one process; with it, its alarms are gone."""

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
        """When the next alarm goes off."""
        while self._alarms and self._alarms[0][2].canceled:
            heapq.heappop(self._alarms)
        return self._alarms[0][0] if self._alarms else None

    def ring(self) -> None:
        """Run the due timers."""
        while (at := self.next) is not None and at <= self.time.now:
            heapq.heappop(self._alarms)[2].do()

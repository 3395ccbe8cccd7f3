"""A clock that tests set."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from bot import worker
from bot.clock import Clock

NAP = 20.0


@dataclass
class FakeClock:
    """A clock that tests set, and that goes on by itself."""

    ahead: timedelta = timedelta()

    @property
    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def show(self, hour: int) -> None:
        """Go on to the next time it is this hour, in UTC."""
        there = self.now.replace(hour=hour, minute=5)
        self.ahead += (there if there > self.now else there + timedelta(1)) - self.now


def use_fake_clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    """A clock by which the bot goes; its worker looks often."""
    fake_clock = FakeClock()
    monkeypatch.setattr(Clock, "now", lambda _: fake_clock.now)
    monkeypatch.setattr(worker, "MAX_SLEEP", NAP)
    return fake_clock

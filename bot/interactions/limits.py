"""Limits for slow requests and for posts: one at a time for each user, and a few within some time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from bot.clock import Clock
from bot.errors import UserError
from bot.interactions.parts import stamp
from engine.texts import Text
from engine.values import Value

WINDOW, DAY = timedelta(minutes=10), timedelta(days=1)

# animations are made one after another: without a limit, one user could hold up all others
MAX_REPLAYS, MAX_EXPORTS, MAX_SHARES, MAX_FILES, MAX_RETRIES = 10, 10, 3, 10, 30
"""Replays, exports, *Show to everyone*, games from files and *Try it yourself* for each user within `WINDOW`."""

MAX_MY_DATA, MAX_FORGETTING = 3, 3
"""Files with all data, and *Forget me*, for each user within a `DAY`."""

RUNNING_TEXT = Text("I’m still working on your last request. Ask again once you have it.")

TEN_MINUTES_TEXT = "That’s {most} of these in ten minutes. You can have another {again}."
A_DAY_TEXT = "That’s {most} of these within a day. You can have another {again}."


class Limit:
    """A limit for each user: one request at a time, and at most `most` within a `window`."""

    def __init__(self, clock: Clock, most: int, window: timedelta = WINDOW) -> None:
        self._clock = clock
        self._most = most
        self._window = window
        self._running: set[int] = set()
        self._starts: dict[int, list[datetime]] = {}  # by user

    @contextmanager
    def one(self, user_id: int) -> Iterator[None]:
        """Count a request of a user, which runs within the block; one that ends with a `UserError` does not count.

        Raises:
            UserError: another request is running, or there were too many. The text has the time of the next one.
        """
        now = self._clock.now()
        self._require(user_id, now)
        self._running.add(user_id)
        starts = self._starts.setdefault(user_id, [])
        # counted at its start, so that running requests count, too
        starts.append(now)
        try:
            yield
        except UserError:
            del starts[-1:]  # its own start, unless it is forgotten by now
            raise
        finally:
            self._running.discard(user_id)

    def _require(self, user_id: int, now: datetime) -> None:
        if user_id in self._running:
            raise UserError(RUNNING_TEXT)
        # also drops users without recent requests; a list, since the loop deletes entries
        for user, times in list(self._starts.items()):
            # a time in the future is from before the clock of the machine was set back
            times[:] = [at for at in times if now - self._window < at <= now]
            if not times:
                del self._starts[user]
        starts = self._starts.get(user_id, [])
        if len(starts) >= self._most:
            template = A_DAY_TEXT if self._window == DAY else TEN_MINUTES_TEXT
            raise UserError(Text(template, most=self._most, again=stamp(starts[0] + self._window, "R")))


class Limits(Value):
    """The limits of all limited requests."""

    replays: Limit
    exports: Limit
    shares: Limit
    files: Limit
    retries: Limit
    my_data: Limit
    forgetting: Limit

    @classmethod
    def by(cls, clock: Clock) -> Limits:
        """New limits by a clock."""
        return cls(
            Limit(clock, MAX_REPLAYS),
            Limit(clock, MAX_EXPORTS),
            Limit(clock, MAX_SHARES),
            Limit(clock, MAX_FILES),
            Limit(clock, MAX_RETRIES),
            Limit(clock, MAX_MY_DATA, DAY),
            Limit(clock, MAX_FORGETTING, DAY),
        )

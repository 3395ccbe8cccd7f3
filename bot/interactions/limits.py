"""Limits for work that takes long or fills a channel: each user has one request at a time, and some in a while."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.clock import Clock
from bot.errors import UserError
from bot.interactions.parts import stamp
from engine.texts import Text

WINDOW, DAY = timedelta(minutes=10), timedelta(days=1)

# animations of all tables are made one after the other: without a limit, one person could hold up everyone
REPLAYS, EXPORTS, SHARES, FILES = 10, 10, 3, 10
"""How many replays, exports, *Show to all* and games from files a user may have within `WINDOW`."""

MY_DATA, FORGETTING = 3, 3
"""How often a user may have a file of all their data, and be forgotten, within a `DAY`."""

RUNNING = Text("I’m still working on your last request. Ask again once you have it.")

TEN_MINUTES = "That’s {most} of these in ten minutes. You can have another {again}."
A_DAY = "You have had {most} of these within a day. You can have another {again}."


class Limit:
    """A limit for each user: one request at a time, and at most `most` within a `window`."""

    def __init__(self, clock: Clock, most: int, window: timedelta = WINDOW) -> None:
        self._clock = clock
        self._most = most
        self._window = window
        self._running: set[int] = set()
        self._begun: dict[int, list[datetime]] = {}  # by user

    @contextmanager
    def one(self, user_id: int) -> Iterator[None]:
        """While one request of a user is carried out; one that ends in `UserError` does not count.

        Raises:
            UserError: another one is being carried out, or there were too many. It says when to try again.
        """
        now = self._clock.now()
        self._require(user_id, now)
        self._running.add(user_id)
        begun = self._begun.setdefault(user_id, [])
        # counted when it begins: requests under way must not slip through
        begun.append(now)
        try:
            yield
        except UserError:
            del begun[-1:]  # that of this one, unless it is forgotten by now
            raise
        finally:
            self._running.discard(user_id)

    def _require(self, user_id: int, now: datetime) -> None:
        if user_id in self._running:
            raise UserError(RUNNING)
        # users of whom nothing is left are forgotten, too; a list, since they are taken out on the way
        for user, times in list(self._begun.items()):
            # a time in the future was noted before the clock of the machine was set back
            times[:] = [at for at in times if now - self._window < at <= now]
            if not times:
                del self._begun[user]
        begun = self._begun.get(user_id, [])
        if len(begun) >= self._most:
            template = A_DAY if self._window == DAY else TEN_MINUTES
            raise UserError(Text(template, most=self._most, again=stamp(begun[0] + self._window, "R")))


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of what people may ask for."""

    replays: Limit
    exports: Limit
    shares: Limit
    files: Limit
    my_data: Limit
    forgetting: Limit

    @classmethod
    def by(cls, clock: Clock) -> Limits:
        """New ones, by a clock."""
        return cls(
            Limit(clock, REPLAYS),
            Limit(clock, EXPORTS),
            Limit(clock, SHARES),
            Limit(clock, FILES),
            Limit(clock, MY_DATA, DAY),
            Limit(clock, FORGETTING, DAY),
        )

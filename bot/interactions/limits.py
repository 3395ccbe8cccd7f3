"""How often users may ask for what takes long to make or fills a channel: one at a time, and some in ten minutes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.clock import Clock
from bot.errors import UserError
from bot.interactions.parts import stamp
from engine.texts import Text

WINDOW = timedelta(minutes=10)

# animations of all tables are made one after the other: without a limit, one person could hold up everyone
REPLAYS, EXPORTS, SHARES = 10, 10, 3
"""How many replays, exports and *Show to all* a user may have within `WINDOW`."""

RUNNING = Text("I am still working on the last one for you. Ask again once you have it.")


class Limit:
    """A limit for each user: one request at a time, and at most `most` within `WINDOW`."""

    def __init__(self, clock: Clock, most: int) -> None:
        self._clock = clock
        self._most = most
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
        for known, times in list(self._begun.items()):
            # a time in the future was noted before the clock of the machine was set back
            times[:] = [at for at in times if now - WINDOW < at <= now]
            if not times:
                del self._begun[known]
        begun = self._begun.get(user_id, [])
        if len(begun) >= self._most:
            template = "You have had {most} of these within ten minutes. You can have another {again}."
            raise UserError(Text(template, most=self._most, again=stamp(begun[0] + WINDOW, "R")))


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of what people may ask for."""

    replays: Limit
    exports: Limit
    shares: Limit

    @classmethod
    def by(cls, clock: Clock) -> Limits:
        """New ones, by a clock."""
        return cls(Limit(clock, REPLAYS), Limit(clock, EXPORTS), Limit(clock, SHARES))

"""The bot's process in simulated time: starts, due jobs, kills at any point, and restarts.

Subclasses add people and promises.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from bot import worker
from bot.computers.thinkers import workers_of
from bot.errors import DISCORD_ERRORS, UserError
from bot.features.deadlines.board_clocks import BoardClocks
from bot.features.deadlines.heartbeat import Heartbeat
from bot.features.services import Services
from bot.interactions.servers import Servers
from bot.jobs.kinds import all_work
from bot.posting.pictures import Drawn, Pictures
from bot.store.codec import time_of
from bot.store.database import Row
from bot.store.jobs import JobKind, Jobs, Key
from bot.store.settings import Settings
from bot.store.store import Store
from engine.errors import EngineError
from engine.games import discover
from tests.crowd.database import InMemory
from tests.crowd.discord import GUILD, FakeChannels, FakeDiscord, Killed, Process, Sent
from tests.crowd.promises import Breach, Promises
from tests.crowd.rows import Look, LookAtFile
from tests.crowd.times import Time, Wheel
from tests.engine.toys import TOYS

KILL_RATE = 0.001
"""The chance of a kill at anything the bot writes or sends."""

NAP = 86400.0
"""Seconds that the bot sleeps at most; every act wakes it."""

MOMENT = timedelta(milliseconds=1)
"""The delay until the worker sees a due job."""

MAX_PAUSE = timedelta(hours=1)
"""The longest pause of a job that failed (docs/jobs.md)."""

LOOKS = 200
"""The most checks for due jobs that one moment can need."""

_tasks: set[asyncio.Task[Any]] = set()
"""The pending tasks of the simulation: `asyncio.all_tasks` also looks through the tasks of all earlier tests."""


class _Blank(Pictures):
    """Empty pictures, since no one sees them."""

    def __init__(self) -> None:
        super().__init__()

    async def draw(self, *_: Any, **__: Any) -> Drawn:
        return Drawn(b"", "a.png", "a board")

    async def draw_card(self, card: Any, name: str, alt: str, *, contrast: bool) -> Drawn:
        return Drawn(b"", f"{name}.png", alt)


class _Killable(InMemory):
    """The database of a process that may end before or after each transaction."""

    def __init__(self, database: InMemory, process: Process) -> None:
        super().__init__(database.connection)
        self._turn = database._turn  # transactions of the previous process end first
        self._process = process

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        if self._owner is asyncio.current_task():
            yield
            return
        self._process.maybe_kill()
        async with super().transaction():
            yield
        self._process.maybe_kill()

    async def fetch(self, sql: str, *parameters: Any) -> list[Row]:
        self._process.go_on()
        return await super().fetch(sql, *parameters)


class _Looked(Settings):
    """Settings in which the last check of the clocks is always a moment ago while the bot is up.

    The real bot checks every few minutes. Simulating checks without due jobs would make a week a hundred times slower.
    """

    simulation: Simulation

    async def get(self, scope: str, scope_id: int, name: str) -> Any:
        if (scope, name) == ("bot", "clocks"):
            return self.simulation.looked.isoformat()
        return await super().get(scope, scope_id, name)

    async def put(self, scope: str, scope_id: int, name: str, value: Any) -> None:
        await super().put(scope, scope_id, name, value)
        if (scope, name) == ("bot", "clocks"):
            self.simulation.looked = datetime.fromisoformat(value)


class Bot:
    """One process of the bot, from its start to its end."""

    def __init__(self, database: InMemory, simulation: Simulation, kill_rate: float) -> None:
        time = simulation.time
        self.process = Process(simulation.random, kill_rate)
        self.wheel = Wheel(time)
        killable = _Killable(database, self.process)
        store = Store(killable)
        store.settings = settings = _Looked(killable)
        settings.simulation = simulation
        self.looks_at: datetime | None = None
        channels = FakeChannels(simulation.post, self.process, self._discord_works)
        nobody: Any = SimpleNamespace(get_channel=lambda _: None, get_guild=lambda _: None)
        self.services = Services.of(
            channels,
            _Blank(),
            Servers(nobody, store),
            store,
            self.wheel,
            Path(),
            clocks=BoardClocks(store).changed_clocks,
            workers=workers_of("processes:1"),
            computer="uniform",
            stories=False,
            help_url="",
        )

    def _discord_works(self) -> None:
        self.services.worker.retry_after_outage()

    async def start(self) -> None:
        """Start the worker as the client does; the simulation decides when it checks for due jobs."""
        # Discord's own clock is right
        heartbeat = Heartbeat(self.services, lambda: self.wheel.time.shift)
        await self.services.worker.start(all_work(self.services), heartbeat.check)
        assert self.services.worker._checking is not None, "it has just begun"
        self.services.worker._checking.cancel()

    async def do_what_is_due(self) -> None:
        """Run due jobs as the worker does, until nothing wakes it."""
        jobs = self.services.store.jobs
        for _ in range(LOOKS):
            jobs.asleep_until = None
            jobs.wake.clear()
            nap = timedelta(seconds=await self.services.worker.start_due_jobs())
            jobs.asleep_until, self.looks_at = self.wheel.now() + nap, self.wheel.time.now + nap + MOMENT
            while lanes := self.services.worker._lanes:
                await asyncio.wait(list(lanes.values()))
            if not self.is_awake:
                return
        raise Breach(f"{self.wheel.time.now:%Y-%m-%d %H:%M}: the worker finds no rest")

    @property
    def is_awake(self) -> bool:
        """Whether more jobs may be due at this moment."""
        return self.services.store.jobs.wake.is_set()

    def close(self) -> None:
        """End the threads of the process."""
        self.services.pictures.close()


@dataclass
class Simulation:
    """A bot that serves people. It starts again at `back_at`, and was last up at `looked`.

    `pauses` are possible seconds between a kill and the next start.
    """

    database: InMemory
    random: Random
    time: Time
    post: FakeDiscord = field(init=False)
    bot: Bot | None = None
    back_at: datetime | None = None
    open_again: dict[int, datetime] = field(default_factory=dict)
    troubled_until: datetime | None = None
    interactions: Any = field(default_factory=lambda: itertools.count(1))
    counts: Counter[str] = field(default_factory=Counter)
    promises: Promises = field(init=False)
    rows: Look = field(init=False)
    looked: datetime = field(init=False)
    kill_rate: float = KILL_RATE
    pauses: tuple[int, ...] = (5, 30, 120)

    def __post_init__(self) -> None:
        self.looked, self.post = self.time.shown, FakeDiscord(self.time, self.random, self.delivered)
        cursor = self.database.connection.cursor()
        cursor.row_factory = None
        self.rows = LookAtFile(cursor)
        self.promises = Promises(lambda: f"{self.time.now:%Y-%m-%d %H:%M}: ")

    @property
    def services(self) -> Services:
        """The services of the bot, which runs at this moment."""
        assert self.bot is not None, "people use the bot only while it is up"
        return self.bot.services

    # --- for the simulation to override ---

    def delivered(self, sent: Sent) -> None:
        """Called when Discord has taken a message that is not a repeated one."""

    def moments(self) -> list[datetime]:
        """The times of the next events."""
        own = [self.back_at, self.troubled_until, *self.open_again.values()]
        own += (self.bot.wheel.next, self.bot.looks_at) if self.bot else ()
        return [at for at in own if at is not None]

    def opened(self, channel_id: int) -> None:
        """Called when the bot can write to a channel again."""

    def passed(self, time: timedelta) -> None:
        """Called after time has passed."""

    async def happen(self) -> None:
        """Process all events of this moment."""

    async def judge(self) -> None:
        """Check the promises that hold after each moment."""

    # --- how time goes by ---

    async def until(self, end: datetime) -> None:
        """Process all events up to a time."""
        while self.time.now < end:
            await self.step(end)

    async def step(self, end: datetime) -> None:
        """Process the next event, or move to `end` if that is earlier."""
        before, self.time.now = self.time.now, max(self.time.now, min([end, *self.moments()]))
        self.passed(self.time.now - before)
        if self.bot is not None:
            self.looked = self.time.shown
        await self.happen()
        await self.look_if_awake()
        await self.require_done()
        await self.judge()
        self.promises.raise_breaches()

    async def look_when_due(self) -> None:
        """Let the bot check for due jobs if its next check is due."""
        if self.bot is not None and self.bot.looks_at is not None and self.bot.looks_at <= self.time.now:
            await self.look()

    async def come_back(self) -> None:
        """Start the bot if it is time."""
        if self.back_at is not None and self.back_at <= self.time.now:
            self.back_at = None
            await self.start_bot()

    async def ring(self) -> None:
        """Run the due timers of the bot."""
        if self.bot is not None:
            self.bot.wheel.ring()
            await self.quiet()

    # --- trouble ---

    def close(self, channel_id: int, time: timedelta) -> None:
        """Close a channel to the bot for a while."""
        self.post.closed_channels.add(channel_id)
        self.open_again[channel_id] = self.time.now + time
        self.counts["channels closed"] += 1

    def be_down(self, time: timedelta) -> None:
        """Begin an outage: Discord answers no requests."""
        self.post.down, self.troubled_until = True, self.time.now + time
        self.counts["outages"] += 1

    def end_trouble(self) -> None:
        """End outages and closures whose time is over."""
        if self.troubled_until is not None and self.troubled_until <= self.time.now:
            self.troubled_until, self.post.down = None, False
        for channel_id in [channel_id for channel_id, at in self.open_again.items() if at <= self.time.now]:
            del self.open_again[channel_id]
            self.post.closed_channels.discard(channel_id)
            self.opened(channel_id)
            if self.bot is not None:
                self.services.worker.retry_in_server(GUILD)

    def end_all_trouble(self) -> None:
        """End all outages and closures."""
        self.open_again, self.troubled_until, self.post.down = {}, None, False
        self.post.closed_channels.clear()

    # --- the bot comes and goes ---

    async def start_bot(self, kill_rate: float | None = None) -> None:
        """Start the bot, and let it run its due jobs."""
        self.bot = Bot(self.database, self, self.kill_rate if kill_rate is None else kill_rate)
        await self.carried(self.bot.start())
        await self.look()

    async def leave(self, absence: timedelta) -> None:
        """End the process of the bot, and schedule its next start."""
        if self.bot is not None:
            self.bot.process.has_ended = True
            await self.all_done()
            self.bot.close()
            self.bot = None
        self.back_at = self.time.now + absence
        self.time.add_absence(self.time.now, self.back_at)

    async def carried(self, work: Awaitable[Any]) -> bool:
        """Do something with the bot. False if it is refused, or if the bot is killed meanwhile."""
        done = False
        with suppress(UserError, EngineError, *DISCORD_ERRORS):
            try:
                await work
                done = True
            except Killed:
                pass
        await self.quiet()
        return done

    async def quiet(self) -> None:
        """Wait for all pending work; schedule the next start if the bot was killed."""
        await self.all_done()
        if self.bot is not None and self.bot.process.has_ended:
            self.counts["kills"] += 1
            await self.leave(timedelta(seconds=self.random.choice(self.pauses)))

    async def all_done(self) -> None:
        """Wait for all tasks but this one. Raises `Breach` if they are stuck."""
        while tasks := _tasks - {asyncio.current_task()}:
            done, _ = await asyncio.wait(tasks, timeout=20)
            if not done:
                raise Breach(f"stuck: {tasks}")
            for task in done:
                error = None if task.cancelled() else task.exception()
                if error is not None and not isinstance(error, Killed):
                    raise error

    # --- due jobs ---

    async def look_if_awake(self) -> None:
        """Run due jobs if an act has woken the worker."""
        if self.bot is not None and self.bot.is_awake:
            await self.look()

    async def look(self) -> None:
        """Run due jobs until nothing wakes the worker. Raises `Breach` if that never ends."""
        for _ in range(LOOKS):
            if self.bot is None:
                return
            await self.carried(self.bot.do_what_is_due())
            if self.bot is not None and not self.bot.is_awake:
                return
        raise Breach(f"{self.time.now:%Y-%m-%d %H:%M}: the worker finds no rest: {await self.jobs('TRUE')}")

    async def jobs(self, condition: str) -> list[tuple[Any, ...]]:
        """The jobs that match a SQL condition; its parameters are a moment ago on the machine's clock."""
        sql = f"SELECT kind, match_id, user_id, seat, due_at, attempts FROM jobs WHERE {condition}"
        return [
            tuple(row)
            for row in await self.database.fetch(sql, *[time_of(self.time.shown - 2 * MOMENT)] * sql.count("?"))
        ]

    async def require_done(self) -> None:
        """Note due jobs that were not done while the bot is up, except those that pause after a failure."""
        rows = await self.jobs("due_at < ?") if self.bot else []
        undone = [row for row in rows if not await self._pauses((JobKind(row[0]), *row[1:4]))]
        if undone:
            self.promises.note(f"due, and not done: {undone}")

    async def _pauses(self, key: Key) -> bool:
        """Whether the worker pauses a job, within the limits, after a failure."""
        services, now = self.services, self.bot.wheel.now()
        job = await Jobs(self.database).find(*key)
        pause = services.worker._pauses._pauses.get(services.worker._subject(job)) if job else None
        return pause is not None and now < pause.end <= pause.failed_at + MAX_PAUSE


@contextmanager
def simulated(random: Random) -> Iterator[None]:
    """Within the block, toy games are installed, the bot sleeps for long, and randomness is reproducible."""
    discover().update(TOYS)
    worker.MAX_SLEEP = NAP
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _loop, context: _raise_lost(context.get("exception")))
    loop.set_task_factory(_recorded_task)
    originals = (secrets.token_hex, secrets.randbelow, asyncio.to_thread)
    secrets.token_hex = lambda length=16: random.randbytes(length or 16).hex()  # type: ignore[assignment]
    secrets.randbelow, asyncio.to_thread = random.randrange, _at_once
    try:
        yield
    finally:
        secrets.token_hex, secrets.randbelow, asyncio.to_thread = originals
        loop.set_task_factory(None)


def _recorded_task(loop: asyncio.AbstractEventLoop, work: Any, **more: Any) -> asyncio.Task[Any]:
    task = asyncio.Task(work, loop=loop, **more)
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)
    return task


async def _at_once(work: Callable[..., Any], *args: Any, **more: Any) -> Any:
    """Run at once, since a thread would not end at a reproducible moment."""
    return work(*args, **more)


@contextmanager
def blaming(promises: Promises) -> Iterator[None]:
    """Within the block, an error in the bot's log is a breach, except right after a kill."""
    handler = _Blaming(promises)
    logging.getLogger("bot").addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger("bot").removeHandler(handler)


class _Blaming(logging.Handler):
    def __init__(self, promises: Promises) -> None:
        super().__init__(logging.ERROR)
        self._promises = promises

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info is None or not isinstance(record.exc_info[1], Killed):
            self._promises.note(f"logged: {self.format(record)}")


def _raise_lost(error: BaseException | None) -> None:
    """Raise an error of a lost task, unless its bot was killed."""
    if error is not None and not isinstance(error, Killed):
        raise error

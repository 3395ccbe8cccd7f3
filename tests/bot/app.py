"""The whole bot and a local Discord on one event loop: open in less than a tenth of a second, with a clock to push.

Nothing of the bot is replaced, it runs as `python -m bot` runs it; only its queries need no thread of their own, unless
a test asks for it. What a test wants to know it asks as people do, or reads from the database.
"""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import signal
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

from bot.config import Config
from engine.games import discover
from playground.harness import Playground
from playground.launch import point_at
from playground.wire import TOKEN, Json
from tests.bot.autojump import autojump, queries_on_event_loop
from tests.bot.fake_clock import FakeClock
from tests.rooms import Room

T = TypeVar("T")

DATABASE = "caravanserai.db"
PATIENCE = 20.0


@dataclass(frozen=True)
class Registration:
    """The commands that Discord has, and the digest by which the bot knows that."""

    commands: list[Json]
    digest: str

    @classmethod
    async def of(cls, app: App) -> Registration:
        """The registration of a bot which has started up: it is stored once Discord has answered."""
        sql = "SELECT value FROM settings WHERE scope = 'bot' AND name = 'commands'"
        while not (rows := app.query(sql)):  # noqa: ASYNC110 (a database has no notifier)
            await asyncio.sleep(0.01)
        return cls(list(app.local.discord.world.commands), rows[0][0])


class App:
    """A bot at work in `local`, its database in `folder`. A `fake_clock`, if it has one, goes as its timers do."""

    def __init__(self, local: Playground, folder: Path) -> None:
        self.local = local
        self.folder = folder
        self.stories = False  # a restart sets it to work
        self.metrics = ""  # the same
        self.emojis = False  # the same
        self.fake_clock: FakeClock | None = None
        self._reader: sqlite3.Connection | None = None  # kept, since each new connection reads the whole schema
        self._rooms = 0
        self._bot: asyncio.Task[None] | None = None
        self._tell_time = time.monotonic
        # as far as the test before has pushed it: no clock may go back
        self._ahead = asyncio.get_running_loop().time() - time.monotonic()
        # all timers of the bot and of the local Discord go by it
        asyncio.get_running_loop().time = lambda: self._tell_time() + self._ahead

    @contextmanager
    def on_cpu_time(self) -> Iterator[None]:
        """Timers go by the CPU time of this process, and by skipped time: on a busy machine, none goes off early."""
        self._change_clock(time.process_time)
        try:
            yield
        finally:
            self._change_clock(time.monotonic)

    def _change_clock(self, tell_time: Callable[[], float]) -> None:
        self._ahead += self._tell_time() - tell_time()
        self._tell_time = tell_time

    async def open(self) -> None:
        """Start the bot, and wait until it has started up."""
        came = self.local.gateway.identified
        self._bot = bot = asyncio.create_task(
            _run_bot(self.folder, stories=self.stories, metrics=self.metrics, emojis=self.emojis)
        )

        def has_started() -> bool:
            return bot.done() or (self.local.gateway.identified > came and bool(self.local.discord.all_commands()))

        await self.local.discord.notifier.until(has_started, PATIENCE)
        asyncio.get_running_loop().remove_signal_handler(signal.SIGTERM)  # it means the tests, not the bot
        if bot.done():
            await bot

    async def open_registered(self, registration: Registration) -> None:
        """Start a bot whose commands Discord has already, and wait until it has started up."""
        world = self.local.discord.world
        world.commands[:] = [{**command, "application_id": str(world.bot.id)} for command in registration.commands]
        row = ("bot", world.bot.id, "commands", registration.digest)
        self.write("INSERT OR REPLACE INTO settings VALUES (?, ?, ?, ?)", [row])
        gc.disable()  # as in a process of its own, where the end of the start turns it on
        await self.open()
        async with asyncio.timeout(PATIENCE):
            while not gc.isenabled():  # noqa: ASYNC110 (nor has the garbage collection)
                await asyncio.sleep(0)

    async def close(self) -> None:
        """Tell the bot to leave, as a signal would."""
        assert self._bot is not None, "it was started"
        early = self._bot.done()
        self._bot.cancel()
        if self._reader is not None:
            self._reader.close()
            self._reader = None
        with suppress(asyncio.CancelledError):
            await self._bot
        gc.enable()
        assert not early, "the bot ended by itself"

    @property
    def ended(self) -> bool:
        """Whether the bot has ended by itself."""
        return self._bot is not None and self._bot.done()

    def room(self) -> Room:
        """A new channel."""
        self._rooms += 1
        return Room(self.local, self.local.add_channel(f"room-{self._rooms}").name)

    async def let_pass(self, seconds: float) -> None:
        """Let time pass; each timer on the way goes off in turn."""
        await asyncio.sleep(seconds)

    def skip(self, seconds: float) -> None:
        """Move all clocks ahead at once, as if the test had waited."""
        self._ahead += seconds
        self.local.clock.ahead += seconds
        if self.fake_clock is not None:
            self.fake_clock.ahead += timedelta(seconds=seconds)

    async def idle(self, seconds: float) -> None:
        """Let time pass for the timers of the bot while it is out of reach."""
        self._ahead += seconds
        await asyncio.sleep(0.01)

    async def breathe(self) -> None:
        """Let the bot and its database work, by the cheapest interaction: suggestions for a command."""
        finn, world = self.local.player("Finn"), self.local.discord.world
        # Discord accepts no commands in a server with an outage, or without the bot
        finn = finn.in_dm() if world.unavailable or world.without_bot else finn
        await finn.suggest("game rules", "section", "none", game=next(iter(discover())))

    def query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows that the database returns; a change is committed at once."""
        if self._reader is None:
            self._reader = sqlite3.connect(self.folder / DATABASE, isolation_level=None)
        return self._reader.execute(sql, values).fetchall()

    async def change(self, sql: str, *values: object) -> None:
        """Change the database behind the back of the bot."""
        with closing(await self.lock()) as database:
            database.execute(sql, values)
            database.execute("COMMIT")

    async def lock(self) -> sqlite3.Connection:
        """A connection that keeps the bot from writing, once the bot is in no transaction of its own."""
        database = sqlite3.connect(self.folder / DATABASE, timeout=0, isolation_level=None)
        while True:
            try:
                database.execute("BEGIN IMMEDIATE")
                return database
            except sqlite3.OperationalError as error:
                if "locked" not in str(error):
                    raise
            await asyncio.sleep(0.01)

    def write(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Let the database carry out the same for many rows, all of them or none."""
        with closing(sqlite3.connect(self.folder / DATABASE)) as database, database:
            database.executemany(sql, rows)

    async def prefer(self, user_id: int, **preferences: object) -> None:
        """Store preferences of a user before the bot reads them."""
        await self.change("DELETE FROM settings WHERE scope = 'user' AND scope_id = ?", user_id)
        await self.change("INSERT INTO settings VALUES ('user', ?, 'preferences', ?)", user_id, json.dumps(preferences))

    def seeds(self) -> list[str]:
        """The seeds of all matches, oldest first."""
        return [seed for (seed,) in self.query("SELECT seed FROM matches ORDER BY id")]


class NoCrashes:
    """The supervisor of a bot that never crashes, for the robots."""

    crashes = 0

    def __init__(self, local: Playground) -> None:
        self.local = local

    async def through_crashes(self, act: Callable[[], Awaitable[T]]) -> T:
        """The result of an act."""
        return await act()


@asynccontextmanager
async def open_app(
    folder: Path, registration: Registration | None = None, *, queries_in_thread: bool = False
) -> AsyncIterator[App]:
    """A strict app: violations of the rules for bots, errors in the log and an untimely end of the bot are failures.

    With a `registration`, there has to be a database in the folder.
    """
    queries = nullcontext() if queries_in_thread else queries_on_event_loop()
    async with Playground(strict=True) as local:
        point_at(local.base_url)  # and it stays so: nothing in this process ever reaches the real Discord
        handler = _ErrorsFail(local)
        logging.getLogger().addHandler(handler)
        app = App(local, folder)
        with queries, app.on_cpu_time(), autojump(asyncio.get_running_loop(), app.skip):
            try:
                await (app.open_registered(registration) if registration else app.open())
                yield app
            finally:
                await app.close()
                logging.getLogger().removeHandler(handler)


async def _run_bot(folder: Path, *, stories: bool, metrics: str, emojis: bool) -> None:
    from bot.__main__ import _run  # it turns garbage collection off until the bot has started up

    database = f"sqlite:///{folder}/{DATABASE}"
    await _run(Config(TOKEN, folder, database, "processes:1", "uniform", "INFO", stories, emojis, metrics=metrics))


class _ErrorsFail(logging.Handler):
    """Errors in the log are broken rules, as they are for a bot in its own process."""

    def __init__(self, local: Playground) -> None:
        super().__init__(logging.ERROR)
        self._local = local

    def emit(self, record: logging.LogRecord) -> None:
        self._local.journal.blame(f"bot log: {record.name} {record.getMessage()} {record.exc_info or ''}")

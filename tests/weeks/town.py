"""A group of people with a few tables, and the bot that serves them through everything that may happen to it."""

from __future__ import annotations

import asyncio
import dataclasses
import itertools
import logging
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from bot import worker
from bot.computers.thinkers import workers_of
from bot.deadlines.board_clocks import BoardClocks
from bot.deadlines.lull import Lull
from bot.deadlines.reminder_times import SNOOZES, snoozed_until
from bot.deadlines.timeouts import Timeouts
from bot.errors import TROUBLE, UserError
from bot.jobs.kinds import all_work
from bot.posting.pictures import Drawn, Pictures
from bot.services import Services
from bot.settings.preference_page import _expect_digest
from bot.store.clocks import Verdict
from bot.store.codec import json_at, time_of
from bot.store.database import Row
from bot.store.jobs import JobKind
from bot.store.matches import SeatHolder, Status
from bot.store.settings import Settings
from bot.store.store import Store
from bot.store.table_events import TableEventKind
from bot.tables.asides import answered_later, asides_of, ways_of
from bot.tables.guild_settings import Servers
from bot.tables.hours import morning
from bot.tables.moves import NextStep
from bot.tables.paces import all_paces
from bot.tables.preferences import NAME, SCOPE, Preferences, keep_preferences
from bot.tables.table import Table
from engine.errors import EngineError
from engine.games import discover
from engine.texts import Seat
from tests.engine.toys import TOYS
from tests.weeks.database import InMemory, in_memory
from tests.weeks.discord import Killed, Mouth, Post, Process, Sent
from tests.weeks.record import Broken, Person, Record
from tests.weeks.times import Time, Wheel

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
WEEKS_A_GROUP = 5
MORTALITY = 0.001
"""How likely the bot dies at anything it writes or sends."""

NAP = 86400.0
"""The bot sleeps for long, but is woken where something was done."""

MOMENT = timedelta(milliseconds=1)
"""So long after something is due the worker sees it."""

LOOKS = 200
"""More often than this the worker has no reason to look at one moment."""

CALM = timedelta(minutes=10)
"""So long after a trouble nothing is left of it."""

GUILD, FIRST_CHANNEL, FIRST_USER = 7, 100, 1000
GAMES = ("sealed", "toll", "garden", "lay", "beg", "gangs")
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Santiago")
STARTS = ((2026, 3, 1), (2026, 3, 20), (2026, 9, 20), (2026, 10, 12), (2026, 6, 1))
"""Most of the weeks after these have a change of the clocks in one of the zones."""

DECIDED = {TableEventKind.WAITED, TableEventKind.STOOD_IN, TableEventKind.HELD, TableEventKind.INVITED}
"""What is noted when it is decided about somebody who is late."""

VOTES = ((Verdict.WAIT, 3), (Verdict.PLAY, 4), (Verdict.HOLD, 2), (Verdict.INVITE, 1))


class _Blank(Pictures):
    """Pictures that show nothing: nobody looks."""

    def __init__(self) -> None:
        super().__init__()

    async def draw(self, *_: Any, **__: Any) -> Drawn:
        return Drawn(b"", "a.png", "a board")


class _Mortal(InMemory):
    """The database of a process that may end before or after each transaction."""

    def __init__(self, database: InMemory, process: Process) -> None:
        super().__init__(database.connection)
        self._turn = database._turn  # what the process before has begun ends first
        self._process = process

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        if self._owner is asyncio.current_task():
            yield
            return
        self._process.perhaps_die()
        async with super().transaction():
            yield
        self._process.perhaps_die()

    async def fetch(self, sql: str, *parameters: Any) -> list[Row]:
        self._process.go_on()
        return await super().fetch(sql, *parameters)


class _Looked(Settings):
    """Settings in which it stands when the clocks were last looked after: a moment ago, whenever the bot was there.

    It looks every few minutes. Here it is called only when there is something to do, or a hundred times more weeks
    would have to be spent on looks at nothing.
    """

    town: Town

    async def get(self, scope: str, scope_id: int, name: str) -> Any:
        if (scope, name) == ("bot", "clocks"):
            return self.town.looked.isoformat()
        return await super().get(scope, scope_id, name)

    async def put(self, scope: str, scope_id: int, name: str, value: Any) -> None:
        await super().put(scope, scope_id, name, value)
        if (scope, name) == ("bot", "clocks"):
            self.town.looked = datetime.fromisoformat(value)


class Bot:
    """One process of the bot, from its start to its end."""

    def __init__(self, database: InMemory, town: Town, mortality: float) -> None:
        time, post, random = town.time, town.post, town.random
        self.process = Process(random, mortality)
        self.wheel = Wheel(time)
        mortal = _Mortal(database, self.process)
        store = Store(mortal)
        store.settings = settings = _Looked(mortal)
        settings.town = town
        self.looks_at: datetime | None = None
        mouth, clocks = Mouth(post, self.process, self._discord_works), BoardClocks(store).changed
        nobody: Any = SimpleNamespace(get_channel=lambda _: None)
        self.services = Services.of(
            mouth,
            _Blank(),
            Servers(nobody, store),
            store,
            self.wheel,
            Path(),
            clocks=clocks,
            workers=workers_of("processes:1"),
            computer="uniform",
            stories=False,
            help_url="",
        )

    def _discord_works(self) -> None:
        self.services.worker.discord_works()

    async def start(self) -> None:
        """As the client does when it has moved in; the town itself says when the worker looks again."""
        await self.services.worker.start(all_work(self.services), Lull(self.services).look)
        assert self.services.worker._looking is not None, "it has just begun"
        self.services.worker._looking.cancel()

    async def do_what_is_due(self) -> None:
        """Look as the worker does, and again as long as something wakes it."""
        jobs = self.services.store.jobs
        for _ in range(LOOKS):
            jobs.asleep_until = None
            jobs.wake.clear()
            nap = timedelta(seconds=await self.services.worker.look())
            jobs.asleep_until, self.looks_at = self.wheel.now() + nap, self.wheel.time.now + nap + MOMENT
            while lanes := self.services.worker._lanes:
                await asyncio.wait(list(lanes.values()))
            if not self.is_awake:
                return
        raise Broken(f"{self.wheel.time.now:%Y-%m-%d %H:%M}: the worker finds no rest")

    @property
    def is_awake(self) -> bool:
        """Whether there is more to be done at this moment."""
        return self.services.store.jobs.wake.is_set()

    def gone(self) -> None:
        """The threads of a process go with it."""
        self.services.pictures.close()


@dataclass
class Life:
    """When somebody looks into Discord: every so many hours while they are awake, unless they have vanished."""

    user_id: int
    every: float
    next: datetime
    vanished: datetime | None = None


@dataclass
class Town:
    """A group, its tables, and all that happens to them."""

    database: InMemory
    random: Random
    time: Time
    record: Record = field(init=False)
    post: Post = field(init=False)
    bot: Bot | None = None
    lives: dict[int, Life] = field(default_factory=dict)
    channels: list[int] = field(default_factory=list)
    back_at: datetime | None = None
    open_again: dict[int, datetime] = field(default_factory=dict)
    troubled_until: datetime | None = None
    clock_right_at: datetime | None = None
    interactions: Any = field(default_factory=lambda: itertools.count(1))
    counts: Counter[str] = field(default_factory=Counter)
    looked: datetime = field(init=False)
    calm_since: datetime = field(init=False)
    noted: int = 0

    def __post_init__(self) -> None:
        self.record, self.looked, self.calm_since = Record(self.time), self.time.shown, self.time.now
        self.post = Post(self.time, self.random, self.delivered)

    # --- settling down ---

    async def settle_down(self) -> None:
        """People come, with their preferences, and set their tables."""
        for user_id in range(FIRST_USER, FIRST_USER + self.random.choice((2, 3, 3, 4, 6))):
            every = self.random.choice((2.0, 5.0, 9.0, 16.0))
            self.lives[user_id] = Life(user_id, every, self.time.now)
            self.record.people[user_id] = Person([])
            if self.random.random() < 0.2:
                self.post.closed_users.add(user_id)
        await self.come_up(mortality=0)
        for user_id in self.lives:
            await self.live_by(user_id, self.some_preferences())
        await self.leave(HOUR)
        self.channels = list(range(FIRST_CHANNEL, FIRST_CHANNEL + self.random.choice((1, 2, 3))))

    def some_preferences(self) -> Preferences:
        return Preferences(
            interval=self.random.choice((0, 4, 12, 24, 24, 72)),
            direct=self.random.random() < 0.4,
            zone=self.random.choice(ZONES),
            quiet=self.random.choice(("", "22-8", "23-7", "0-9")),
            summary=self.random.choice(("", "", "beside", "instead")),
        )

    async def live_by(self, user_id: int, preferences: Preferences) -> None:
        """Somebody changes their settings, as the handler of `/me settings` does."""
        assert self.bot is not None, "nobody reaches it otherwise"
        store, now = self.bot.services.store, self.time.shown
        self.record.changed(user_id, preferences)
        try:
            async with store.transaction():
                await keep_preferences(store.settings, user_id, preferences)
                await store.jobs.hurry_user(now, JobKind.REMINDER, user_id)
                if preferences.summary:
                    await _expect_digest(store, user_id, preferences, now)
                await store.clocks.hurry(user_id, now)
        except Killed:
            self.record.changed(user_id, await self.preferences_kept(user_id))
            raise

    async def preferences_kept(self, user_id: int) -> Preferences:
        """What is stored of somebody, whatever became of the bot."""
        sql = "SELECT value FROM settings WHERE scope = ? AND scope_id = ? AND name = ?"
        stored = await self.database.fetch_value(sql, SCOPE, user_id, NAME)
        kept = stored and json_at(stored)
        return Preferences(**kept) if kept else Preferences()

    # --- the bot comes and goes ---

    async def come_up(self, mortality: float = MORTALITY) -> None:
        """The bot is started."""
        self.bot = Bot(self.database, self, mortality)
        await self.carried(self.bot.start())
        await self.look()

    async def leave(self, absence: timedelta) -> None:
        """The bot is gone, and comes back after a while."""
        if self.bot is not None:
            self.bot.process.dead = True
            await self.all_done()
            self.bot.gone()
            self.bot = None
        self.back_at = self.time.now + absence
        self.time.is_absent(self.time.now, self.back_at)

    async def carried(self, work: Awaitable[Any]) -> bool:
        """Do something with the bot. False if that is not possible, or it dies of it."""
        done = False
        with suppress(UserError, EngineError, *TROUBLE):
            try:
                await work
                done = True
            except Killed:
                pass
        await self.quiet()
        return done

    async def quiet(self) -> None:
        """Wait until everything that was started has come to its end; a bot that has died is started again soon."""
        await self.all_done()
        if self.bot is not None and self.bot.process.dead:
            self.counts["kills"] += 1
            await self.leave(timedelta(seconds=self.random.choice((5, 30, 120))))

    async def all_done(self) -> None:
        """Wait until no task is left but this one."""
        while tasks := asyncio.all_tasks() - {asyncio.current_task()}:
            done, _ = await asyncio.wait(tasks, timeout=20)
            if not done:
                raise Broken(f"stuck: {tasks}")
            for task in done:
                error = None if task.cancelled() else task.exception()
                if error is not None and not isinstance(error, Killed):
                    raise error

    # --- what is delivered ---

    def delivered(self, sent: Sent) -> None:
        """Called when Discord has taken a message that is not a repeated one."""
        if sent.kind == "board":
            self.called(self.table(int(sent.nonce[1:].partition("-")[0])))
        self.record.sent(sent, self.due())

    def called(self, table: Table) -> None:
        """The newest board of a table calls people; nobody waits for the last one who is left."""
        users = [holder.user_id for holder in table.row.holders if holder.user_id]
        self.record.seated[table.id] = tuple(users)
        self.record.asked(table.id, asked_at(table) if len(users) > 1 else {}, table.row.pace, table.row.firm)

    def table(self, match_id: int) -> Table:
        """A table as the bot holds it; what it holds of clocks is not looked at."""
        assert self.bot is not None, "it has just sent something"
        return self.bot.services.tables._known[match_id]

    def due(self) -> set[tuple[int, int]]:
        """Match and user of all who are asked something now."""
        assert self.bot is not None, "it has just sent something"
        tables = list(self.bot.services.tables._known.values())
        return {(table.id, user_id) for table in tables for user_id, _ in asked_at(table).values()}

    # --- what people do ---

    async def play(self, user_id: int) -> None:
        """Somebody looks into Discord, and sees to all that waits for them there."""
        for channel_id in self.channels:
            if self.bot is None or self.bot.process.dead:
                return
            if self.random.random() < 0.15:
                continue
            await self.carried(self.visit_and_note(channel_id, user_id))
            await self.look_if_awake()

    async def visit_and_note(self, channel_id: int, user_id: int) -> None:
        """A visit; if the bot dies in it, nobody knows what became of it."""
        try:
            await self.request(channel_id, user_id)
        except Killed:
            self.record.died(self.record.matches.get(channel_id, 0))
            raise

    async def request(self, channel_id: int, user_id: int) -> None:
        assert self.bot is not None, "it was there a moment ago"
        services = self.bot.services
        try:
            table = await services.tables.at(channel_id)
        except UserError:
            await self.begin(channel_id, user_id)
            return
        if table.row.status is Status.LOBBY:
            await self.start(table)
            return
        await services.worker.board_tried(table.id)
        seat = table.seat_of(user_id)
        if seat is None:
            await self.take(table, user_id)
            return
        if self.random.random() < 0.5:
            await self.vote(table, user_id)
        if self.random.random() < 0.03:
            await self.choose_answer(table, user_id)
        if self.random.random() < 0.03:
            await self.undo(table, user_id)
        while seat in asked_at(table) and table.seat_of(user_id) == seat and self.random.random() < 0.95:
            await self.move(table, seat, user_id)
            if self.bot.is_awake:
                await self.bot.do_what_is_due()

    async def begin(self, channel_id: int, user_id: int) -> None:
        """Set a table, choose a pace, and deal."""
        assert self.bot is not None, "it was there a moment ago"
        services, game = self.bot.services, self.random.choice(GAMES)
        seats = [seats for seats in discover()[game].seats if seats <= len(self.lives)]
        if not seats:
            return
        table = await services.lobbies.open(game, guild_id=GUILD, channel_id=channel_id, host=holder(user_id))
        self.record.matches[channel_id] = table.id
        people = self.random.sample(list(self.lives), len(self.lives))
        holders = [holder(user_id), *(holder(other) for other in people if other != user_id)][: seats[-1]]
        await services.lobbies.change_holders(table, lambda _: holders)
        pace, firm = self.random.choice([*all_paces().values()])
        await services.lobbies.set_pace(table, pace, firm=firm)
        await self.start(table)

    async def start(self, table: Table) -> None:
        assert self.bot is not None, "it was there a moment ago"
        await self.bot.services.lobbies.keep(table, ready=sorted(table.people))
        await self.bot.services.moves.start(table, 1)
        self.counts["games"] += 1
        await self.bot.services.poster.deliver(table)

    async def move(self, table: Table, seat: Seat, user_id: int) -> None:
        """Act as a tap does."""
        assert self.bot is not None, "it was there a moment ago"
        services, match = self.bot.services, table.playing()
        action = self.random.choice(match.decision_of(seat).options)
        number = next(self.interactions)
        next_step = await services.moves.play(
            table, user_id, action, interaction_id=number, version=match.asked_at(seat)
        )
        self.counts["moves"] += 1
        now = asked_at(table).get(seat)
        self.record.acted(table.id, seat, now[1] if now and next_step is NextStep.QUESTION else None)
        if next_step is NextStep.BOARD:
            await services.poster.deliver(table)
        elif next_step is NextStep.WAITING:
            services.poster.update_due(table)

    async def vote(self, table: Table, user_id: int) -> None:
        """Vote on a player who is late, as the handler of those buttons does."""
        assert self.bot is not None, "it was there a moment ago"
        timeouts = Timeouts(self.bot.services)
        for seat in list(table.clocks):
            async with table.pacing:
                clock = table.clocks[seat]
                if clock.out is None or clock.verdict or seat == table.seat_of(user_id):
                    continue
                choice = self.random.choices(*zip(*VOTES, strict=True))[0]
                clock = await timeouts.vote(table, clock, user_id, choice)
                self.counts["votes"] += 1
                self.record.voted(table.id, seat, user_id)
                if clock.verdict:
                    await self.hear_decisions()
                    await timeouts.carry_out(table, clock, told=True)

    async def hear_decisions(self) -> None:
        """Tell the record what was decided about those who are late, as the log of their matches has it."""
        for row in await self.database.fetch("SELECT * FROM table_events WHERE id > ? ORDER BY id", self.noted):
            self.noted = row["id"]
            if row["kind"] in DECIDED:
                self.counts[f"times it was decided: {row['kind']}"] += 1
                self.record.decided(row["match_id"], row["seat"], waits=row["kind"] == TableEventKind.WAITED)

    async def choose_answer(self, table: Table, user_id: int) -> None:
        """Let a question be answered from now on, as the page for that does."""
        assert self.bot is not None, "it was there a moment ago"
        services, seat = self.bot.services, table.seated(user_id)
        if not (asides := asides_of(table)):
            return
        aside = self.random.choice(asides)
        self.record.answers(table.id, seat)
        await services.auto_answers.choose(table, user_id, aside.key, self.random.choice((None, *ways_of(aside))))
        self.counts["standing answers chosen"] += 1
        await services.poster.deliver(table)

    async def snooze(self, user_id: int) -> None:
        """Put off all reminders, as the buttons under one do."""
        assert self.bot is not None, "it was there a moment ago"
        store, now = self.bot.services.store, self.time.shown
        if any(job.state["reminded"] for job in await store.jobs.of_user(JobKind.REMINDER, user_id, anywhere=True)):
            until = snoozed_until(self.random.choice(SNOOZES), self.record.people[user_id].at(self.time.now), now)
            before = self.record.people[user_id].snoozed
            self.record.snoozed(user_id, until)
            try:
                async with store.transaction():
                    await store.reminded.snooze(user_id, until)
                    await store.jobs.hurry_user(now, JobKind.REMINDER, user_id)
            except Killed:
                kept = await self.database.fetch_value("SELECT until FROM reminded WHERE user_id = ?", user_id)
                self.record.people[user_id].snoozed = until if kept == time_of(until) else before
                raise
            self.counts["snoozed"] += 1

    async def undo(self, table: Table, user_id: int) -> None:
        assert self.bot is not None, "it was there a moment ago"
        services = self.bot.services
        seat = table.seated(user_id)
        await services.undoing.undo(table, user_id, interaction_id=next(self.interactions))
        self.counts["undone"] += 1
        self.record.acted(table.id, seat, None)
        for seat in list(range(len(table.row.holders))):
            self.record.over(table.id, seat)
        await services.poster.deliver(table)

    async def take(self, table: Table, user_id: int) -> None:
        """Come back to a seat that was left, or take one that is offered."""
        assert self.bot is not None, "it was there a moment ago"
        services, left = self.bot.services, [seat for seat in table.left_by(user_id) if seat in table.computers]
        wanted = left[-1:] or sorted(table.offer.seats)[:1]
        for seat in wanted:
            await services.seats.take_over(table, seat, holder(user_id))
            self.counts["came back" if left else "took a seat"] += 1
            if table.waiting is None:
                self.called(table)
            if table.waiting is not None:
                await services.poster.deliver(table)
            else:
                services.poster.show_people(table)

    # --- how time goes by ---

    async def until(self, end: datetime) -> None:
        """Let everything happen up to a time."""
        while self.time.now < end:
            moment = min(self.moments(), default=end)
            before, self.time.now = self.time.now, max(self.time.now, min(moment, end))
            self.excuse(self.time.now - before)
            if self.bot is not None:
                self.looked = self.time.shown
            await self.happen()
            await self.look_if_awake()
            await self.require_done()
            await self.require_calm()
            self.require_kept()

    def moments(self) -> list[datetime]:
        wheel, looks_at = (self.bot.wheel.next, self.bot.looks_at) if self.bot else (None, None)
        own = [looks_at, self.back_at, self.troubled_until, self.clock_right_at, *self.open_again.values()]
        return [at for at in (wheel, *own, *(life.next for life in self.lives.values())) if at is not None]

    def excuse(self, time: timedelta) -> None:
        closed = {self.record.matches.get(channel_id, 0) for channel_id in self.post.closed_channels}
        self.record.excuse(closed, self.post.down, time)

    async def happen(self) -> None:
        """Do all that is to happen at this moment."""
        now = self.time.now
        self.note_trouble()
        if self.bot is not None and self.bot.looks_at is not None and self.bot.looks_at <= now:
            await self.look()
        if self.back_at is not None and self.back_at <= now:
            self.back_at = None
            await self.come_up()
        if self.troubled_until is not None and self.troubled_until <= now:
            self.troubled_until, self.post.down = None, False
        if self.clock_right_at is not None and self.clock_right_at <= now:
            self.clock_right_at = None
            await self.set_clock(timedelta())
        for channel_id in [channel_id for channel_id, at in self.open_again.items() if at <= now]:
            del self.open_again[channel_id]
            self.post.closed_channels.discard(channel_id)
            self.record.excuse({self.record.matches.get(channel_id, 0)}, False, HOUR * 2)
            if self.bot is not None:
                self.bot.services.worker.let_in(GUILD)
        if self.bot is not None:
            self.bot.wheel.ring()
            await self.quiet()
        await self.take_note()
        for life in [life for life in self.lives.values() if life.next <= now]:
            await self.look_in(life)
            await self.take_note()

    async def take_note(self) -> None:
        """Tell the record what the bot has done by itself and no message says."""
        await self.hear_decisions()
        if self.bot is None:
            return
        due, known = self.due(), self.bot.services.tables._known
        for match_id, seat in self.record.auto_answers & self.record.turns.keys():
            turn, table = self.record.turns[match_id, seat], known.get(match_id)
            if table is None or table.match is None:
                continue
            if (match_id, turn.user_id) not in due:
                self.record.answered(match_id, seat)
            elif seat in answered_later(table, table.match):
                self.record.check_answered(match_id, seat)

    async def look_in(self, life: Life) -> None:
        """Somebody may look into Discord now, unless they sleep or have vanished; and now and then more happens."""
        random = self.random
        life.next = self.time.now + HOUR * random.expovariate(1 / life.every)
        asleep = self.record._is_quiet(life.user_id, self.time.now) and random.random() < 0.95
        if life.vanished and life.vanished > self.time.now:
            life.next = life.vanished
            return
        if random.random() < 0.02:
            life.vanished = self.time.now + DAY * random.choice((1, 2, 4, 9, 20))
            self.counts["vanished for days"] += 1
        if not asleep and self.bot is not None:
            if random.random() < 0.3:
                await self.carried(self.snooze(life.user_id))
            await self.play(life.user_id)
        await self.fate(life)

    async def fate(self, life: Life) -> None:
        """What does not happen every day."""
        random, now = self.random, self.time.now
        match random.choices(range(9), (300, 3, 3, 2, 2, 2, 2, 1, 1))[0]:
            case 1 if self.bot is not None:
                await self.travel(life)
            case 2 if self.bot is not None:
                away = self.record.people[life.user_id].at(now).away
                await self.carried(self.live_by(life.user_id, dataclasses.replace(self.some_preferences(), away=away)))
                self.counts["preferences changed"] += 1
            case 3 if self.bot is not None:
                await self.leave(random.choice((timedelta(minutes=1), 2 * HOUR, 9 * HOUR, 2 * DAY)))
                self.counts["restarts"] += 1
            case 4 if self.bot is not None:
                await self.sleep(random.choice((3 * HOUR, 9 * HOUR, 30 * HOUR)), life)
            case 5 if self.channels:
                channel_id = random.choice(self.channels)
                self.post.closed_channels.add(channel_id)
                self.open_again[channel_id] = now + HOUR * random.choice((1, 10, 60, 200))
                self.counts["channels closed"] += 1
            case 6 if not self.post.down:
                self.post.down, self.troubled_until = True, now + HOUR * random.choice((0.2, 1, 5))
                self.counts["outages"] += 1
            case 7 if self.clock_right_at is None:
                await self.set_clock(HOUR * random.choice((-48, -7, -2, 3)))
                self.clock_right_at = now + HOUR * random.choice((2, 20))
                self.counts["clock set"] += 1
            case 8:
                self.post.closed_users ^= {life.user_id}
                self.record.people[life.user_id].reached = now
            case _:
                pass

    async def travel(self, life: Life) -> None:
        """Somebody says that they are away; most of them really are."""
        days = self.random.choice((1, 3, 7, 14))
        preferences = self.record.people[life.user_id].at(self.time.now)
        away = morning(preferences, self.time.shown, days).isoformat()
        if await self.carried(self.live_by(life.user_id, dataclasses.replace(preferences, away=away))):
            self.counts["went away"] += 1
        if self.random.random() < 0.7:
            life.next = self.time.now + DAY * days

    async def sleep(self, hours: timedelta, life: Life) -> None:
        """The machine is suspended; somebody may be faster afterwards than the bot's next look."""
        self.time.absences.append((self.time.now, self.time.now + hours))
        self.time.now += hours
        self.counts["machine asleep"] += 1
        if self.random.random() < 0.5:
            await self.play(life.user_id)
        await self.look()

    async def set_clock(self, shift: timedelta) -> None:
        """The clock of the machine is set; the bot notices within minutes, in the next of its looks."""
        self.time.set_clock(shift)
        await self.look()

    async def look_if_awake(self) -> None:
        """Something was done from which more is due at once."""
        if self.bot is not None and self.bot.is_awake:
            await self.look()

    async def look(self) -> None:
        """The bot does all that is due, until nothing wakes it."""
        for _ in range(LOOKS):
            if self.bot is None:
                return
            await self.carried(self.bot.do_what_is_due())
            if self.bot is not None and not self.bot.is_awake:
                return
        raise Broken(f"{self.time.now:%Y-%m-%d %H:%M}: the worker finds no rest: {await self.jobs('TRUE')}")

    async def jobs(self, condition: str) -> list[tuple[Any, ...]]:
        """Those of which something is true; what it leaves open is a moment ago, by the clock of the machine."""
        sql = f"SELECT kind, match_id, user_id, seat, due_at, attempts FROM jobs WHERE {condition}"
        return [
            tuple(row)
            for row in await self.database.fetch(sql, *[time_of(self.time.shown - 2 * MOMENT)] * sql.count("?"))
        ]

    async def require_done(self) -> None:
        """Nothing that is due is left undone while the bot is there; what was tried in vain is due later."""
        left = await self.jobs("due_at < ?") if self.bot else []
        self.record.require(not left, f"due, and not done: {left}")

    async def come_to_rest(self) -> None:
        """All trouble ends, and nobody does anything any more but the bot, which lives."""
        await self.leave(HOUR)
        self.lives.clear()
        self.back_at, self.open_again, self.clock_right_at = None, {}, None
        self.troubled_until, self.post.down = None, False
        self.post.closed_channels.clear()
        self.time.set_clock(timedelta())
        self.time.now += HOUR
        await self.come_up(mortality=0)
        await self.until(self.time.now + 2 * HOUR)
        await self.check()
        self.record.require(not (left := await self.jobs("kind = 'board'")), f"boards that wait for nothing: {left}")
        over = "match_id IN (SELECT id FROM matches WHERE status NOT IN ('lobby', 'running'))"
        self.record.require(not (left := await self.jobs(over)), f"to be done where all is over: {left}")
        self.require_kept()

    async def check(self) -> None:
        """What must be true at any time."""
        self.record.check_nothing_is_frozen()
        self.record.check_mornings(self.post.closed_users)
        self.require_kept()

    async def require_calm(self) -> None:
        """Where Discord is neither down nor closed to the bot, nothing has failed."""
        self.note_trouble()
        if self.bot is not None and self.time.now - self.calm_since > CALM + self.record._jumps(self.calm_since):
            failed = await self.jobs("attempts > 0")
            self.record.require(not failed, f"failed, and nothing is wrong since {self.calm_since}: {failed}")

    def note_trouble(self) -> None:
        if self.post.down or self.post.closed_channels:
            self.calm_since = self.time.now

    def require_kept(self) -> None:
        """Raise `Broken` if a promise was broken so far."""
        if self.record.faults:
            raise Broken("\n".join(self.record.faults))


def asked_at(table: Table) -> dict[int, tuple[int, int]]:
    """Seat -> user and version of what they are asked; computers are left out."""
    match = table.match
    if match is None or table.row.status is not Status.RUNNING:
        return {}
    users = {decision.seat: table.row.holders[decision.seat].user_id for decision in match.state.decisions()}
    return {int(seat): (user_id, match.asked_at(seat)) for seat, user_id in users.items() if user_id is not None}


def holder(user_id: int) -> SeatHolder:
    return SeatHolder(user_id=user_id, name=f"user {user_id}")


def _lost(error: BaseException | None) -> None:
    """What was under way when the bot died is nobody's concern; anything else is."""
    if error is not None and not isinstance(error, Killed):
        raise error


async def live(seed: str, weeks: int = WEEKS_A_GROUP) -> Counter[str]:
    """Let a group live for some weeks. Returns how often what happened.

    Raises `Broken`, naming the promises that were not kept and the seed.
    """
    discover().update(TOYS)
    worker.NAP = NAP
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: _lost(context.get("exception")))
    with _luck(Random(f"luck of {seed}")):
        async with in_memory() as database:
            return await _live(database, seed, weeks)


@contextmanager
def _luck(random: Random) -> Iterator[None]:
    """What nobody can foretell can be repeated."""
    known = (secrets.token_hex, secrets.randbelow)
    secrets.token_hex = lambda length=16: random.randbytes(length or 16).hex()  # type: ignore[assignment]
    secrets.randbelow = random.randrange
    try:
        yield
    finally:
        secrets.token_hex, secrets.randbelow = known


class _Blaming(logging.Handler):
    """What the bot logs as an error is a promise that was not kept, unless it has just died of it."""

    def __init__(self, record: Record) -> None:
        super().__init__(logging.ERROR)
        self._record = record

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info is None or not isinstance(record.exc_info[1], Killed):
            self._record.require(False, f"logged: {self.format(record)}")


async def _live(database: InMemory, seed: str, weeks: int) -> Counter[str]:
    random = Random(seed)
    town = Town(database, random, Time(datetime(*random.choice(STARTS), tzinfo=UTC)))
    blaming = _Blaming(town.record)
    logging.getLogger("bot").addHandler(blaming)
    try:
        await town.settle_down()
        for _ in range(weeks * 7):
            await town.until(town.time.now + DAY)
            await town.check()
        await town.come_to_rest()
    except Broken as broken:
        raise Broken(f"seed {seed}: {broken}") from None
    finally:
        await town.leave(HOUR)
        logging.getLogger("bot").removeHandler(blaming)
    counts = town.counts + town.record.counts
    counts["weeks"] = weeks
    counts["repeated messages that Discord knew"] = town.post.repeated
    counts["refused messages"] = town.post.refused
    counts["messages removed"] = town.post.removed
    return counts

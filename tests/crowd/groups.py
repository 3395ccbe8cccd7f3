"""A group of people with a few tables, whose bot survives kills, outages and changes of the clock."""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random

from bot.errors import UserError
from bot.features.deadlines.reminder_times import snooze_until
from bot.features.play.drafting import TurnDraft
from bot.features.play.plan_drafts import PlanDraft
from bot.features.settings.preference_changes import schedule_digest
from bot.store.codec import json_at, time_of
from bot.store.jobs import JobKind
from bot.store.matches import Status
from bot.store.planned_turns import PlannedTurn
from bot.store.table_events import TableEventKind
from bot.tables.asides import asides_of, seats_with_delay, ways_of
from bot.tables.hours import morning
from bot.tables.moves import NextStep
from bot.tables.paces import all_paces
from bot.tables.planning import MAX_TURNS, choices_made, planned_turn
from bot.tables.preferences import NAME, SCOPE, Preferences, keep_preferences
from bot.tables.table import Table
from engine.games import discover
from engine.texts import Seat
from tests.crowd.database import InMemory, in_memory
from tests.crowd.discord import GUILD, Killed, Sent
from tests.crowd.people import DAY, HOUR, Crowd, Person, asked_at, holder
from tests.crowd.promises import Breach
from tests.crowd.record import QUIET, History, Record
from tests.crowd.times import Time
from tests.crowd.turn_promises import (
    OF_MESSAGES,
    a_vote_ends_in_time,
    auto_answers_are_as_quick_as_a_person,
    morning_messages_come,
    no_turn_is_frozen,
)
from tests.crowd.world import blaming, simulated

WEEKS_A_GROUP = 5
PLANNING = 0.1
"""The usual chance that a person plans a turn before it begins."""

CALM = timedelta(minutes=10)
"""The time until an outage or a closed channel has no more effects."""

FIRST_CHANNEL, FIRST_USER = 100, 1000
GAMES = ("sealed", "toll", "garden", "lay", "beg", "gangs")
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Santiago")
STARTS = ((2026, 3, 1), (2026, 3, 20), (2026, 9, 20), (2026, 10, 12), (2026, 6, 1))
"""Start dates, most of them shortly before a clock change in one of the zones."""

DECIDED = {
    TableEventKind.WAITED,
    TableEventKind.STOOD_IN,
    TableEventKind.HELD,
    TableEventKind.LAPSED,
    TableEventKind.INVITED,
}
"""Events that record a decision about a late player."""


@dataclass
class Server(Crowd):
    """A group and its tables."""

    record: Record = field(init=False)
    channels: list[int] = field(default_factory=list)
    clock_right_at: datetime | None = None
    calm_since: datetime = field(init=False)
    noted: int = 0
    planning: float = PLANNING

    def __post_init__(self) -> None:
        super().__post_init__()
        self.record, self.calm_since = Record(self.time), self.time.now

    # --- settling down ---

    async def settle_down(self) -> None:
        """Add people with their preferences, and the channels for their tables."""
        for user_id in range(FIRST_USER, FIRST_USER + self.random.choice((2, 3, 3, 4, 6))):
            every = self.random.choice((2.0, 5.0, 9.0, 16.0))
            self.people[user_id] = Person(user_id, every, self.time.now)
            self.record.people[user_id] = History([])
            if self.random.random() < 0.2:
                self.post.closed_users.add(user_id)
        await self.start_bot(kill_rate=0)
        for user_id in self.people:
            await self.change_preferences(user_id, self.some_preferences())
        await self.leave(HOUR)
        self.channels = list(range(FIRST_CHANNEL, FIRST_CHANNEL + self.random.choice((1, 2, 3))))

    def some_preferences(self) -> Preferences:
        return Preferences(
            interval=self.random.choice((0, 4, 12, 24, 24, 72)),
            direct=self.random.random() < 0.4,
            zone=self.random.choice(ZONES),
            quiet=self.random.choice(("", *QUIET)),
            summary=self.random.choice(("", "", "beside", "instead")),
        )

    async def change_preferences(self, user_id: int, preferences: Preferences) -> None:
        """Change a user's preferences, as the handler of `/me settings` does."""
        store, now = self.services.store, self.time.shown
        self.record.changed(user_id, preferences)
        try:
            async with store.transaction():
                await keep_preferences(store.settings, user_id, preferences)
                await store.jobs.make_due_for_user(now, JobKind.REMINDER, user_id)
                if preferences.summary:
                    await schedule_digest(store, user_id, preferences, now)
                await store.clocks.make_due(user_id, now)
        except Killed:
            self.record.changed(user_id, await self.preferences_kept(user_id))
            raise

    async def preferences_kept(self, user_id: int) -> Preferences:
        """The stored preferences of a user."""
        sql = "SELECT value FROM settings WHERE scope = ? AND scope_id = ? AND name = ?"
        stored = await self.database.fetch_value(sql, SCOPE, user_id, NAME)
        values = stored and json_at(stored)
        return Preferences(**values) if values else Preferences()

    # --- deliveries ---

    def delivered(self, sent: Sent) -> None:
        """Check the promises about a new message, and record it."""
        if sent.kind == "board":
            self.called(self.table(int(sent.nonce[1:].partition("-")[0])))
        due = self.due()
        for promise in OF_MESSAGES.get(sent.kind, ()):
            self.promises.check(promise, self.record, sent, due)
        self.record.sent(sent)

    def called(self, table: Table) -> None:
        """Record the due players of a table's newest board; the last remaining person gets no ping."""
        users = [holder.user_id for holder in table.row.holders if holder.user_id]
        self.record.seated[table.id] = tuple(users)
        self.record.asked(table.id, asked_at(table) if len(users) > 1 else {}, table.row.pace, table.row.firm)

    def table(self, match_id: int) -> Table:
        """A table in the bot's memory; promises never use its clocks."""
        return self.services.tables._known[match_id]

    def due(self) -> set[tuple[int, int]]:
        """Match and user of all due players."""
        tables = list(self.services.tables._known.values())
        return {(table.id, user_id) for table in tables for user_id, _ in asked_at(table).values()}

    # --- what people do ---

    async def play(self, user_id: int) -> None:
        """Let a person visit their channels and answer the open questions in each."""
        for channel_id in self.channels:
            if self.bot is None or self.bot.process.has_ended:
                return
            if self.random.random() < 0.15:
                continue
            await self.carried(self.visit_and_note(channel_id, user_id))
            await self.look_if_awake()

    async def visit_and_note(self, channel_id: int, user_id: int) -> None:
        """Visit a channel. If the bot is killed meanwhile, the effect is recorded as unknown."""
        try:
            await self.request(channel_id, user_id)
        except Killed:
            self.record.killed_during(self.record.matches.get(channel_id, 0))
            raise

    async def request(self, channel_id: int, user_id: int) -> None:
        services = self.services
        try:
            table = await services.tables.at(channel_id)
        except UserError:
            await self.begin(channel_id, user_id)
            return
        if table.row.status is Status.LOBBY:
            await self.start(table)
            return
        await services.worker.wait_for_board(table.id)
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
        await self.play_turns(table, seat, user_id)
        if seat not in asked_at(table) and table.seat_of(user_id) == seat and self.random.random() < self.planning:
            await self.plan(table, seat)

    async def begin(self, channel_id: int, user_id: int) -> None:
        """Set up a table with a random pace, and start it."""
        services, game = self.services, self.random.choice(GAMES)
        seats = [seats for seats in discover()[game].seats if seats <= len(self.people)]
        if not seats:
            return
        table = await services.lobbies.open(game, guild_id=GUILD, channel_id=channel_id, host=holder(user_id))
        self.record.matches[channel_id] = table.id
        people = self.random.sample(list(self.people), len(self.people))
        holders = [holder(user_id), *(holder(other) for other in people if other != user_id)][: seats[-1]]
        await services.lobbies.change_holders(table, lambda _: holders)
        pace, firm = self.random.choice([*all_paces().values()])
        await services.lobbies.keep(table, pace=pace, firm=firm, ready=None)
        await self.start(table)

    async def start(self, table: Table) -> None:
        await self.services.lobbies.keep(table, ready=sorted(table.people))
        await self.services.moves.start(table, 1)
        self.counts["games"] += 1
        await self.services.poster.deliver(table)

    def moved(self, table: Table, seat: Seat, next_step: NextStep) -> None:
        now = asked_at(table).get(seat)
        self.record.acted(table.id, seat, now[1] if now and next_step is NextStep.QUESTION else None)

    async def voted(self, table: Table, seat: Seat, user_id: int) -> None:
        self.record.voted(table.id, seat, user_id)
        await self.hear_decisions()

    async def hear_decisions(self) -> None:
        """Record new decisions about late players from the logs of their matches."""
        for row in await self.database.fetch("SELECT * FROM table_events WHERE id > ? ORDER BY id", self.noted):
            self.noted = row["id"]
            if row["kind"] in DECIDED:
                turn = self.record.turns.get((row["match_id"], row["seat"]))
                if turn is not None and turn.late and not turn.firm:
                    self.promises.check(a_vote_ends_in_time, self.record, turn)
                self.counts[f"times it was decided: {row['kind']}"] += 1
                self.record.decided(row["match_id"], row["seat"], waits=row["kind"] == TableEventKind.WAITED)

    async def choose_answer(self, table: Table, user_id: int) -> None:
        """Choose an auto-answer, as its page does."""
        services, seat = self.services, table.require_seat(user_id)
        if not (asides := asides_of(table)):
            return
        aside = self.random.choice(asides)
        self.record.answers(table.id, seat)
        await services.auto_answers.choose(table, user_id, aside.key, self.random.choice((None, *ways_of(aside))))
        self.counts["standing answers chosen"] += 1
        await services.poster.deliver(table)

    async def plan(self, table: Table, seat: Seat) -> None:
        """Plan up to three turns of a seat, many with an alternative, as its page does."""
        turns: dict[int, PlannedTurn] = {}
        for number in range(self.random.choice((1, 1, 2, MAX_TURNS))):
            try:
                turn: TurnDraft = PlanDraft.begin(table, seat, number)
            except UserError:  # the game is over, or the turn depends on secrets
                return
            planned, other = self.some_turn(turn), self.some_turn(turn)
            if has_alternative := planned.notations != other.notations and self.random.random() < 0.5:
                planned = planned.with_alternative(other)
            turns[choices_made(turn.match, seat)] = planned
            self.record.answers(table.id, seat)
            await self.services.moves.save_plan(
                table, seat, turns, version=table.require_match().decision_version(seat)
            )
            self.counts.update({"turns planned": 1, "alternatives planned": has_alternative})

    def some_turn(self, turn: TurnDraft) -> PlannedTurn:
        """A planned turn of random choices."""
        while (decision := turn.decision) is not None:
            turn = turn.with_chosen((*turn.chosen, self.random.choice(decision.options)))
        return planned_turn(turn.seat, turn.chosen, turn.match)

    async def snooze(self, user_id: int) -> None:
        """Snooze all reminders, as the buttons below a reminder do."""
        store, now = self.services.store, self.time.shown
        if any(job.state["reminded"] for job in await store.jobs.of_user(JobKind.REMINDER, user_id, anywhere=True)):
            snooze = self.random.choice(("hour", "evening", "tomorrow"))
            until = snooze_until(snooze, self.record.people[user_id].at(self.time.now), now)
            before = self.record.people[user_id].snoozed
            self.record.snoozed(user_id, until)
            try:
                async with store.transaction():
                    await store.reminded.snooze(user_id, until)
                    await store.jobs.make_due_for_user(now, JobKind.REMINDER, user_id)
            except Killed:
                stored = await self.database.fetch_value("SELECT until FROM reminded WHERE user_id = ?", user_id)
                self.record.people[user_id].snoozed = until if stored == time_of(until) else before
                raise
            self.counts["snoozed"] += 1

    async def undo(self, table: Table, user_id: int) -> None:
        services = self.services
        seat = table.require_seat(user_id)
        await services.undoing.undo(table, user_id, interaction_id=next(self.interactions))
        self.counts["undone"] += 1
        self.record.acted(table.id, seat, None)
        for seat in list(range(len(table.row.holders))):
            self.record.over(table.id, seat)
        await services.poster.deliver(table)

    async def take(self, table: Table, user_id: int) -> None:
        """Return to an abandoned seat, or take one on offer."""
        services, free_seats = self.services, [seat for seat in table.seats_left_by(user_id) if seat in table.computers]
        seats_to_take = free_seats[-1:] or sorted(table.offer.seats)[:1]
        for seat in seats_to_take:
            await services.seats.take_over(table, seat, holder(user_id))
            self.counts["came back" if free_seats else "took a seat"] += 1
            if table.waiting is None:
                self.called(table)
            if table.waiting is not None:
                await services.poster.deliver(table)
            else:
                services.poster.show_people(table)

    # --- how time goes by ---

    def moments(self) -> list[datetime]:
        own = [self.clock_right_at] if self.clock_right_at else []
        return [*super().moments(), *own]

    def passed(self, time: timedelta) -> None:
        closed = {self.record.matches.get(channel_id, 0) for channel_id in self.post.closed_channels}
        self.record.excuse(closed, self.post.down, time)

    async def happen(self) -> None:
        self.note_trouble()
        await super().happen()

    async def ring(self) -> None:
        if self.clock_right_at is not None and self.clock_right_at <= self.time.now:
            self.clock_right_at = None
            await self.set_clock(timedelta())
        await super().ring()

    def opened(self, channel_id: int) -> None:
        self.record.excuse({self.record.matches.get(channel_id, 0)}, False, HOUR * 2)

    async def judge(self) -> None:
        await self.require_calm()

    async def take_note(self) -> None:
        """Record acts of the bot that no message shows."""
        await self.hear_decisions()
        if self.bot is None:
            return
        due, tables_in_memory = self.due(), self.services.tables._known
        for match_id, seat in self.record.auto_answers & self.record.turns.keys():
            turn, table = self.record.turns[match_id, seat], tables_in_memory.get(match_id)
            if table is None or table.match is None:
                continue
            if (match_id, turn.user_id) not in due:
                self.record.answered(match_id, seat)
            elif seat in seats_with_delay(table, table.match):
                self.promises.check(auto_answers_are_as_quick_as_a_person, self.record, turn)

    async def look_in(self, person: Person) -> None:
        """Let a person open Discord unless they sleep or have vanished, and let rare events happen."""
        random = self.random
        self.schedule_next_look(person)
        asleep = self.record.is_quiet(person.user_id, self.time.now) and random.random() < 0.95
        if person.vanished and person.vanished > self.time.now:
            person.next = person.vanished
            return
        if random.random() < 0.02:
            person.vanished = self.time.now + DAY * random.choice((1, 2, 4, 9, 20))
            self.counts["vanished for days"] += 1
        if not asleep and self.bot is not None:
            if random.random() < 0.3:
                await self.carried(self.snooze(person.user_id))
            await self.play(person.user_id)
        await self.fate(person)

    async def fate(self, person: Person) -> None:
        """Rarely, trigger an event such as a restart, an outage or a change of preferences."""
        random, now = self.random, self.time.now
        match random.choices(range(9), (300, 3, 3, 2, 2, 2, 2, 1, 1))[0]:
            case 1 if self.bot is not None:
                await self.travel(person)
            case 2 if self.bot is not None:
                away = self.record.people[person.user_id].at(now).away
                await self.carried(
                    self.change_preferences(person.user_id, dataclasses.replace(self.some_preferences(), away=away))
                )
                self.counts["preferences changed"] += 1
            case 3 if self.bot is not None:
                await self.restart()
            case 4 if self.bot is not None:
                await self.sleep(random.choice((3 * HOUR, 9 * HOUR, 30 * HOUR)), person)
            case 5 if self.channels:
                self.close(random.choice(self.channels), HOUR * random.choice((1, 10, 60, 200)))
            case 6 if not self.post.down:
                self.be_down(HOUR * random.choice((0.2, 1, 5)))
            case 7 if self.clock_right_at is None:
                await self.set_clock(HOUR * random.choice((-48, -7, -2, 3)))
                self.clock_right_at = now + HOUR * random.choice((2, 20))
                self.counts["clock set"] += 1
            case 8:
                self.post.closed_users ^= {person.user_id}
                self.record.people[person.user_id].reached = now
            case _:
                pass

    async def travel(self, person: Person) -> None:
        """Set days away; most people really are away then."""
        days = self.random.choice((1, 3, 7, 14))
        preferences = self.record.people[person.user_id].at(self.time.now)
        away = morning(preferences, self.time.shown, days).isoformat()
        if await self.carried(self.change_preferences(person.user_id, dataclasses.replace(preferences, away=away))):
            self.counts["went away"] += 1
        if self.random.random() < 0.7:
            person.next = self.time.now + DAY * days

    async def sleep(self, hours: timedelta, person: Person) -> None:
        """Suspend the machine; afterwards a user may act before the bot's next check."""
        self.time.absences.append((self.time.now, self.time.now + hours))
        self.time.now += hours
        self.counts["machine asleep"] += 1
        if self.random.random() < 0.5:
            await self.play(person.user_id)
        await self.look()

    async def set_clock(self, shift: timedelta) -> None:
        """Set the machine's clock; the bot notices at its next check, within minutes."""
        self.time.set_clock(shift)
        await self.look()

    async def come_to_rest(self) -> None:
        """End all trouble, let the bot run alone, and check all promises."""
        self.people.clear()
        self.clock_right_at = None
        self.time.set_clock(timedelta())
        await super().come_to_rest()
        await self.check()

    async def check(self) -> None:
        """Check the promises that hold at any time. Raises `Breach`."""
        for turn in self.record.turns.values():
            self.promises.check(morning_messages_come, self.record, turn, self.post.closed_users)
            if not turn.unsure:
                self.promises.check(a_vote_ends_in_time if turn.late else no_turn_is_frozen, self.record, turn)
        self.promises.raise_breaches()

    async def require_calm(self) -> None:
        """Note jobs that failed although Discord was up and open to the bot."""
        self.note_trouble()
        if self.bot is not None and self.time.now - self.calm_since > CALM + self.record.jumps(self.calm_since):
            failed = await self.jobs("attempts > 0")
            if failed:
                self.promises.note(f"failed, and nothing is wrong since {self.calm_since}: {failed}")

    def note_trouble(self) -> None:
        if self.post.down or self.post.closed_channels:
            self.calm_since = self.time.now


async def simulate(seed: str, weeks: int = WEEKS_A_GROUP, planning: float = PLANNING) -> Counter[str]:
    """Simulate a group for some weeks. Returns the number of each event.

    `planning` is the chance that a person plans a turn before it begins.

    Raises `Breach`, naming the broken promises and the seed.
    """
    with simulated(Random(f"luck of {seed}")):
        async with in_memory() as database:
            return await _simulate(database, seed, weeks, planning)


async def _simulate(database: InMemory, seed: str, weeks: int, planning: float) -> Counter[str]:
    random = Random(seed)
    server = Server(database, random, Time(datetime(*random.choice(STARTS), tzinfo=UTC)), planning=planning)
    with blaming(server.promises):
        try:
            await server.settle_down()
            for _ in range(weeks * 7):
                await server.until(server.time.now + DAY)
                await server.check()
            await server.come_to_rest()
        except Breach as breach:
            raise Breach(f"seed {seed}: {breach}") from None
        finally:
            await server.leave(HOUR)
    counts = server.counts + server.record.counts + server.promises.counts
    counts["weeks"] = weeks
    counts["moves with those of the bot"] = await database.fetch_value("SELECT COUNT(*) FROM entries WHERE seat >= 0")
    counts["repeated messages that Discord knew"] = server.post.repeated
    counts["refused messages"] = server.post.refused
    counts["messages removed"] = server.post.removed
    return counts

"""A server with leagues: people sign up, play, join late, leave and vanish, while the bot is killed and restarted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from bot.errors import UserError
from bot.features.handlers import Request
from bot.features.leagues import sign_up
from bot.features.leagues.layouts import sign_up_layout
from bot.features.leagues.season import season_of
from bot.features.lobby.ending import go_on_without, post_people
from bot.store.jobs import Jobs
from bot.store.leagues import League, Leagues, LeagueStatus
from bot.store.matches import Status
from bot.tables.options import starting_options
from bot.tables.paces import all_paces
from bot.tables.table import Table
from engine.games import discover
from engine.texts import Text
from tests.crowd.database import in_memory
from tests.crowd.discord import GUILD, Sent
from tests.crowd.league_promises import (
    AT_THE_END,
    MOST_BARRED,
    LeagueRecord,
    Noticed,
    promotions_follow_the_standings,
    standings_are_those_of_a_second_reading,
)
from tests.crowd.people import DAY, HOUR, Crowd, Part, Person, holder
from tests.crowd.promises import Breach
from tests.crowd.times import Time
from tests.crowd.world import blaming, simulated

SEASONS_A_SERVER = 2
KILL_RATE = 0.003
"""The chance of a kill at anything the bot writes or sends: about ten kills a season."""

CHANNEL, HOST, MODERATOR, STRANGER, FIRST_USER = 100, 900, 901, 902, 1000
MEMBERS = 10_000
"""A limit for member requests that is never reached."""

BEGIN = datetime(2026, 6, 1, tzinfo=UTC)
MAX_DURATION = 300 * DAY
"""Longer than any league, even with the slowest pace and a week between rounds."""

GAMES = ("sealed", "toll", "garden", "lay", "beg")
"""Short games, with and without luck and secrets."""


@dataclass
class Answers:
    """A response that ignores all answers to an interaction."""

    interaction: Any
    already_done: Text | None = None

    async def show(self, *_: object) -> None:
        """Do nothing."""

    say = show_text = show


@dataclass
class Server(Crowd):
    """A server, its people, and one league after another."""

    kill_rate: float = KILL_RATE
    pauses: tuple[int, ...] = (5, 30, 120, 120, 900, 7200)
    league_id: int = 0
    noticed: dict[int, Noticed] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.post.has_history = True

    def record_of(self, league_id: int) -> LeagueRecord:
        """The present record of a league."""
        return LeagueRecord(self.rows, self.post, league_id, self.noticed)

    def delivered(self, sent: Sent) -> None:
        """Often kill the bot after a league message is delivered and before it is recorded."""
        is_league_message = sent.nonce.startswith(("league-", "lt-"))
        if is_league_message and self.bot is not None and self.random.random() < self.kill_rate * 20:
            self.bot.process.has_ended = True
            self.counts["kills between an announcement and its note"] += 1

    # --- a season ---

    async def play(self) -> None:
        """Play a whole league, and check its promises. Raises `Breach`."""
        before = await self._league() if self.league_id else None
        game = before.game if before else self.random.choice(GAMES)
        self._invite(self.random.choice((3, 4, 5, 6, 8, 8, 10, 12, 16, 24, 30)))
        await self._set_up(game, before.division_size if before else self.random.choice((0, 0, 4, 5, 8)))
        await self._go_on_to_the_end()
        await self.come_to_rest()
        record = self.record_of(self.league_id)
        for promise in AT_THE_END:
            self.promises.check(promise, record)
        await self._require_the_same(record)
        if before and before.division_size and before.status is LeagueStatus.OVER and self.noticed:
            self.promises.check(promotions_follow_the_standings, self.record_of(before.id), record)
        self.promises.raise_breaches()
        self._count(record)
        self.counts["seasons"] += 1

    def _count(self, record: LeagueRecord) -> None:
        """Count tables and rounds, and the seats that players lost."""
        self.counts["tables judged"] += len(record.tables)
        self.counts["rounds judged"] += len(record.by_round)
        sql = "SELECT kind = 'lapsed' FROM table_events WHERE kind IN ('held', 'lapsed')"
        for (firm,) in self.rows.ask(sql):
            self.counts["seats lost by the pace" if firm else "seats lost by a vote"] += 1
        self.counts["barred twice"] += sum(times >= MOST_BARRED for times in record.barred().values())

    def _invite(self, people: int) -> None:
        """Choose the people of a league, first those of the previous one, and what they intend to do."""
        random, now = self.random, self.time.now
        results = [user_id for user_id in self.people if user_id in self.post.members]
        new = range(FIRST_USER + len(self.people), FIRST_USER + len(self.people) + people)
        users = [user_id for user_id in results if random.random() < 0.8]
        users = [*users, *new][:people]
        self.post.members |= {*users, HOST}
        for user_id in users:
            late = random.random() < 0.15
            joins = now + (DAY * random.uniform(1, 10) if late else HOUR * random.uniform(0, 20))
            self.people[user_id] = Person(user_id, random.choice((1.0, 2.0, 4.0, 9.0)), now, joins=joins)
            self._burden(self.people[user_id])
        self.counts["people"] += len(users)

    def _burden(self, person: Person) -> None:
        """Decide whether a person leaves, stops playing or leaves the server; most just play."""
        random, some_time = self.random, self.time.now + DAY * self.random.uniform(0.5, 5)
        match random.choices(range(4), (12, 2, 3, 1))[0]:
            case 1:
                person.leaves = some_time
            case 2:
                person.sleeps = some_time
            case 3 if random.random() < 0.5:
                person.departs = some_time

    async def _set_up(self, game: str, size: int) -> None:
        """Set up a league as `/league new` does."""
        random, spec = self.random, discover()[game]
        await self.start_bot(kill_rate=0)
        services, options = self.services, starting_options(spec)
        pace = random.choice([pace for pace, (name, _) in all_paces().items() if name])
        league = await services.store.leagues.create(
            services.clock.now(),
            guild_id=GUILD,
            channel_id=CHANNEL,
            host_id=HOST,
            game=game,
            rules_version=spec.rules_version,
            options=options,
            seats=random.choice(spec.seats),
            swiss=random.random() < 0.4,
            rounds=random.choice((1, 2, 3, 3, 4, 5)),
            gap=random.choice((0, 0, 1, 7)),
            division_size=size,
            pace=random.choice((pace, "brisk-firm")),
            computer="uniform",
            closes_at=services.clock.now() + DAY,
        )
        layout = sign_up_layout(await season_of(services.store, league))
        await services.store.leagues.change(league.id, message_id=await services.channels.send(CHANNEL, lambda: layout))
        self.league_id, self.noticed = league.id, {}
        await self.leave(timedelta(minutes=1))

    async def _go_on_to_the_end(self) -> None:
        begin, league = self.time.now, await self._league()
        while league.is_open:
            round_before, part = league.round, self._parts()
            await self.step(self.time.now + DAY)
            league = await self._league()
            if league.round > round_before or not league.is_open:
                self._notice(round_before + 1, part, self._parts())
            if self.time.now > begin + MAX_DURATION:
                waits = await self.jobs("TRUE")
                raise Breach(f"league {self.league_id} has no end: {await self._open_tables()}, {waits}")

    def _notice(self, number: int, before: dict[int, Part], after: dict[int, Part]) -> None:
        """Record the people that a round had to pair, by their parts before and after its planning."""
        must, never = (
            frozenset(user_id for user_id in before if before[user_id] is after[user_id] is part)
            for part in (Part.IN, Part.OUT)
        )
        self.noticed[number] = Noticed(must, never)

    def _parts(self) -> dict[int, Part]:
        """The part of each person, by their own acts and the log of late players."""
        barred = self.record_of(self.league_id).barred()
        out = {user_id for user_id in self.people if user_id not in self.post.members}
        out |= {user_id for user_id, times in barred.items() if times >= MOST_BARRED}
        return {user_id: Part.OUT if user_id in out else person.part for user_id, person in self.people.items()}

    async def come_to_rest(self) -> None:
        """Stop all people as well."""
        for person in self.people.values():
            person.next, person.part = self.time.now + 1000 * DAY, Part.OUT
        await super().come_to_rest()

    async def _require_the_same(self, record: LeagueRecord) -> None:
        """Compare the bot's standings with a second computation, and the ratings with recomputed ones."""
        store = self.services.store
        season = await season_of(store, await self._league())
        self.promises.check(standings_are_those_of_a_second_reading, record, season)
        before = await self._ratings()
        await store.ratings.compute()
        if before != await self._ratings():
            self.promises.note("recomputed ratings differ")
        await self.leave(HOUR)

    async def _ratings(self) -> list[list[tuple[Any, ...]]]:
        tables = ("ratings", "rating_history", "meetings", "records")
        return [sorted(map(tuple, await self.database.fetch(f"SELECT * FROM {table}"))) for table in tables]

    # --- events ---

    async def look_in(self, person: Person) -> None:
        """Let a person open Discord, do what they intended, and play."""
        now = self.time.now
        self.schedule_next_look(person)
        if person.departs and person.departs <= now:
            self.post.members.discard(person.user_id)
            self.counts["left the server"] += 1
            person.departs = person.joins = None
        gone = person.user_id not in self.post.members or (person.sleeps and person.sleeps <= now)
        if self.bot is None or gone:
            return
        await self._take_part(person)
        await self._visit_all(person)
        await self._fate()

    async def _take_part(self, person: Person) -> None:
        if person.joins and person.joins <= self.time.now and person.part is not Part.IN:
            if (done := await self._tapped(sign_up.join.handler, person)) is not None:
                person.joins = None
                person.part = Part.IN if done else Part.OUT
                self.counts["joined" if done else "came too late"] += 1
        elif person.leaves and person.leaves <= self.time.now and person.part is not Part.OUT:
            early = (await self._league()).status is LeagueStatus.SIGN_UP
            if (await self._tapped(sign_up.leave.handler, person, is_confirmed=not early)) is not None:
                person.part = Part.OUT
                person.leaves, again = None, self.random.random() < 0.3
                person.joins = self.time.now + DAY * self.random.uniform(0, 3) if again else None
                self.counts["left the league"] += 1
        elif self.random.random() < 0.001:
            await self._tapped(sign_up.end.handler, person, user_id=HOST, is_confirmed=True)

    async def _tapped(
        self,
        do: Callable[[Request, int], Awaitable[None]],
        person: Person,
        user_id: int = 0,
        *,
        is_confirmed: bool = False,
    ) -> bool | None:
        """Tap a control. Returns whether it was accepted, or `None` if the bot was killed meanwhile."""
        tapper = user_id or person.user_id
        user = SimpleNamespace(id=tapper, display_name=f"user {tapper}")
        may = SimpleNamespace(manage_guild=False, administrator=False)
        about = {"id": next(self.interactions), "guild_id": GUILD, "message": None}
        interaction = SimpleNamespace(**about, user=user, permissions=may)
        response: Any = Answers(interaction)
        request = Request(self.services, response, is_confirmed=is_confirmed)
        results = list[bool]()

        async def act() -> None:
            try:
                await do(request, self.league_id)
            except UserError:
                results.append(False)
            else:
                results.append(True)

        before, person.part = person.part, Part.UNSURE
        await self.carried(act())
        person.part = before if results else Part.UNSURE
        await self.look_if_awake()
        return results[0] if results else None

    async def _visit_all(self, person: Person) -> None:
        """Play at all tables of a person; sometimes take a seat on offer."""
        sql = """
            SELECT m.id FROM matches m JOIN league_tables t ON t.match_id = m.id
            JOIN seat_history s ON s.match_id = m.id
            WHERE m.status = 'running' AND s.user_id = ? AND s.until IS NULL
        """
        for (match_id,) in await self.database.fetch(sql, person.user_id):
            if self.bot is not None:
                await self.carried(self._visit(match_id, person.user_id))
                await self.look_if_awake()
        if self.bot is not None and self.random.random() < 0.2:
            await self.carried(self._take_offer(person.user_id))
            await self.look_if_awake()

    async def _visit(self, match_id: int, user_id: int) -> None:
        table = await self._table(match_id)
        if table is None or (seat := table.seat_of(user_id)) is None:
            return
        if self.random.random() < 0.5:
            await self.vote(table, user_id)
        if self.random.random() < 0.002:
            await self._resign(table, user_id)
        await self.play_turns(table, seat, user_id)

    async def _table(self, match_id: int) -> Table | None:
        await self.services.worker.wait_for_board(match_id)
        return await self.services.tables.find(match_id)

    async def _resign(self, table: Table, user_id: int) -> None:
        """Resign, as the handler of the button does."""
        services = self.services
        await services.seats.resign(table, user_id)
        await services.lobbies.hand_on(table)
        await go_on_without(services, table, Text("{user} leaves the game.", user=user_id))
        self.counts["resigned"] += 1

    async def _take_offer(self, user_id: int) -> None:
        for (match_id,) in await self.database.fetch("SELECT DISTINCT match_id FROM offers"):
            table = await self._table(match_id)
            if table is not None and table.offer.seats and table.row.status is Status.RUNNING:
                services, someone = self.services, self.random.choice((user_id, user_id, STRANGER))
                try:
                    await services.seats.take_over(table, min(table.offer.seats), holder(someone))
                except UserError:
                    self.counts["were refused a seat on offer"] += 1
                else:
                    self.counts["took a seat on offer"] += 1
                    await post_people(services, table)

    async def _fate(self) -> None:
        """Rarely, trigger a restart, an outage, a closed channel or the end of a table."""
        random = self.random
        match random.choices(range(5), (1000, 2, 2, 2, 2))[0]:
            case 1 if self.bot is not None:
                await self.restart()
            case 2 if not self.post.down:
                self.be_down(HOUR * random.choice((0.2, 1, 5)))
            case 3:
                self.close(random.choice([CHANNEL, *self.post.opened[-6:]]), HOUR * random.choice((1, 10, 30)))
            case 4 if self.bot is not None:
                await self.carried(self._end_some_table())
                await self.look_if_awake()
            case _:
                pass

    async def _end_some_table(self) -> None:
        """End a random table as a moderator."""
        if open_tables := await self._open_tables():
            table = await self._table(self.random.choice(open_tables))
            if table is not None and table.is_open:
                await self.services.seats.end(table, by=MODERATOR, at=self.time.shown)
                self.counts["tables ended by a moderator"] += 1

    # --- the database ---

    async def _league(self) -> League:
        """The league, read as the bot does."""
        league = await Leagues(self.database, Jobs(self.database)).find(self.league_id)
        assert league is not None, "leagues are never deleted"
        return league

    async def _open_tables(self) -> list[int]:
        sql = """
            SELECT m.id FROM matches m JOIN league_tables t ON t.match_id = m.id
            WHERE league_id = ? AND m.status IN ('lobby', 'running')
        """
        return [match_id for (match_id,) in await self.database.fetch(sql, self.league_id)]


async def play_seasons(seed: str, seasons: int = SEASONS_A_SERVER, *, kill_rate: float = KILL_RATE) -> Counter[str]:
    """Simulate a server with some leagues. Returns the number of each event.

    Raises `Breach`, naming the broken promises and the seed.
    """
    # this limit waits in real time, unlike everything else here
    with simulated(Random(f"luck of {seed}")), patch("bot.interactions.members.MAX_REQUESTS", MEMBERS):
        async with in_memory() as database:
            server = Server(database, Random(seed), Time(BEGIN), kill_rate=kill_rate)
            with blaming(server.promises):
                try:
                    for _ in range(seasons):
                        await server.play()
                except Breach as breach:
                    raise Breach(f"seed {seed}: {breach}") from None
                finally:
                    await server.leave(HOUR)
            return server.counts + server.promises.counts

"""A run of kills: a local Discord with tables of all games, users, and a bot that is killed and restarted."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from bot.store.opening import file_address
from playground.botprocess import BotProcess
from playground.faults import Fault
from playground.gateway import FINAL_CODES
from playground.harness import Playground
from playground.notifier import HANG
from playground.plan import ANSWER, KINDS, LOGIN, POST, Plan, Row
from playground.player import Player
from tests.crowd.killed.audit import Auditor
from tests.crowd.killed.contest import LEAGUE, Contestant, Organizer, league_counts, look_at_leagues, look_at_standings
from tests.crowd.killed.kills import KILLED_LINE, MIGRATION, MOMENT, REQUEST, VARIABLE, Kill, KillPlan
from tests.crowd.killed.ledger import Ledger
from tests.crowd.killed.users import User, request_for, verbs_of
from tests.crowd.promises import Breach
from tests.crowd.rows import look
from tests.server import Server

RATE = 20.0
"""Speed of the clocks: seconds of the bot and the local Discord per second of real time."""

BOT = "tests.crowd.killed.killable_bot"
LONGEST_LIFE = 8.0
"""Seconds of real time until a bot is killed at any step."""

ALLOWED = HANG
"""Seconds of real time (twenty minutes of the bot's) in which the bot recovers after the last fault."""

DOWNTIMES = (0, 0, 0, 600, 3600, 86400)
"""Possible seconds between a kill and the next start."""

CUT_OFF = 0.25
"""The chance that the database server is stopped once in the life of a process."""

OUTAGES = (0.0, 0.2, 1.0)
"""Possible seconds of real time until the server is started again."""

TABLES = (("muscat", 3), ("jinns", 2), ("muses", 2), ("alibaba", 2), ("gangs", 2))
"""The game of each channel, and its number of people."""

IN_THREADS = ("jinns", "gangs")
"""Games played in a thread of the channel."""

ALONE = "in a direct message"
"""The place of another table, where a person plays against computers."""

PEOPLE, ORGANIZER = ("Ana", "Ben", "Caro", "Dan"), "Eva"
WANTING_DIRECT = PEOPLE[:2]
"""People who want reminders by direct message."""

SPOILED = r"no answer within|left unanswered|bot log: |gateway closed with|the bot ended by itself|ordered by the test"
"""Violations that faults may cause; errors in the log are checked one by one."""

HARMLESS = re.compile(
    r"(bot\.errors\.UserError|discord\.|aiohttp\.|TimeoutError|ConnectionResetError|asyncio\.exceptions\.|Client\w+Error|ServerDisconnected)"
)
"""Exceptions from Discord or the network, or with a message for a user."""

FOR_GOOD = frozenset(map(str, FINAL_CODES))
"""Close codes after which the bot must stop."""

PASSING = tuple(name for name, kind in KINDS.items() if kind.order.get("fate") not in FOR_GOOD)
"""The kinds of faults that the bot survives."""

NEVER = Kill(MOMENT, "any", "after", 0)
"""No kill at all."""

ENDING = re.compile(
    r"^([A-Za-z_][\w.]*(?:Error|Exception|Exit|Warning|Found|Forbidden|Closed|Conflict|Failed|Stale)\w*)\b"
)


@asynccontextmanager
async def harness(seed: str, server: Server | None = None, longest: float = LONGEST_LIFE) -> AsyncIterator[Harness]:
    """A new run, whose events depend on the seed and on the speed of the machine.

    Its bot stores games on the `server`, or in a file without one. It is killed after `longest` seconds of real time at
    the latest.
    """
    with TemporaryDirectory(prefix="torture-") as folder:
        address = await _database(server) if server else file_address(Path(folder) / "caravanserai.db")
        async with Playground(strict=False, rate=RATE, patience=40.0) as local:
            auditor = Auditor(local, partial(look, address), Ledger())
            yield Harness(seed, local, Path(folder), address, auditor, server, longest)


async def _database(server: Server) -> str:
    """The address of a new database with the extension that checks its files."""
    address = await server.database()
    await server.tell(urlsplit(address).path.strip("/"), "CREATE EXTENSION amcheck")
    return address


@dataclass
class Harness:
    """A run. Its bot has its own `folder`, and its database has an `address`, which may be on a `server`.

    `counts` are for the report. `kill` and `plan` are those of the current process, `laid` are the faults ordered so
    far, and `outage` is the task that stops and starts the server.
    """

    seed: str
    local: Playground
    folder: Path
    address: str
    auditor: Auditor
    server: Server | None = None
    longest: float = LONGEST_LIFE
    luck: Random = field(init=False)
    counts: Counter[str] = field(default_factory=Counter)
    plan: Plan = field(default_factory=Plan)
    kill: Kill | None = None
    laid: list[tuple[Row, Fault]] = field(default_factory=list)
    lifted: list[tuple[Row, Fault]] = field(default_factory=list)
    kill_plan: KillPlan = field(default_factory=KillPlan)
    users: dict[str, list[User]] = field(default_factory=dict)
    bot: BotProcess | None = None
    outage: asyncio.Task[None] | None = None
    starts: int = 0

    def __post_init__(self) -> None:
        self.luck = Random(self.seed)
        self.auditor.ledger.watch(self.local.discord)
        self.local.allow(SPOILED)
        for name in (*(name for name, _ in TABLES), LEAGUE):
            self.local.add_channel(name)
        self.local.give_role(ORGANIZER, "Moderators")

    async def run(self, kills: int) -> None:
        """Run until a number of kills. Raises `Breach` with all that is needed to repeat it."""
        try:
            for _ in range(min(3, kills // 4)):
                await self._run_process(Kill.at(MIGRATION, self.luck))
            while self.counts["kills"] < kills:
                await self._run_process(self.kill_plan.next(self.luck))
            await self._end_well()
        except Breach as breach:
            raise Breach(self._report(breach)) from breach
        finally:
            self._sum_up()

    # --- one process ---

    async def _run_process(self, kill: Kill) -> None:
        """Start a bot, check it, let users play under faults, kill it, and check the database and the messages."""
        self.starts, self.kill = self.starts + 1, kill
        self.local.clock.advance(timedelta(days=request_for(kill.what).days).total_seconds())
        if kill.kind == REQUEST and kill.what == LOGIN:
            self._trap(kill)
        await self._start(kill)
        if await self._came_to_rest():
            self._lay(kill)
            await self._play()
        await self._kill_bot()
        self.auditor.look_at_records()
        look_at_leagues(self.local, self.auditor.look, self.auditor.promises)
        self.auditor.look_at_reminders(excused=self._was_refused())
        self._look_at_log()
        self.local.clock.advance(self.luck.choice(DOWNTIMES))

    async def _start(self, kill: Kill | None) -> None:
        env = {
            "DATA_DIR": str(self.folder),
            "DATABASE_URL": self.address,
            "CLOCK_RATE": str(RATE),
            "CLOCK_NOW": str(self.local.clock.now()),
            "COMPUTER": self.luck.choice(("uniform", "greedy")),
            "STORIES": "no",
            VARIABLE: str(kill),
        }
        self.bot = await BotProcess.start(
            self.local.base_url, BOT, token=self.local.discord.token, env=env, on_line=self._hear
        )
        self.bot.ended.add_done_callback(lambda _: self._ended())

    async def _came_to_rest(self) -> bool:
        """Let the bot start under the remaining faults, then without any. False if it is killed meanwhile."""
        came, discord = self.local.gateway.identified, self.local.discord
        await self._until(lambda: self.local.gateway.identified > came and bool(discord.all_commands()), 3.0)
        self._lift()
        await self._server_is_back()
        await self._until(lambda: self.local.gateway.is_connected and bool(discord.all_commands()), ALLOWED)
        if self._has_ended():
            return False
        if not self.local.gateway.is_connected:
            raise Breach("the bot starts: it does not connect")
        await self._hold(self.auditor.look_at_waiting)
        await self._hold(self.auditor.look_at_channels)
        return not self._has_ended()

    async def _hold(self, look: Callable[[], None]) -> None:
        """Repeat a check until it passes or the bot is dead. Raises the last `Breach` if it never passes."""
        results: list[Breach] = []

        def holds() -> bool:
            results.clear()
            try:
                look()
            except Breach as breach:
                results.append(breach)
            return not results

        await self._until(holds, ALLOWED)
        if results and not self._has_ended():
            raise results[0]

    def _lay(self, kill: Kill) -> None:
        if kill.kind == REQUEST:
            self._trap(kill)
        kinds = tuple(KINDS) if self.luck.random() < 0.2 else PASSING
        self.plan = Plan.random(self.luck, self.luck.randrange(9), within=12, kinds=kinds)
        self.laid += self.plan.lay(self.local.discord.faults)
        if self.server and self.luck.random() < CUT_OFF:
            route, first = self.luck.choice((ANSWER, POST)), self.luck.randrange(8)
            self.local.discord.faults.order(Fault(route, hang=1.0, pass_first=first, then=self._cut_off))

    def _cut_off(self) -> None:
        self.counts["struck: the server of the database is cut off and started again"] += 1
        self.outage = asyncio.create_task(self._away(self.luck.choice(OUTAGES)))

    async def _away(self, seconds: float) -> None:
        assert self.server is not None, "only a server has outages"
        await asyncio.to_thread(self.server.stop)
        await asyncio.sleep(seconds)
        await asyncio.to_thread(self.server.start)

    async def _server_is_back(self) -> None:
        if self.outage is not None:
            await self.outage

    def _trap(self, kill: Kill) -> None:
        after, first = kill.when == "after", kill.number - 1
        self.local.discord.faults.order(Fault(kill.what, cut=True, after=after, pass_first=first, then=self._kill))

    async def _play(self) -> None:
        assert self.kill is not None, "each process has one"
        longest = self.kill.number / 1000 if self.kill.kind == MOMENT else self.longest
        await self._open(lambda: False, longest)

    async def _open(self, enough: Callable[[], bool], longest: float) -> None:
        """Let users play until `enough` holds or the time is over, and kill the bot if it still runs."""
        self._come_in()
        tables = [asyncio.create_task(self._request(place)) for place in self.users]
        await self._until(enough, longest)
        self._kill("at any moment")
        await asyncio.gather(*tables)

    def _come_in(self) -> None:
        """Seat the users, at a new table too if the kill needs one, and tell them what to prefer."""
        assert self.kill is not None, "each process has one"
        request = request_for(self.kill.what)
        if not self.users:
            for game, number in TABLES:
                self._sit_down(game, game, number)
            self._sit_down(ALONE, self._any_game(), 1)
            self._hold_league()
        if request.at_new_table:
            place = f"new-{self.starts}"
            self.local.add_channel(place)
            self._sit_down(place, self._any_game(), 2)
        for user in chain(*self.users.values()):
            user.request = request

    def _any_game(self) -> str:
        return self.luck.choice([game for game, _ in TABLES])

    def _sit_down(self, place: str, game: str, number: int) -> None:
        verbs = verbs_of(self.local)
        self.users[place] = [
            User(
                self._player(name, place),
                game,
                Random(f"{self.seed} {place} {name}"),
                verbs,
                direct=name in WANTING_DIRECT,
                in_thread=place in IN_THREADS,
            )
            for name in self.luck.sample(PEOPLE, number)
        ]

    def _hold_league(self) -> None:
        """Let all people play in a league, with another person as its moderator."""
        verbs = verbs_of(self.local)
        eva = self.local.player(ORGANIZER, LEAGUE)
        people = [(Contestant, self.local.player(name, LEAGUE).in_newest_thread(name)) for name in PEOPLE]
        self.users[LEAGUE] = [
            kind(player, "gangs", Random(f"{self.seed} {LEAGUE} {player.name}"), verbs)
            for kind, player in ((Organizer, eva), *people)
        ]

    def _player(self, name: str, place: str) -> Player:
        if place == ALONE:
            return self.local.player(name).in_dm()
        return (
            self.local.player(name, place).in_newest_thread() if place in IN_THREADS else self.local.player(name, place)
        )

    async def _request(self, place: str) -> None:
        """Let the users of a table do one thing after another until the bot has ended."""
        users = self.users[place]
        while not self._has_ended():
            due = [user for user in users if user.is_due()]
            await self.luck.choice(due if due and self.luck.random() < 0.9 else users).act()
            self.counts["acts of people"] += 1
            await asyncio.sleep(0)

    # --- kills ---

    def _kill(self, how: str = "") -> None:
        if self.bot is not None and self.bot.is_running and not self.bot.expected_end:
            self.bot.expected_end = True
            with suppress(ProcessLookupError):
                os.kill(self.bot.pid, signal.SIGKILL)
            assert self.kill is not None, "each process has one"
            if not how:
                self.kill_plan.struck[self.kill.what] += 1
            self.counts[f"killed: {how or f'{self.kill.when} {self.kill.what}'}"] += 1

    async def _kill_bot(self) -> None:
        assert self.bot is not None, "it was started"
        self._kill("at any moment")
        code = await self.bot.ended
        await self._server_is_back()
        if code == -signal.SIGKILL:
            self.counts["kills"] += 1
        else:
            self.counts["ended because Discord refused it for good"] += 1
            said_so = any(fault.struck and fault.fate in FOR_GOOD for _, fault in self.laid)
            if not said_so or code != 1:
                raise Breach(f"the bot does not end without a reason: {code}\n{self.bot.tail(40)}")

    def _has_ended(self) -> bool:
        return self.bot is None or not self.bot.is_running or self.bot.expected_end

    def _ended(self) -> None:
        self.local.discord.interactions.abandon()
        self.local.discord.changed()

    def _lift(self) -> None:
        self.local.discord.faults.lift()
        self.local.discord.faults.release()
        for row, fault in self.laid:
            if fault.struck:
                self.counts[f"struck: {row.kind}"] += fault.struck
        self.lifted, self.laid = self.laid, []

    def _was_refused(self) -> bool:
        """Whether Discord may have refused a message of this process for good."""
        met = (fault for _, fault in (*self.lifted, *self.laid) if fault.struck)
        return any(fault.status in range(400, 500) and fault.status != 429 for fault in met)

    async def _end_well(self) -> None:
        """Check that users can play on in one more process without faults."""
        await self._start(NEVER)
        await self._came_to_rest()
        accepted = self.auditor.ledger.accepted
        before = len(accepted)
        await self._open(lambda: len(accepted) > before, ALLOWED)
        if len(accepted) == before:
            raise Breach("games go on: no move was accepted")
        await self._kill_bot()
        self.auditor.look_at_records()
        await look_at_standings(self.address, self.auditor.look, self.auditor.promises)

    # --- watching ---

    async def _until(self, look: Callable[[], bool], longest: float) -> None:
        """Wait until a condition holds or the bot is dead, for at most `longest` seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(longest):
                while not (self._has_ended() or look()):  # noqa: ASYNC110 (a database sends no notifications)
                    await asyncio.sleep(0.02)

    def _hear(self, line: str) -> None:
        self.local.journal.say(f"    log: {line}")
        if hit := KILLED_LINE.search(line):
            self.kill_plan.struck[hit[1].partition(" ")[2]] += 1
            self.counts[f"killed: {hit[1]}"] += 1

    def _look_at_log(self) -> None:
        assert self.bot is not None, "it was started"
        for line in self.bot.log:
            matched = ENDING.match(line)
            if matched and not HARMLESS.match(line):
                raise Breach(f"nothing unforeseen goes wrong: {line}\n" + self.bot.tail(60))
        if violations := self.local.violations:
            raise Breach(f"no rule of Discord is broken: {violations[:3]}")

    def _sum_up(self) -> None:
        self.counts += league_counts(self.auditor.look)
        for record in self.auditor.records.values():
            self.counts[f"games {record.status}"] += 1
            self.counts[f"games of {record.game}"] += 1
        self.counts["moves accepted"] += len(self.auditor.ledger.accepted)
        self.counts["entries written"] += sum(len(record.log) for record in self.auditor.records.values())
        self.counts += self.auditor.promises.counts

    def _report(self, breach: Breach) -> str:
        parts = (f"run {self.seed}, start {self.starts}, kill {self.kill}", "plan:", str(self.plan), str(breach))
        return "\n".join((*parts, self.local.transcript(80)))

"""`python -m tests.bench.shards`: processes that share a database on a server, one of them killed every minute.

People type whole turns at tables in servers of all shards, in the local Discord, which gives an answer three seconds.
Those who get none look at their table when its process is back, and go on from its log.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from bot.features.play.your_move import AGAIN
from engine.core import GameSpec, field_types
from engine.games import discover
from engine.match import Entry, Match
from engine.notation import field_values
from engine.texts import Seat
from playground.acts import Acts
from playground.botprocess import BotProcess
from playground.harness import Playground
from playground.interactions import PATIENCE, Interaction
from playground.local import Notice
from playground.reading import text_of
from playground.world import Channel, User
from tests.bench.measure import CPU, cpu_seconds, percentile, resident_mb, short
from tests.bench.walk import Walk
from tests.server import Server, running_server

HANGING = 30.0
"""Seconds after which a player stops waiting for a board, and looks at their table."""

LOOKS = 1.0
"""Seconds between two looks whether a process is back."""


@dataclass
class Tally:
    """Experience of the people: seconds from an act to its answer and to its board, and what went wrong."""

    answered: list[float] = field(default_factory=list)
    posted: list[float] = field(default_factory=list)
    away: list[float] = field(default_factory=list)
    moves: int = 0
    unanswered: int = 0
    late: int = 0
    lost: list[str] = field(default_factory=list)


class Houses:
    """The processes, each with its share of the shards, and where their CPU time goes."""

    def __init__(self, local: Playground, database: str, folder: Path, number: int) -> None:
        self._local = local
        self._database = database
        self._folder = folder
        self._bots: list[BotProcess] = []
        self._spent = 0.0
        self.number = number
        self.starts: list[float] = []
        self.back: list[asyncio.Event] = [asyncio.Event() for _ in range(number)]

    async def open(self) -> None:
        """Start them one after the other, as Discord wants it."""
        for shard in range(self.number):
            self._bots.append(await self._start(shard))

    async def _start(self, shard: int) -> BotProcess:
        folder = self._folder / str(shard)
        folder.mkdir(exist_ok=True)
        env = {
            "BENCH_MODULE": "bot",
            "BENCH_NOTES": str(folder / "notes"),
            "DATA_DIR": str(folder),
            "DATABASE_URL": self._database,
            "SHARDS": f"{shard}/{self.number}",
            "SEARCH": "processes:1",
            "STORIES": "no",
            "LOG_LEVEL": "WARNING",
        }
        bot = await self._local.start_bot("tests.bench.probed", env=env)
        self.back[shard].set()
        self.starts.append(cpu_seconds(bot.pid))
        return bot

    async def kill(self, shard: int) -> float:
        """`kill -9`, and a new start. Returns the seconds that this took."""
        begun = time.monotonic()
        self._spent += cpu_seconds(self._bots[shard].pid)
        self.back[shard].clear()
        await self._bots[shard].kill()
        self._bots[shard] = await self._start(shard)
        return time.monotonic() - begun

    @property
    def cpu(self) -> float:
        """CPU seconds of all of them so far, without those of their starts."""
        return self._spent + sum(cpu_seconds(bot.pid) for bot in self._bots) - sum(self.starts)

    @property
    def memory(self) -> list[float]:
        """Megabytes of each."""
        return [resident_mb(bot.pid) for bot in self._bots]


class Street:
    """The shared objects of the tables: the local Discord, the processes, the logs, and the tally."""

    def __init__(self, local: Playground, houses: Houses, server: Server, database: str) -> None:
        self.local = local
        self.houses = houses
        self.tally = Tally()
        self.acts = Acts(local.discord)
        self.boards: defaultdict[int, list[tuple[int, str, float]]] = defaultdict(list)
        self._ask = partial(server.tell, database)
        local.discord.watchers.add(self._watch)

    def _watch(self, notice: Notice) -> None:
        """Note public messages with a picture the first time they are seen."""
        if notice.kind != "message" or notice.data["ephemeral"] or not notice.data["attachments"]:
            return
        message_id, boards = int(notice.data["id"]), self.boards[int(notice.data["channel_id"])]
        if all(message_id != earlier for earlier, _, _ in boards[-3:]):
            boards.append((message_id, notice.data["attachments"][0]["filename"], time.monotonic()))

    @property
    def doubled(self) -> int:
        """Boards that were posted more than once."""
        names = [Counter(name for _, name, _ in boards) for boards in self.boards.values()]
        return sum(number - 1 for counted in names for number in counted.values())

    async def match(self, channel_id: int) -> tuple[int, str, dict[str, Any]]:
        """The newest match of a channel: id, seed and options."""
        query = f"SELECT id, seed, options::text FROM matches WHERE channel_id = {channel_id} ORDER BY id DESC LIMIT 1"
        ((match_id, seed, options),) = await self._ask(query)
        return match_id, seed, json.loads(options)

    async def entries(self, match_id: int) -> list[Entry]:
        """Stored entries of a match."""
        rows = await self._ask(f"SELECT seat, notation FROM entries WHERE match_id = {match_id} ORDER BY n")
        return [Entry(Seat(seat), notation) for seat, notation in rows]


class Table:
    """People at a table who never stop."""

    def __init__(self, street: Street, guild_id: int, shard: int, specs: Iterator[GameSpec], pause: float) -> None:
        self._street = street
        self._guild_id = guild_id
        self._shard = shard
        self._specs = specs
        self._pause = pause
        self._rng = Random(f"table {guild_id}")
        self._channel: Channel | None = None
        self._walk: Walk | None = None
        self._match_id, self._seed, self._last = 0, "", ""

    async def play(self, until: float) -> None:
        """Play one turn after the other, with pauses."""
        while time.monotonic() < until:
            if self._walk is None or self._walk.over:
                await self._begin(next(self._specs))
            await self._move()
            await asyncio.sleep(self._rng.expovariate(1 / self._pause) if self._pause else 0)

    async def _begin(self, spec: GameSpec) -> None:
        new = f"table-{self._guild_id}-{spec.slug}-{time.monotonic_ns()}"
        self._channel = self._street.local.add_channel(new, guild=self._guild_id)
        people = [self._person(n) for n in range(spec.seats[0])]
        await self._surely(people[0], "table new", game=spec.slug)
        for person in people[1:]:
            await self._surely(person, "game join")
        await self._surely(people[0], "table start")
        for person in people[1:] if spec.hands else ():
            await self._surely(person, "game ready")
        await self._board_after(0)
        self._match_id, self._seed, options = await self._street.match(self._channel.id)
        self._walk = Walk(spec, spec.seats[0], self._seed, options)

    def _person(self, number: int) -> User:
        name = f"Guest {self._guild_id % 100000}-{number}"
        return self._street.local.discord.world.user_named(name) or self._street.local.discord.add_member(name)

    async def _surely(self, person: User, path: str, **typed: str) -> None:
        while not await self._answered(self._type(person, path, **typed)):
            await self._street.houses.back[self._shard].wait()

    def _type(self, person: User, path: str, **typed: Any) -> Interaction:
        assert self._channel is not None, "people sit in it"
        return self._street.acts.slash(person, self._channel, path, typed)

    async def _answered(self, begun: Interaction) -> bool:
        await self._street.local.discord.notifier.until(lambda: begun.is_answered, HANGING)
        if begun.failed or begun.answer is None:
            self._street.tally.unanswered += 1
            await asyncio.sleep(LOOKS)
            return False
        assert begun.timing.acknowledged is not None, "it was answered"
        self._street.tally.answered.append(begun.timing.acknowledged - begun.timing.created)
        return True

    async def _move(self) -> None:
        assert self._walk is not None, "a game is played"
        assert self._channel is not None, "people sit in it"
        seat, action = self._walk.choose()
        typed = dict(zip(field_types(type(action)), field_values(action), strict=False))
        posted_before = len(self._street.boards[self._channel.id])
        begun = self._type(self._person(seat), f"{self._walk.match.spec.slug} {action.verb}", **typed)
        if not await self._answered(begun) or _asks_again(begun):
            await self._look_again()
            return
        self._street.tally.moves += 1
        self._last = f"{begun.label}: {text_of(begun.answer) if begun.answer else None}"
        if self._walk.play(seat, action)[1]:
            await self._wait_for_board(begun, posted_before)

    async def _wait_for_board(self, begun: Interaction, known: int) -> None:
        try:
            self._street.tally.posted.append(await self._board_after(known) - begun.timing.created)
        except TimeoutError:
            self._street.tally.late += 1
            await self._look_again()

    async def _board_after(self, known: int) -> float:
        assert self._channel is not None, "people sit in it"
        boards = self._street.boards[self._channel.id]
        await self._street.local.discord.notifier.until(lambda: len(boards) > known, HANGING)
        return boards[known][2]

    async def _look_again(self) -> None:
        """Go on from the log, which must have every move that was answered."""
        assert self._walk is not None, "a game is played"
        await self._street.houses.back[self._shard].wait()
        await self._surely(self._person(0), "game board")
        reply, match = self._walk.match.entries, self._walk.match
        written = await self._street.entries(self._match_id)
        if list(reply) != written[: len(reply)]:
            self._street.tally.lost.append(f"{self._last} -> {written[len(reply) - 3 : len(reply) + 3]}")
        self._walk.match = Match.replay(match.spec, match.setup, self._seed, written)


def _asks_again(begun: Interaction) -> bool:
    """Whether the bot asks for a confirmation: the player did this before, and a kill cut off the answer."""
    return begun.answer is not None and str(AGAIN) in text_of(begun.answer)


async def _kill_in_turn(street: Street, every: float, until: float) -> None:
    """Kill one process after the other."""
    for shard in itertools.cycle(range(street.houses.number)):
        if time.monotonic() + every > until:
            return
        await asyncio.sleep(every)
        street.tally.away.append(await street.houses.kill(shard))


@asynccontextmanager
async def _street(processes: int, folder: Path, server: Server) -> AsyncIterator[Street]:
    async with Playground(strict=False, patience=PATIENCE) as local:
        address = await server.database()
        houses = Houses(local, address, folder, processes)
        yield Street(local, houses, server, Path(address.partition("?")[0]).name)


async def _measure(asked: argparse.Namespace, folder: Path, server: Server) -> None:
    async with _street(asked.processes, folder, server) as street:
        guilds = [street.local.add_guild(n % asked.processes, asked.processes) for n in range(asked.tables)]
        games = list(discover().values())
        await street.houses.open()
        tables = [
            Table(street, guild_id, n % asked.processes, itertools.cycle(games[n % len(games) :] + games), asked.pause)
            for n, guild_id in enumerate(guilds)
        ]
        start, own, bots, stored = time.monotonic(), CPU(), street.houses.cpu, _cpu_of(server)
        until = start + 60 * asked.minutes
        await asyncio.gather(_kill_in_turn(street, asked.kill, until), *(table.play(until) for table in tables))
        _tell(street, time.monotonic() - start, street.houses.cpu - bots, CPU() - own, _cpu_of(server) - stored)


def _cpu_of(server: Server) -> float:
    """CPU seconds of the connections that are open; those of killed processes have taken theirs with them."""
    return sum(map(cpu_seconds, server.pids))


def _tell(street: Street, wall: float, bots: float, own: float, stored: float) -> None:
    tally = street.tally
    print(f"{street.houses.number} processes, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {wall:.0f} s")
    print(f"moves: {tally.moves}, {short(tally.moves / wall)}/s")
    for what, times in (("act to answer", tally.answered), ("act to board", tally.posted), ("away", tally.away)):
        if times:
            print(f"{what}: {_spread(times)}")
    print(f"unanswered: {tally.unanswered}, boards late: {tally.late}, boards twice: {street.doubled}")
    print(f"answered and not written: {len(tally.lost)}", *tally.lost, sep="\n")
    bot, local, database = (short(1000 * cpu / tally.moves) for cpu in (bots, own, stored))
    print(f"CPU a move: processes {bot} ms, database {database} ms, playground {local} ms")
    print(f"CPU a start: {_spread(street.houses.starts)}")
    print(f"memory: {', '.join(map(short, street.houses.memory))} MB")


def _spread(times: Sequence[float]) -> str:
    figures = (f"p{percent} {short(1000 * percentile(times, percent))}" for percent in (50, 95, 99))
    return f"{', '.join(figures)} ms of {len(times)}"


def main() -> None:
    """Measure, and print the results."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.shards", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--tables", type=int, default=16)
    parser.add_argument("--pause", type=float, default=2, help="mean seconds between two moves at a table")
    parser.add_argument("--kill", type=float, default=60, help="seconds between two kills")
    arguments = parser.parse_args()
    with TemporaryDirectory(prefix="shards-") as folder, running_server() as server:
        asyncio.run(_measure(arguments, Path(folder), server))


if __name__ == "__main__":
    main()

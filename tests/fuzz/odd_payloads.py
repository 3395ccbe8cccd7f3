"""`python -m tests.fuzz.odd_payloads`: every payload that the bot gets in whole games, with one odd place at a time.

The payloads come from games of all kinds in the local Discord, and each oddity is a fault of the playground, which is
named by its route, its path and its change. After each, the bot must live, answer, and play on.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sys
import tempfile
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import discord

from bot.connection import stay_connected
from bot.gateway.client import ResilientClient
from bot.gateway.reports import forget_reports
from bot.logs import brief, matters
from engine.games import discover
from engine.values import Value
from playground.interactions import Cause, Interaction
from playground.oddities import Oddity, oddities, places
from playground.permissions import Permission
from playground.player import Player
from playground.wire import TOKEN
from playground.world import Channel, ChannelKind
from tests.bot.app import App, NoCrashes, open_app
from tests.robots import Tapper, due_robots, is_over
from tests.rooms import Room, start_game

INTERACTION = "EVENT INTERACTION_CREATE"
LOGIN = ("GET /users/@me", "GET /oauth2/applications/@me", "GET /gateway/bot")
GREETINGS = ("HELLO", "READY", "GUILD_CREATE", "RESUMED")
PEOPLE = ("Ana", "Ben", "Caro")

# without them, Discord would not accept an answer either
ANSWERABLE = ("d.id", "d.token")
PATIENCE = 60
"""Seconds, by the clock of the bot, after which an interaction counts as unanswered."""


class Case(Value):
    """An oddity of an event or an answer. `sample` is an interaction of that kind, which is done once more."""

    route: str
    oddity: Oddity
    sample: Interaction | None = None

    @property
    def kind(self) -> str:
        """Name of its row in the count."""
        cause = f" ({self.sample.cause.name.lower()})" if self.sample else ""
        return f"{self.route}{cause}: {self.oddity.change}"

    def __str__(self) -> str:
        return f"{self.route}: {self.oddity}" + (f" ({self.sample.label})" if self.sample else "")


@dataclass
class Result:
    """The number of cases by kind, all failures, and the number of answers that the bot never asked for."""

    tried: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    unused: int = 0

    def __str__(self) -> str:
        rows = [f"{count:6} {kind}" for kind, count in sorted(self.tried.items())]
        return "\n".join(
            [
                *rows,
                f"{self.tried.total():6} in all, {self.unused} never sent",
                *self.failures,
                f"{len(self.failures)} failures",
            ]
        )


# --- games, from which the payloads come ---


@dataclass
class Table:
    """A game in a channel of its own, which robots play by tapping."""

    app: App
    game: str
    room: Room
    robots: dict[int, Tapper]
    luck: Random

    @classmethod
    async def begin(cls, app: App, game: str, luck: Random) -> Table:
        """Set up a table and start."""
        room = app.room()
        people = room.people(*PEOPLE)
        await people[0].slash("table new", game=game)
        for person in people[1:]:
            await person.tap("Join")
        await start_game(*people)
        robots = {person.id: Tapper(person, luck, NoCrashes(app.local)) for person in people}
        return cls(app, game, room, robots, luck)

    async def play(self, turns: int) -> None:
        """Play some turns, or to the end."""
        board = await self.room.board()
        while turns and not is_over(board):
            await self.luck.choice(due_robots(board, dict(self.robots))).take_turn(board)
            board = await self.room.board(after=board)
            turns -= 1

    def doubled(self) -> list[str]:
        """Boards that were posted twice."""
        return [name for name, count in Counter(self.room.boards).items() if count > 1]

    def moves(self) -> int:
        """Entries of all games in the database."""
        return int(self.app.query("SELECT count(*) FROM entries")[0][0])


async def look_around(table: Table) -> None:
    """Use commands, suggestions and a form, beside the taps of a game."""
    ana: Player = table.room.person("Ana")
    await ana.slash("game board")
    rules = await ana.slash("game rules", game=table.game)
    await ana.tap("Search", on=rules)
    await ana.submit({"What are you looking for?": "turn"})
    await ana.suggest("game rules", "section", "1", game=table.game)
    await ana.slash("me settings")
    await ana.slash("table pace")
    await ana.slash("stats player")


def change_server(app: App) -> None:
    """Cause the events about channels, threads, roles and members."""
    local, discord = app.local, app.local.discord
    parent, role = local.add_channel("odd"), local.add_role("odd")
    thread = discord.open_channel(
        Channel(discord.world.ids.next(), "thread", kind=ChannelKind.PUBLIC_THREAD, parent_id=parent.id, owner_id=1)
    )
    discord.join_thread(thread, discord.world.bot)
    local.set_thread("thread", archived=True)
    local.set_thread("thread", archived=False)
    local.forbid("odd", "EMBED_LINKS")
    discord.change_role(role, Permission.EMBED_LINKS)
    discord.give_role(discord.world.bot, role)
    local.delete_channel("thread")
    local.delete_channel("odd")
    discord.delete_role(role)
    world = discord.world
    local.gateway.dispatch("GUILD_UPDATE", discord.payloads.guild_rest(world.guild_id))
    local.gateway.dispatch("GUILD_DELETE", {"id": str(world.ids.next())})


def interactions_of(app: App) -> Iterator[Interaction]:
    """One interaction of each cause and form."""
    forms: set[object] = set()
    for interaction in list(app.local.discord.interactions._by_token.values()):
        form = (interaction.cause, frozenset(path for path, _ in places(interaction.event)))
        if form not in forms:
            forms.add(form)
            yield interaction


def frames_of(app: App) -> dict[str, Any]:
    """The last frame of each event."""
    frames = {}
    for session in app.local.gateway._sessions.values():
        for _, text in session.sent:
            frame = json.loads(text)
            frames[frame["t"]] = frame
    return frames


def cases_of(app: App) -> list[Case]:
    """Every oddity of every payload, each place of a form once."""
    cases: dict[object, Case] = {}
    for interaction in interactions_of(app):
        for oddity in oddities({"op": 0, "t": "", "s": 0, "d": interaction.event}):
            cases.setdefault((interaction.cause, oddity), Case(INTERACTION, oddity, interaction))
    frames = frames_of(app)
    frames["HELLO"] = {"op": 10, "d": {"heartbeat_interval": 1}, "s": None, "t": None}
    frames["RESUMED"] = {"op": 0, "d": {"_trace": []}, "s": 1, "t": "RESUMED"}
    frames.pop("INTERACTION_CREATE", None)
    payloads = {f"EVENT {event}": frame for event, frame in frames.items()}
    payloads |= {_route(template): answer for template, answer in app.local.journal.answers.items()}
    for route, payload in payloads.items():
        if payload is not None:
            cases |= {(route, oddity): Case(route, oddity) for oddity in oddities(payload)}
    return list(cases.values())


def _route(template: str) -> str:
    """The pattern of a fault for a template such as `GET /channels/{channel_id}`."""
    method, path = template.split(" ")
    return " ".join([method, "/".join("*" if step.startswith("{") else step for step in path.split("/"))])


# --- one case ---


class Fuzz:
    """Tries cases against a running bot."""

    def __init__(self, app: App, tables: list[Table]) -> None:
        self.app = app
        self.tables = deque(tables)
        self.result = Result()
        self._frames = frames_of(app)
        self._doubled: set[str] = set()

    async def run(self, cases: Iterable[Case]) -> None:
        """Try all cases; each failure is noted with the name of its case."""
        for number, case in enumerate(cases):
            if number % 200 == 0:
                print(f"{number} tried, {len(self.result.failures)} failures", file=sys.stderr, flush=True)
            self.result.tried[case.kind] += 1
            before = len(self.app.local.violations)
            forget_reports()
            try:
                # by the clock of the bot, which may wait a quarter of an hour to connect again
                async with asyncio.timeout(100_000):
                    await self.trial(case)
            except Exception as error:
                self.result.failures.append(f"{case}: {type(error).__name__} {str(error).splitlines()[:1]}")
            self.app.local.lift()
            self.result.failures += [f"{case}: {text[:300]}" for text in self.app.local.violations[before:]]
            if self.app.ended:
                self.result.failures.append(f"{case}: the process ended")
                await self.app.open()

    async def trial(self, case: Case) -> None:
        """Let one payload be odd and see that the bot works."""
        event = case.route.removeprefix("EVENT ")
        if case.sample is not None:
            await self._interaction(case, case.sample)
        elif case.route in LOGIN:
            await self._start(case)
        elif event in GREETINGS:
            await self._greeting(case)
        elif event != case.route:
            await self._event(case, event)
        else:
            await self._answer(case)
        await self._works()
        # a server that could not be read counts as unavailable until it comes again
        if event in GREETINGS or event.startswith("GUILD_"):
            await self._greet_again()

    async def _interaction(self, case: Case, sample: Interaction) -> None:
        local = self.app.local
        odd = local.vary(case.route, case.oddity.path, case.oddity.change)
        screen = sample.event["message"]["components"] if sample.source else None
        again = local.discord.begin(
            sample.cause,
            sample.user,
            sample.channel,
            sample.event["data"],
            label=sample.label,
            source=sample.source,
            screen=screen,
        )
        again.option_type = sample.option_type
        assert odd.struck
        if not _can_be_answered(case):
            again.failed = True
            return
        for _ in range(PATIENCE * 4):
            if again.callback is not None or self.app.ended:
                return
            await self.app.idle(0.25 if local.gateway.is_connected else 20)
        raise AssertionError("it was not answered")

    async def _event(self, case: Case, event: str) -> None:
        odd = self.app.local.vary(case.route, case.oddity.path, case.oddity.change)
        self.app.local.gateway.dispatch(event, self._frames[event]["d"])
        assert odd.struck

    async def _answer(self, case: Case) -> None:
        """The answer to a request of the bot is odd while a robot takes a turn."""
        table = await self._next_table()
        before = table.moves()
        odd = self.app.local.vary(case.route, case.oddity.path, case.oddity.change)
        # a robot gives up if its own answer is lost
        with suppress(Exception):
            async with asyncio.timeout(5):
                await table.play(1)
                await look_around(table)
        await self.app.let_pass(40)
        if not odd.struck:
            self.result.unused += 1
        if table.moves() < before:
            raise AssertionError(f"{before} moves have become {table.moves()}")
        if new := set(table.doubled()) - self._doubled:
            self._doubled |= new
            raise AssertionError(f"a board is there twice: {new}")

    async def _next_table(self) -> Table:
        """The next game in turn; one that is over is begun anew."""
        table = self.tables.popleft()
        if is_over(await table.room.board()):
            table = await Table.begin(self.app, table.game, table.luck)
        self.tables.append(table)
        return table

    async def _greeting(self, case: Case) -> None:
        odd = self.app.local.vary(case.route, case.oddity.path, case.oddity.change)
        if not case.route.endswith("RESUMED"):
            self.app.local.gateway.forget()
        self.app.local.gateway.hang_up()
        await self._until(lambda: bool(odd.struck))

    async def _greet_again(self) -> None:
        self.app.local.lift()
        before = self.app.local.gateway.identified
        self.app.local.gateway.forget()
        self.app.local.gateway.hang_up()
        await self._until(lambda: self.app.local.gateway.identified > before)
        await self._works()

    async def _until(self, holds: Callable[[], bool]) -> None:
        """Let time pass until a condition holds."""
        for _ in range(1000):
            if holds() or self.app.ended:
                return
            await self.app.idle(20)
        raise AssertionError("the bot does not come back")

    async def _start(self, case: Case) -> None:
        """A client of its own that logs in, since that is over for the bot."""
        self.app.local.vary(case.route, case.oddity.path, case.oddity.change)
        client = Arriving()
        async with client:
            await stay_connected(client, TOKEN, pause=lambda _: asyncio.sleep(0))
        assert client.arrived

    async def _works(self) -> None:
        """The bot is connected, or will be soon, and answers."""
        for _ in range(5):
            await self.app.idle(0.01)  # an odd frame that breaks the connection has done so by now
        await self._until(lambda: self.app.local.gateway.is_connected)
        if not self.app.ended:
            await self.app.breathe()


def _can_be_answered(case: Case) -> bool:
    path, change = case.oddity.path, case.oddity.change
    if change == "extra":
        return True
    whole = path in (".", "d", "op", "t")
    # only suggestions may answer a request for suggestions
    untyped = path == "d.type" and case.sample is not None and case.sample.cause is Cause.AUTOCOMPLETE
    return not (whole or untyped or path in ANSWERABLE)


class Arriving(ResilientClient):
    """A client that leaves as soon as it is ready."""

    def __init__(self) -> None:
        async def no_pause(_: float) -> None: ...

        super().__init__(pause=no_pause, intents=discord.Intents(guilds=True), guild_ready_timeout=0.0)
        self.arrived = False

    async def on_ready(self) -> None:
        """Leave."""
        self.arrived = True
        await self.close()


# --- all of them ---


async def fuzz(app: App, games: list[str], *, turns: int, most: int, luck: Random, answers: bool = False) -> Result:
    """Play the games, try cases, and play on: no board may be there twice, and no move may be lost.

    `answers`: of answers to requests of the bot, otherwise of events and of the answers at its start.
    """
    filters = (("discord.shard", brief), ("discord.app_commands.tree", matters))
    for name, keeps in filters:
        logging.getLogger(name).addFilter(keeps)
    tables = [await Table.begin(app, game, luck) for game in games]
    for table in tables:
        await table.play(turns)
        await look_around(table)
    change_server(app)
    at_start = ("EVENT", *LOGIN)
    cases = [case for case in cases_of(app) if case.route.startswith(at_start) != answers]
    moves = tables[0].moves()
    trials = Fuzz(app, tables)
    await trials.run(luck.sample(cases, most) if most < len(cases) else cases)
    result = trials.result
    if tables[0].moves() != moves and not answers:
        result.failures.append(f"{moves} moves have become {tables[0].moves()}")
    for table in trials.tables:
        await table.play(turns)
        result.failures += [f"a board of {table.game} is there twice: {name}" for name in table.doubled()]
    for name, keeps in filters:
        logging.getLogger(name).removeFilter(keeps)
    return result


@asynccontextmanager
async def _app() -> AsyncIterator[App]:
    with tempfile.TemporaryDirectory(prefix="odd-") as folder:
        async with open_app(Path(folder)) as app:
            yield app
            app.local.allow("")  # the result has all of them


async def _run(most: int, seed: int, turns: int, *, answers: bool) -> Result:
    async with _app() as app:
        games = list(discover())
        return await fuzz(app, games, turns=turns, most=most, luck=Random(seed), answers=answers)


def main() -> None:
    """Try cases, by default all; print how many were tried, by kind, and what went wrong."""
    parser = argparse.ArgumentParser("python -m tests.fuzz.odd_payloads", description=__doc__)
    parser.add_argument("--tries", type=int, default=10**9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns", type=int, default=40, help="turns of each game before and after")
    parser.add_argument("--answers", action="store_true", help="odd answers to requests instead of odd events")
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)
    result = asyncio.run(_run(arguments.tries, arguments.seed, arguments.turns, answers=arguments.answers))
    print(result)
    sys.exit(bool(result.failures))


if __name__ == "__main__":
    main()

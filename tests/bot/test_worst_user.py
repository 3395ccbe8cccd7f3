"""The most expensive commands of one user do not keep other users waiting.

Counted is work, since times depend on the machine: the connection to the database is held for a few rows and steps at a
time, a tap causes a few requests, and suggestions look at a few letters. So the next user in line is served soon.
"""

from __future__ import annotations

import asyncio
import threading
import unicodedata
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from bot.commands import all_commands
from bot.features.leagues.standings import Played
from bot.interactions import limits
from bot.store.database import Database
from bot.store.sqlite import SQLite
from engine.core import GameSpec, field_types
from engine.games import discover
from engine.match import Match
from engine.notation import field_values
from engine.record import Record, format_record
from playground.player import Player
from tests.bot.ahead import newest
from tests.bot.app import App
from tests.bot.crowds import PLAYERS, ROUNDS, games_over, league_over
from tests.bot.moderating import begin, moderator
from tests.bot.watch import Watch
from tests.rooms import Room, play_move

MAX_ROWS, MAX_STEPS = 4_000, 200_000
"""Most rows, and most steps of SQLite's machine, while others wait for the connection. A step takes about 30 ns."""

MAX_LETTERS = 2_000
"""Most letters of which accents are taken off for one suggestion."""

MAX_TABLES = PLAYERS // 2 * ROUNDS
"""Most tables of which the points are counted for an act: those of the league, each once."""

MAX_REQUESTS = 9
"""Most requests to Discord that an act causes, beside those for members."""

FEW = 10
"""Commands of another user meanwhile."""

STRIDE = 1_000
"""Steps of SQLite's machine between two calls of the handler that counts them."""


@dataclass
class Work:
    """Work since the last look: rows, steps, letters, requests, and the most of rows and steps at a time.

    `tables` are the tables of leagues whose points were counted, `tables_on_loop` those that kept the event loop busy.
    """

    rows: int = 0
    steps: int = 0
    letters: int = 0
    most_rows: int = 0
    most_steps: int = 0
    requests: int = 0
    tables: int = 0
    tables_on_loop: int = 0

    def begin(self) -> None:
        """Somebody has got the connection."""
        self.rows = self.steps = 0

    def end(self) -> None:
        """The next one may have it."""
        self.most_rows, self.most_steps = max(self.most_rows, self.rows), max(self.most_steps, self.steps)


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    """The work of the bot from now on."""
    work, counted = Work(), set[int]()
    fetch, exclusively, normalize = SQLite._fetch, Database._exclusively, unicodedata.normalize
    points = Played.points

    def step() -> None:
        work.steps += STRIDE

    async def counted_fetch(self: SQLite, sql: str, parameters: Any) -> Any:
        if id(self) not in counted:
            counted.add(id(self))
            await self._connection.set_progress_handler(step, STRIDE)
        rows = await fetch(self, sql, parameters)
        work.rows += len(rows)
        return rows

    @asynccontextmanager
    async def counted_hold(self: Database) -> AsyncIterator[None]:
        async with exclusively(self):
            work.begin()
            yield
            work.end()

    def counted_points(self: Played) -> dict[int, Fraction]:
        work.tables += 1
        work.tables_on_loop += threading.current_thread() is threading.main_thread()
        return points(self)

    def counted_letters(form: Any, text: str) -> str:
        work.letters += len(text)
        return normalize(form, text)

    monkeypatch.setattr(SQLite, "_fetch", counted_fetch)
    monkeypatch.setattr(Database, "_exclusively", counted_hold)
    monkeypatch.setattr(Played, "points", counted_points)
    monkeypatch.setattr(unicodedata, "normalize", counted_letters)
    return work


async def fill_database(app: App, room: Room) -> None:
    """Fill the database with games that are over, all of this server and channel, and a league of them."""
    ana, ben, caro = (person.id for person in room.people("Ana", "Ben", "Caro"))
    ((server, channel),) = app.query("SELECT guild_id, channel_id FROM matches LIMIT 1")
    games = games_over(server, channel, ana, ben, caro, "sealed")
    for statement in (*games, *league_over(server, channel, ana, "sealed")):
        await app.change(statement)


@dataclass(frozen=True)
class Scene:
    """A place where a user acts: a room with a game of Ana's and Ben's, in which it is Ana's turn."""

    app: App
    room: Room

    @property
    def ana(self) -> Player:
        """The user."""
        return self.room.person("Ana")


Act = Callable[[Scene], AsyncIterator[None]]
"""Prepares something up to its `yield`, and then does it."""


def typed(path: str, **options: Any) -> Act:
    async def act(scene: Scene) -> AsyncIterator[None]:
        yield
        await scene.ana.slash(path, **options)

    return act


def suggested(path: str, option: str, text: str) -> Act:
    async def act(scene: Scene) -> AsyncIterator[None]:
        yield
        await scene.ana.suggest(path, option, text)

    return act


def tapped(path: str, *labels: str, **options: Any) -> Act:
    """A command and some taps, of which the last one counts."""

    async def act(scene: Scene) -> AsyncIterator[None]:
        page = await scene.ana.slash(path, **options)
        for label in labels[:-1]:
            page = await scene.ana.tap(label, on=page)
        yield
        await scene.ana.tap(labels[-1], on=page)

    return act


async def versus(scene: Scene) -> AsyncIterator[None]:
    """The games of two players against each other."""
    other = scene.room.person("Ben").id
    yield
    await scene.ana.slash("stats versus", who=other)


async def set_up(scene: Scene) -> AsyncIterator[None]:
    """A table with as many invitations as a command has room for."""
    options = ("invite", *(f"invite{number}" for number in range(2, 6)))
    guests = [person.id for person in scene.room.people("Ben", "Caro", "Dan", "Eva", "Finn")]
    host = scene.app.room().person("Ana")
    yield
    await host.slash("table new", game="muses", **dict(zip(options, guests, strict=True)))


async def from_file(scene: Scene) -> AsyncIterator[None]:
    """A long game is played on from a file."""
    file = record_file(discover()["alibaba"])
    learner = scene.app.room().person("Ana")
    yield
    answer = await learner.slash("table continue", file=("game.json", file.encode()), at=1)
    assert "after move 1." in answer


def record_file(spec: GameSpec) -> str:
    """The file of a whole game at random, of as many players as there can be."""
    rng, match = Random("file"), Match.begin(spec, spec.setup(spec.seats[-1], {}), "a seed")
    while match.outcome is None:
        decision = match.state.decisions()[0]
        match.play(decision.seat, rng.choice(decision.options))
    names = ("Ana", "Ben", "Caro", "Dan", "Eva", "Finn")[: spec.seats[-1]]
    return format_record(Record(spec, match.setup, {}, names, "a seed", tuple(match.entries)), match.outcome)


async def undone(scene: Scene) -> AsyncIterator[None]:
    """A move is taken back."""
    await play_move(scene.ana, "sealed bid", coins="3")
    yield
    await scene.ana.slash("game undo")


def move(slug: str) -> Act:
    """The first move of a game with as many players as it takes, typed and confirmed."""

    async def act(scene: Scene) -> AsyncIterator[None]:
        # a user hosts few games at once
        room, names = scene.app.room(), ("Ben", "Ana", "Caro", "Dan", "Eva", "Finn")
        await begin(room, *names[: discover()[slug].seats[-1]], game=slug)
        match, _ = newest(scene.app)
        decision = match.state.decisions()[0]
        option = decision.options[0]
        fields = dict(zip(field_types(type(option)), field_values(option), strict=False))
        yield
        preview = await room.person(names[decision.seat]).slash(f"{slug} {option.verb}", **fields)
        if "Confirm" in preview.labels:
            await room.person(names[decision.seat]).tap("Confirm", on=preview)

    return act


def moderated(path: str) -> Act:
    """A page for moderators."""

    async def act(scene: Scene) -> AsyncIterator[None]:
        eva = moderator(scene.room)
        yield
        await eva.slash(path)

    return act


async def status(scene: Scene) -> AsyncIterator[None]:
    """The page of the operator."""
    operator = scene.room.person(scene.app.local.discord.world.owner.name)
    yield
    await operator.slash("admin status")


FORGOTTEN = "me data, forgotten"
ACTS: dict[str, Act] = {
    **{path: typed(path) for path in ("me games", "me settings", "game list", "game log", "game replay", "game board")},
    **{path: typed(path) for path in ("stats player", "stats server", "stats records", "game rules", "game story")},
    "stats versus": versus,
    "stats player, shown to everyone": tapped("stats player", "Show to everyone"),
    "stats server, as text": tapped("stats server", "As text"),
    "game rules, searched": typed("game rules", search="the player who has most coins wins it", game="muscat"),
    "game replay, suggestions": suggested("game replay", "from", "9" * 100),
    "table continue": from_file,
    "game undo": undone,
    "game move, suggestions": suggested("game move", "what", "a" + "\u0301" * 5_999),
    **{f"{slug}, a move": move(slug) for slug in discover()},
    "league leave": typed("league leave"),
    "league standings": typed("league standings"),
    "league standings, as text": tapped("league standings", "As text"),
    "league standings, shown to everyone": tapped("league standings", "Show to everyone"),
    **{path: moderated(path) for path in ("server games", "server players", "server settings", "server doctor")},
    "admin status": status,
    "table new, with invitations": set_up,
    "table new, suggestions": suggested("table new", "game", "a" + "\u0301" * 5_999),
    "me data, as a file": tapped("me data", "As a file"),
    "game leave, resigned": tapped("game leave", "Resign"),
    FORGOTTEN: tapped("me data", "Forget me", "Forget me for good"),
}
"""Acts of a user, the most expensive way, by the name of the command; those that end something come last."""


CHEAP = frozenset(
    {
        *(f"game {name}" for name in ("hand", "hint", "join", "learn", "ready", "why")),
        *(f"table {name}" for name in ("computers", "end", "invite", "options", "pace", "seats", "start")),
        "league end",
        "league new",
        "me answers",
    }
)
"""Commands that concern one table, league or user, and read nothing of the past."""


def test_every_command_is_among_the_expensive_acts_or_known_as_cheap() -> None:
    names = {command.qualified_name for group in all_commands() for command in group.walk_commands()}
    acts = {name.partition(",")[0] for name in ACTS}
    # one move of a game stands for its others
    moves = {name for name in names if name.split()[0] in discover()}
    assert names - moves == (acts - discover().keys()) | CHEAP
    assert discover().keys() <= acts
    assert acts.isdisjoint(CHEAP)


async def test_no_act_of_one_user_makes_others_wait_for_much_work(app: App, work: Work, watch: Watch) -> None:
    room = app.room()
    await begin(room, "Ana", "Ben")
    await fill_database(app, room)
    scene = Scene(app, room)
    costs = {name: await _cost(work, act, scene) for name, act in ACTS.items()}
    # one transaction deletes everything, and each open table is told, but three times a day at most
    factor = {name: 10 if name == FORGOTTEN else 1 for name in ACTS}
    assert {} == {name: cost.most_rows for name, cost in costs.items() if cost.most_rows > MAX_ROWS}
    assert {} == {name: cost.most_steps for name, cost in costs.items() if cost.most_steps > factor[name] * MAX_STEPS}
    assert {} == {name: cost.requests for name, cost in costs.items() if cost.requests > factor[name] * MAX_REQUESTS}
    assert {} == {name: cost.tables for name, cost in costs.items() if cost.tables > MAX_TABLES}
    assert {} == {name: cost.tables_on_loop for name, cost in costs.items() if cost.tables_on_loop}
    assert {MAX_TABLES} == {cost.tables for name, cost in costs.items() if name.startswith("league standings")}
    letters = {name: cost.letters for name, cost in costs.items() if name.endswith("suggestions")}
    assert letters
    assert max(letters.values()) < MAX_LETTERS


async def _cost(work: Work, act: Act, scene: Scene) -> Work:
    steps, local = act(scene), scene.app.local
    await anext(steps)
    await scene.app.breathe()
    work.letters = work.most_rows = work.most_steps = work.tables = work.tables_on_loop = 0
    before = _requests(local.journal.requests)
    await anext(steps, None)
    await scene.app.breathe()
    requests = _requests(local.journal.requests) - before
    return replace(work, requests=requests)


def _requests(counted: Mapping[str, int]) -> int:
    """All requests but those for members, of which there are a few a second (`bot.interactions.members`)."""
    return sum(number for route, number in counted.items() if "/members/" not in route)


async def test_another_user_is_served_between_the_pieces_of_a_large_file(app: App, work: Work, watch: Watch) -> None:
    room, other = app.room(), app.room()
    await begin(room, "Ana", "Ben")
    await fill_database(app, room)
    ana, dan = room.person("Ana"), other.person("Dan")
    page = await ana.slash("me data")
    file = asyncio.ensure_future(ana.tap("As a file", on=page))
    for _ in range(FEW):
        await dan.slash("me settings")
        assert not file.done(), "Dan did not have to wait for the end of it"
    assert (await file).images
    assert limits.MAX_MY_DATA < 10, "Ana can have it a few times a day only"

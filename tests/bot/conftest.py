"""Fixtures for tests of the whole bot."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
import pytest_asyncio
from discord.app_commands import Group

from bot import commands
from bot.features.play.move_commands import moves_group
from bot.store.opening import file_address, open_database
from bot.store.sqlite import SQLite
from engine.core import GameSpec
from engine.games import discover
from engine.proof import Proof
from tests.bot.app import DATABASE, App, Registration, open_app
from tests.bot.desk import Desk
from tests.bot.fake_clock import FakeClock, use_fake_clock
from tests.bot.plans import PLANS
from tests.bot.refusing import House, house
from tests.bot.timed_app import TimedApp
from tests.bot.watch import Watch
from tests.engine.toys import TOYS
from tests.luck import seed_by_secret


@pytest.fixture(autouse=True)
def no_scans(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Check that no statement of a test's bot reads the whole of a table that grows."""
    fetch, execute_many = SQLite._fetch, SQLite._execute_many

    async def explained_fetch(database: SQLite, sql: str, parameters: Sequence[Any]) -> Any:
        await PLANS.look(database, sql)
        return await fetch(database, sql, parameters)

    async def explained_many(database: SQLite, sql: str, rows: Sequence[Any]) -> None:
        await PLANS.look(database, sql)
        await execute_many(database, sql, rows)

    monkeypatch.setattr(SQLite, "_fetch", explained_fetch)
    monkeypatch.setattr(SQLite, "_execute_many", explained_many)
    PLANS.scans.clear()
    yield
    assert {} == PLANS.scans


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def blank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database that was opened once and is empty."""
    place = tmp_path_factory.mktemp("blank") / DATABASE
    async with open_database(file_address(place)):
        return place


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def registration(tmp_path_factory: pytest.TempPathFactory) -> Registration:
    """The commands with those of the toys. Translating all of them takes a third of a start."""
    with pytest.MonkeyPatch.context() as patch:
        for slug, spec in TOYS.items():
            patch.setitem(discover(), slug, spec)
        async with open_app(tmp_path_factory.mktemp("registration")) as app:
            return await Registration.of(app)


@pytest.fixture(scope="session")
def moves_group_once() -> Callable[[GameSpec], Group]:
    """Make the commands of each game once. They belong to no bot; to make them is a sixth of a start."""
    groups: dict[int, tuple[GameSpec, Group]] = {}

    def group_of(spec: GameSpec) -> Group:
        # the game too: its id would be used again
        if id(spec) not in groups:
            groups[id(spec)] = spec, moves_group(spec)
        return groups[id(spec)][1]

    return group_of


@pytest.fixture
def folder(tmp_path: Path, blank: Path) -> Path:
    """A folder that a bot has used before: creating all tables takes as long as the rest of its start."""
    shutil.copyfile(blank, tmp_path / DATABASE)
    return tmp_path


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot has the games of the tests as well."""
    for slug, spec in TOYS.items():
        monkeypatch.setitem(discover(), slug, spec)


@pytest.fixture
def luck(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Repeat the luck in every run.

    It follows from the name of the test, or from its mark `luck` if the test needs a certain course of the game.
    """
    mark = request.node.get_closest_marker("luck")
    luck = Random(mark.args[0] if mark else request.node.name)
    monkeypatch.setattr(secrets, "token_hex", lambda length: luck.randbytes(length).hex())
    monkeypatch.setattr(Proof, "seed", seed_by_secret)


@pytest.fixture
async def home(toys: None, luck: None) -> AsyncIterator[House]:
    """A bot at a Discord that records its requests: jobs and handlers run without a gateway."""
    async with house() as home:
        yield home


@pytest.fixture
def desk(home: House) -> Desk:
    """Taps and commands at that bot."""
    return Desk(home)


@pytest.fixture
async def app(
    toys: None,
    luck: None,
    folder: Path,
    registration: Registration,
    moves_group_once: Callable[[GameSpec], Group],
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    fake_clock: FakeClock,
) -> AsyncIterator[App]:
    """A bot of its own for a test: it knows the toys as well."""
    monkeypatch.setattr(commands, "moves_group", moves_group_once)
    in_thread = request.node.get_closest_marker("queries_in_thread") is not None
    async with open_app(folder, registration, queries_in_thread=in_thread) as app:
        app.fake_clock = fake_clock
        yield app


@pytest.fixture
async def no_previews(app: App) -> None:
    """Everybody has chosen in their settings that what they type is played without a preview."""
    for person in app.local.discord.world.people:
        await app.prefer(person.id, at_once=True)


@pytest.fixture
def fake_clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    """The clock that the bot reads."""
    return use_fake_clock(monkeypatch)


@pytest.fixture
def timed_app(fake_clock: FakeClock, app: App) -> TimedApp:
    """A bot for which time passes by that clock."""
    return TimedApp(app, fake_clock)


@pytest.fixture
def watch(app: App, monkeypatch: pytest.MonkeyPatch) -> Watch:
    """Knows for whom everything is made, and who sees it; pictures are tiny."""
    return Watch(app.local.discord, monkeypatch)

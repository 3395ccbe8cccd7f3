"""What the tests of the whole bot share."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest
import pytest_asyncio

from bot.store.opening import file_address, opened
from engine.games import discover
from engine.proof import Proof
from tests.bot.inn import DATABASE, Inn, open_inn
from tests.bot.time import Wall, hang_up
from tests.bot.wall import House
from tests.bot.watch import Watch
from tests.engine.toys import TOYS
from tests.luck import seed_by_secret


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def blank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database that was opened once and is empty."""
    place = tmp_path_factory.mktemp("blank") / DATABASE
    async with opened(file_address(place)):
        return place


@pytest.fixture
def folder(tmp_path: Path, blank: Path) -> Path:
    """Where a bot has been before: making all tables anew takes as long as the rest of its start."""
    shutil.copyfile(blank, tmp_path / DATABASE)
    return tmp_path


@pytest.fixture
async def inn(
    folder: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, wall: Wall
) -> AsyncIterator[Inn]:
    """A bot of its own for a test: it knows the toys as well, and has the same luck in every run."""
    for slug, spec in TOYS.items():
        monkeypatch.setitem(discover(), slug, spec)
    luck = Random(request.node.name)
    monkeypatch.setattr(secrets, "token_hex", lambda length: luck.randbytes(length).hex())
    monkeypatch.setattr(Proof, "seed", seed_by_secret)
    async with open_inn(folder) as inn:
        inn.wall = wall
        yield inn


@pytest.fixture
async def no_previews(inn: Inn) -> None:
    """Everybody has chosen in their settings that what they type is played without a preview."""
    for person in inn.local.discord.world.people:
        await inn.prefer(person.id, at_once=True)


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> Wall:
    """The clock that the bot reads."""
    return hang_up(monkeypatch)


@pytest.fixture
def house(wall: Wall, inn: Inn) -> House:
    """An inn in which time passes by that clock."""
    return House(inn, wall)


@pytest.fixture
def watch(inn: Inn, monkeypatch: pytest.MonkeyPatch) -> Watch:
    """Knows for whom everything is made, and who sees it; pictures are tiny."""
    return Watch(inn.local.discord, monkeypatch)

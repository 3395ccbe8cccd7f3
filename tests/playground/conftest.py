"""A strict playground with the trial bot: one for the tests of a module, or one for a test alone."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from playground.botprocess import BotProcess
from playground.harness import Playground
from playground.player import Player
from tests.playground.rawbot import RawBot
from tests.warm import warm_bots

TRIAL = "tests.playground.trial_bot"
numbers = itertools.count(1)


@pytest.fixture(scope="module", autouse=True)
def warm() -> Iterator[None]:
    """No bot imports anything that another one has imported."""
    with warm_bots():
        yield


@pytest.fixture
async def local() -> AsyncIterator[Playground]:
    async with Playground() as playground:
        yield playground


@pytest.fixture
async def trial(local: Playground) -> BotProcess:
    """The trial bot as a process of its own, ready."""
    return await local.start_bot(TRIAL)


@pytest.fixture
async def raw(local: Playground) -> AsyncIterator[RawBot]:
    """A bot whose every frame the test sees, with one command registered."""
    async with RawBot(local) as bot:
        await bot.register({"name": "go"})
        yield bot


@pytest_asyncio.fixture(scope="module")
async def timed_app() -> AsyncIterator[Playground]:
    """One playground and one bot for the tests of a module that ask for it; each gets a table of its own."""
    async with Playground() as playground:
        await playground.start_bot(TRIAL)
        yield playground


@pytest.fixture
def table(timed_app: Playground) -> Iterator[str]:
    """A channel for this test alone, and the blame for what it breaks."""
    before = len(timed_app.violations)
    yield timed_app.add_channel(f"table-{next(numbers)}").name
    assert timed_app.violations[before:] == []


@pytest.fixture
def ana(timed_app: Playground, table: str) -> Player:
    """Ana at this test's table."""
    return timed_app.player("Ana", table)

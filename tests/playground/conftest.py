"""Fixtures: a strict playground with the trial bot, shared by the tests of a module or separate for a test."""

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
    """Start bots from a process that already has their imports."""
    with warm_bots():
        yield


@pytest.fixture
async def local() -> AsyncIterator[Playground]:
    async with Playground() as playground:
        yield playground


@pytest.fixture
async def trial(local: Playground) -> BotProcess:
    """A running trial bot in a separate process."""
    return await local.start_bot(TRIAL)


@pytest.fixture
async def raw(local: Playground) -> AsyncIterator[RawBot]:
    """A bot that exposes every frame to the test, with one command registered."""
    async with RawBot(local) as bot:
        await bot.register({"name": "go"})
        yield bot


@pytest_asyncio.fixture(scope="module")
async def timed_app() -> AsyncIterator[Playground]:
    """A playground with a bot, shared by the tests of a module; each test gets its own channel."""
    async with Playground() as playground:
        await playground.start_bot(TRIAL)
        yield playground


@pytest.fixture
def table(timed_app: Playground) -> Iterator[str]:
    """A channel for one test, and a check that the test broke no rules."""
    before = len(timed_app.violations)
    yield timed_app.add_channel(f"table-{next(numbers)}").name
    assert timed_app.violations[before:] == []


@pytest.fixture
def ana(timed_app: Playground, table: str) -> Player:
    """Ana in this test's channel."""
    return timed_app.player("Ana", table)

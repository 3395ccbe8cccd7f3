"""A strict playground for each test, with the trial bot where a test asks for it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from playground.botprocess import BotProcess
from playground.harness import Playground
from tests.playground.rawbot import RawBot

TRIAL = "tests.playground.trial_bot"


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

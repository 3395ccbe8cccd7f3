"""Who tries again waits for longer and longer, but only until any request succeeds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from bot.clock import LONGEST, SHORTEST, Clock, Timer
from bot.posting.backoff import Backoff
from bot.posting.channels import Channels


class Stopped(Clock):
    """A clock that notes what it is asked to wait for; the shortest pauses are over at once."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self.alarms: list[tuple[float, Callable[[], None]]] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def later(self, seconds: float, do: Callable[[], None]) -> Timer:
        self.alarms.append((seconds, do))
        return SimpleNamespace(cancel=lambda: None)


@pytest.fixture
def channels() -> Channels:
    nothing: Any = None
    return Channels(nothing, nothing)


async def begun(backoff: Backoff, tries: int) -> asyncio.Task[None]:
    task = asyncio.create_task(backoff.pause(tries))
    for _ in range(3):
        await asyncio.sleep(0)
    return task


async def test_a_pause_is_over_after_its_time(channels: Channels) -> None:
    clock = Stopped()
    task = await begun(Backoff(channels, clock), 20)
    ((seconds, ring),) = clock.alarms
    assert (LONGEST, [SHORTEST], False) == (SHORTEST + seconds, clock.slept, task.done())
    ring()
    await task


async def test_any_request_that_succeeds_ends_all_pauses(channels: Channels) -> None:
    clock = Stopped()
    tasks = [await begun(Backoff(channels, clock), 20) for _ in range(3)]
    assert [False] * 3 == [task.done() for task in tasks]
    channels.succeeded()
    await asyncio.gather(*tasks)

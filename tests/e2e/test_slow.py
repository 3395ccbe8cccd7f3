"""A bot whose pictures take more than a second: people are told in time, and nothing is mixed up meanwhile."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from playground.harness import Playground
from tests.e2e.rooms import Room

pytestmark = pytest.mark.asyncio(loop_scope="module")

DELAY = 1.1


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def inn(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Playground]:
    async with Playground(strict=True) as local:
        env = {"DATA_DIR": str(tmp_path_factory.mktemp("data")), "SLOW_DRAWING": str(DELAY)}
        await local.start_bot("tests.e2e.steady_bot", env=env)
        yield local


def waits(room: Room, label: str) -> tuple[float, float]:
    """Seconds until an interaction was acknowledged, and until it was answered."""
    timing = next(timing for timing in reversed(room.local.timings) if timing.label == label)
    return timing.acknowledged - timing.created, timing.answered - timing.created


async def test_slow_work_is_announced_in_a_second_and_answered_afterwards(room: Room):
    await room.game("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    step = await ana.tap("Your move")
    preview = await ana.tap(step.labels[0], on=step)
    assert "Confirm" in preview.labels
    for label in ("taps [Your move]", f"taps [{step.labels[0]}]"):
        acknowledged, answered = waits(room, label)
        assert acknowledged < 1.5 < 3
        assert answered > acknowledged


async def test_a_move_during_the_drawing_of_a_board_is_not_mixed_into_it(room: Room):
    """The board of a turn is still being drawn when the next player, who knows that it is his turn, has moved."""
    await room.game("Ana", "Ben", "Caro")
    ana, ben, caro = room.people("Ana", "Ben", "Caro")
    drawing = asyncio.create_task(ana.slash("muscat place", market="A"))
    await asyncio.gather(drawing, *[asyncio.create_task(_as_soon_as_due(ben))])
    await caro.expect("Choose one action")
    for seen in room.onlooker.messages:
        if seen.images and seen.labels:
            assert decides_in_picture(seen.images[0].alt) == decides_in_words(seen.text)
    assert len(room.boards) == len(set(room.boards))


async def _as_soon_as_due(ben) -> None:
    while not await ben.suggest("muscat place", "market"):
        pass
    await ben.slash("muscat place", market="B")


def decides_in_picture(alt: str) -> str:
    return re.search(r"(\w+) to decide", alt)[1]


def decides_in_words(text: str) -> str:
    return re.search(r"\*\*(\w+)\*\* <@\d+>: ", text)[1]

"""A bot whose pictures take long: people are told in time, and nothing is mixed up meanwhile."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bot.interactions import responses
from bot.tables.people import SEAT_MARKS
from playground.harness import Playground
from playground.interactions import PATIENCE, Callback
from playground.player import Player
from tests.e2e.holding import DRAWING, Hold
from tests.e2e.rooms import Room, choose_first


@pytest.fixture(scope="module")
def easel(tmp_path_factory: pytest.TempPathFactory) -> Hold:
    return Hold(tmp_path_factory.mktemp("easel"), DRAWING)


@pytest_asyncio.fixture(scope="module")
async def app(easel: Hold) -> AsyncIterator[Playground]:
    async with Playground(strict=True) as local:
        await local.start_bot("tests.e2e.steady_bot", env=easel.env)
        yield local


async def announced(room: Room, label: str) -> None:
    """Wait until the bot has said that its answer to the latest interaction takes a while."""

    def deferred() -> bool:
        latest = room.local.last_interaction
        deferrals = (Callback.DEFERRED_MESSAGE, Callback.DEFERRED_UPDATE)
        return latest is not None and latest.label == label and latest.callback in deferrals

    await room.local.discord.notifier.until(deferred)


async def test_slow_work_is_announced_and_answered_afterwards(room: Room, easel: Hold):
    await room.game("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    with easel.held():
        tap = asyncio.create_task(ana.tap("Your move"))
        await announced(room, "taps [Your move]")
        assert not tap.done()
    step = await tap
    with easel.held():
        tap = asyncio.create_task(choose_first(ana, step))
        await announced(room, f"taps [{step.labels[0]}]")
        assert not tap.done()
    assert "Confirm" in (await tap).labels


def test_slow_work_is_announced_long_before_discord_gives_up():
    assert responses.LATE <= PATIENCE / 2


async def test_a_move_during_the_drawing_of_a_board_is_not_mixed_into_it(room: Room, easel: Hold):
    """The board of a turn is still being drawn when the next player, who knows that it is their turn, has moved."""
    await room.game("Ana", "Ben", "Caro")
    ana, ben, caro = room.people("Ana", "Ben", "Caro")
    with easel.held():
        first = asyncio.create_task(ana.slash("muscat place", market="A"))
        await until_due(ben, True)
        second = asyncio.create_task(ben.slash("muscat place", market="B"))
        await until_due(ben, False)
    await asyncio.gather(first, second)
    await caro.expect("Choose one action")
    for seen in room.onlooker.messages:
        if seen.images and seen.labels:
            assert decides_in_picture(seen.images[0].alt) == decides_in_words(seen.text)
    assert len(room.boards) == len(set(room.boards))


async def until_due(player: Player, due: bool) -> None:
    """Request suggestions until there are some, or none: only players who are due get any."""
    while bool(await player.suggest("muscat place", "market")) != due:
        pass


def decides_in_picture(alt: str) -> str:
    return re.search(r"(\w+) to decide", alt)[1]


def decides_in_words(text: str) -> str:
    mark = re.search(r"^(\S+) <@\d+>: ", text, re.MULTILINE)[1]
    return next(color for color, square in SEAT_MARKS.items() if square == mark)

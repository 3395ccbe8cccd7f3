"""The threads that draw, at the end of the bot."""

from __future__ import annotations

import asyncio
import threading

import pytest

from bot.errors import ShuttingDown
from bot.posting.pictures import Pictures


async def test_the_end_of_the_bot_waits_for_no_picture_and_begins_none_that_waits() -> None:
    pictures, gate, begun = Pictures(), threading.Event(), threading.Barrier(3)
    results = list[str]()

    def draw() -> str:
        begun.wait()
        gate.wait(2)
        results.append("a picture")
        return "a picture"

    under_way = [asyncio.create_task(pictures._run_in_thread(draw)) for _ in range(2)]
    await asyncio.to_thread(begun.wait)
    waiting = asyncio.create_task(pictures._run_in_thread(lambda: results.append("a late one")))
    await asyncio.sleep(0)
    pictures.close()
    assert [] == results
    with pytest.raises(ShuttingDown):
        await pictures._run_in_thread(draw)
    gate.set()
    assert ["a picture"] * 2 == await asyncio.gather(*under_way)
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert ["a picture"] * 2 == results

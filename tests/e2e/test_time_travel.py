"""The clock of `make play` shows jobs of tomorrow today."""

from __future__ import annotations

from pathlib import Path

import aiohttp
import pytest

from playground import web
from playground.harness import Playground
from tests.robots import BOARD
from tests.rooms import Room, start_game
from tests.warm import cold_bots

MAX_HOURS = 48
"""Reminders wait for the end of quiet hours."""


async def test_moving_the_clock_ahead_triggers_a_reminder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "STEP_PAUSE", 0.05)
    with cold_bots():  # a forked one has no pipe to hear from
        await wait_for_reminders(tmp_path)


async def wait_for_reminders(tmp_path: Path) -> None:
    async with Playground(strict=True) as local, aiohttp.ClientSession(local.base_url) as page:
        bot = await local.start_bot("bot", env={"DATA_DIR": str(tmp_path)})
        ana, ben = people = Room(local, "caravanserai").people("Ana", "Ben")
        await ana.slash("table new", game="jinns")
        await ben.tap("Join")
        await start_game(ana, ben)
        await ana.expect(BOARD)
        hours = 0
        while not any("waiting for you" in seen.text for person in people for seen in person.pings):
            assert hours < MAX_HOURS
            async with page.post("/act/wait", json={"user": "Ana", "hours": 1}) as response:
                assert await response.json() == {"outcome": "done"}
            hours += 1
        assert bot.is_running

"""The clock of `make play`: what is due tomorrow can be seen today."""

from __future__ import annotations

from pathlib import Path

import aiohttp

from playground.harness import Playground
from tests.e2e.rooms import Room, start_game
from tests.warm import cold_bots


async def test_a_reminder_comes_when_the_clock_is_moved_ahead(tmp_path: Path) -> None:
    with cold_bots():  # a forked one has no pipe to hear from
        await wait_for_reminders(tmp_path)


async def wait_for_reminders(tmp_path: Path) -> None:
    async with Playground(strict=True) as local, aiohttp.ClientSession(local.base_url) as page:
        bot = await local.start_bot("bot", env={"DATA_DIR": str(tmp_path)})
        ana, ben = Room(local, "caravanserai").people("Ana", "Ben")
        await ana.slash("table new", game="jinns")
        await ben.tap("Join")
        await start_game(ana, ben)
        await ana.expect("### ")
        for _ in range(2):  # reminders wait for the end of quiet hours
            async with page.post("/act/wait", json={"user": "Ana", "hours": 24}) as response:
                assert await response.json() == {"outcome": "done"}
        reminded = [person for person in (ana, ben) if any("waiting for you" in seen.text for seen in person.pings)]
        assert reminded
        assert bot.running

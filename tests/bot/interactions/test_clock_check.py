"""The bot notices that the clock of its machine is wrong: the log says so once, `/admin status` as long as it is."""

from __future__ import annotations

import logging
import re
from datetime import UTC, datetime, timedelta

import pytest

from bot.clock import Clock
from bot.interactions.clock_check import ClockCheck, date_of
from playground.player import Player
from tests.bot.app import App
from tests.bot.fake_clock import FakeClock

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(("machine", "expected"), [(31, "31 s ahead of"), (-31, "31 s behind"), (29, ""), (-29, "")])
def test_an_offset_of_more_than_half_a_minute_is_reported(
    machine: int, expected: str, caplog: pytest.LogCaptureFixture
) -> None:
    moment = NOON + machine * SECOND
    ClockCheck(Clock()).compare(NOON, moment, moment)
    assert bool(expected) == bool(caplog.messages)
    assert expected in "".join(caplog.messages)


def test_an_offset_is_logged_once_and_again_when_it_changes(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    check = ClockCheck(Clock())
    for offset in (100, 100, 101, 99, 200, 200, 0, 0, 100):
        moment = NOON + offset * SECOND
        check.compare(NOON, moment, moment)
    words = [re.sub(r"^the clock of this machine (is )?| s ahead.*", "", message) for message in caplog.messages]
    assert ["100", "200", "agrees with Discord's again", "100"] == words


def test_a_slow_response_is_not_a_wrong_clock(caplog: pytest.LogCaptureFixture) -> None:
    for sent in (NOON, NOON + 50 * SECOND, NOON + 100 * SECOND):
        ClockCheck(Clock()).compare(sent, NOON, NOON + 100 * SECOND)
    assert not caplog.messages


@pytest.mark.parametrize(
    "header",
    [
        "",
        "x",
        "Mon, 99 Jun 2026 12:00:00 GMT",
        "12",
        "\x00",
        "Mon, 01 Jun 99999 1:1:1 GMT",
        f"Mon, 01 Jun {10**20} 1:1:1 GMT",
    ],
)
def test_an_invalid_date_header_is_ignored(header: str) -> None:
    assert date_of(header) is None
    assert NOON == date_of("Mon, 01 Jun 2026 12:00:00 GMT")


async def test_a_wrong_clock_is_shown_to_the_operator(
    app: App, fake_clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    room = app.room()

    async def status() -> str:
        operator: Player = room.person(app.local.discord.world.owner.name)
        await operator.slash("admin status")
        return (await operator.slash("admin status")).text

    assert "clock of my machine" not in await status()
    fake_clock.ahead += timedelta(hours=2)
    assert "is 120 minutes ahead of Discord’s" in await status()
    fake_clock.ahead -= timedelta(hours=3)
    assert "is 60 minutes behind Discord’s" in await status()
    lines = [message for message in caplog.messages if "sync it with a time server" in message]
    assert 2 == len(lines), lines


@pytest.mark.parametrize("zone", ["GMT", "-0000", "+0000"])
def test_a_date_without_a_zone_is_in_utc(zone: str) -> None:
    assert NOON == date_of(f"Mon, 01 Jun 2026 12:00:00 {zone}")

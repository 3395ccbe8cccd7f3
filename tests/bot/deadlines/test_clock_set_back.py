"""The clock of the machine is ahead for a minute, as before its first look at a time server: everything goes on."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.bot.timed_app import TimedApp
from tests.rooms import play_move


def count_reminders(timed_app: TimedApp) -> int:
    """Number of reminders sent so far."""
    ((number,),) = timed_app.app.query("SELECT sum(number) FROM reminded")
    return int(number or 0)


@pytest.mark.parametrize("ahead", [timedelta(hours=3), timedelta(days=3), timedelta(days=30)], ids=str)
async def test_reminders_continue_after_the_clock_is_set_back(timed_app: TimedApp, ahead: timedelta) -> None:
    app, clock = timed_app.app, timed_app.fake_clock
    _, (ana, ben, _) = await timed_app.begin("Ana", "Ben", "Caro")
    clock.ahead += ahead
    await app.let_pass(60)
    await play_move(ana, "muscat place", market="A")
    clock.ahead -= ahead
    await app.let_pass(60)
    await play_move(ben, "muscat place", market="B")
    await app.let_pass(60)
    before = count_reminders(timed_app)
    for _ in range(5):
        await timed_app.hours(12)
    assert before + 2 == count_reminders(timed_app), (
        "Ana has been due for two and a half days, and is reminded every day"
    )


async def test_a_lobby_closes_a_day_after_its_last_activity(timed_app: TimedApp) -> None:
    app, clock, room = timed_app.app, timed_app.fake_clock, timed_app.app.room()
    clock.ahead += timedelta(days=30)
    await app.let_pass(60)
    await room.lobby("Ana", "Ben")
    clock.ahead -= timedelta(days=30)
    await app.let_pass(60)
    await timed_app.hours(22)
    assert app.query("SELECT 1 FROM matches WHERE status = 'lobby'")
    for _ in range(2):
        await timed_app.hours(1.5)
    assert app.query("SELECT 1 FROM matches WHERE status = 'closed'")


async def test_the_heartbeat_is_stored_even_if_no_clock_runs(timed_app: TimedApp) -> None:
    """A bot that was stopped while its clock was ahead would not know it otherwise."""
    app, clock = timed_app.app, timed_app.fake_clock
    await timed_app.begin("Ana", "Ben", "Caro")
    clock.ahead += timedelta(days=30)
    await app.let_pass(60)
    await app.close()
    clock.ahead -= timedelta(days=30)
    await app.open()
    await app.let_pass(60)
    assert not app.query("SELECT 1 FROM jobs WHERE due_at > ?", (clock.now + timedelta(days=2)).isoformat())


async def test_stored_times_survive_a_clock_that_is_temporarily_behind(timed_app: TimedApp) -> None:
    """This machine is wrong now by Discord's clock: it will be set forward again."""
    app, clock = timed_app.app, timed_app.fake_clock
    await timed_app.begin("Ana", "Ben", "Caro")
    before = app.query("SELECT due_at, state FROM jobs")
    clock.ahead -= timedelta(hours=2)
    await app.let_pass(60)
    assert before == app.query("SELECT due_at, state FROM jobs")
    clock.ahead += timedelta(hours=2)
    await app.let_pass(60)
    assert before == app.query("SELECT due_at, state FROM jobs")

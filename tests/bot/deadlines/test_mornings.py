"""The daily direct message in the morning, for users who want it: waiting and finished games."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.store.codec import time_of
from playground.player import Player, Seen
from tests.bot.habits import choose_preference, open_settings
from tests.bot.timed_app import TimedApp
from tests.rooms import play_move

BESIDE, INSTEAD, NONE = (
    "A message in addition to reminders",
    "A message instead of reminders",
    "No message in the morning",
)
SUN = "☀️"


async def wants(person: Player, row: str, field: str = "summary") -> None:
    await choose_preference(person, field, row)


def mornings(person: Player) -> list[Seen]:
    return [seen for seen in person.in_dm().messages if SUN in seen.text]


async def test_the_digest_lists_all_games_once_if_one_is_waiting(timed_app: TimedApp) -> None:
    """One of two games waits for Ana; Ben does not want the message."""
    timed_app.fake_clock.show(20)
    first, (ana, ben) = await timed_app.begin("Ana", "Ben", game="beg")
    await timed_app.begin("Ben", "Ana", game="beg")
    await wants(ana, BESIDE)
    await wants(ana, BESIDE)
    await timed_app.hours(11)
    assert [] == mornings(ana)
    await timed_app.app.close()
    await timed_app.app.open()
    await timed_app.hours(1.5)
    (seen,) = mornings(ana)
    assert seen.text.startswith("☀️ 1 of your games is waiting for you.\n### Your move\n**[Beg](")
    assert "### Waiting for others" in seen
    assert f"/{first.onlooker.last.id})" in seen.text, "a link to the board"
    await timed_app.app.close()
    await timed_app.app.open()
    await timed_app.hours(10)
    assert ([], 1) == (mornings(ben), len(mornings(ana)))
    await timed_app.hours(14)
    assert 2 == len(mornings(ana)), "the next morning"
    await wants(ana, NONE)
    await timed_app.hours(24)
    assert 2 == len(mornings(ana))


async def test_a_digest_delayed_into_the_night_is_the_only_one_of_that_day(timed_app: TimedApp) -> None:
    timed_app.fake_clock.show(20)
    _, (ana, _) = await timed_app.begin("Ana", "Ben", game="beg")
    await wants(ana, BESIDE)
    await wants(ana, "From 11 PM to 7 AM", "quiet")
    await timed_app.app.close()
    timed_app.fake_clock.ahead += timedelta(hours=31)
    await timed_app.app.open()
    await timed_app.hours(4)
    assert 1 == len(mornings(ana)), "at seven, when Ana may be written to again"
    await timed_app.hours(2)
    assert 1 == len(mornings(ana))
    await timed_app.hours(23)
    assert 2 == len(mornings(ana))


async def test_an_empty_digest_is_not_sent_and_finished_games_are_listed_once(timed_app: TimedApp) -> None:
    timed_app.fake_clock.show(20)
    await timed_app.begin("Ana", "Ben", game="beg")
    room, (ana, ben) = await timed_app.begin("Ana", "Ben", game="sealed")
    for person in (ana, ben):
        await wants(person, BESIDE)
    for _ in range(3):
        for person, coins in ((ana, "3"), (ben, "1")):
            await play_move(person, "sealed bid", coins=coins)
    await room.onlooker.expect("wins!")
    await timed_app.app.change("UPDATE entries SET at = ? WHERE match_id = 2", time_of(timed_app.fake_clock.now))
    await timed_app.hours(13)
    for person, result in ((ana, "You win!"), (ben, "🔴 Ana wins!")):
        (seen,) = [seen for seen in mornings(person) if "### Over" in seen.text]
        assert f")**: {result}" in seen
    await timed_app.app.change("UPDATE matches SET status = 'ended' WHERE id = 1")
    await timed_app.hours(24)
    assert (1, 1) == (len(mornings(ana)), len(mornings(ben)))


async def test_a_game_that_ended_before_a_refused_digest_is_in_the_next_one(timed_app: TimedApp) -> None:
    timed_app.fake_clock.show(20)
    room, (ana, ben) = await timed_app.begin("Ana", "Ben", game="sealed")
    await wants(ana, BESIDE)
    for _ in range(3):
        for person, coins in ((ana, "3"), (ben, "1")):
            await play_move(person, "sealed bid", coins=coins)
    await room.onlooker.expect("wins!")
    await timed_app.app.change("UPDATE entries SET at = ?", time_of(timed_app.fake_clock.now))
    timed_app.app.local.close_dms("Ana")
    await timed_app.hours(13)
    assert [] == mornings(ana)
    timed_app.app.local.discord.world.users[ana.id].accepts_dms = True
    await timed_app.hours(24)
    (seen,) = mornings(ana)
    assert ("### Over" in seen, "You win!" in seen) == (True, True)


async def test_no_digest_is_sent_during_absences_or_quiet_hours(timed_app: TimedApp) -> None:
    timed_app.fake_clock.show(20)
    _, (ana, _) = await timed_app.begin("Ana", "Ben", game="beg")
    await wants(ana, BESIDE)
    await wants(ana, "From midnight to 9 AM", "quiet")
    await wants(ana, "Away for 3 days", "away")
    await timed_app.hours(60.5)
    assert [] == mornings(ana)
    await timed_app.hours(1)
    assert 1 == len(mornings(ana))


async def test_a_delayed_digest_waits_for_the_end_of_quiet_hours(timed_app: TimedApp) -> None:
    """The bot was away in the morning, and comes back at night."""
    timed_app.fake_clock.show(20)
    _, (ana, _) = await timed_app.begin("Ana", "Ben", game="beg")
    await wants(ana, "From 10 PM to 8 AM", "quiet")
    await wants(ana, BESIDE)
    await timed_app.app.close()
    timed_app.fake_clock.show(19)
    timed_app.fake_clock.show(23)
    await timed_app.app.open()
    await timed_app.hours(0)
    assert [] == mornings(ana)
    await timed_app.hours(9.5)
    assert 1 == len(mornings(ana))


async def test_the_digest_can_replace_reminders(timed_app: TimedApp) -> None:
    room, (ana, _) = await timed_app.begin("Ana", "Ben", game="beg")
    await wants(ana, INSTEAD)
    await timed_app.hours(49)
    assert all("wait" not in seen.text for seen in room.onlooker.messages)
    assert mornings(ana)


async def test_closed_direct_messages_skip_the_digest_for_that_day(timed_app: TimedApp) -> None:
    timed_app.fake_clock.show(20)
    _, (ana, _) = await timed_app.begin("Ana", "Ben", game="beg")
    await wants(ana, BESIDE)
    timed_app.app.local.close_dms("Ana")
    await timed_app.hours(13)
    timed_app.app.local.discord.world.users[ana.id].accepts_dms = True
    await timed_app.hours(8)
    assert [] == mornings(ana), "not on this day"
    await timed_app.hours(16)
    assert 1 == len(mornings(ana))


@pytest.mark.parametrize("after", [False, True])
async def test_neither_an_error_nor_a_kill_duplicates_the_digest(timed_app: TimedApp, after: bool) -> None:
    timed_app.fake_clock.show(20)
    _, (ana, _) = await timed_app.begin("Ana", "Ben", game="beg")
    await wants(ana, BESIDE)
    before = timed_app.app.query("SELECT * FROM jobs WHERE kind = 'digest'")
    fault = timed_app.app.local.fault("POST /channels/*/messages", status=503, after=after)
    await timed_app.hours(13)
    await timed_app.hours(0.1)
    assert (1, 1) == (fault.struck, len(mornings(ana)))
    await timed_app.app.close()  # as if it had been killed before anything of it was noted
    await timed_app.app.change("DELETE FROM jobs WHERE kind = 'digest'")
    await timed_app.app.change("INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?)", *before[0])
    await timed_app.app.open()
    await timed_app.hours(0)
    assert 1 == len(mornings(ana))


async def test_changing_the_time_zone_sends_no_second_digest_on_the_same_day(timed_app: TimedApp) -> None:
    timed_app.fake_clock.show(20)
    _, (ana, _) = await timed_app.begin("Ana", "Ben", game="beg")
    await wants(ana, BESIDE)
    await timed_app.hours(13)
    await ana.tap("Change the time zone", on=await open_settings(ana, "zone"))
    await ana.submit({"line": "new york"})
    await timed_app.hours(8)
    assert 1 == len(mornings(ana))
    await timed_app.hours(20)
    assert 2 == len(mornings(ana))

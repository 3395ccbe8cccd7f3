"""Reminders: once for each time they are due, when their person wants them, and never after they have acted."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from playground.player import Player, Seen
from tests.bot.fake_clock import NAP
from tests.bot.habits import choose_preference, chosen_preference, menu_of, open_settings
from tests.bot.moderating import choose_setting
from tests.bot.timed_app import TimedApp
from tests.e2e.rooms import play_move

WAITS = "is waiting for you"


def reminders_of(person: Player) -> list[Seen]:
    """The reminders that mention a player."""
    return [seen for seen in person.pings if WAITS in seen.text or "are waiting for you" in seen.text]


async def test_a_due_player_is_reminded_after_a_day_and_again_a_day_later(timed_app: TimedApp) -> None:
    room, (ana, ben, _) = await timed_app.begin("Ana", "Ben", "Caro")
    board = room.onlooker.last
    await timed_app.hours(23.5)
    assert [] == reminders_of(ana)
    await timed_app.hours(0.6)
    (first,) = reminders_of(ana)
    assert first.text.startswith(f"⏰ {ana.mention}, a game is waiting for you.\n**Muscat**: ")
    assert f"/{board.id})" in first.text, "a link to the board"
    assert ["Snooze 1 h", "This evening", "Tomorrow"] == first.labels
    await timed_app.hours(23.5)
    assert 1 == len(reminders_of(ana))
    await timed_app.hours(0.6)
    assert (2, 0) == (len(reminders_of(ana)), len(reminders_of(ben)))


def visible_reminders(person: Player, where: Player) -> list[int]:
    """The reminders of a person that can be seen in a channel."""
    seen = {message.id for message in where.messages}
    return [reminder.id for reminder in reminders_of(person) if reminder.id in seen]


async def test_a_new_reminder_replaces_the_previous_one(timed_app: TimedApp) -> None:
    room, (ana, ben, _) = await timed_app.begin("Ana", "Ben", "Caro")
    await timed_app.hours(24.1)
    await timed_app.hours(24.1)
    first, second = reminders_of(ana)
    await room.onlooker.expect_gone(first)
    assert [second.id] == visible_reminders(ana, room.onlooker)
    await play_move(ana, "muscat place", market="A")
    await timed_app.called(ben, await room.onlooker.expect("### ", after=second))
    await timed_app.hours(24.1)
    assert (1, 1) == (len(visible_reminders(ana, room.onlooker)), len(visible_reminders(ben, room.onlooker))), (
        "each has their own"
    )


async def test_a_reminder_stays_while_it_is_the_latest_of_a_game(timed_app: TimedApp) -> None:
    first, (ana, *_) = await timed_app.begin("Ana", "Ben", "Caro")
    await timed_app.hours(4)
    second, _ = await timed_app.begin("Ana", "Ben", game="sealed")
    for hours in (20.1, 4.1, 20.1, 4.1):
        await timed_app.hours(hours)
    early, late, *newest = reminders_of(ana)
    await first.onlooker.expect_gone(early)
    await second.onlooker.expect_gone(late)
    assert [[seen.id] for seen in newest] == [
        visible_reminders(ana, first.onlooker),
        visible_reminders(ana, second.onlooker),
    ]


async def test_old_reminders_are_deleted_from_channels_and_direct_messages(timed_app: TimedApp) -> None:
    room, (ana, *_) = await timed_app.begin("Ana", "Ben", "Caro")
    await timed_app.hours(24.1)
    await choose_preference(ana, "direct", "In a direct message")
    for _ in range(2):
        await timed_app.hours(24.1)
    (first,) = reminders_of(ana)
    await room.onlooker.expect_gone(first)
    await ana.in_dm().until(lambda: 1 == len(ana.in_dm().messages), what="one reminder")


@pytest.mark.parametrize(("status", "code"), [(403, 50013), (404, 10008), (503, 0)])
async def test_an_old_reminder_that_cannot_be_deleted_blocks_no_new_one(
    timed_app: TimedApp, status: int, code: int
) -> None:
    room, (ana, *_) = await timed_app.begin("Ana", "Ben", "Caro")
    await timed_app.hours(24.1)
    fault = timed_app.app.local.fault("DELETE /channels/*/messages/*", status=status, code=code, times=9)
    await timed_app.hours(24.1)
    await timed_app.hours(1)
    assert fault.struck
    assert 2 == len(reminders_of(ana)) == len(visible_reminders(ana, room.onlooker))
    assert [(2,)] == timed_app.app.query("SELECT number FROM reminded WHERE user_id = ?", ana.id)


async def test_the_reminders_of_a_game_end_when_it_is_called_off(timed_app: TimedApp) -> None:
    _, (ana, *_) = await timed_app.begin("Ana", "Ben", "Caro")
    await ana.tap("End it", on=await ana.slash("table end"))
    assert [] == timed_app.app.query("SELECT * FROM jobs WHERE kind = 'reminder'")


async def test_quiet_hours_accept_any_typed_full_hours(timed_app: TimedApp) -> None:
    ana = timed_app.app.room().person("Ana")
    page = await open_settings(ana, "quiet")
    quiet = menu_of(page, "quiet")
    for typed, sentence in (("21-6", "From 9 PM to 6 AM"), ("1:00 to 09:00", "From 1 AM to 9 AM")):
        assert await ana.choose("Other hours…", on=page, menu=quiet) is None
        answer = await ana.submit({"line": typed})
        assert [sentence] == chosen_preference(answer, "quiet")
    for typed in ("late", "9-9", "21-30", "5", "99999999-1"):
        assert await ana.choose("Other hours…", on=page, menu=quiet) is None
        assert "I don’t understand these hours" in await ana.submit({"line": typed})
    ((stored,),) = timed_app.app.query("SELECT value FROM settings WHERE scope = 'user'")
    assert '"quiet":"1-9"' in stored.replace(": ", ":")


async def test_an_away_player_is_reminded_on_returning(timed_app: TimedApp) -> None:
    _, (ana, *_) = await timed_app.begin("Ana", "Ben", "Caro")
    away = await choose_preference(ana, "away", "Away for 3 days")
    assert "no reminders until <t:" in away.text
    assert [] == chosen_preference(away, "away"), "the menu says “You are away”"
    await timed_app.hours(47)
    assert [] == reminders_of(ana)
    timed_app.fake_clock.show(9)
    await timed_app.hours(24)
    assert 1 == len(reminders_of(ana))


async def test_only_the_reminded_player_can_snooze(timed_app: TimedApp) -> None:
    timed_app.fake_clock.show(12)  # about midnight, tomorrow is another day
    room, (ana, ben, _) = await timed_app.begin("Ana", "Ben", "Caro")
    await timed_app.hours(24.1)
    (seen,) = reminders_of(ana)
    assert "This reminder is for" in await ben.tap("Snooze 1 h", on=seen)
    assert "I’ll remind you again on <t:" in await ana.tap("Snooze 1 h", on=seen)
    await timed_app.hours(0.9)
    assert 1 == len(reminders_of(ana))
    await timed_app.hours(0.2)
    assert 2 == len(reminders_of(ana))
    assert "I’ll remind you again" in await ana.tap("Tomorrow", on=reminders_of(ana)[-1])
    await timed_app.hours(6)
    assert 2 == len(reminders_of(ana))
    timed_app.fake_clock.show(7)
    await timed_app.hours(1.1)
    assert 3 == len(reminders_of(ana))
    await play_move(ana, "muscat place", market="A")
    await timed_app.called(ben, await room.onlooker.expect("### ", after=seen))
    assert "No game is waiting" in await ana.tap("Tomorrow", on=reminders_of(ana)[-1])


async def test_a_direct_reminder_falls_back_to_the_channel(timed_app: TimedApp) -> None:
    room, (ana, *_) = await timed_app.begin("Ana", "Ben", "Caro")
    await choose_preference(ana, "direct", "In a direct message")
    await timed_app.hours(24.1)
    direct = await ana.in_dm().expect("⏰ A game is waiting for you.")
    assert WAITS not in room.onlooker.last.text
    assert "I’ll remind you again" in await ana.in_dm().tap("Snooze 1 h", on=direct)
    timed_app.app.local.close_dms("Ana")
    await timed_app.hours(1.1)
    assert ana.mention in room.onlooker.last.text
    assert WAITS in room.onlooker.last.text


async def test_reminders_that_came_due_during_downtime_are_sent_once(timed_app: TimedApp) -> None:
    _, (ana, *_) = await timed_app.begin("Ana", "Ben", "Caro")
    await timed_app.begin("Ana", "Ben", game="sealed")
    await timed_app.app.close()
    timed_app.fake_clock.ahead += timedelta(days=5)
    await timed_app.app.open()
    await timed_app.hours(0)
    assert 1 == len(reminders_of(ana))
    assert "games are waiting" in reminders_of(ana)[0].text
    await timed_app.hours(23)
    assert 1 == len(reminders_of(ana))


async def test_a_kill_after_sending_duplicates_no_reminder(timed_app: TimedApp) -> None:
    _, (ana, *_) = await timed_app.begin("Ana", "Ben", "Caro")
    before = timed_app.app.query("SELECT * FROM jobs")
    await timed_app.hours(24.1)
    assert 1 == len(reminders_of(ana))
    await timed_app.app.close()  # as if it had been killed before anything of it was noted
    await timed_app.app.change("DELETE FROM reminded")
    await timed_app.app.change("DELETE FROM jobs")
    for row in before:
        await timed_app.app.change("INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?)", *row)
    await timed_app.app.open()
    await timed_app.hours(0)
    noted = "SELECT number FROM reminded WHERE user_id = ?"
    while not timed_app.app.query(noted, ana.id):  # that is after it was sent
        await timed_app.app.let_pass(1)
    assert [(1,)] == timed_app.app.query(noted, ana.id)
    assert 1 == len(reminders_of(ana))


async def test_a_game_that_comes_due_before_a_reminder_is_recorded_is_in_the_next_one(timed_app: TimedApp) -> None:
    _, (ana, *_) = await timed_app.begin("Ana", "Ben", "Caro")
    await timed_app.hours(5)
    await timed_app.begin("Ana", "Ben", game="sealed")
    before = timed_app.app.query("SELECT * FROM jobs WHERE kind = 'reminder'")
    since = min(json.loads(state)["since"] for *_, state in before)
    await timed_app.hours(19.1)
    ((first, version),) = timed_app.app.query(
        "SELECT match_id, json_extract(state, '$.version') FROM jobs WHERE json_extract(state, '$.reminded') NOT NULL"
    )
    await timed_app.app.close()  # as if it had been killed before that was noted, and both were due at the next start
    await timed_app.app.change("UPDATE reminded SET number = 0, at = NULL, sending = ?", json.dumps([[first, version]]))
    await timed_app.app.change("DELETE FROM jobs")
    for row in before:
        *about, state = row
        state = json.dumps(json.loads(state) | {"since": since}, separators=(",", ":"))
        await timed_app.app.change("INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?)", *about, state)
    await timed_app.app.open()
    await timed_app.hours(0)
    assert ["a game is waiting for you" in seen for seen in reminders_of(ana)] == [True]
    await timed_app.hours(0.9)
    assert 1 == len(reminders_of(ana))
    await timed_app.hours(0.2)
    assert ["**Sealed" in seen for seen in reminders_of(ana)] == [False, True]


async def test_a_clock_set_back_sends_no_second_reminder(timed_app: TimedApp) -> None:
    _, (ana, *_) = await timed_app.begin("Ana", "Ben", "Caro")
    await timed_app.hours(24.1)
    await timed_app.hours(-6)
    await timed_app.app.let_pass(2 * NAP)
    await timed_app.hours(6)
    assert 1 == len(reminders_of(ana))


async def test_a_player_who_turned_off_reminders_gets_none(timed_app: TimedApp) -> None:
    _, (ana, *_) = await timed_app.begin("Ana", "Ben", "Caro")
    await choose_preference(ana, "interval", "Never remind me")
    await timed_app.hours(100)
    assert [] == reminders_of(ana)
    await choose_preference(ana, "interval", "Every 4 hours")
    await timed_app.hours(0)
    assert 1 == len(reminders_of(ana)), "it has waited for long"


async def test_a_time_zone_is_found_by_its_city(timed_app: TimedApp) -> None:
    ana = timed_app.app.room().person("Ana")
    settings = await open_settings(ana, "zone")
    assert await ana.tap("Change the time zone", on=settings) is None
    assert "Europe/Berlin, where it is" in await ana.submit({"line": "berlin"})
    await ana.tap("Change the time zone", on=settings)
    several = await ana.submit({"line": "argentina"})
    assert "America/Argentina/Ushuaia" in [option.value for option in several.menus[0].options]
    assert "America/Argentina/Salta, where" in await ana.choose("America/Argentina/Salta", on=several)
    await ana.tap("Change the time zone", on=settings)
    assert "a time zone like “Atlantis”" in await ana.submit({"line": "Atlantis"})


@pytest.mark.parametrize("after", [False, True])
async def test_a_reminder_refused_by_discord_is_retried_soon_and_sent_once(timed_app: TimedApp, after: bool) -> None:
    _, (ana, *_) = await timed_app.begin("Ana", "Ben", "Caro")
    fault = timed_app.app.local.fault("POST /channels/*/messages", status=503, after=after)
    await timed_app.hours(24.1)
    await timed_app.hours(0.1)
    assert (1, 1) == (fault.struck, len(reminders_of(ana)))
    assert [(1,)] == timed_app.app.query("SELECT number FROM reminded WHERE user_id = ?", ana.id)


async def test_a_reminder_refused_for_permissions_is_retried_at_the_next_interval(timed_app: TimedApp) -> None:
    _, (ana, *_) = await timed_app.begin("Ana", "Ben", "Caro")
    fault = timed_app.app.local.fault("POST /channels/*/messages", status=403, code=50013)
    await timed_app.hours(24.1)
    await timed_app.hours(20)
    assert (1, []) == (fault.struck, reminders_of(ana))
    await timed_app.hours(4)
    assert 1 == len(reminders_of(ana))


async def test_without_mentions_boards_ping_no_player_and_reminders_are_direct_messages(
    timed_app: TimedApp,
) -> None:
    app = timed_app.app
    app.local.give_role("Eva", "Moderators")
    eva = app.room().person("Eva")
    quiet = await choose_setting(eva, "calls", "Write names only, without a ping")
    room, (ana, *_) = await timed_app.begin("Ana", "Ben", "Caro")
    board = room.onlooker.last
    assert (True, ()) == (ana.mention in board, board.pinged)
    await timed_app.hours(25)
    reminder = await ana.in_dm().expect(WAITS)
    app.local.close_dms("Ana")
    await timed_app.hours(30)
    assert [reminder.id] == [seen.id for seen in ana.in_dm().messages]
    assert [] == [seen for seen in room.onlooker.messages if seen.pinged or WAITS in seen]
    await eva.choose("Mention people", on=quiet, menu=0)
    await timed_app.hours(30)
    assert ("Ana",) == (await room.onlooker.expect(WAITS)).pinged


async def fall_asleep(timed_app: TimedApp, person: Player) -> Seen:
    """Let a week go by without a move. Returns the last reminder."""
    for _ in range(7):
        await timed_app.hours(24.1)
    *earlier, last = reminders_of(person)
    assert [False] * 6 == ["my last reminder" in seen for seen in earlier]
    assert "This is my last reminder about this game" in last
    return last


async def test_without_a_pace_reminders_pause_after_a_week_until_the_next_move(timed_app: TimedApp) -> None:
    room, (ana, ben, _) = await timed_app.begin("Ana", "Ben", "Caro")
    last = await fall_asleep(timed_app, ana)
    assert ["End Muscat"] == last.labels
    for _ in range(5):
        await timed_app.hours(24.1)
    assert 7 == len(reminders_of(ana))
    await play_move(ana, "muscat place", market="A")
    await timed_app.called(ben, await room.onlooker.expect("### ", after=last))
    assert "only its host or a moderator" in await ben.tap("End Muscat", on=last)
    for _ in range(2):
        await timed_app.hours(24.1)
    assert (7, 2) == (len(reminders_of(ana)), len(reminders_of(ben)))


async def test_any_player_can_end_an_abandoned_game(timed_app: TimedApp) -> None:
    room, (ana, ben, _) = await timed_app.begin("Ana", "Ben", "Caro")
    last = await fall_asleep(timed_app, ana)
    assert "You’re not playing" in await room.person("Eva").tap("End Muscat", on=last)
    assert await ben.tap("End Muscat", on=last) is None
    await ben.submit({"line": "all gone"})
    assert f"was called off by {ben.mention}" in await room.onlooker.expect("called off")
    assert [("ended",)] == timed_app.app.query("SELECT status FROM matches")


async def test_with_a_pace_or_a_custom_interval_no_reminder_is_the_last(timed_app: TimedApp) -> None:
    _, (ana, *_) = await timed_app.begin("Ana", "Ben", "Caro")
    await timed_app.likes(ana, interval=4)
    for _ in range(10):
        await timed_app.hours(4.1)
    assert not any("my last reminder" in seen for seen in reminders_of(ana)), "a week is not over"

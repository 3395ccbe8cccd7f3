"""A table starts at its time if enough people are there; otherwise it stays open and says why, without a ping."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest

from bot.interactions.calendar_files import FILE_NAME
from bot.store.codec import time_of
from playground.player import Player, Seen
from tests.bot.timed_app import TimedApp
from tests.robots import BOARD
from tests.rooms import Room, tap_more

SECRET, OPEN = "sealed", "toll"
"""Games in which secrets are dealt, for two to four, and are not, for two or three."""


@pytest.fixture
def room(timed_app: TimedApp) -> Room:
    return timed_app.app.room()


async def table_at(room: Room, start: str, *names: str, game: str = OPEN) -> list[Player]:
    """A table with a start time and these people. Returns them."""
    people = room.people(*names)
    await people[0].slash("table new", game=game, start=start)
    for person in people[1:]:
        await person.tap("Join")
    return people


def boards(room: Room) -> int:
    return sum(BOARD(seen) and bool(seen.images) for seen in room.onlooker.messages)


def shown_start(seen: Seen) -> int | None:
    """The start time in a lobby, in seconds since 1970."""
    match = re.search(r"⏰ Starts on <t:(\d+):F>, <t:\1:R>\.", seen.text)
    return int(match[1]) if match else None


def jobs(timed_app: TimedApp) -> int:
    return len(timed_app.app.query("SELECT 1 FROM jobs WHERE kind = 'start'"))


async def submit(person: Player, typed: str) -> Seen:
    """Type a time into the form behind *Start time*. Returns the answer."""
    await tap_more(person, "Start time")
    answer = await person.submit({"line": typed})
    assert answer is not None
    return answer


async def test_a_table_starts_at_its_time_even_after_a_restart(timed_app: TimedApp, room: Room) -> None:
    await table_at(room, "in 3 hours", "Ana", "Ben")
    lobby = room.onlooker.messages[0]
    start = (timed_app.fake_clock.now + timedelta(hours=3)).timestamp()
    assert abs(shown_start(lobby) - start) < 120
    await timed_app.hours(2.9)
    assert (0, 1) == (boards(room), jobs(timed_app))
    await timed_app.app.close()
    # a correction of times may make a job due early
    timed_app.app.query("UPDATE jobs SET due_at = ? WHERE kind = 'start'", time_of(timed_app.fake_clock.now))
    await timed_app.app.open()
    await timed_app.hours(0.01)
    assert (0, 1) == (boards(room), jobs(timed_app))
    await timed_app.app.close()
    timed_app.fake_clock.ahead += timedelta(hours=1)
    await timed_app.app.open()
    board = await room.onlooker.expect(BOARD)
    assert {"Ana", "Ben"} == set(board.pinged)
    await room.onlooker.until(lambda: "The game has begun." in room.onlooker.look(lobby), what="a lobby that is closed")
    assert (1, 0) == (boards(room), jobs(timed_app))
    # docs/luck.md: the message of the table is in the proof of its luck
    ((ids,),) = timed_app.app.query("SELECT ids FROM matches")
    assert str(lobby.id) in ids


async def test_with_too_few_players_the_table_stays_open_for_a_day_and_explains_without_a_ping(
    timed_app: TimedApp, room: Room
) -> None:
    (ana,) = await table_at(room, "in 40 hours", "Ana")
    first = room.onlooker.messages[0]
    await timed_app.hours(39)
    assert "nothing has happened" not in str(room.onlooker.messages), "the start time keeps it open"
    await timed_app.hours(1.1)
    lobby = await room.onlooker.expect("The game was supposed to start now. ")
    assert ((), None, 0, 0) == (lobby.pinged, shown_start(lobby), boards(room), jobs(timed_app))
    await room.onlooker.until(lambda: "further down" in room.onlooker.look(first), what="a pointer")
    await timed_app.hours(22.5)
    await room.person("Ben").tap("Join", on=lobby)
    await ana.tap("Start")
    await room.onlooker.expect(BOARD)


async def test_a_lost_response_or_a_kill_sends_no_second_message_and_keeps_the_buttons(
    timed_app: TimedApp, room: Room
) -> None:
    await table_at(room, "in 1 hour", "Ana")
    (job,), ((start,),) = (
        timed_app.app.query("SELECT * FROM jobs WHERE kind = 'start'"),
        timed_app.app.query("SELECT starts_at FROM matches"),
    )
    fault = timed_app.app.local.fault("POST /channels/*/messages", status=503, after=True, times=3)
    await timed_app.hours(1.1)
    await timed_app.app.let_pass(100)
    assert fault.is_over

    def notes() -> list[bool]:
        return [
            "Join" in seen.labels for seen in room.onlooker.messages if "The game was supposed to start now" in seen
        ]

    assert ([True], 0) == (notes(), jobs(timed_app))
    # as a kill would leave it after the message was recorded
    await timed_app.app.close()
    timed_app.app.write("INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [job])
    timed_app.app.query("UPDATE matches SET starts_at = ?", start)
    await timed_app.app.open()
    await timed_app.hours(0.1)
    assert ([True], 0) == (notes(), jobs(timed_app))


async def test_with_a_ready_check_the_start_time_asks_the_players(timed_app: TimedApp, room: Room) -> None:
    ana, ben = await table_at(room, "in 1 hour", "Ana", "Ben", game=SECRET)
    await timed_app.hours(1.1)
    question = await room.onlooker.expect("**Ready?**")
    assert ({"Ana", "Ben"}, 0, 0) == (set(question.pinged), boards(room), jobs(timed_app))
    for person in (ana, ben):
        await person.tap("Ready", on=question)
    await room.onlooker.expect(BOARD)


async def test_the_host_changes_and_removes_the_start_time_and_the_players_are_informed(
    timed_app: TimedApp, room: Room
) -> None:
    ana, ben = await table_at(room, "in 1 hour", "Ana", "Ben")
    lobby = room.onlooker.messages[0]
    assert "Start time" not in (await ben.tap("More", on=lobby)).labels
    before = shown_start(lobby)
    assert "I don’t understand this time" in await submit(ana, "20")
    assert (before, 1) == (shown_start(room.onlooker.look(lobby)), jobs(timed_app))
    assert "if enough people are here then" in await submit(ana, "in 5 hours")
    line = await room.onlooker.expect(f"{ana.mention} has set the start of")
    assert () == line.pinged
    await room.onlooker.until(lambda: shown_start(room.onlooker.look(lobby)) > before, what="the new time")
    await timed_app.hours(2)
    assert 0 == boards(room), "the earlier time no longer counts"
    for _ in range(2):
        await submit(ana, "tomorrow 8 pm")
    news = [seen for seen in room.onlooker.messages if f"{ana.mention} has set the start of" in seen]
    assert 2 == len(news), "the same time again is no news"
    assert "no start time" in await submit(ana, "")
    await room.onlooker.expect(f"{ana.mention} has removed the start time of")
    await room.onlooker.until(lambda: shown_start(room.onlooker.look(lobby)) is None, what="no time")
    await timed_app.hours(4)
    assert (0, 0) == (boards(room), jobs(timed_app))


async def test_the_start_time_survives_a_host_change_and_ends_with_the_table(timed_app: TimedApp, room: Room) -> None:
    ana, ben, caro = await table_at(room, "in 2 hours", "Ana", "Ben", "Caro")
    lobby = room.onlooker.messages[0]
    await tap_more(ana, "Leave")
    await room.onlooker.until(lambda: f"{ben.mention} · host" in room.onlooker.look(lobby), what="another host")
    assert shown_start(room.onlooker.look(lobby))
    await submit(ben, "in 3 hours")
    for person in (caro, ben):
        await tap_more(person, "Leave")
    await timed_app.hours(3.1)
    assert (0, 0) == (boards(room), jobs(timed_app))


async def test_a_server_at_its_game_limit_starts_no_game_at_its_start_time(timed_app: TimedApp, room: Room) -> None:
    await table_at(room, "in 1 hour", "Ana", "Ben")
    other = timed_app.app.room()
    await table_at(other, "", "Caro", "Dan")
    await other.person("Caro").tap("Start")
    await timed_app.app.change(
        """INSERT OR REPLACE INTO settings SELECT 'server', guild_id, 'settings', '{"most": 1}' FROM matches LIMIT 1"""
    )
    await timed_app.app.close()
    await timed_app.app.open()
    await timed_app.hours(1.1)
    assert "This server allows 1 game at a time" in await room.onlooker.expect("The game was supposed to start now. ")
    assert 0 == boards(room)


async def test_suggestions_show_the_parsed_time_in_the_time_zone_of_the_user(timed_app: TimedApp, room: Room) -> None:
    ana = room.person("Ana")
    await timed_app.likes(ana, zone="Asia/Tokyo")
    ((name, value),) = await ana.suggest("table new", "start", "tomorrow 9 pm", game=OPEN)
    day = datetime.fromisoformat(value.removesuffix(" 9 PM"))
    assert name == f"{day:%A}, {day:%B} {day.day}, {day:%Y}, 9 PM"
    answer = await ana.slash("table new", game=OPEN, start=value)
    start = datetime.fromtimestamp(shown_start(answer), tz=timed_app.fake_clock.now.tzinfo)
    assert (12, value) == (start.hour, f"{start:%Y-%m-%d} 9 PM")
    assert 7 >= len(await ana.suggest("table new", "start", "", game=OPEN)) >= 6
    assert [] == await ana.suggest("table new", "start", "soon", game=OPEN)


async def test_a_user_without_a_time_zone_is_asked_once(timed_app: TimedApp, room: Room) -> None:
    ana = room.person("Ana")
    refusal = await ana.slash("table new", game=OPEN, start="soon")
    assert (True, []) == (refusal.ephemeral, timed_app.app.query("SELECT id FROM matches"))
    await ana.slash("table new", game=OPEN, start="23:59")
    assert "Set my time zone" in (await ana.expect("I don’t know your time zone")).labels
    await submit(ana, "in 2 hours")
    assert 1 == sum("I don’t know your time zone" in seen for seen in ana.messages)


async def test_a_start_time_has_a_calendar_file_in_the_language_of_the_reader(timed_app: TimedApp, room: Room) -> None:
    await table_at(room, "in 3 hours", "Ana")
    lobby, dan = room.onlooker.messages[0], room.person("Dan")
    await timed_app.likes(dan, language="de")
    answer = await dan.tap("Calendar", on=lobby)
    assert (True, True) == (answer.ephemeral, "in deinen Kalender einzutragen" in answer)
    (file,) = [image.data.decode() for image in answer.images if image.filename == FILE_NAME]
    start = datetime.fromtimestamp(shown_start(lobby), tz=timed_app.fake_clock.now.tzinfo)
    assert f"DTSTART:{start:%Y%m%dT%H%M%SZ}\r\n" in file
    assert f"/{room.local.channel(room.channel).id}/{lobby.id}" in file.replace("\r\n ", "")
    await submit(room.person("Ana"), "")
    await room.onlooker.until(lambda: "Calendar" not in room.onlooker.look(lobby).labels, what="no button")
    assert "keine feste Zeit" in await dan.tap_id("cv:calendar:1:0:", on=lobby)

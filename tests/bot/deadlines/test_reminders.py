"""Reminders: once for each time they are due, when their person wants them, and never after they have acted."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from bot.features.deadlines.reminders import _newest
from bot.store.matches import Status
from bot.tables.preferences import preferences_of
from bot.tables.table import Table
from playground.player import Player, Seen
from tests.bot.deadlines.test_due_reminders import reminders_of, untimed
from tests.bot.deadlines.test_late_players import forbidden
from tests.bot.deadlines.test_votes import CARO, play
from tests.bot.desk import Desk
from tests.bot.outcomes import choose, prefer, sent
from tests.bot.refusing import CHANNEL, GUEST, HOST, HOUR, House, refusal
from tests.bot.refusing import _answer as answer_to
from tests.bot.timed_app import TimedApp
from tests.bot.whole import whole

A_DAY = 24.1 * HOUR
"""A day, and a little more."""
HERE, DIRECT = f"POST /channels/{CHANNEL}/messages", "POST /channels/900/messages"
SNOOZES = (("Snooze 1 h", "hour"), ("This evening", "evening"), ("Tomorrow", "tomorrow"))
LAST = "my last reminder"


async def begin(home: House) -> Table:
    """A game without a pace in which the host is due."""
    await home.begin()
    return await untimed(home, HOST, GUEST, CARO)


class Numbered(dict[str, Any]):
    """Answers to requests: each message has an id of its own."""

    def get(self, name: str, default: Any = None) -> Any:
        if name != "POST /channels/{channel_id}/messages":
            return default
        self[name] = self.setdefault(name, 1000) + 1
        return answer_to(name) | {"id": str(self[name])}


@pytest.fixture
def home(home: House) -> House:
    home.network.answers = Numbered()
    return home


def sent_messages(home: House) -> list[tuple[int, str, str]]:
    """The id, the request and the text of each message."""
    posts = [(address, body) for address, body in home.network.bodies if address.startswith("POST /channels")]
    texts = ["\n".join(whole(body["components"])) for _, body in posts]
    return [(1001 + i, address, text) for i, ((address, _), text) in enumerate(zip(posts, texts, strict=True))]


def places(home: House) -> list[str]:
    """The request of each reminder."""
    return [address for _, address, text in sent_messages(home) if "waiting for you" in text]


def ids(home: House) -> list[int]:
    """The id of each reminder."""
    return [number for number, _, text in sent_messages(home) if "waiting for you" in text]


def deletions(home: House) -> list[str]:
    return [address for address, _ in home.network.bodies if address.startswith("DELETE ")]


async def habit(desk: Desk, name: str, *rows: str, user_id: int = HOST) -> str:
    """Choose a row of a setting. Returns the page."""
    (answer,) = await desk.tap(user_id, f"habit:0:0:{name}", *rows)
    return "\n".join(answer)


def chosen_rows(answer: list[str]) -> list[str]:
    """The labels of the chosen rows of all menus."""
    return [line.partition(" ")[2] for line in answer if line.startswith("  *") for line in [line.strip(" *")]]


def close_direct_messages(home: House) -> None:
    """Let Discord refuse direct messages, and nothing else."""
    home.network.fault, home.network.spared = forbidden, ("POST /channels", "GET", "PATCH", "DELETE")


async def test_a_due_player_is_reminded_after_a_day_and_again_a_day_later(home: House) -> None:
    await begin(home)
    await home.let_pass(23.5 * HOUR)
    assert [] == places(home)
    await home.let_pass(0.6 * HOUR)
    (first,) = reminders_of(home, HOST)
    assert first.startswith(f"⏰ <@{HOST}>, a game is waiting for you.\n**Muscat**: ")
    assert f"/{CHANNEL}/1001)" in first, "a link to the board"
    labels = [f"[{label} snooze {name} {HOST}]" for label, name in SNOOZES]
    assert labels == first.splitlines()[-3:]
    await home.let_pass(23.5 * HOUR)
    assert 1 == len(places(home))
    await home.let_pass(0.6 * HOUR)
    assert (2, []) == (len(reminders_of(home, HOST)), reminders_of(home, GUEST))


async def test_a_new_reminder_replaces_the_previous_one_of_its_player(home: House) -> None:
    table = await begin(home)
    await home.let_pass(2 * A_DAY)
    first, _ = ids(home)
    assert [f"DELETE /channels/{CHANNEL}/messages/{first}"] == deletions(home)
    await play(home, table, HOST, "place A")
    await home.let_pass(A_DAY)
    assert (1, 1) == (len(reminders_of(home, GUEST)), len(deletions(home))), "each has their own"


def test_of_the_reminders_kept_the_newest_are_the_last() -> None:
    earlier = {match_id: (CHANNEL, match_id) for match_id in (1, 2, 3)}
    renewed = [(2, (CHANNEL, 2)), (1, (CHANNEL, 9)), (3, (CHANNEL, 9))]
    assert renewed == [*_newest(earlier, [1, 3], (CHANNEL, 9)).items()]
    assert earlier == _newest(earlier, [1, 3], None)


async def test_a_reminder_stays_while_it_is_the_latest_of_a_game(home: House) -> None:
    await begin(home)
    await prefer(home, GUEST, interval=0)
    await home.let_pass(4 * HOUR)
    await untimed(home, HOST, GUEST, channel_id=9, game="sealed")
    for hours in (20.1, 4.1, 20.1, 4.1):
        await home.let_pass(hours * HOUR)
    assert 4 == len(reminders_of(home, HOST))
    early, late, *_ = ids(home)
    assert [f"DELETE /channels/{place}/messages/{number}" for place, number in ((CHANNEL, early), (9, late))] == (
        deletions(home)
    )


async def test_old_reminders_are_deleted_from_channels_and_direct_messages(desk: Desk) -> None:
    home = desk.home
    await begin(home)
    await home.let_pass(A_DAY)
    await habit(desk, "direct", "yes")
    await home.let_pass(2 * A_DAY)
    assert [HERE, DIRECT, DIRECT] == places(home)
    first, second, _ = ids(home)
    assert [f"{HERE}/{first}", f"{DIRECT}/{second}"] == [line.replace("DELETE", "POST") for line in deletions(home)]


@pytest.mark.parametrize(("status", "code"), [(403, 50013), (404, 10008), (503, 0)])
async def test_an_old_reminder_that_cannot_be_deleted_blocks_no_new_one(home: House, status: int, code: int) -> None:
    await begin(home)
    await home.let_pass(A_DAY)
    home.network.fault, home.network.spared = (lambda: refusal(status, code)), ("POST", "GET", "PATCH")
    await home.let_pass(A_DAY + HOUR)
    assert 2 == len(reminders_of(home, HOST))
    assert [] == deletions(home)
    assert 2 == (await home.store.reminded.of(HOST)).number


async def test_quiet_hours_accept_any_typed_full_hours(desk: Desk) -> None:
    assert "form" == (await habit(desk, "quiet", "other")).splitlines()[0]
    for typed, sentence in (("21-6", "From 9 PM to 6 AM"), ("1:00 to 09:00", "From 1 AM to 9 AM")):
        assert sentence in chosen_rows((await desk.tap(HOST, "quieted:0:0:", typed))[0])
    for typed in ("late", "9-9", "21-30", "5", "99999999-1"):
        assert "I don’t understand these hours" in str(await desk.tap(HOST, "quieted:0:0:", typed))
    assert "1-9" == (await preferences_of(desk.home.store.settings, HOST)).quiet


async def test_an_away_player_is_reminded_on_returning(desk: Desk) -> None:
    home = desk.home
    await begin(home)
    (answer, *_) = await desk.tap(HOST, "away:0:0:", "3")
    assert "no reminders until <t:" in "\n".join(answer)
    assert [] == chosen_rows(answer), "the menu says “You are away”"
    await home.let_pass(67.9 * HOUR)
    assert [] == places(home)
    await home.let_pass(0.2 * HOUR)
    assert 1 == len(places(home)), "at eight on the third day"


async def test_a_snoozed_reminder_comes_after_an_hour_or_in_the_morning(desk: Desk) -> None:
    home = desk.home
    table = await begin(home)
    await home.let_pass(A_DAY)
    assert "This reminder is for" in str(await desk.tap(GUEST, f"snooze:0:0:hour {HOST}"))
    assert "I’ll remind you again on <t:" in str(await desk.tap(HOST, f"snooze:0:0:hour {HOST}"))
    await home.let_pass(0.9 * HOUR)
    assert 1 == len(places(home))
    await home.let_pass(0.2 * HOUR)
    assert 2 == len(places(home))
    assert "I’ll remind you again" in str(await desk.tap(HOST, f"snooze:0:0:tomorrow {HOST}"))
    await home.let_pass(18.7 * HOUR)
    assert 2 == len(places(home))
    await home.let_pass(0.2 * HOUR)
    assert 3 == len(places(home)), "at eight"
    await play(home, table, HOST, "place A")
    assert "No game is waiting" in str(await desk.tap(HOST, f"snooze:0:0:tomorrow {HOST}"))


async def test_a_direct_reminder_falls_back_to_the_channel(desk: Desk) -> None:
    home = desk.home
    await begin(home)
    await habit(desk, "direct", "yes")
    await home.let_pass(A_DAY)
    assert [DIRECT] == places(home)
    assert "I’ll remind you again" in str(await desk.tap(HOST, f"snooze:0:0:hour {HOST}", guild_id=None))
    close_direct_messages(home)
    await home.let_pass(1.1 * HOUR)
    assert ([DIRECT, HERE], 1) == (places(home), len(reminders_of(home, HOST)))


async def test_a_clock_set_back_sends_no_second_reminder(home: House) -> None:
    await begin(home)
    await home.let_pass(A_DAY)
    home.time.set_clock(-6 * HOUR)
    await home.let_pass(6 * HOUR)
    assert 1 == len(places(home))


async def test_a_player_who_turned_off_reminders_gets_none(desk: Desk) -> None:
    home = desk.home
    await begin(home)
    await habit(desk, "interval", "0")
    await home.let_pass(100 * HOUR)
    assert [] == places(home)
    await habit(desk, "interval", "4")
    await home.let_pass(0 * HOUR)
    assert 1 == len(places(home)), "it has waited for long"


async def test_a_time_zone_is_found_by_its_city(desk: Desk) -> None:
    assert "Europe/Berlin, where it is" in str(await desk.tap(HOST, "zoned:0:0:", "berlin"))
    assert "America/Argentina/Ushuaia" in str(await desk.tap(HOST, "zoned:0:0:", "argentina"))
    assert "America/Argentina/Salta, where" in str(await desk.tap(HOST, "inzone:0:0:", "America/Argentina/Salta"))
    assert "a time zone like “Atlantis”" in str(await desk.tap(HOST, "zoned:0:0:", "Atlantis"))


async def test_a_reminder_refused_for_permissions_is_retried_at_the_next_interval(home: House) -> None:
    await begin(home)
    home.network.fault, home.network.spared = (lambda: refusal(403, 50013)), ("GET", "PATCH", "DELETE")
    await home.let_pass(A_DAY)
    home.network.fault = None
    await home.let_pass(20 * HOUR)
    assert [] == places(home)
    await home.let_pass(4 * HOUR)
    assert 1 == len(places(home))


async def test_without_mentions_boards_ping_no_player_and_reminders_are_direct_messages(home: House) -> None:
    await choose(home, calls=False)
    await begin(home)
    ((head, *board),) = [lines for lines in sent(home) if lines[0].startswith("POST")]
    assert (HERE, True) == (head, f"<@{HOST}>" in str(board)), "named without a ping"
    await home.let_pass(25 * HOUR)
    assert [DIRECT] == places(home)
    close_direct_messages(home)
    await home.let_pass(30 * HOUR)
    assert [DIRECT] == places(home)
    await choose(home, calls=True)
    await home.let_pass(30 * HOUR)
    assert ([DIRECT, HERE], 1) == (places(home), len(reminders_of(home, HOST)))


async def fall_asleep(home: House) -> str:
    """Let a week go by without a move. Returns the last reminder."""
    for _ in range(7):
        await home.let_pass(A_DAY)
    *earlier, last = reminders_of(home, HOST)
    assert [False] * 6 == [LAST in text for text in earlier]
    assert f"-# This is {LAST} about this game" in last
    return last


async def test_without_a_pace_reminders_pause_after_a_week_until_the_next_move(desk: Desk) -> None:
    home = desk.home
    table = await begin(home)
    assert "[End Muscat asleep]" == (await fall_asleep(home)).splitlines()[-1]
    await home.let_pass(5 * A_DAY)
    assert 7 == len(places(home))
    await play(home, table, HOST, "place A")
    assert "only its host or a moderator" in str(await desk.tap(GUEST, f"asleep:{table.id}:0:"))
    await home.let_pass(2 * A_DAY)
    assert (7, 2) == (len(reminders_of(home, HOST)), len(reminders_of(home, GUEST)))


async def test_any_player_can_end_an_abandoned_game(desk: Desk) -> None:
    home = desk.home
    table = await begin(home)
    await fall_asleep(home)
    assert "You’re not playing" in str(await desk.tap(75, f"asleep:{table.id}:0:"))
    ((form, _, control, *_),) = await desk.tap(GUEST, f"asleep:{table.id}:0:")
    assert ("form", f"cf:asleepend:{table.id}:0:") == (form, control)
    sent(home)
    await desk.tap(GUEST, f"asleepend:{table.id}:0:", "all gone")
    assert f"was called off by <@{GUEST}>" in str(sent(home))
    assert Status.ENDED is table.row.status


async def test_with_a_pace_or_a_custom_interval_no_reminder_is_the_last(home: House) -> None:
    await prefer(home, HOST, interval=4)
    await begin(home)
    for _ in range(10):
        await home.let_pass(4.1 * HOUR)
    assert 10 == len(reminders_of(home, HOST))
    assert not any(LAST in text for text in reminders_of(home, HOST)), "a week is not over"


# --- with a whole bot, which is closed in between ---


def mentions_of(person: Player) -> list[Seen]:
    """The reminders that mention a player."""
    return [seen for seen in person.pings if "waiting for you" in seen.text]


async def test_reminders_that_came_due_during_downtime_are_sent_once(timed_app: TimedApp) -> None:
    _, (ana, *_) = await timed_app.begin("Ana", "Ben", "Caro")
    await timed_app.begin("Ana", "Ben", game="sealed")
    await timed_app.app.close()
    timed_app.fake_clock.ahead += timedelta(days=5)
    await timed_app.app.open()
    await timed_app.hours(0)
    assert 1 == len(mentions_of(ana))
    assert "games are waiting" in mentions_of(ana)[0].text
    await timed_app.hours(23)
    assert 1 == len(mentions_of(ana))


async def test_a_kill_after_sending_duplicates_no_reminder(timed_app: TimedApp) -> None:
    _, (ana, *_) = await timed_app.begin("Ana", "Ben", "Caro")
    before = timed_app.app.query("SELECT * FROM jobs")
    await timed_app.hours(24.1)
    assert 1 == len(mentions_of(ana))
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
    assert 1 == len(mentions_of(ana))


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
    assert ["a game is waiting for you" in seen for seen in mentions_of(ana)] == [True]
    await timed_app.hours(0.9)
    assert 1 == len(mentions_of(ana))
    await timed_app.hours(0.2)
    assert ["**Sealed" in seen for seen in mentions_of(ana)] == [False, True]


async def test_a_reminder_whose_response_is_lost_is_sent_once(timed_app: TimedApp) -> None:
    _, (ana, *_) = await timed_app.begin("Ana", "Ben", "Caro")
    fault = timed_app.app.local.fault("POST /channels/*/messages", status=503, after=True)
    await timed_app.hours(24.1)
    await timed_app.hours(0.1)
    assert (1, 1) == (fault.struck, len(mentions_of(ana)))
    assert [(1,)] == timed_app.app.query("SELECT number FROM reminded WHERE user_id = ?", ana.id)

"""*You're next*: a silent direct message before one's turn, for users who want it, and at most once a round."""

from __future__ import annotations

import pytest

from bot.features.play.undo_buttons import undo_last
from bot.jobs.next_notice import RECORD_TIME
from bot.store.jobs import JobKind
from bot.tables.table import Table
from playground.player import Player, Seen
from tests.bot.deadlines.test_due_reminders import untimed
from tests.bot.deadlines.test_late_players import forbidden
from tests.bot.deadlines.test_votes import CARO
from tests.bot.desk import Desk
from tests.bot.habits import choose_preference
from tests.bot.outcomes import prefer
from tests.bot.refusing import CHANNEL, GUEST, HOST, HOUR, House
from tests.bot.tables.test_substitute import play
from tests.bot.timed_app import TimedApp
from tests.bot.whole import whole
from tests.robots import BOARD
from tests.rooms import choose_first

NEXT = "You’re next"
WANTED = "A silent message before my turn"
DIRECT = "POST /channels/*/messages"
SILENT = 1 << 12
AT_NIGHT = {"quiet": "22-8", "zone": "UTC"}


def notices(home: House) -> list[int]:
    """Return the recipients of all notices."""
    users, user_id = list[int](), 0
    for _, body in home.network.bodies:
        user_id = int((body or {}).get("recipient_id", user_id))
        if body and NEXT in str(whole(body.get("components", []))):
            assert body["flags"] & SILENT
            users.append(user_id)
    return users


async def move(desk: Desk, table: Table, user_id: int) -> None:
    """Take a turn with the first option of every question, and post the board."""
    seat = table.require_seat(user_id)
    while any(decision.seat == seat for decision in table.require_match().state.decisions()):
        await play(desk, table, user_id)
    await desk.home.services.poster.publish(table)
    await desk.home.let_pass(0 * HOUR)


async def before_caro(desk: Desk) -> Table:
    """Caro and Ana want notices; Ben's turn has begun, after which it is Caro's."""
    for user_id in (HOST, CARO):
        await prefer(desk.home, user_id, next_notice=True, interval=0)
    await prefer(desk.home, GUEST, interval=0)
    await desk.home.begin()
    table = await untimed(desk.home, HOST, GUEST, CARO, game="jinns")
    await move(desk, table, HOST)
    return table


async def test_a_silent_notice_follows_a_few_minutes_after_the_previous_turn_begins(desk: Desk) -> None:
    home = desk.home
    table = await before_caro(desk)
    await home.let_pass(0.1 * HOUR)
    assert [] == notices(home)
    await home.let_pass(0.1 * HOUR)
    assert [CARO] == notices(home)
    title, link, *_ = whole(home.network.bodies[-1][1]["components"])
    assert f"⏳ **Jinns of the Lake**: {NEXT}" == title
    assert f"/{CHANNEL}/555)" in link, "a link to the board"
    await home.let_pass(20 * HOUR)
    assert [CARO] == notices(home)
    await move(desk, table, GUEST)
    await home.let_pass(0.2 * HOUR)
    assert [CARO, HOST] == notices(home), "its round is the next one"
    await move(desk, table, CARO)
    await move(desk, table, HOST)
    await home.let_pass(0.2 * HOUR)
    assert [CARO, HOST, CARO] == notices(home)


async def test_no_notice_is_sent_for_a_fast_turn_or_one_that_ends_in_quiet_hours(desk: Desk) -> None:
    home = desk.home
    home.time.now += 11 * HOUR
    table = await before_caro(desk)
    for user_id in (HOST, CARO):
        await prefer(home, user_id, next_notice=True, interval=0, **AT_NIGHT)
    await move(desk, table, GUEST)
    await home.let_pass(8.5 * HOUR)
    await move(desk, table, CARO)
    await home.let_pass(2 * HOUR)
    assert [] == notices(home)
    await move(desk, table, HOST)
    await home.let_pass(0.2 * HOUR)
    assert [CARO] == notices(home), "by day"


async def test_a_notice_waits_for_the_end_of_quiet_hours(desk: Desk) -> None:
    home = desk.home
    home.time.now += 15 * HOUR
    await before_caro(desk)
    await prefer(home, CARO, next_notice=True, interval=0, **AT_NIGHT)
    await home.let_pass(4.9 * HOUR)
    assert [] == notices(home)
    await home.let_pass(0.2 * HOUR)
    assert [CARO] == notices(home)


async def test_a_turn_that_is_undone_and_replayed_sends_no_second_notice(desk: Desk) -> None:
    home = desk.home
    table = await before_caro(desk)
    await home.let_pass(0.2 * HOUR)
    assert [CARO] == notices(home)
    await desk.command(HOST, undo_last)
    assert {table.require_seat(HOST)} == {decision.seat for decision in table.require_match().state.decisions()}
    await home.services.poster.publish(table)
    await home.let_pass(1 * HOUR)
    await move(desk, table, HOST)
    await home.let_pass(1 * HOUR)
    await home.let_pass(RECORD_TIME)
    assert [CARO] == notices(home)
    assert [] == await home.store.jobs.of_match(JobKind.NEXT_NOTICE, table.id), "no record for longer than needed"


async def test_closed_direct_messages_drop_the_notice_for_that_user_only(desk: Desk) -> None:
    home = desk.home
    table = await before_caro(desk)
    home.network.fault = forbidden
    await home.let_pass(0.2 * HOUR)
    home.network.fault = None
    await home.let_pass(2 * HOUR)
    assert [] == notices(home)
    await move(desk, table, GUEST)
    await home.let_pass(0.2 * HOUR)
    assert [HOST] == notices(home)


@pytest.mark.parametrize(
    ("user_id", "control", "rows"),
    [
        (CARO, "habit:0:0:next_notice", ["no"]),
        (CARO, "resign:1:0:", []),
        (HOST, "end:1:0:", []),
        (CARO, "forgetme:0:0:", []),
    ],
)
async def test_a_notice_lapses_when_it_no_longer_applies(
    desk: Desk, user_id: int, control: str, rows: list[str]
) -> None:
    table = await before_caro(desk)
    assert 1 == len(await desk.home.store.jobs.of_match(JobKind.NEXT_NOTICE, table.id))
    await desk.tap(user_id, control, *rows)
    await desk.home.let_pass(1 * HOUR)
    assert [] == notices(desk.home)
    assert [] == await desk.home.store.jobs.of_match(JobKind.NEXT_NOTICE, table.id)


# --- with a whole bot, which is closed in between ---


def messages_to(person: Player) -> list[Seen]:
    return [seen for seen in person.in_dm().messages if NEXT in seen]


async def take_turn(person: Player) -> None:
    """Choose the first option of every question, and confirm."""
    screen = await person.tap("Your move")
    while "Confirm" not in screen.labels:
        screen = await choose_first(person, screen)
    await person.tap("Confirm", on=screen)


@pytest.mark.parametrize("is_lost", [True, False])
async def test_neither_a_lost_response_nor_a_restart_duplicates_or_loses_a_notice(
    timed_app: TimedApp, is_lost: bool
) -> None:
    room, (ana, ben, caro) = await timed_app.begin("Ana", "Ben", "Caro", game="jinns")
    await choose_preference(caro, "next_notice", WANTED)
    board = room.onlooker.last
    await take_turn(ana)
    await timed_app.called(ben, await room.onlooker.expect(BOARD, after=board))
    if is_lost:
        timed_app.app.local.fault(DIRECT, 502, after=True)
    await timed_app.app.close()
    await timed_app.app.open()
    await timed_app.hours(0.2)
    await timed_app.hours(1)
    await timed_app.app.close()
    await timed_app.app.open()
    await timed_app.hours(1)
    assert 1 == len(messages_to(caro))

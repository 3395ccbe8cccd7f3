"""*You're next*: a silent direct message before one's turn, for users who want it, and at most once a round."""

from __future__ import annotations

import pytest

from bot.jobs.next_notice import RECORD_TIME
from playground.player import Player, Seen
from tests.bot.habits import choose_preference
from tests.bot.timed_app import TimedApp
from tests.e2e.rooms import Room, choose_first

NEXT = "You’re next"
WANTED = "A silent message before my turn"
DIRECT = "POST /channels/*/messages"


def notices(person: Player) -> list[Seen]:
    return [seen for seen in person.in_dm().messages if NEXT in seen]


async def move(timed_app: TimedApp, room: Room, person: Player, after: Player) -> None:
    """Make a move as `person`, and record the board that mentions `after`."""
    board = room.onlooker.last
    screen = await person.tap("Your move")
    while "Confirm" not in screen.labels:
        screen = await choose_first(person, screen)
    await person.tap("Confirm", on=screen)
    await timed_app.called(after, await room.onlooker.expect("### ", after=board))


async def before_caro(timed_app: TimedApp) -> tuple[Room, list[Player]]:
    """Caro and Ana want notices; Ben's turn has begun, after which it is Caro's."""
    room, people = await timed_app.begin("Ana", "Ben", "Caro", game="jinns")
    ana, ben, caro = people
    for person in (ana, caro):
        await choose_preference(person, "next_notice", WANTED)
    await move(timed_app, room, ana, ben)
    return room, people


async def test_a_silent_notice_follows_a_few_minutes_after_the_previous_turn_begins(timed_app: TimedApp) -> None:
    room, (ana, ben, caro) = await before_caro(timed_app)
    await timed_app.hours(0.1)
    assert [] == notices(caro)
    await timed_app.hours(0.1)
    (seen,) = notices(caro)
    assert seen.text.startswith(f"⏳ **Jinns of the Lake**: {NEXT}\n")
    assert f"/{room.onlooker.last.id})" in seen, "a link to the board"
    assert seen.silent
    await timed_app.hours(20)
    assert ([], [], 1) == (notices(ana), notices(ben), len(notices(caro)))
    await move(timed_app, room, ben, caro)
    await timed_app.hours(0.2)
    assert 1 == len(notices(ana)), "its round is the next one"
    await move(timed_app, room, caro, ana)
    await move(timed_app, room, ana, ben)
    await timed_app.hours(0.2)
    assert (0, 2) == (len(notices(ben)), len(notices(caro)))


async def test_no_notice_is_sent_for_a_fast_turn_or_one_that_ends_in_quiet_hours(timed_app: TimedApp) -> None:
    timed_app.fake_clock.show(23)
    room, (ana, ben, caro) = await before_caro(timed_app)
    await choose_preference(ana, "quiet", "From 10 PM to 8 AM")
    await choose_preference(caro, "quiet", "From 10 PM to 8 AM")
    await move(timed_app, room, ben, caro)
    await timed_app.hours(8.5)
    await move(timed_app, room, caro, ana)
    await timed_app.hours(2)
    assert ([], []) == (notices(ana), notices(caro))
    await move(timed_app, room, ana, ben)
    await timed_app.hours(0.2)
    assert 1 == len(notices(caro)), "by day"


async def test_a_notice_waits_for_the_end_of_quiet_hours(timed_app: TimedApp) -> None:
    timed_app.fake_clock.show(3)
    _, (_, _, caro) = await before_caro(timed_app)
    await choose_preference(caro, "quiet", "From 10 PM to 8 AM")
    await timed_app.hours(3)
    assert [] == notices(caro)
    await timed_app.hours(3)
    assert 1 == len(notices(caro))


async def test_a_turn_that_is_undone_and_replayed_sends_no_second_notice(timed_app: TimedApp) -> None:
    room, (ana, ben, caro) = await before_caro(timed_app)
    await timed_app.hours(0.2)
    assert 1 == len(notices(caro))
    # the request counts: Discord would take a second message for the first one, but only for some minutes
    second = timed_app.app.local.fault(f"POST /channels/{caro.in_dm().channel.id}/messages", 403, times=None)
    board = room.onlooker.last
    await ana.slash("game undo")
    await timed_app.called(ana, await room.onlooker.expect("### ", after=board))
    await timed_app.hours(1)
    await move(timed_app, room, ana, ben)
    await timed_app.hours(1)
    await timed_app.hours(RECORD_TIME.total_seconds() / 3600)
    assert not second.struck
    assert [] == timed_app.app.query("SELECT * FROM jobs WHERE kind = 'next notice'"), (
        "no record for longer than needed"
    )


@pytest.mark.parametrize("is_lost", [True, False])
async def test_neither_a_lost_response_nor_a_restart_duplicates_or_loses_a_notice(
    timed_app: TimedApp, is_lost: bool
) -> None:
    _, (_, _, caro) = await before_caro(timed_app)
    if is_lost:
        timed_app.app.local.fault(DIRECT, 502, after=True)
    await timed_app.app.close()
    await timed_app.app.open()
    await timed_app.hours(0.2)
    await timed_app.hours(1)
    await timed_app.app.close()
    await timed_app.app.open()
    await timed_app.hours(1)
    assert 1 == len(notices(caro))


async def test_closed_direct_messages_drop_the_notice_for_that_user_only(timed_app: TimedApp) -> None:
    room, (ana, ben, caro) = await before_caro(timed_app)
    fault = timed_app.app.local.fault(DIRECT, 403, code=50007)
    await timed_app.hours(0.2)
    assert fault.struck
    await timed_app.hours(2)
    assert [] == notices(caro)
    await move(timed_app, room, ben, caro)
    await timed_app.hours(0.2)
    assert 1 == len(notices(ana))


@pytest.mark.parametrize("way", ["off", "left", "over", "forgotten"])
async def test_a_notice_lapses_when_it_no_longer_applies(timed_app: TimedApp, way: str) -> None:
    _, (ana, _, caro) = await before_caro(timed_app)
    match way:
        case "off":
            await choose_preference(caro, "next_notice", "No message before my turn")
        case "left":
            await caro.tap("Resign", on=await caro.slash("game leave"))
        case "over":
            await ana.tap("End it", on=await ana.slash("table end"))
        case "forgotten":
            await caro.tap("Forget me for good", on=await caro.tap("Forget me", on=await caro.slash("me data")))
    await timed_app.hours(1)
    assert [] == notices(caro)
    assert [] == timed_app.app.query("SELECT * FROM jobs WHERE kind = 'next notice'")

"""A lobby gathers people: invitations, a ready check, a start by itself; the first board reaches everybody."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta

import pytest

from playground.player import Player, Seen
from tests.bot.forging import forge_row
from tests.bot.timed_app import TimedApp
from tests.robots import BOARD
from tests.rooms import Room, play_move, tap_more

SECRET, OPEN = "sealed", "toll"
"""Games in which secrets are dealt, for two to four, and are not, for two or three."""


@pytest.fixture
def room(timed_app: TimedApp) -> Room:
    return timed_app.app.room()


async def lobby(room: Room, *names: str, game: str = SECRET) -> list[Player]:
    """A table with these people at it. Returns them."""
    people = room.people(*names)
    await people[0].slash("table new", game=game)
    for person in people[1:]:
        await person.tap("Join")
    return people


def boards(room: Room) -> int:
    return sum(BOARD(seen) and bool(seen.images) for seen in room.onlooker.messages)


def last(room: Room) -> Seen:
    seen = room.onlooker.last
    assert seen is not None
    return seen


async def shows(room: Room, words: str) -> None:
    """Wait until the lobby, the first message here, says so."""
    await room.onlooker.until(lambda: words in room.onlooker.messages[0], what=words)


# --- ready ---


async def test_a_game_with_secrets_asks_every_player_and_the_last_answer_starts_it(
    timed_app: TimedApp, room: Room
) -> None:
    ana, ben, caro = await lobby(room, "Ana", "Ben", "Caro")
    await ana.tap("Add computer")
    before = last(room)
    reply = await ana.tap("Start")
    assert (("Ben", "Caro"), 0) == (reply.pinged, boards(room))
    assert ["✅", "⏳", "⏳", "✅"] == [line[0] for line in reply.text.splitlines()[3:7]]
    await room.onlooker.until(lambda: "further down" in room.onlooker.look(before), what="a pointer")
    await timed_app.app.close()
    await timed_app.app.open()
    assert f"Waiting for {caro.mention}." in await ben.tap("Ready")
    assert f"Waiting for {caro.mention}." in await ben.tap("Ready", on=reply)
    assert "You haven’t joined this table" in await room.person("Dan").tap("Ready")
    await caro.tap("Ready")
    board = await room.onlooker.expect(BOARD)
    assert {"Ana", "Ben", "Caro"} == set(board.pinged)
    assert 1 == boards(room)


def time_until(seen: Seen) -> int:
    """The time at which a lobby says that it closes, in seconds since 1970."""
    return int(re.search(r"You have until <t:(\d+):f>; then the table closes\.", seen.text)[1])


async def test_a_ready_check_lasts_a_day_and_every_answer_extends_it(timed_app: TimedApp, room: Room) -> None:
    ana, ben, caro = await lobby(room, "Ana", "Ben", "Caro")
    assert "You have until" not in last(room)
    response = await ana.tap("Start")
    first = time_until(response)
    assert 0 <= first - (timed_app.fake_clock.now + timedelta(hours=23, minutes=55)).timestamp() < 600
    await timed_app.hours(22)
    await timed_app.app.close()
    await timed_app.app.open()
    response = await ben.tap("Ready", on=response)
    assert 0 <= time_until(response) - first - 22 * 3600 < 600
    await timed_app.hours(22)
    await caro.tap("Ready", on=response)
    await room.onlooker.expect(BOARD)
    assert 1 == boards(room)


async def test_an_unanswered_ready_check_closes_the_table_unless_the_host_keeps_it_open(
    timed_app: TimedApp, room: Room
) -> None:
    ana, *_ = await lobby(room, "Ana", "Ben")
    screen = await ana.tap("Start")
    await timed_app.hours(23.1)
    await ana.tap("Keep it open")
    later = await room.onlooker.until(
        lambda: time_until(room.onlooker.look(screen)) > time_until(screen) and room.onlooker.look(screen),
        what="a new time",
    )
    assert ["Ready", "More"] == later.labels
    for hours in (23.1, 1.1):
        await timed_app.hours(hours)
    ended = "Nothing happened at this table for a day"
    await room.onlooker.until(lambda: ended in room.onlooker.look(screen), what=ended)


async def test_simultaneous_taps_start_one_game(room: Room) -> None:
    ana, ben, caro = await lobby(room, "Ana", "Ben", "Caro")
    screen = last(room)
    await asyncio.gather(ana.tap("Start", on=screen), ana.tap("Start", on=screen))
    calls = [seen for seen in room.onlooker.messages if "Ben" in seen.pinged]
    assert 1 == len(calls)
    await asyncio.gather(*(person.tap("Ready", on=calls[0]) for person in (ben, caro, caro, ben)))
    await room.onlooker.expect(BOARD)
    assert 1 == boards(room)


async def test_any_change_to_the_table_cancels_the_ready_check(room: Room) -> None:
    ana, ben, _ = await lobby(room, "Ana", "Ben", "Caro")
    dan, options = room.person("Dan"), await ana.slash("table options")
    hints = next(n for n, menu in enumerate(options.menus) if "Hints: yes" in [option.label for option in menu.options])

    async def not_yet() -> None:
        assert "Only the host" in await ben.slash("game ready", answer="not yet: back to the table")
        assert "The ready check is canceled" in await tap_more(ana, "Not yet")

    async def pace() -> None:
        await ana.choose("No time limit", on=await ana.slash("table pace"))

    async def remove() -> None:
        await ana.tap("🟨 Caro", on=await tap_more(ana, "Remove"))

    for change in (
        lambda: ana.choose("rounds: 1", on=options),
        lambda: ana.choose("Hints: yes", on=options, menu=hints),
        lambda: ana.tap("✓ Rated", on=options),
        pace,
        not_yet,
        lambda: dan.slash("game join"),
        remove,
        lambda: tap_more(dan, "Leave"),
    ):
        question = await ana.tap("Start")
        assert "⏳" in question
        await ben.tap("Ready")
        await change()
        await room.onlooker.until(lambda on=question: "Start" in room.onlooker.look(on).labels, what="it as it was")
        assert "✅" not in room.onlooker.look(question)
        assert "Nobody has been asked yet" in await ben.slash("game ready")
    assert 0 == boards(room)


async def test_changing_a_computer_restarts_the_ready_check_and_rechoosing_it_does_not(room: Room) -> None:
    ana, ben, _ = await lobby(room, "Ana", "Ben", "Caro")
    await ana.tap("Add computer")
    page = await ana.slash("table computers")
    question = await ana.tap("Start")
    await ana.choose("strong", on=page)
    await room.onlooker.until(lambda: "Start" in room.onlooker.look(question).labels, what="it as it was")
    assert "Nobody has been asked yet" in await ben.slash("game ready")
    await ana.slash("table start")
    await ana.choose("strong", on=page)
    assert "Waiting for" in await ben.slash("game ready")


async def test_a_game_without_secrets_starts_at_once_unless_the_host_wants_a_ready_check(room: Room) -> None:
    ana, *_ = await lobby(room, "Ana", "Ben", "Caro", game=OPEN)
    await ana.tap("Start")
    board = await room.onlooker.expect(BOARD)
    assert ({"Ana", "Ben", "Caro"}, True) == (set(board.pinged), "Also at the table: " in board)
    await ana.tap("End it", on=await ana.slash("table end"))
    await lobby(room, "Ana", "Ben", "Caro", game=OPEN)
    options = await ana.tap("Ready check", on=await ana.slash("table options"))
    assert "✓ Ready check" in options.labels
    assert ("Ben", "Caro") == (await ana.tap("Start")).pinged
    await ana.tap("✓ Ready check", on=options)
    await room.onlooker.until(lambda: "Start" in last(room).labels, what="that nobody is asked any more")


async def test_a_solo_game_against_computers_has_no_ready_check(room: Room) -> None:
    (ana,) = await lobby(room, "Ana")
    await ana.tap("Add computer")
    await ana.tap("Start")
    assert "Also at the table" not in await room.onlooker.expect(BOARD)


async def test_commands_can_do_everything_that_buttons_can(room: Room) -> None:
    ana, ben, caro = room.people("Ana", "Ben", "Caro")
    await ana.slash("table new", game=OPEN)
    for person in (ben, caro):
        await person.slash("game join")
    assert "Only the host" in await ben.slash("table options")
    await ana.tap("Ready check", on=await ana.slash("table options"))
    question = await ana.slash("table start")
    assert ("Ben", "Caro") == question.pinged
    assert f"Waiting for {caro.mention}." in await ben.slash("game ready")
    await ana.slash("game ready", answer="not yet: back to the table")
    await ana.tap("✓ Ready check", on=await ana.slash("table options"))
    await ben.slash("table start")
    await room.onlooker.expect(BOARD)


# --- when full ---


async def test_a_table_starts_when_its_last_seat_is_taken(room: Room) -> None:
    ana, ben = await lobby(room, "Ana", "Ben", game=OPEN)
    assert "Options" not in (await ben.tap("More")).labels
    page = await ana.tap("Start when full", on=await tap_more(ana, "Options"))
    assert "✓ Start when full" in page.labels
    await shows(room, "It starts as soon as 3 players are here.")
    screen = last(room)
    assert 0 == boards(room)
    started = await room.person("Dan").tap("Join")
    assert (screen.id, "The game has begun." in started) == (started.id, True)
    assert {"Ana", "Ben", "Dan"} == set((await room.onlooker.expect(BOARD)).pinged)


async def test_a_full_table_with_secrets_asks_all_players_but_the_one_who_filled_it(room: Room) -> None:
    ana, ben, _ = await lobby(room, "Ana", "Ben", "Caro")
    await ana.tap("Start when full", on=await ana.slash("table options"))
    question = await ben.tap("Add computer")
    assert ({"Ana", "Caro"}, 2) == (set(question.pinged), question.text.count("✅"))


async def test_a_full_table_that_cannot_start_says_why_and_keeps_the_new_player(room: Room) -> None:
    ana, *_ = await lobby(room, "Ana", "Ben", game=OPEN)
    await ana.tap("Start when full", on=await ana.slash("table options"))
    room.local.forbid(room.channel, "ATTACH_FILES")
    await room.person("Eva").tap("Join")
    assert "**Attach Files**" in await room.person("Eva").expect("I can’t run a game in")
    assert room.person("Eva").mention in room.onlooker.messages[0]
    room.local.permit(room.channel, "ATTACH_FILES")
    await ana.tap("Start")
    await room.onlooker.expect(BOARD)


async def test_a_rematch_keeps_the_start_settings_but_resets_ready_answers(timed_app: TimedApp, room: Room) -> None:
    ana, ben = await lobby(room, "Ana", "Ben")
    page = await ana.tap("Start when full", on=await ana.slash("table options"))
    await ana.choose("rounds: 1", on=page)
    await ana.tap("Start")
    await ben.tap("Ready")
    await room.onlooker.expect(BOARD)
    for person in (ana, ben):
        await play_move(person, "sealed bid", coins="3" if person is ana else "1")
    again = await ben.tap("Rematch", on=await room.onlooker.expect("wins!"))
    assert ("It starts as soon as 4 players are here." in again, "✅" in again, ("Ana",)) == (True, False, again.pinged)
    assert 1 == len(set(timed_app.app.query("SELECT when_full, ready_check, options FROM matches")))


# --- invitations ---


async def test_the_host_invites_guests_who_are_pinged_once_an_hour_and_join_with_a_tap(
    timed_app: TimedApp, room: Room
) -> None:
    ana, ben, caro, dan = await lobby(room, "Ana", "Ben") + room.people("Caro", "Dan")
    assert "Only the host" in await ben.slash("table invite")
    menu = await ana.slash("table invite")
    assert menu.ephemeral
    reply = await ana.choose("Caro", "Dan", "Ben", on=menu)
    call = last(room)
    assert (("Caro", "Dan"), ["Join", "Rules"]) == (call.pinged, call.labels)
    assert f"{ana.mention} invites you to a game of **Sealed Bids**" in call
    assert reply.text == f"Invited: {caro.mention} and {dan.mention}."
    await shows(room, f"-# Invited: {caro.mention}, {dan.mention}")
    assert "nobody was mentioned again" in await ana.choose("Dan", on=await ana.slash("table invite"))
    assert "You’re in." in await dan.tap("Join", on=call)
    assert "already" in await dan.tap("Join", on=call)
    await shows(room, f"-# Invited: {caro.mention}\n")
    timed_app.fake_clock.ahead += timedelta(minutes=61)
    await ana.slash("table invite", who="Caro", who2="Dan")
    assert ("Caro",) == last(room).pinged


async def test_invitations_by_command_bring_guests_into_the_thread_of_the_table(room: Room) -> None:
    ana, caro = room.people("Ana", "Caro")
    await ana.slash("table new", game=SECRET, where="thread", invite="Ben", invite2="Caro", invite3="Caravanserai")
    inside = Room(room.local, "Sealed Bids with Ana")
    table = await inside.onlooker.expect("Invited: ")
    assert {"Ana", "Ben", "Caro"} == set(table.pinged)
    assert {ana.id, caro.id} < set(room.local.channel(inside.channel).members)
    assert "Bots can’t play" in await inside.person("Ana").slash("table invite", who="Caravanserai")
    assert "Who do you want to invite" in await inside.person("Ana").slash("table invite")


async def test_an_invitation_refused_by_discord_does_not_count(timed_app: TimedApp, room: Room) -> None:
    ana, *_ = await lobby(room, "Ana")
    timed_app.app.local.fault("POST /channels/*/messages", 403, code=50013)
    assert "Nobody was mentioned" in await ana.slash("table invite", who="Ben")
    await ana.slash("table invite", who="Ben")
    assert ("Ben",) == last(room).pinged


async def test_forged_guests_are_refused(timed_app: TimedApp, room: Room) -> None:
    (ana,) = await lobby(room, "Ana")
    menu = await ana.slash("table invite")
    reply = await forge_row(timed_app.app, ana, menu, "cm:guests:1:0:", "everyone", "9" * 30)
    assert "wrong on my end" not in reply
    assert [] == timed_app.app.query("SELECT * FROM invitations")


async def test_a_direct_message_offers_no_invitations(room: Room) -> None:
    ana = room.person("Ana").in_dm()
    await ana.slash("table new", game=SECRET, where="thread")
    more, page = await ana.tap("More"), await tap_more(ana, "Options")
    assert set() == {"Invite", "Pace", "Start when full"} & {button.label for button in (*more.buttons, *page.buttons)}
    assert "Nobody else can see this channel" in await ana.slash("table invite")

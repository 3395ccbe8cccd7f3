"""Pace: the time of players, the warning before its end, and the vote of the others after it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from bot import worker
from bot.clock import Clock
from bot.features.deadlines import board_clocks, timeouts
from playground.player import Player, Seen
from tests.bot.app import App
from tests.bot.fake_clock import NAP, FakeClock
from tests.bot.habits import choose_preference
from tests.bot.moderating import choose_setting, moderator
from tests.bot.timed_app import TimedApp
from tests.e2e.rooms import Room, play_move, start_game

WAIT, PLAY, HOLD, INVITE = (
    "Keep waiting",
    "Let a computer play this turn",
    "Let a computer take over",
    "Invite a substitute",
)
OPEN, FIRM = "24 hours, then a vote", "24 hours, then a computer"
WARNING, LATE = "your time for this turn runs out", "time for this turn is up. What should happen?"
REMINDER, VOTE = "you haven’t voted yet", 12
"""Words of a reminder of a vote, and the hours that one lasts with a daily pace."""
WHOLE, LEAD = 66.1, 6.1
"""Hours until the warning of a daily pace with a full bank, and from there to the end."""


@pytest.fixture(autouse=True)
def fake_clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeClock]:
    fake_clock = FakeClock()
    monkeypatch.setattr(Clock, "now", lambda _: fake_clock.now)
    monkeypatch.setattr(worker, "NAP", NAP)
    monkeypatch.setattr(board_clocks, "MAX_GAP", timedelta.max)  # the tests move the clock by days
    return fake_clock


class PacedApp(TimedApp):
    """A house whose tables have a pace."""

    async def paced(self, pace: str, *names: str, game: str = "muscat") -> tuple[Room, list[Player]]:
        """A game with a pace, without reminders."""
        room = self.app.room()
        people = room.people(*names)
        await people[0].slash("table new", game=game)
        for person in people[1:]:
            await person.tap("Join")
        options = await people[0].slash("table pace")
        await people[0].choose(pace, on=options, menu=len(options.menus) - 1)
        for person in people:
            await self.likes(person, interval=0)
        await start_game(*people)
        await self.called(people[0], await room.onlooker.expect("### "))
        return room, people

    async def late(self, *names: str, game: str = "muscat") -> tuple[Room, list[Player], Seen]:
        """A game in which the first one's time is up. With the message that says so."""
        room, people = await self.paced(OPEN, *(names or ("Ana", "Ben", "Caro")), game=game)
        await self.time_up()
        return room, people, await room.onlooker.expect(LATE)

    async def time_up(self, whole: float = WHOLE) -> None:
        """Let the time of the due player pass, with a check in time for the warning."""
        await self.hours(whole)
        await self.hours(LEAD)

    def events(self) -> list[str]:
        return [kind for (kind,) in self.app.query("SELECT kind FROM table_events ORDER BY id")]

    def now_at(self, seat: int) -> int | None:
        ((user_id,),) = self.app.query("SELECT user_id FROM seat_history WHERE seat = ? AND until IS NULL", seat)
        return user_id


@pytest.fixture
def paced_app(fake_clock: FakeClock, app: App) -> PacedApp:
    return PacedApp(app, fake_clock)


def messages_with(room: Room, words: str) -> list[Seen]:
    return [seen for seen in room.onlooker.messages if words in seen.text]


async def becomes(room: Room, message: Seen, words: str) -> Seen:
    """A message, once it says something."""

    def look() -> Seen | None:
        now = room.onlooker.look(message)
        return now if now is not None and words in now.text else None

    return await room.onlooker.until(look, what=f"{words!r} in a message")


async def test_lobby_and_board_show_the_remaining_time(paced_app: PacedApp) -> None:
    room, (ana, ben, _) = await paced_app.paced(OPEN, "Ana", "Ben", "Caro")
    board = room.onlooker.last
    until = r"-# ⏳ until <t:(\d+):f>, <t:\1:R>; with the time to spare, until <t:(\d+):f>"
    turn, bank = re.search(until, board.text).groups()
    assert 48 * 3600 == int(bank) - int(turn)
    assert "Ana: 48 hours to spare" in (page := await ben.slash("table pace"))
    assert not page.menus
    page = await ana.slash("table pace")
    await ana.choose("No time limit", on=page)
    await room.onlooker.expect("has changed the pace. No time limit")
    await room.onlooker.until(lambda: "until" not in room.onlooker.look(board).text, what="no deadline any more")
    await paced_app.hours(100)
    assert [] == messages_with(room, WARNING)
    assert ["paced"] == paced_app.events()


async def test_who_changes_the_pace_is_named_and_the_same_pace_again_is_no_news(paced_app: PacedApp) -> None:
    room, _ = await paced_app.paced(OPEN, "Ana", "Ben", "Caro")
    eva, firm = moderator(room), "Daily: 24 hours per turn plus 2 days to spare; after that, a computer plays"
    for _ in range(2):
        await eva.choose(FIRM, on=await eva.slash("table pace"))
    line = await room.onlooker.expect(f"⏳ {eva.mention} has changed the pace. {firm}.")
    assert (1, ()) == (len(messages_with(room, "has changed the pace")), line.pinged)
    events = paced_app.app.query("SELECT kind, user_id, words FROM table_events")
    assert [("paced", eva.id, "daily, firm")] == events


async def test_a_due_player_is_warned_once_before_the_others_vote(paced_app: PacedApp) -> None:
    room, (ana, ben, caro) = await paced_app.paced(OPEN, "Ana", "Ben", "Caro")
    board = room.onlooker.last
    await paced_app.hours(WHOLE - 0.3)
    assert [] == messages_with(room, WARNING)
    await paced_app.hours(0.3)
    await paced_app.hours(LEAD - 0.3)
    (warning,) = messages_with(room, WARNING)
    assert (["Ana"], []) == (list(warning.pinged), messages_with(room, LATE))
    await paced_app.hours(0.4)
    (late,) = messages_with(room, LATE)
    assert {"Ben", "Caro"} == set(late.pinged)
    await becomes(room, board, "the time for this is up")
    assert "This is about you" in await ana.tap(WAIT, on=late)
    assert "You’re not playing" in await room.person("Dan").tap(WAIT, on=late)
    answer = await ben.tap(WAIT, on=late)
    assert "24 hours more for this turn: 🟦 Ben" in answer
    await ben.tap(PLAY, on=late)
    assert "theirs again: 🟦 Ben\n" in await becomes(room, late, "theirs again: 🟦 Ben")
    assert "a computer plays this turn" in await caro.tap(PLAY, on=late)
    played = await room.board(after=board)
    assert ("Ben",) == played.pinged
    assert ana.id == paced_app.now_at(0)
    assert "nothing left to decide" in await caro.tap(HOLD, on=late)
    assert ["late", "stood in"] == paced_app.events()
    assert "a computer played 1 turn for Ana" in await ana.slash("game log")


async def test_a_tied_vote_stays_open_and_keep_waiting_grants_a_new_period(paced_app: PacedApp) -> None:
    room, (_, ben, caro), late = await paced_app.late()
    await ben.tap(HOLD, on=late)
    assert late.labels == (await caro.tap(WAIT, on=late)).labels
    await asyncio.gather(ben.tap(WAIT, on=late), ben.tap(WAIT, on=late))
    await becomes(room, late, "keeps waiting for")
    assert 1 == paced_app.events().count("waited")
    await paced_app.hours(17.9)
    assert 1 == len(messages_with(room, WARNING))
    await paced_app.hours(0.2)
    await paced_app.hours(LEAD)
    assert (2, 1) == (len(messages_with(room, WARNING)), len(messages_with(room, LATE)))


def ends(vote: Seen) -> datetime:
    """End of a vote, as its message says."""
    match = re.search(r"The vote ends <t:(\d+):R>", vote.text)
    assert match is not None, vote.text
    return datetime.fromtimestamp(int(match[1]), UTC)


async def test_a_vote_ends_on_time_with_the_leading_choice_and_reminds_open_voters_once(
    paced_app: PacedApp,
) -> None:
    room, (ana, ben, _), late = await paced_app.late()
    assert "if nobody votes, a computer plays this turn" in late
    assert abs(ends(late) - paced_app.fake_clock.now - timedelta(hours=VOTE)) < timedelta(minutes=10)
    await ben.tap(WAIT, on=late)
    await becomes(room, late, "**Keep waiting** leads")
    await paced_app.hours(VOTE / 2 - 0.2)
    assert [] == messages_with(room, REMINDER)
    await paced_app.hours(0.4)
    (reminder,) = messages_with(room, REMINDER)
    assert (("Caro",), True) == (reminder.pinged, f"/{late.id})" in reminder and "**Keep waiting** leads" in reminder)
    await paced_app.hours(VOTE / 2 - 0.4)
    assert late.labels == room.onlooker.look(late).labels
    await paced_app.hours(0.4)
    await becomes(room, late, f"keeps waiting for {ana.mention}")
    assert (["late", "waited"], 1) == (paced_app.events(), len(messages_with(room, REMINDER)))


async def test_a_vote_pings_only_players_who_are_awake_and_not_away(paced_app: PacedApp) -> None:
    room, (_, ben, caro) = await paced_app.paced(OPEN, "Ana", "Ben", "Caro")
    await paced_app.likes(caro, interval=0, away="2099-01-01T00:00:00+00:00")
    await paced_app.time_up()
    late = await room.onlooker.expect(LATE)
    assert ("Ben",) == late.pinged
    assert caro.mention in late, "she is named like the others"
    assert "🟦 Ben" in await ben.tap(HOLD, on=late)


async def test_a_vote_without_votes_ends_with_a_computer_and_explains_why(paced_app: PacedApp) -> None:
    room, (ana, *_), late = await paced_app.late()
    await paced_app.hours(VOTE + 0.1)
    assert "Nobody voted in time" in await becomes(room, late, "a computer plays this turn. The seat stays theirs")
    assert ("Ben",) == (await room.board(after=late)).pinged
    assert (ana.id, ["late", "stood in"]) == (paced_app.now_at(0), paced_app.events())


async def test_a_tied_vote_ends_with_a_computer_and_reminds_no_player_who_voted(paced_app: PacedApp) -> None:
    room, (_, ben, caro), late = await paced_app.late()
    await ben.tap(HOLD, on=late)
    tied = await caro.tap(WAIT, on=late)
    assert "Everyone has voted. You can still change your vote: 2 votes are enough" in tied
    assert "if it is still tied, a computer plays this turn" in tied
    await paced_app.hours(VOTE + 0.1)
    assert "The vote was a tie" in await becomes(room, late, "a computer plays this turn. The seat stays theirs")
    assert ("Ben",) == (await room.board(after=late)).pinged
    assert [] == messages_with(room, REMINDER)


async def test_an_insufficient_vote_decides_once_another_voter_is_late(paced_app: PacedApp) -> None:
    room, (_, ben, caro) = await paced_app.paced(OPEN, "Ana", "Ben", "Caro", game="sealed")
    await play_move(caro, "sealed bid", coins="2")
    await paced_app.app.close()
    await paced_app.app.change("UPDATE clocks SET bank = 187200 WHERE user_id = ?", ben.id)  # 4 hours more
    await paced_app.app.open()
    await paced_app.time_up()
    (late,) = messages_with(room, LATE)
    assert "2 votes are enough" in await caro.tap(PLAY, on=late)
    await paced_app.hours(LEAD)
    await becomes(room, late, "a computer plays this turn. The seat stays theirs")
    assert ["late", "late", "stood in"] == paced_app.events()


async def test_a_late_tap_on_an_earlier_vote_does_not_count_in_the_next_one(paced_app: PacedApp) -> None:
    room, (ana, ben, caro), earlier = await paced_app.late()
    for person in (ben, caro):
        await person.tap(WAIT, on=earlier)
    await becomes(room, earlier, "keeps waiting for")
    await paced_app.time_up(18.1)
    (later,) = messages_with(room, LATE)
    for person in (ben, caro):
        assert "nothing left to decide" in await person.tap(HOLD, on=earlier)
    assert later.text == room.onlooker.look(later).text
    assert ana.id == paced_app.now_at(0)
    assert "🟦 Ben" in await ben.tap(HOLD, on=later)


async def test_changed_quiet_hours_apply_at_once_to_a_running_clock(paced_app: PacedApp) -> None:
    room, (ana, *_) = await paced_app.paced(OPEN, "Ana", "Ben", "Caro")
    board = room.onlooker.last
    before, hour = deadline(board), 3600
    await choose_preference(ana, "quiet", "22-8")
    await room.onlooker.until(lambda: deadline(room.onlooker.look(board)) > before + hour, what="a later deadline")
    await choose_preference(ana, "quiet", "None")
    # the clock has stopped for a moment if it is night now
    await room.onlooker.until(lambda: deadline(room.onlooker.look(board)) < before + hour, what="the first deadline")


def deadline(board: Seen | None) -> int:
    """Deadline of the player of a board, as it says, in seconds since 1970."""
    match = board and re.search(r"-# ⏳ until <t:(\d+):f>", board.text)
    assert match, "the board has a deadline"
    return int(match[1])


async def test_a_restart_during_a_vote_delays_and_duplicates_nothing(paced_app: PacedApp) -> None:
    room, (*_, caro), late = await paced_app.late()
    for hours in (VOTE / 2 + 0.1, VOTE / 2):
        await paced_app.app.close()
        await paced_app.app.open()
        await paced_app.hours(hours)
    await becomes(room, late, "a computer plays this turn. The seat stays theirs")
    assert (1, ["late", "stood in"]) == (len(messages_with(room, REMINDER)), paced_app.events())
    assert "nothing left to decide" in await caro.tap(HOLD, on=late)


async def test_a_vote_pauses_while_the_machine_sleeps(paced_app: PacedApp, monkeypatch: pytest.MonkeyPatch) -> None:
    room, _, late = await paced_app.late()
    before = ends(late)
    monkeypatch.setattr(board_clocks, "MAX_GAP", timedelta(minutes=30))
    await paced_app.hours(100)
    await room.onlooker.until(lambda: ends(room.onlooker.look(late)) > before, what="another end")
    assert abs(ends(room.onlooker.look(late)) - before - timedelta(hours=100)) < timedelta(minutes=10)
    assert (["late"], []) == (paced_app.events(), messages_with(room, REMINDER))


async def test_a_host_whose_time_is_up_cannot_change_the_pace(paced_app: PacedApp) -> None:
    _, (ana, *_), _ = await paced_app.late()
    page = await ana.slash("table pace")
    assert "Your time is up" in await ana.choose("No time limit", on=page)
    assert [("daily",)] == paced_app.app.query("SELECT pace FROM matches")


async def test_an_on_time_host_ends_a_vote_about_another_player_with_a_new_pace(paced_app: PacedApp) -> None:
    room, (ana, ben) = await paced_app.paced(OPEN, "Ana", "Ben", game="sealed")
    await play_move(ana, "sealed bid", coins="3")
    await paced_app.time_up()
    late = await room.onlooker.expect(LATE)
    await ana.choose("No time limit", on=await ana.slash("table pace"))
    await becomes(room, late, "nothing left to decide about")
    assert [("",)] == paced_app.app.query("SELECT pace FROM matches")
    assert ben.id == paced_app.now_at(1)
    assert ["late", "paced"] == paced_app.events()


async def test_a_verdict_is_shown_once_discord_accepts_the_edit(paced_app: PacedApp) -> None:
    room, _, late = await paced_app.late()
    fault = paced_app.app.local.fault("PATCH /channels/*/messages/*", status=503, times=3)
    await paced_app.hours(VOTE + 0.1)
    for _ in range(6):
        await paced_app.hours(0.02)
    assert fault.struck
    await becomes(room, late, "a computer plays this turn. The seat stays theirs")


async def test_the_moderation_log_names_the_seat_a_vote_gave_to_a_computer(paced_app: PacedApp) -> None:
    log = paced_app.app.room()
    eva = moderator(log)
    await choose_setting(eva, "log", log.channel)
    room, (ana, ben), late = await paced_app.late("Ana", "Ben", game="jinns")
    first, other = (ana, ben) if ana.mention in late.text.split("What now?")[0] else (ben, ana)
    await other.tap(HOLD, on=late)
    line = await log.onlooker.expect(f"a computer takes over {first.mention}’s seat: by a vote of the others")
    assert (f"<#{room.local.channel(room.channel).id}>" in line, ()) == (True, line.pinged)


async def test_a_held_seat_is_returned_to_its_player(paced_app: PacedApp) -> None:
    room, (ana, ben), late = await paced_app.late("Ana", "Ben", game="jinns")
    first, other = (ana, ben) if ana.mention in late.text.split("What now?")[0] else (ben, ana)
    await other.tap(HOLD, on=late)
    held = await becomes(room, late, "a computer takes over the seat")
    assert ["I’m back"] == held.labels
    seat = 0 if first is ana else 1
    assert paced_app.now_at(seat) is None
    assert "none of its seats was yours" in await room.person("Dan").tap("I’m back", on=held)
    assert "A computer has taken over your seat" in await first.slash("game undo")
    board = await room.board(after=late)
    assert "until <t:" not in board, "nobody waits for the last one who is left"
    assert "now playing" in await first.tap("I’m back", on=held)
    await becomes(room, board, "-# ⏳ until <t:")
    assert first.id == paced_app.now_at(seat)
    assert ["late", "held", "returned"] == paced_app.events()


async def test_a_vote_can_invite_a_substitute(paced_app: PacedApp) -> None:
    room, (ana, ben, caro), late = await paced_app.late()
    for person in (ben, caro):
        await person.tap(INVITE, on=late)
    offer = await room.onlooker.expect("Who takes over in")
    assert "You’re now playing 🔴 Red" in await room.person("Dan").tap("Take this seat", on=offer)
    assert "already has this seat" in await ana.slash("game join")
    assert ["late", "invited"] == paced_app.events()


async def test_with_a_firm_pace_a_computer_plays_and_holds_the_seat_after_the_third_lapse(paced_app: PacedApp) -> None:
    room, (ana, ben) = await paced_app.paced(FIRM, "Ana", "Ben", game="sealed")
    for turn in range(3):
        await play_move(ben, "sealed bid", coins="3")
        await paced_app.time_up(18.1 if turn else WHOLE)
        late = messages_with(room, f"{ana.mention}’s time was up")
        assert turn + 1 == len(late)
        assert ([] if turn < 2 else ["I’m back"]) == late[-1].labels
        board = await room.onlooker.expect("The bids are", after=late[-1])
        if turn < 2:
            await paced_app.called(ana, board)
    assert ["late", "stood in"] * 2 + ["late", "lapsed"] == paced_app.events()
    assert "Ana until move" in await room.onlooker.expect("wins!")
    stood_in = "SELECT seat FROM stood_in JOIN entries USING (match_id, n)"
    assert [(0,), (0,)] == paced_app.app.query(stood_in)
    assert [(ana.id, 2)] == paced_app.app.query("SELECT user_id, place FROM forfeits")


async def test_a_restart_between_any_two_steps_loses_and_duplicates_nothing(paced_app: PacedApp) -> None:
    async def again(hours: float) -> None:
        await paced_app.hours(hours)
        await paced_app.app.close()
        await paced_app.app.open()
        await paced_app.app.let_pass(1)  # it is answered once the bot has started up

    room, (_, ben, caro) = await paced_app.paced(OPEN, "Ana", "Ben", "Caro")
    board = room.onlooker.last
    await again(WHOLE)
    await again(LEAD)
    late = await room.onlooker.expect(LATE)
    await ben.tap(PLAY, on=late)
    await again(1)
    await caro.tap(PLAY, on=late)
    await again(0)
    assert (1, 1) == (len(messages_with(room, WARNING)), len(messages_with(room, "a computer plays this turn")))
    assert ("Ben",) == (await room.board(after=board)).pinged
    assert ["late", "stood in"] == paced_app.events()


async def test_an_early_check_changes_nothing_and_is_rescheduled(paced_app: PacedApp) -> None:
    app = paced_app.app
    await paced_app.late()
    due = app.query("SELECT seat, due_at FROM jobs WHERE kind = 'clock' ORDER BY seat")
    await app.change("UPDATE jobs SET due_at = '2000-01-01T00:00:00+00:00' WHERE kind = 'clock'")
    await paced_app.hours(0)
    assert due == app.query("SELECT seat, due_at FROM jobs WHERE kind = 'clock' ORDER BY seat")
    assert ["late"] == paced_app.events()


async def test_the_next_process_carries_out_a_pending_verdict(
    paced_app: PacedApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process is killed right after it wrote the verdict: the seat is held, and nothing else of it was done."""

    async def killed(*_: object, **__: object) -> None:
        return None

    room, (_, ben, caro), late = await paced_app.late()
    with monkeypatch.context() as patch:
        patch.setattr(timeouts.Timeouts, "carry_out", killed)
        for person in (ben, caro):
            await person.tap(INVITE, on=late)
        await paced_app.app.close()
    await paced_app.app.open()
    await paced_app.hours(0)
    await room.onlooker.expect("Who takes over in")
    assert ben.id in [host for (host,) in paced_app.app.query("SELECT host_id FROM matches")]
    assert ("Ben",) == (await room.board(after=late)).pinged


async def test_a_late_move_ends_the_vote(paced_app: PacedApp) -> None:
    room, (ana, ben, caro), late = await paced_app.late()
    await ben.tap(PLAY, on=late)
    await play_move(ana, "muscat place", market="A")
    assert [] == (await becomes(room, late, "nothing left to decide about")).labels
    assert "nothing left to decide" in await caro.tap(PLAY, on=late)
    assert ["late"] == paced_app.events()


async def test_an_undo_ends_the_vote_and_grants_new_time(paced_app: PacedApp) -> None:
    room, (ana, ben) = await paced_app.paced(OPEN, "Ana", "Ben", game="sealed")
    await play_move(ana, "sealed bid", coins="3")
    await paced_app.time_up()
    late = await room.onlooker.expect(LATE)
    await ana.slash("game undo")
    await becomes(room, late, "nothing left to decide about")
    await paced_app.called(ben, await room.board(after=late))
    await paced_app.hours(17)
    assert 1 == len(messages_with(room, WARNING))


async def test_a_simultaneous_decision_charges_each_player_their_own_bank(paced_app: PacedApp) -> None:
    room, (ana, ben) = await paced_app.paced(OPEN, "Ana", "Ben", game="sealed")
    board = room.onlooker.last
    await play_move(ben, "sealed bid", coins="3")
    await paced_app.hours(33.5)
    assert "Ana: 38 hours to spare, now running until <t:" in await ben.slash("table pace")
    await play_move(ana, "sealed bid", coins="2")
    await paced_app.called(ana, await room.board(after=board))
    page = await ana.slash("table pace")
    assert "Ana: 38 hours to spare" in page
    assert "Ben: 48 hours to spare" in page


async def test_a_substitute_has_a_clock_with_a_full_bank(paced_app: PacedApp) -> None:
    room, (ana, ben) = await paced_app.paced(OPEN, "Ana", "Ben", game="sealed")
    dan, board = room.person("Dan"), room.onlooker.last
    await play_move(ben, "sealed bid", coins="3")
    await paced_app.hours(33.5)
    await play_move(ana, "sealed bid", coins="2")
    board = await room.board(after=board)
    await paced_app.called(ana, board)
    await ana.tap("Resign", on=await ana.slash("game leave"))
    await dan.tap("Take this seat", on=await ben.slash("table seats"))
    await play_move(ben, "sealed bid", coins="2")
    while not paced_app.app.query("SELECT 1 FROM clocks WHERE seat = 0 AND version >= 0"):
        await paced_app.app.breathe()
    await play_move(ben, "sealed bid", coins="1")
    await paced_app.hours(33.5)
    assert "Dan: 38 hours to spare, now running until <t:" in await ben.slash("table pace")


async def test_an_empty_bank_stops_running(paced_app: PacedApp) -> None:
    _, (_, ben, _), _ = await paced_app.late()
    page = await ben.slash("table pace")
    assert "Ana: 0 hours to spare" in page
    assert "now running" not in page


async def test_two_players_late_at_once_cannot_vote_about_each_other(paced_app: PacedApp) -> None:
    room, (*_, caro) = await paced_app.paced(OPEN, "Ana", "Ben", "Caro", game="sealed")
    await play_move(caro, "sealed bid", coins="2")
    await paced_app.time_up()
    late = messages_with(room, LATE)
    assert 2 == len(late)
    for message in late:
        await becomes(room, message, "1 vote is enough")
    for message in late:
        await caro.tap(PLAY, on=message)
    await room.onlooker.expect("The bids are")
    assert ["late", "late", "stood in", "stood in"] == paced_app.events()


async def test_no_player_is_late_while_the_channel_is_closed(paced_app: PacedApp) -> None:
    room, _ = await paced_app.paced(OPEN, "Ana", "Ben", "Caro")
    faults = [paced_app.app.local.fault("POST /channels/*/messages", status=403, code=50013) for _ in range(2)]
    await paced_app.hours(WHOLE)
    assert [1, 0] == [fault.struck for fault in faults]
    await paced_app.hours(2)
    assert ([1, 1], []) == ([fault.struck for fault in faults], messages_with(room, WARNING))
    await paced_app.hours(20)
    assert (1, []) == (len(messages_with(room, WARNING)), messages_with(room, LATE))
    await paced_app.hours(LEAD + 0.1)
    assert 1 == len(messages_with(room, LATE))


async def test_nobody_is_late_before_the_others_can_read_it(paced_app: PacedApp) -> None:
    room, _ = await paced_app.paced(OPEN, "Ana", "Ben", "Caro")
    await paced_app.hours(WHOLE)
    fault = paced_app.app.local.fault("POST /channels/*/messages", status=403, code=50013, times=None)
    await paced_app.hours(LEAD)
    assert (1, []) == (fault.struck, paced_app.events())
    paced_app.app.local.lift(fault.route)
    await paced_app.hours(1.1)
    await paced_app.hours(LEAD + 0.1)
    assert (["late"], 1) == (paced_app.events(), len(messages_with(room, LATE)))


async def test_no_player_is_late_after_a_long_sleep_of_the_machine(
    paced_app: PacedApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, _ = await paced_app.paced(OPEN, "Ana", "Ben", "Caro")
    await paced_app.hours(65)
    monkeypatch.setattr(board_clocks, "MAX_GAP", timedelta(minutes=30))
    await paced_app.hours(500)
    await paced_app.app.let_pass(2 * NAP)
    assert [] == messages_with(room, WARNING)
    monkeypatch.setattr(board_clocks, "MAX_GAP", timedelta.max)
    await paced_app.hours(1.2)
    assert (1, []) == (len(messages_with(room, WARNING)), messages_with(room, LATE))


async def test_no_turn_reminder_is_sent_during_a_vote(paced_app: PacedApp) -> None:
    _, (ana, *_), _ = await paced_app.late()
    await choose_preference(ana, "interval", "Every 4 hours")
    await paced_app.hours(5)
    assert [] == [seen for seen in ana.messages if "⏰" in seen]


async def test_a_called_off_game_stops_its_clocks_even_after_machine_sleep(paced_app: PacedApp) -> None:
    room, (ana, *_) = await paced_app.paced(OPEN, "Ana", "Ben", "Caro")
    await ana.tap("End it", on=await ana.slash("table end"))
    for hours in (25, WHOLE):
        await paced_app.hours(hours)
    assert [] == paced_app.app.query("SELECT * FROM jobs WHERE kind = 'clock'")
    assert WARNING not in room.onlooker.last


async def test_a_new_table_uses_the_server_pace_and_a_game_against_computers_has_none(paced_app: PacedApp) -> None:
    room = paced_app.app.room()
    ana, eva = room.person("Ana"), moderator(room)
    assert "⏳ 24 hours per turn" in await ana.slash("table new", game="muscat")
    await ana.slash("game leave")
    await choose_setting(eva, "pace", "4 hours, then a computer")
    assert "⏳ 4 hours per turn" in await ana.slash("table new", game="muscat")
    brisk = "Brisk: 4 hours per turn plus 12 to spare; after that, a computer plays"
    assert f"**Pace** – {brisk}." in await ana.tap("More"), "the card has one line for people"
    assert "⏳" not in await ana.in_dm().slash("table new", game="muscat")
    await ana.slash("game leave")
    await ana.slash("game learn", game="muscat")
    assert "No time limit" in await ana.slash("table pace")

"""Pace: the time of players, the warning before its end, and the vote of the others after it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

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
from tests.robots import BOARD
from tests.rooms import Room, play_move, start_game

WAIT, PLAY, HOLD, INVITE = (
    "Keep waiting",
    "Let a computer play this turn",
    "Let a computer take over",
    "Invite a substitute",
)
OPEN, FIRM = "24 hours, then a vote", "24 hours, then a computer"
WARNING, LATE = "your deadline for this turn", "time for this turn is up. What should happen?"
REMINDER, VOTE = "you haven’t voted yet", 12
"""Words of a reminder of a vote, and the hours that one lasts with a daily pace."""
WHOLE, LEAD = 66.1, 6.1
"""Hours until the warning of a daily pace with a full bank, and from there to the end."""


@pytest.fixture(autouse=True)
def fake_clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeClock]:
    fake_clock = FakeClock()
    monkeypatch.setattr(Clock, "now", lambda _: fake_clock.now)
    monkeypatch.setattr(worker, "MAX_SLEEP", NAP)
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
        await self.called(people[0], await room.onlooker.expect(BOARD))
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
    match = board and re.search(r"⏳ <t:(\d+):R>", board.text)
    assert match, "the board has a deadline"
    return int(match[1])


async def test_with_a_firm_pace_a_computer_plays_and_holds_the_seat_after_the_third_lapse(paced_app: PacedApp) -> None:
    room, (ana, ben) = await paced_app.paced(FIRM, "Ana", "Ben", game="sealed")
    for turn in range(3):
        await play_move(ben, "sealed bid", coins="3")
        await paced_app.time_up(18.1 if turn else WHOLE)
        late = messages_with(room, f"{ana.mention}’s time was up")
        assert turn + 1 == len(late)
        assert ([] if turn < 2 else ["I’m back"]) == late[-1].labels
        board = await room.onlooker.expect("The bids are" if turn < 2 else "wins!", after=late[-1])
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
    await again(VOTE / 2 + 0.1)
    await again(VOTE / 2)
    await becomes(room, late, "a computer plays this turn. The seat stays theirs")
    await again(0)
    for words in (WARNING, REMINDER, "a computer plays this turn. The seat"):
        assert 1 == len(messages_with(room, words)), words
    assert ("Ben",) == (await room.board(after=board)).pinged
    assert "nothing left to decide" in await caro.tap(PLAY, on=late)
    assert ["late", "stood in"] == paced_app.events()


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

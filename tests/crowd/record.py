"""The record of a group: turns and people as deliveries and acts show them, in steps of five minutes of real time."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.tables.preferences import Preferences
from tests.crowd.discord import Sent
from tests.crowd.times import Time

STEP = timedelta(minutes=5)
HOUR, DAY, NOTHING = timedelta(hours=1), timedelta(days=1), timedelta()
TIMES = {"relaxed": (3 * DAY, 3 * DAY), "daily": (DAY, 2 * DAY), "brisk": (4 * HOUR, 12 * HOUR)}
"""The time for a turn, and a full bank, of each pace."""

CAP = 7 * DAY
QUIET = {"22-8": {22, 23, *range(8)}, "13-15": {13, 14}, "1-6": {*range(1, 6)}}


@dataclass
class Turn:
    """An open question to a seat; `begin` is the delivery of the board that asks it.

    `unsure` is set after a kill during an act, whose effect is unknown. From `late` on, the `voters` decide;
    `voted` has those with a vote, and `called` is set once the others were reminded.
    """

    match_id: int
    seat: int
    user_id: int
    version: int
    pace: str
    firm: bool
    begin: datetime
    warned: datetime | None = None
    late: datetime | None = None
    excused: timedelta = NOTHING
    unsure: bool = False
    answered: datetime | None = None
    voters: tuple[int, ...] = ()
    voted: set[int] = field(default_factory=set)
    called: bool = False


@dataclass
class History:
    """A user's preferences, each with the time it was set, and the latest messages to them.

    They want no reminders until `snoozed`, a time on the machine's clock. Since `reached`, they accept direct messages
    or have stopped accepting them.
    """

    preferences: list[tuple[datetime, Preferences]]
    reminded: datetime | None = None
    morning: datetime | None = None
    snoozed: datetime | None = None
    reached: datetime | None = None
    reminded_of: dict[tuple[int, int], datetime] = field(default_factory=dict)

    def at(self, moment: datetime) -> Preferences:
        """The preferences at a moment."""
        return next(
            preferences
            for since, preferences in reversed(self.preferences)
            if since <= moment or (since, preferences) == self.preferences[0]
        )


@dataclass
class Record:
    """All turns and people of a group; `matches` has the running match of each channel."""

    time: Time
    people: dict[int, History] = field(default_factory=dict)
    turns: dict[tuple[int, int], Turn] = field(default_factory=dict)
    banks: dict[tuple[int, int, int], timedelta] = field(default_factory=dict)
    matches: dict[int, int] = field(default_factory=dict)
    seated: dict[int, tuple[int, ...]] = field(default_factory=dict)
    auto_answers: set[tuple[int, int]] = field(default_factory=set)
    counts: Counter[str] = field(default_factory=Counter)

    # --- events ---

    def changed(self, user_id: int, preferences: Preferences) -> None:
        """Record that a user has changed their preferences."""
        self.people.setdefault(user_id, History([])).preferences.append((self.time.now, preferences))

    def asked(self, match_id: int, due: dict[int, tuple[int, int]], pace: str, firm: bool) -> None:
        """Record the due seats of a new board (seat -> user, version); the turns of all others are over."""
        for seat in [seat for match, seat in self.turns if match == match_id]:
            turn = self.turns[match_id, seat]
            user_id, version = due.get(seat, (0, 0))
            # the next question to a late player is a new turn
            goes_on = turn.late is None or version == turn.version
            if turn.unsure and user_id == turn.user_id and goes_on:
                turn.version = version
            elif due.get(seat) != (turn.user_id, turn.version):
                self._forget_bank(turn)
                del self.turns[match_id, seat]
        for seat, (user_id, version) in due.items():
            if pace and (match_id, seat) not in self.turns:
                self.turns[match_id, seat] = Turn(match_id, seat, user_id, version, pace, firm, self.time.now)

    def acted(self, match_id: int, seat: int, asked: int | None) -> None:
        """Record a move without a new board; `asked` is the version of the next question to the seat, if any."""
        turn = self.turns.get((match_id, seat))
        if turn is None:
            return
        if asked is None or turn.late:
            self._settle(turn)
            del self.turns[match_id, seat]
            if turn.late and asked is not None:  # a late player who moves has the full time for the next question
                again = Turn(match_id, seat, turn.user_id, asked, turn.pace, turn.firm, self.time.now)
                self.turns[match_id, seat] = dataclasses.replace(again, unsure=turn.unsure)
        else:
            turn.version = asked

    def killed_during(self, match_id: int) -> None:
        """Record that the bot was killed during an act at a table."""
        for turn in self.turns.values():
            if turn.match_id == match_id:
                turn.unsure = True
                self.banks[turn.match_id, turn.seat, turn.user_id] = NOTHING  # at most what the record has
        self.counts["deaths in the midst of something"] += 1

    def voted(self, match_id: int, seat: int, user_id: int) -> None:
        """Record a vote about a seat."""
        if turn := self.turns.get((match_id, seat)):
            turn.voted.add(user_id)

    def decided(self, match_id: int, seat: int, *, waits: bool) -> None:
        """Record the decision about a late player: the others keep waiting, or the turn is over."""
        turn = self.turns.get((match_id, seat))
        if turn is None or turn.late is None:
            return
        if waits:
            turn.begin, turn.late, turn.warned, turn.excused = self.time.now, None, None, NOTHING
        else:
            del self.turns[match_id, seat]

    def snoozed(self, user_id: int, until: datetime) -> None:
        """Record that a user has snoozed all reminders."""
        self.people[user_id].snoozed = until
        self.people[user_id].reminded_of.clear()

    def answers(self, match_id: int, seat: int) -> None:
        """Record an auto-answer or a plan of a seat, which may answer its open question."""
        self.auto_answers.add((match_id, seat))
        if turn := self.turns.get((match_id, seat)):
            turn.answered = self.time.now

    def answered(self, match_id: int, seat: int) -> None:
        """Record an auto-answer or planned turn that came without a new board."""
        if turn := self.turns.pop((match_id, seat), None):
            self._forget_bank(turn)

    def over(self, match_id: int, seat: int) -> None:
        """Record that a turn is over, or that the seat has changed hands."""
        self.turns.pop((match_id, seat), None)

    def excuse(self, channels: set[int], every: bool, time: timedelta) -> None:
        """Record time without deliveries to these matches, or to `every` match."""
        for turn in self.turns.values():
            if every or turn.match_id in channels:
                turn.excused += time

    # --- deliveries ---

    def sent(self, sent: Sent) -> None:
        """Record a delivered message."""
        self.counts[f"{sent.kind or 'other'} messages"] += 1
        match sent.kind:
            case "reminder":
                self._note_reminder(sent)
            case "warn" if turn := self.turn_of(sent):
                turn.warned = sent.at
            case "late" if turn := self.turn_of(sent):
                self._put_to_vote(turn, sent)
            case "vote" if turn := self.turn_of(sent):
                turn.called = True
            case "morning":
                self.people[sent.called[0]].morning = sent.at

    def _note_reminder(self, sent: Sent) -> None:
        (user_id,) = sent.called
        person = self.people[user_id]
        person.reminded = sent.at
        for match_id in self.matches_in(sent):
            person.reminded_of[self.question(match_id, user_id)] = sent.at

    def _put_to_vote(self, turn: Turn, sent: Sent) -> None:
        """Record that the others decide from now on, until the end that the message gives."""
        turn.late, turn.excused, turn.voted, turn.called = sent.at, NOTHING, set(), False
        turn.voters = tuple(user_id for user_id in self.seated[turn.match_id] if user_id != turn.user_id)
        self.banks[turn.match_id, turn.seat, turn.user_id] = NOTHING
        self.counts["times a player was late" + (", which nothing can judge" if turn.unsure else "")] += 1

    # --- for the promises ---

    def turn_of(self, sent: Sent) -> Turn | None:
        """The turn that a message is about, if it is open."""
        _, match_id, seat, _ = sent.nonce.split("-")
        return self.turns.get((int(match_id), int(seat)))

    def matches_in(self, sent: Sent) -> list[int]:
        """The matches whose channels a message links to; 0 stands for a finished one."""
        places = {int(place) for place in re.findall(r"channels/\d+/(\d+)", sent.words)}
        return [self.matches.get(place, 0) for place in places]

    def question(self, match_id: int, user_id: int) -> tuple[int, int]:
        """The match and version of the question to a user; the version is -1 without a turn."""
        turns = (turn for turn in self.turns.values() if (turn.match_id, turn.user_id) == (match_id, user_id))
        return match_id, next((turn.version for turn in turns), -1)

    def time_of(self, turn: Turn) -> tuple[timedelta, timedelta]:
        """The time for a turn, and the bank of its player."""
        period, full = TIMES[turn.pace]
        return period, self.banks.get((turn.match_id, turn.seat, turn.user_id), full)

    def awake(self, user_id: int, begin: datetime, end: datetime) -> timedelta:
        """The time of a user outside quiet hours while the bot was up.

        It uses the preferences and the machine's clock of the beginning, by which the bot plans the end. A change of
        that clock moves the end by no more than `jumps`.
        """
        return self._outside_quiet_hours(user_id, begin, end, self.time.is_gone)

    def planned(self, user_id: int, begin: datetime, end: datetime) -> timedelta:
        """The time of a user outside quiet hours, as the bot foresees it at the beginning."""
        return self._outside_quiet_hours(user_id, begin, end, lambda _: False)

    def _outside_quiet_hours(
        self, user_id: int, begin: datetime, end: datetime, is_gone: Callable[[datetime], bool]
    ) -> timedelta:
        preferences, shift = self.people[user_id].at(begin), self.time.shown_at(begin) - begin
        zone, quiet = ZoneInfo(preferences.zone), QUIET.get(preferences.quiet, set())
        awake = NOTHING
        while begin < end:
            step = min(STEP, end - begin)
            if not is_gone(begin) and (begin + shift).astimezone(zone).hour not in quiet:
                awake += step
            begin += step
        return awake

    def jumps(self, since: datetime) -> timedelta:
        """The sum of all changes of the machine's clock since a day before a moment."""
        return sum((abs(shift) for at, shift in self.time.shifts if at >= since - DAY), NOTHING)

    def _forget_bank(self, turn: Turn) -> None:
        """Assume an empty bank: the remaining time at an auto-answer is unknown."""
        if (turn.match_id, turn.seat) in self.auto_answers:
            self.banks[turn.match_id, turn.seat, turn.user_id] = NOTHING

    def _settle(self, turn: Turn) -> None:
        """Set the bank to the least that it can have after a turn."""
        period, bank = self.time_of(turn)
        active, _ = self.active(turn.user_id, turn.begin, self.time.now)
        # once the machine's clock is right again, the bot counts quiet hours by it for the time before, too
        active += self.jumps(turn.begin)
        full = TIMES[turn.pace][1]
        remaining = (
            min(bank + period / 8, full) if active + STEP <= period else bank - max(active - period, NOTHING) - STEP
        )
        self.banks[turn.match_id, turn.seat, turn.user_id] = max(remaining, NOTHING)

    def since(self, moment: datetime) -> timedelta:
        """The time since a moment, by real time or by the machine's clock: the longer one."""
        return max(self.time.now - moment, abs(self.time.shown - self.time.shown_at(moment)))

    def is_quiet(self, user_id: int, moment: datetime) -> bool:
        """Whether a moment is in the quiet hours of a user."""
        preferences = self.people[user_id].at(moment)
        hour = self.time.shown_at(moment).astimezone(ZoneInfo(preferences.zone)).hour
        return hour in QUIET.get(preferences.quiet, set())

    def is_away(self, user_id: int, moment: datetime) -> bool:
        """Whether a user is away at a moment, or has a day off."""
        preferences, now = self.people[user_id].at(moment), self.time.shown_at(moment)
        local = now.astimezone(ZoneInfo(preferences.zone))
        # a day off lasts until eight in the morning after
        days = {local.date(), (local.replace(tzinfo=None) - timedelta(hours=8)).date()}
        off = {name for day in days for name in (str(day.isoweekday()), str(day))} & {*preferences.off.split()}
        return bool(off) or (bool(preferences.away) and now < datetime.fromisoformat(preferences.away))

    def active(self, user_id: int, begin: datetime, end: datetime) -> tuple[timedelta, timedelta]:
        """The time that a player's clock ran between two moments, and the time that their preferences stopped it."""
        active = stopped = NOTHING
        while begin < end:
            step = min(STEP, end - begin)
            if not self.time.is_gone(begin):
                if stopped < CAP and (self.is_quiet(user_id, begin) or self.is_away(user_id, begin)):
                    stopped += step
                else:
                    active += step
            begin += step
        return active, stopped

"""The record of a group: its turns and people, from deliveries and acts, in steps of five minutes of real time."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.tables.preferences import Preferences
from tests.crowd.discord import Sent
from tests.crowd.times import Time

STEP = timedelta(minutes=5)
HOUR, DAY, NOTHING = timedelta(hours=1), timedelta(days=1), timedelta()
TIMES = {"relaxed": (3 * DAY, 3 * DAY), "daily": (DAY, 2 * DAY), "brisk": (4 * HOUR, 12 * HOUR)}
"""A turn and a full bank."""

CAP = 7 * DAY
QUIET = {"22-8": {22, 23, *range(8)}, "13-15": {13, 14}, "1-6": {*range(1, 6)}}


@dataclass
class Turn:
    """That a seat is asked something, by a board that was delivered at a time.

    `unsure`: the bot was killed during an act there, whose effect is unknown. Once it is
    `late`, `voters` decide; these have `voted`, and some may have been `called` to do so.
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
    """The preferences of a user with their beginnings, and the last messages to them.

    `snoozed`: until then, as the clock of the machine shows it, they want no reminder. `reached`: since then they take
    direct messages, or take none.
    """

    preferences: list[tuple[datetime, Preferences]]
    reminded: datetime | None = None
    morning: datetime | None = None
    snoozed: datetime | None = None
    reached: datetime | None = None
    reminded_of: dict[tuple[int, int], datetime] = field(default_factory=dict)

    def at(self, moment: datetime) -> Preferences:
        """His preferences at a moment."""
        return next(
            preferences
            for since, preferences in reversed(self.preferences)
            if since <= moment or (since, preferences) == self.preferences[0]
        )


@dataclass
class Record:
    """All turns and people of a group; `matches` are those that run, by their channel."""

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
        """Somebody has other preferences from now on."""
        self.people.setdefault(user_id, History([])).preferences.append((self.time.now, preferences))

    def asked(self, match_id: int, due: dict[int, tuple[int, int]], pace: str, firm: bool) -> None:
        """A board asks seats, given with user and version; the turns of all others are over."""
        for seat in [seat for match, seat in self.turns if match == match_id]:
            turn = self.turns[match_id, seat]
            user_id, version = due.get(seat, (0, 0))
            goes_on = turn.late is None or version == turn.version  # the next question of a late player is a new turn
            if turn.unsure and user_id == turn.user_id and goes_on:
                turn.version = version
            elif due.get(seat) != (turn.user_id, turn.version):
                self._forget_bank(turn)
                del self.turns[match_id, seat]
        for seat, (user_id, version) in due.items():
            if pace and (match_id, seat) not in self.turns:
                self.turns[match_id, seat] = Turn(match_id, seat, user_id, version, pace, firm, self.time.now)

    def acted(self, match_id: int, seat: int, asked: int | None) -> None:
        """Somebody acts, and is asked something else now, without a new board, or nothing."""
        turn = self.turns.get((match_id, seat))
        if turn is None:
            return
        if asked is None or turn.late:
            self._settle(turn)
            del self.turns[match_id, seat]
            if turn.late and asked is not None:  # those who go on at last have new time for the next question
                again = Turn(match_id, seat, turn.user_id, asked, turn.pace, turn.firm, self.time.now)
                self.turns[match_id, seat] = dataclasses.replace(again, unsure=turn.unsure)
        else:
            turn.version = asked

    def killed_during(self, match_id: int) -> None:
        """The bot was killed during an act at a table."""
        for turn in self.turns.values():
            if turn.match_id == match_id:
                turn.unsure = True
                self.banks[turn.match_id, turn.seat, turn.user_id] = NOTHING  # or less than the record has
        self.counts["deaths in the midst of something"] += 1

    def voted(self, match_id: int, seat: int, user_id: int) -> None:
        """Somebody has voted about a seat."""
        if turn := self.turns.get((match_id, seat)):
            turn.voted.add(user_id)

    def decided(self, match_id: int, seat: int, *, waits: bool) -> None:
        """The decision about a late player: the others wait on, or the turn is over."""
        turn = self.turns.get((match_id, seat))
        if turn is None or turn.late is None:
            return
        if waits:
            turn.begin, turn.late, turn.warned, turn.excused = self.time.now, None, None, NOTHING
        else:
            del self.turns[match_id, seat]

    def snoozed(self, user_id: int, until: datetime) -> None:
        """Somebody has put off all reminders."""
        self.people[user_id].snoozed = until
        self.people[user_id].reminded_of.clear()

    def answers(self, match_id: int, seat: int) -> None:
        """A seat has auto-answers from now on, which perhaps answer its open question."""
        self.auto_answers.add((match_id, seat))
        if turn := self.turns.get((match_id, seat)):
            turn.answered = self.time.now

    def answered(self, match_id: int, seat: int) -> None:
        """An auto-answer has come, and no board says so."""
        if turn := self.turns.pop((match_id, seat), None):
            self._forget_bank(turn)

    def over(self, match_id: int, seat: int) -> None:
        """A turn is over, or the seat is another one's."""
        self.turns.pop((match_id, seat), None)

    def excuse(self, channels: set[int], every: bool, time: timedelta) -> None:
        """The time without deliveries to these matches, or to any."""
        for turn in self.turns.values():
            if every or turn.match_id in channels:
                turn.excused += time

    # --- deliveries ---

    def sent(self, sent: Sent) -> None:
        """A message was delivered."""
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
        """From now on the others decide, until the time that the message names."""
        turn.late, turn.excused, turn.voted, turn.called = sent.at, NOTHING, set(), False
        turn.voters = tuple(user_id for user_id in self.seated[turn.match_id] if user_id != turn.user_id)
        self.banks[turn.match_id, turn.seat, turn.user_id] = NOTHING
        self.counts["times a player was late" + (", which nothing can judge" if turn.unsure else "")] += 1

    # --- for the promises ---

    def turn_of(self, sent: Sent) -> Turn | None:
        """The turn that a message is about."""
        _, match_id, seat, _ = sent.nonce.split("-")
        return self.turns.get((int(match_id), int(seat)))

    def matches_in(self, sent: Sent) -> list[int]:
        """The matches whose channels a message links to; 0 is one that is over."""
        places = {int(place) for place in re.findall(r"channels/\d+/(\d+)", sent.words)}
        return [self.matches.get(place, 0) for place in places]

    def question(self, match_id: int, user_id: int) -> tuple[int, int]:
        """The match and version of a question to a user, or -1 without a turn."""
        turns = (turn for turn in self.turns.values() if (turn.match_id, turn.user_id) == (match_id, user_id))
        return match_id, next((turn.version for turn in turns), -1)

    def time_of(self, turn: Turn) -> tuple[timedelta, timedelta]:
        """The time of a turn, and the bank of its player."""
        period, full = TIMES[turn.pace]
        return period, self.banks.get((turn.match_id, turn.seat, turn.user_id), full)

    def awake(self, user_id: int, begin: datetime, end: datetime) -> timedelta:
        """The time of a user outside quiet hours, by the preferences of the beginning, while the bot was there."""
        preferences = self.people[user_id].at(begin)
        zone, quiet = ZoneInfo(preferences.zone), QUIET.get(preferences.quiet, set())
        awake = NOTHING
        while begin < end:
            step = min(STEP, end - begin)
            if not self.time.is_gone(begin) and self.time.shown_at(begin).astimezone(zone).hour not in quiet:
                awake += step
            begin += step
        return awake

    def jumps(self, since: datetime) -> timedelta:
        """How far the clock of the machine was set since a moment, and shortly before."""
        return sum((abs(shift) for at, shift in self.time.shifts if at >= since - DAY), NOTHING)

    def _forget_bank(self, turn: Turn) -> None:
        """The remaining time at an auto-answer is unknown."""
        if (turn.match_id, turn.seat) in self.auto_answers:
            self.banks[turn.match_id, turn.seat, turn.user_id] = NOTHING

    def _settle(self, turn: Turn) -> None:
        """What is left in the bank after a turn, at least."""
        period, bank = self.time_of(turn)
        active, _ = self.active(turn.user_id, turn.begin, self.time.now)
        full = TIMES[turn.pace][1]
        remaining = (
            min(bank + period / 8, full) if active + STEP <= period else bank - max(active - period, NOTHING) - STEP
        )
        self.banks[turn.match_id, turn.seat, turn.user_id] = max(remaining, NOTHING)

    def since(self, moment: datetime) -> timedelta:
        """How long ago a moment was, by the sun or by the clock of the machine."""
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
        """How much time of a player has passed between two moments, and for how long it stood still by their
        preferences.
        """
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

"""What was promised, judged by what was delivered and what people did, in steps of five minutes of real time."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.habits.habits import Habits
from tests.weeks.discord import Sent
from tests.weeks.times import Time

STEP = timedelta(minutes=5)
HOUR, DAY, NOTHING = timedelta(hours=1), timedelta(days=1), timedelta()
TIMES = {"relaxed": (3 * DAY, 3 * DAY), "daily": (DAY, 2 * DAY), "brisk": (4 * HOUR, 12 * HOUR)}
"""A turn and a full bank."""

CAP = 7 * DAY
QUIET = {"22-8": {22, 23, *range(8)}, "23-7": {23, *range(7)}, "0-9": set(range(9))}
SLACK = HOUR
"""The bot may be so much faster or slower than the steps of this record, in one turn."""


@dataclass
class Turn:
    """That a seat is asked something, by a board that was delivered at a time.

    `unsure`: the bot died while somebody did something there, and nobody knows what became of it.
    """

    match_id: int
    seat: int
    user_id: int
    asked: int
    pace: str
    firm: bool
    begin: datetime
    warned: datetime | None = None
    late: datetime | None = None
    excused: timedelta = NOTHING
    unsure: bool = False


@dataclass
class Person:
    """Somebody with the habits he has had since when, and what he was last told."""

    habits: list[tuple[datetime, Habits]]
    reminded: datetime | None = None
    reminded_of: dict[tuple[int, int], datetime] = field(default_factory=dict)

    def at(self, moment: datetime) -> Habits:
        """His habits at a moment."""
        return next(
            habits for since, habits in reversed(self.habits) if since <= moment or (since, habits) == self.habits[0]
        )


class Broken(AssertionError):
    """A promise was not kept."""


@dataclass
class Record:
    """All turns and people of a group; `matches` are those that run, by their channel."""

    time: Time
    people: dict[int, Person] = field(default_factory=dict)
    turns: dict[tuple[int, int], Turn] = field(default_factory=dict)
    banks: dict[tuple[int, int, int], timedelta] = field(default_factory=dict)
    matches: dict[int, int] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def require(self, kept: bool, what: str) -> None:
        """Note a broken promise; the bot itself would only log an error here."""
        if not kept:
            self.faults.append(f"{self.time.now:%Y-%m-%d %H:%M}: {what}")

    # --- what happens ---

    def changed(self, user_id: int, habits: Habits) -> None:
        """Somebody has other habits from now on."""
        self.people.setdefault(user_id, Person([])).habits.append((self.time.now, habits))

    def asked(self, match_id: int, due: dict[int, tuple[int, int]], pace: str, firm: bool) -> None:
        """A board asks seats, given with user and version; the turns of all others are over."""
        for seat in [seat for match, seat in self.turns if match == match_id]:
            turn = self.turns[match_id, seat]
            user_id, version = due.get(seat, (0, 0))
            if turn.unsure and user_id == turn.user_id:
                turn.asked = version
            elif due.get(seat) != (turn.user_id, turn.asked):
                del self.turns[match_id, seat]
        for seat, (user_id, version) in due.items():
            if pace and (match_id, seat) not in self.turns:
                self.turns[match_id, seat] = Turn(match_id, seat, user_id, version, pace, firm, self.time.now)

    def acted(self, match_id: int, seat: int, asked: int | None) -> None:
        """Somebody acts, and is asked something else now, without a new board, or nothing."""
        turn = self.turns.get((match_id, seat))
        if turn is None:
            return
        self._settle(turn)
        if asked is None or turn.late or turn.unsure:
            del self.turns[match_id, seat]
        else:
            turn.asked = asked

    def died(self, match_id: int) -> None:
        """The bot died while somebody did something at a table."""
        for turn in self.turns.values():
            turn.unsure = turn.unsure or turn.match_id == match_id
        self.counts["deaths in the midst of something"] += 1

    def waits_on(self, match_id: int, seat: int) -> None:
        """The others wait on for somebody."""
        if turn := self.turns.get((match_id, seat)):
            turn.begin, turn.late, turn.warned, turn.excused = self.time.now, None, None, NOTHING

    def over(self, match_id: int, seat: int) -> None:
        """A turn is over, or the seat is another one's."""
        self.turns.pop((match_id, seat), None)

    def excuse(self, channels: set[int], every: bool, time: timedelta) -> None:
        """For so long, nothing could be delivered to these matches, or to any."""
        for turn in self.turns.values():
            if every or turn.match_id in channels:
                turn.excused += time

    # --- what is delivered ---

    def sent(self, sent: Sent, due: set[tuple[int, int]]) -> None:
        """Judge a message. `due` are match and user of all who are asked something now."""
        self.counts[f"{sent.kind or 'other'} messages"] += 1
        match sent.kind:
            case "reminder":
                self._reminded(sent, due)
            case "warn":
                self._warned(sent, due)
            case "late":
                self._late(sent, due)

    def _reminded(self, sent: Sent, due: set[tuple[int, int]]) -> None:
        (user_id,) = sent.called
        person = self.people[user_id]
        self._require_awake(sent, "reminder")
        self.require(bool(person.at(sent.at).interval), "a reminder for somebody who wants none")
        if person.reminded:
            self.require(self._since(person.reminded) >= HOUR - STEP, "two reminders within an hour")
        changed = person.habits[-1][0]
        places = {int(place) for place in re.findall(r"channels/\d+/(\d+)", sent.words)}
        for match_id in (self.matches.get(place, 0) for place in places):
            self.require((match_id, user_id) in due, "a reminder for somebody who is not due")
            turn = next(
                (turn for turn in self.turns.values() if (turn.match_id, turn.user_id) == (match_id, user_id)), None
            )
            key = (match_id, turn.asked if turn else -1)
            if turn and (last := person.reminded_of.get(key)) and last > changed:
                least = (person.at(sent.at).interval - 1) * HOUR - STEP
                self.require(self._since(last) >= least, f"reminded twice of one thing after {self._since(last)}")
            person.reminded_of[key] = sent.at
        person.reminded = sent.at

    def _warned(self, sent: Sent, due: set[tuple[int, int]]) -> None:
        turn = self._turn(sent)
        self._require_awake(sent, "warning", away=False)
        self.require(turn is not None and (turn.match_id, turn.user_id) in due, f"{sent.nonce}: a warning for nothing")
        if turn is not None:
            changed = self.people[turn.user_id].habits[-1][0]
            self.require(turn.unsure or turn.warned is None or turn.warned < changed, f"{sent.nonce}: warned twice")
            turn.warned = sent.at

    def _late(self, sent: Sent, due: set[tuple[int, int]]) -> None:
        turn = self._turn(sent)
        for user_id in sent.called:
            self.require(not self._is_quiet(user_id, sent.at), "called to a vote in quiet hours")
        if turn is None or (turn.match_id, turn.user_id) not in due:
            self.require(False, f"{sent.nonce}: late, and not due")
            return
        period, bank = self._time_of(turn)
        if turn.unsure:
            self.counts["times somebody was late, and nobody can judge it"] += 1
            turn.late = sent.at
            self.banks[turn.match_id, turn.seat, turn.user_id] = NOTHING
            return
        active, _ = self._active(turn.user_id, turn.begin, sent.at)
        self.require(turn.late is None, f"{sent.nonce}: told twice that the time is up")
        self.require(active >= period + bank - SLACK, f"{sent.nonce}: late after {active} of {period} + {bank}")
        self.require(turn.warned is not None, f"{sent.nonce}: late without a warning")
        if turn.warned is not None:
            left, _ = self._active(turn.user_id, turn.warned, sent.at)
            enough = left >= period / 4 - SLACK / 2 or self._stopped_for_long(turn, sent.at)
            self.require(enough, f"{sent.nonce}: only {left} from the warning on")
        self._require_not_frozen(turn)
        turn.late = sent.at
        self.banks[turn.match_id, turn.seat, turn.user_id] = NOTHING
        self.counts["times somebody was late"] += 1

    def check_nothing_is_frozen(self) -> None:
        """No table waits longer for anybody than its pace allows."""
        for turn in self.turns.values():
            if turn.late is None and not turn.unsure:
                self._require_not_frozen(turn)

    # --- inside ---

    def _require_not_frozen(self, turn: Turn) -> None:
        period, bank = TIMES[turn.pace]
        gone = self.time.was_gone(turn.begin, self.time.now) + turn.excused
        jumps = sum((abs(shift) for at, shift in self.time.shifts if at >= turn.begin - DAY), NOTHING)
        habits_changed = sum(at >= turn.begin for at, _ in self.people[turn.user_id].habits)
        most = period * 1.25 + bank + CAP + 2 * DAY / 3 + jumps + habits_changed * HOUR
        lasted = self.time.now - turn.begin - gone
        self.require(lasted <= most, f"match {turn.match_id} has waited {lasted} for seat {turn.seat} ({turn.pace})")

    def _stopped_for_long(self, turn: Turn, moment: datetime) -> bool:
        return self._active(turn.user_id, turn.begin, moment)[1] >= CAP - DAY

    def _settle(self, turn: Turn) -> None:
        """What is left in the bank after a turn, at least."""
        period, bank = self._time_of(turn)
        active, _ = self._active(turn.user_id, turn.begin, self.time.now)
        full = TIMES[turn.pace][1]
        left = min(bank + period / 8, full) if active + STEP <= period else bank - max(active - period, NOTHING) - STEP
        self.banks[turn.match_id, turn.seat, turn.user_id] = max(left, NOTHING)

    def _time_of(self, turn: Turn) -> tuple[timedelta, timedelta]:
        period, full = TIMES[turn.pace]
        return period, self.banks.get((turn.match_id, turn.seat, turn.user_id), full)

    def _turn(self, sent: Sent) -> Turn | None:
        _, match_id, seat, _ = sent.nonce.split("-")
        return self.turns.get((int(match_id), int(seat)))

    def _since(self, moment: datetime) -> timedelta:
        """How long ago a moment was, by the sun or by the clock of the machine."""
        return max(self.time.now - moment, abs(self.time.shown - self.time.shown_at(moment)))

    def _require_awake(self, sent: Sent, what: str, *, away: bool = True) -> None:
        for user_id in sent.called:
            self.require(not self._is_quiet(user_id, sent.at), f"a {what} in quiet hours")
            self.require(not away or not self._is_away(user_id, sent.at), f"a {what} for somebody away")

    def _is_quiet(self, user_id: int, moment: datetime) -> bool:
        habits = self.people[user_id].at(moment)
        hour = self.time.shown_at(moment).astimezone(ZoneInfo(habits.zone)).hour
        return hour in QUIET.get(habits.quiet, set())

    def _is_away(self, user_id: int, moment: datetime) -> bool:
        away = self.people[user_id].at(moment).away
        return bool(away) and self.time.shown_at(moment) < datetime.fromisoformat(away)

    def _active(self, user_id: int, begin: datetime, end: datetime) -> tuple[timedelta, timedelta]:
        """How much of somebody's time has passed between two moments, and for how long it stood still by his habits."""
        active = stopped = NOTHING
        while begin < end:
            step = min(STEP, end - begin)
            if not self.time.is_gone(begin):
                if stopped < CAP and (self._is_quiet(user_id, begin) or self._is_away(user_id, begin)):
                    stopped += step
                else:
                    active += step
            begin += step
        return active, stopped

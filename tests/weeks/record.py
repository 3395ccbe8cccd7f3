"""The promises, judged by deliveries and the acts of people, in steps of five minutes of real time."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.tables.preferences import Preferences
from tests.weeks.discord import Sent
from tests.weeks.times import Time

STEP = timedelta(minutes=5)
HOUR, DAY, NOTHING = timedelta(hours=1), timedelta(days=1), timedelta()
TIMES = {"relaxed": (3 * DAY, 3 * DAY), "daily": (DAY, 2 * DAY), "brisk": (4 * HOUR, 12 * HOUR)}
"""A turn and a full bank."""

CAP = 7 * DAY
QUIET = {"22-8": {22, 23, *range(8)}, "13-15": {13, 14}, "1-6": {*range(1, 6)}}
VOTE = {"relaxed": DAY, "daily": DAY / 2, "brisk": 4 * HOUR}
"""How long a vote lasts, not counting the quiet hours of those who decide."""

LATEST_MORNING = 2 * DAY
"""The longest time until the next morning message of a user with a waiting game."""

SLACK = HOUR
"""The tolerance between the bot and the steps of this record, in one turn."""


@dataclass
class Turn:
    """That a seat is asked something, by a board that was delivered at a time.

    `unsure`: the bot was killed during an act there, whose effect is unknown. Once it is
    `late`, `voters` decide; these have `voted`, and some may have been `called` to do so.
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
    answered: datetime | None = None
    voters: tuple[int, ...] = ()
    voted: set[int] = field(default_factory=set)
    called: bool = False


@dataclass
class Person:
    """Somebody with the preferences they have had since when, and what they were last told.

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
    seated: dict[int, tuple[int, ...]] = field(default_factory=dict)
    auto_answers: set[tuple[int, int]] = field(default_factory=set)
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def require(self, kept: bool, what: str) -> None:
        """Note a broken promise; the bot itself would only log an error here."""
        if not kept:
            self.faults.append(f"{self.time.now:%Y-%m-%d %H:%M}: {what}")

    # --- events ---

    def changed(self, user_id: int, preferences: Preferences) -> None:
        """Somebody has other preferences from now on."""
        self.people.setdefault(user_id, Person([])).preferences.append((self.time.now, preferences))

    def asked(self, match_id: int, due: dict[int, tuple[int, int]], pace: str, firm: bool) -> None:
        """A board asks seats, given with user and version; the turns of all others are over."""
        for seat in [seat for match, seat in self.turns if match == match_id]:
            turn = self.turns[match_id, seat]
            user_id, version = due.get(seat, (0, 0))
            goes_on = turn.late is None or version == turn.asked  # the next question of a late player is a new turn
            if turn.unsure and user_id == turn.user_id and goes_on:
                turn.asked = version
            elif due.get(seat) != (turn.user_id, turn.asked):
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
            turn.asked = asked

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
        if not turn.firm:
            self._require_decided(turn)
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

    def sent(self, sent: Sent, due: set[tuple[int, int]]) -> None:
        """Judge a message. `due` has match and user of all players that are due now."""
        self.counts[f"{sent.kind or 'other'} messages"] += 1
        match sent.kind:
            case "reminder":
                self._reminded(sent, due)
            case "warn":
                self._warned(sent, due)
            case "late":
                self._late(sent, due)
            case "vote":
                self._called_to_vote(sent)
            case "morning":
                self._wrote_in_the_morning(sent, due)

    def _reminded(self, sent: Sent, due: set[tuple[int, int]]) -> None:
        (user_id,) = sent.called
        person = self.people[user_id]
        self._require_awake(sent, "reminder")
        preferences = person.at(sent.at)
        self.require(
            bool(preferences.interval) and preferences.summary != "instead", "a reminder for somebody who wants none"
        )
        snoozed = person.snoozed is not None and self.time.shown < person.snoozed - STEP
        self.require(not snoozed, f"a reminder that was put off until {person.snoozed}")
        if person.reminded:
            self.require(self._since(person.reminded) >= HOUR - STEP, "two reminders within an hour")
        changed = person.preferences[-1][0]
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
            changed = self.people[turn.user_id].preferences[-1][0]
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
            self._put_to_vote(turn, sent)
            self.banks[turn.match_id, turn.seat, turn.user_id] = NOTHING
            return
        active, _ = self._active(turn.user_id, turn.begin, sent.at)
        self.require(turn.late is None, f"{sent.nonce}: told twice that the time is up")
        self.require(active >= period + bank - SLACK, f"{sent.nonce}: late after {active} of {period} + {bank}")
        self.require(turn.warned is not None, f"{sent.nonce}: late without a warning")
        if turn.warned is not None:
            remaining, _ = self._active(turn.user_id, turn.warned, sent.at)
            enough = remaining >= period / 4 - SLACK / 2 or self._stopped_for_long(turn, sent.at)
            self.require(enough, f"{sent.nonce}: only {remaining} from the warning on")
        self._require_not_frozen(turn)
        self._put_to_vote(turn, sent)
        self.banks[turn.match_id, turn.seat, turn.user_id] = NOTHING
        self.counts["times somebody was late"] += 1

    def _put_to_vote(self, turn: Turn, sent: Sent) -> None:
        """From now on the others decide, until the time that the message names."""
        turn.late, turn.excused, turn.voted, turn.called = sent.at, NOTHING, set(), False
        turn.voters = tuple(user_id for user_id in self.seated[turn.match_id] if user_id != turn.user_id)
        named = re.search(r"The vote ends <t:(\d+):R>", sent.words)
        self.require(turn.firm or named is not None, f"{sent.nonce}: a vote that names no end")
        if named is not None:
            lasts = int(named[1]) - self.time.shown.timestamp()
            self.require(lasts >= VOTE[turn.pace].total_seconds() - 1, f"{sent.nonce}: a vote of {lasts} seconds")

    def _called_to_vote(self, sent: Sent) -> None:
        turn = self._turn(sent)
        if turn is None or turn.late is None:
            self.require(False, f"{sent.nonce}: called to vote about nothing")
            return
        for user_id in sent.called:
            self.require(not self._is_quiet(user_id, sent.at), "called to a vote in quiet hours")
            self.require(user_id not in turn.voted, f"{sent.nonce}: called to vote twice over")
            had = self._awake(user_id, turn.late, sent.at) + self._jumps(turn.late)
            joined = user_id not in turn.voters  # since the vote began: they have the rest of its time
            enough = joined or had >= VOTE[turn.pace] / 2 - 2 * STEP
            self.require(enough, f"{sent.nonce}: called to vote again after {had}")
        self.require(not turn.called or turn.unsure, f"{sent.nonce}: a second reminder of a vote")
        turn.called = True

    def _wrote_in_the_morning(self, sent: Sent, due: set[tuple[int, int]]) -> None:
        (user_id,) = sent.called
        person = self.people[user_id]
        self._require_awake(sent, "message in the morning")
        self.require(bool(person.at(sent.at).summary), "a message in the morning for somebody who wants none")
        if person.morning:
            since, zone = self._since(person.morning), ZoneInfo(person.at(sent.at).zone)
            days = {self.time.shown_at(moment).astimezone(zone).date() for moment in (person.morning, sent.at)}
            on_two_days = len(days) == 2 and person.preferences[-1][0] <= person.morning
            self.require(since >= 20 * HOUR - STEP or on_two_days, "two messages in one morning")
        waiting = re.search(r"(\d+) of your games (?:is|are) waiting for you", sent.words)
        games = sum(user == user_id for _, user in due)
        self.require(games == (int(waiting[1]) if waiting else 0), f"{games} games wait: {sent.words}")
        person.morning = sent.at

    def check_nothing_is_frozen(self) -> None:
        """No table waits longer for a player than its pace allows, nor for the voters about a late player."""
        for turn in self.turns.values():
            if turn.unsure:
                continue
            if turn.late is None:
                self._require_not_frozen(turn)
            else:
                self._require_decided(turn)

    def check_mornings(self, closed: set[int]) -> None:
        """Who wants a message every morning and can be told has got one while a game waited for days."""
        for turn in self.turns.values():
            person = self.people[turn.user_id]
            since = max(
                turn.begin, person.morning or turn.begin, person.reached or turn.begin, person.preferences[-1][0]
            )
            away = person.preferences[-1][1].away
            if not person.at(self.time.now).summary or turn.user_id in closed or turn.unsure:
                continue
            if away and datetime.fromisoformat(away) > self.time.shown_at(since):
                continue
            gone = self.time.was_gone(since, self.time.now) + turn.excused + self._jumps(since)
            lasted = self.time.now - since - gone
            self.require(lasted <= LATEST_MORNING, f"user {turn.user_id} has heard nothing for {lasted}")

    def check_answered(self, match_id: int, seat: int) -> None:
        """A question with an auto-answer does not wait longer than a person at their phone would take."""
        turn = self.turns.get((match_id, seat))
        if turn is None or turn.unsure or turn.late:
            return
        since = max(turn.begin, turn.answered or turn.begin)
        waited = self._awake(turn.user_id, since, self.time.now) - turn.excused - self._jumps(since)
        self.require(waited <= SLACK, f"match {match_id}: the standing answer of seat {seat} takes {waited}")

    # --- inside ---

    def _require_decided(self, turn: Turn) -> None:
        """A vote is over once everybody who decides has had the time for it; absences of the bot make it longer."""
        assert turn.late is not None, "there is a vote"
        gone = self.time.was_gone(turn.late, self.time.now)  # perhaps in quiet hours, which would not have counted
        had = min((self._awake(user_id, turn.late, self.time.now) for user_id in turn.voters), default=NOTHING)
        beyond = had - VOTE[turn.pace] - turn.excused - self._jumps(turn.late) - gone
        self.require(beyond <= SLACK, f"match {turn.match_id}: the vote on seat {turn.seat} is open {beyond} too long")

    def _awake(self, user_id: int, begin: datetime, end: datetime) -> timedelta:
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

    def _jumps(self, since: datetime) -> timedelta:
        """How far the clock of the machine was set since a moment, and shortly before."""
        return sum((abs(shift) for at, shift in self.time.shifts if at >= since - DAY), NOTHING)

    def _forget_bank(self, turn: Turn) -> None:
        """The remaining time at an auto-answer is unknown."""
        if (turn.match_id, turn.seat) in self.auto_answers:
            self.banks[turn.match_id, turn.seat, turn.user_id] = NOTHING

    def _require_not_frozen(self, turn: Turn) -> None:
        period, bank = TIMES[turn.pace]
        gone = self.time.was_gone(turn.begin, self.time.now) + turn.excused
        preferences_changed = sum(at >= turn.begin for at, _ in self.people[turn.user_id].preferences)
        most = period * 1.25 + bank + CAP + 2 * DAY / 3 + self._jumps(turn.begin) + preferences_changed * HOUR
        lasted = self.time.now - turn.begin - gone
        self.require(lasted <= most, f"match {turn.match_id} has waited {lasted} for seat {turn.seat} ({turn.pace})")

    def _stopped_for_long(self, turn: Turn, moment: datetime) -> bool:
        return self._active(turn.user_id, turn.begin, moment)[1] >= CAP - DAY

    def _settle(self, turn: Turn) -> None:
        """What is left in the bank after a turn, at least."""
        period, bank = self._time_of(turn)
        active, _ = self._active(turn.user_id, turn.begin, self.time.now)
        full = TIMES[turn.pace][1]
        remaining = (
            min(bank + period / 8, full) if active + STEP <= period else bank - max(active - period, NOTHING) - STEP
        )
        self.banks[turn.match_id, turn.seat, turn.user_id] = max(remaining, NOTHING)

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
        preferences = self.people[user_id].at(moment)
        hour = self.time.shown_at(moment).astimezone(ZoneInfo(preferences.zone)).hour
        return hour in QUIET.get(preferences.quiet, set())

    def _is_away(self, user_id: int, moment: datetime) -> bool:
        preferences, shown = self.people[user_id].at(moment), self.time.shown_at(moment)
        local = shown.astimezone(ZoneInfo(preferences.zone))
        # a day off lasts until eight in the morning after
        days = {local.date(), (local.replace(tzinfo=None) - timedelta(hours=8)).date()}
        off = {name for day in days for name in (str(day.isoweekday()), str(day))} & {*preferences.off.split()}
        return bool(off) or (bool(preferences.away) and shown < datetime.fromisoformat(preferences.away))

    def _active(self, user_id: int, begin: datetime, end: datetime) -> tuple[timedelta, timedelta]:
        """How much time of a player has passed between two moments, and for how long it stood still by their
        preferences.
        """
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

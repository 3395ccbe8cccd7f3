"""Promises of clocks, votes and reminders, judged by deliveries and turns alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from tests.crowd.discord import Sent
from tests.crowd.record import CAP, DAY, HOUR, NOTHING, STEP, TIMES, Record, Turn

VOTE = {"relaxed": DAY, "daily": DAY / 2, "brisk": 4 * HOUR}
"""The length of a vote without the quiet hours of its voters."""

LATEST_MORNING = 2 * DAY
"""The longest time until the next morning message of a user with a waiting game."""

SLACK = HOUR
"""The tolerance between the bot and the steps of the record, in one turn."""

Due = set[tuple[int, int]]
"""Match and user of all players that are due."""

OfMessage = Callable[[Record, Sent, Due], Iterator[str]]


def quiet_hours_and_absences_are_respected(record: Record, sent: Sent, _due: Due) -> Iterator[str]:
    for user_id in sent.called:
        if record.is_quiet(user_id, sent.at):
            yield f"a {sent.kind} message in the quiet hours of user {user_id}"
        if sent.kind in ("reminder", "morning") and record.is_away(user_id, sent.at):
            yield f"a {sent.kind} message to user {user_id}, who is away"


# --- reminders ---


def reminders_go_to_users_who_want_them(record: Record, sent: Sent, _due: Due) -> Iterator[str]:
    person = record.people[sent.called[0]]
    preferences = person.at(sent.at)
    if not preferences.interval or preferences.summary == "instead":
        yield f"{preferences}"
    if person.snoozed is not None and record.time.shown < person.snoozed - STEP:
        yield f"snoozed until {person.snoozed}"


def reminders_come_at_intervals(record: Record, sent: Sent, _due: Due) -> Iterator[str]:
    (user_id,) = sent.called
    person = record.people[user_id]
    if person.reminded and record.since(person.reminded) < HOUR - STEP:
        yield "two within an hour"
    changed = person.preferences[-1][0]
    least = (person.at(sent.at).interval - 1) * HOUR - STEP
    for match_id in record.matches_in(sent):
        question = record.question(match_id, user_id)
        last = person.reminded_of.get(question) if question[1] >= 0 else None
        if last and last > changed and record.since(last) < least:
            yield f"two about one question within {record.since(last)}"


def reminders_are_about_open_questions(record: Record, sent: Sent, due: Due) -> Iterator[str]:
    for match_id in record.matches_in(sent):
        if (match_id, sent.called[0]) not in due:
            yield f"user {sent.called[0]} is not due in match {match_id}"


# --- clocks ---


def a_warning_comes_once_in_a_turn(record: Record, sent: Sent, due: Due) -> Iterator[str]:
    turn = record.turn_of(sent)
    if turn is None or (turn.match_id, turn.user_id) not in due:
        yield f"{sent.nonce}: a warning for nothing"
    elif turn.warned and not turn.unsure and turn.warned >= record.people[turn.user_id].preferences[-1][0]:
        yield f"{sent.nonce}: warned twice"


def players_are_late_only_after_their_time(record: Record, sent: Sent, due: Due) -> Iterator[str]:
    turn = record.turn_of(sent)
    if turn is None or (turn.match_id, turn.user_id) not in due:
        yield f"{sent.nonce}: late, and not due"
        return
    if turn.unsure:
        return
    period, bank = record.time_of(turn)
    active, stopped = record.active(turn.user_id, turn.begin, sent.at)
    if turn.late is not None:
        yield f"{sent.nonce}: late twice"
    if active < period + bank - SLACK:
        yield f"{sent.nonce}: late after {active} of {period} + {bank}"
    yield from no_turn_is_frozen(record, turn)
    if turn.warned is None:
        yield f"{sent.nonce}: late without a warning"
        return
    remaining, _ = record.active(turn.user_id, turn.warned, sent.at)
    if remaining < period / 4 - SLACK / 2 and stopped < CAP - DAY:
        yield f"{sent.nonce}: only {remaining} from the warning on"


def no_turn_is_frozen(record: Record, turn: Turn) -> Iterator[str]:
    period, bank = TIMES[turn.pace]
    gone = record.time.was_gone(turn.begin, record.time.now) + turn.excused
    changes = sum(at >= turn.begin for at, _ in record.people[turn.user_id].preferences)
    longest = period * 1.25 + bank + CAP + 2 * DAY / 3 + record.jumps(turn.begin) + changes * HOUR
    duration = record.time.now - turn.begin - gone
    if duration > longest:
        yield f"match {turn.match_id} has waited {duration} for seat {turn.seat} ({turn.pace})"


# --- votes ---


def a_vote_names_its_end(record: Record, sent: Sent, _due: Due) -> Iterator[str]:
    turn = record.turn_of(sent)
    end = re.search(r"End of the vote: <t:(\d+):R>", sent.words)
    if turn is None:
        return
    if end is None:
        if not turn.firm:
            yield sent.nonce
        return
    seconds = int(end[1]) - record.time.shown.timestamp()
    if seconds < VOTE[turn.pace].total_seconds() - 1:
        yield f"{sent.nonce}: a vote of {seconds} seconds"


def voters_are_reminded_once_and_in_time(record: Record, sent: Sent, _due: Due) -> Iterator[str]:
    turn = record.turn_of(sent)
    if turn is None or turn.late is None:
        yield f"{sent.nonce}: no vote is open"
        return
    if turn.called and not turn.unsure:
        yield f"{sent.nonce}: the second reminder of a vote"
    gone = record.time.was_gone(turn.late, sent.at)
    for user_id in sent.called:
        if user_id in turn.voted:
            yield f"{sent.nonce}: user {user_id} has voted"
        # downtime postpones the reminder as a whole, also where the postponed time falls in quiet hours
        elapsed = record.planned(user_id, turn.late, sent.at - gone) + record.jumps(turn.late)
        # players who joined since the vote began have the rest of its time
        if user_id in turn.voters and elapsed < VOTE[turn.pace] / 2 - 2 * STEP:
            yield f"{sent.nonce}: user {user_id} reminded after {elapsed}"


def a_vote_ends_in_time(record: Record, turn: Turn) -> Iterator[str]:
    """Absences of the bot make it longer, also in quiet hours."""
    assert turn.late is not None, "the vote is open"
    gone = record.time.was_gone(turn.late, record.time.now)
    elapsed = min((record.awake(user_id, turn.late, record.time.now) for user_id in turn.voters), default=NOTHING)
    beyond = elapsed - VOTE[turn.pace] - turn.excused - record.jumps(turn.late) - gone
    if beyond > SLACK:
        yield f"match {turn.match_id}: the vote on seat {turn.seat} is open {beyond} too long"


# --- morning messages and auto-answers ---


def a_morning_message_is_wanted_and_right(record: Record, sent: Sent, due: Due) -> Iterator[str]:
    (user_id,) = sent.called
    if not record.people[user_id].at(sent.at).summary:
        yield f"user {user_id} wants none"
    number = re.search(r"(\d+) of your games (?:is|are) waiting for you", sent.words)
    games = sum(user == user_id for _, user in due)
    if games != (int(number[1]) if number else 0):
        yield f"{games} games wait: {sent.words}"


def a_day_has_one_morning_message(record: Record, sent: Sent, _due: Due) -> Iterator[str]:
    person = record.people[sent.called[0]]
    if person.morning is None or record.since(person.morning) >= 20 * HOUR - STEP:
        return
    zone = ZoneInfo(person.at(sent.at).zone)
    days = {record.time.shown_at(moment).astimezone(zone).date() for moment in (person.morning, sent.at)}
    if len(days) != 2 or person.preferences[-1][0] > person.morning:
        yield f"two to user {sent.called[0]}, the first at {person.morning}"


def morning_messages_come(record: Record, turn: Turn, closed_users: set[int]) -> Iterator[str]:
    """A user who wants them and can be reached gets one while a game waits for days."""
    person = record.people[turn.user_id]
    since = max(turn.begin, person.morning or turn.begin, person.reached or turn.begin, person.preferences[-1][0])
    away = person.preferences[-1][1].away
    is_away = away and datetime.fromisoformat(away) > record.time.shown_at(since)
    if not person.at(record.time.now).summary or turn.user_id in closed_users or turn.unsure or is_away:
        return
    gone = record.time.was_gone(since, record.time.now) + turn.excused + record.jumps(since)
    if (silence := record.time.now - since - gone) > LATEST_MORNING:
        yield f"user {turn.user_id} has received nothing for {silence}"


def auto_answers_are_as_quick_as_a_person(record: Record, turn: Turn) -> Iterator[str]:
    since = max(turn.begin, turn.answered or turn.begin)
    elapsed: timedelta = record.awake(turn.user_id, since, record.time.now) - turn.excused - record.jumps(since)
    if not turn.unsure and not turn.late and elapsed > SLACK:
        yield f"match {turn.match_id}: the auto-answer of seat {turn.seat} takes {elapsed}"


OF_MESSAGES: dict[str, tuple[OfMessage, ...]] = {
    "reminder": (
        quiet_hours_and_absences_are_respected,
        reminders_go_to_users_who_want_them,
        reminders_come_at_intervals,
        reminders_are_about_open_questions,
    ),
    "warn": (quiet_hours_and_absences_are_respected, a_warning_comes_once_in_a_turn),
    "late": (quiet_hours_and_absences_are_respected, players_are_late_only_after_their_time, a_vote_names_its_end),
    "vote": (quiet_hours_and_absences_are_respected, voters_are_reminded_once_and_in_time),
    "morning": (
        quiet_hours_and_absences_are_respected,
        a_morning_message_is_wanted_and_right,
        a_day_has_one_morning_message,
    ),
}
"""The promises for each kind of message."""

"""Promises that hold after any number of kills, checked by the database and by the messages on Discord."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice

from bot.features.deadlines.sending import LAST_REMINDER
from bot.features.play.drafting import _mark
from bot.store.jobs import JobKind
from bot.store.reminded import LONG_AGO
from bot.worker import MAX_SLEEP
from engine.core import Action
from engine.errors import EngineError
from engine.match import Match
from engine.texts import Seat
from playground.clock import moment_of
from playground.harness import Playground
from playground.reading import buttons_of, text_of
from playground.world import Message
from tests.crowd.killed.ledger import Ledger
from tests.crowd.promises import Promises
from tests.crowd.rows import (
    OF_DATABASE,
    WITHOUT_FAULTS,
    Board,
    Look,
    Record,
    last_reminders,
    nothing_that_is_due_is_left_undone,
    read,
)

RUNNING, OVER = "running", "over"
MARKED = re.compile("[a-z]")
"""The beginning of the nonce of a message that comes once even if the bot is killed; other nonces are random."""

BOARD = re.compile("b[0-9]")
"""The beginning of a board's nonce."""

SHOWN = re.compile(r"cv:boardmore:(\d+):0:(\d+-[0-9a-f]{4})")
"""The control that identifies a board in any channel."""

LATE = timedelta(seconds=2 * MAX_SLEEP)
"""The longest delay of a reminder: the time between two checks, plus the time for the reminders before it."""

REMINDER = re.compile("r[0-9]")
"""The beginning of a reminder's nonce."""

SENDING = 30 * 60
"""The most seconds between a reminder and its stored time."""

KNOWN = 3 * 60_000
"""Milliseconds for which Discord certainly remembers a nonce."""


def _mark_key(message: Message) -> tuple[int, str, int] | None:
    """The key that only one message may have; for messages other than boards, only for some minutes.

    The bot searches for a board before it posts it again. Any other message may be repeated much later, which does no
    harm.
    """
    if not message.nonce or not MARKED.match(message.nonce):
        return None
    some_minutes = 0 if BOARD.match(message.nonce) else (message.id >> 22) // KNOWN
    return message.channel_id, message.nonce, some_minutes


def mark_of(message: Message) -> tuple[int, str] | None:
    """The match and the mark of a board with its controls, or `None`, also for private messages."""
    if message.only_for is not None:
        return None
    ids = (SHOWN.fullmatch(button.custom_id or "") for button in buttons_of(message.components))
    return next(((int(result[1]), result[2]) for result in ids if result), None)


@dataclass(frozen=True)
class Due:
    """A due player, with the newest board of their match."""

    record: Record
    match: Match
    board: Board
    message: Message
    seat: Seat
    user_id: int

    def __str__(self) -> str:
        place = f"match {self.record.id} ({self.record.game}), seat {self.seat}, version {self.match.version}"
        return f"{place}, user {self.user_id} of {self.record.users}"


@dataclass
class Auditor:
    """The auditor of a run: its database now and at the previous check, its messages, and its ledger."""

    local: Playground
    look: Callable[[], AbstractContextManager[Look]]
    ledger: Ledger
    promises: Promises = field(default_factory=Promises)
    records: dict[int, Record] = field(default_factory=dict)
    matches: dict[int, Match] = field(default_factory=dict)
    refused: set[tuple[int, datetime]] = field(default_factory=set)
    noted: dict[int, tuple[int, str]] = field(default_factory=dict)
    """The match and the mark of each recorded board, by message id."""

    newest: list[Record] = field(default_factory=list)
    """The records of the present check."""

    replays: dict[int, Match | EngineError] = field(default_factory=dict)
    """Replays of the matches, or the error of a broken log."""

    def look_at_records(self) -> None:
        """Check that the database is sound and has lost nothing that users were told. Raises `Breach`."""
        with self.look() as database:
            self.promises.require(database, *OF_DATABASE)
            self.newest = read(database)
        self.replays = {record.id: _replay(record) for record in self.newest if record.status in (RUNNING, OVER)}
        self.promises.require(self, *OF_GROWTH)
        self.records |= {record.id: record for record in self.newest}
        self.matches |= {n: match for n, match in self.replays.items() if isinstance(match, Match)}
        self.noted |= {b.message_id: (record.id, b.mark) for record in self.newest if (b := record.showing)}
        self.promises.require(self, *OF_RECORDS)

    def look_at_reminders(self, *, excused: bool) -> None:
        """Check that messages recorded as sent exist, unless Discord may have refused them. Raises `Breach`."""
        if excused:
            self.refused.update(self.missing_reminders())
        self.promises.require(self, *OF_REMINDERS)

    def look_at_waiting(self) -> None:
        """Check that nothing waits after the last fault. Raises `Breach`."""
        with self.look() as database:
            self.promises.require(database, *WITHOUT_FAULTS)
            self.promises.check(nothing_that_is_due_is_left_undone, database, self.now())
        self.promises.raise_breaches()

    def look_at_channels(self) -> None:
        """Check that all due players can decide and were informed. Raises `Breach`."""
        with self.look() as database:
            self.newest = read(database)
        self.promises.require(self, *OF_CHANNELS)

    # --- for the promises ---

    def missing_reminders(self) -> set[tuple[int, datetime]]:
        """Users and times of reminders that are recorded as sent and have no message."""
        with self.look() as database:
            times = {user_id: at for user_id, at in last_reminders(database).items() if at != LONG_AGO}
        return {
            (user_id, at)
            for user_id, at in times.items()
            if not any(
                abs(at.timestamp() - moment_of(reminder.id)) <= SENDING for reminder in self.reminders_of(user_id)
            )
        }

    def reminders_of(self, user_id: int) -> list[Message]:
        """All reminders of a user in channels and direct messages, including replaced ones."""
        direct = self.local.discord.world.dm_with(self.local.discord.world.users[user_id]).id
        sent = (message for message in self.local.discord.world.all_messages() if REMINDER.match(str(message.nonce)))
        return [message for message in sent if message.channel_id == direct or user_id in message.mentions]

    def dues(self) -> Iterator[Due]:
        """The due people of all boards that were not deleted."""
        for record in self.newest:
            board = record.showing if record.status == RUNNING else None
            message = self.message_of(board) if board else None
            if board is None or message is None:
                continue
            match = self.matches.get(record.id)
            if match is None or match.version != len(record.log):
                match = record.replayed()
            for decision in match.state.decisions():
                if (user_id := record.users[decision.seat]) is not None and not decision.automatic:
                    yield Due(record, match, board, message, decision.seat, user_id)

    def was_called(self, record: Record, match: Match, seat: Seat, user_id: int) -> bool:
        """Whether a board of the present turn has pinged the user.

        A user who takes back their own move knows that they are due again, even if a board came in between.
        """
        last = record.log[-1] if record.log else None
        if last is not None and last.seat == seat and last.notation.startswith("undo"):
            return True
        acted = [ply.version for ply in match._plies if ply.entry.seat == seat]
        later = 0
        for version, message in self.boards_of(record):
            due = {decision.seat for decision in record.replayed(version).state.decisions()}
            if seat not in due or any(version <= n < later for n in acted):
                return False
            if user_id in message.pinged:
                return True
            later = version
        return False

    def now(self) -> datetime:
        """The time of the local Discord."""
        return datetime.fromtimestamp(self.local.clock.now(), UTC)

    def mark_of(self, message: Message) -> tuple[int, str] | None:
        """The mark of a message, as `mark_of` has it, but also of a recorded board without its controls."""
        return self.noted.get(message.id) or mark_of(message)

    def boards_of(self, record: Record) -> Iterator[tuple[int, Message]]:
        """The boards of a match in its channel with their versions, newest first."""
        for message in reversed(self.local.discord.world.channels[record.channel_id].messages):
            match_id, mark = self.mark_of(message) or (0, "")
            if match_id == record.id:
                yield int(mark.split("-")[0]), message

    def evidence(self, record: Record) -> str:
        """The last boards with their pings, and the acts since, as evidence."""
        boards = [*islice(self.boards_of(record), 4)]
        called = [(version, message.pinged) for version, message in boards]
        return f"called {called}, log {record.log[boards[-1][0] if boards else 0 :]}, users {record.users}"

    def messages(self) -> Iterator[Message]:
        """All messages of all channels."""
        for channel in self.local.discord.world.channels.values():
            yield from channel.messages

    def when(self, message: Message) -> str:
        """The time of a message and the number of later ones in its channel, as evidence."""
        below = sum(1 for other in self.messages() if other.channel_id == message.channel_id and other.id > message.id)
        return f"{moment_of(message.id):.0f}, {below} below"

    def message_of(self, board: Board) -> Message | None:
        """The message of a board, unless it was deleted."""
        return next((m for m in self.messages() if m.id == board.message_id), None)


def _forced_draft(match: Match, seat: Seat) -> str:
    """The draft of the forced choices at the beginning of a turn, which the bot does not store."""
    choices: list[Action] = []
    while True:
        ahead = match.ahead(seat, choices) if choices else match
        decision_now = next((decision for decision in ahead.state.decisions() if decision.seat == seat), None)
        option = decision_now and (decision_now.options[0] if decision_now.forced else decision_now.usual)
        if option is None:
            return _mark(choices)
        choices.append(option)


def _replay(record: Record) -> Match | EngineError:
    try:
        return record.replayed()
    except EngineError as error:
        return error


# --- logs ---


def no_match_is_lost(run: Auditor) -> Iterator[str]:
    if lost := {*run.records} - {record.id for record in run.newest}:
        yield f"matches {lost}"


def logs_only_grow(run: Auditor) -> Iterator[str]:
    for record in run.newest:
        before = run.records.get(record.id)
        if before is not None and record.log[: len(before.log)] != before.log:
            yield f"match {record.id}"


def logs_can_be_replayed(run: Auditor) -> Iterator[str]:
    for match_id, replay in run.replays.items():
        if isinstance(replay, EngineError):
            yield f"match {match_id}, {replay!r}"


def a_replay_is_what_was_played(run: Auditor) -> Iterator[str]:
    for record in run.newest:
        before = run.matches.get(record.id) if record.id in run.replays else None
        if before is not None:
            entries = before.entries[: before.version]
            if before.state != Match.replay(before.spec, before.setup, record.seed, entries).state:
                yield f"match {record.id}"


def a_match_is_over_when_its_log_is(run: Auditor) -> Iterator[str]:
    for record in run.newest:
        match = run.replays.get(record.id)
        if isinstance(match, Match) and (match.outcome is not None) != (record.status == OVER):
            yield f"match {record.id} is {record.status}"


def a_computer_that_is_due_has_a_job(run: Auditor) -> Iterator[str]:
    for record in run.newest:
        match = run.replays.get(record.id)
        decisions = match.state.decisions() if isinstance(match, Match) else ()
        due = {
            decision.seat for decision in decisions if record.users[decision.seat] is None and not decision.automatic
        }
        if due and JobKind.COMPUTER not in {job.kind for job in record.jobs}:
            yield f"match {record.id}, seats {due}"


# --- acts, drafts, messages ---


def accepted_moves_are_written(run: Auditor) -> Iterator[str]:
    written = {row.interaction_id for record in run.newest for row in record.log}
    for interaction_id, answer in run.ledger.accepted.items():
        if interaction_id not in written:
            act = run.ledger.acts[interaction_id]
            place = f"{act.user.name} in {act.channel.name}"
            yield f"{place}: {run.ledger.button_of(interaction_id)}, with the answer {answer!r}"


def a_confirmation_counts_once(run: Auditor) -> Iterator[str]:
    ids = (row.interaction_id for record in run.newest for row in record.log if row.interaction_id)
    buttons = Counter(filter(None, map(run.ledger.button_of, ids)))
    yield from (str(button) for button, times in buttons.items() if times > 1)


def entries_are_in_the_match_of_their_channel(run: Auditor) -> Iterator[str]:
    for record in run.newest:
        for row in record.log:
            if row.interaction_id and run.ledger.acts[row.interaction_id].channel.id != record.channel_id:
                yield f"interaction {row.interaction_id} in match {record.id}"


def drafts_are_stored(run: Auditor) -> Iterator[str]:
    for (user_id, _), preview in run.ledger.previews.items():
        record, match = run.records[preview.match_id], run.matches.get(preview.match_id)
        if match is None or record.status != RUNNING or user_id not in record.users:
            continue
        seat = Seat(record.users.index(user_id))
        due = {decision.seat for decision in match.state.decisions()}
        is_open = seat in due and match.decision_version(seat) == preview.version
        if is_open and record.drafts.get(seat) != preview.version and preview.draft != _forced_draft(match, seat):
            yield f"{preview} of seat {seat}: {record.drafts}"


def no_message_comes_twice(run: Auditor) -> Iterator[str]:
    alike = defaultdict(list)
    for message in run.local.discord.world.all_messages():
        if marked := _mark_key(message):
            alike[marked].append(run.when(message))
    if twice := {marked: times for marked, times in alike.items() if len(times) > 1}:
        yield f"{twice}, now {run.local.clock.now():.0f}"


def no_board_comes_twice(run: Auditor) -> Iterator[str]:
    marks = Counter(filter(None, map(run.mark_of, run.messages())))
    if twice := [mark for mark, times in marks.items() if times > 1]:
        yield f"{twice}"


# --- reminders ---


def a_reminder_noted_as_sent_was_sent(run: Auditor) -> Iterator[str]:
    for user_id, at in run.missing_reminders() - run.refused:
        yield f"the one of {at} of user {user_id}"


def the_newest_reminder_of_a_user_stays(run: Auditor) -> Iterator[str]:
    gone = {message.id for message in run.local.discord.world.removed}
    with run.look() as database:
        users = [*last_reminders(database)]
    for user_id in users:
        if (newest := max((message.id for message in run.reminders_of(user_id)), default=None)) in gone:
            yield f"{newest} of user {user_id}"


# --- after the last fault ---


def the_newest_board_can_be_used(run: Auditor) -> Iterator[str]:
    for record in run.newest:
        message = run.message_of(record.showing) if record.status == RUNNING and record.showing else None
        if message is not None and not any(button.enabled for button in buttons_of(message.components)):
            yield f"match {record.id}"


def the_board_names_the_players_who_are_due(run: Auditor) -> Iterator[str]:
    for due in run.dues():
        if due.seat not in due.board.due or f"<@{due.user_id}>" not in text_of(due.message):
            yield f"{due}, {run.evidence(due.record)}"


def players_who_are_due_were_called(run: Auditor) -> Iterator[str]:
    for due in run.dues():
        if not run.was_called(due.record, due.match, due.seat, due.user_id):
            yield f"{due}, {run.evidence(due.record)}"


def players_who_are_due_will_be_reminded(run: Auditor) -> Iterator[str]:
    """Without a clock, the last reminder says that no more follow."""
    for due in run.dues():
        at = due.record.when(JobKind.REMINDER, due.user_id)
        if at is None:
            if not any(str(LAST_REMINDER) in text_of(message) for message in run.reminders_of(due.user_id)):
                yield f"never: {due}"
        elif at <= run.now() - LATE:
            yield f"at {at}: {due}"


def players_who_are_due_have_a_clock(run: Auditor) -> Iterator[str]:
    for due in run.dues():
        record = due.record
        if record.pace and len(set(filter(None, record.users))) > 1 and due.seat not in record.clocks:
            yield f"{due}"


OF_GROWTH = (no_match_is_lost, logs_only_grow, logs_can_be_replayed, a_replay_is_what_was_played)
OF_RECORDS = (
    a_match_is_over_when_its_log_is,
    a_computer_that_is_due_has_a_job,
    accepted_moves_are_written,
    a_confirmation_counts_once,
    entries_are_in_the_match_of_their_channel,
    drafts_are_stored,
    no_message_comes_twice,
    no_board_comes_twice,
)
OF_REMINDERS = (a_reminder_noted_as_sent_was_sent, the_newest_reminder_of_a_user_stays)
OF_CHANNELS = (
    the_newest_board_can_be_used,
    the_board_names_the_players_who_are_due,
    players_who_are_due_were_called,
    players_who_are_due_will_be_reminded,
    players_who_are_due_have_a_clock,
)

"""What must hold however often the bot was killed: judged by its database and by what Discord shows."""

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
from bot.worker import NAP
from engine.core import Action, Decision
from engine.errors import EngineError
from engine.match import Match
from engine.texts import Seat
from playground.clock import moment_of
from playground.harness import Playground
from playground.reading import buttons_of, text_of
from playground.world import Message
from tests.torture.ledger import Ledger
from tests.torture.records import Board, Look, Record, jobs, misrated, read, reminded, unsound

LOBBY, RUNNING, OVER = "lobby", "running", "over"
MARKED = re.compile("[a-z]")
"""How the nonce of a message begins that is to come once, even if its bot is killed; others are drawn by lot."""

BOARD = re.compile("b[0-9]")
"""How that of a board begins."""

SHOWN = re.compile(r"cv:text:(\d+):0:(\d+-[0-9a-f]{4})")
"""What the control says by which a board is known, wherever it was sent."""

SOME_TIME_AFTER = frozenset({JobKind.THREAD_ARCHIVE})
"""What is done some time after a match is over; all else at once."""

LATE = timedelta(seconds=2 * NAP)
"""How late a reminder may be: the longest time without a check, plus the time for others before it."""

REMINDER = re.compile("r[0-9]")
"""How the nonce of a reminder begins."""

SENDING = 30 * 60
"""Seconds, at most, between a reminder and the time that is noted for it."""

KNOWN = 3 * 60_000
"""Milliseconds for which Discord surely knows a nonce."""


class Breach(AssertionError):
    """A promise was broken."""


def _marked(message: Message) -> tuple[int, str, int] | None:
    """What only one message has: a board for ever, another one while Discord knows its nonce.

    Boards are looked for before they are posted anew; that a player hears of something once more much later does no
    harm.
    """
    if not message.nonce or not MARKED.match(message.nonce):
        return None
    some_minutes = 0 if BOARD.match(message.nonce) else (message.id >> 22) // KNOWN
    return message.channel_id, message.nonce, some_minutes


def mark_of(message: Message) -> tuple[int, str] | None:
    """The match and the mark of a usable board; private messages have none."""
    if message.only_for is not None:
        return None
    ids = (SHOWN.fullmatch(button.custom_id or "") for button in buttons_of(message.components))
    return next(((int(result[1]), result[2]) for result in ids if result), None)


@dataclass
class Auditor:
    """Looks at a run again and again. What it saw before is how it knows that nothing is lost; it counts its looks."""

    local: Playground
    look: Callable[[], AbstractContextManager[Look]]
    ledger: Ledger
    checks: Counter[str] = field(default_factory=Counter)
    records: dict[int, Record] = field(default_factory=dict)
    matches: dict[int, Match] = field(default_factory=dict)
    refused: set[tuple[int, datetime]] = field(default_factory=set)
    noted: dict[int, tuple[int, str]] = field(default_factory=dict)
    """The match and the mark of a board, by the message as which it was noted."""

    def require(self, kept: bool, what: str, evidence: object = "") -> None:
        """Count a look. Raises `Breach`."""
        self.checks[what] += 1
        if not kept:
            raise Breach(f"{what}: {evidence}")

    # --- at any time: the database ---

    def look_at_records(self) -> list[Record]:
        """The database is sound, and holds all that it held, and what people were told. Raises `Breach`."""
        with self.look() as database:
            unsound_rows, records, wrong = unsound(database), read(database), misrated(database)
        self.require(not unsound_rows, "the database is sound", unsound_rows)
        self.require(not wrong, "ratings follow from the results", wrong)
        self.require({*self.records} <= {record.id for record in records}, "no match is lost")
        for record in records:
            self._look_at_log(record)
            self.records[record.id] = record
        self._look_at_acts(records)
        self._look_at_drafts()
        self._look_at_messages()
        self._look_at_boards(records)
        return records

    def _look_at_log(self, record: Record) -> None:
        before = self.records.get(record.id)
        grown = before is None or record.log[: len(before.log)] == before.log
        self.require(grown, "logs only grow", f"match {record.id}")
        if record.status not in (RUNNING, OVER):
            return
        try:
            match = record.replayed()
        except EngineError as error:
            raise Breach(f"logs can be replayed: match {record.id}, {error!r}") from error
        going_on = self.matches.get(record.id)
        if going_on is not None:
            replayed = Match.replay(match.spec, match.setup, record.seed, match.entries[: going_on.version])
            self.require(going_on.state == replayed.state, "a replay is what was played", f"match {record.id}")
        self.matches[record.id] = match
        self.require((match.outcome is not None) == (record.status == OVER), "whether a game is over is known")
        due = {d.seat for d in match.state.decisions() if record.users[d.seat] is None and not d.automatic}
        thinks = JobKind.COMPUTER in {job.kind for job in record.jobs}
        self.require(thinks or not due, "a computer that is due has a job", f"match {record.id}, seats {due}")

    def _look_at_acts(self, records: list[Record]) -> None:
        written = {row.interaction_id: (record, row) for record in records for row in record.log if row.interaction_id}
        for interaction_id, answer in self.ledger.accepted.items():
            act = self.ledger.acts[interaction_id]
            evidence = (
                f"{act.user.name} in {act.channel.name}: {self.ledger.button_of(interaction_id)}, told {answer!r}"
            )
            self.require(interaction_id in written, "what was accepted is written", evidence)
        buttons = Counter(filter(None, map(self.ledger.button_of, written)))
        twice = [button for button, times in buttons.items() if times > 1]
        self.require(not twice, "what is confirmed counts once", twice)
        for interaction_id, (record, _) in written.items():
            channel = self.ledger.acts[interaction_id].channel.id
            self.require(channel == record.channel_id, "acts stand where they were done", interaction_id)

    def _look_at_drafts(self) -> None:
        for (user_id, _), preview in self.ledger.previews.items():
            record, match = self.records[preview.match_id], self.matches.get(preview.match_id)
            if match is None or record.status != RUNNING or user_id not in record.users:
                continue
            seat = Seat(record.users.index(user_id))
            due = {decision.seat for decision in match.state.decisions()}
            if seat in due and match.asked_at(seat) == preview.version:
                is_stored = record.drafts.get(seat) == preview.version or preview.draft == _unasked(match, seat)
                self.require(is_stored, "drafts are kept", f"{preview} of seat {seat}: {record.drafts}")

    def _look_at_messages(self) -> None:
        alike = defaultdict(list)
        for message in self.local.discord.world.all_messages():
            if marked := _marked(message):
                alike[marked].append(self._when(message))
        twice = {marked: times for marked, times in alike.items() if len(times) > 1}
        self.require(not twice, "no message comes twice", f"{twice}, now {self.local.clock.now():.0f}")

    def _look_at_boards(self, records: list[Record]) -> None:
        """Every position has one board: one that is noted, or one that still shows its mark."""
        self.noted |= {b.message_id: (record.id, b.mark) for record in records if (b := record.showing)}
        marks = Counter(map(self._mark_of, self.messages()))
        marks.pop(None, None)
        twice = [mark for mark, times in marks.items() if times > 1]
        self.require(not twice, "no board comes twice", twice)

    def look_at_reminders(self, *, excused: bool) -> None:
        """Messages noted as sent were sent, unless Discord may have refused them for good. Raises `Breach`."""
        with self.look() as database:
            noted = reminded(database)
        for user_id, at in noted.items():
            sent = self._reminders_of(user_id)
            is_sent = at == LONG_AGO or any(abs(at.timestamp() - moment_of(message.id)) <= SENDING for message in sent)
            if excused and not is_sent:
                self.refused.add((user_id, at))
            evidence = f"the one of {at} of user {user_id}"
            self.require(is_sent or (user_id, at) in self.refused, "a reminder that stands as sent was sent", evidence)
            newest = max((message.id for message in sent), default=None)
            stays = newest not in [message.id for message in self.local.discord.world.removed]
            self.require(stays, "the newest reminder of somebody stays", f"{newest} of user {user_id}")

    def _reminders_of(self, user_id: int) -> list[Message]:
        """The reminders of a user, in channels and direct messages, with those that a newer one has replaced."""
        direct = self.local.discord.world.dm_with(self.local.discord.world.users[user_id]).id
        sent = (message for message in self.local.discord.world.all_messages() if REMINDER.match(str(message.nonce)))
        return [message for message in sent if message.channel_id == direct or user_id in message.mentions]

    def _had_last_reminder(self, user_id: int) -> bool:
        return any(str(LAST_REMINDER) in text_of(message) for message in self._reminders_of(user_id))

    # --- after the last fault: messages ---

    def look_at_waiting(self) -> None:
        """Every board is out, and nothing else waits, whether it has failed or was left undone. Raises `Breach`."""
        with self.look() as database:
            due, records = jobs(database), read(database)
        now = self._now()
        waiting = [job for job in due if job.kind is JobKind.BOARD]
        self.require(not waiting, "no board waits longer than the plan allows", waiting)
        failed = [job for job in due if job.failed]
        self.require(not failed, "nothing fails without a fault", failed)
        undone = [job for job in due if job.at <= now]
        self.require(not undone, "nothing that is due is left undone", undone)
        over = [job for record in records if record.status not in (LOBBY, RUNNING) for job in record.jobs]
        results = [job for job in over if job.kind not in SOME_TIME_AFTER]
        self.require(not results, "nothing is to be done where all is over", results)

    def look_at_channels(self) -> None:
        """Each player who is due can decide, and knows it. Raises `Breach`."""
        for record, board in self._shown(self._read()):
            self._look_at_board(record, board)

    def _look_at_board(self, record: Record, board: Board) -> None:
        match = self.matches.get(record.id)
        if match is None or match.version != len(record.log):
            match = record.replayed()
        message = self._message(board)
        if message is None:
            return  # a moderator has deleted it
        self.require(self._is_alive(board), "the newest board can be used", f"match {record.id}")
        due = match.state.decisions()
        for decision in due:
            self._look_at_person(record, match, board, decision)

    def _look_at_person(self, record: Record, match: Match, board: Board, decision: Decision) -> None:
        user_id, seat = record.users[decision.seat], decision.seat
        if user_id is None or decision.automatic:
            return
        where = f"match {record.id} ({record.game}), seat {seat}, version {match.version}, {self._called(record)}"
        message = self._message(board)
        assert message is not None, "it was looked at"
        self.require(seat in board.due and f"<@{user_id}>" in text_of(message), "the board says who is due", where)
        self.require(self._was_called(record, match, seat, user_id), "everybody due was called", where)
        reminded_at = record.when(JobKind.REMINDER, user_id)
        # where no clock runs, reminders end with one that says so
        to_come = reminded_at is not None or self._had_last_reminder(user_id)
        self.require(to_come, "everybody due has a reminder to come", where)
        on_time = reminded_at is None or self._now() - LATE < reminded_at
        self.require(on_time, "everyone who is to be reminded is", f"{reminded_at}, {where}")
        if record.pace and len(set(filter(None, record.users))) > 1:
            self.require(seat in record.clocks, "everybody due has a clock", where)

    def _was_called(self, record: Record, match: Match, seat: Seat, user_id: int) -> bool:
        """Whether one of the boards on which they are due without a break, up to the newest one, has called them.

        Somebody who takes back their own move knows that they are due again, even if a board came in between.
        """
        last = record.log[-1] if record.log else None
        if last is not None and last.seat == seat and last.notation.startswith("undo"):
            return True
        acted = [ply.version for ply in match._plies if ply.entry.seat == seat]
        later = 0
        for version, message in self._boards_of(record):
            due = {decision.seat for decision in record.replayed(version).state.decisions()}
            if seat not in due or any(version <= n < later for n in acted):
                return False
            if user_id in message.pinged:
                return True
            later = version
        return False

    # --- inside ---

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self.local.clock.now(), UTC)

    def _read(self) -> list[Record]:
        with self.look() as database:
            return read(database)

    def _mark_of(self, message: Message) -> tuple[int, str] | None:
        return self.noted.get(message.id) or mark_of(message)

    def _boards_of(self, record: Record) -> Iterator[tuple[int, Message]]:
        """The boards of a match that stand in its channel, the newest one first: the version that each shows."""
        for message in reversed(self.local.discord.world.channels[record.channel_id].messages):
            match_id, mark = self._mark_of(message) or (0, "")
            if match_id == record.id:
                yield int(mark.split("-")[0]), message

    def _called(self, record: Record) -> str:
        """The last boards with their pings, and the acts since, as evidence."""
        boards = [*islice(self._boards_of(record), 4)]
        called = [(version, message.pinged) for version, message in boards]
        return f"called {called}, log {record.log[boards[-1][0] if boards else 0 :]}, users {record.users}"

    def _shown(self, records: list[Record]) -> Iterator[tuple[Record, Board]]:
        return ((record, board) for record in records if record.status == RUNNING and (board := record.showing))

    def messages(self) -> Iterator[Message]:
        """All that stands in any channel."""
        for channel in self.local.discord.world.channels.values():
            yield from channel.messages

    def _when(self, message: Message) -> str:
        """When a message came, as evidence; later ones come below it."""
        below = sum(1 for other in self.messages() if other.channel_id == message.channel_id and other.id > message.id)
        return f"{moment_of(message.id):.0f}, {below} below"

    def _message(self, board: Board) -> Message | None:
        return next((m for m in self.messages() if m.id == board.message_id), None)

    def _is_alive(self, board: Board) -> bool:
        message = self._message(board)
        return message is not None and any(button.enabled for button in buttons_of(message.components))


def _unasked(match: Match, seat: Seat) -> str:
    """The mark of the forced choices at the beginning of a turn, which the bot finds again without storing them."""
    chosen: list[Action] = []
    while True:
        ahead = match.ahead(seat, chosen) if chosen else match
        decision_now = next((decision for decision in ahead.state.decisions() if decision.seat == seat), None)
        option = decision_now and (decision_now.options[0] if decision_now.forced else decision_now.usual)
        if option is None:
            return _mark(chosen)
        chosen.append(option)

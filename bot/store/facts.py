"""The stored facts of a match besides its log, as one frozen value, with all changes of it.

A change is a pure function: it returns new facts, including the changes of jobs. `bot.store.fact_store` writes the
difference between two values; the annotation of a field names its table and key.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import field, replace
from datetime import datetime, timedelta
from typing import Annotated, Any, TypeVar

from bot.store.auto_answers import AutoAnswer
from bot.store.boards import Board, PendingBoard
from bot.store.clocks import SeatClock
from bot.store.codec import time_at_or_none, time_of
from bot.store.columns import OtherId, Term, UserId
from bot.store.drafts import Draft
from bot.store.jobs import (
    NO_SEAT,
    NOBODY,
    Drop,
    Extend,
    Job,
    JobChange,
    JobKind,
    Key,
    MakeDue,
    MakeLeagueDue,
    Put,
    ReplaceAll,
    board_job,
)
from bot.store.join_requests import JoinRequest
from bot.store.matches import MatchRow, PastHolder, Results, SeatHolder, Status, Unrating
from bot.store.offers import Offer
from bot.store.planned_turns import PlannedTurn
from bot.store.predictions import Prediction
from bot.store.rows import Rows
from bot.store.table_events import TableEvent
from bot.store.undo_requests import UndoRequest
from engine.core import Outcome
from engine.proof import Proof
from engine.texts import Seat
from engine.values import Value

K = TypeVar("K")
V = TypeVar("V")

LOBBY_EDIT_DELAY = timedelta(minutes=1)
"""The bot edits the message of an ended lobby at once; if that fails, a job does it after this time."""


class Facts(Value):
    """The stored facts of a match besides its log.

    `drafts` are unconfirmed turns; `offers` the computers' seats that any user may take, with the message that offers
    them; `followers` the users who want to hear the result without playing, and `predictions` the winners that some of
    them expect; after the end, only the right ones remain. `known_seats` pairs seats with pseudonyms
    of users that have seen their secrets (`bot.store.known_seats`). `invited` are the invitations to a lobby with their
    times, `join_requests` the pending requests for a seat. `auto_answers` are by seat and by the game's name of the
    question. `plans` are planned turns by seat and by the number of choices that the seat makes before each. Players
    have `clocks` if the table has a pace. `board` is the newest posted board, `events` the history besides the moves.
    `hints`: the host allows hints between people.

    Three fields come from jobs: `pending` is the board to post, `goes_on` says that a computer has to act, and
    `touched` is the time of the last change of a lobby. `jobs` are unwritten changes of jobs, `results` the results to
    write at the end. `damage` describes unreadable parts, which are empty here.
    """

    row: MatchRow
    drafts: Annotated[
        Mapping[Seat, Draft], Rows("drafts", ("seat",), of_player=True, may_lose_rows=True, versioned=True)
    ] = field(default_factory=dict)
    undo_request: Annotated[UndoRequest | None, Rows("undo_requests", of_player=True)] = None
    offers: Annotated[Mapping[Seat, OtherId | None], Rows("offers", ("seat",), value="message_id")] = field(
        default_factory=dict
    )
    followers: Annotated[frozenset[UserId], Rows("followers", ("user_id",))] = frozenset()
    predictions: Annotated[Mapping[UserId, Prediction], Rows("predictions", ("user_id",), may_lose_rows=True)] = field(
        default_factory=dict
    )
    known_seats: Annotated[frozenset[tuple[Seat, Term]], Rows("known_seats", ("seat", "knower"))] = frozenset()
    invited: Annotated[Mapping[UserId, datetime], Rows("invitations", ("user_id",), value="at")] = field(
        default_factory=dict
    )
    join_requests: Annotated[Mapping[UserId, JoinRequest], Rows("join_requests", ("user_id",))] = field(
        default_factory=dict
    )
    auto_answers: Annotated[
        Mapping[Seat, Mapping[Term, AutoAnswer]], Rows("auto_answers", ("seat", "aside"), value="way", of_player=True)
    ] = field(default_factory=dict)
    plans: Annotated[
        Mapping[Seat, Mapping[int, PlannedTurn]],
        Rows("planned_turns", ("seat", "acts"), of_player=True, may_lose_rows=True),
    ] = field(default_factory=dict)
    clocks: Annotated[Mapping[Seat, SeatClock], Rows("clocks", ("seat",))] = field(default_factory=dict)
    board: Annotated[Board | None, Rows("boards")] = None
    events: tuple[TableEvent, ...] = ()
    hints: bool = False
    pending: PendingBoard | None = None
    goes_on: bool = False
    touched: datetime | None = None
    jobs: tuple[JobChange, ...] = ()
    results: Results | None = None
    damage: str = ""

    def __repr__(self) -> str:
        # drafts may be secrets
        return f"Facts({self.row!r})"

    @property
    def id(self) -> int:
        """The id of the match."""
        return self.row.id

    @property
    def offer(self) -> Offer:
        """The offered seats, and the message that offers them."""
        return Offer(frozenset(self.offers), next(iter(self.offers.values()), None))

    # --- jobs and events ---

    def with_jobs(self, *changes: JobChange) -> Facts:
        """Add changes of the match's jobs."""
        return replace(self, jobs=(*self.jobs, *changes))

    def with_lines(self, *lines: Job) -> Facts:
        """Add lines to the moderation log."""
        return self.with_jobs(*map(Extend, lines))

    def note(self, *events: TableEvent) -> Facts:
        """Add table events."""
        return replace(self, events=(*self.events, *events))

    # --- a table before the game ---

    def open(self, holders: Iterable[SeatHolder], at: datetime) -> Facts:
        """Seat the first holders, and add the job that archives the match's own thread in the end."""
        lobby = self.gather(at, holders=tuple(holders))
        # due at once; the job postpones itself while the match is open
        archive = [Put(Job(JobKind.THREAD_ARCHIVE, at, self.id))] if self.row.own_thread else []
        return lobby.with_jobs(*archive, *self._start_jobs())

    def set_host(self, user_id: int) -> Facts:
        """Make another user the host."""
        return self._with(host_id=user_id)

    def set_lobby_message(self, message_id: int) -> Facts:
        """Set the message that shows the lobby."""
        return self._with(lobby_message_id=message_id)

    def gather(self, at: datetime, **columns: Any) -> Facts:
        """Change columns of a lobby, if any, and restart its expiry."""
        expiry = Job(JobKind.LOBBY_EXPIRY, at, self.id, state={"since": time_of(at), "warned": None})
        return replace(self._with(**columns), touched=at).with_jobs(Put(expiry))

    def set_start(self, starts_at: datetime | None, at: datetime) -> Facts:
        """Set or remove the time at which a lobby begins by itself. All players have to confirm that they are ready."""
        planned = self.gather(at, starts_at=starts_at, ready=None)
        return planned.with_jobs(*(planned._start_jobs() or [Drop(_start_key(self.id))]))

    def _start_jobs(self) -> list[JobChange]:
        starts_at = self.row.starts_at
        return [Put(Job(JobKind.START, starts_at, self.id))] if starts_at else []

    def extend(self, expiry: Job, time: timedelta, at: datetime) -> Facts:
        """Postpone the expiry of a lobby by a time in which users could not join; `expiry` is its current job."""
        since, warned = (time_at_or_none(expiry.state[name]) for name in ("since", "warned"))
        state = {"since": since and time_of(since + time), "warned": warned and time_of(warned + time)}
        return replace(self, touched=since and since + time).with_jobs(Put(expiry.at(at, **state)))

    def set_holders(self, holders: Iterable[SeatHolder], at: datetime) -> Facts:
        """Replace the holders of a lobby. All players have to confirm again that they are ready."""
        return self.gather(at, holders=tuple(holders), ready=None)

    def invite(self, user_ids: Iterable[int], at: datetime) -> Facts:
        """Add or renew invitations to a lobby."""
        return replace(self, invited={**self.invited, **dict.fromkeys(user_ids, at)})

    def uninvite(self, user_ids: Collection[int]) -> Facts:
        """Remove invitations of users who could not be reached, and may be invited again."""
        return replace(self, invited={user_id: at for user_id, at in self.invited.items() if user_id not in user_ids})

    def add_request(self, request: JoinRequest) -> Facts:
        """Add or replace a user's request for a seat."""
        return replace(self, join_requests={**self.join_requests, request.user_id: request})

    def drop_request(self, user_id: int) -> Facts:
        """Remove a user's request for a seat."""
        return replace(self, join_requests=without(self.join_requests, user_id))

    def begin(self, rules_version: int, seed: str, proof: Proof | None, at: datetime) -> Facts:
        """Begin the game with a rules version, a seed and its proof."""
        proof = proof or Proof("", ())
        luck = {"seed": seed, "secret": proof.secret, "ids": proof.ids, "proof_version": proof.version}
        # readiness matters in a lobby only
        running = self._with(status=Status.RUNNING, rules_version=rules_version, ready=None, **luck)
        return running._without_lobby(at)

    def _without_lobby(self, at: datetime) -> Facts:
        """End the lobby: drop its expiry, start and join requests, and add the job that edits its message."""
        expiry, message = (JobKind.LOBBY_EXPIRY, self.id, NOBODY, NO_SEAT), JobKind.LOBBY_MESSAGE
        start = [Drop(_start_key(self.id))] if self.row.starts_at else []
        without_requests = replace(self._with(starts_at=None), join_requests={}, touched=None)
        return without_requests.with_jobs(Drop(expiry), *start, Put(Job(message, at + LOBBY_EDIT_DELAY, self.id)))

    # --- seats ---

    def with_holder(self, seat: Seat, **values: Any) -> Facts:
        """Change `name` or `seen` of the holder of a seat."""
        return self._with(holders=replace_item(self.row.holders, seat, replace(self.row.holders[seat], **values)))

    def cast(self, seat: Seat, holder: SeatHolder, version: int) -> Facts:
        """Replace the computer player of a seat from entry `version` of the log on."""
        return self._sitting(seat, holder, version)

    def hand_over(
        self,
        seat: Seat,
        holder: SeatHolder,
        version: int,
        at: datetime,
        *,
        knowers: Collection[str] = (),
        clock: SeatClock | None = None,
    ) -> Facts:
        """Give a seat to another holder from entry `version` of the log on.

        Deletes draft, plan, auto-answers and offer of the seat; its new player stops following the match, and loses a
        prediction. `clock` replaces the clock of the seat. From now on, `knowers` know its secrets (`known_seats`).
        """
        user_id = self.row.holders[seat].user_id
        # these jobs are keyed by user, so a new player of the seat would not replace them
        answers = [] if user_id is None else [Drop((JobKind.ANSWER, self.id, user_id, NO_SEAT))]
        # a computer may have to play now, and the clocks of all players may run differently
        acting = (Put(Job(JobKind.COMPUTER, at, self.id)), Put(Job(JobKind.CLOCK, at, self.id, seat=seat)))
        handed_over = replace(
            self._sitting(seat, holder, version),
            drafts=without(self.drafts, seat),
            offers=without(self.offers, seat),
            auto_answers=without(self.auto_answers, seat),
            plans=without(self.plans, seat),
            followers=self.followers - {holder.user_id},
            predictions=without(self.predictions, holder.user_id),
            known_seats=self.known_seats | {(seat, knower) for knower in knowers},
            goes_on=True,
        ).with_jobs(*answers, *acting)
        return handed_over.with_clocks([clock] if clock else []).with_jobs(MakeDue(JobKind.CLOCK, at))

    def _sitting(self, seat: Seat, holder: SeatHolder, version: int) -> Facts:
        since = max((past.until for past in self.row.past_holders if past.seat == seat), default=0)
        # a holder without any entry leaves no history
        former = () if since == version else (PastHolder(seat, self.row.holders[seat], version),)
        # the order in which the store reads them
        past_holders = sorted((*self.row.past_holders, *former), key=lambda past: (past.until, past.seat))
        return self._with(holders=replace_item(self.row.holders, seat, holder), past_holders=tuple(past_holders))

    def put_on_offer(self, seats: Iterable[Seat], message_id: int | None = None) -> Facts:
        """Replace the offer of computers' seats, and the message that offers them."""
        return replace(self, offers=dict.fromkeys(sorted(seats), message_id))

    def follow(self, user_id: int, *, follows: bool) -> Facts:
        """Add or remove a follower. A removed one loses their prediction."""
        if follows:
            return replace(self, followers=self.followers | {user_id})
        return replace(self, followers=self.followers - {user_id}).predict(user_id, None)

    def predict(self, user_id: int, prediction: Prediction | None) -> Facts:
        """Replace a follower's prediction; `None` deletes it."""
        others = without(self.predictions, user_id)
        return replace(self, predictions={**others, user_id: prediction} if prediction else others)

    # --- the game ---

    def keep_draft(self, seat: Seat, draft: Draft | None) -> Facts:
        """Replace the draft of a seat; `None` deletes it."""
        others = without(self.drafts, seat)
        return replace(self, drafts={**others, seat: draft} if draft else others)

    def set_auto_answer(self, seat: Seat, key: str, way: AutoAnswer | None) -> Facts:
        """Replace a seat's auto-answer to an off-turn question; `None` deletes it."""
        ways = without(self.auto_answers.get(seat, {}), key) | ({key: way} if way else {})
        others = without(self.auto_answers, seat)
        return replace(self, auto_answers={**others, seat: ways} if ways else others)

    def set_plan(self, seat: Seat, turns: Mapping[int, PlannedTurn]) -> Facts:
        """Replace the planned turns of a seat, by the number of choices that the seat makes before each."""
        others = without(self.plans, seat)
        return replace(self, plans={**others, seat: turns} if turns else others)

    def request_undo(self, request: UndoRequest | None) -> Facts:
        """Replace the undo request; `None` deletes it."""
        return replace(self, undo_request=request)

    def move_on(self, actor: Seat | None, relieved: Collection[Seat], at: datetime) -> Facts:
        """Apply the effects of new entries in the log, by `actor` or by others.

        They end the undo request, which is about the last move, any vote, the draft of `actor` (other drafts stay), and
        the stand-ins of the `relieved` seats, whose turns computers have played.
        """
        clocks = {
            seat: replace(clock, stand_in="") if seat in relieved else clock for seat, clock in self.clocks.items()
        }
        moved = replace(
            self,
            drafts=self.drafts if actor is None else without(self.drafts, actor),
            undo_request=None,
            clocks=clocks if relieved else self.clocks,
        )
        in_vote = any(clock.out or clock.verdict for clock in self.clocks.values())
        # not deleted: the clock's job still has to show in the channel that the vote is over
        return moved.with_jobs(MakeDue(JobKind.CLOCK, at)) if in_vote else moved

    def unrate(self, change: Unrating) -> Facts:
        """End the rating of a running match, for all of its players or the one who conceded."""
        return self._with(rated=False) if change.conceded is None else self.note(change.conceded)

    def expect_board(self, mark: str, at: datetime, superseded: str | None = None) -> Facts:
        """Add a pending board, which the move posts itself, or else a job.

        `superseded` is the mark of an earlier board that it replaces and whose delivery is uncertain.
        """
        pending = PendingBoard(mark, superseded)
        return replace(self, pending=pending).with_jobs(Put(board_job(self.id, mark, at, superseded)))

    def note_posted(self, mark: str, board: Board, reminders: Iterable[Job]) -> Facts:
        """Record a posted board. A newer pending board, which has another mark, stays.

        `reminders` are the reminders of the mentioned users; they replace all pending ones of the table.
        """
        posted = replace(self, board=board)
        if self.pending is not None and self.pending.mark == mark:
            posted = posted._without_pending()
        return posted.with_jobs(ReplaceAll(JobKind.REMINDER, tuple(reminders)))

    def set_board(self, board: Board | None) -> Facts:
        """Replace the newest board; `None` once its controls are removed."""
        return replace(self, board=board)

    def _without_pending(self) -> Facts:
        return replace(self, pending=None).with_jobs(Drop((JobKind.BOARD, self.id, NOBODY, NO_SEAT)))

    def with_computer(self, at: datetime, *, due: bool) -> Facts:
        """Add the job of a computer player, due at a time, or delete it."""
        job = Job(JobKind.COMPUTER, at, self.id)
        return self if due is self.goes_on else replace(self, goes_on=due).with_jobs(Put(job) if due else Drop(job.key))

    def with_clocks(self, clocks: Iterable[SeatClock]) -> Facts:
        """Replace clocks and the jobs of their next checks."""
        changed = {clock.seat: clock for clock in clocks}
        jobs = (
            Put(Job(JobKind.CLOCK, clock.at, self.id, seat=seat))
            if clock.at
            else Drop((JobKind.CLOCK, self.id, NOBODY, seat))
            for seat, clock in changed.items()
        )
        return replace(self, clocks={**self.clocks, **changed}).with_jobs(*jobs) if changed else self

    def set_pace(self, pace: str, *, firm: bool) -> Facts:
        """Change the pace."""
        return self._with(pace=pace, firm=firm)

    def unstick(self) -> Facts:
        """Delete all drafts, all plans and the undo request."""
        return replace(self, drafts={}, plans={}, undo_request=None)

    # --- the end ---

    def end(self, outcome: Outcome, results: Results, at: datetime) -> Facts:
        """End the match with an outcome and results, make its story due, and delete wrong predictions."""
        over = self._with(status=Status.OVER, reason=outcome.reason)
        right = {user_id: guess for user_id, guess in self.predictions.items() if guess.seat in outcome.winners}
        ended = replace(over, results=results, predictions=right)
        return ended.with_jobs(Put(Job(JobKind.STORY, at, self.id)))._finish(at)

    def close(self, status: Status, at: datetime, results: Results | None = None) -> Facts:
        """Call off the match, with results if it is rated."""
        closed = replace(self._with(status=status), results=results, predictions={})
        if status is Status.CLOSED:
            return closed._without_lobby(at)._finish(at)
        # a board posted now would have live buttons for a called-off match
        retired = closed._without_pending().with_jobs(Put(Job(JobKind.RETIRE, at, self.id)))
        # no decisions remain
        return retired.with_jobs(ReplaceAll(JobKind.REMINDER), ReplaceAll(JobKind.ANSWER))._finish(at)

    def _finish(self, at: datetime) -> Facts:
        """Forget known seats, plans and notices, and make the jobs of the thread and of the league due."""
        ended = replace(self, known_seats=frozenset(), plans={}).with_jobs(ReplaceAll(JobKind.NEXT_NOTICE))
        return ended.with_jobs(MakeDue(JobKind.THREAD_ARCHIVE, at), MakeLeagueDue(at))

    def _with(self, **columns: Any) -> Facts:
        return replace(self, row=replace(self.row, **columns)) if columns else self


def _start_key(match_id: int) -> Key:
    return (JobKind.START, match_id, NOBODY, NO_SEAT)


def without(mapping: Mapping[K, V], key: object) -> dict[K, V]:
    """A copy of a mapping without a key."""
    return {other: value for other, value in mapping.items() if other != key}


def replace_item(values: tuple[V, ...], number: int, value: V) -> tuple[V, ...]:
    """A copy of a tuple with another value at an index."""
    return (*values[:number], value, *values[number + 1 :])

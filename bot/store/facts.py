"""Everything that is known about a match beside its log, as one frozen value, with the changes of it.

A change is a pure function: it returns other facts, with the changes of jobs that follow from it. The difference
between two values is written by `bot.store.fact_store`, which finds the table and the key of a field in its annotation.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
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
    Expect,
    Extend,
    Hurry,
    HurryLeague,
    Job,
    JobChange,
    JobKind,
    Put,
    board_job,
)
from bot.store.join_requests import JoinRequest
from bot.store.matches import MatchRow, PastHolder, Results, SeatHolder, Status, Unrating
from bot.store.offers import Offer
from bot.store.rows import Rows
from bot.store.table_events import TableEvent
from bot.store.undo_requests import UndoRequest
from engine.core import Outcome
from engine.proof import Proof
from engine.texts import Seat

K = TypeVar("K")
V = TypeVar("V")

CLOSED_WITHIN = timedelta(minutes=1)
"""The message of a lobby says at once that it has ended; if that fails, a job edits it this much later."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known about a match beside its log.

    `drafts` are turns that are not confirmed, `undo_request` is the request to take something back. `offers` are the
    seats of computers that anybody may take, each with the message that says so; `followers` want to hear how the match
    ends without playing in it. `known_seats` are the seats whose secrets were shown, each with the hash of a user
    (`bot.store.known_seats`). `invited` are the users called to a lobby, with the times; `join_requests` are those of
    users who ask its host for a seat. `auto_answers` are, by seat, the questions outside its turn that are answered for
    it, by what the game calls them. `clocks` belong to people if the table has a pace. `board` is the newest one that
    was posted, `events` happened around the match. `hints`: the host allows them between people.

    From jobs follow `pending`, the board to be posted; `goes_on`, that a computer has to act; and `touched`, when a
    lobby was changed last. `jobs` are the changes of jobs since the facts were written, `results` the results to be
    written at the end. `damage` describes parts that cannot be read, and are empty here.
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
        """The seats that anybody may take, and the message that says so."""
        return Offer(frozenset(self.offers), next(iter(self.offers.values()), None))

    # --- jobs and events ---

    def with_jobs(self, *changes: JobChange) -> Facts:
        """Change jobs about the match with the other facts."""
        return replace(self, jobs=(*self.jobs, *changes))

    def with_lines(self, *lines: Job) -> Facts:
        """Write lines of the moderators’ log."""
        return self.with_jobs(*map(Extend, lines))

    def note(self, *events: TableEvent) -> Facts:
        """Something has happened around the match."""
        return replace(self, events=(*self.events, *events))

    # --- a table before the game ---

    def open(self, holders: Iterable[SeatHolder], at: datetime) -> Facts:
        """The first holders sit down; a thread of its own is looked after, and archived in the end."""
        opened = self.gather(at, holders=tuple(holders))
        # due at once; it puts itself off as long as the match is open
        archive = Put(Job(JobKind.THREAD_ARCHIVE, at, self.id))
        return opened.with_jobs(archive) if self.row.own_thread else opened

    def set_host(self, user_id: int) -> Facts:
        """Another user is the host."""
        return self._with(host_id=user_id)

    def set_lobby_message(self, message_id: int) -> Facts:
        """A message shows the lobby."""
        return self._with(lobby_message_id=message_id)

    def gather(self, at: datetime, **columns: Any) -> Facts:
        """Change columns of a lobby, perhaps none; it is kept open from now on."""
        expiry = Job(JobKind.LOBBY_EXPIRY, at, self.id, state={"since": time_of(at), "warned": None})
        return replace(self._with(**columns), touched=at).with_jobs(Put(expiry))

    def extend(self, expiry: Job, time: timedelta, at: datetime) -> Facts:
        """Nobody could join for some time, by which the lobby expires later; `expiry` is its job as it is now."""
        since, warned = (time_at_or_none(expiry.state[name]) for name in ("since", "warned"))
        state = {"since": since and time_of(since + time), "warned": warned and time_of(warned + time)}
        return replace(self, touched=since and since + time).with_jobs(Put(expiry.at(at, **state)))

    def set_holders(self, holders: Iterable[SeatHolder], at: datetime) -> Facts:
        """Replace who sits where before the game; all of them are asked anew whether they are ready."""
        return self.gather(at, holders=tuple(holders), ready=None)

    def invite(self, user_ids: Iterable[int], at: datetime) -> Facts:
        """Users are invited to the lobby."""
        return replace(self, invited={**self.invited, **dict.fromkeys(user_ids, at)})

    def uninvite(self, user_ids: Collection[int]) -> Facts:
        """Users could not be reached, so they may be invited again."""
        return replace(self, invited={one: at for one, at in self.invited.items() if one not in user_ids})

    def add_request(self, request: JoinRequest) -> Facts:
        """A user asks for a seat, or their request has changed."""
        return replace(self, join_requests={**self.join_requests, request.user_id: request})

    def drop_request(self, user_id: int) -> Facts:
        """A user asks for a seat no more."""
        return replace(self, join_requests=without(self.join_requests, user_id))

    def begin(self, rules_version: int, seed: str, proof: Proof | None, at: datetime) -> Facts:
        """The game begins, under the rules of a version, with a seed and the parts that it is made of."""
        proof = proof or Proof("", ())
        luck = {"seed": seed, "secret": proof.secret, "ids": proof.ids, "proof_version": proof.version}
        # players are asked whether they are ready in a lobby only
        begun = self._with(status=Status.RUNNING, rules_version=rules_version, ready=None, **luck)
        return begun._without_lobby(at)

    def _without_lobby(self, at: datetime) -> Facts:
        """The table no longer waits for players: it does not expire, and its message has to say so."""
        expiry, message = (JobKind.LOBBY_EXPIRY, self.id, NOBODY, NO_SEAT), JobKind.LOBBY_MESSAGE
        without_requests = replace(self, join_requests={}, touched=None)
        return without_requests.with_jobs(Drop(expiry), Put(Job(message, at + CLOSED_WITHIN, self.id)))

    # --- seats ---

    def with_holder(self, seat: Seat, **values: Any) -> Facts:
        """Change the `name` of the player of a seat, or the version that they have `seen`."""
        return self._with(holders=replaced(self.row.holders, seat, replace(self.row.holders[seat], **values)))

    def cast(self, seat: Seat, holder: SeatHolder, version: int) -> Facts:
        """Another computer plays a seat of one from entry `version` of the log on."""
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
        """Another holder plays a seat from entry `version` of the log on.

        The draft, the auto-answers and the offer of the seat are void, and its new player does not follow the match.
        `clock` is what becomes of the one of the seat. `knowers` know its secrets from now on (`known_seats`).
        """
        user_id = self.row.holders[seat].user_id
        # these jobs are keyed by user, so a new player of the seat would not replace them
        answers = [] if user_id is None else [Drop((JobKind.ANSWER, self.id, user_id, NO_SEAT))]
        # a computer may have to play on; and where a player waits for the others again, their clocks have to run
        acting = (Put(Job(JobKind.COMPUTER, at, self.id)), Put(Job(JobKind.CLOCK, at, self.id, seat=seat)))
        handed_over = replace(
            self._sitting(seat, holder, version),
            drafts=without(self.drafts, seat),
            offers=without(self.offers, seat),
            auto_answers=without(self.auto_answers, seat),
            followers=self.followers - {holder.user_id},
            known_seats=self.known_seats | {(seat, knower) for knower in knowers},
            goes_on=True,
        ).with_jobs(*answers, *acting)
        return handed_over.with_clocks([clock] if clock else []).with_jobs(Hurry(JobKind.CLOCK, at))

    def _sitting(self, seat: Seat, holder: SeatHolder, version: int) -> Facts:
        since = max((one.until for one in self.row.before if one.seat == seat), default=0)
        # a holder during whose time nothing happened leaves no trace
        gone = () if since == version else (PastHolder(seat, self.row.holders[seat], version),)
        # in the order in which they are read: those who left at once, by seat
        before = sorted((*self.row.before, *gone), key=lambda one: (one.until, one.seat))
        return self._with(holders=replaced(self.row.holders, seat, holder), before=tuple(before))

    def put_on_offer(self, seats: Iterable[Seat], message_id: int | None = None) -> Facts:
        """Offer these seats of computers to anybody and no others, perhaps by a message."""
        return replace(self, offers=dict.fromkeys(sorted(seats), message_id))

    def follow(self, user_id: int, *, follows: bool) -> Facts:
        """A user follows the match, or does not."""
        return replace(self, followers=self.followers | {user_id} if follows else self.followers - {user_id})

    # --- the game ---

    def keep_draft(self, seat: Seat, draft: Draft | None) -> Facts:
        """Keep the choices of a seat that are not confirmed, or none."""
        others = without(self.drafts, seat)
        return replace(self, drafts={**others, seat: draft} if draft else others)

    def set_auto_answer(self, seat: Seat, key: str, way: AutoAnswer | None) -> Facts:
        """Answer a question outside its turn for a seat from now on, or let its player be asked."""
        ways = without(self.auto_answers.get(seat, {}), key) | ({key: way} if way else {})
        others = without(self.auto_answers, seat)
        return replace(self, auto_answers={**others, seat: ways} if ways else others)

    def request_undo(self, request: UndoRequest | None) -> Facts:
        """Keep the request to take something back in place of the one before, or none."""
        return replace(self, undo_request=request)

    def move_on(self, actor: Seat | None, relieved: Collection[Seat], at: datetime) -> Facts:
        """Entries were added to the log, by `actor` or by others; computers have played the turns of `relieved` seats.

        The undo request is over, since it is about the last move, and so is a vote. The drafts of the others stay.
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
        # not deleted: the job of the clock still has to show in the channel that the vote is over
        return moved.with_jobs(Hurry(JobKind.CLOCK, at)) if in_vote else moved

    def unrate(self, change: Unrating) -> Facts:
        """The running match counts no more, at least for one of its players."""
        return self._with(rated=False) if change.conceded is None else self.note(change.conceded)

    def expect_board(self, mark: str, at: datetime, superseded: str | None = None) -> Facts:
        """A board waits to be posted, perhaps in place of one that may have been: at once, or else by a job."""
        pending = PendingBoard(mark, superseded)
        return replace(self, pending=pending).with_jobs(Put(board_job(self.id, mark, at, superseded)))

    def note_posted(self, mark: str, board: Board, reminders: Iterable[Job]) -> Facts:
        """A board was posted; one that waits since then, with another mark, goes on waiting.

        `reminders` are those of the users whom it calls: only these have reminders to come at this table.
        """
        posted = replace(self, board=board)
        if self.pending is not None and self.pending.mark == mark:
            posted = posted._without_pending()
        return posted.with_jobs(Expect(JobKind.REMINDER, tuple(reminders)))

    def set_board(self, board: Board | None) -> Facts:
        """The newest board says something else, or has lost its controls."""
        return replace(self, board=board)

    def _without_pending(self) -> Facts:
        return replace(self, pending=None).with_jobs(Drop((JobKind.BOARD, self.id, NOBODY, NO_SEAT)))

    def with_computer(self, at: datetime, *, due: bool) -> Facts:
        """A computer has to act from a time on, or no more."""
        job = Job(JobKind.COMPUTER, at, self.id)
        return self if due is self.goes_on else replace(self, goes_on=due).with_jobs(Put(job) if due else Drop(job.key))

    def with_clocks(self, clocks: Iterable[SeatClock]) -> Facts:
        """Replace clocks, and the jobs that look at them."""
        changed = {clock.seat: clock for clock in clocks}
        jobs = (
            Put(Job(JobKind.CLOCK, clock.at, self.id, seat=seat))
            if clock.at
            else Drop((JobKind.CLOCK, self.id, NOBODY, seat))
            for seat, clock in changed.items()
        )
        return replace(self, clocks={**self.clocks, **changed}).with_jobs(*jobs) if changed else self

    def set_pace(self, pace: str, *, firm: bool) -> Facts:
        """Give another time for a turn from now on."""
        return self._with(pace=pace, firm=firm)

    def unstick(self) -> Facts:
        """Give up what people have begun and not finished."""
        return replace(self, drafts={}, undo_request=None)

    # --- the end ---

    def end(self, outcome: Outcome, results: Results, at: datetime) -> Facts:
        """The match is over: how it ended, and its results. Its story is due from now on."""
        over = self._with(status=Status.OVER, reason=outcome.reason)
        return replace(over, results=results).with_jobs(Put(Job(JobKind.STORY, at, self.id)))._left(at)

    def close(self, status: Status, at: datetime, results: Results | None = None) -> Facts:
        """The match is called off, perhaps with results."""
        closed = replace(self._with(status=status), results=results)
        if status is Status.CLOSED:
            return closed._without_lobby(at)._left(at)
        # a board posted now would have live buttons for a match that was called off
        retired = closed._without_pending().with_jobs(Put(Job(JobKind.RETIRE, at, self.id)))
        # there is nothing left to be decided
        return retired.with_jobs(Expect(JobKind.REMINDER), Expect(JobKind.ANSWER))._left(at)

    def _left(self, at: datetime) -> Facts:
        """Nothing is played at the table any more."""
        return replace(self, known_seats=frozenset()).with_jobs(Hurry(JobKind.THREAD_ARCHIVE, at), HurryLeague(at))

    def _with(self, **columns: Any) -> Facts:
        return replace(self, row=replace(self.row, **columns)) if columns else self


def without(mapping: Mapping[K, V], key: object) -> dict[K, V]:
    """A mapping without a key."""
    return {one: value for one, value in mapping.items() if one != key}


def replaced(values: tuple[V, ...], number: int, value: V) -> tuple[V, ...]:
    """A tuple with another value at a place."""
    return (*values[:number], value, *values[number + 1 :])

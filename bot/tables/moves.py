"""Moves: the only place where a match goes on. A copy is played on, written, and only then shown."""

from __future__ import annotations

import asyncio
import dataclasses
import secrets
from collections.abc import Sequence
from enum import Enum, auto
from random import Random

from bot.clock import Clock
from bot.errors import AlreadyHandled, UserError
from bot.metrics import MOVES
from bot.store.auto_answers import AutoAnswer
from bot.store.database import Conflict
from bot.store.drafts import Draft
from bot.store.jobs import Job, JobKind
from bot.store.log import Act, Duplicate
from bot.store.matches import Status, Unrating
from bot.store.store import Store, Written
from bot.tables.asides import (
    a_while,
    answered_later,
    takes_a_while,
    way_now,
)
from bot.tables.rated import owners_of
from bot.tables.table import MOVED_ON, Stale, Table, require_lobby
from bot.tables.tables import Tables
from engine.core import Action, Decision
from engine.match import Entry, Match
from engine.notation import format_action
from engine.players import discover as discover_players
from engine.proof import Proof
from engine.texts import Seat, Text

QUICK = "greedy"
"""The computer player that gives auto-answers: it looks one step ahead, and its answer is on the same board."""


class NextStep(Enum):
    """What follows an action: the next question to the same person, a board for the channel, or, where several decide
    at once, only the news who is still due.
    """

    QUESTION = auto()
    BOARD = auto()
    WAITING = auto()


class Moves:
    """What people, luck and computers do in matches."""

    def __init__(self, store: Store, tables: Tables, clock: Clock) -> None:
        self._store = store
        self._tables = tables
        self._clock = clock

    async def start(self, table: Table, interaction_id: int, entries: Sequence[Entry] = ()) -> None:
        """Deal and begin; or go on after entries that were checked, and whose luck this match cannot prove.

        `interaction_id` is of what started it: nobody could know it when the secret of the match was drawn.

        Raises:
            UserError: it began already, or somebody who is asked is not ready.
            SetupError: the table cannot play like this.
        """
        async with table.lock:
            require_lobby(table)
            if table.unready:
                raise UserError(Text("Somebody is no longer ready."))
            row, spec = table.row, table.spec
            setup = spec.setup(len(row.holders), row.options)
            sat_down = (holder.interaction_id for holder in row.holders if holder.interaction_id)
            proof = Proof(row.secret, (*sat_down, interaction_id))
            seed = proof.seed(spec, row.options)
            match = Match.replay(spec, setup, seed, entries) if entries else Match.begin(spec, setup, seed)
            # before the write: luck and quick computers belong to the first board, and may even end the game
            await self.go_on(table, match)
            mark = await self._store.begin(
                table.id,
                match.entries,
                at=self._clock.now(),
                rules_version=spec.rules_version,
                seed=seed,
                proof=None if entries else proof,
                post_version=match.version,
                goes_on=(goes_on := _thinker_in(table, match) is not None),
                outcome=match.outcome,
            )
            table.match, table.goes_on = match, goes_on
            table.board_waits(mark)
            await self._tables.reread(table)
            self._tables.changed(table)

    async def play(
        self,
        table: Table,
        user_id: int,
        *actions: Action,
        interaction_id: int,
        version: int | None,
        planned: Sequence[Action] = (),
    ) -> NextStep:
        """Let a user act, once or several times in a row; then luck, automatic answers and computers go on.

        `planned` answers the same question again, as often as luck brings it back and the answer is possible then.
        `version` is the one the control was stamped with, or `None` for a typed command. They stop where a
        person is due. All of it is one transaction, and nobody sees any of it before it is written.

        Raises:
            UserError: not playing, or a control of an older position (`Stale`).
            EngineError: not due, not legal, or the match is over.
            AlreadyHandled: this interaction was carried out before.
            Stale: another process was faster; the table is now as that one left it.
        """
        async with table.lock:
            match = table.playing().copy()
            seat = table.seated(user_id)
            # per seat, not per match: when several are due at once, one move must not invalidate the others' buttons
            if version is not None and version != match.asked_at(seat):
                raise Stale(MOVED_ON)
            match.play(seat, *actions)
            _play_planned(match, seat, planned)
            computers_acted = await self.go_on(table, match)
            next_step = _following(table.playing(), match, None if computers_acted else seat)
            await self.write_act(table, match, seat, interaction_id, post=next_step is NextStep.BOARD)
            # people who got no answer type the same again, and must not act twice (`done_unanswered`)
            table.unanswered = Act(seat, interaction_id, format_action(actions[0]))
            return next_step

    async def resume(self, table: Table) -> None:
        """Let computer players and auto-answers act where they can, as after a restart or a resignation."""
        async with table.lock:
            if table.match is None or table.row.status is not Status.RUNNING:
                return
            match = table.match.copy()
            await self.go_on(table, match)
            # no new board if nothing happened: this also runs before every retry of a board
            if match.version > table.match.version:
                await self._write(table, match, self._written(table, match, post=True))
                return
            await self._store.jobs.expect(JobKind.ANSWER, table.id, self._expected(table, match))
            goes_on = _thinker_in(table, match) is not None
            if goes_on is not table.goes_on:
                await self._store.note_computer(table.id, self._clock.now(), due=goes_on)
                table.goes_on = goes_on
            self._tables.changed(table)

    async def answer(self, table: Table, seat: Seat) -> NextStep:
        """Give the auto-answer of a seat that has taken its while; who calls this has the lock.

        The channel learns of it what it would learn of a person's. Raises `Conflict` if another process was faster.
        """
        match = table.playing().copy()
        match.answer(seat, await _auto_answer(table, match, seat), at_once=False)
        computers_acted = await self.go_on(table, match)
        next_step = _following(table.playing(), match, None if computers_acted else seat)
        await self._write(table, match, self._written(table, match, post=next_step is NextStep.BOARD))
        return next_step

    async def computers_played(self, table: Table, before: Match, after: Match) -> bool:
        """Write what computers have thought of for a position. False if it is not the position any more."""
        async with table.lock:
            # by identity: any move in the meantime has put another copy in its place
            if table.match is not before or not table.is_open:
                return False
            try:
                posts = _following(before, after, None) is NextStep.BOARD
                await self._write(table, after, self._written(table, after, post=posts))
            except Conflict:
                # another process has written: what is in memory, and what was thought about it, is out of date
                await self._tables.refresh(table)
                return False
            return True

    async def keep_draft(self, table: Table, seat: Seat, draft: Draft | None) -> None:
        """Keep what a seat has chosen and not confirmed, or nothing, in place of what was kept before."""
        async with table.lock:
            if draft != table.drafts.get(seat):
                await self._store.drafts.put(table.id, seat, draft)
                table.drafts.pop(seat, None)
                table.drafts |= {seat: draft} if draft else {}

    async def write_act(
        self,
        table: Table,
        match: Match,
        seat: Seat,
        interaction_id: int,
        *,
        post: bool,
        unrating: Unrating | None = None,
    ) -> None:
        """Write what a player did. Raises `AlreadyHandled`, or `Stale` if another process was faster."""
        written = self._written(table, match, post=post, interaction_id=interaction_id, actor=seat)
        try:
            await self._write(table, match, dataclasses.replace(written, unrating=unrating), actor=seat)
        except Duplicate:
            raise AlreadyHandled from None
        except Conflict:
            await self._tables.refresh(table)
            raise Stale(MOVED_ON) from None

    async def _write(self, table: Table, match: Match, written: Written, *, actor: Seat | None = None) -> None:
        """Store what a copy of the table's match has more than it, and put the copy in its place."""
        if match.outcome is not None:
            events = await self._store.table_events.of(table.id)
            written = dataclasses.replace(written, owners=owners_of(table, match, events))
        # the table changes only after this line: if the write fails, everybody still sees the old position
        mark = await self._store.append(table.id, written)
        for seat in written.stood_in:
            table.clocks[seat] = dataclasses.replace(table.clocks[seat], stand_in="")
        MOVES.labels(table.row.game).inc(len(written.entries))
        # an undo request is about the last move, so any new move ends it
        table.undo_request = None
        # where several decide at once, what the others have chosen stays
        table.drafts = {seat: draft for seat, draft in table.drafts.items() if seat != actor}
        table.match = match
        if written.goes_on is not None:
            table.goes_on = written.goes_on
        if mark is not None:
            table.board_waits(mark)
        if match.outcome is not None:
            # as `Store.append` has written it, without reading the row again
            table.row = dataclasses.replace(table.row, status=Status.OVER)
        if written.unrating is not None:
            await self._tables.reread(table)
        if written.owners.rated:
            table.changes = await self._store.ratings.changes(table.id)
            table.records = await self._store.ratings.set_by(table.id)
        self._tables.changed(table)

    def _written(
        self,
        table: Table,
        match: Match,
        *,
        post: bool,
        interaction_id: int | None = None,
        actor: Seat | None = None,
    ) -> Written:
        """What a copy of the table's match has more than it, and what changes at the table by that."""
        first, goes_on = table.playing().version, _thinker_in(table, match) is not None
        return Written(
            first,
            match.entries[first:],
            self._clock.now(),
            interaction_id,
            answered={n: at_once for n, at_once in match.answered.items() if n >= first},
            drafted=actor if actor in table.drafts else None,
            ends_undo_request=table.undo_request is not None,
            # a computer was to play one turn on these seats, and has done so (`_stand_down`)
            stood_in=[seat for seat, clock in table.clocks.items() if clock.stand_in and seat not in table.stand_ins],
            played_for=[n for n in match.stood_in if n >= first],
            settles_votes=any(clock.out or clock.verdict for clock in table.clocks.values()),
            outcome=match.outcome,
            post_version=match.version if post else None,
            # a waiting board may be on its way to Discord right now: after a crash it has to be looked for
            superseded=table.superseded or table.waiting,
            # `None` writes nothing: most moves change neither of these two, and each costs a statement
            goes_on=None if goes_on is table.goes_on else goes_on,
            expected=self._expected(table, match) if table.auto_answers else None,
        )

    async def go_on(self, table: Table, match: Match) -> bool:
        """Answer what needs neither a person nor thought, auto-answers that may come at once among it. True if
        there was a choice.
        """
        computers_acted = False
        while (decision := _answered_at_once(table, match)) is not None:
            # forced, so it is not a choice that a computer made
            if decision.automatic:
                match.play(decision.seat, decision.options[0])
                continue
            # one option or many: how long a private list is must not show by whether a board comes
            computers_acted = True
            if table.computer_of(decision.seat) is None:
                match.answer(decision.seat, await _auto_answer(table, match, decision.seat), at_once=True)
                continue
            before, player = match.copy(), table.computer_of(decision.seat) or ""
            if decision.seat in table.stand_ins:
                match.stood_in.add(match.version)
            match.play(decision.seat, await _chosen_by(player, match, decision.seat))
            _stand_down(table, before, match, decision.seat)
        return computers_acted

    def thinker_due(self, table: Table, match: Match | None = None) -> tuple[Seat, str] | None:
        """The first seat that waits for a computer to think, and its player; of the match as it is, or of a copy."""
        match = match or table.match
        if match is None or table.row.status is not Status.RUNNING:
            return None
        return _thinker_in(table, match)

    def _expected(self, table: Table, match: Match) -> list[Job]:
        """The answers that take a while, each for a decision as it is now; the time of a new question begins now."""
        now, holders = self._clock.now(), table.row.holders
        asked = [(holders[seat].user_id, match.asked_at(seat)) for seat in answered_later(table, match)]
        return [
            Job(JobKind.ANSWER, now + a_while(), table.id, user, state={"version": version})
            for user, version in asked
            if user
        ]


def _play_planned(match: Match, seat: Seat, planned: Sequence[Action]) -> None:
    for action in planned:
        asked = match.state.decision_of(seat)
        # a question that cannot come again is another one, though its options may look alike
        if asked is None or action not in asked.options or not match.state.series():
            return
        match.play(seat, action)


def _thinker_in(table: Table, match: Match) -> tuple[Seat, str] | None:
    due = [(d.seat, table.computer_of(d.seat)) for d in match.state.decisions()]
    return next(((seat, player) for seat, player in due if player is not None and thinks(player)), None)


async def _auto_answer(table: Table, match: Match, seat: Seat) -> Action:
    """What an auto-answer comes to, by what the seat may see."""
    aside, way = match.state.aside(seat), way_now(table, match, seat)
    assert aside is not None, "it is asked outside its own turn"
    assert way is not None, "it is answered"
    if way is AutoAnswer.COMPUTER:
        return await _chosen_by(QUICK, match, seat)
    options = match.decision_of(seat).options
    if way is AutoAnswer.DECLINE:
        return next(option for option in options if type(option) is aside.decline)
    return options[0]


async def _chosen_by(player: str, match: Match, seat: Seat) -> Action:
    # a seed of its own: what a computer plays must say nothing about the luck to come
    choose = discover_players()[player].choose
    return await asyncio.to_thread(choose, match.view(seat), Random(secrets.token_hex(16)))


def _following(before: Match, after: Match, seat: Seat | None) -> NextStep:
    """What the channel learns of an action; `seat` is who goes on if they are due again."""
    was_due, due = ({decision.seat for decision in match.state.decisions()} for match in (before, after))
    unseen = due <= was_due and not any(events for _, events in after.history(None, since=before.version))
    # whether somebody goes on by themselves or was not even asked must not show: after such an answer a board comes
    alone = seat is not None and due == {seat} and not takes_a_while(before, seat)
    if alone or (unseen and seat in due):
        return NextStep.QUESTION
    return NextStep.WAITING if due and unseen else NextStep.BOARD


def _answered_at_once(table: Table, match: Match) -> Decision | None:
    """The first decision that waits neither for a person nor for a computer to think.

    Stand-ins of seats that are not asked are removed.
    """
    decisions = match.state.decisions()
    asked = {decision.seat for decision in decisions}
    # a turn that ended in some other way, such as an undo, needs no stand-in
    table.stand_ins = {seat: computer for seat, computer in table.stand_ins.items() if seat in asked}
    return next((d for d in decisions if d.automatic or _is_quick(table, match, d.seat)), None)


def _stand_down(table: Table, before: Match, after: Match, seat: Seat) -> None:
    """The stand-in of a seat has played its turn, unless the next question is to the same seat alone."""
    if seat in table.stand_ins and _following(before, after.ahead(seat, ()), seat) is not NextStep.QUESTION:
        del table.stand_ins[seat]


def _is_quick(table: Table, match: Match, seat: Seat) -> bool:
    """Whether a computer answers without thought, or an auto-answer may come at once: that tells nothing."""
    if (player := table.computer_of(seat)) is not None:
        return not thinks(player)
    return way_now(table, match, seat) is not None and not takes_a_while(match, seat)


def thinks(player: str) -> bool:
    """Whether a computer player needs time; yardsticks do not."""
    return discover_players()[player].for_people

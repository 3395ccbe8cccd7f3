"""Moves: the only place where a match goes on. A copy is played on, written, and only then shown."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum, auto
from random import Random

from bot.clock import Clock
from bot.errors import GameFault, UserError
from bot.store.auto_answers import AutoAnswer
from bot.store.drafts import Draft
from bot.store.jobs import Job, JobKind, ReplaceAll, board_mark
from bot.store.log import Act, NewEntries
from bot.store.matches import Results, Status
from bot.store.store import Store
from bot.store.tally import NO_OWNERS, Owners
from bot.tables.asides import current_auto_answer, is_only_question, needs_delay, random_delay, seats_with_delay
from bot.tables.faults import guarding_match, require_sense
from bot.tables.planning import Plan, check_with_alternative, due_turn, seats_with_turn, with_remaining_plans
from bot.tables.rated import owners_of
from bot.tables.table import MOVED_ON, Stale, Table, require_lobby
from bot.tables.tables import Change, Tables
from engine.core import Action, Decision, Outcome
from engine.match import Entry, Match
from engine.notation import format_action
from engine.players import discover as discover_players
from engine.proof import Proof
from engine.texts import Seat, Text

QUICK = "greedy"
"""The computer player that gives auto-answers: it looks one step ahead, and its answer is on the same board."""


SUBSTITUTE = "uniform"
"""The computer player that decides when the code of a game fails in the search of another one."""


class NextStep(Enum):
    """The step after an action: the next question to the same person, a board for the channel, or, where several decide
    at once, only an update of the due players.
    """

    QUESTION = auto()
    BOARD = auto()
    WAITING = auto()


@dataclass(slots=True)
class Continuation:
    """A copy of a match that is played on aside, and the computers that play the turns of people there, by seat."""

    match: Match
    stand_ins: dict[Seat, str] = field(default_factory=dict)

    @classmethod
    def of(cls, table: Table) -> Continuation:
        """The match of a table, which must have started and not been called off. Raises `UserError`."""
        return cls(table.require_match().copy(), dict(table.stand_ins))

    def computer_of(self, table: Table, seat: Seat) -> str | None:
        """The id of the computer player that decides for a seat of a table now, if one does."""
        return table.known_player(table.row.holders[seat].computer or self.stand_ins.get(seat))

    def thinker(self, table: Table) -> tuple[Seat, str] | None:
        """The first seat that waits for a computer to think, and its player."""
        due = [(decision.seat, self.computer_of(table, decision.seat)) for decision in self.match.state.decisions()]
        return next(((seat, player) for seat, player in due if player is not None and thinks(player)), None)


class Moves:
    """Actions of people, luck and computers in matches."""

    def __init__(self, store: Store, tables: Tables, clock: Clock) -> None:
        self._store = store
        self._tables = tables
        self._clock = clock

    async def start(self, table: Table, interaction_id: int, entries: Sequence[Entry] = ()) -> None:
        """Deal and begin; or go on after entries that were checked, and whose luck this match cannot prove.

        `interaction_id` is that of the start, which was unknown when the secret of the match was drawn. A match without
        decisions is over at once and unrated.

        Raises:
            UserError: it has already begun, or a player is not ready.
            SetupError: the table cannot play like this.
        """
        async with self._tables.changing(table) as change:
            require_lobby(table)
            if table.unready:
                raise UserError(Text("Somebody is no longer ready."))
            row, spec, now = table.row, table.spec, self._clock.now()
            setup = spec.setup(len(row.holders), row.options)
            sat_down = (holder.interaction_id for holder in row.holders if holder.interaction_id)
            proof = Proof(row.secret, (*sat_down, interaction_id))
            seed = proof.seed(spec, row.options)
            match = Match.replay(spec, setup, seed, entries) if entries else Match.begin(spec, setup, seed)
            # before the write: luck and quick computers belong to the first board, and may even end the game
            await self.go_on(table, continuation := Continuation(match))
            require_sense(match)
            facts = table.facts.begin(spec.rules_version, seed, None if entries else proof, now)
            if match.outcome is not None:
                facts = facts.end(match.outcome, _results(match.outcome, NO_OWNERS), now)
            facts = facts.with_computer(now, due=continuation.thinker(table) is not None)
            change.facts = facts.expect_board(board_mark(match.version), now)
            change.match, change.new = match, NewEntries.of(match, 0, now)

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
        person is due. All of it is written in one transaction, and shown afterwards.

        Raises:
            UserError: not playing, or a control of an older position (`Stale`).
            EngineError: not due, not legal, or the match is over.
            AlreadyHandled: this interaction was carried out before.
            Stale: another process was faster; the table is now as that one left it.
        """
        async with self._tables.changing(table) as change:
            continuation, before = Continuation.of(table), table.require_match()
            seat = table.require_seat(user_id)
            # per seat, not per match: when several are due at once, one move must not invalidate the others' buttons
            if version is not None and version != before.decision_version(seat):
                raise Stale(MOVED_ON)
            continuation.match.play(seat, *actions)
            _play_planned(continuation.match, seat, planned)
            computers_acted = await self.go_on(table, continuation)
            next_step = _following(before, continuation.match, None if computers_acted else seat)
            self.write(table, change, continuation, interaction_id, actor=seat, post=next_step is NextStep.BOARD)
        # people who got no answer type the same again, and must not act twice (`done_unanswered`)
        table.unanswered = Act(seat, interaction_id, format_action(actions[0]))
        return next_step

    async def resume(self, table: Table) -> None:
        """Let computer players and auto-answers act where they can, as after a restart or a resignation."""
        async with self._tables.changing(table) as change:
            if table.match is None or table.row.status is not Status.RUNNING:
                return
            await self.go_on(table, continuation := Continuation.of(table))
            # no new board if nothing happened: this also runs before every retry of a board
            if continuation.match.version > table.match.version:
                self.write(table, change, continuation, post=True)
                return
            expected = ReplaceAll(JobKind.ANSWER, self._delayed_jobs(table, continuation.match))
            goes_on = continuation.thinker(table) is not None
            change.facts = table.facts.with_jobs(expected).with_computer(self._clock.now(), due=goes_on)
            self._tables.notify_watchers(table)

    async def answer(self, table: Table, change: Change, seat: Seat) -> NextStep:
        """Give the auto-answer of a seat that has taken its while, by a change of its table.

        The channel learns of it what it would learn of a person's.
        """
        continuation, before = Continuation.of(table), table.require_match()
        match, computers_acted = continuation.match, False
        # like a player, who goes on in the same private message
        while not computers_acted and current_auto_answer(table, match, seat) is not None:
            match.answer(seat, await _auto_answer(table, match, seat), at_once=False)
            computers_acted = await self.go_on(table, continuation)
            if not is_only_question(match, seat):
                break
        # a question without an auto-answer needs a board that mentions the player
        actor = None if computers_acted or is_only_question(match, seat) else seat
        next_step = _following(before, match, actor)
        self.write(table, change, continuation, post=next_step is NextStep.BOARD)
        return next_step

    async def play_plan(self, table: Table, change: Change, seat: Seat) -> NextStep | None:
        """Play the planned turn of a seat, or its alternative, as a move of its player, by a change of its table.

        Returns `None` without a change if neither does what its player was shown.
        """
        continuation, before = Continuation.of(table), table.require_match()
        turn = due_turn(table, before, seat)
        if turn is None or not (checked := check_with_alternative(before, seat, turn)).holds:
            return None
        continuation.match.play(seat, *checked.actions)
        await self.go_on(table, continuation)
        next_step = _following(before, continuation.match, None)
        self.write(table, change, continuation, actor=seat, post=next_step is NextStep.BOARD)
        return next_step

    async def save_plan(self, table: Table, seat: Seat, turns: Plan, version: int | None = None) -> None:
        """Replace the planned turns of a seat.

        `version` is the position of new turns, whose draft is deleted. Raises `Stale` if the game has moved on since.
        """
        async with self._tables.changing(table) as change:
            if version is not None and version != table.require_match().decision_version(seat):
                raise Stale(MOVED_ON)
            facts = table.facts.set_plan(seat, turns)
            change.facts = facts if version is None else facts.keep_draft(seat, None)

    async def computers_played(self, table: Table, before: Match, continuation: Continuation) -> bool:
        """Write what computers have thought of for a position. False if it is not the position any more."""
        # by identity: any move in the meantime has put another copy in its place
        with suppress(Stale):
            async with self._tables.changing(table) as change:
                if table.match is not before or not table.is_open:
                    return False
                posts = _following(before, continuation.match, None) is NextStep.BOARD
                self.write(table, change, continuation, post=posts)
            return True
        # another process has written, so the continuation began from an outdated position
        return False

    async def keep_draft(self, table: Table, seat: Seat, draft: Draft | None, *, ends_plan: bool = True) -> None:
        """Replace the unconfirmed choices of a seat, or delete them.

        With `ends_plan`, a player on turn loses their plan, too.
        """
        async with self._tables.changing(table) as change:
            ends_plan = ends_plan and seat in table.plans and due_turn(table, table.require_match(), seat) is not None
            if ends_plan or draft != table.drafts.get(seat):
                facts = table.facts.set_plan(seat, {}) if ends_plan else table.facts
                change.facts = facts.keep_draft(seat, draft)

    def write(
        self,
        table: Table,
        change: Change,
        continuation: Continuation,
        interaction_id: int | None = None,
        *,
        actor: Seat | None = None,
        post: bool,
    ) -> None:
        """Let a change of a table write the new entries of a continuation, and everything that follows from them."""
        match, now, first = continuation.match, self._clock.now(), table.require_match().version
        require_sense(match)
        # a computer was to play one turn on these seats, and has done so (`_stand_down`)
        relieved = table.stand_ins.keys() - continuation.stand_ins.keys()
        facts = with_remaining_plans(table.facts.move_on(actor, relieved, now), table.require_match(), match, relieved)
        if match.outcome is not None:
            facts = facts.end(match.outcome, _results(match.outcome, owners_of(table, match)), now)
        facts = facts.with_computer(now, due=continuation.thinker(table) is not None)
        if table.auto_answers or table.plans:
            facts = facts.with_jobs(ReplaceAll(JobKind.ANSWER, self._delayed_jobs(table.after(facts), match)))
        if post:
            # a waiting board may be on its way to Discord right now: after a crash it has to be looked for
            facts = facts.expect_board(board_mark(match.version), now, table.superseded or table.waiting)
        change.facts, change.match, change.new = facts, match, NewEntries.of(match, first, now, interaction_id)

    async def go_on(self, table: Table, continuation: Continuation) -> bool:
        """Answer what needs neither a person nor thought, auto-answers that may come at once among it. True if
        there was a choice.
        """
        computers_acted, match = False, continuation.match
        while (decision := _answered_at_once(table, continuation)) is not None:
            # forced, so it is not a choice that a computer made
            if decision.automatic:
                match.play(decision.seat, decision.options[0])
                continue
            # one option or many: how long a private list is must not show by whether a board comes
            computers_acted, player = True, continuation.computer_of(table, decision.seat)
            if player is None:
                match.answer(decision.seat, await _auto_answer(table, match, decision.seat), at_once=True)
                continue
            before = match.copy()
            if decision.seat in continuation.stand_ins:
                match.stood_in.add(match.version)
            match.play(decision.seat, await _choose_action(player, match, decision.seat))
            _stand_down(continuation, before, decision.seat)
        return computers_acted

    def thinker_due(self, table: Table, continuation: Continuation | None = None) -> tuple[Seat, str] | None:
        """The first seat that waits for a computer to think, and its player; by default in the match as it is."""
        if table.match is None or table.row.status is not Status.RUNNING:
            return None
        return (continuation or Continuation(table.match, dict(table.stand_ins))).thinker(table)

    def _delayed_jobs(self, table: Table, match: Match) -> tuple[Job, ...]:
        """The jobs of delayed auto-answers and planned turns in this position; the delay begins now."""
        now, holders = self._clock.now(), table.row.holders
        seats = (*seats_with_delay(table, match), *seats_with_turn(table, match))
        decisions = [(holders[seat].user_id, match.decision_version(seat)) for seat in seats]
        # the delay hides a plan from other people, so a player among computers needs none
        delays = (random_delay() if len(table.people) > 1 else timedelta() for _ in decisions)
        return tuple(
            Job(JobKind.ANSWER, now + delay, table.id, user, state={"version": version})
            for (user, version), delay in zip(decisions, delays, strict=True)
            if user
        )


def _play_planned(match: Match, seat: Seat, planned: Sequence[Action]) -> None:
    for action in planned:
        decision = match.state.decision_of(seat)
        # a question that cannot come again is another one, though its options may look alike
        if decision is None or action not in decision.options or not match.state.series():
            return
        match.play(seat, action)


def _results(outcome: Outcome, owners: Owners) -> Results:
    return Results(tuple(zip(outcome.scores, outcome.returns, strict=True)), owners)


async def _auto_answer(table: Table, match: Match, seat: Seat) -> Action:
    """The action of an auto-answer, based on the view of the seat."""
    aside, way = match.state.aside(seat), current_auto_answer(table, match, seat)
    assert aside is not None, "it is asked outside its own turn"
    assert way is not None, "it is answered"
    if way is AutoAnswer.COMPUTER:
        return await _choose_action(QUICK, match, seat)
    options = match.decision_of(seat).options
    if way is AutoAnswer.DECLINE:
        return next(option for option in options if type(option) is aside.decline)
    return options[0]


async def _choose_action(player: str, match: Match, seat: Seat) -> Action:
    # a seed of its own: what a computer plays must say nothing about the luck to come
    choose, view = discover_players()[player].choose, match.view(seat)
    try:
        with guarding_match():
            return await asyncio.to_thread(choose, view, Random(secrets.token_hex(16)))
    except GameFault:
        # a waiting player prefers any move to none
        return discover_players()[SUBSTITUTE].choose(view, Random(secrets.token_hex(16)))


def _following(before: Match, after: Match, seat: Seat | None) -> NextStep:
    """The step after an action; `seat` is the seat that goes on if it is due again."""
    was_due, due = ({decision.seat for decision in match.state.decisions()} for match in (before, after))
    unseen = due <= was_due and not any(events for _, events in after.history(None, since=before.version))
    # a board comes after the last delayed answer, so that it does not show whether the player was even asked
    alone = seat is not None and due == {seat} and (is_only_question(after, seat) or not needs_delay(before, seat))
    if alone or (unseen and seat in due):
        return NextStep.QUESTION
    return NextStep.WAITING if due and unseen else NextStep.BOARD


def _answered_at_once(table: Table, continuation: Continuation) -> Decision | None:
    """The first decision that waits neither for a person nor for a computer to think.

    Stand-ins of seats that are not asked are removed.
    """
    decisions = continuation.match.state.decisions()
    due = {decision.seat for decision in decisions}
    # a turn that ended in some other way, such as an undo, needs no stand-in
    continuation.stand_ins = {seat: computer for seat, computer in continuation.stand_ins.items() if seat in due}
    return next(
        (decision for decision in decisions if decision.automatic or _is_quick(table, continuation, decision.seat)),
        None,
    )


def _stand_down(continuation: Continuation, before: Match, seat: Seat) -> None:
    """The stand-in of a seat has played its turn, unless the next question is to the same seat alone."""
    if seat not in continuation.stand_ins:
        return
    if _following(before, continuation.match.ahead(seat, ()), seat) is not NextStep.QUESTION:
        del continuation.stand_ins[seat]


def _is_quick(table: Table, continuation: Continuation, seat: Seat) -> bool:
    """Whether a computer answers without thought, or an auto-answer may come at once: that tells nothing."""
    if (player := continuation.computer_of(table, seat)) is not None:
        return not thinks(player)
    return current_auto_answer(table, continuation.match, seat) is not None and not needs_delay(
        continuation.match, seat
    )


def thinks(player: str) -> bool:
    """Whether a computer player needs time; yardsticks do not."""
    return discover_players()[player].for_people

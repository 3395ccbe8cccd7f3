"""Moves: the one place where a match goes on. It is played on aside, written, and then shown."""

from __future__ import annotations

import asyncio
import dataclasses
import secrets
from enum import Enum, auto
from random import Random

from bot.clock import Clock
from bot.errors import Repeated
from bot.store.rows import Act, Draft, Known, SeatClock, Status, Taken
from bot.store.store import Store
from bot.tables.seats import DEFAULT_COMPUTER
from bot.tables.table import MOVED_ON, Stale, Table, require_lobby
from bot.tables.tables import Tables
from engine.core import Action, Decision
from engine.match import Match
from engine.notation import format_action
from engine.players import discover as discover_players
from engine.texts import Seat


class Following(Enum):
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

    async def start(self, table: Table) -> None:
        """Deal and begin. Raises `Declined` if it began already, `SetupError` if the table cannot play like this."""
        async with table.lock:
            require_lobby(table)
            setup = table.spec.setup(len(table.row.chairs), table.row.options)
            match = Match.begin(table.spec, setup, table.row.seed)
            await self.go_on(table, match)
            table.waiting = await self._store.begin(
                table.id,
                match.entries,
                at=self._clock.now(),
                rules_version=table.spec.rules_version,
                post_version=match.version,
                outcome=match.outcome,
            )
            table.match = match
            await self._tables.reread(table)

    async def play(
        self, table: Table, user_id: int, *actions: Action, interaction_id: int, version: int | None
    ) -> Following:
        """Let a user act, once or several times in a row; then luck, automatic answers and computers go on.

        `version` is the one the control was stamped with, or `None` for a typed command. They stop where a
        person is due. All of it is one transaction, and nobody sees any of it before it is written.

        Raises:
            Declined: not playing, or a control of an older position (`Stale`).
            EngineError: not due, not legal, or the match is over.
            Repeated: this interaction was carried out before.
            Stale: another process was faster; the table is now as that one left it.
        """
        async with table.lock:
            match = table.playing().copy()
            seat = table.seated(user_id)
            if version is not None and version != match.asked_at(seat):
                raise Stale(MOVED_ON)
            match.play(seat, *actions)
            computers_acted = await self.go_on(table, match)
            following = _following(table.playing(), match, None if computers_acted else seat)
            await self.write_act(table, match, seat, interaction_id, post=following is Following.BOARD)
            table.unanswered = Act(seat, interaction_id, format_action(actions[0]))
            return following

    async def resume(self, table: Table) -> None:
        """Let computer players act where one is due, as after a restart or a resignation."""
        async with table.lock:
            if table.match is None or table.row.status is not Status.RUNNING:
                return
            match = table.match.copy()
            await self.go_on(table, match)
            if match.version > table.match.version:
                await self._write(table, match, post=True)

    async def keep_draft(self, table: Table, seat: Seat, draft: Draft | None) -> None:
        """Keep what a seat has chosen and not confirmed, or nothing, in place of what was kept before."""
        async with table.lock:
            if draft != table.drafts.get(seat):
                await self._store.drafts.put(table.id, seat, draft)
                table.drafts.pop(seat, None)
                table.drafts |= {seat: draft} if draft else {}

    async def write_act(self, table: Table, match: Match, seat: Seat, interaction_id: int, *, post: bool) -> None:
        """Write what somebody did. Raises `Repeated`, or `Stale` if another process was faster."""
        try:
            await self._write(table, match, post=post, interaction_id=interaction_id, actor=seat)
        except Known:
            raise Repeated from None
        except Taken:
            await self._tables.refresh(table)
            raise Stale(MOVED_ON) from None

    async def _write(
        self,
        table: Table,
        match: Match,
        *,
        post: bool,
        interaction_id: int | None = None,
        actor: Seat | None = None,
    ) -> None:
        """Store what a copy of the table's match has more than it, and put the copy in its place."""
        first = table.playing().version
        post_id = await self._store.append(
            table.id,
            first,
            match.entries[first:],
            at=self._clock.now(),
            outcome=match.outcome,
            post_version=match.version if post else None,
            interaction_id=interaction_id,
            drafted=actor if actor in table.drafts else None,
            wished=table.wish is not None,
            stood_in=(stood_in := [seat for seat, clock in table.clocks.items() if _has_stood_in(table, clock)]),
        )
        for seat in stood_in:
            table.clocks[seat] = dataclasses.replace(table.clocks[seat], stand_in="")
        table.wish = None
        table.drafts = {seat: draft for seat, draft in table.drafts.items() if seat != actor}
        table.match, table.waiting = match, post_id or table.waiting
        if match.outcome is not None:
            await self._tables.reread(table)
        self._tables.tell(table)

    async def go_on(self, table: Table, match: Match) -> bool:
        """Answer what needs no person: decisions of computers, and automatic ones. True if a computer had a choice."""
        computers_acted = False
        while (decision := _next_without_person(table, match)) is not None:
            if decision.automatic:
                match.play(decision.seat, decision.options[0])
                continue
            computers_acted, before = True, match.copy()
            match.play(decision.seat, await self._computer_choice(table, match, decision.seat))
            _stand_down(table, before, match, decision.seat)
        return computers_acted

    async def _computer_choice(self, table: Table, match: Match, seat: Seat) -> Action:
        players = discover_players()
        player = players.get(table.computer_of(seat) or "", players[DEFAULT_COMPUTER])
        # a seed of its own: what a computer plays must say nothing about the luck to come
        return await asyncio.to_thread(player.choose, match.view(seat), Random(secrets.token_hex(16)))


def _following(before: Match, after: Match, seat: Seat | None) -> Following:
    """What the channel learns of an action; `seat` is who goes on if he is due again."""
    was_due, due = ({decision.seat for decision in match.state.decisions()} for match in (before, after))
    unseen = due <= was_due and not any(events for _, events in after.history(None, since=before.version))
    if due == {seat} or (unseen and seat in due):
        return Following.QUESTION
    return Following.WAITING if due and unseen else Following.BOARD


def _next_without_person(table: Table, match: Match) -> Decision | None:
    """The first decision that a computer answers, or nobody. Who stands in does so for a seat that is asked."""
    decisions = match.state.decisions()
    asked = {decision.seat for decision in decisions}
    table.stand_ins = {seat: computer for seat, computer in table.stand_ins.items() if seat in asked}
    return next((d for d in decisions if table.computer_of(d.seat) or d.automatic), None)


def _stand_down(table: Table, before: Match, after: Match, seat: Seat) -> None:
    """Whoever stands in on a seat has played the turn, unless the next question is to the same seat alone."""
    if seat in table.stand_ins and _following(before, after.ahead(seat, ()), seat) is not Following.QUESTION:
        del table.stand_ins[seat]


def _has_stood_in(table: Table, clock: SeatClock) -> bool:
    """Whether a computer was to play a turn on a seat and has done so."""
    return bool(clock.stand_in) and clock.seat not in table.stand_ins

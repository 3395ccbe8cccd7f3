"""A table: one match and the people around it."""

from __future__ import annotations

import asyncio
import dataclasses
from dataclasses import dataclass, field
from datetime import datetime

from bot.errors import UserError
from bot.store.clocks import SeatClock
from bot.store.facts import Facts
from bot.store.jobs import NOBODY
from bot.store.matches import Status
from bot.tables.naming import Named
from bot.tables.table_lock import TableLock
from engine.match import UndoKind, UndoPolicy
from engine.players import discover as discover_players
from engine.texts import Seat, Text

DISCORD_MS = 22
"""Bits of a Discord id below its time in milliseconds."""

UNKNOWN_COMPUTER = "fair"
"""The computer player that replaces one which this program no longer has."""

SAME_BREATH = 10 * 60 * 1000
"""Milliseconds within which the same command again may be a repetition of the first one."""

LEAGUE_TEXT = (
    "{reason} In a league, you can’t take that back unless another person agrees, and you’re the only person here."
)

MOVED_ON = Text("The game has moved on.")


class Stale(UserError):
    """A control of an earlier position was used."""


@dataclass(slots=True, eq=False, weakref_slot=True)
class Table(Named):
    """A match with the people around it, whom it tells apart by what they may do.

    `lock` is held for a move, `posting` for a board, `pacing` for the handling of late players.
    """

    lock: TableLock = field(default_factory=TableLock)
    posting: asyncio.Lock = field(default_factory=asyncio.Lock)
    pacing: asyncio.Lock = field(default_factory=asyncio.Lock)

    def seat_of(self, user_id: int) -> Seat | None:
        """The seat a user plays, if any."""
        return next((Seat(n) for n, holder in enumerate(self.row.holders) if holder.user_id == user_id), None)

    @property
    def users(self) -> dict[Seat, int]:
        """The seats that people play, with their users, in the order of the seats."""
        return {Seat(n): holder.user_id for n, holder in enumerate(self.row.holders) if holder.user_id is not None}

    @property
    def people(self) -> tuple[int, ...]:
        """The users who sit here."""
        return tuple(self.users.values())

    @property
    def is_full(self) -> bool:
        """Whether no more than sit here can play."""
        return len(self.row.holders) >= self.spec.seats[-1]

    @property
    def asks_ready(self) -> bool:
        """Whether all players are asked before the game begins.

        They are where secrets are dealt, where the host wants it, and where a player was seated by another one.
        """
        seated = any(holder.user_id and not holder.interaction_id for holder in self.row.holders)
        return (self.spec.hands or self.row.ready_check or seated) and len(self.people) > 1

    @property
    def unready(self) -> tuple[int, ...]:
        """The users who sit here and have not said that they are ready, if they have to."""
        ready = self.row.ready or frozenset()
        return tuple(user_id for user_id in self.people if user_id not in ready) if self.asks_ready else ()

    @property
    def is_of_league(self) -> bool:
        """Whether a league has planned the table: no other one is without a host."""
        return self.row.host_id == NOBODY

    def is_due_to_start(self, now: datetime) -> bool:
        """Whether the start time of the table has passed."""
        return self.row.starts_at is not None and self.row.starts_at <= now

    def after(self, facts: Facts) -> Table:
        """A copy of the table with other facts, to query; it is not one of the tables in memory."""
        return dataclasses.replace(self, facts=facts)

    @property
    def computers(self) -> frozenset[Seat]:
        """The seats that computers play."""
        return frozenset(Seat(n) for n, holder in enumerate(self.row.holders) if holder.computer)

    def computer_of(self, seat: Seat) -> str | None:
        """The id of the computer player that decides for a seat now, if one does: for good, or only this turn."""
        return self.known_player(self.row.holders[seat].computer or self.stand_ins.get(seat))

    def known_player(self, player: str | None) -> str | None:
        """A computer player by its id, or the one that replaces it where this program no longer has it."""
        return player if player is None or player in discover_players() else UNKNOWN_COMPUTER

    def clock_of(self, seat: Seat) -> SeatClock | None:
        """The running clock of the player of a seat, if there is one."""
        clock = self.clocks.get(seat)
        return clock if clock and clock.runs and clock.user_id == self.row.holders[seat].user_id else None

    @property
    def may_hint(self) -> bool:
        """Whether the players may have hints: only one seat was ever played by people, or the host allows them."""
        before = {past.seat for past in self.row.past_holders if past.holder.user_id is not None}
        # former players count, too: a game between people does not become practice when one of them leaves
        return self.hints or len(self.users.keys() | before) == 1

    def seats_left_by(self, user_id: int) -> tuple[Seat, ...]:
        """The seats a user played and does not play now, the one they left last at the end."""
        seats = (past.seat for past in self.row.past_holders if past.holder.user_id == user_id)
        return tuple(seat for seat in seats if self.row.holders[seat].user_id != user_id)

    def require_seat(self, user_id: int) -> Seat:
        """The seat of a user. Raises `UserError`, with the names of the due players, if they do not play."""
        seat = self.seat_of(user_id)
        if seat is None and self.row.status is Status.LOBBY:
            raise UserError(Text("You haven’t joined this table yet. Tap **Join** first."))
        # a seat that another person has by now cannot be had back (`Seats.take_over`)
        if seat is None and any(past in self.computers for past in self.seats_left_by(user_id)):
            raise UserError(Text("A computer has taken over your seat. Get it back with `/game join`."))
        if seat is None:
            raise UserError(Text("You’re not playing in this game. {due}", due=self.due_sentence()))
        return seat

    def undo_policy(self, seat: Seat) -> UndoPolicy:
        """The actions that a seat may undo, and the people who must agree. Raises `UserError`.

        Computers always agree, but at a table of a league that is not enough.
        """
        policy = self.require_match().undo_policy(seat)
        people = policy.seats & self.users.keys()
        # such an undo ends the rating of a match, but a league counts its tables all the same
        if self.is_of_league and policy.kind is UndoKind.CONSENT and not people:
            return UndoPolicy(UndoKind.REFUSED, Text(LEAGUE_TEXT, reason=policy.reason))
        return dataclasses.replace(policy, seats=people)

    def seen_version(self, seat: Seat) -> int:
        """The version of the match that the player of a seat has seen: at their last look, or by acting."""
        return max(self.looks.get(seat, self.row.holders[seat].seen), self.require_match().last_act_version(seat))

    def due_sentence(self) -> Text:
        """A sentence that names the due players."""
        if self.row.status is Status.ENDED:
            return Text("This game was called off.")
        if self.match is None or not (decisions := self.match.state.decisions()):
            return Text("There’s nothing to decide right now.")
        return Text("It’s {who}’s turn.", who=self.persons_on(decision.seat for decision in decisions))

    def done_unanswered(self, seat: Seat, notation: str, interaction_id: int) -> bool:
        """Whether an action repeats the last one of the match, which came from this seat a moment ago and may have gone
        unanswered. After a restart, the bot does not know the answers of the last process.
        """
        act = self.unanswered
        # a command may be typed again with other capitals
        if act is None or (act.seat, act.notation.casefold()) != (seat, notation.casefold()):
            return False
        # the ids hold the times when people typed; after an outage, times of arrival mean nothing
        return (interaction_id >> DISCORD_MS) - (act.interaction_id >> DISCORD_MS) < SAME_BREATH

    def note_answer(self, interaction_id: int) -> None:
        """Note that the player of an interaction has got its answer."""
        if self.unanswered is not None and self.unanswered.interaction_id == interaction_id:
            self.unanswered = None


def require_open(table: Table) -> None:
    """Raise `UserError` for a match that is over or was called off."""
    if not table.is_open:
        over = table.row.status is Status.OVER
        raise UserError(Text("This game is over.") if over else Text("This game was called off."))


def require_computer(table: Table, seat: Seat) -> None:
    """Raise `UserError` unless a computer plays a seat."""
    if seat not in table.computers:
        raise UserError(Text("{seat} is no longer a computer.", seat=seat))


def require_running(table: Table) -> None:
    """Raise `UserError` unless a match is being played."""
    require_open(table)
    table.require_match()


def require_lobby(table: Table) -> None:
    """Raise `UserError` unless a table is waiting for players."""
    require_open(table)
    if table.row.status is not Status.LOBBY:
        raise UserError(table.problem or Text("This game has already begun."))


def called_off(table: Table) -> Status:
    """The status of a match after it is called off."""
    return Status.CLOSED if table.row.status is Status.LOBBY else Status.ENDED

"""A table: one match, the people around it, and what of it still has to be posted."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import TracebackType
from typing import TypeAlias

from bot.errors import Declined
from bot.store.boards import Board
from bot.store.clocks import SeatClock
from bot.store.drafts import Draft
from bot.store.log import Act
from bot.store.matches import Chair, MatchRow, Sitting, Status
from bot.store.offers import Offer
from bot.store.standing import Way
from bot.store.trouble import DatabaseTrouble
from bot.store.wishes import Wish
from bot.tables.people import LUCK, NO_COLOR, SEAT_MARKS, called, computer_names, escaped
from engine.core import Event, GameSpec, Setup
from engine.match import Match, UndoPolicy
from engine.players import discover as discover_players
from engine.texts import CHANCE, SEAT_COLORS, Seat, Text
from engine.wording import Voice, say

DISCORD_MS = 22
"""Bits of a Discord id below its time in milliseconds."""

UNKNOWN_COMPUTER = "fair"
"""Plays for one that this program does not have any more."""

SAME_BREATH = 10 * 60 * 1000
"""Milliseconds within which a command that is typed again may be meant as the one before."""


def mention(user_id: int) -> str:
    """How Discord writes the name of a user; one that was forgotten is somebody."""
    return f"<@{user_id}>" if user_id else str(Text("somebody"))


Names: TypeAlias = tuple[str, ...]
"""One a seat."""

MOVED_ON = Text("The game has moved on since.")


_LOCKS = frozenset({"lock", "posting", "pacing"})
"""What of a table is not read from the store."""


class Stale(Declined):
    """A control of an earlier position was used."""


class Lock(asyncio.Lock):
    """Held for whatever changes a table.

    When the database is in trouble, nobody knows what of a change is written: whoever enters next finds the table as it
    is stored, by `mend`, or hears of the same trouble.
    """

    def __init__(self) -> None:
        super().__init__()
        self.mend: Callable[[], Awaitable[None]] | None = None
        self.in_doubt = False

    async def __aenter__(self) -> None:
        await super().__aenter__()
        if self.in_doubt and self.mend is not None:
            try:
                await self.mend()
            except BaseException:
                self.release()
                raise
            self.in_doubt = False  # and not before: who looks meanwhile waits, too

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.in_doubt |= isinstance(error, DatabaseTrouble | asyncio.CancelledError)
        await super().__aexit__(kind, error, traceback)


@dataclass(slots=True, eq=False, weakref_slot=True)
class Table:
    """A match with the people around it.

    `match` is set once it has started. `problem` says why a stored match cannot go on, if it cannot. `waiting` is the
    mark of the board to be posted, `in_doubt` says that it may have been already, `board` is the newest one that was.
    `unanswered` is the last thing somebody did, as long as we do not know that its player got an answer. `drafts` are
    the turns that are not confirmed, `wish` is to take something back, if others were asked for it. `offer` are the
    seats of computers that anybody may take; `followers` want to hear how the match ends without playing in it.
    `hints` says that the host allows them between people, `goes_on` that a computer has a job here.
    `standing` says which questions outside its turn are answered for a seat, by what the game calls them, and how.
    `invited` are the users who were called to a lobby, and when.
    `clocks` are those of the people if the table has a pace; computers play the turn of the seats in `stand_ins`.
    `lock` is held for a move, `posting` for a board, `pacing` for what becomes of somebody whose time is up.
    """

    row: MatchRow
    game: GameSpec | None
    match: Match | None = None
    problem: Text | None = None
    waiting: str | None = None
    in_doubt: bool = False
    board: Board | None = None
    unanswered: Act | None = None
    drafts: dict[Seat, Draft] = field(default_factory=dict)
    wish: Wish | None = None
    offer: Offer = field(default_factory=Offer)
    followers: frozenset[int] = frozenset()
    hints: bool = False
    goes_on: bool = False
    standing: Mapping[Seat, Mapping[str, Way]] = field(default_factory=dict)
    invited: Mapping[int, datetime] = field(default_factory=dict)
    clocks: dict[Seat, SeatClock] = field(default_factory=dict)
    stand_ins: dict[Seat, str] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)
    posting: asyncio.Lock = field(default_factory=asyncio.Lock)
    pacing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _made: tuple[tuple[Chair, ...], Setup, tuple[Names, Names]] | None = field(default=None, init=False)

    def replace_by(self, fresh: Table) -> None:
        """Become what was read anew: all but the locks, which others hold."""
        for name in {known.name for known in dataclasses.fields(self)} - _LOCKS:
            setattr(self, name, getattr(fresh, name))

    def board_waits(self, mark: str) -> None:
        """A new board is to be posted."""
        self.waiting, self.in_doubt = mark, False

    @property
    def id(self) -> int:
        """The id of the match."""
        return self.row.id

    @property
    def spec(self) -> GameSpec:
        """The game. Raises `Declined` for one that this program does not know."""
        if self.game is None:
            assert self.problem, "a table without a game says why"
            raise Declined(self.problem)
        return self.game

    @property
    def title(self) -> str:
        """What the game is called."""
        return self.game.title if self.game else self.row.game

    @property
    def setup(self) -> Setup:
        """How the match is played; in the lobby, how it would be with the table as it is set now."""
        if self.match:
            return self.match.setup
        seats = min(max(len(self.row.chairs), self.spec.seats[0]), self.spec.seats[-1])
        return Setup(seats, self.spec.options(**self.row.options))

    @property
    def seat_names(self) -> tuple[str, ...]:
        """What the game calls the seats."""
        return self.spec.seat_names(self.setup)

    @property
    def persons(self) -> tuple[str, ...]:
        """The names of those who play, as plain text; "" where nobody sits or the name is not known."""
        names = self._names_on(self.row.chairs)
        return tuple(names + [""] * len(self.seat_names))[: len(self.seat_names)]

    def computer_name(self, seat: Seat, player: str) -> str:
        """What a computer player would be called on a seat."""
        chairs = list(self.row.chairs)
        chairs[seat] = Chair(computer=player)
        return self._names_on(chairs)[seat]

    def _names_on(self, chairs: Sequence[Chair]) -> list[str]:
        players, people = [chair.computer for chair in chairs], [chair.name for chair in chairs]
        computers = computer_names(players, self.spec, people)
        return [person or computer for person, computer in zip(people, computers, strict=True)]

    @property
    def portrayed(self) -> tuple[str, ...]:
        """The same for pictures: a computer's name behind its portrait."""
        from renders.persons import (
            portrayed,  # the first picture can load it, the start of the bot need not wait for it
        )

        chairs = dict(enumerate(self.row.chairs))
        players = (chairs[seat].computer if seat in chairs else None for seat in range(len(self.seat_names)))
        return tuple(
            portrayed(player, name) if player else name for player, name in zip(players, self.persons, strict=True)
        )

    @property
    def plain_names(self) -> tuple[str, ...]:
        """How seats are called where nothing is markup, as on buttons: `🔴 Ann`."""
        return self._all_names[0]

    @property
    def names(self) -> tuple[str, ...]:
        """The same for messages."""
        return self._all_names[1]

    @property
    def _all_names(self) -> tuple[Names, Names]:
        """Both, made anew when others sit here or something else is played: a message needs them dozens of times."""
        chairs, setup = self.row.chairs, self.setup
        if self._made is None or self._made[0] is not chairs or self._made[1] is not setup:
            plain = called(self.persons, self.seat_names, self.marks)
            self._made = chairs, setup, (plain, tuple(map(escaped, plain)))
        return self._made[2]

    def in_message(self, words: str) -> str:
        """Words that name people as buttons do, made fit for a message."""
        for plain, name in zip(self.plain_names, self.names, strict=True):
            words = words.replace(plain, name)
        return words

    @property
    def marks(self) -> tuple[str, ...]:
        """The emoji of the seats' colors."""
        return tuple(SEAT_MARKS.get(color, NO_COLOR) for color in self.spec.seat_colors(self.setup))

    def mark(self, seat: Seat) -> str:
        """The emoji of a seat’s color; dice for luck."""
        return LUCK if seat == CHANCE else self.marks[seat]

    def say(self, said: Text | Event, you: Seat | None = None) -> str:
        """A text, or what happened, in words for a message: with the names of the people, if they can be known."""
        return say(said, SEAT_COLORS if self.problem else self.names, you)

    def voice(self, match: Match, you: Seat) -> Voice:
        """How the choices of a seat in a position are told to whoever plays it, on buttons."""
        return Voice(self.plain_names, you, match.state.observe(you))

    def person(self, seat: Seat) -> Text:
        """Who plays a seat, called so that a mention finds him."""
        user_id = self.row.chairs[seat].user_id
        if user_id is None:
            return Text("**{seat}**", seat=seat)
        return Text("{mark} {holder}", mark=self.mark(seat), holder=mention(user_id))

    @property
    def is_open(self) -> bool:
        """Whether people gather or play here."""
        return self.row.status in (Status.LOBBY, Status.RUNNING)

    def seat_of(self, user_id: int) -> Seat | None:
        """The seat a user plays, if any."""
        return next((Seat(n) for n, chair in enumerate(self.row.chairs) if chair.user_id == user_id), None)

    @property
    def people(self) -> tuple[int, ...]:
        """The users who sit here."""
        return tuple(chair.user_id for chair in self.row.chairs if chair.user_id is not None)

    @property
    def is_full(self) -> bool:
        """Whether no more than sit here can play."""
        return len(self.row.chairs) >= self.spec.seats[-1]

    @property
    def asks_ready(self) -> bool:
        """Whether everybody is asked before the game begins: where secrets are dealt, or the host wants it."""
        return (self.spec.hands or self.row.ready_check) and len(self.people) > 1

    @property
    def unready(self) -> tuple[int, ...]:
        """The users who sit here and have not said that they are ready, if they have to."""
        ready = self.row.ready or frozenset()
        return tuple(user_id for user_id in self.people if user_id not in ready) if self.asks_ready else ()

    @property
    def computers(self) -> frozenset[Seat]:
        """The seats that computers play."""
        return frozenset(Seat(n) for n, chair in enumerate(self.row.chairs) if chair.computer)

    def computer_of(self, seat: Seat) -> str | None:
        """The id of the computer player that decides for a seat now, if one does: for good, or only this turn."""
        player = self.row.chairs[seat].computer or self.stand_ins.get(seat)
        return player if player is None or player in discover_players() else UNKNOWN_COMPUTER

    def clock_of(self, seat: Seat) -> SeatClock | None:
        """The clock that runs for whoever plays a seat."""
        clock = self.clocks.get(seat)
        return clock if clock and clock.runs and clock.user_id == self.row.chairs[seat].user_id else None

    @property
    def may_hint(self) -> bool:
        """Whether somebody who plays here may have hints: where people have only ever played one seat, or as the host
        allows.
        """
        now = {Seat(n) for n, chair in enumerate(self.row.chairs) if chair.user_id is not None}
        before = {sat.seat for sat in self.row.before if sat.chair.user_id is not None}
        return self.hints or len(now | before) == 1

    def played_since(self, seat: Seat) -> int:
        """The entry of the log from which on whoever plays a seat has played it."""
        return max((sat.until for sat in self.row.before if sat.seat == seat), default=0)

    def left_by(self, user_id: int) -> tuple[Seat, ...]:
        """The seats a user played and does not play now, the one he left last at the end."""
        return tuple(sat.seat for sat in self.row.before if sat.chair.user_id == user_id and not self._plays(sat))

    def _plays(self, sat: Sitting) -> bool:
        return self.row.chairs[sat.seat].user_id == sat.chair.user_id

    def shown(self) -> Match:
        """The match to look at: one that runs, is over or was called off. Raises `Declined`."""
        if self.problem:
            raise Declined(self.problem)
        if self.match is None and self.row.status is Status.CLOSED:
            raise Declined(Text("This game was called off."))
        if self.match is None:
            raise Declined(Text("The game has not started yet. Press **Start** when everybody is here."))
        return self.match

    def playing(self) -> Match:
        """The match, which must have started and not been called off. Raises `Declined`."""
        if self.row.status is Status.ENDED:
            raise Declined(Text("This game was called off."))
        return self.shown()

    def seated(self, user_id: int) -> Seat:
        """The seat of a user who must be playing. Raises `Declined`, naming who is due."""
        seat = self.seat_of(user_id)
        if seat is None and self.row.status is Status.LOBBY:
            raise Declined(Text("You are not at this table yet. Press **Join** first."))
        if seat is None and any(left in self.computers for left in self.left_by(user_id)):
            raise Declined(Text("A computer plays your seat: `/game join` gives it back to you."))
        if seat is None:
            raise Declined(Text("You are not playing in this game. {due}", due=self.due_sentence()))
        return seat

    def undo_policy(self, seat: Seat) -> UndoPolicy:
        """What a seat may take back, and which people have to agree; computers do. Raises `Declined`."""
        policy = self.playing().undo_policy(seat)
        people = frozenset(seat for seat in policy.seats if self.row.chairs[seat].user_id is not None)
        return dataclasses.replace(policy, seats=people)

    def seen_by(self, seat: Seat) -> int:
        """The version of the match that whoever plays a seat has seen: at his last look, or by acting."""
        return max(self.row.chairs[seat].seen, self.playing().acted_at(seat))

    def due_sentence(self) -> Text:
        """Who has to decide now, as a sentence."""
        if self.row.status is Status.ENDED:
            return Text("This game was called off.")
        if self.match is None or not (decisions := self.match.state.decisions()):
            return Text("Nobody has anything to decide.")
        return Text("{who} {who:is|are} due.", who=tuple(self.person(decision.seat) for decision in decisions))

    def done_unanswered(self, seat: Seat, notation: str, interaction_id: int) -> bool:
        """Whether this very thing was done from the seat a moment ago, nobody has acted since, and it went unanswered.

        After a restart nobody knows what was answered.
        """
        act = self.unanswered
        if act is None or (act.seat, act.notation.casefold()) != (seat, notation.casefold()):
            return False
        return (interaction_id >> DISCORD_MS) - (act.interaction_id >> DISCORD_MS) < SAME_BREATH

    def answered(self, interaction_id: int) -> None:
        """The player of an interaction got its answer."""
        if self.unanswered is not None and self.unanswered.interaction_id == interaction_id:
            self.unanswered = None


def require_open(table: Table) -> None:
    """Raise `Declined` for a match that is over or was called off."""
    if not table.is_open:
        over = table.row.status is Status.OVER
        raise Declined(Text("This game is over.") if over else Text("This game was called off."))


def require_computer(table: Table, seat: Seat) -> None:
    """Raise `Declined` unless a computer plays a seat."""
    if seat not in table.computers:
        raise Declined(Text("No computer plays {seat} any more.", seat=seat))


def require_running(table: Table) -> None:
    """Raise `Declined` unless a match is being played."""
    require_open(table)
    table.playing()


def require_lobby(table: Table) -> None:
    """Raise `Declined` unless people gather at a table."""
    require_open(table)
    if table.row.status is not Status.LOBBY:
        raise Declined(table.problem or Text("This game has already begun."))


def called_off(table: Table) -> Status:
    """What becomes of a match that is given up."""
    return Status.CLOSED if table.row.status is Status.LOBBY else Status.ENDED

"""What the store has of a match, and what follows from it alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from bot.errors import UserError
from bot.store.auto_answers import AutoAnswer
from bot.store.boards import Board
from bot.store.clocks import SeatClock
from bot.store.drafts import Draft
from bot.store.log import Act
from bot.store.matches import MatchRow, Status
from bot.store.offers import Offer
from bot.store.tally import Change, Record
from bot.store.undo_requests import UndoRequest
from engine.core import GameSpec, Setup
from engine.match import Match
from engine.texts import Seat, Text, term


@dataclass(slots=True, eq=False)
class Facts:
    """A match as it is stored, with what is stored around it.

    `match` is set once it has started. `problem` says why a stored match cannot go on, if it cannot. `waiting` is the
    mark of the board to be posted, `in_doubt` says that it may have been already, `superseded` is the
    mark of one before it that may have been, `board` is the newest one that was.
    `unanswered` is the last thing somebody did, as long as we do not know that its player got an answer. `drafts` are
    the turns that are not confirmed, `undo_request` is to take something back, if others were asked for it. `offer` are
    the seats of computers that anybody may take; `followers` want to hear how the match ends without playing in it.
    `hints` says that the host allows them between people, `goes_on` that a computer has a job here. `auto_answers` says
    which questions outside its turn are answered for a seat, by what the game calls them, and how. `invited` are the
    users who were called to a lobby, and when; somebody last did something there when it was `touched`. `clocks` are
    those of the people if the table has a pace; computers play the turn of the seats in `stand_ins`. `changes` are what
    a rated match that is over has done to the ratings of its people, `records` those that it has set.
    """

    row: MatchRow
    game: GameSpec | None
    match: Match | None = None
    problem: Text | None = None
    waiting: str | None = None
    in_doubt: bool = False
    superseded: str | None = None
    board: Board | None = None
    unanswered: Act | None = None
    drafts: dict[Seat, Draft] = field(default_factory=dict)
    undo_request: UndoRequest | None = None
    offer: Offer = field(default_factory=Offer)
    followers: frozenset[int] = frozenset()
    hints: bool = False
    goes_on: bool = False
    auto_answers: Mapping[Seat, Mapping[str, AutoAnswer]] = field(default_factory=dict)
    invited: Mapping[int, datetime] = field(default_factory=dict)
    touched: datetime | None = None
    clocks: dict[Seat, SeatClock] = field(default_factory=dict)
    stand_ins: dict[Seat, str] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()
    records: tuple[Record, ...] = ()

    def replace_by(self, fresh: Facts) -> None:
        """Become what was read anew, all of it."""
        # only the fields of `Facts`: the locks stay, since other tasks may be waiting for them
        for known in dataclasses.fields(Facts):
            setattr(self, known.name, getattr(fresh, known.name))

    def may_be_posted(self, mark: str) -> None:
        """Nobody knows whether Discord has taken a board; another one may wait by now."""
        if self.waiting == mark:
            self.in_doubt = True
        else:
            self.superseded = mark

    def board_waits(self, mark: str) -> None:
        """A new board is to be posted."""
        # the oldest doubt stays: nothing newer is sent before it is resolved (`Poster.post`)
        if self.in_doubt and self.superseded is None:
            self.superseded = self.waiting
        self.waiting, self.in_doubt = mark, False

    @property
    def id(self) -> int:
        """The id of the match."""
        return self.row.id

    @property
    def spec(self) -> GameSpec:
        """The game. Raises `UserError` for one that this program does not know."""
        if self.game is None:
            assert self.problem, "a table without a game says why"
            raise UserError(self.problem)
        return self.game

    @property
    def title(self) -> Text:
        """What the game is called."""
        return self.game.name if self.game else term(self.row.game)

    @property
    def setup(self) -> Setup:
        """How the match is played; in the lobby, how it would be with the table as it is set now."""
        if self.match:
            return self.match.setup
        return Setup(self.expected_seats, self.spec.options(**self.row.options))

    @property
    def expected_seats(self) -> int:
        """How many would play with the people in the lobby, or the number nearest to that which the game allows."""
        return min(max(len(self.row.holders), self.spec.seats[0]), self.spec.seats[-1])

    @property
    def is_open(self) -> bool:
        """Whether the table waits for players, or they play here."""
        return self.row.status in (Status.LOBBY, Status.RUNNING)

    def shown(self) -> Match:
        """The match to look at: one that runs, is over or was called off. Raises `UserError`."""
        if self.problem:
            raise UserError(self.problem)
        if self.match is None and self.row.status is Status.CLOSED:
            raise UserError(Text("This game was called off."))
        if self.match is None:
            raise UserError(Text("The game has not started yet. Tap **Start** when everyone is here."))
        return self.match

    def playing(self) -> Match:
        """The match, which must have started and not been called off. Raises `UserError`."""
        if self.row.status is Status.ENDED:
            raise UserError(Text("This game was called off."))
        return self.shown()

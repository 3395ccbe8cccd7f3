"""A match in memory, and properties that follow from its stored facts and its log alone."""

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
from bot.store.facts import Facts
from bot.store.log import Act
from bot.store.matches import MatchRow, Status
from bot.store.offers import Offer
from bot.store.planned_turns import PlannedTurn
from bot.store.predictions import Prediction
from bot.store.tally import Change, Record
from bot.store.undo_requests import UndoRequest
from engine.core import GameSpec, Setup
from engine.match import Match
from engine.texts import Seat, Text, term


@dataclass(slots=True, eq=False)
class LoadedMatch:
    """A match as it is stored: its facts, and `match` with its log once it has started.

    `problem` says why a stored match cannot go on, if it cannot; then `match` is `None`. `changes` are what a rated
    match that is over has done to the ratings of its people, `records` those that it has set.

    This process alone knows the rest. `unanswered` is the last act of a player, as long as we do not know that they got
    an answer. `in_doubt` says that the board to be posted may have been already, `superseded` is the mark of one before
    it that may have been. `looks` are the versions that players are being shown right now.
    """

    facts: Facts
    game: GameSpec | None
    match: Match | None = None
    problem: Text | None = None
    in_doubt: bool = False
    superseded: str | None = None
    unanswered: Act | None = None
    looks: dict[Seat, int] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()
    records: tuple[Record, ...] = ()

    def replace_by(self, fresh: LoadedMatch) -> None:
        """Take all values from a match that was read again."""
        # only these fields: the locks stay, since other tasks may be waiting for them
        for field_of_match in dataclasses.fields(LoadedMatch):
            setattr(self, field_of_match.name, getattr(fresh, field_of_match.name))

    def change_to(self, facts: Facts, match: Match | None) -> None:
        """Take the facts that were written, and perhaps a match with a longer log."""
        if facts.pending is not None and facts.pending is not self.facts.pending:
            # the oldest doubt stays: nothing newer is sent before it is resolved (`Poster.post`)
            if self.in_doubt and self.superseded is None:
                self.superseded = self.waiting
            self.in_doubt = False
        self.facts, self.match = facts, match or self.match

    def may_be_posted(self, mark: str) -> None:
        """It is unknown whether Discord has accepted a board; another one may wait by now."""
        if self.waiting == mark:
            self.in_doubt = True
        else:
            self.superseded = mark

    @property
    def id(self) -> int:
        """The id of the match."""
        return self.row.id

    @property
    def row(self) -> MatchRow:
        """The match with its seats."""
        return self.facts.row

    @property
    def waiting(self) -> str | None:
        """The mark of the board to be posted, if there is one."""
        return self.facts.pending.mark if self.facts.pending else None

    @property
    def board(self) -> Board | None:
        """The newest board that was posted, as long as it has its controls."""
        return self.facts.board

    @property
    def drafts(self) -> Mapping[Seat, Draft]:
        """The turns that are not confirmed."""
        return self.facts.drafts

    @property
    def undo_request(self) -> UndoRequest | None:
        """The request to take something back, if others were asked for it."""
        return self.facts.undo_request

    @property
    def offer(self) -> Offer:
        """The seats of computers that anybody may take."""
        return self.facts.offer

    @property
    def followers(self) -> frozenset[int]:
        """The users who want to hear how the match ends without playing in it."""
        return self.facts.followers

    @property
    def predictions(self) -> Mapping[int, Prediction]:
        """The winners that followers expect, by user; after the end, only the right predictions."""
        return self.facts.predictions

    @property
    def hints(self) -> bool:
        """Whether the host allows hints between people."""
        return self.facts.hints

    @property
    def auto_answers(self) -> Mapping[Seat, Mapping[str, AutoAnswer]]:
        """The questions outside its turn that are answered for a seat, by what the game calls them, and how."""
        return self.facts.auto_answers

    @property
    def plans(self) -> Mapping[Seat, Mapping[int, PlannedTurn]]:
        """The planned turns by seat, each by the number of choices that the seat makes before it."""
        return self.facts.plans

    @property
    def invited(self) -> Mapping[int, datetime]:
        """The users called to a lobby, with the times."""
        return self.facts.invited

    @property
    def touched(self) -> datetime | None:
        """The time of the last change at a lobby."""
        return self.facts.touched

    @property
    def clocks(self) -> Mapping[Seat, SeatClock]:
        """The clocks of the people, if the table has a pace."""
        return self.facts.clocks

    @property
    def stand_ins(self) -> Mapping[Seat, str]:
        """The computers that play a turn in the place of a person, by seat."""
        return {seat: clock.stand_in for seat, clock in self.clocks.items() if clock.stand_in}

    @property
    def spec(self) -> GameSpec:
        """The game. Raises `UserError` for one that this program does not know."""
        if self.game is None:
            assert self.problem, "a table without a game says why"
            raise UserError(self.problem)
        return self.game

    @property
    def title(self) -> Text:
        """The name of the game."""
        return self.game.name if self.game else term(self.row.game)

    @property
    def setup(self) -> Setup:
        """The setup of the match; in the lobby, the one with the current settings of the table."""
        if self.match:
            return self.match.setup
        return Setup(self.expected_seats, self.spec.options(**self.row.options))

    @property
    def expected_seats(self) -> int:
        """The number of players in the lobby, or the nearest number that the game allows."""
        return min(max(len(self.row.holders), self.spec.seats[0]), self.spec.seats[-1])

    @property
    def is_open(self) -> bool:
        """Whether the table waits for players, or they play here."""
        return self.row.status in (Status.LOBBY, Status.RUNNING)

    def viewable_match(self) -> Match:
        """The match, even if it was called off. Raises `UserError` if it has not started or cannot be read."""
        if self.problem:
            raise UserError(self.problem)
        if self.match is None and self.row.status is Status.CLOSED:
            raise UserError(Text("This game was called off."))
        if self.match is None:
            raise UserError(Text("The game hasn’t started yet. Tap **Start** when everyone is here."))
        return self.match

    def require_match(self) -> Match:
        """The match. Raises `UserError` if it has not started, was called off or cannot be read."""
        if self.row.status is Status.ENDED:
            raise UserError(Text("This game was called off."))
        return self.viewable_match()

"""A table: one match, the people around it, and what of it still has to be posted."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from bot.errors import Sorry
from bot.store.rows import Act, Draft, MatchRow, Post, Status
from engine.core import GameSpec, Setup
from engine.match import Match
from engine.texts import Seat, listed

DISCORD_MS = 22
"""Bits of a Discord id below its time in milliseconds."""

SAME_BREATH = 10 * 60 * 1000
"""Milliseconds within which a command that is typed again may be meant as the one before."""


class Stale(Sorry):
    """A control of an earlier position was used."""


@dataclass(slots=True, eq=False, weakref_slot=True)
class Table:
    """A match with the people around it.

    `match` is set once it has started. `problem` says why a stored match cannot go on, if it cannot. `waiting` is the
    newest board to be posted, `showing` are the posted ones that still have their controls, oldest first. `unheard` is
    the last thing somebody did, as long as we do not know that its player got an answer. `drafts` are the turns that
    are not confirmed.
    """

    row: MatchRow
    game: GameSpec | None
    match: Match | None = None
    problem: str = ""
    waiting: int | None = None
    showing: tuple[Post, ...] = ()
    unheard: Act | None = None
    drafts: dict[Seat, Draft] = field(default_factory=dict)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    posting: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def id(self) -> int:
        """The id of the match."""
        return self.row.id

    @property
    def spec(self) -> GameSpec:
        """The game. Raises `Sorry` for one that this program does not know."""
        if self.game is None:
            raise Sorry(self.problem)
        return self.game

    @property
    def title(self) -> str:
        """What the game is called."""
        return self.game.title if self.game else self.row.game

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats; in the lobby those of the table as it is set now."""
        if self.match:
            return self.match.names
        seats = min(max(len(self.row.chairs), self.spec.seats[0]), self.spec.seats[-1])
        return self.spec.seat_names(Setup(seats, self.spec.options(**self.row.options)))

    @property
    def is_open(self) -> bool:
        """Whether people gather or play here."""
        return self.row.status in (Status.LOBBY, Status.RUNNING)

    def seat_of(self, user_id: int) -> Seat | None:
        """The seat a user plays, if any."""
        return next((Seat(n) for n, chair in enumerate(self.row.chairs) if chair.user_id == user_id), None)

    def shown(self) -> Match:
        """The match to look at: one that runs, is over or was called off. Raises `Sorry`."""
        if self.problem:
            raise Sorry(self.problem)
        if self.match is None and self.row.status is Status.CLOSED:
            raise Sorry("This game was called off.")
        if self.match is None:
            raise Sorry("The game has not started yet. Press **Start** when everybody is here.")
        return self.match

    def playing(self) -> Match:
        """The match, which must have started and not been called off. Raises `Sorry`."""
        if self.row.status is Status.ENDED:
            raise Sorry("This game was called off.")
        return self.shown()

    def seated(self, user_id: int) -> Seat:
        """The seat of a user who must be playing. Raises `Sorry`, naming who is due."""
        seat = self.seat_of(user_id)
        if seat is None and self.row.status is Status.LOBBY:
            raise Sorry("You are not at this table yet. Press **Join** first.")
        if seat is None:
            raise Sorry(f"You are not playing in this game. {self.due_sentence()}")
        return seat

    def due_sentence(self) -> str:
        """Who has to decide now, as a sentence."""
        if self.row.status is Status.ENDED:
            return "This game was called off."
        if self.match is None or not (decisions := self.match.state.decisions()):
            return "Nobody has anything to decide."
        who = listed([self.who(decision.seat) for decision in decisions])
        return f"{who} {'is' if len(decisions) == 1 else 'are'} due."

    def who(self, seat: Seat) -> str:
        """A seat by its name and the person on it."""
        chair = self.row.chairs[seat]
        return f"{self.names[seat]} ({f'<@{chair.user_id}>' if chair.user_id else 'computer'})"

    def done_unheard(self, seat: Seat, notation: str, interaction_id: int) -> bool:
        """Whether this very thing was done from the seat a moment ago, nobody has acted since, and it went unanswered.

        After a restart nobody knows what was answered.
        """
        act = self.unheard
        if act is None or (act.seat, act.notation.casefold()) != (seat, notation.casefold()):
            return False
        return (interaction_id >> DISCORD_MS) - (act.interaction_id >> DISCORD_MS) < SAME_BREATH

    def heard(self, interaction_id: int) -> None:
        """The player of an interaction got its answer."""
        if self.unheard is not None and self.unheard.interaction_id == interaction_id:
            self.unheard = None

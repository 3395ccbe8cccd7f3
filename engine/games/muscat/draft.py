"""A position while one ply changes it: the only mutable thing of the game, and it never leaves the ply."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVarTuple

from engine.core import Event
from engine.games.muscat.actions import STREET
from engine.games.muscat.artists import FIELD, TOKENS, Artist, Token
from engine.games.muscat.events import (
    Drew,
    Ended,
    EndReason,
    EnteredPalace,
    Exhausted,
    Fell,
    JumpedIntoPalace,
    LastRoundBegan,
    Placed,
    Stranded,
    Stuck,
    TurnedUp,
)
from engine.games.muscat.offers import exhausted, turn_options
from engine.games.muscat.options import AT_ONCE, NO_ACTION
from engine.games.muscat.repertoire import Idler, repertoire
from engine.games.muscat.state import Muscat, Question, palace_limit
from engine.texts import Seat

Values = TypeVarTuple("Values")


class Draft:
    """What a ply has changed so far, and the events it has caused."""

    __slots__ = (
        "board",
        "clock",
        "courtiers",
        "ended",
        "events",
        "frames",
        "idlers",
        "last_round",
        "piles",
        "plan",
        "setup",
        "shown",
    )

    def __init__(self, state: Muscat, frames: tuple[Question[Any], ...]) -> None:
        """Start from a position, with the questions that are left to ask."""
        self.frames = frames
        self.setup = state.setup
        self.clock = state.clock
        self.last_round = state.last_round
        self.board = list(state.board)
        self.idlers = state.idlers
        self.courtiers = state.courtiers
        self.shown = state.shown
        self.piles = state.piles
        self.ended: EndReason | None = None
        self.events: list[Event] = []
        self.plan = repertoire(state.setup.seats)

    # --- tokens ---

    def turn_up(self, seat: Seat, artist: Artist) -> Token:
        """Take a token off a pile."""
        field, pile = FIELD[artist], self.piles[seat]
        self.piles = _put(self.piles, seat, _put(pile, field, pile[field] - 1))
        return TOKENS[seat][field]

    def show(self, seat: Seat, artist: Artist) -> None:
        """Turn up the face-up token of a seat."""
        self.shown = _put(self.shown, seat, self.turn_up(seat, artist))
        self.tell(TurnedUp, seat, artist)

    def hide(self, seat: Seat) -> None:
        """Take the face-up token of a seat from the table."""
        self.shown = _put(self.shown, seat, None)

    def draw(self, seat: Seat, artist: Artist) -> Token:
        """Draw a token that has to be brought in."""
        self.tell(Drew, seat, artist)
        return self.turn_up(seat, artist)

    def bring_in(self, token: Token, market: str) -> None:
        """Put a new token on a market of level 1, given by its letter, or into street 1 (rule 4.1)."""
        if market == STREET:
            self.idle(token, 1)
            self.tell(Stranded, token.seat, token.artist)
        else:
            self.enter(self.plan.numbers[f"1{market}"], token)
            self.tell(Placed, token.seat, token.artist, f"1{market}")

    def enter(self, market: int, token: Token) -> None:
        """Put a token on its field, which must be empty."""
        self.board[market] += token.weight

    def leave(self, market: int, token: Token) -> None:
        """Take a token off its field."""
        self.board[market] -= token.weight

    def clear(self, market: int) -> None:
        """Take all tokens off a market."""
        self.board[market] = 0

    def enter_palace(self, token: Token, origin: int) -> None:
        """The top of a career (rule 5.5), by a jump from below level 4 (rule 5.4)."""
        place = token.seat * 4 + token.field
        self.courtiers = _put(self.courtiers, place, self.courtiers[place] + 1)
        kind = EnteredPalace if origin in self.plan.levels[-1] else JumpedIntoPalace
        self.tell(kind, token.seat, token.artist, self.plan.names[origin])

    def fall_to_street(self, token: Token, origin: int) -> None:
        """The weakest goes to the street below its level (rule 5.2)."""
        street = origin // self.setup.seats + 1
        self.idle(token, street)
        self.tell(Fell, token.seat, token.artist, self.plan.names[origin], street)

    def idle(self, token: Token, street: int) -> None:
        """Put a token into a street as a never-do-well."""
        idlers = tuple(sorted((*self.idlers[token.seat], (street, token.field))))
        self.idlers = _put(self.idlers, token.seat, idlers)

    def call(self, seat: Seat, idler: Idler) -> Token:
        """Take a never-do-well out of its street."""
        idlers = list(self.idlers[seat])
        idlers.remove(idler)
        self.idlers = _put(self.idlers, seat, tuple(idlers))
        return TOKENS[seat][idler[1]]

    # --- questions and turns ---

    def tell(self, kind: Callable[[*Values], Event], *values: *Values) -> None:
        """Let an event happen. Equal events are made once, which playouts notice."""
        self.events.append(_event(kind, *values))

    def ask(self, question: Question[Any]) -> None:
        """Ask this before anything else."""
        self.frames = (*self.frames, question)

    def pause(self) -> tuple[Muscat, tuple[Event, ...]]:
        """The position in the middle of a turn, and what happened."""
        return self._position(), tuple(self.events)

    def finish(self) -> tuple[Muscat, tuple[Event, ...]]:
        """The position after the ply, and what happened; a turn with nothing left to ask is over."""
        if self.frames[-1].opens_turn:
            self._end_turn()
        return self.pause()

    def _position(self) -> Muscat:
        return Muscat(
            self.frames,
            self.setup,
            self.clock,
            self.last_round,
            tuple(self.board),
            self.idlers,
            self.courtiers,
            self.shown,
            self.piles,
            self.ended,
        )

    def _end_turn(self) -> None:
        """Test the palace (rule 6.1), pass the turn on, and test who is exhausted (rule 6.2)."""
        seats = self.setup.seats
        round_over = (self.clock + 1) % seats == 0
        if not self.last_round and sum(self.courtiers) >= palace_limit(seats):
            self.last_round = True
            if not round_over:
                self.tell(LastRoundBegan)
        if self.last_round and round_over:
            self._end(EndReason.PALACE, Ended)
        elif self.setup.options.exhaustion_end == AT_ONCE and (seat := self._anybody_exhausted()) is not None:
            self._end(EndReason.EXHAUSTION, Exhausted, seat)
        else:
            self.clock += 1
            self._test_next(self._seat_in(0))

    def _test_next(self, seat: Seat) -> None:
        """Whether who is to play now can go on."""
        if self.shown[seat] is not None:
            return
        position = self._position()
        if self.setup.options.exhaustion_end == NO_ACTION:
            if not turn_options(position):
                self._end(EndReason.NO_ACTION, Stuck, seat)
        elif exhausted(position, seat):
            self._end(EndReason.EXHAUSTION, Exhausted, seat)

    def _anybody_exhausted(self) -> Seat | None:
        """The first seat, in order of play after this turn, whose plight ends the game `at_once` (rule 9)."""
        position = self._position()
        order = (self._seat_in(turns) for turns in range(1, self.setup.seats + 1))
        return next((seat for seat in order if exhausted(position, seat)), None)

    def _seat_in(self, turns: int) -> Seat:
        """Who is on turn so many turns from now."""
        return Seat((self.setup.options.start_player + self.clock + turns) % self.setup.seats)

    def _end(self, reason: EndReason, kind: Callable[[EndReason, *Values], Event], *values: *Values) -> None:
        self.ended = reason
        self.frames = ()
        self.tell(kind, reason, *values)


@lru_cache(maxsize=4096)
def _event(kind: Callable[..., Event], *values: Any) -> Event:
    return kind(*values)


def _put(items: tuple[Any, ...], index: int, item: Any) -> Any:
    """The same tuple with another item at an index."""
    return (*items[:index], item, *items[index + 1 :])

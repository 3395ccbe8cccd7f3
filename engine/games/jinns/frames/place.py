"""The set-up: which pawn stands where (rule 3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from engine.core import Action, Decision, Event, Refusal
from engine.games.jinns import refusals
from engine.games.jinns.actions import Lay, Place, Strength
from engine.games.jinns.events import Filled, LaidOut, Placed
from engine.games.jinns.frames.turn import begin
from engine.games.jinns.pattern import SINGLE, next_square, stock, turf
from engine.games.jinns.pawns import COLORS, COPIES, PAWN_NAMES, PAWNS, SQUARES, Pawn
from engine.games.jinns.state import Board, Jinns, Question
from engine.texts import CHANCE, Seat

*_PLACES, _REST = map(Place, Strength)
_LAYS = tuple(map(Lay, PAWN_NAMES))


@dataclass(frozen=True, slots=True)
class Placing(Question[Place]):
    """Which strength goes to the next square; it lies below `Filling` (rule 3.1)."""

    rule = "3.1"

    def decisions(self, state: Jinns) -> tuple[Decision, ...]:
        """The strengths in stock, and luck's help where several squares can be filled in several ways."""
        seats, square = state.terms.seats, next_square(state.board)
        here = turf(seats)[square]
        stocks = [stock(state.board, color) for color in here.colors]
        helped = here.block_end - square > 1 and any(map(_is_open, stocks))
        return _placings(seats, square, stocks[0], helped)

    def resolve(self, state: Jinns, seat: Seat, action: Place) -> tuple[Jinns, tuple[Event, ...]]:
        """Place it, or ask luck."""
        square = next_square(state.board)
        here = turf(state.terms.seats)[square]
        if action.strength is Strength.REST:
            return replace(state, frames=(*state.frames, Filling(seat, square, here.block_end))), ()
        pawn = here.color << 2 | int(action.strength) - 1
        after = _with_pawn(state, square, pawn, state.frames)
        placed = Placed(seat, PAWN_NAMES[pawn], square)
        return begin(after, placed) if square == SQUARES - 1 else (after, (placed,))

    def why_not(self, state: Jinns, seat: Seat, action: Action) -> Refusal | None:
        """Say which pawns are left."""
        return refusals.placing(state, action)


def _is_open(left: tuple[int, ...]) -> bool:
    """Whether a color has pawns of more than one strength in stock."""
    return left.count(0) < len(left) - 1


@lru_cache(maxsize=1024)
def _placings(seats: int, square: int, left: tuple[int, ...], helped: bool) -> tuple[Decision, ...]:
    here = turf(seats)[square]
    options = tuple(place for place, number in zip(_PLACES, left, strict=True) if number)
    prompt = f"Choose the strength of the {COLORS[here.color].label} pawn for square {square}."
    return (Decision(here.placer, prompt, (*options, *((_REST,) if helped else ()))),)


@dataclass(frozen=True, slots=True)
class Filling(Question[Lay]):
    """Luck places the rest of a block for a seat, one pawn after the other (rule 3.1)."""

    rule = "3.1"

    seat: Seat
    first: int
    end: int

    def decisions(self, state: Jinns) -> tuple[Decision, ...]:
        """Any pawn of the color in stock is as likely as any other."""
        color = turf(state.terms.seats)[next_square(state.board)].color
        return _draws(color, stock(state.board, color))

    def resolve(self, state: Jinns, seat: Seat, action: Lay) -> tuple[Jinns, tuple[Event, ...]]:
        """Lay it; the last one of the block is told together with those before it."""
        square = next_square(state.board)
        done = square == self.end - 1
        after = _with_pawn(state, square, PAWNS[action.pawn], state.frames[:-1] if done else state.frames)
        if not done:
            return after, ()
        names = tuple(PAWN_NAMES[pile & 15] for pile in after.board[self.first : self.end])
        filled = Filled(self.seat, names, self.first, square)
        return begin(after, filled) if self.end == SQUARES else (after, (filled,))


@dataclass(frozen=True, slots=True)
class LayingOut(Question[Lay]):
    """Luck lays out all pawns, square by square (rule 3.3)."""

    rule = "3.3"

    left: tuple[int, ...] = (COPIES,) * len(PAWN_NAMES)
    """How many of each pawn are not on the board yet."""

    def decisions(self, state: Jinns) -> tuple[Decision, ...]:
        """Any pawn in stock is as likely as any other."""
        return _any_draws(self.left)

    def resolve(self, state: Jinns, seat: Seat, action: Lay) -> tuple[Jinns, tuple[Event, ...]]:
        """Lay it; after the last one colors are chosen, or the game begins."""
        square, pawn = next_square(state.board), PAWNS[action.pawn]
        if square < SQUARES - 1:
            left = (*self.left[:pawn], self.left[pawn] - 1, *self.left[pawn + 1 :])
            return _with_pawn(state, square, pawn, (*state.frames[:-1], LayingOut(left))), ()
        after = _with_pawn(state, square, pawn, state.frames[:-1])
        return (after, (LaidOut(),)) if state.terms.draft else begin(after, LaidOut())


def _with_pawn(state: Jinns, square: int, pawn: Pawn, frames: tuple[Question[Any], ...]) -> Jinns:
    """The next position of the set-up: one pawn more, and whoever places the one after it is on turn."""
    terms, turn = state.terms, state.turn
    board: Board = (*state.board[:square], SINGLE | pawn, *state.board[square + 1 :])
    if not terms.random and square + 1 < SQUARES:
        turn = turf(terms.seats)[square + 1].placer
    return Jinns(frames, terms, board, state.owned, turn, 0, state.taken, (), None)


@lru_cache(maxsize=512)
def _draws(color: int, left: tuple[int, ...]) -> tuple[Decision, ...]:
    return _draw(zip(_LAYS[color * len(left) :], left, strict=False))


@lru_cache(maxsize=64)
def _any_draws(left: tuple[int, ...]) -> tuple[Decision, ...]:
    return _draw(zip(_LAYS, left, strict=True))


def _draw(outcomes: Iterable[tuple[Lay, int]]) -> tuple[Decision, ...]:
    possible = [(lay, number) for lay, number in outcomes if number]
    options = tuple(lay for lay, _ in possible)
    weights = tuple(number for _, number in possible)
    return (Decision(CHANCE, "Luck lays the next pawn.", options, weights=weights),)

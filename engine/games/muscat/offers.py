"""Where artists can go and what a turn can be: the options of the questions, straight from the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.core import Action
from engine.games.muscat.actions import Draw, Place
from engine.games.muscat.artists import Token
from engine.games.muscat.board import CAPACITY, COUNT, OPEN, OWN, RIVALS, TRIO, VACANT
from engine.games.muscat.repertoire import Repertoire, repertoire
from engine.texts import Seat

if TYPE_CHECKING:
    from engine.games.muscat.state import Muscat

DRAW = Draw()


def places(board: Sequence[int], token: Token, plan: Repertoire) -> tuple[Place, ...]:
    """Where a new token starts (rule 4.1): any market on level 1 with room, street 1 only when there is none."""
    room = OPEN[token.field]
    return tuple([place for place, code in zip(plan.places, board, strict=False) if room[code]]) or plan.in_street


def turn_options(state: Muscat) -> tuple[Action, ...]:
    """Everything the seat on turn may do (rule 4), in the order of the rulebook."""
    seat, plan = state.turn, repertoire(state.seats)
    options: list[Action] = []
    if token := state.shown[seat]:
        options += places(state.board, token, plan)
    if any(state.piles[seat]):
        options.append(DRAW)
    full = [market for market, code in enumerate(state.board) if TRIO[code]]
    options += _cycles(state, seat, plan, full)
    if state.idlers[seat]:
        options += reemployments(state, seat)
        options += _changes_and_expulsions(state.board, seat, plan)
        options += _transformations(state, seat, plan, full)
    return tuple(options)


def reemployments(state: Muscat, seat: Seat) -> list[Action]:
    """Ways back to work (rule 4.3): from a street to the level right above it."""
    board, plan = state.board, repertoire(state.seats)
    options: list[Action] = []
    for idler in dict.fromkeys(state.idlers[seat]):
        room = OPEN[idler[1]]
        options += [action for market, action in plan.reemployments[idler] if room[board[market]]]
    return options


def exhausted(state: Muscat, seat: Seat) -> bool:
    """Whether a seat can neither bring in nor re-employ an artist (rule 6.2)."""
    supplied = state.shown[seat] is not None  # without a face-up token there is no pile any more
    return not supplied and not reemployments(state, seat)


def higher_markets(board: Sequence[int], origin: int, token: Token, taken: int, share: bool) -> tuple[int, ...]:
    """Where a riser may go (rules 5.3 and 5.4): the lowest level above with a market that takes it; none = the palace.

    Args:
        board: codes of all markets, the cycle's own market already empty.
        origin: number of the market the cycle ran on.
        token: the riser.
        taken: number of the market the strongest of this cycle has entered, or -1.
        share: whether the second may follow the strongest where no other market is left (option `blocked_second`).
    """
    room, seats = OPEN[token.field], len(board) // 4
    for first in range((origin // seats + 1) * seats, len(board), seats):
        markets = [m for m in range(first, first + seats) if room[board[m]]]
        if taken in markets and not (share and len(markets) == 1):
            markets.remove(taken)
        if markets:
            return tuple(markets)
    return ()


def _cycles(state: Muscat, seat: Seat, plan: Repertoire, full: list[int]) -> list[Action]:
    if state.setup.options.cycle_needs_own_token:
        return [plan.cycles[market] for market in full if OWN[seat][state.board[market]]]
    return [plan.cycles[market] for market in full]


def _changes_and_expulsions(board: Sequence[int], seat: Seat, plan: Repertoire) -> list[Action]:
    """Rules 4.4 and 4.5, for every ordered pair of markets of a level."""
    own, rivals = OWN[seat], RIVALS[seat]
    changes: list[Action] = []
    expulsions: list[Action] = []
    for origin, here in enumerate(board):
        if mine := own[here]:
            full = COUNT[here] == CAPACITY
            for target, change, expel in plan.neighbors[origin]:
                there = board[target]
                count = COUNT[there]
                if count == CAPACITY - 1:
                    changes += change[mine & VACANT[there]]
                if full or count == CAPACITY:
                    expulsions += expel[mine & rivals[there]]
    return changes + expulsions


def _transformations(state: Muscat, seat: Seat, plan: Repertoire, full: list[int]) -> list[Action]:
    """Rule 4.6: an own weakest artist, and the missing kind in a street of the same seat."""
    return [
        plan.transformations[market, street]
        for market in full
        if (trio := TRIO[state.board[market]]) and trio.weakest.seat == seat
        for street, field in dict.fromkeys(state.idlers[seat])
        if field == trio.missing
    ]

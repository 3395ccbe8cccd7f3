"""What a turn can be: the legal moves, straight from the rules."""

from __future__ import annotations

from functools import lru_cache

from engine.core import Decision
from engine.games.jinns.actions import Move
from engine.games.jinns.pawns import EMPTY, LIFTS, MASK, Pile
from engine.games.jinns.repertoire import partner_moves, plain_moves
from engine.texts import Seat

PROMPT = "Move one of your piles, or its top pawns."
NEUTRAL_PROMPT = "Move one of your piles or a neutral one, or its top pawns."


@lru_cache(maxsize=512)
def turn_decisions(board: tuple[Pile, ...], seat: Seat, own: int, neutral: int, partner: int) -> tuple[Decision, ...]:
    """The turn of a seat, empty if it has no move.

    Args:
        board: a pile per square.
        seat: who is to move.
        own: mask of its colors.
        neutral: mask of the color that everybody may move (rule 4.1), 0 if all have an owner.
        partner: mask of the partner's colors, 0 without partners (rule 4.5).
    """
    options = partner_options(board, own, partner) if partner else plain_options(board, own | neutral)
    return (Decision(seat, NEUTRAL_PROMPT if neutral else PROMPT, tuple(options)),) if options else ()


def plain_options(board: tuple[Pile, ...], movable: int) -> list[Move]:
    """The moves without partners (rules 4.1 to 4.4)."""
    occupied = [square for square, pile in enumerate(board) if pile]
    others = len(occupied)
    bundles, options = plain_moves(), list[Move]()
    for n, origin in enumerate(occupied):
        pile = board[origin]
        steps = (pile & 3) + 1
        if steps < others and movable >> (pile >> 2 & 3) & 1:
            lifts = LIFTS[pile]
            ahead, behind = occupied[n + steps - others], occupied[n - steps]
            options += bundles[lifts[MASK[board[ahead]]]][origin << 5 | ahead]
            if behind != ahead:
                options += bundles[lifts[MASK[board[behind]]]][origin << 5 | behind]
    return options


def partner_options(board: tuple[Pile, ...], own: int, partner: int) -> list[Move]:
    """The moves with partners: never onto the partner's color, and towers may be shared (rules 4.5 and 5)."""
    occupied = [square for square, pile in enumerate(board) if pile]
    bundles, options = partner_moves(), list[Move]()
    for n, origin in enumerate(occupied):
        pile = board[origin]
        steps = (pile & 3) + 1
        if steps < len(occupied) and own >> (pile >> 2 & 3) & 1:
            ahead, behind = occupied[n + steps - len(occupied)], occupied[n - steps]
            for target in (ahead, behind) if behind != ahead else (ahead,):
                below = board[target]
                if not partner >> (below >> 2 & 3) & 1:
                    lifted = LIFTS[pile][MASK[below]]
                    options += bundles[below.bit_length() >> 2][lifted][origin << 5 | target]
    return options


def reach(board: tuple[Pile, ...], origin: int) -> tuple[int, ...]:
    """Where a pile gets by counting, whatever stands there: clockwise, then the other way (rule 4.3)."""
    occupied = [square for square, pile in enumerate(board) if pile != EMPTY]
    steps, n = (board[origin] & 3) + 1, occupied.index(origin)
    if steps >= len(occupied):
        return ()
    return tuple(dict.fromkeys((occupied[n + steps - len(occupied)], occupied[n - steps])))

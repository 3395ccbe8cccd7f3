"""What a turn can be: the legal moves, straight from the rules."""

from __future__ import annotations

from functools import lru_cache
from itertools import compress

from engine.core import Decision
from engine.games.jinns.actions import Move
from engine.games.jinns.options import opposite
from engine.games.jinns.pawns import COLORS_OF, HEIGHT, TOPPED_BY, Board, Mask, without_owner
from engine.games.jinns.repertoire import partner_moves, plain_moves
from engine.games.jinns.ring import RING, SQUARES, Square
from engine.texts import Seat, Text

PROMPT = Text("Move a pile, or its top pawns.")
NEUTRAL_PROMPT = Text("Move a pile, yours or neutral.")


@lru_cache(maxsize=512)  # passing the turn on needs the list, then the turn itself: 5 % of a search
def turn_decisions(board: Board, seat: Seat, owned: tuple[Mask, ...], partners: bool) -> tuple[Decision, ...]:
    """The turn of a seat, empty if it has no move.

    Args:
        board: a pile per square.
        seat: who is to move.
        owned: the colors of each seat.
        partners: whether those who face each other are partners.
    """
    neutral = without_owner(owned)
    if partners:
        options = partner_options(board, owned[seat], owned[opposite(seat)])
    else:
        # Everybody may move piles under neutral (rule 4.1).
        options = plain_options(board, owned[seat] | neutral)
    return (Decision(seat, NEUTRAL_PROMPT if neutral else PROMPT, tuple(options)),) if options else ()


def plain_options(board: Board, movable: Mask) -> list[Move]:
    """The moves without partners, of piles topped by a movable color (rules 4.1 to 4.4)."""
    # An empty square is 0, and so false.
    # A second, naive program counts the same leaves (tests/perft/naive_jinns.py).
    occupied = list(compress(range(SQUARES), board))
    piles, movers = len(occupied), TOPPED_BY[movable]
    bundles = plain_moves()
    options: list[Move] = []
    for n, origin in enumerate(occupied):
        if (pile := board[origin]) in movers:
            steps, lifts = movers[pile]
            # There must be as many other piles as the pawn counts, since a move comes to no square twice (rule 4.3).
            if steps < piles:
                # Negative indices count from the end, which closes the ring.
                ahead, behind = occupied[n + steps - piles], occupied[n - steps]
                # Only pawns that share no color with the target can come along (rule 4.4).
                options += bundles[lifts[COLORS_OF[board[ahead]]]][origin][ahead]
                # Two directions to the same pile are one move (rule 10).
                if behind != ahead:
                    options += bundles[lifts[COLORS_OF[board[behind]]]][origin][behind]
    return options


def partner_options(board: Board, own: Mask, partner: Mask) -> list[Move]:
    """The moves with partners: never onto the partner's color, and towers may be shared (rules 4.5 and 5)."""
    occupied = list(compress(range(SQUARES), board))
    piles, movers, forbidden = len(occupied), TOPPED_BY[own], TOPPED_BY[partner]
    bundles = partner_moves()
    options: list[Move] = []
    for n, origin in enumerate(occupied):
        if (pile := board[origin]) in movers:
            steps, lifts = movers[pile]
            if steps < piles:
                ahead, behind = occupied[n + steps - piles], occupied[n - steps]
                # See `plain_options`.
                for target in (ahead, behind) if behind != ahead else (ahead,):
                    if (below := board[target]) not in forbidden:
                        options += bundles[HEIGHT[below]][lifts[COLORS_OF[below]]][origin][target]
    return options


def reach(board: Board, origin: Square) -> tuple[Square, ...]:
    """Where a pile gets by counting, no matter what is there: clockwise, then the other way (rule 4.3)."""
    occupied = [square for square in RING if board[square]]
    steps, n = board[origin].top.strength, occupied.index(origin)
    if steps >= len(occupied):
        return ()
    return tuple(dict.fromkeys((occupied[n + steps - len(occupied)], occupied[n - steps])))

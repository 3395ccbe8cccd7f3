"""The legal moves of a turn."""

from __future__ import annotations

from functools import lru_cache
from itertools import compress

from engine.core import Decision
from engine.games.jinns.actions import Move
from engine.games.jinns.options import opposite
from engine.games.jinns.pawns import COLORS_OF, HEIGHT, TOPPED_BY, Board, Mask, neutral_colors
from engine.games.jinns.repertoire import partner_moves, plain_moves
from engine.games.jinns.ring import RING, SQUARES, Square
from engine.texts import Seat, Text

PROMPT = Text("Move a pile, or its top pawns.")
NEUTRAL_PROMPT = Text("Move a pile, yours or neutral.")


@lru_cache(maxsize=512)  # computed for passing the turn on and for the turn itself; saves 5 % of a search
def turn_decisions(board: Board, seat: Seat, owned: tuple[Mask, ...], partners: bool) -> tuple[Decision, ...]:
    """The decision of a seat on turn; empty if it has no move.

    Args:
        board: the pile of each square.
        seat: the seat to move.
        owned: the colors of each seat.
        partners: whether opposite seats are partners.
    """
    neutral = neutral_colors(owned)
    if partners:
        options = partner_options(board, owned[seat], owned[opposite(seat)])
    else:
        # All seats may move piles with a neutral top (rule 4.1).
        options = plain_options(board, owned[seat] | neutral)
    return (Decision(seat, NEUTRAL_PROMPT if neutral else PROMPT, tuple(options)),) if options else ()


def plain_options(board: Board, movable: Mask) -> list[Move]:
    """The moves of piles topped by a movable color, without partners (rules 4.1 to 4.4)."""
    # An empty square is 0, and so false. tests/perft/naive_jinns.py checks the moves with an independent program.
    occupied = list(compress(range(SQUARES), board))
    piles, movers = len(occupied), TOPPED_BY[movable]
    bundles = plain_moves()
    options: list[Move] = []
    for n, origin in enumerate(occupied):
        if (pile := board[origin]) in movers:
            steps, lifts = movers[pile]
            # There must be at least as many other piles as the pawn's strength, since a move must not go around the
            # lake more than once (rule 4.3).
            if steps < piles:
                # Negative indices wrap around the ring.
                ahead, behind = occupied[n + steps - piles], occupied[n - steps]
                # Only pawns without a color of the target can come along (rule 4.4).
                options += bundles[lifts[COLORS_OF[board[ahead]]]][origin][ahead]
                # Two directions to the same pile are one move (rule 10).
                if behind != ahead:
                    options += bundles[lifts[COLORS_OF[board[behind]]]][origin][behind]
    return options


def partner_options(board: Board, own: Mask, partner: Mask) -> list[Move]:
    """The moves with partners, who must not cover each other and may share towers (rules 4.5 and 5)."""
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
    """The squares that a pile reaches by counting, clockwise and counterclockwise, legal or not (rule 4.3)."""
    occupied = [square for square in RING if board[square]]
    steps, n = board[origin].top.strength, occupied.index(origin)
    if steps >= len(occupied):
        return ()
    return tuple(dict.fromkeys((occupied[n + steps - len(occupied)], occupied[n - steps])))

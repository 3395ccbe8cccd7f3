"""Evaluation of Jinns of the Lake: points, possible gains and losses, and mobility."""

from __future__ import annotations

from engine.evaluation import Evaluation
from engine.games.jinns.balance import lopsidedness
from engine.games.jinns.options import opposite
from engine.games.jinns.pawns import ALL_COLORS, COLORS, COLORS_OF, EMPTY, HEIGHT, TOPPED_BY, TOWER, Board, Pile
from engine.games.jinns.ring import SQUARES
from engine.games.jinns.state import Jinns
from engine.texts import Seat, Text

NAMES = (
    "points",  # 7
    "taken",  # points of taken piles, which are safe (4.6)
    "covered",  # strength of own pawns below others (7)
    "movable",  # piles that the seat can move (4.1 to 4.5)
    "stuck",  # points of its piles that cannot move (4.7)
    "exposed",  # points of its piles on which rivals can land (4.4)
    "tower",  # points of the best tower within reach (4.6) ...
    "towers",  # ... and of all of them
    "gain",  # gain by the best move
    "next",  # whether the seat is on turn,
    "next_tower",  # then its best tower
    "next_gain",  # and its best gain
    "lopsided",  # before the first move: how unevenly the strength of its colors is spread around the lake (3)
)
_POINTS, _TAKEN, _COVERED, _MOVABLE, _STUCK, _EXPOSED, _TOWER, _TOWERS, _GAIN = range(9)
_NEXT, _NEXT_TOWER, _NEXT_GAIN, _LOPSIDED = range(9, len(NAMES))
_NOTHING = (0.0,) * len(NAMES)

NO_OWNER = -1
"""The owner of a neutral color."""


def progress(state: Jinns) -> float:
    """The part of empty squares; 0 until the first move."""
    return 0.0 if state.is_setting_up else state.board.count(EMPTY) / SQUARES


def features(state: Jinns) -> list[list[float]]:
    """The features of each seat, or their sum for partners with a team score (rule 9)."""
    rows = [[*_NOTHING] for _ in state.owned]
    owners = tuple(_owner(state, 1 << n) for n in range(len(COLORS)))
    # The initial layout has no predictive value once pawns have moved.
    if not state.moves:
        _count_lopsided(rows, state, owners)
    if not state.is_setting_up:
        _count_turns(rows, state, owners)
    if not state.terms.team_score:
        return rows
    both = [(own, rows[opposite(Seat(seat))]) for seat, own in enumerate(rows)]
    return [[mine + partners for mine, partners in zip(*pair, strict=True)] for pair in both]


def _count_turns(rows: list[list[float]], state: Jinns, owners: tuple[int, ...]) -> None:
    """Add the features of a position after the setup."""
    for seat, piles in enumerate(state.taken_piles):
        rows[seat][_TAKEN] = rows[seat][_POINTS] = state.taken_points(Seat(seat)) if piles else 0
    _count_piles(rows, state.board, owners)
    _count_moves(rows, state, owners)
    row = rows[state.turn]
    row[_NEXT], row[_NEXT_TOWER], row[_NEXT_GAIN] = 1, row[_TOWER], row[_GAIN]


def _count_lopsided(rows: list[list[float]], state: Jinns, owners: tuple[int, ...]) -> None:
    """Add the lopsidedness of colors with an owner. It is unknown during a random setup."""
    if state.terms.random and EMPTY in state.board:
        return
    for owner, much in zip(owners, lopsidedness(state.board, state.seats), strict=True):
        if owner != NO_OWNER:
            rows[owner][_LOPSIDED] += much


def _owner(state: Jinns, color: int) -> int:
    return next((seat for seat, mask in enumerate(state.owned) if mask & color), NO_OWNER)


# --- Piles -----------------------------------------------------------------------------------------------------------


def _pawns(pile: Pile) -> tuple[tuple[int, int, int], ...]:
    """The color index of each pawn of a pile, its points (only of the top pawn), and its strength if covered."""
    *below, top = pile.pawns
    return (
        (COLORS.index(top.color), pile.points, 0),
        *((COLORS.index(pawn.color), 0, pawn.strength) for pawn in below),
    )


_STANDING = TOPPED_BY[ALL_COLORS]
_PAWNS = {pile: _pawns(pile) for pile in _STANDING}
_COLOR = {pile: pawns[0][0] for pile, pawns in _PAWNS.items()}
_WORTH = {pile: pawns[0][1] for pile, pawns in _PAWNS.items()}
"""Pile -> its points for the owner of the top pawn. The index of the top pawn's color is in `_COLOR`."""


def _count_piles(rows: list[list[float]], board: Board, owners: tuple[int, ...]) -> None:
    for pile in filter(None, board):
        for color, points, covered in _PAWNS[pile]:
            if (seat := owners[color]) != NO_OWNER:
                rows[seat][_POINTS] += points
                rows[seat][_COVERED] += covered


# --- Moves -----------------------------------------------------------------------------------------------------------


def _count_moves(rows: list[list[float]], state: Jinns, owners: tuple[int, ...]) -> None:
    """Add the features of all piles and the piles on which they can land, in both directions (rules 4.3 and 4.4)."""
    piles = list(filter(None, state.board))
    count, partners = len(piles), state.terms.partners
    exposed: set[int] = set()
    for n, pile in enumerate(piles):
        strength, lifts = _STANDING[pile]
        mover, worth, moves = owners[_COLOR[pile]], _WORTH[pile], False
        # The seat on turn can move neutral piles (rule 4.1).
        row = rows[state.turn if mover == NO_OWNER else mover]
        # There must be at least as many other piles as the pawn's strength (rule 4.3).
        for at in ((n + strength - count), n - strength) if strength < count else ():
            below = piles[at]
            owner, lifted = owners[_COLOR[below]], lifts[COLORS_OF[below]]
            # A pile cannot land on the partner's color (rule 4.5).
            if lifted and not (partners and owner == opposite(Seat(mover))):
                moves = True
                if owner != mover:
                    # `at` may be negative, so the index is normalized.
                    exposed.add(at % count)
                # With as many pawns as possible, since higher piles have more points (rule 7).
                _count_landing(row, strength, HEIGHT[below] + lifted, worth + _WORTH[below] * (owner == mover))
        if mover != NO_OWNER:
            row[_MOVABLE if moves else _STUCK] += 1 if moves else worth
    for at in exposed:
        if (owner := owners[_COLOR[piles[at]]]) != NO_OWNER:
            rows[owner][_EXPOSED] += _WORTH[piles[at]]


def _count_landing(row: list[float], strength: int, storeys: int, before: int) -> None:
    """Add a landing that makes a pile of `storeys`, of which the seat had the points `before` already."""
    points = strength * storeys
    # The maximum, since pawns of a pile have different colors (rule 4.4).
    if storeys == TOWER:
        row[_TOWERS] += points
        row[_TOWER] = max(row[_TOWER], points)
    row[_GAIN] = max(row[_GAIN], points - before)


PHRASES = {
    "points": (Text("more points"), Text("fewer points")),
    "taken": (Text("more points that nobody can take away"), Text("fewer points that nobody can take away")),
    "covered": (Text("more strength buried under others"), Text("less strength buried under others")),
    "movable": (Text("more piles that can move"), Text("fewer piles that can move")),
    "stuck": (
        Text("more points in piles that cannot move"),
        Text("fewer points in piles that cannot move"),
    ),
    "exposed": (Text("more points that others can land on"), Text("fewer points that others can land on")),
    "tower": (Text("a better tower within reach"), Text("no better tower within reach")),
    "towers": (Text("more towers within reach"), Text("fewer towers within reach")),
    "gain": (Text("a better move later"), Text("no good move later")),
    "next_tower": (Text("a better tower to take next turn"), Text("no better tower to take next turn")),
    "next_gain": (Text("a better move next turn"), Text("no good move next turn")),
    "lopsided": (
        Text("strength on one side of the lake"),
        Text("strength spread more evenly around the lake"),
    ),
}
"""Feature -> the phrases for more and for less of it."""


EVALUATE = Evaluation(__package__, NAMES, features, progress, phrases=PHRASES)

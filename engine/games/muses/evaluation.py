"""What a position of Dance of Muses is worth: what the hand would give now, how it may turn, and points so far."""

from __future__ import annotations

from collections.abc import Sequence

from engine.evaluation import Evaluation
from engine.games.muses.floor import NEUTRAL, TOP
from engine.games.muses.frames.dance import AfterMove, MustMove, Turn
from engine.games.muses.scoring import bonus_size
from engine.games.muses.state import Muses
from engine.games.muses.tiles import FIRST_HIDDEN
from engine.texts import Seat, Text

NAMES = (
    "points",  # of the match if the hand ended now (8)
    "so_far",  # those of the hands before (8.3)
    "last_points",  # in the last hand, by how many points it would win the match or lose it (9)
    "bonus",  # what the hand would give for the first rank (8.2)
    "ahead",  # how much higher its dice are, rank by rank, before the suns (8.1)
    "ahead_at_top",  # the same of the first rank alone
    "dice",  # their sum, before the suns (9)
    "at_suns",  # dice that the will of Apollo would raise now (7.1),
    "near_suns",  # after one more step,
    "past_suns",  # or never again by steps
    "fives",  # dice that one more step makes 6, which ends the hand (7)
    "next",  # who has the next turn,
    "next_ends",  # and could end the hand: by how many points it would be ahead
)
_POINTS, _SO_FAR, _LAST, _BONUS, _AHEAD, _AT_TOP, _DICE, _AT, _NEAR, _PAST, _FIVES, _NEXT, _ENDS = range(len(NAMES))

_MOST_AHEAD = 2
"""More than this nobody is said to be ahead: it wins anyway."""


def progress(state: Muses) -> float:
    """By the greatest die, which ends the hand (rule 7)."""
    return (max(state.floor.values, default=1) - 1) / (TOP - 1)


def features(state: Muses) -> list[list[float]]:
    """A row for each seat, the same to team mates."""
    rows = [[0.0] * len(NAMES) for _ in state.points]
    for row, points in zip(rows, state.points, strict=True):
        row[_SO_FAR] = row[_POINTS] = points
    shown, raised = _count_dice(rows, state)
    _compare(rows, shown)
    # Before `_look_ahead`, which compares the points that this completes.
    _award(rows, raised, bonus_size(state.hand, state.setup.options.hands, paid=any(state.bonuses)))
    _look_ahead(rows, state)
    return [rows[state.company_of(seat)] for seat in range(state.setup.seats)]


Dice = list[list[int]]
"""Company -> the values of its dice, falling."""


def _count_dice(rows: list[list[float]], state: Muses) -> tuple[Dice, Dice]:
    """The dice as they show, and as Apollo raises them."""
    suns, secrets, floor = state.muse_table.suns, state.secrets, state.floor
    shown: Dice = [[] for _ in rows]
    raised: Dice = [[] for _ in rows]
    for tile, value, company in zip(floor.tiles, floor.values, floor.colors, strict=True):
        if company == NEUTRAL:
            continue
        # Only full positions are valued, and in those it is known.
        muse = tile if tile < FIRST_HIDDEN else secrets[tile - FIRST_HIDDEN]
        assert muse is not None, "a face-down tile is some Muse"
        missing, row = suns[muse] - value, rows[company]
        # 0: Apollo would raise the die now; 1: after one more step; below 0: never by steps.
        if missing < 2:
            row[_PAST if missing < 0 else _AT + missing] += 1
        row[_FIVES] += value == TOP - 1
        row[_DICE] += value
        shown[company].append(value)
        raised[company].append(value if missing else TOP)
    for dice in (*shown, *raised):
        dice.sort(reverse=True)
    return shown, raised


def _compare(rows: list[list[float]], shown: Dice) -> None:
    """Rank by rank with the best rival (rule 8.1)."""
    # While tiles are laid some companies have fewer dice, as in `ranking`.
    for rank, values in enumerate(zip(*shown, strict=False)):
        for row, lead in zip(rows, _leads(values), strict=True):
            row[_AHEAD] += _clipped(lead)
            if not rank:
                row[_AT_TOP] = lead


def _leads(values: Sequence[float]) -> list[float]:
    """By how much each is above the best of the others."""
    *_, second, best = sorted(values)
    return [value - (best if value < best else second) for value in values]


def _award(rows: list[list[float]], raised: Dice, bonus: int) -> None:
    """The points that the hand would give (rule 8)."""
    for values in zip(*raised, strict=False):
        best = max(values)
        if values.count(best) == 1:
            row = rows[values.index(best)]
            row[_POINTS] += 1 + bonus
            row[_BONUS] += bonus
            # The first rank that anybody wins has it (rule 8.2).
            bonus = 0


def _look_ahead(rows: list[list[float]], state: Muses) -> None:
    """What the end of the hand would mean, and who has the next turn to bring it about."""
    leads = _leads([row[_POINTS] for row in rows])
    # In the last hand its lead decides the match (rule 9).
    if state.hand == state.setup.options.hands:
        for row, lead in zip(rows, leads, strict=True):
            row[_LAST] = _clipped(lead)
    if (seat := _next(state)) is not None:
        company = state.company_of(seat)
        rows[company][_NEXT] = 1
        rows[company][_ENDS] = leads[company] if TOP - 1 in state.floor.values else 0


def _clipped(lead: float) -> float:
    return max(-_MOST_AHEAD, min(_MOST_AHEAD, lead))


def _next(state: Muses) -> Seat | None:
    """Whose turn comes, the one at work left aside; while tiles are placed who has the first."""
    frame = state.frames[-1]
    if isinstance(frame, Turn):
        return frame.seat
    return state.next_seat(frame.seat) if isinstance(frame, MustMove | AfterMove) else state.first


SAID = {
    "points": (Text("more points if the hand ended now"), Text("fewer points if the hand ended now")),
    "last_points": (Text("a greater lead in the last hand"), Text("a smaller lead in the last hand")),
    "bonus": (Text("the bonus of the first rank"), Text("less of the bonus of the first rank")),
    "ahead": (Text("dice further ahead, rank by rank"), Text("dice further behind, rank by rank")),
    "ahead_at_top": (Text("a better die in the first rank"), Text("a weaker die in the first rank")),
    "dice": (Text("higher dice"), Text("lower dice")),
    "at_suns": (Text("more dice for Apollo to raise"), Text("fewer dice for Apollo to raise")),
    "near_suns": (Text("more dice one step from their suns"), Text("fewer dice one step from their suns")),
    "past_suns": (Text("more dice past their suns"), Text("fewer dice past their suns")),
    "fives": (Text("more dice about to become a 6"), Text("fewer dice about to become a 6")),
    "next_ends": (Text("a lead when the hand can be ended"), Text("no lead when the hand can be ended")),
}
"""How to put it that somebody has more of a feature, or less of it."""


EVALUATE = Evaluation(__package__, NAMES, features, progress, said=SAID)

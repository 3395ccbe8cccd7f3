"""Evaluation of Dance of Muses: points so far, the present result of the hand, and its possible changes."""

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
    "points",  # points of the match if the hand ended now (8)
    "so_far",  # points of earlier hands (8.3)
    "last_points",  # in the last hand, the lead in points if it ended now (9)
    "bonus",  # the bonus if the hand ended now (8.2)
    "ahead",  # the lead of its dice, rank by rank, before the suns (8.1)
    "ahead_at_top",  # the lead in the first rank
    "dice",  # the sum of its dice before the suns (9)
    "at_suns",  # dice that the will of Apollo would raise now (7.1),
    "near_suns",  # after one more step,
    "past_suns",  # or never again by steps
    "fives",  # dice that become 6 by one more step, which ends the hand (7)
    "next",  # whether the company has the next turn,
    "next_ends",  # and then, if it can end the hand, its lead in points
)
_POINTS, _SO_FAR, _LAST, _BONUS, _AHEAD, _AT_TOP, _DICE, _AT, _NEAR, _PAST, _FIVES, _NEXT, _ENDS = range(len(NAMES))

_MAX_LEAD = 2
"""Upper limit of leads, since larger ones win as well."""


def progress(state: Muses) -> float:
    """The progress of the greatest die towards 6, which ends the hand (rule 7)."""
    return (max(state.floor.values, default=1) - 1) / (TOP - 1)


def features(state: Muses) -> list[list[float]]:
    """The features of each seat, equal for team mates."""
    rows = [[0.0] * len(NAMES) for _ in state.points]
    for row, points in zip(rows, state.points, strict=True):
        row[_SO_FAR] = row[_POINTS] = points
    present, raised = _count_dice(rows, state)
    _compare(rows, present)
    # Before `_look_ahead`, which needs the points that this adds.
    _award(rows, raised, bonus_size(state.hand, state.setup.options.hands, paid=any(state.bonuses)))
    _look_ahead(rows, state)
    return [rows[state.company_of(seat)] for seat in range(state.setup.seats)]


Dice = list[list[int]]
"""Company -> the values of its dice in descending order."""


def _count_dice(rows: list[list[float]], state: Muses) -> tuple[Dice, Dice]:
    """Add the features of single dice. Returns the present dice, and the dice as Apollo would raise them."""
    suns, secrets, floor = state.muse_table.suns, state.secrets, state.floor
    present: Dice = [[] for _ in rows]
    raised: Dice = [[] for _ in rows]
    for tile, value, company in zip(floor.tiles, floor.values, floor.colors, strict=True):
        if company == NEUTRAL:
            continue
        # Only full positions are evaluated, in which it is known.
        muse = tile if tile < FIRST_HIDDEN else secrets[tile - FIRST_HIDDEN]
        assert muse is not None, "a face-down tile is some Muse"
        missing, row = suns[muse] - value, rows[company]
        # 0: Apollo would raise the die now; 1: after one more step; negative: never by steps.
        if missing < 2:
            row[_PAST if missing < 0 else _AT + missing] += 1
        row[_FIVES] += value == TOP - 1
        row[_DICE] += value
        present[company].append(value)
        raised[company].append(value if missing else TOP)
    for dice in (*present, *raised):
        dice.sort(reverse=True)
    return present, raised


def _compare(rows: list[list[float]], present: Dice) -> None:
    """Add the leads over the best rival, rank by rank (rule 8.1)."""
    # While tiles are laid, some companies have fewer dice, as in `ranking`.
    for rank, values in enumerate(zip(*present, strict=False)):
        for row, lead in zip(rows, _leads(values), strict=True):
            row[_AHEAD] += _clip(lead)
            if not rank:
                row[_AT_TOP] = lead


def _leads(values: Sequence[float]) -> list[float]:
    """The difference of each value from the best of the others."""
    *_, second, best = sorted(values)
    return [value - (best if value < best else second) for value in values]


def _award(rows: list[list[float]], raised: Dice, bonus: int) -> None:
    """Add the points of the hand if it ended now (rule 8)."""
    for values in zip(*raised, strict=False):
        best = max(values)
        if values.count(best) == 1:
            row = rows[values.index(best)]
            row[_POINTS] += 1 + bonus
            row[_BONUS] += bonus
            # The first rank with a winner brings the bonus (rule 8.2).
            bonus = 0


def _look_ahead(rows: list[list[float]], state: Muses) -> None:
    """Add the features of the end of the hand and of the next turn."""
    leads = _leads([row[_POINTS] for row in rows])
    # In the last hand its lead decides the match (rule 9).
    if state.hand == state.setup.options.hands:
        for row, lead in zip(rows, leads, strict=True):
            row[_LAST] = _clip(lead)
    if (seat := _next_turn_seat(state)) is not None:
        company = state.company_of(seat)
        rows[company][_NEXT] = 1
        rows[company][_ENDS] = leads[company] if TOP - 1 in state.floor.values else 0


def _clip(lead: float) -> float:
    return max(-_MAX_LEAD, min(_MAX_LEAD, lead))


def _next_turn_seat(state: Muses) -> Seat | None:
    """The seat with the next turn after the current one; while tiles are laid, the seat with the first turn."""
    frame = state.frames[-1]
    if isinstance(frame, Turn):
        return frame.seat
    return state.next_seat(frame.seat) if isinstance(frame, MustMove | AfterMove) else state.first


PHRASES = {
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
"""Feature -> the phrases for more and for less of it."""


EVALUATE = Evaluation(__package__, NAMES, features, progress, phrases=PHRASES)

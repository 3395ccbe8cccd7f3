"""The money that a seat can expect to bring home from the cave, in a model of one seat (rules 3.3 to 3.6).

In the model, a seat without claims is caught in a turn in danger with the probability `CATCH_CHANCE`, which decreases
linearly with the marks claimed. A seat that was caught gains `MARKS_LEARNED` marks and steals again in its next turn,
for the best number of turns.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import exp
from typing import NamedTuple

from engine.games.alibaba.data import CAVE
from engine.town.data import CARD_COUNTS, MARKS, WALK

THOUSAND = 1_000
CATCH_CHANCE = 0.3
MARKS_LEARNED = 10
ALL_MARKS = sum(map(len, MARKS.values()))
STEPS_A_TURN = sum(value * count for value, count in CARD_COUNTS.items()) / sum(CARD_COUNTS.values())
"""Average number of steps in a turn."""

TURNS = int(WALK / STEPS_A_TURN)
"""Average number of turns in a game."""

Gains = tuple[tuple[float, ...], ...]
"""Turns left, marks claimed -> expected thousands of a seat that is on turn and free to steal."""


class Prospect(NamedTuple):
    """The chance that a stake comes home, and the expected thousands of later stakes."""

    spared: float
    later: float


def free_gain(seats: int, steps: int, wait: int, marks: int) -> float:
    """The expected thousands of a seat without a stake whose own turn comes after `wait` turns of others."""
    return _gain(gains(seats), steps / STEPS_A_TURN - wait, marks)


@lru_cache(maxsize=1 << 14)
def stake_prospect(seats: int, steps: int, wait: int, marks: int, dangers: range) -> Prospect:
    """The prospect of a seat with a stake in danger in these turns, counted from now; its own turn is after `wait`."""
    to_come, table, last = steps / STEPS_A_TURN, gains(seats), dangers.stop - 1
    caught, spared, later = _catch_chance(marks), 1.0, 0.0
    for turn in dangers:
        later += spared * caught * _gain(table, to_come - _next_own(turn, wait, seats), marks + MARKS_LEARNED)
        spared *= 1 - caught
    later += spared * _gain(table, to_come - _next_own(last, wait, seats), marks)
    # The chance that the stake is safe before the game ends: a logistic curve, since the number of turns is less
    # certain the more steps are left.
    spare = (to_come - last) / (0.5 + 0.1 * to_come)
    in_time = 1 / (1 + exp(-2 * spare)) if spare < 10 else 1.0
    return Prospect(spared * in_time, later)


def _next_own(turn: int, wait: int, seats: int) -> int:
    """The next own turn of a seat after `turn`; both are counted from the current turn."""
    return turn + 1 + (wait - turn - 1) % seats


def _catch_chance(marks: int) -> float:
    return CATCH_CHANCE * (1 - min(marks, ALL_MARKS) / ALL_MARKS)


def _gain(table: Gains, turns: float, marks: int) -> float:
    """The interpolated value of a table between two turns."""
    whole = int(turns)
    if turns <= 0 or whole >= TURNS:
        return table[0 if turns <= 0 else TURNS][min(marks, ALL_MARKS)]
    sooner, later = table[whole][min(marks, ALL_MARKS)], table[whole + 1][min(marks, ALL_MARKS)]
    return sooner + (turns - whole) * (later - sooner)


# --- Alone in the cave -----------------------------------------------------------------------------------------------


@cache
def gains(seats: int) -> Gains:
    """The table of gains, computed backwards from the end of the game."""
    table: list[tuple[float, ...]] = [(0.0,) * (ALL_MARKS + 1)]
    for turns in range(1, TURNS + 1):
        table.append(tuple(_best_gain(table, seats, turns, marks) for marks in range(ALL_MARKS + 1)))
    return tuple(table)


def _best_gain(table: list[tuple[float, ...]], seats: int, turns: int, marks: int) -> float:
    """The expected thousands with the best stay."""
    caught, spared, lost = _catch_chance(marks), 1.0, 0.0
    # Steal nothing now and choose again a round later.
    best = table[max(0, turns - seats)][marks]
    # Only stays that end before the game does.
    for stay, money in enumerate(CAVE[:turns]):
        # The seat is free again in its first turn after the stay: whole rounds, rounded up.
        then = table[max(0, turns - seats * -(-(stay + 1) // seats))]
        lost += spared * caught * then[min(marks + MARKS_LEARNED, ALL_MARKS)]
        spared *= 1 - caught
        best = max(best, lost + spared * (money / THOUSAND + then[marks]))
    return best

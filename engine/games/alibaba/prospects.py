"""What a seat may still bring home from the cave, if it were alone there and met thieves by chance (rules 3.3 to 3.6).

A turn in danger catches somebody without claims as often as `CATCHES` says, and less the more marks they have claimed.
Who was caught has claimed `LEARNED` marks more, and steals again in their next turn, for as many turns as then are
best.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import exp
from typing import NamedTuple

from engine.games.alibaba.data import CAVE
from engine.town.data import CARD_COUNTS, MARKS, WALK

THOUSAND = 1_000
CATCHES = 0.3
LEARNED = 10
ALL_MARKS = sum(map(len, MARKS.values()))
STEPS_A_TURN = sum(value * count for value, count in CARD_COUNTS.items()) / sum(CARD_COUNTS.values())
"""How far the camel goes in a turn, on average."""

TURNS = int(WALK / STEPS_A_TURN)
"""Of a game, on average."""

Gains = tuple[tuple[float, ...], ...]
"""Turns left, marks claimed -> thousands that somebody may expect whose turn it is, and who is free to steal."""


class Prospect(NamedTuple):
    """How likely a stake comes home, and how many thousands may be brought home after it, whatever becomes of it."""

    spared: float
    later: float


def free(seats: int, steps: int, wait: int, marks: int) -> float:
    """The thousands that a seat without a stake may still bring home if it steals after so many turns of others."""
    return _gain(gains(seats), steps / STEPS_A_TURN - wait, marks)


@lru_cache(maxsize=1 << 14)
def staked(seats: int, steps: int, wait: int, marks: int, dangers: range) -> Prospect:
    """The prospect of somebody with a stake in danger in these turns from now on, whose own turn comes after `wait`."""
    to_come, table, last = steps / STEPS_A_TURN, gains(seats), dangers.stop - 1
    caught, spared, later = _caught(marks), 1.0, 0.0
    for turn in dangers:
        later += spared * caught * _gain(table, to_come - _next_own(turn, wait, seats), marks + LEARNED)
        spared *= 1 - caught
    later += spared * _gain(table, to_come - _next_own(last, wait, seats), marks)
    # How likely the camel is not home before the stake is safe. A logistic curve: the longer the way home, the less
    # certain the number of turns it takes.
    spare = (to_come - last) / (0.5 + 0.1 * to_come)
    in_time = 1 / (1 + exp(-2 * spare)) if spare < 10 else 1.0
    return Prospect(spared * in_time, later)


def _next_own(turn: int, wait: int, seats: int) -> int:
    """The first turn of a seat after this one, counted like `turn` from the one at work."""
    return turn + 1 + (wait - turn - 1) % seats


def _caught(marks: int) -> float:
    return CATCHES * (1 - min(marks, ALL_MARKS) / ALL_MARKS)


def _gain(table: Gains, turns: float, marks: int) -> float:
    """What a table says of a moment between two turns."""
    whole = int(turns)
    if turns <= 0 or whole >= TURNS:
        return table[0 if turns <= 0 else TURNS][min(marks, ALL_MARKS)]
    sooner, later = table[whole][min(marks, ALL_MARKS)], table[whole + 1][min(marks, ALL_MARKS)]
    return sooner + (turns - whole) * (later - sooner)


# --- Alone in the cave -----------------------------------------------------------------------------------------------


@cache
def gains(seats: int) -> Gains:
    """Found from the end of the game on, turn by turn."""
    table: list[tuple[float, ...]] = [(0.0,) * (ALL_MARKS + 1)]
    for turns in range(1, TURNS + 1):
        table.append(tuple(_best_gain(table, seats, turns, marks) for marks in range(ALL_MARKS + 1)))
    return tuple(table)


def _best_gain(table: list[tuple[float, ...]], seats: int, turns: int, marks: int) -> float:
    """By the stay that is best."""
    caught, spared, lost = _caught(marks), 1.0, 0.0
    # Steal nothing now, and choose again a round later.
    best = table[max(0, turns - seats)][marks]
    # Only stays that end before the game does.
    for stay, money in enumerate(CAVE[:turns]):
        # The seat is free again in its first turn after the stay: whole rounds, rounded up.
        then = table[max(0, turns - seats * -(-(stay + 1) // seats))]
        lost += spared * caught * then[min(marks + LEARNED, ALL_MARKS)]
        spared *= 1 - caught
        best = max(best, lost + spared * (money / THOUSAND + then[marks]))
    return best

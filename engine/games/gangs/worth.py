"""What a position of the gangs is worth: money, and bandits by what they bring and what they may cost."""

from __future__ import annotations

from engine.evaluation import Evaluation
from engine.games.gangs.data import FINE, FULL_GROUP
from engine.games.gangs.state import Danger, GangsTable
from engine.town.data import COPIES, LAP, MARKS, WALK, Thief
from engine.town.thieves import GANGS, NUMBERS, PIPS, THIEVES, VALUE, square

NAMES = (
    "purse",  # in hundreds (4)
    "lap",  # what the bandits bring at the end of the lap, in hundreds (3.7)
    *(f"{gang}_raids" for gang in GANGS),  # the value of a gang's bandits, by how much of the lap is left (3.3, 3.5)
    "triples",  # types that lack one card of a full group, by their value (3.5)
    "danger",  # what the raid at work brings on average, fines taken off (3.5)
    "worst",  # the fine that it may cost (3.5)
    "cards",  # movement cards left in the hand, one for each turn (3.1)
)
HUNDRED = 100
_LAP, _RAIDS, _TRIPLES = 1, 2, 2 + len(GANGS)


def progress(state: GangsTable) -> float:
    """By the steps of the camel."""
    return min(1.0, state.walked / WALK)


def features(state: GangsTable) -> list[list[float]]:
    """A row for each seat."""
    left = 1 - state.walked % LAP / LAP
    danger = state.danger if state.danger and not state.danger.over else None
    return [_row(state, seat, left, danger) for seat in range(state.setup.seats)]


def _row(state: GangsTable, seat: int, left: float, danger: Danger | None) -> list[float]:
    row = [0.0] * len(NAMES)
    row[0], bandits = state.purses[seat] / HUNDRED, state.bandits[seat]
    row[-1] = len(state.cards.hands[seat])
    if not bandits:
        return row
    for thief in dict.fromkeys(bandits):
        cards = bandits.count(thief)
        value = VALUE[thief] * cards * (FULL_GROUP if cards == COPIES else 1) / HUNDRED
        row[_LAP] += value
        row[_RAIDS + thief.gang.place] += value * left
        if cards == COPIES - 1:
            row[_TRIPLES] += VALUE[thief] * left / HUNDRED
        if danger and danger.threatens(thief):
            arrest = _arrest(thief, danger.black)
            row[-3] += value * (1 - arrest) - FINE * value * arrest
            row[-2] += FINE * value * (arrest > 0)
        elif danger and thief in danger.types:
            row[-3] += value
    return row


def _arrest(thief: Thief, black: int) -> float:
    """How likely a type is arrested, once the black die has fallen or before (0)."""
    return _IN_LINE[thief][black - 1] / PIPS if black else len(MARKS[thief]) / len(NUMBERS)


_IN_LINE = {thief: tuple(sum(square(n)[0] == line for n in MARKS[thief]) for line in range(PIPS)) for thief in THIEVES}
"""Type -> how many of its marks are in each line of the table."""


EVALUATE = Evaluation(__package__, NAMES, features, progress)

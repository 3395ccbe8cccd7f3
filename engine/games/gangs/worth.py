"""What a position of the gangs is worth."""

from __future__ import annotations

from engine.evaluation import Evaluation, Row
from engine.games.gangs.state import GangsTable
from engine.town.data import WALK


def progress(state: GangsTable) -> float:
    """By the steps of the camel."""
    return min(1.0, state.walked / WALK)


def features(state: GangsTable) -> list[Row]:
    """A row for each seat, money in hundreds."""
    return [(purse / 100,) for purse in state.purses]


EVALUATE = Evaluation(__package__, ("purse",), features, progress)

"""What a position of the cave is worth."""

from __future__ import annotations

from engine.evaluation import Evaluation, Row
from engine.games.alibaba.state import Cave
from engine.town.data import WALK


def progress(state: Cave) -> float:
    """By the steps of the camel."""
    return min(1.0, state.walked / WALK)


def features(state: Cave) -> list[Row]:
    """A row for each seat, money in thousands."""
    return [(purse / 1000,) for purse in state.purses]


EVALUATE = Evaluation(__package__, ("purse",), features, progress)

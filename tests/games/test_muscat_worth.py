"""What weighs positions of Muscat: how far a game has come, by all that may end it."""

from __future__ import annotations

import pytest

from engine.games.muscat.evaluation import EVALUATE, progress
from tests.games.muscat_positions import position


def test_progress_grows_with_the_rounds_and_with_the_palace() -> None:
    full = {"palace": "P0 S0 E0 P1 S1 E1"}
    assert progress(position()) < progress(position(round=10)) < progress(position(round=10, **full))
    assert progress(position(round=30, **full)) == 1


def test_progress_grows_as_a_seat_runs_out_of_artists() -> None:
    rich, poor, empty = (position(round=10, piles={1: pile}, faceup={1: ""}) for pile in ("PPSSEEFF", "PS", ""))
    assert progress(rich) < progress(poor) < progress(empty)
    assert progress(empty) == pytest.approx(progress(position(round=10, palace="P0 S0 E0 P1 S1 E1")))


def test_the_evaluation_foresees_an_end_by_exhaustion() -> None:
    board = {"4A": "P0 S0", "3A": "E0 P0", "1A": "P1 S2"}
    far = EVALUATE(position(markets=board, round=18))
    near = EVALUATE(position(markets=board, round=18, piles={2: ""}, faceup={2: ""}))
    assert 1 / 3 < far[0] < near[0], "who is ahead is surer of it"

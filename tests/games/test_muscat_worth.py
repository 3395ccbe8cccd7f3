"""Weight of positions of Muscat: how far a game has come, by all that may end it."""

from __future__ import annotations

import pytest

from engine.games.muscat.evaluation import EVALUATE, progress
from engine.games.muscat.state import Muscat
from tests.games.muscat_positions import position, table


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


def feature(name: str, state: Muscat) -> list[float]:
    """A feature of each seat."""
    return [row[EVALUATE.names.index(name)] for row in EVALUATE.features(state)]


def test_the_level_counts_from_which_the_next_seat_could_rise() -> None:
    low, high = {"1A": "P0 S1 E1"}, {"3B": "P1 S0 E2"}
    assert [1, 0, 0] == feature("next_rises", position(markets=low))
    assert [3, 0, 0] == feature("next_rises", position(markets=low | high))
    assert [0, 0, 0] == feature("next_rises", position(markets={"2A": "P1 S1 E0"})), "the weakest falls"


def test_a_seat_owes_an_artist_from_its_action_until_it_gives_one_up() -> None:
    t = table(markets={"1A": "P0", "1B": "S1 E2"}, streets={1: "F0 F0"})
    owing = [feature("owing", t.state)]
    for action in ("change P 1A 1B", "rise 2A", "rise 2B", "remove F 1"):
        t.play(action)
        owing.append(feature("owing", t.state))
    assert [[0, 0, 0], [1, 0, 0], [1, 0, 0], [1, 0, 0], [0, 0, 0]] == owing

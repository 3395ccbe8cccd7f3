"""Learning what positions are worth: the fit, the table, and games that can be played again."""

from __future__ import annotations

import tomllib
from argparse import Namespace
from random import Random

import pytest

from engine.evaluation import Evaluation, Weights, softmax
from engine.games import discover
from engine.training.__main__ import _trained
from engine.training.fit import KNOTS, equal_log_loss, fitted, log_loss
from engine.training.selfplay import FORESIGHT, Course, Sample, counted, hindsight, samples, trials
from engine.training.table import Figures, written

TRUE = ((1.0, 1.0, 1.0), (-2.0, 0.0, 2.0), (0.0, 0.0, 0.0))
"""Weights of three features by knot: one that never changes, one that turns, and one that does not matter."""


def drawn(rng: Random) -> Sample:
    """A position of three seats with features as they come, won as `TRUE` has it."""
    progress, rows = rng.random(), tuple((rng.gauss(0, 1), rng.gauss(0, 0.5), rng.gauss(0, 9)) for _ in range(3))
    worths = [one + two * (4 * progress - 2) for one, two, _ in rows]
    (winner,) = rng.choices(range(3), softmax(worths))
    return Sample(
        progress, rows, tuple(float(seat == winner) for seat in range(3)), tuple(round(9 * w) for w in worths)
    )


def test_a_fit_finds_the_features_that_matter_and_when() -> None:
    rng = Random("fit")
    known, unseen = ([drawn(rng) for _ in range(n)] for n in (800, 300))
    found, alone = fitted(known, len(TRUE)), fitted(known, 1)
    one, two, three = found
    assert all(0.5 < knot < 1.5 for knot in one)
    assert two[0] < -0.7 < two[1] < 0.7 < two[2]
    assert all(abs(knot) < 0.05 for knot in three)
    assert log_loss(unseen, found) < log_loss(unseen, alone) < equal_log_loss(unseen)


def test_a_table_is_read_as_it_was_written_and_keeps_what_it_had() -> None:
    figures = Figures(20, 240, 0.5, 0.6, 0.69, [1.0, 0.0, 0.5, 1.0], 2)
    old = written("race", "", {seats: (Weights({"points": (0.5,) * KNOTS}, (0.25,)), figures) for seats in (2, 3)})
    new = written("race", old, {3: (Weights({"points": (1.0,), "next": (-2.0, 0.125)}, (0.75,)), figures)})
    two, three = tomllib.loads(new)["seats"]["2"], tomllib.loads(new)["seats"]["3"]
    assert tomllib.loads(old)["seats"]["2"] == two
    assert {"points": [1.0], "next": [-2.0, 0.125]} == three["weights"]
    assert [0.75] == three["points_alone"]
    assert "62% of 4 (22% to 91%), fair 50%" == three["figures"]["wins_against_points"]


def test_the_same_seed_plays_the_same_games() -> None:
    weights = next(iter(discover()["jinns"].evaluate.weights.values()))  # type: ignore[union-attr]
    courses = (Course("jinns", 2, weights, seed, trusted=True) for seed in ("a", "a", "b"))
    first, again, other = (samples(course, 1, jobs=1) for course in courses)
    assert first == again != other
    ((*seen,),) = first
    assert all(sum(sample.turned_out) == pytest.approx(1) for sample in seen)
    assert all(sum(sample.shares) == 1 and len(sample.rows) == 2 for sample in seen)


def test_a_position_is_judged_by_what_came_after_it() -> None:
    """The last one by the end alone; the ones before also by the guesses on the way, but never by their own."""
    first, last = hindsight([(0.0, 1.0), (0.8, 0.2)], (1.0, 0.0))
    assert (1.0, 0.0) == last
    assert (pytest.approx(0.8 + FORESIGHT * 0.2), pytest.approx(0.2 - FORESIGHT * 0.2)) == first
    known = Sample(0.0, ((1.0,), (0.0,)), (0.0, 1.0), (3, 4), turned_out=(0.9, 0.1))
    ((begun, *_),) = fitted([known] * 900, 1)
    assert begun > 1


def test_a_trial_gives_a_player_its_share_of_each_win() -> None:
    weights = next(iter(discover()["gangs"].evaluate.weights.values()))  # type: ignore[union-attr]
    assert set(trials(Course("gangs", 2, weights, "trial"), 3, jobs=1)) <= {0.0, 0.5, 1.0}


def test_who_counts_points_learns_from_ends_alone() -> None:
    evaluation = discover()["muscat"].evaluate
    assert isinstance(evaluation, Evaluation)
    rows = tuple(tuple(float(n + seat) for n in range(len(evaluation.names))) for seat in range(3))
    seen = Sample(0.5, rows, (1.0, 0.0, 0.0), (9, 8, 7), turned_out=(0.2, 0.3, 0.5))
    (told,) = counted([seen], evaluation)
    assert told.rows == ((0.0,), (1.0,), (2.0,)), "the first feature, which is the points"
    assert not told.turned_out
    assert (told.shares, told.scores) == (seen.shares, seen.scores)


def test_what_points_tell_is_learned_among_those_who_go_by_them() -> None:
    def trained(rounds: int) -> Weights:
        asked = Namespace(game="jinns", games=5, rounds=rounds, like=None, trials=1, jobs=1, seed="points")
        return _trained(asked, 2)[0]

    once, twice = trained(1), trained(2)
    assert once.points_alone == twice.points_alone
    assert once.features != twice.features, "all else is learned from the last round"

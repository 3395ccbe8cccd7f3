"""Training: the fit, the file of weights, and repeatable self-play."""

from __future__ import annotations

import re
import tomllib
from argparse import Namespace
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.core import GameSpec, Setup, State
from engine.evaluation import Evaluation, Weights, softmax
from engine.games import discover
from engine.games.jinns.actions import Place, Strength
from engine.games.jinns.evaluation import NAMES
from tests.engine.toys import TOYS, garden
from tools.training.__main__ import _train, missing_for
from tools.training.fit import EQUAL, KNOTS, fit_feature, fit_weights, log_loss
from tools.training.placing import choose_slanted, play_slanted
from tools.training.selfplay import FORESIGHT, Course, Sample, hindsight, points_only, samples, trials
from tools.training.table import Figures, format_table, with_knots

TRUE = ((1.0, 1.0, 1.0), (-2.0, 0.0, 2.0), (0.0, 0.0, 0.0))
"""Weights of three features by knot: one that never changes, one that turns, and one that does not matter."""


def random_sample(rng: Random) -> Sample:
    """A position of three seats with random features and a winner drawn by the weights `TRUE`."""
    progress, rows = rng.random(), tuple((rng.gauss(0, 1), rng.gauss(0, 0.5), rng.gauss(0, 9)) for _ in range(3))
    logits = [constant + turning * (4 * progress - 2) for constant, turning, _ in rows]
    (winner,) = rng.choices(range(3), softmax(logits))
    return Sample(
        progress, rows, tuple(float(seat == winner) for seat in range(3)), tuple(round(9 * w) for w in logits)
    )


def test_a_fit_finds_which_features_matter_and_when() -> None:
    rng = Random("fit")
    training, unseen = ([random_sample(rng) for _ in range(n)] for n in (800, 300))
    weights, alone = fit_weights(training, len(TRUE)), fit_weights(training, 1)
    constant, turning, useless = weights
    assert all(0.5 < knot < 1.5 for knot in constant)
    assert turning[0] < -0.7 < turning[1] < 0.7 < turning[2]
    assert all(abs(knot) < 0.05 for knot in useless)
    assert log_loss(unseen, weights) < log_loss(unseen, alone) < log_loss(unseen, EQUAL)


def test_a_weight_table_round_trips_and_keeps_its_other_parts() -> None:
    figures = Figures(20, 240, 0.5, 0.6, 0.69, [1.0, 0.0, 0.5, 1.0], 2)
    old = format_table("race", "", {seats: (Weights({"points": (0.5,) * KNOTS}, (0.25,)), figures) for seats in (2, 3)})
    new = format_table("race", old, {3: (Weights({"points": (1.0,), "next": (-2.0, 0.125)}, (0.75,)), figures)})
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
    assert all(sum(sample.hindsight_shares) == pytest.approx(1) for sample in seen)
    assert all(sum(sample.shares) == 1 and len(sample.rows) == 2 for sample in seen)


def test_a_position_is_valued_by_later_estimates_and_the_result() -> None:
    """The last position by the result alone; earlier ones also by later estimates, but not by their own."""
    first, last = hindsight([(0.0, 1.0), (0.8, 0.2)], (1.0, 0.0))
    assert (1.0, 0.0) == last
    assert (pytest.approx(0.8 + FORESIGHT * 0.2), pytest.approx(0.2 - FORESIGHT * 0.2)) == first
    sample = Sample(0.0, ((1.0,), (0.0,)), (0.0, 1.0), (3, 4), hindsight_shares=(0.9, 0.1))
    ((first_weight, *_),) = fit_weights([sample] * 900, 1)
    assert first_weight > 1


def test_one_feature_is_fitted_where_it_applies_and_saved_next_to_the_others() -> None:
    rng = Random("alone")
    here = [random_sample(rng) for _ in range(800)]
    elsewhere = [sample._replace(rows=((0.0, 1.0, 0.0),) * 3) for sample in here[:200]]
    (first_weight, *_), used = fit_feature([*here, *elsewhere], 0)
    assert (800, 1) == (used, round(first_weight))
    figures = Figures(20, 240, 0.5, 0.6, 0.69, [1.0], 2)
    old = format_table("race", "", {n: (Weights({"points": (0.5,), "next": (0.0,)}, (0.25,)), figures) for n in (2, 3)})
    new = with_knots(old, 3, "next", [-2.0, 0.0])
    assert [[0.0], [-2.0, 0.0]] == [tomllib.loads(new)["seats"][n]["weights"]["next"] for n in "23"]
    assert old == with_knots(new, 3, "next", [0.0])


def test_uneven_setups_are_played_to_the_end() -> None:
    sample, again = play_slanted("uneven", 2, 1), play_slanted("uneven", 2, 1)
    assert sample == again != play_slanted("uneven", 2, 2)
    lopsided = [row[NAMES.index("lopsided")] for row in sample.rows]
    assert all(0 <= much < 2 for much in lopsided)
    assert lopsided[0] != lopsided[1]
    assert 1 == sum(sample.shares)


def test_a_slant_favors_strong_or_weak_pawns() -> None:
    options, rng = (*map(Place, Strength),), Random(1)
    strengths = [[choose_slanted(options, slant, rng).strength for _ in range(200)] for slant in (-1.4, 1.4)]  # type: ignore[attr-defined]
    assert [Strength.ONE, Strength.FOUR] == [Counter(random_sample).most_common(1)[0][0] for random_sample in strengths]
    assert not any(Strength.REST in random_sample for random_sample in strengths)


def test_a_trial_returns_the_players_share_of_each_win() -> None:
    weights = next(iter(discover()["gangs"].evaluate.weights.values()))  # type: ignore[union-attr]
    assert set(trials(Course("gangs", 2, weights, "trial"), 3, jobs=1)) <= {0.0, 0.5, 1.0}


# --- for any game ---


def valued_garden(**changed: Any) -> GameSpec:
    """The garden, which has no presets, with features."""
    fields = {"names": ("fruit",), "features": lambda s: [(f,) for f in s.fruit], "progress": lambda _: 0.0} | changed
    return replace(TOYS["garden"], evaluate=Evaluation("engine.games.garden", **fields))


def arguments(**changed: Any) -> Namespace:
    few = {
        "game": "garden",
        "seats": (2,),
        "games": 5,
        "rounds": 2,
        "like": None,
        "trials": 2,
        "jobs": 1,
        "seed": "1",
        "only": None,
    }
    return Namespace(**few | changed)


def test_a_game_without_presets_is_trained_with_its_default_options(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(discover(), "garden", replace(valued_garden(), start=small_start))
    _train(arguments(), 2)
    output = capsys.readouterr().out.splitlines()
    assert ["garden for 2, round 1 of 2: 5 games ..........", "garden for 2, round 2 of 2: 5 games .........."] == [
        line.partition(" log-loss ")[0] for line in output[:2]
    ]
    assert all(re.search(r"log-loss \d\.\d{3}; points alone \d\.\d{3}; equal 0\.\d{3}$", line) for line in output[:2])
    assert re.fullmatch(r"garden for 2, trials against players who count points: 2 games \.{10} \d+% won", output[2])


def small_start(setup: Setup) -> State:
    """A garden of a few beds, since training needs only short games."""
    return garden.start(replace(setup, options=garden.GardenOptions(size=3)))


def test_the_title_of_a_round_is_printed_before_its_first_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    heard: list[str] = []
    monkeypatch.setitem(
        discover(), "garden", replace(valued_garden(), start=lambda setup: heard.append(capsys.readouterr().out))
    )
    with pytest.raises(AttributeError):
        _train(arguments(), 2)
    assert ["garden for 2, round 1 of 2: 5 games "] == heard


@pytest.mark.parametrize(
    ("spec", "wrong", "reason"),
    [
        (TOYS["garden"], {}, "Garden has no features to weigh: give its GAME an `evaluate`"),
        (valued_garden(), {"seats": (2, 4)}, "Garden is for 2 to 3 players, not for 4."),
        (valued_garden(), {"games": 1}, "At least 2 games"),
        (discover()["jinns"], {"game": "jinns", "like": 9}, "There are no weights for 9 seats to begin with yet"),
        (valued_garden(names=("fruit", "beds")), {}, "a value for each of ('fruit', 'beds')"),
        (valued_garden(features=lambda _: [(1,)]), {}, "a row for each of 2 seats"),
        (valued_garden(), {"game": "moduled"}, "make a package of moduled"),
    ],
)
def test_the_error_names_the_missing_requirement_for_training(
    spec: GameSpec, wrong: dict[str, Any], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = arguments(**wrong)
    monkeypatch.setitem(discover(), request.game, spec)
    assert reason in missing_for(request)
    assert not missing_for(arguments(game="jinns"))


def test_the_weight_of_points_is_fitted_only_to_results() -> None:
    evaluation = discover()["muscat"].evaluate
    assert isinstance(evaluation, Evaluation)
    rows = tuple(tuple(float(n + seat) for n in range(len(evaluation.names))) for seat in range(3))
    seen = Sample(0.5, rows, (1.0, 0.0, 0.0), (9, 8, 7), hindsight_shares=(0.2, 0.3, 0.5))
    (reduced,) = points_only([seen], evaluation)
    assert reduced.rows == ((0.0,), (1.0,), (2.0,)), "the first feature, which is the points"
    assert not reduced.hindsight_shares
    assert (reduced.shares, reduced.scores) == (seen.shares, seen.scores)


def test_the_weight_of_points_comes_from_players_who_count_points() -> None:
    def trained(rounds: int) -> Weights:
        args = Namespace(game="jinns", games=3, rounds=rounds, like=None, trials=1, jobs=1, seed="points")
        return _train(args, 2)[0]

    once, twice = trained(1), trained(2)
    assert once.points_alone == twice.points_alone
    assert once.features != twice.features, "all else is learned from the last round"

"""Calibration moves predicted chances towards equal ones or away from them, as fitted to finished games."""

from __future__ import annotations

import tomllib
from importlib import resources

import pytest

from engine.calibration import FILE, MIN_CHANCE, Trust, calibrate, calibrate_one, calibration_for, read_calibration
from engine.core import GameSpec
from engine.evaluation import Evaluation, interpolate
from engine.games import discover
from engine.story.looking import analyze, value_of
from engine.story.telling import first_looks
from tests.engine.test_hints import after_some_moves
from tests.engine.toys import TOYS
from tools.training.calibration import MAX_POWER


def test_powers_of_one_change_nothing_and_powers_of_zero_make_chances_equal() -> None:
    shares = (0.7, 0.2, 0.1)
    assert shares == calibrate(shares, Trust(1, 1))
    assert (1 / 3,) * 3 == pytest.approx(calibrate(shares, Trust(0, 0)))
    milder = calibrate(shares, Trust(0.5, 0.5))
    assert 1 == pytest.approx(sum(milder))
    assert milder[0] / milder[1] == pytest.approx((0.7 / 0.2) ** 0.5)


def test_seats_ahead_have_a_power_of_their_own() -> None:
    first, second, third = calibrate((0.7, 0.2, 0.1), Trust(ahead=0.0, behind=1.0))
    assert (first / second, second / third) == pytest.approx(((1 / 3) / 0.2, 2))
    first, second, third = calibrate((0.7, 0.2, 0.1), Trust(ahead=2.0, behind=0.0))
    assert (first / second, second) == pytest.approx(((3 * 0.7) ** 2, third))


def test_chances_have_a_lower_limit() -> None:
    least, lost, below = (calibrate((1 - share, share), Trust(0.5, 0.5))[1] for share in (MIN_CHANCE, 0.0, -0.01))
    assert 0.1 < least == pytest.approx(lost, abs=0.002) == pytest.approx(below, abs=0.002)


def test_a_single_chance_is_calibrated_as_if_the_others_were_equal() -> None:
    trust = Trust(0.6, 0.4)
    assert calibrate((0.5, 0.25, 0.25), trust)[0] == pytest.approx(calibrate_one(0.5, 3, trust))
    assert 1 / 3 == pytest.approx(calibrate_one(1 / 3, 3, trust))
    assert calibrate_one(1.0, 2, trust) == calibrate_one(1.02, 2, trust)
    assert calibrate_one(0.0, 2, trust) == pytest.approx(calibrate_one(-1e-9, 2, trust))


MEASURED = [
    spec
    for spec in discover().values()
    if isinstance(spec.evaluate, Evaluation) and read_calibration(spec.evaluate.package)
]


def test_the_built_in_games_have_calibration_tables() -> None:
    assert {"alibaba", "gangs", "jinns", "muscat", "muses"} <= {spec.slug for spec in MEASURED}


@pytest.mark.parametrize("game", MEASURED, ids=lambda spec: spec.slug)
def test_a_calibration_table_covers_every_number_of_seats(game: GameSpec) -> None:
    assert isinstance(game.evaluate, Evaluation)
    table = read_calibration(game.evaluate.package)
    assert set(game.seats) == set(table)
    for powers in (powers for fit in table.values() for powers in fit):
        assert 0 <= powers[0] <= powers[-1] <= MAX_POWER
        assert list(powers) == sorted(powers)


def test_chances_of_a_game_without_a_table_are_not_calibrated() -> None:
    spec = TOYS["garden"]
    assert Trust() == calibration_for("garden", 2, spec.start(spec.setup(2)))


def test_a_story_contains_calibrated_chances() -> None:
    """The value found by the search after some moves, calibrated by the table."""
    spec = discover()["muses"]
    look = first_looks(after_some_moves(spec, 3, 30))[-1]
    assert isinstance(spec.evaluate, Evaluation)
    table = tomllib.loads(resources.files(spec.evaluate.package).joinpath(FILE).read_text("utf-8"))["seats"]["3"]
    believed, progress = calibration_for("muses", 3, look.state), spec.evaluate.progress(look.state)
    assert (interpolate(table["ahead"], progress), interpolate(table["behind"], progress)) == believed
    assert believed.ahead < believed.behind
    (result,) = analyze("muses", 3, [look], "seed")
    assert calibrate(value_of("muses", 3, look, "seed"), believed) == pytest.approx(result.shares)

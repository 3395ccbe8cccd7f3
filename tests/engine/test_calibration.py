"""Forecast chances are drawn towards equal ones as much as finished games ask for."""

from __future__ import annotations

import tomllib
from importlib import resources

import pytest

from engine.calibration import FILE, MIN_CHANCE, Trust, calibrated, calibrated_alone, measured, trust
from engine.core import GameSpec
from engine.evaluation import Evaluation, between
from engine.games import discover
from engine.story.looking import looked, value_of
from engine.story.telling import first_looks
from tests.engine.test_hints import after_some_moves
from tests.engine.toys import TOYS
from tools.training.calibration import MAX_POWER


def test_powers_of_one_believe_and_those_of_zero_make_all_equal() -> None:
    shares = (0.7, 0.2, 0.1)
    assert shares == calibrated(shares, Trust(1, 1))
    assert (1 / 3,) * 3 == pytest.approx(calibrated(shares, Trust(0, 0)))
    milder = calibrated(shares, Trust(0.5, 0.5))
    assert 1 == pytest.approx(sum(milder))
    assert milder[0] / milder[1] == pytest.approx((0.7 / 0.2) ** 0.5)


def test_those_who_are_ahead_have_a_power_of_their_own() -> None:
    first, second, third = calibrated((0.7, 0.2, 0.1), Trust(ahead=0.0, behind=1.0))
    assert (first / second, second / third) == pytest.approx(((1 / 3) / 0.2, 2))
    first, second, third = calibrated((0.7, 0.2, 0.1), Trust(ahead=2.0, behind=0.0))
    assert (first / second, second) == pytest.approx(((3 * 0.7) ** 2, third))


def test_nobody_is_believed_to_be_quite_lost() -> None:
    least, lost, below = (calibrated((1 - share, share), Trust(0.5, 0.5))[1] for share in (MIN_CHANCE, 0.0, -0.01))
    assert 0.1 < least == pytest.approx(lost, abs=0.002) == pytest.approx(below, abs=0.002)


def test_a_chance_alone_is_calibrated_as_if_the_others_had_equal_ones() -> None:
    trust = Trust(0.6, 0.4)
    assert calibrated((0.5, 0.25, 0.25), trust)[0] == pytest.approx(calibrated_alone(0.5, 3, trust))
    assert 1 / 3 == pytest.approx(calibrated_alone(1 / 3, 3, trust))
    assert calibrated_alone(1.0, 2, trust) == calibrated_alone(1.02, 2, trust)
    assert calibrated_alone(0.0, 2, trust) == pytest.approx(calibrated_alone(-1e-9, 2, trust))


MEASURED = [
    spec for spec in discover().values() if isinstance(spec.evaluate, Evaluation) and measured(spec.evaluate.package)
]


def test_the_games_that_come_with_the_bot_were_measured() -> None:
    assert {"alibaba", "gangs", "jinns", "muscat", "muses"} <= {spec.slug for spec in MEASURED}


@pytest.mark.parametrize("game", MEASURED, ids=lambda spec: spec.slug)
def test_a_game_was_measured_for_every_number_of_seats(game: GameSpec) -> None:
    assert isinstance(game.evaluate, Evaluation)
    table = measured(game.evaluate.package)
    assert set(game.seats) == set(table)
    for powers in (powers for found in table.values() for powers in found):
        assert 0 <= powers[0] <= powers[-1] <= MAX_POWER
        assert list(powers) == sorted(powers)


def test_a_game_that_was_not_measured_is_believed() -> None:
    spec = TOYS["garden"]
    assert Trust() == trust("garden", 2, spec.start(spec.setup(2)))


def test_a_story_tells_calibrated_chances() -> None:
    """After some moves: what was found, drawn towards equal chances by the table."""
    spec = discover()["muses"]
    look = first_looks(after_some_moves(spec, 3, 30))[-1]
    assert isinstance(spec.evaluate, Evaluation)
    table = tomllib.loads(resources.files(spec.evaluate.package).joinpath(FILE).read_text("utf-8"))["seats"]["3"]
    believed, progress = trust("muses", 3, look.state), spec.evaluate.progress(look.state)
    assert (between(table["ahead"], progress), between(table["behind"], progress)) == believed
    assert believed.ahead < believed.behind
    (told,) = looked("muses", 3, [look], "seed")
    assert calibrated(value_of("muses", 3, look, "seed"), believed) == pytest.approx(told.shares)

"""The fit of calibration powers: what it finds in finished games, and the table it writes."""

from __future__ import annotations

import tomllib
from itertools import chain
from random import Random

import pytest

from engine.games import discover
from tools.training.calibration import (
    Forecast,
    Prediction,
    Record,
    bins,
    cross_validate,
    fit_powers,
    non_decreasing,
    play_game,
    skill,
    table_of,
)


def overbold(rng: Random) -> Record:
    """A game of two with overconfident predictions, whose log odds are twice the true ones."""
    true = rng.uniform(0.1, 0.9)
    odds = (true / (1 - true)) ** 2
    won = rng.random() < true
    predictions = tuple(Forecast(0.5, progress, (odds / (1 + odds), 1 / (1 + odds))) for progress in (0.2, 0.8))
    return Record(2, 2, (float(won), float(not won)), predictions)


def test_the_fit_corrects_overconfident_predictions_and_is_cross_validated() -> None:
    rng = Random("overbold")
    records = [overbold(rng) for _ in range(600)]
    for first, *_, last in fit_powers(records)[2]:
        assert (0.5, 0.5) == pytest.approx((first, last), abs=0.25)
    predictions = list(chain.from_iterable(cross_validate(records)))
    assert skill(predictions, after=False) < skill(predictions, after=True)
    assert all(abs(chance - actual) < 0.06 for _, chance, actual in bins(predictions, after=True))
    assert any(abs(chance - actual) > 0.06 for _, chance, actual in bins(predictions, after=False))


def test_uninformative_chances_become_equal() -> None:
    rng = Random("nothing")
    predictions = (Forecast(0.5, 0.5, (0.9, 0.1)),)
    records = [Record(2, 2, ((1.0, 0.0), (0.0, 1.0))[rng.random() < 0.55], predictions) for _ in range(400)]
    assert max(fit_powers(records)[2].ahead) < 0.1


def test_the_fit_lowers_the_chances_of_leaders_who_win_less_often_than_predicted() -> None:
    """The seat behind wins as seldom as predicted; of the two ahead, the leader wins less often than predicted."""
    rng, records = Random("caught"), []
    for _ in range(1000):
        shares = rng.choice([(0.6, 0.3, 0.1), (0.3, 0.6, 0.1)])
        winner = rng.choices(range(3), (0.45, 0.45, 0.1))[0]
        won = tuple(float(seat == winner) for seat in range(3))
        records.append(Record(3, 3, won, (Forecast(0.5, 0.5, shares),)))
    powers = fit_powers(records)[3]
    ahead, behind = powers.at(0.5)
    assert ahead < 0.4 < behind
    table = tomllib.loads(table_of(discover()["muses"], records))["seats"]["3"]
    assert (1000, list(powers.ahead)) == (table["games"], table["ahead"])


def test_non_decreasing_averages_falling_values() -> None:
    assert [0.1, 0.4, 0.4, 0.4, 0.9] == pytest.approx(non_decreasing([0.1, 0.6, 0.4, 0.2, 0.9]))
    assert [0.5, 0.5] == non_decreasing([1.0, 0.0])


@pytest.mark.parametrize("trusty", [(0.2,), (0.8,), ()])
def test_powers_are_never_negative_or_decreasing(trusty: tuple[float, ...]) -> None:
    """The favorite wins as often as predicted at one moment; at all others the seat behind does."""
    rng, records = Random("upside down"), []
    for progress in [0.2, 0.8] * 300:
        won = rng.random() < (0.8 if progress in trusty else 0.2)
        records.append(Record(2, 2, (float(won), float(not won)), (Forecast(progress, progress, (0.8, 0.2)),)))
    for powers in fit_powers(records)[2]:
        assert 0 <= powers[0] <= powers[-1]
        assert list(powers) == sorted(powers)


def test_small_bins_are_left_out() -> None:
    assert not bins([Prediction(0.5, 0.5, 0.6, 0.6, 1.0)] * 99, after=True)
    ((many, chance, actual),) = bins([Prediction(0.5, 0.5, 0.6, 0.6, 1.0)] * 100, after=True)
    assert (100, pytest.approx(0.6), 1.0) == (many, chance, actual)


def test_a_game_is_reproducible_and_its_table_can_be_read() -> None:
    spec = discover()["jinns"]
    stored = play_game(spec, 2, "short", effort=0.02)
    assert stored == play_game(spec, 2, "short", effort=0.02)
    record = Record(2, 2, stored["returns"], tuple(Forecast(*row) for row in stored["rows"]))  # type: ignore[arg-type]
    table = tomllib.loads(table_of(spec, [record]))["seats"]
    assert {"2": 1} == {seats: part["games"] for seats, part in table.items()}
    assert fit_powers([record])[2] == (table["2"]["ahead"], table["2"]["behind"])

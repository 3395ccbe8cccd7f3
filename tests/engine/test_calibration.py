"""Forecast chances are drawn towards equal ones as much as finished games ask for."""

from __future__ import annotations

import tomllib
from importlib import resources
from itertools import chain
from random import Random

import pytest

from engine.calibration import FILE, Trust, calibrated, calibrated_alone, measured, trust
from engine.core import GameSpec
from engine.evaluation import Evaluation, between
from engine.games import discover
from engine.story.looking import looked, value_of
from engine.story.telling import first_looks
from engine.training.calibration import (
    BOLDEST,
    Forecast,
    Judged,
    Record,
    bins,
    judged,
    measured_by,
    played,
    powers_of,
    rising,
    skill,
    table_of,
)
from tests.engine.test_hints import after_some_moves
from tests.engine.toys import TOYS


def test_a_power_of_one_believes_and_one_of_zero_makes_all_equal() -> None:
    told = (0.7, 0.2, 0.1)
    assert told == pytest.approx(calibrated(told, Trust(1)))
    assert (1 / 3,) * 3 == pytest.approx(calibrated(told, Trust(0)))
    milder = calibrated(told, Trust(0.5))
    assert 1 == pytest.approx(sum(milder))
    assert 1 / 3 < milder[0] < 0.7
    assert (1.0, 0.0) == calibrated((1.0, 0.0), Trust(0.5))


def test_a_lapse_rate_leaves_nobody_sure() -> None:
    assert (0.96, 0.04) == pytest.approx(calibrated((1.0, 0.0), Trust(lapse=0.08)))
    assert (1 / 3,) * 3 == pytest.approx(calibrated((0.8, 0.1, 0.1), Trust(lapse=1.0)))
    assert calibrated((0.5, 0.25, 0.25), Trust(0.6, 0.1))[0] == pytest.approx(calibrated_alone(0.5, 3, Trust(0.6, 0.1)))


def test_a_chance_alone_is_calibrated_as_if_the_others_had_equal_ones() -> None:
    assert calibrated((0.5, 0.25, 0.25), Trust(0.6))[0] == pytest.approx(calibrated_alone(0.5, 3, Trust(0.6)))
    assert 1 / 3 == pytest.approx(calibrated_alone(1 / 3, 3, Trust(0.4)))
    assert (1.0, 0.0) == (calibrated_alone(1.02, 2, Trust(0.5)), calibrated_alone(-0.01, 2, Trust(0.5)))


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
    assert all(0 <= found.powers[0] and found.powers[-1] <= BOLDEST for found in table.values())
    assert all(list(found.powers) == sorted(found.powers) and 0 <= found.lapse < 0.2 for found in table.values())


def test_a_game_that_was_not_measured_is_believed() -> None:
    spec = TOYS["garden"]
    assert Trust() == trust("garden", 2, spec.start(spec.setup(2)))


@pytest.mark.parametrize("slug", ["muscat", "muses"])
def test_a_story_tells_calibrated_chances(slug: str) -> None:
    """After some moves: what was found, drawn towards equal chances by the table. Muses have a lapse rate as well."""
    spec = discover()[slug]
    look = first_looks(after_some_moves(spec, 3, 30))[-1]
    assert isinstance(spec.evaluate, Evaluation)
    table = tomllib.loads(resources.files(spec.evaluate.package).joinpath(FILE).read_text("utf-8"))
    believed = trust(slug, 3, look.state)
    assert (between(table["seats"]["3"]["power"], spec.evaluate.progress(look.state)), table["lapse"]) == believed
    assert believed.power < 1
    assert (believed.lapse > 0) == (slug == "muses")
    (told,) = looked(slug, 3, [look], "seed")
    assert calibrated(value_of(slug, 3, look, "seed"), believed) == pytest.approx(told.shares)


# --- The fit ---------------------------------------------------------------------------------------------------------


def overbold(rng: Random) -> Record:
    """A game of two in which chances are told as if they were twice as sure as they are, by their log odds."""
    true = rng.uniform(0.1, 0.9)
    odds = (true / (1 - true)) ** 2
    won = rng.random() < true
    told = tuple(Forecast(0.5, progress, (odds / (1 + odds), 1 / (1 + odds))) for progress in (0.2, 0.8))
    return Record(2, 2, (float(won), float(not won)), told)


def test_the_fit_finds_how_far_to_believe_and_is_judged_by_other_games() -> None:
    rng = Random("overbold")
    records = [overbold(rng) for _ in range(1200)]
    first, *_, last = powers_of(records)[2]
    assert (0.5, 0.5) == pytest.approx((first, last), abs=0.15)
    told = list(chain.from_iterable(judged(records)))
    assert skill(told, after=False) < skill(told, after=True)
    assert all(abs(chance - came) < 0.06 for _, chance, came in bins(told, after=True))
    assert any(abs(chance - came) > 0.06 for _, chance, came in bins(told, after=False))


def test_chances_that_tell_nothing_become_equal_ones() -> None:
    rng = Random("nothing")
    told = (Forecast(0.5, 0.5, (0.9, 0.1)),)
    records = [Record(2, 2, ((1.0, 0.0), (0.0, 1.0))[rng.random() < 0.55], told) for _ in range(400)]
    assert max(powers_of(records)[2]) < 0.05


def test_the_fit_finds_how_often_a_game_ends_as_if_nothing_had_been_known() -> None:
    rng, equal = Random("lapses"), (0.5, 0.5)
    records = []
    for _ in range(2000):
        shares = rng.choice([(1.0, 0.0), (0.7, 0.3), (0.3, 0.7), (0.0, 1.0)])
        won = rng.random() < (equal if rng.random() < 0.1 else shares)[0]
        records.append(Record(2, 2, (float(won), float(not won)), (Forecast(0.5, 0.5, shares),)))
    lapse = measured_by(records)[2].lapse
    assert 0.1 == pytest.approx(lapse, abs=0.04)
    assert f"lapse = {lapse}\n" in table_of(discover()["muses"], records)
    assert "lapse = 0.0\n" in table_of(discover()["muses"], [overbold(rng) for _ in range(400)])


def test_powers_never_fall() -> None:
    assert [0.1, 0.4, 0.4, 0.4, 0.9] == pytest.approx(rising([0.1, 0.6, 0.4, 0.2, 0.9]))
    assert [0.5, 0.5] == rising([1.0, 0.0])


def test_small_bins_tell_nothing() -> None:
    assert not bins([Judged(0.5, 0.5, 0.6, 0.6, 1.0)] * 99, after=True)
    ((many, chance, came),) = bins([Judged(0.5, 0.5, 0.6, 0.6, 1.0)] * 100, after=True)
    assert (100, pytest.approx(0.6), 1.0) == (many, chance, came)


def test_a_game_is_played_and_told_and_the_table_can_be_read() -> None:
    spec = discover()["jinns"]
    kept = played(spec, 2, "short", effort=0.05)
    assert kept == played(spec, 2, "short", effort=0.05)
    record = Record(2, 2, kept["returns"], tuple(Forecast(*row) for row in kept["rows"]))  # type: ignore[arg-type]
    table = tomllib.loads(table_of(spec, [record]))["seats"]
    assert {"2": 1} == {seats: part["games"] for seats, part in table.items()}
    assert list(powers_of([record])[2]) == table["2"]["power"]

"""Worth of positions in the cave, and rolls of the dice that come to the same."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine.core import State
from engine.games.alibaba import GAME
from engine.games.alibaba.evaluation import EVALUATE
from engine.games.alibaba.frames.danger import Rolling
from engine.games.alibaba.prospects import ALL_MARKS, CATCH_CHANCE, gains, stake_prospect
from engine.games.alibaba.state import Cave
from engine.texts import CHANCE
from tests.games.town_positions import cave

EVERY_TYPE = "Y1 Y2 Y3 Y4 G1 G2 G3 G4 B1 B2 B3 B4 R1 R2 R3 R4"


def rolls(seats: int) -> list[Cave]:
    """The positions of a random game in which the dice are rolled."""
    rng, outcomes = Random(seats), []
    state: State = GAME.start(GAME.setup(seats))
    while decisions := state.decisions():
        decision = decisions[0]
        action = state.sample(rng) if decision.seat == CHANCE else rng.choice(decision.options)
        state, _ = state.apply(decision.seat, action)
        if isinstance(state, Cave) and state.frames and isinstance(state.frames[-1], Rolling):
            outcomes.append(state)
    return outcomes


def after(state: Cave, action: object) -> tuple[object, ...]:
    """The changes by a roll that are not forgotten when the camel moves on."""
    rolled, _ = state.apply(CHANCE, action)  # type: ignore[arg-type]
    return rolled.frames, rolled.purses, rolled.stakes, rolled.piles, rolled.turn


@pytest.mark.parametrize("seats", [2, 6])
def test_merged_rolls_catch_the_same_seats_with_the_same_frequency(seats: int) -> None:
    outcomes = rolls(seats)
    for state in outcomes:
        merged, (listed,) = state.merged_chances(), state.decisions()
        weights = zip(merged.options, merged.weights, strict=True)
        together = Counter({after(state, action): weight for action, weight in weights})
        assert together == Counter(after(state, action) for action in listed.options)
        assert len(together) == len(merged.options)
    assert any(len(state.merged_chances().options) > 2 for state in outcomes)


def test_a_stake_comes_home_unless_a_turn_in_danger_catches_its_owner() -> None:
    assert (1 - CATCH_CHANCE) ** 3 == pytest.approx(stake_prospect(2, 100, 0, 0, range(3)).spared)
    assert 1 == pytest.approx(stake_prospect(2, 100, 0, ALL_MARKS, range(3)).spared)
    assert stake_prospect(2, 10, 0, ALL_MARKS, range(8)).spared < 0.05


def test_possible_gains_are_those_of_the_best_stay() -> None:
    for marks, caught in ((0, CATCH_CHANCE), (ALL_MARKS, 0)):
        assert 0 == gains(2)[1][marks]
        assert (1 - caught) ** 2 == pytest.approx(gains(2)[2][marks])
    assert 73 + 62 == gains(2)[26][ALL_MARKS], "thirteen turns, a turn of the other seat, and twelve more"
    assert gains(2)[48][0] < gains(2)[48][12] < gains(2)[48][ALL_MARKS]


def test_a_lead_is_worth_more_the_closer_the_end_is() -> None:
    ahead = [EVALUATE(cave(2, walked=walked, purses=(31_000, 1_000)))[0] for walked in (2, 40, 80, 102)]
    assert sorted(ahead) == ahead
    assert ahead[0] < 0.8 < 0.99 < ahead[-1]


def test_claimed_thieves_are_worth_more_than_money_early_and_nothing_late() -> None:
    claimed = {0: EVERY_TYPE}
    early, late = (EVALUATE(cave(2, walked=w, purses=(0, 30_000), claimed=claimed))[0] for w in (0, 102))
    assert late < 0.05 < 0.65 < early


def test_features_are_measured_in_thousands() -> None:
    purses, homes, _ = zip(
        *EVALUATE.unscaled(cave(2, walked=60, purses=(31_000, 2_000), stakes={1: (10_000, 3)})), strict=True
    )
    assert (31, 2) == pytest.approx(purses)
    assert homes == pytest.approx((0, 10 * (1 - CATCH_CHANCE) ** 4), abs=1e-3)

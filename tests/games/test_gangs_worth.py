"""The value of a position of the gangs depends on its question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from engine.games import discover
from engine.games.gangs.evaluation import NAMES, features
from engine.games.gangs.frames.danger import Window
from engine.games.gangs.frames.hire import Hire
from engine.games.gangs.state import GangsTable
from engine.match import Match
from engine.notation import format_action
from engine.players import discover as discover_players
from engine.texts import Seat
from tests.games.town_positions import at_gangs

DANGER, HIRING = NAMES.index("danger"), NAMES.index("hiring")


def positions() -> Iterator[GangsTable]:
    """Positions of a few random games."""
    spec = discover()["gangs"]
    for seed in range(3):
        match, rng = Match.begin(spec, spec.setup(3), f"worth {seed}"), Random(seed)
        while match.outcome is None:
            assert isinstance(match.state, GangsTable)
            yield match.state
            decision = match.state.decisions()[0]
            match.play(decision.seat, match.state.sample(rng) if decision.seat < 0 else rng.choice(decision.options))


def test_a_player_who_may_still_return_bandits_is_less_endangered_by_the_black_die() -> None:
    spared = 0
    for state in positions():
        frame = state.frames[-1]
        if isinstance(frame, Window) and state.danger and state.danger.black:
            involved = {frame.seat, *frame.then}
            now, unasked = features(state), features(replace(state, frames=state.frames[:-1]))
            for seat, (row, other) in enumerate(zip(now, unasked, strict=True)):
                assert row[DANGER] >= other[DANGER] if seat in involved else row == other
                spared += row[DANGER] > other[DANGER]
    assert spared


def test_the_hiring_feature_counts_the_hires_left_to_the_player_on_turn() -> None:
    hirings = 0
    for state in positions():
        frame, hiring = state.frames[-1], [row[HIRING] for row in features(state)]
        expected = [0] * len(hiring)
        if isinstance(frame, Hire):
            expected[state.on_turn] = frame.remaining
            hirings += 1
        assert hiring == expected
    assert hirings


@pytest.mark.parametrize("name", ["easy", "fair", "greedy"])
def test_computer_players_never_make_counteroffers(name: str) -> None:
    dear = at_gangs(walked=29, hand=(1,), owned={0: "R1"}, trading=True).play(
        "play 1", "offer R1", "to yellow", "price 1000"
    )
    assert "counteroffer" in dear.options()
    choose = discover_players()[name].choose
    view = dear.match.view(Seat(2))
    assert {"accept", "decline"} >= {format_action(choose(view, Random(seed))) for seed in range(8)}

"""Evaluations: promises of every game that has one, and of the players that use it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

import engine.games
from engine.core import GameSpec, OptionValue, Setup, State
from engine.evaluation import Evaluation, Weights, read_weights, softmax
from engine.games import discover
from engine.games.alibaba.state import Cave
from engine.games.gangs.frames.danger import Window
from engine.games.gangs.state import GangsTable
from engine.games.jinns.state import Jinns
from engine.match import Match
from engine.players import discover as discover_players
from engine.players.greedy import expected_share
from engine.texts import CHANCE, Seat
from kit.playouts import Case
from tests.engine.playouts import cases
from tests.engine.toys import TOYS
from tests.sampling import every

VALUED = {slug: spec for slug, spec in discover().items() if isinstance(spec.evaluate, Evaluation)}
CASES = [case for case in cases() if case.spec.slug in VALUED]

every_game = pytest.mark.parametrize("spec", VALUED.values(), ids=lambda spec: spec.slug)
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def evaluation_of(spec: GameSpec) -> Evaluation:
    assert isinstance(spec.evaluate, Evaluation)
    return spec.evaluate


def positions(spec: GameSpec, setup: Setup, seed: str) -> Iterator[State]:
    """All positions of a random game, the last one over."""
    rng, state = Random(seed), spec.start(setup)
    yield state
    while decisions := state.decisions():
        decision = rng.choice(decisions)
        action = state.sample(rng) if decision.seat == CHANCE else rng.choice(decision.options)
        state, _ = state.apply(decision.seat, action)
        yield state


def test_games_with_weights_are_exactly_those_with_features() -> None:
    """Nothing is half there: a table that no game reads, or a game that a search would ask in vain."""
    weighed = {path.parent.name for path in Path(engine.games.__file__).parent.glob("*/weights.toml")}
    assert set(VALUED) == weighed, "`make train GAME=…` writes the weights of features"


@every_case
def test_shares_add_up_to_one_win_at_any_point_of_a_game(case: Case) -> None:
    """Positions are in the middle of turns and with luck due, too, and those that a seat holds possible as well as real
    ones.
    """
    *open_ones, _ = positions(case.spec, case.setup, case.name)
    seat = case.viewers[-1]
    worlds = (s.observe(seat).determinize(seat, Random(n)) for n, s in enumerate(open_ones[::8]))
    for state in itertools.chain(open_ones[:: every(3)], worlds):
        shares = evaluation_of(case.spec)(state)
        assert case.setup.seats == len(shares)
        assert all(0 <= share <= 1 for share in shares), shares
        assert math.isclose(1, sum(shares))


@pytest.mark.parametrize(("slug", "options"), [("muses", {}), ("jinns", {"partners": "yes", "team_score": True})])
def test_teammates_have_the_same_share(slug: str, options: dict[str, OptionValue]) -> None:
    spec = VALUED[slug]
    *open_ones, _ = positions(spec, spec.setup(4, options), "together")
    for state in open_ones:
        shares = evaluation_of(spec)(state)
        assert shares[:2] == shares[2:]
    assert any(shares[0] != shares[1] for shares in map(evaluation_of(spec), open_ones))


def mirror(state: State) -> State:
    """A position of two players with their seats swapped."""
    match state:
        case Jinns():
            return replace(
                state, owned=state.owned[::-1], taken_piles=state.taken_piles[::-1], turn=Seat(1 - state.turn)
            )
        case Cave():
            later = tuple(last if last is None else last + 1 for last in state.safe_after[::-1])
            stakes, claimed, purses = state.stakes[::-1], state.claimed[::-1], state.purses[::-1]
            turn = state.turn + 1
            return replace(state, turn=turn, purses=purses, stakes=stakes, safe_after=later, claimed=claimed)
        case GangsTable():
            cards = replace(state.cards, hands=state.cards.hands[::-1])
            turn, purses, bandits = state.turn + 1, state.purses[::-1], state.bandits[::-1]
            frames = tuple(_asking_the_other(frame) for frame in state.frames)
            return replace(state, frames=frames, turn=turn, cards=cards, purses=purses, bandits=bandits)
    raise TypeError(type(state).__name__)


def _asking_the_other(frame: Any) -> Any:
    """A question with the seats of two players swapped. Only windows are not for the seat on turn."""
    if not isinstance(frame, Window):
        return frame
    return replace(frame, seat=Seat(1 - frame.seat), then=tuple(Seat(1 - seat) for seat in frame.then))


@pytest.mark.parametrize("slug", ["jinns", "alibaba", "gangs"])
def test_swapping_two_players_swaps_their_shares(slug: str) -> None:
    spec = VALUED[slug]
    *open_ones, _ = positions(spec, spec.setup(2), "mirror")
    for state in open_ones:
        here, there = evaluation_of(spec)(state), evaluation_of(spec)(mirror(state))
        assert here == pytest.approx(there[::-1])
    assert any(max(evaluation_of(spec)(state)) > 0.6 for state in open_ones)


@every_game
def test_a_certain_winner_has_more_than_an_equal_share(spec: GameSpec) -> None:
    """The position is one ply before the end, where every option and every outcome of luck wins for the same seat
    alone.
    """
    decided = 0
    for seats, number in itertools.product(spec.seats, range(4)):
        *_, last, _ = positions(spec, spec.setup(seats), f"brink {number}")
        if (winner := certain_winner(last)) is not None:
            decided += 1
            assert evaluation_of(spec)(last)[winner] > 1 / seats, (seats, number)
    if not decided:
        pytest.skip("its random games are open to the last ply")


def certain_winner(state: State) -> int | None:
    (decision,) = state.decisions()
    ends = [state.apply(decision.seat, action)[0].outcome() for action in decision.options]
    returns = {end.returns if end else () for end in ends}
    return next(iter(returns)).index(1.0) if len(returns) == 1 and 1.0 in next(iter(returns)) else None


# --- What can be told apart ---------------------------------------------------------------------------------------

ALIKE = {
    ("muscat", "PlaceFirst"): "all markets are empty",
    ("gangs", "NameCounteroffer"): "a counteroffer is not binding",
}
"""Questions whose options are equivalent, with the reason."""

ANSWERED_LATER = {("gangs", "ChooseBuyer"), ("gangs", "NamePrice")}
"""Questions about an offer, which has no value until it is answered; a search sees that far."""


@every_game
def test_an_evaluation_distinguishes_the_options_of_every_question(spec: GameSpec) -> None:
    """Somewhere in random games with some options, two options of the question have different values."""
    questions, distinct = set[tuple[str, str]](), set[tuple[str, str]]()
    for case in (case for case in CASES if case.spec is spec):
        for state in positions(spec, case.setup, f"blind {case.name}"):
            questions |= (here := {(spec.slug, type(frame).__name__) for frame in state.frames[-1:] if _chosen(state)})
            distinct |= here if here - distinct and len(_values(state, spec)) > 1 else set()
    assert questions, "a seat has a choice"
    assert questions - distinct == {
        question for question in questions if question in ALIKE or question in ANSWERED_LATER
    }


def _chosen(state: State) -> bool:
    decision = state.decisions()[0]
    return decision.seat != CHANCE and len(decision.options) > 1


def _values(state: State, spec: GameSpec) -> set[float]:
    """Worths of the options to their seat, beyond luck, and with the same luck."""
    decision = state.decisions()[0]
    after = (state.apply(decision.seat, option)[0] for option in decision.options[:24])
    return {round(expected_share(state, decision.seat, evaluation_of(spec), Random(1)), 6) for state in after}


# --- Weights ---------------------------------------------------------------------------------------------------------


@every_game
def test_the_table_weighs_every_feature_for_every_number_of_seats(spec: GameSpec) -> None:
    evaluation = evaluation_of(spec)
    assert set(spec.seats) == set(evaluation.weights)
    for seats, table in evaluation.weights.items():
        assert set(evaluation.names) == set(table.features), seats
        assert all(math.isfinite(knot) for knots in table.features.values() for knot in knots), seats
        assert table.points_alone[-1] > 0, seats


@every_game
def test_more_counted_points_mean_a_larger_share_by_points(spec: GameSpec) -> None:
    *open_ones, _ = positions(spec, spec.setup(spec.seats[0]), "points")
    evaluation = evaluation_of(spec)
    for state in open_ones[len(open_ones) // 2 :]:
        ranked = sorted(
            zip(map(evaluation.count, evaluation.features(state)), evaluation.by_points(state), strict=True)
        )
        assert [share for _, share in ranked] == sorted(share for _, share in ranked)


def test_weights_are_interpolated_linearly_between_the_knots() -> None:
    table = Weights({"points": (1.0, 3.0, 2.0)}, (1.0,))
    evaluation = Evaluation("", ("points",), lambda state: [(1.0,), (0.0,)], lambda state: float(state), {2: table})
    for progress, weight in ((0.0, 1.0), (0.25, 2.0), (0.5, 3.0), (1.0, 2.0)):
        assert softmax((weight, 0.0)) == pytest.approx(evaluation(progress))


def test_a_number_of_seats_without_weights_uses_the_nearest_one() -> None:
    tables = {seats: Weights({"points": (weight,)}, (weight,)) for seats, weight in ((2, 1.0), (4, 2.0))}
    evaluation = Evaluation("", ("points",), lambda seats: [(1.0,)] + [(0.0,)] * (seats - 1), lambda seats: 0.0, tables)
    assert softmax((2.0, *(0.0,) * 5)) == pytest.approx(evaluation(6))


def test_missing_weights_name_the_command_that_trains_them() -> None:
    with pytest.raises(FileNotFoundError, match="make train GAME=games"):
        read_weights("engine.games")


# --- Players ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("player", ["greedy", "points"])
@pytest.mark.parametrize("slug", ["garden", "toll"])
def test_a_player_that_looks_one_ply_ahead_takes_a_win(slug: str, player: str) -> None:
    """These games have no evaluation, but the player sees their ends."""
    spec, wins_seen = TOYS[slug], 0
    for number in range(5):
        match, rng = Match.begin(spec, spec.setup(2), f"win {number}"), Random(number)
        while decisions := match.state.decisions():
            (decision,) = decisions
            ends = {action: match.state.apply(decision.seat, action)[0].outcome() for action in decision.options}
            wins = [action for action, end in ends.items() if end and end.returns[decision.seat] == 1]
            if 0 < len(wins) < len(ends):
                assert discover_players()[player].choose(match.view(decision.seat), rng) in wins
                wins_seen += 1
            match.play(decision.seat, rng.choice(decision.options))
    assert wins_seen

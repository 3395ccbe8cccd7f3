"""A benchmark player that looks one ply ahead and uses the evaluation of the game."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engine.core import Action, Decision, State, View
from engine.evaluation import Shares
from engine.games import discover
from engine.players import Choose, Player
from engine.texts import CHANCE, Seat

Evaluate = Callable[[State], Shares]
"""The expected share of the win of each seat in a position that is not over."""

WORLDS = 4
"""Number of full positions sampled for each decision if something is hidden."""

DRAWS = 24
"""Maximum number of outcomes of draws evaluated for an option, in all worlds together."""

SAMPLES = 4
"""Number of sampled outcomes of a draw with more outcomes, or with too many to list."""


def one_ply_player(evaluate_for: Callable[[View[State]], Evaluate]) -> Choose:
    """A player that takes the option that leads to the best position according to an evaluation."""

    def choose(view: View[State], rng: Random) -> Action:
        decision = view.decision_of(view.viewer)
        assert decision is not None, "only a seat that is due can choose"
        return choose_best(view.state, decision, evaluate_for(view), rng)

    return choose


def choose_best(
    seen: State, decision: Decision, evaluate: Evaluate, rng: Random, worlds: int = WORLDS, draws: int = DRAWS
) -> Action:
    """The best option for the deciding seat by its own knowledge; a random one of equals, but never talk."""
    if decision.forced:
        return decision.options[0]
    seat, options = decision.seat, [option for option in decision.options if not option.talk]
    possible = worlds_of(seen, seat, rng, worlds)
    each, shares = draws // len(possible), list[float]()
    for option in options:
        after = [world.apply(seat, option)[0] for world in possible]
        shares.append(sum(expected_share(state, seat, evaluate, rng, each) for state in after))
    most = max(shares)
    return rng.choice([action for action, share in zip(options, shares, strict=True) if share == most])


def worlds_of(seen: State, seat: Seat | None, rng: Random, most: int) -> list[State]:
    """Sample full positions that are consistent with the seat's knowledge; only one if nothing is hidden from it."""
    world = seen.determinize(seat, rng)
    # If nothing is hidden, all worlds would be equal.
    return [world] if world == seen else [world, *(seen.determinize(seat, rng) for _ in range(most - 1))]


def expected_share(state: State, seat: Seat, evaluate: Evaluate, rng: Random, draws: int = DRAWS) -> float:
    """The expected share of a seat after the draws that are due, evaluating at most `draws` outcomes."""
    if (outcome := state.outcome()) is not None:
        return outcome.returns[seat]
    if not luck_is_due(state):
        return evaluate(state)[seat]
    outcomes = _outcomes(state, state.decisions()[0], rng, draws)
    # The branches share the budget, so that consecutive draws do not multiply the work.
    rest, total = draws // len(outcomes), sum(weight for _, weight in outcomes)
    after = [(state.apply(CHANCE, action)[0], weight) for action, weight in outcomes]
    return sum(weight * expected_share(child, seat, evaluate, rng, rest) for child, weight in after) / total


def luck_is_due(state: State) -> bool:
    """Whether CHANCE is due, cached by type: all frames of a type are for CHANCE, or none is."""
    kind = type(state.frames[-1])
    if (due := _LUCK_FRAMES.get(kind)) is None:
        due = _LUCK_FRAMES[kind] = state.decisions()[0].seat == CHANCE
    return due


_LUCK_FRAMES: dict[type, bool] = {}
"""Type of frame -> whether it is for CHANCE; bounded by the number of frame types."""


def _outcomes(state: State, decision: Decision, rng: Random, draws: int) -> list[tuple[Action, int]]:
    """The outcomes of a draw with their weights, or samples if there are more than `draws`."""
    options = decision.options
    if 0 < len(options) <= draws:
        return list(zip(options, decision.weights or [1] * len(options), strict=True))
    # At least one, even if a deep branch has no budget left.
    return [(state.sample(rng), 1) for _ in range(max(1, min(draws, SAMPLES)))]


def game_evaluation(view: View[State]) -> Evaluate:
    """The evaluation of the game; equal shares if it has none."""
    spec, alike = discover().get(view.game), (1 / view.setup.seats,) * view.setup.seats
    return spec.evaluate if spec and spec.evaluate else lambda _: alike


PLAYER = Player("Magpie", one_ply_player(game_evaluation), for_people=False)

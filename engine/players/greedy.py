"""The player that looks one ply ahead, and values what it sees as its game does."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engine.core import Action, Decision, State, View
from engine.evaluation import Shares
from engine.games import discover
from engine.players import Choose, Player
from engine.texts import CHANCE, Seat

Evaluate = Callable[[State], Shares]
"""What a position that is not over is worth to each seat."""

WORLDS = 4
"""Positions that a seat holds possible, drawn for each decision where something is hidden."""

DRAWS = 24
"""Most outcomes of luck that are looked at behind an option, in all worlds together."""

SAMPLES = 4
"""Of a draw with more outcomes, or with too many to list, so many are looked at."""


def one_ply(evaluate_for: Callable[[View[State]], Evaluate]) -> Choose:
    """A player that takes the option that leads to the best position, by a given way to value positions."""

    def choose(view: View[State], rng: Random) -> Action:
        decision = view.decision_of(view.viewer)
        assert decision is not None, "only a seat that is due can choose"
        return best(view.state, decision, evaluate_for(view), rng)

    return choose


def best(
    seen: State, decision: Decision, evaluate: Evaluate, rng: Random, worlds: int = WORLDS, draws: int = DRAWS
) -> Action:
    """The option worth most to the seat that decides, by what it sees; any of those worth as much, but no talk."""
    if decision.forced:
        return decision.options[0]
    seat, options = decision.seat, [option for option in decision.options if not option.talk]
    possible = worlds_of(seen, seat, rng, worlds)
    each, shares = draws // len(possible), list[float]()
    for option in options:
        after = [world.apply(seat, option)[0] for world in possible]
        shares.append(sum(value(state, seat, evaluate, rng, each) for state in after))
    most = max(shares)
    return rng.choice([action for action, share in zip(options, shares, strict=True) if share == most])


def worlds_of(seen: State, seat: Seat | None, rng: Random, most: int) -> list[State]:
    """A few full positions that the seat holds possible; one if it sees all of it."""
    world = seen.determinize(seat, rng)
    # Where nothing is hidden there was nothing to guess, and all worlds would be this one.
    return [world] if world == seen else [world, *(seen.determinize(seat, rng) for _ in range(most - 1))]


def value(state: State, seat: Seat, evaluate: Evaluate, rng: Random, draws: int = DRAWS) -> float:
    """What a position is worth to a seat once luck has decided, of which at most so many outcomes are looked at."""
    if (outcome := state.outcome()) is not None:
        return outcome.returns[seat]
    if not luck_is_due(state):
        return evaluate(state)[seat]
    outcomes = _outcomes(state, state.decisions()[0], rng, draws)
    # The branches share the budget, so that luck after luck does not multiply the work.
    rest, total = draws // len(outcomes), sum(weight for _, weight in outcomes)
    after = [(state.apply(CHANCE, action)[0], weight) for action, weight in outcomes]
    return sum(weight * value(drawn, seat, evaluate, rng, rest) for drawn, weight in after) / total


def luck_is_due(state: State) -> bool:
    """Whether CHANCE is asked. A kind of question is always put to luck or never, so its options are listed once."""
    kind = type(state.frames[-1])
    if (due := _PUT_TO_LUCK.get(kind)) is None:
        due = _PUT_TO_LUCK[kind] = state.decisions()[0].seat == CHANCE
    return due


_PUT_TO_LUCK: dict[type, bool] = {}
"""Kind of question -> whether luck answers it; as many as all games have."""


def _outcomes(state: State, decision: Decision, rng: Random, draws: int) -> list[tuple[Action, int]]:
    """All that luck can draw with their weights if that is not too much, else some of it."""
    options = decision.options
    if 0 < len(options) <= draws:
        return list(zip(options, decision.weights or [1] * len(options), strict=True))
    # A branch far down may have no budget left; one outcome is drawn all the same.
    return [(state.sample(rng), 1) for _ in range(max(1, min(draws, SAMPLES)))]


def by_its_game(view: View[State]) -> Evaluate:
    """How the game itself values positions; all alike if it does not."""
    spec, alike = discover().get(view.game), (1 / view.setup.seats,) * view.setup.seats
    return spec.evaluate if spec and spec.evaluate else lambda _: alike


PLAYER = Player("Magpie", one_ply(by_its_game), for_people=False)

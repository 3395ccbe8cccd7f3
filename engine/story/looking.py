"""Analysis of single positions of a match: their value for each seat, and the cost of the choices made in them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import mean

from engine.calibration import calibrate, calibrate_one, calibration_for
from engine.core import Action, State
from engine.evaluation import Shares
from engine.players.greedy import Evaluate, worlds_of
from engine.players.search import Effort, evaluate_worlds, evaluation_of_game, rank_in_worlds
from engine.texts import Seat
from engine.values import Value

WORLDS = 6
"""Number of sampled worlds. A position is evaluated from public knowledge, a choice from that of its seat at the time.
"""


NOISE = 0.01
"""Smaller losses of the share of the win cannot be told apart from none."""


class Look(Value):
    """A request to analyze the full position before a ply and, if there is an `action`, this choice of the `seat`.

    `steps` is the search budget (see `Effort`). With `is_deep`, the positions after the choice and after the best
    option are searched as well. `mates` is the number of seats in the seat's company.
    """

    ply: int
    state: State
    seat: Seat
    action: Action | None
    steps: int
    is_deep: bool = False
    mates: int = 1


class LookResult(Value):
    """The result of a look: the calibrated share of the win of each seat, and the loss of the company by the choice.

    `better` is a better choice. `lost` and `usually` are not calibrated: the loss by the choice, and the mean loss of a
    random option.
    """

    ply: int
    shares: Shares
    loss: float = 0.0
    better: Action | None = None
    lost: float = 0.0
    usually: float = 0.0


def analyze(game: str, seats: int, looks: Sequence[Look], seed: str) -> tuple[LookResult, ...]:
    """Analyze positions. Deterministic for a seed."""
    return tuple(_analyze(game, seats, look, _luck(look, seed)) for look in looks)


def value_of(game: str, seats: int, look: Look, seed: str) -> Shares:
    """The value of a position for each seat from public knowledge, before calibration."""
    rng = _luck(look, seed)
    return _value_of(look, evaluation_of_game(game, seats, rng), rng)


def chances_after(game: str, seats: int, look: Look, options: Sequence[Action], seed: str) -> tuple[float, ...]:
    """The calibrated chance of the company to win after each option of a look, from the knowledge of its seat.

    Deterministic for a seed.
    """
    rng = _luck(look, seed)
    evaluate = evaluation_of_game(game, seats, rng)
    worlds = worlds_of(look.state.observe(look.seat), look.seat, rng, WORLDS)
    calibration = calibration_for(game, seats, look.state)
    worth = [_worth(worlds, look, option, evaluate) for option in options]
    return tuple(calibrate_one(value * look.mates, seats // look.mates, calibration) for value in worth)


def _luck(look: Look, seed: str) -> Random:
    return Random(f"{seed}/{look.ply}")


def _value_of(look: Look, evaluate: Evaluate, rng: Random) -> Shares:
    # The look has a full position, so it is observed first.
    return evaluate_worlds(worlds_of(look.state.observe(None), None, rng, WORLDS), rng, Effort(look.steps), evaluate)


def _analyze(game: str, seats: int, look: Look, rng: Random) -> LookResult:
    evaluate, believed = evaluation_of_game(game, seats, rng), calibration_for(game, seats, look.state)
    shares = calibrate(_value_of(look, evaluate, rng), believed)
    if look.action is None:
        return LookResult(look.ply, shares)
    worlds = worlds_of(look.state.observe(look.seat), look.seat, rng, WORLDS)
    # Twice the steps: with those of the value above, three times, as `_first_looks` expects.
    options = rank_in_worlds(worlds, look.seat, rng, Effort(2 * look.steps), evaluate)
    best, top = options[0].option, options[0].chance
    chances = [next(ranked.chance for ranked in options if ranked.option == look.action), top]
    lost = _without_noise(chances[1] - chances[0])
    usually = mean(_without_noise(top - ranked.chance) for ranked in options)
    if best == look.action:
        # The mean loss of the options counts for accuracy all the same.
        return LookResult(look.ply, shares, usually=usually)
    if look.is_deep:
        chances = [_worth(worlds, look, option, evaluate) for option in (look.action, best)]
    actual, better = (calibrate_one(chance * look.mates, seats // look.mates, believed) for chance in chances)
    return LookResult(look.ply, shares, max(0.0, better - actual), best, lost, usually)


def _without_noise(loss: float) -> float:
    """A loss, or 0 if it is noise."""
    return loss if loss > NOISE else 0.0


def _worth(worlds: Sequence[State], look: Look, option: Action, evaluate: Evaluate) -> float:
    """The value of an option for the seat. The seed is that of the ply, so that compared options have equal luck."""
    after = [world.apply(look.seat, option)[0] for world in worlds]
    ended = [state.outcome() for state in after]
    over = [outcome.returns[look.seat] for outcome in ended if outcome is not None]
    going = [state for state, outcome in zip(after, ended, strict=True) if outcome is None]
    on = evaluate_worlds(going, Random(look.ply), Effort(look.steps), evaluate)[look.seat] if going else 0.0
    return (sum(over) + len(going) * on) / len(worlds)

"""Thinking over single positions of a match: what each was worth, and what a choice in it has cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import mean

from engine.calibration import calibrated, calibrated_alone, trust
from engine.core import Action, State
from engine.evaluation import Shares
from engine.players.greedy import Evaluate, worlds_of
from engine.players.search import Effort, evaluation_in, ranked_in, valued_in
from engine.texts import Seat

WORLDS = 6
"""Worlds in which a position is valued, by what everybody could know, and a choice judged, by what its seat could:
nothing counts that came to light later.
"""


NOISE = 0.01
"""An option whose share of the win is no worse than this is as good as the best one, as far as can be found."""


@dataclass(frozen=True, slots=True)
class Look:
    """A full position at a ply; with an `action`, it is to be judged what the `seat` chose there.

    `steps` is how long to think (see `Effort`). `closely`: whether the choice is compared with the best one by
    thinking on from both for as long. `mates` is how many seats win together.
    """

    ply: int
    state: State
    seat: Seat
    action: Action | None
    steps: int
    closely: bool = False
    mates: int = 1


@dataclass(frozen=True, slots=True)
class Looked:
    """What a look has found, calibrated: the share of the win of each seat, and what the choice has cost its company.

    `better` is a better choice. Of what was found, not calibrated: how much the choice has `lost`, and any option
    `usually`, if one is drawn.
    """

    ply: int
    shares: Shares
    loss: float = 0.0
    better: Action | None = None
    lost: float = 0.0
    usually: float = 0.0


def looked(game: str, seats: int, looks: Sequence[Look], seed: str) -> tuple[Looked, ...]:
    """What there is to be found; the same seed finds the same."""
    return tuple(_looked(game, seats, look, _luck(look, seed)) for look in looks)


def value_of(game: str, seats: int, look: Look, seed: str) -> Shares:
    """What a position seems to be worth to each seat, by what everybody could know: not calibrated yet."""
    rng = _luck(look, seed)
    return _value_of(look, evaluation_in(game, seats, rng), rng)


def _luck(look: Look, seed: str) -> Random:
    return Random(f"{seed}/{look.ply}")


def _value_of(look: Look, evaluate: Evaluate, rng: Random) -> Shares:
    # The position is a full one, and nothing counts but what everybody could know.
    return valued_in(worlds_of(look.state.observe(None), None, rng, WORLDS), rng, Effort(look.steps), evaluate)


def _looked(game: str, seats: int, look: Look, rng: Random) -> Looked:
    evaluate, believed = evaluation_in(game, seats, rng), trust(game, seats, look.state)
    shares = calibrated(_value_of(look, evaluate, rng), believed)
    if look.action is None:
        return Looked(look.ply, shares)
    worlds = worlds_of(look.state.observe(look.seat), look.seat, rng, WORLDS)
    # Twice the steps: with the value above that makes three, as `_first_looks` expects.
    found = ranked_in(worlds, look.seat, rng, Effort(2 * look.steps), evaluate)
    best, chances = found[0].option, [next(one.chance for one in found if one.option == look.action), found[0].chance]
    lost, usually = _lost(chances[1] - chances[0]), mean(_lost(found[0].chance - one.chance) for one in found)
    if best == look.action:
        # What any other choice would have cost counts for accuracy all the same.
        return Looked(look.ply, shares, usually=usually)
    if look.closely:
        chances = [_worth(worlds, look, option, evaluate) for option in (look.action, best)]
    chosen, better = (calibrated_alone(chance * look.mates, seats // look.mates, believed) for chance in chances)
    return Looked(look.ply, shares, max(0.0, better - chosen), best, lost, usually)


def _lost(loss: float) -> float:
    """A loss, or 0 where it cannot be told apart from none."""
    return loss if loss > NOISE else 0.0


def _worth(worlds: Sequence[State], look: Look, option: Action, evaluate: Evaluate) -> float:
    """What an option is worth to the seat; both that are compared are given the same luck."""
    after = [world.apply(look.seat, option)[0] for world in worlds]
    ended = [state.outcome() for state in after]
    over = [outcome.returns[look.seat] for outcome in ended if outcome is not None]
    going = [state for state, outcome in zip(after, ended, strict=True) if outcome is None]
    on = valued_in(going, Random(look.ply), Effort(look.steps), evaluate)[look.seat] if going else 0.0
    return (sum(over) + len(going) * on) / len(worlds)

"""Thinking over single positions of a match: what each was worth, and what a choice in it has cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from engine.core import Action, State
from engine.players.greedy import worlds_of
from engine.players.search import Effort, evaluation_in, ranked_in, valued_in
from engine.players.search.tree import Evaluate, Shares
from engine.texts import Seat

WORLDS = 6
"""Worlds in which a position is valued, by what everybody could know, and a choice judged, by what its seat could:
nothing counts that came to light later.
"""


@dataclass(frozen=True, slots=True)
class Look:
    """A full position at a ply; with an `action`, it is to be judged what the `seat` chose there.

    `steps` is how long to think (see `Effort`). `closely`: whether the choice is compared with the best one by
    thinking on from both for as long.
    """

    ply: int
    state: State
    seat: Seat
    action: Action | None
    steps: int
    closely: bool = False


@dataclass(frozen=True, slots=True)
class Looked:
    """What a look has found: the share of the win of each seat; what the choice has cost of it, and a better one."""

    ply: int
    shares: Shares
    loss: float = 0.0
    better: Action | None = None


def looked(game: str, seats: int, looks: Sequence[Look], seed: str) -> tuple[Looked, ...]:
    """What there is to be found; the same seed finds the same."""
    return tuple(_looked(look, evaluation_in(game, seats, rng), rng) for look in looks for rng in [_luck(look, seed)])


def _luck(look: Look, seed: str) -> Random:
    return Random(f"{seed}/{look.ply}")


def _looked(look: Look, evaluate: Evaluate, rng: Random) -> Looked:
    shares = valued_in(worlds_of(look.state.observe(None), None, rng, WORLDS), rng, Effort(look.steps), evaluate)
    if look.action is None:
        return Looked(look.ply, shares)
    worlds = worlds_of(look.state.observe(look.seat), look.seat, rng, WORLDS)
    found = ranked_in(worlds, look.seat, rng, Effort(2 * look.steps), evaluate)
    best, loss = found[0].option, found[0].chance - next(one.chance for one in found if one.option == look.action)
    if best == look.action:
        return Looked(look.ply, shares)
    if look.closely:
        loss = _worth(worlds, look, best, evaluate) - _worth(worlds, look, look.action, evaluate)
    return Looked(look.ply, shares, max(0.0, loss), best)


def _worth(worlds: Sequence[State], look: Look, option: Action, evaluate: Evaluate) -> float:
    """What an option is worth to the seat; both that are compared are given the same luck."""
    after = [world.apply(look.seat, option)[0] for world in worlds]
    ended = [state.outcome() for state in after]
    over = [outcome.returns[look.seat] for outcome in ended if outcome is not None]
    going = [state for state, outcome in zip(after, ended, strict=True) if outcome is None]
    on = valued_in(going, Random(look.ply), Effort(look.steps), evaluate)[look.seat] if going else 0.0
    return (sum(over) + len(going) * on) / len(worlds)

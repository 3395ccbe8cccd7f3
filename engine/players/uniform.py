"""A benchmark player that chooses at random."""

from __future__ import annotations

from random import Random

from engine.core import Action, State, View
from engine.players import Player


def choose(view: View[State], rng: Random) -> Action:
    """Choose an option uniformly at random. The viewer must be due."""
    decision = view.decision_of(view.viewer)
    assert decision is not None, "only a seat that is due can choose"
    return rng.choice(decision.options)


PLAYER = Player("Tumbleweed", choose, for_people=False)

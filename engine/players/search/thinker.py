"""Computer players that think for some time and take the best option they found, or now and then another one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from engine.core import STEP_COST, Action, State, View
from engine.games import discover
from engine.players import Choose
from engine.players.search import Effort, bearable, ranked

LEEWAY = 0.25
"""The part of its chances that a slip gives away at most."""


@dataclass(frozen=True, slots=True)
class Thinker:
    """Thinks for so many seconds of CPU, as far as the game's own figures go, and in so many worlds at most.

    As often as it `slips` it takes any option that is nearly as good as the best one.
    """

    seconds: float
    worlds: int
    slips: float = 0

    def __call__(self, view: View[State], rng: Random) -> Action:
        """The best option that was found, or nearly. What is forced needs no thought."""
        decision = view.decision_of(view.viewer)
        assert decision is not None, "only a seat that is due can choose"
        if decision.forced:
            return decision.options[0]
        options = ranked(view, rng, self.effort(view))
        if self.slips and rng.random() < self.slips:
            return rng.choice(bearable(options, LEEWAY)).option
        return options[0].option

    def effort(self, view: View[State]) -> Effort:
        """The same thinking counted in steps, which do not depend on the machine."""
        spec = discover().get(view.game)
        cost = spec.step_cost(view.setup.seats) if spec else STEP_COST
        return Effort(int(self.seconds * 1e6 / cost), self.worlds)


def with_effort(choose: Choose, part: float) -> Choose:
    """The same player with a part of its time, if it thinks ahead."""
    return replace(choose, seconds=choose.seconds * part) if isinstance(choose, Thinker) else choose

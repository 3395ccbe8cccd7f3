"""Computer players that search for some time and choose the best option, or occasionally a slightly worse one."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from engine.core import STEP_COST, Action, State, View
from engine.games import discover
from engine.players import Choose
from engine.players.search import Effort, rank_options, within_loss
from engine.values import Value

LEEWAY = 0.25
"""Maximum part of its chances that a slip gives away."""


class Thinker(Value):
    """A player that searches for about `seconds` of CPU, as estimated by the game's `step_costs`.

    `worlds` is the maximum number of worlds. `slips` is the probability of choosing a random option that is nearly as
    good as the best one.
    """

    seconds: float
    worlds: int
    slips: float = 0

    def __call__(self, view: View[State], rng: Random) -> Action:
        """Choose an option. Forced decisions are not searched."""
        decision = view.decision_of(view.viewer)
        assert decision is not None, "only a seat that is due can choose"
        if decision.forced:
            return decision.options[0]
        options = rank_options(view, rng, self.effort(view))
        if self.slips and rng.random() < self.slips:
            return rng.choice(within_loss(options, LEEWAY)).option
        return options[0].option

    def effort(self, view: View[State]) -> Effort:
        """The thinking time converted to steps, which do not depend on the machine."""
        spec = discover().get(view.game)
        cost = spec.step_cost(view.setup.seats) if spec else STEP_COST
        return Effort(int(self.seconds * 1e6 / cost), self.worlds)


def with_effort(choose: Choose, part: float) -> Choose:
    """The player with only a part of its thinking time; unchanged if it does not search."""
    return replace(choose, seconds=choose.seconds * part) if isinstance(choose, Thinker) else choose

"""The tree of a search: places, which are full positions, and nodes, which are information sets."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from math import log, sqrt
from operator import mul, sub
from random import Random

from engine.core import Decision, State
from engine.evaluation import Shares
from engine.players.greedy import Evaluate, luck_is_due
from engine.texts import CHANCE, Seat

EXPLORATION = 0.5
"""Exploration constant, in units of the spread of the priors of a node's options."""
INITIAL_WIDTH, WIDENING = 2.0, 1.0
"""Progressive widening: a node tries INITIAL_WIDTH + WIDENING * sqrt(visits) options."""
MIN_SPREAD = 0.01
"""Smaller differences in the share of the win are noise."""
MAX_WIDTH = 48
"""Maximum number of options of a node, except for the root; of more, it takes a sample."""
GOLDEN = (sqrt(5) - 1) / 2
"""The golden ratio; its multiples modulo 1 are a low-discrepancy sequence of any length."""


class Node:
    """An information set: the knowledge of a deciding seat, shared by all places that it cannot distinguish.

    The contract of games guarantees that the seat has the same options in all of them, so options are identified by
    index. `numbers` are the indexes of the options under consideration, the most promising first. `priors` sum the
    values of an option one ply ahead over all worlds; `counts` and `totals` are its visits and the sum of the seat's
    shares. `leader` is the most visited option.
    """

    __slots__ = ("counts", "leader", "numbers", "priors", "seat", "spread", "totals", "visits", "worlds")

    def __init__(self, seat: Seat, numbers: Sequence[int], options: int) -> None:
        self.seat, self.numbers, self.leader = seat, list(numbers), numbers[0]
        self.visits, self.worlds, self.spread = 0, 0, MIN_SPREAD
        self.counts, self.totals, self.priors = [0] * options, [0.0] * options, [0.0] * options

    def add_priors(self, children: Mapping[int, Place]) -> None:
        """Add the values of the options one ply ahead in another world."""
        self.worlds += 1
        for number in self.numbers:
            self.priors[number] += children[number].value[self.seat]
        # Sorted again for every world, since early visits only try the first options.
        self.numbers.sort(key=self.priors.__getitem__, reverse=True)
        best, worst = self.priors[self.numbers[0]], self.priors[self.numbers[-1]]
        self.spread = max(MIN_SPREAD, (best - worst) / self.worlds)

    def select(self) -> int:
        """The option to try next: promising, successful, or seldom tried."""
        counts, totals, priors, worlds = self.counts, self.totals, self.priors, self.worlds
        # + 2: the log must be positive before the first visit.
        reach = EXPLORATION * self.spread * sqrt(log(self.visits + 2))
        best, best_number = -1.0, 0
        for number in self.numbers[: int(INITIAL_WIDTH + WIDENING * sqrt(self.visits))]:
            # A prior counts as one visit; a weight of 4 or 16 visits was not stronger (players/measurements.md).
            tried = 1 + counts[number]
            score = (totals[number] + priors[number] / worlds) / tried + reach / sqrt(tried)
            if score > best:
                best, best_number = score, number
        return best_number

    def update(self, number: int, shares: Shares, estimate: Shares) -> None:
        """Record a visit through an option; `estimate` is its estimate in the visited world."""
        # Corrects for how favorable this world is compared with the others (see `Tree.visit`).
        correction = self.priors[number] / self.worlds - estimate[self.seat]
        self.visits += 1
        self.counts[number] += 1
        self.totals[number] += shares[self.seat] + correction
        # Before the first visit, `leader` is arbitrary.
        if self.counts[number] > self.counts[self.leader] or self.visits == 1:
            self.leader = number

    def backup(self, number: int, shares: Shares) -> Shares:
        """The shares that a visit passes up. An option tried only for exploration must not affect the nodes above."""
        if number == self.leader:
            return shares
        own, rest = self.chance(self.leader), 1 - shares[self.seat]
        if rest <= 0:
            return shares
        # The other shares keep their proportions; all shares sum to 1 again.
        others = [share * (1 - own) / rest for share in shares]
        others[self.seat] = own
        return tuple(others)

    def chance(self, number: int) -> float:
        """The estimated share of the seat if it chooses an option."""
        share = (self.totals[number] + self.priors[number] / self.worlds) / (1 + self.counts[number])
        return min(1.0, max(0.0, share))  # with luck subtracted, it may be slightly out of range


class Place:
    """A full position in the tree. It is expanded (`decision`, `children`) on the second visit.

    `value` is an estimate; `result` is final. `children` are by index of the option or outcome. `node` is that of the
    deciding seat. CHANCE has none; `draws` counts its draws, which follow a sequence that starts at `first` in the unit
    interval, and `mean` is the mean value of all outcomes if there are few.
    """

    __slots__ = ("children", "decision", "draws", "first", "mean", "node", "result", "state", "value")

    def __init__(self, state: State, value: Shares, result: Shares | None) -> None:
        self.state, self.value, self.result = state, value, result
        self.decision: Decision | None = None
        self.children: dict[int, Place] = {}
        self.node: Node | None = None
        self.mean: Shares | None = None
        self.draws, self.first = 0, 0.0


class Tree:
    """All places and nodes of a search. `steps` counts visits and evaluated positions."""

    def __init__(self, evaluate: Evaluate, rng: Random) -> None:
        self.steps = 0
        self.nodes: dict[tuple[Seat, State], Node] = {}
        self._evaluate, self._rng = evaluate, rng

    def new_place(self, state: State) -> Place:
        """A place for a position, which is evaluated at once."""
        self.steps += 1
        # `frames` is a cheap test: a position with frames is not over.
        if not state.frames and (outcome := state.outcome()):
            return Place(state, outcome.returns, outcome.returns)
        return Place(state, self._evaluate(state), None)

    def visit(self, place: Place) -> Shares:
        """Walk down to a seat's unexpanded decision, expand it, and update all nodes on the path.

        A walk does not stop at a draw, whose value is already estimated. The estimated effect of the draws on the path
        is subtracted: this leaves the mean unchanged, but far fewer visits come close to it (control variates:
        J. Veness, M. Lanctot, M. Bowling, 2011).
        """
        self.steps += 1  # guarantees an end once the whole tree is expanded and no new positions are evaluated
        path: list[tuple[Place, int]] = []
        shares = place.value
        while place.result is None:
            if place.decision is None:
                shares = self.expand(place)
                # Otherwise a draw is due, which adds no information: the walk goes on.
                if place.node or place.result:
                    break
            assert place.decision is not None, "an expanded place has a decision"
            number = place.node.select() if place.node else self._next_outcome(place, place.decision)
            path.append((place, number))
            place = place.children[number]
        shares = place.result or shares
        for above, number in reversed(path):
            estimate = above.children[number].value
            if above.node:
                above.node.update(number, shares, estimate)
                shares = above.node.backup(number, shares)
            elif above.mean:
                shares = tuple(map(sub, shares, map(sub, estimate, above.mean)))
        return shares

    def expand(self, place: Place, seat: Seat | None = None) -> Shares:
        """Expand a place and evaluate its children; returns its new value.

        With a seat, that seat's decision is expanded.
        """
        decision = self._next_decision(place) if seat is None else place.state.decision_of(seat)
        if decision is None:
            assert place.result is not None, "a game without questions is over"
            return place.result
        place.decision = decision
        if decision.seat == CHANCE:
            return self._expand_chance(place, decision)
        # The root must consider all options, since one of them is chosen.
        place.node = node = self._node(place.state, decision, all_options=seat is not None)
        place.children = {number: self._after(place.state, decision, number) for number in node.numbers}
        if seat is not None:
            self._expand_past_chance(place.children.values())
        node.add_priors(place.children)
        # `add_priors` sorts the best option to the front.
        return place.children[node.numbers[0]].value

    def _next_decision(self, place: Place) -> Decision | None:
        """The next decision with more than one option, after playing the forced ones; `None` if the game ends."""
        state = place.state
        while decisions := state.decisions():
            if decisions[0].seat == CHANCE:
                decisions = (state.merged_chances(),)
            if len(decisions[0].options) != 1:
                # The place moves on to this position, from which its children follow.
                place.state = state
                return decisions[0]
            state, _ = state.apply(decisions[0].seat, decisions[0].options[0])
        place.state, place.result = state, self.new_place(state).result
        return None

    def _node(self, state: State, decision: Decision, all_options: bool) -> Node:
        key = decision.seat, state.observe(decision.seat)
        # Looked up once: a hash of a position takes long.
        if (node := self.nodes.get(key)) is None:
            options = len(decision.options)
            few = all_options or options <= MAX_WIDTH
            numbers = range(options) if few else self._rng.sample(range(options), MAX_WIDTH)
            node = self.nodes[key] = Node(decision.seat, numbers, options)
        return node

    def _after(self, state: State, decision: Decision, number: int) -> Place:
        return self.new_place(state.apply(decision.seat, decision.options[number])[0])

    # --- luck ---

    def _expand_past_chance(self, options: Iterable[Place]) -> None:
        """Evaluate options that lead to a draw by its outcomes: an estimate before the draw may be biased."""
        for place in options:
            if place.result is None and luck_is_due(place.state):
                place.value = self.expand(place)

    def _expand_chance(self, place: Place, decision: Decision) -> Shares:
        """Evaluate all outcomes of a draw if they are listed and few, otherwise one of them."""
        # A random start: starting at the first outcome favored options that low numbers do not hurt
        # (players/measurements.md).
        place.first = self._rng.random()
        if not 0 < len(decision.options) <= MAX_WIDTH:
            return place.children[self._next_outcome(place, decision)].value
        place.children = {number: self._after(place.state, decision, number) for number in range(len(decision.options))}
        values = [child.value for child in place.children.values()]
        weights = decision.weights or (1,) * len(values)
        total = sum(weights)
        place.mean = mean = tuple([sum(map(mul, weights, seat)) / total for seat in zip(*values, strict=True)])
        return mean

    def _next_outcome(self, place: Place, decision: Decision) -> int:
        """The index of the next outcome: by weight if outcomes are listed, otherwise from a growing set of samples."""
        place.draws += 1
        if decision.options:
            number = spread(decision, place.first + place.draws * GOLDEN)
        else:
            # Cycles through the samples; a new one is added whenever there are more draws than their number squared.
            samples = len(place.children)
            number = samples if samples**2 < place.draws else place.draws % samples
        if number not in place.children:
            action = decision.options[number] if decision.options else place.state.sample(self._rng)
            place.children[number] = self.new_place(place.state.apply(CHANCE, action)[0])
        return number


def spread(decision: Decision, point: float) -> int:
    """The index of the outcome at a point of the unit interval, which is divided in proportion to the weights."""
    if not decision.weights:
        return int(point % 1 * len(decision.options))
    reached = list(accumulate(decision.weights))
    return bisect_right(reached, point % 1 * reached[-1])

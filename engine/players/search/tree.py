"""The tree of a search: places, which are full positions, and nodes, which are what a seat knows in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log, sqrt
from random import Random
from typing import TypeAlias

from engine.core import Decision, State
from engine.texts import CHANCE, Seat

Shares: TypeAlias = tuple[float, ...]
"""The expected share of the win of each seat; they sum to 1."""

Evaluate: TypeAlias = Callable[[State], Shares]

CURIOSITY = 0.5
"""How much a seldom tried option is favored, in spreads of what the options of its node promise."""
AT_FIRST, WIDENING = 2.0, 1.0
"""How many options of a node are tried: so many at first, and more with the root of its visits."""
LEAST_SPREAD = 0.01
"""Differences of the win below this are noise."""
WIDEST = 48
"""Of more options than these, a node away from the root looks at a sample."""


class Node:
    """What a seat knows when it decides: an information set, shared by all places that look the same to it.

    The contract of a game says that a seat has the same options in all of them, so these are kept by number:
    `numbers` are those looked at, the most promising first. `promised` is what an option was worth one ply ahead,
    in all worlds together; `counts` and `totals` are its visits and the shares that they brought to the seat.
    """

    __slots__ = ("counts", "numbers", "promised", "seat", "spread", "totals", "visits", "worlds")

    def __init__(self, seat: Seat, numbers: Sequence[int], options: int) -> None:
        self.seat, self.numbers = seat, list(numbers)
        self.visits, self.worlds, self.spread = 0, 0, LEAST_SPREAD
        self.counts, self.totals, self.promised = [0] * options, [0.0] * options, [0.0] * options

    def promise(self, children: Mapping[int, Place]) -> None:
        """Learn what the options are worth one ply ahead in another world."""
        self.worlds += 1
        for number in self.numbers:
            self.promised[number] += children[number].value[self.seat]
        self.numbers.sort(key=self.promised.__getitem__, reverse=True)
        best, worst = self.promised[self.numbers[0]], self.promised[self.numbers[-1]]
        self.spread = max(LEAST_SPREAD, (best - worst) / self.worlds)

    def select(self) -> int:
        """The option to try next: promising, successful, or seldom tried."""
        counts, totals, promised, worlds = self.counts, self.totals, self.promised, self.worlds
        reach = CURIOSITY * self.spread * sqrt(log(self.visits + 2))
        best, chosen = -1.0, 0
        for number in self.numbers[: int(AT_FIRST + WIDENING * sqrt(self.visits))]:
            tried = 1 + counts[number]
            score = (totals[number] + promised[number] / worlds) / tried + reach / sqrt(tried)
            if score > best:
                best, chosen = score, number
        return chosen

    def learn(self, number: int, shares: Shares) -> None:
        """Count a visit by an option."""
        self.visits += 1
        self.counts[number] += 1
        self.totals[number] += shares[self.seat]

    def chance(self, number: int) -> float:
        """What an option is worth to the seat, by all that is known."""
        return (self.totals[number] + self.promised[number] / self.worlds) / (1 + self.counts[number])


class Place:
    """A full position in the tree. It is looked at closely (`asked`, `children`) when the search comes by again.

    `value` is a guess, or the result of a game that is over. `children` are by number of the option or draw. `node` is
    that of the seat that decides. CHANCE has none: `visits` are those of its draws.
    """

    __slots__ = ("asked", "children", "node", "over", "state", "value", "visits")

    def __init__(self, state: State, value: Shares, over: bool) -> None:
        self.state, self.value, self.over = state, value, over
        self.asked: Decision | None = None
        self.children: dict[int, Place] = {}
        self.node: Node | None = None
        self.visits: list[int] = []


class Tree:
    """All places and nodes of a search. `steps` counts its walks, and the positions that were reached and valued."""

    def __init__(self, evaluate: Evaluate, rng: Random) -> None:
        self.steps = 0
        self.nodes: dict[tuple[Seat, State], Node] = {}
        self._evaluate, self._rng = evaluate, rng

    def place(self, state: State) -> Place:
        """A place for a position, valued at once."""
        self.steps += 1
        outcome = None if state.frames else state.outcome()
        return Place(state, outcome.returns if outcome else self._evaluate(state), outcome is not None)

    def visit(self, place: Place) -> Shares:
        """Walk down to a place that was not looked at yet, look at it, and let all nodes on the way learn from it."""
        self.steps += 1  # where all is known to the end, there is nothing to value any more
        path: list[tuple[Node, int]] = []
        while place.asked is not None:
            if (node := place.node) is None:
                place = self._drawn(place, place.asked)
            else:
                number = node.select()
                path.append((node, number))
                place = place.children[number]
        shares = place.value if place.over else self.look(place)
        for node, number in path:
            node.learn(number, shares)
        return shares

    def look(self, place: Place, seat: Seat | None = None) -> Shares:
        """Value what can happen next; returns what the position is worth then.

        With a seat, it is this one that decides first.
        """
        decision = self._asked(place) if seat is None else _decision_of(place.state, seat)
        if decision is None:
            return place.value
        place.asked = decision
        if decision.seat == CHANCE:
            place.visits = [0] * len(decision.options)
            return self._drawn(place, decision).value
        place.node = node = self._node(place.state, decision, everything=seat is not None)
        place.children = {number: self._after(place.state, decision, number) for number in node.numbers}
        node.promise(place.children)
        return place.children[node.numbers[0]].value

    def _asked(self, place: Place) -> Decision | None:
        """The next real question; what has one answer only is answered. None if that ends the game."""
        state = place.state
        while decisions := state.decisions():
            if len(decisions[0].options) != 1:
                place.state = state
                return decisions[0]
            state, _ = state.apply(decisions[0].seat, decisions[0].options[0])
        ended = self.place(state)
        place.state, place.value, place.over = state, ended.value, True
        return None

    def _node(self, state: State, decision: Decision, everything: bool) -> Node:
        key = decision.seat, state.observe(decision.seat)
        if key not in self.nodes:
            options = len(decision.options)
            few = everything or options <= WIDEST
            numbers = range(options) if few else self._rng.sample(range(options), WIDEST)
            self.nodes[key] = Node(decision.seat, numbers, options)
        return self.nodes[key]

    def _after(self, state: State, decision: Decision, number: int) -> Place:
        return self.place(state.apply(decision.seat, decision.options[number])[0])

    # --- luck ---

    def _drawn(self, place: Place, decision: Decision) -> Place:
        """What luck draws: listed outcomes as often as they are likely, others ever more of them."""
        number = _most_overdue(decision, place.visits) if decision.options else _next_sample(place.visits)
        if number not in place.children:
            place.children[number] = self._uncovered(place.state, decision, number)
        place.visits[number] += 1
        return place.children[number]

    def _uncovered(self, state: State, decision: Decision, number: int) -> Place:
        if decision.options:
            return self._after(state, decision, number)
        return self.place(state.apply(CHANCE, state.sample(self._rng))[0])


def _next_sample(visits: list[int]) -> int:
    """One of the samples in turn; there is a new one whenever the visits outgrow their square."""
    if len(visits) ** 2 <= sum(visits):
        visits.append(0)
        return len(visits) - 1
    return sum(visits) % len(visits)


def _most_overdue(decision: Decision, visits: Sequence[int]) -> int:
    """The outcome that was drawn too seldom for its weight."""
    weights = decision.weights or (1,) * len(visits)
    each = (sum(visits) + 1) / sum(weights)
    return max(range(len(visits)), key=lambda number: weights[number] * each - visits[number])


def _decision_of(state: State, seat: Seat) -> Decision:
    return next(decision for decision in state.decisions() if decision.seat == seat)

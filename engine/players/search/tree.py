"""The tree of a search: places, which are full positions, and nodes, which are what a seat knows in them."""

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

CURIOSITY = 0.5
"""How much a seldom tried option is favored, in spreads of what the options of its node promise."""
AT_FIRST, WIDENING = 2.0, 1.0
"""How many options of a node are tried: so many at first, and more with the root of its visits."""
LEAST_SPREAD = 0.01
"""Differences of the win below this are noise."""
WIDEST = 48
"""Of more options than these, a node away from the root looks at a sample."""
GOLDEN = (sqrt(5) - 1) / 2
"""The golden section, whose multiples are spread over the unit interval as evenly as can be, however many they are."""


class Node:
    """What a seat knows when it decides: an information set, shared by all places that look the same to it.

    The contract of a game says that a seat has the same options in all of them, so these are kept by number:
    `numbers` are those looked at, the most promising first. `promised` is what an option was worth one ply ahead,
    in all worlds together; `counts` and `totals` are its visits and the shares that they brought to the seat. `leader`
    is the option that was visited most.
    """

    __slots__ = ("counts", "leader", "numbers", "promised", "seat", "spread", "totals", "visits", "worlds")

    def __init__(self, seat: Seat, numbers: Sequence[int], options: int) -> None:
        self.seat, self.numbers, self.leader = seat, list(numbers), numbers[0]
        self.visits, self.worlds, self.spread = 0, 0, LEAST_SPREAD
        self.counts, self.totals, self.promised = [0] * options, [0.0] * options, [0.0] * options

    def promise(self, children: Mapping[int, Position]) -> None:
        """Learn what the options are worth one ply ahead in another world."""
        self.worlds += 1
        for number in self.numbers:
            self.promised[number] += children[number].value[self.seat]
        # Sorted anew with every world, since only the first ones are tried for long.
        self.numbers.sort(key=self.promised.__getitem__, reverse=True)
        best, worst = self.promised[self.numbers[0]], self.promised[self.numbers[-1]]
        self.spread = max(LEAST_SPREAD, (best - worst) / self.worlds)

    def select(self) -> int:
        """The option to try next: promising, successful, or seldom tried."""
        counts, totals, promised, worlds = self.counts, self.totals, self.promised, self.worlds
        # + 2, so that the log is above 0 before the first visit.
        reach = CURIOSITY * self.spread * sqrt(log(self.visits + 2))
        best, chosen = -1.0, 0
        for number in self.numbers[: int(AT_FIRST + WIDENING * sqrt(self.visits))]:
            # A promise counts as one visit: the weight of 4 or 16 visits won no more (players/measurements.md).
            tried = 1 + counts[number]
            score = (totals[number] + promised[number] / worlds) / tried + reach / sqrt(tried)
            if score > best:
                best, chosen = score, number
        return chosen

    def learn(self, number: int, shares: Shares, guess: Shares) -> None:
        """Count a visit by an option, in a world where it was guessed to be worth so much; others may be kinder."""
        # How kind its world was is no merit of the option, and is taken off again (see `Tree.visit`).
        kinder = self.promised[number] / self.worlds - guess[self.seat]
        self.visits += 1
        self.counts[number] += 1
        self.totals[number] += shares[self.seat] + kinder
        # Before the first visit, `leader` is just the first number.
        if self.counts[number] > self.counts[self.leader] or self.visits == 1:
            self.leader = number

    def backup(self, number: int, shares: Shares) -> Shares:
        """What a visit passes up: an option that is only being tried must not count for or against the nodes above."""
        if number == self.leader:
            return shares
        own, rest = self.chance(self.leader), 1 - shares[self.seat]
        if rest <= 0:
            return shares
        # The other shares keep their proportions, and all of them sum to 1 again.
        others = [share * (1 - own) / rest for share in shares]
        others[self.seat] = own
        return tuple(others)

    def chance(self, number: int) -> float:
        """What an option is worth to the seat, by all that is known."""
        share = (self.totals[number] + self.promised[number] / self.worlds) / (1 + self.counts[number])
        return min(1.0, max(0.0, share))  # with luck taken off it may come out a little beyond


class Position:
    """A full position in the tree. It is looked at closely (`asked`, `children`) when the search comes by again.

    `value` is a guess, and `result` that of a game that is over. `children` are by number of the option or draw. `node`
    is that of the seat that decides. CHANCE has none: `draws` counts what it drew, from a place of the unit interval
    that is `first`; `mean` is what all of its draws are worth together, where these are few.
    """

    __slots__ = ("asked", "children", "draws", "first", "mean", "node", "result", "state", "value")

    def __init__(self, state: State, value: Shares, result: Shares | None) -> None:
        self.state, self.value, self.result = state, value, result
        self.asked: Decision | None = None
        self.children: dict[int, Position] = {}
        self.node: Node | None = None
        self.mean: Shares | None = None
        self.draws, self.first = 0, 0.0


class Tree:
    """All places and nodes of a search. `steps` counts its walks, and the positions that were reached and valued."""

    def __init__(self, evaluate: Evaluate, rng: Random) -> None:
        self.steps = 0
        self.nodes: dict[tuple[Seat, State], Node] = {}
        self._evaluate, self._rng = evaluate, rng

    def place(self, state: State) -> Position:
        """A place for a position, valued at once."""
        self.steps += 1
        # Cheap test first: only a position without frames is over.
        if not state.frames and (outcome := state.outcome()):
            return Position(state, outcome.returns, outcome.returns)
        return Position(state, self._evaluate(state), None)

    def visit(self, place: Position) -> Shares:
        """Walk down to a question that no seat was asked yet, look at it, and let all nodes on the way learn from it.

        Luck is no place to stop at: what it may bring is worth as much as was guessed before. What it brought on
        the way, as far as it can be guessed, is taken off again: the mean stays the same, and far fewer visits come
        close to it (control variates: J. Veness, M. Lanctot, M. Bowling, 2011).
        """
        self.steps += 1  # where all is known to the end, there is nothing to value any more
        path: list[tuple[Position, int]] = []
        shares = place.value
        while place.result is None:
            if place.asked is None:
                shares = self.look(place)
                # Else luck is next, which tells nothing that was not guessed before: the walk goes on.
                if place.node or place.result:
                    break
            assert place.asked is not None, "a place that was looked at asks something"
            number = place.node.select() if place.node else self._drawn(place, place.asked)
            path.append((place, number))
            place = place.children[number]
        shares = place.result or shares
        for above, number in reversed(path):
            guess = above.children[number].value
            if above.node:
                above.node.learn(number, shares, guess)
                shares = above.node.backup(number, shares)
            elif above.mean:
                shares = tuple(map(sub, shares, map(sub, guess, above.mean)))
        return shares

    def look(self, place: Position, seat: Seat | None = None) -> Shares:
        """Value what can happen next; returns what the position is worth then.

        With a seat, it is this one that decides first.
        """
        decision = self._asked(place) if seat is None else place.state.decision_of(seat)
        if decision is None:
            assert place.result is not None, "a game without questions is over"
            return place.result
        place.asked = decision
        if decision.seat == CHANCE:
            return self._look_at_luck(place, decision)
        # At the root an option is chosen, so none may be left out.
        place.node = node = self._node(place.state, decision, everything=seat is not None)
        place.children = {number: self._after(place.state, decision, number) for number in node.numbers}
        if seat is not None:
            self._look_beyond_luck(place.children.values())
        node.promise(place.children)
        # `promise` has put the best option first.
        return place.children[node.numbers[0]].value

    def _asked(self, place: Position) -> Decision | None:
        """The next real question; what has one answer only is answered. None if that ends the game."""
        state = place.state
        while decisions := state.decisions():
            if decisions[0].seat == CHANCE:
                decisions = (state.gathered(),)
            if len(decisions[0].options) != 1:
                # The place moves on to where something is asked: its children are applied to this position.
                place.state = state
                return decisions[0]
            state, _ = state.apply(decisions[0].seat, decisions[0].options[0])
        place.state, place.result = state, self.place(state).result
        return None

    def _node(self, state: State, decision: Decision, everything: bool) -> Node:
        key = decision.seat, state.observe(decision.seat)
        if key not in self.nodes:
            options = len(decision.options)
            few = everything or options <= WIDEST
            numbers = range(options) if few else self._rng.sample(range(options), WIDEST)
            self.nodes[key] = Node(decision.seat, numbers, options)
        return self.nodes[key]

    def _after(self, state: State, decision: Decision, number: int) -> Position:
        return self.place(state.apply(decision.seat, decision.options[number])[0])

    # --- luck ---

    def _look_beyond_luck(self, options: Iterable[Position]) -> None:
        """Value what luck decides at once by what it brings: a guess made before may favor those that ask for none."""
        for place in options:
            if place.result is None and luck_is_due(place.state):
                place.value = self.look(place)

    def _look_at_luck(self, place: Position, decision: Decision) -> Shares:
        """Value all draws if they are listed and not too many, else one of them."""
        # A random start: begun at the lowest number, luck favored options that low numbers do not hurt
        # (players/measurements.md).
        place.first = self._rng.random()
        if not 0 < len(decision.options) <= WIDEST:
            return place.children[self._drawn(place, decision)].value
        place.children = {number: self._after(place.state, decision, number) for number in range(len(decision.options))}
        values = [child.value for child in place.children.values()]
        weights = decision.weights or (1,) * len(values)
        total = sum(weights)
        place.mean = mean = tuple([sum(map(mul, weights, seat)) / total for seat in zip(*values, strict=True)])
        return mean

    def _drawn(self, place: Position, decision: Decision) -> int:
        """What luck draws: listed outcomes as often as they are likely, others ever more of them."""
        place.draws += 1
        if decision.options:
            number = spread(decision, place.first + place.draws * GOLDEN)
        else:
            # One of the samples in turn; there is a new one whenever the draws outgrow their square.
            known = len(place.children)
            number = known if known**2 < place.draws else place.draws % known
        if number not in place.children:
            action = decision.options[number] if decision.options else place.state.sample(self._rng)
            place.children[number] = self.place(place.state.apply(CHANCE, action)[0])
        return number


def spread(decision: Decision, point: float) -> int:
    """The outcome that a point of the unit interval stands for: each takes as much of it as it is likely."""
    if not decision.weights:
        return int(point % 1 * len(decision.options))
    reached = list(accumulate(decision.weights))
    return bisect_right(reached, point % 1 * reached[-1])

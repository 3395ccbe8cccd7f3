"""Thinking ahead in any game: information-set tree search that values a position as soon as it is reached.

Possible worlds are drawn once. All of them share one tree over what seats know: a seat decides by what it sees,
and the statistics of an option are those of all worlds in which its seat could not tell the difference. Every
seat goes for its own share of the win.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest
from random import Random
from time import process_time

from engine.core import Action, State, View
from engine.evaluation import Shares
from engine.games import discover
from engine.players.greedy import Evaluate, worlds_of
from engine.players.search.tree import Node, Position, Tree
from engine.texts import CHANCE, Seat

OFTEN = 32
"""Every so many visits it is seen whether thinking on is any use."""
PATIENCE = 0.6
"""An option that is behind is not given more than this part of the visits to come."""
PLAYOUT = 60
"""Plies of a playout, where a game has no evaluation."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How long to think: `steps` are walks down the tree and positions valued, `worlds` those drawn.

    Thinking stops after `seconds` of CPU at the latest. This is a net for a machine in trouble, and far beyond what the
    steps take, since the same seed must lead to the same choice.
    """

    steps: int
    worlds: int = 16
    seconds: float = 20.0


@dataclass(frozen=True, slots=True)
class Ranked:
    """An option, the share of the win it promises, and how often it was looked into."""

    option: Action
    chance: float
    visits: int


def ranked(view: View[State], rng: Random, effort: Effort, evaluate: Evaluate | None = None) -> tuple[Ranked, ...]:
    """The options of the viewer, who must be due, the best one first."""
    assert view.viewer is not None, "only a seat can choose"
    worlds = worlds_of(view.state, view.viewer, rng, effort.worlds)
    return ranked_in(worlds, view.viewer, rng, effort, evaluate or evaluation_of(view, rng))


def ranked_in(
    worlds: Sequence[State], seat: Seat, rng: Random, effort: Effort, evaluate: Evaluate
) -> tuple[Ranked, ...]:
    """The options of a seat, the best one first, if one of these full positions is the true one; no talk."""
    tree = Tree(evaluate, rng)
    roots = _roots(tree, worlds)
    # Each once, though worlds that are the same share it; for this seat, even if others are due as well.
    for root in dict.fromkeys(roots):
        tree.look(root, seat)
    # All of them look the same to the seat, so they share one node.
    root = roots[0]
    assert root.node is not None
    assert root.asked is not None
    _think(tree, roots, root.node, effort)
    node, options = root.node, root.asked.options
    found = (Ranked(option, node.chance(n), node.counts[n]) for n, option in enumerate(options) if not option.talk)
    # By visits first: with few visits a chance is hardly more than a guess.
    return tuple(sorted(found, key=lambda one: (one.visits, one.chance), reverse=True))


def bearable(options: Sequence[Ranked], ruin: float) -> tuple[Ranked, ...]:
    """Those that do not give away more than the part `ruin` of the chances; the best one is the first."""
    least = options[0].chance * (1 - ruin)
    return tuple(one for one in options if one.chance >= least)


def valued(view: View[State], rng: Random, effort: Effort, evaluate: Evaluate | None = None) -> Shares:
    """The expected share of the win of each seat, from what the viewer, or the public, can know."""
    if view.outcome is not None:
        return view.outcome.returns
    worlds = worlds_of(view.state, view.viewer, rng, effort.worlds)
    return valued_in(worlds, rng, effort, evaluate or evaluation_of(view, rng))


def valued_in(worlds: Sequence[State], rng: Random, effort: Effort, evaluate: Evaluate) -> Shares:
    """The same if one of these full positions, of which none is over for sure, is the true one."""
    tree = Tree(evaluate, rng)
    roots = _roots(tree, worlds)
    found = [root.value for root in roots]
    # `found` begins with a value for each world, so the worlds come in turn.
    while tree.steps < effort.steps:
        found.append(tree.visit(roots[len(found) % len(roots)]))
    # Early walks know the tree least; they only prepare the later ones.
    late = found[len(found) // 2 :]
    # With luck taken off, a sum may come out a little below 0.
    sums = [max(0.0, sum(shares)) for shares in zip(*late, strict=True)]
    return tuple(share / sum(sums) for share in sums)


def evaluation_of(view: View[State], rng: Random) -> Evaluate:
    """That of the game, or short playouts."""
    return evaluation_in(view.game, view.setup.seats, rng)


def evaluation_in(game: str, seats: int, rng: Random) -> Evaluate:
    """The same by the id of a game, which need not be known here."""
    spec = discover().get(game)
    return spec.evaluate if spec and spec.evaluate else playing_out(rng, seats)


def playing_out(rng: Random, seats: int) -> Evaluate:
    """Values a position by a random playout; one that takes too long is even."""

    def value(state: State) -> Shares:
        for _ in range(PLAYOUT):
            if not (decisions := state.decisions()):
                break
            decision = decisions[0]
            action = state.sample(rng) if decision.seat == CHANCE else rng.choice(decision.options)
            state, _ = state.apply(decision.seat, action)
        outcome = state.outcome()
        return outcome.returns if outcome else (1 / seats,) * seats

    return value


def _roots(tree: Tree, worlds: Sequence[State]) -> list[Position]:
    """A place for each world; worlds that are the same share one."""
    places = {world: tree.place(world) for world in dict.fromkeys(worlds)}
    return [places[world] for world in worlds]


def _think(tree: Tree, roots: Sequence[Position], node: Node, effort: Effort) -> None:
    # Looking at the roots has taken steps already, which say nothing of how many a visit takes.
    started, first = process_time(), tree.steps
    while tree.steps < effort.steps:
        # The worlds in turn.
        tree.visit(roots[node.visits % len(roots)])
        # Seldom: reading the clock is slow on some machines.
        if node.visits % OFTEN:
            continue
        # In parts of the visits so far: as many more take as many steps again.
        left = (effort.steps - tree.steps) / (tree.steps - first)
        # The 0 stands in for the second where there is one option only.
        best, second, *_ = *nlargest(2, node.counts), 0
        if best - second > PATIENCE * left * node.visits or process_time() - started > effort.seconds:
            break

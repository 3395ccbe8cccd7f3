"""Information-set tree search for any game, which evaluates each position when it is reached.

Possible worlds are sampled once. They share one tree of information sets: a seat decides by its own knowledge, and the
statistics of an option cover all worlds that its seat cannot distinguish. Each seat maximizes its own share of the win.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from heapq import nlargest
from random import Random
from time import process_time

from engine.core import Action, State, View
from engine.evaluation import Shares
from engine.games import discover
from engine.players.greedy import Evaluate, worlds_of
from engine.players.search.tree import Node, Place, Tree
from engine.texts import CHANCE, Seat
from engine.values import Value

CHECK_INTERVAL = 32
"""Number of visits after which the search checks whether it can stop early."""
PATIENCE = 0.6
"""The search stops when the second-best option cannot catch up even with this part of the remaining visits."""
PLAYOUT_PLIES = 60
"""Maximum length of a playout, used if a game has no evaluation."""


class Effort(Value):
    """The budget of a search: `steps` counts visits and evaluated positions, `worlds` the sampled worlds.

    `seconds` of CPU is a safety limit for overloaded machines. It must be far above the duration of the steps, since
    equal seeds must lead to equal choices.
    """

    steps: int
    worlds: int = 16
    seconds: float = 20.0


class Ranked(Value):
    """An option, its expected share of the win, and the number of visits."""

    option: Action
    chance: float
    visits: int


@contextmanager
def _paused_collector() -> Iterator[None]:
    """Pause the garbage collector: a search makes no cycles, and each collection would read the whole growing tree."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def rank_options(
    view: View[State], rng: Random, effort: Effort, evaluate: Evaluate | None = None
) -> tuple[Ranked, ...]:
    """The options of the viewer, who must be due, the best one first."""
    assert view.viewer is not None, "only a seat can choose"
    worlds = worlds_of(view.state, view.viewer, rng, effort.worlds)
    return rank_in_worlds(worlds, view.viewer, rng, effort, evaluate or evaluation_of(view, rng))


@_paused_collector()
def rank_in_worlds(
    worlds: Sequence[State], seat: Seat, rng: Random, effort: Effort, evaluate: Evaluate
) -> tuple[Ranked, ...]:
    """The options of a seat except talk, the best one first, if `worlds` are the possible full positions."""
    tree = Tree(evaluate, rng)
    roots = _roots(tree, worlds)
    # Equal worlds share a root. The seat decides there even if other seats are due as well.
    for root in dict.fromkeys(roots):
        tree.expand(root, seat)
    # The seat cannot distinguish the roots, so they share one node.
    root = roots[0]
    assert root.node is not None
    assert root.decision is not None
    _search(tree, roots, root.node, effort)
    node, options = root.node, root.decision.options
    candidates = (Ranked(option, node.chance(n), node.counts[n]) for n, option in enumerate(options) if not option.talk)
    # By visits first: with few visits, a chance is hardly better than a guess.
    return tuple(sorted(candidates, key=lambda ranked: (ranked.visits, ranked.chance), reverse=True))


def within_loss(options: Sequence[Ranked], ruin: float) -> tuple[Ranked, ...]:
    """The options that give away at most the part `ruin` of the chances. `options` must start with the best one."""
    least = options[0].chance * (1 - ruin)
    return tuple(ranked for ranked in options if ranked.chance >= least)


def evaluate_view(view: View[State], rng: Random, effort: Effort, evaluate: Evaluate | None = None) -> Shares:
    """The expected share of the win of each seat, from the knowledge of the viewer (a seat or the public)."""
    if view.outcome is not None:
        return view.outcome.returns
    worlds = worlds_of(view.state, view.viewer, rng, effort.worlds)
    return evaluate_worlds(worlds, rng, effort, evaluate or evaluation_of(view, rng))


@_paused_collector()
def evaluate_worlds(worlds: Sequence[State], rng: Random, effort: Effort, evaluate: Evaluate) -> Shares:
    """The expected share of the win of each seat, if `worlds` are the possible full positions. None may be over."""
    tree = Tree(evaluate, rng)
    roots = _roots(tree, worlds)
    values = [root.value for root in roots]
    # `values` starts with one for each world, so the index cycles through the worlds.
    while tree.steps < effort.steps:
        values.append(tree.visit(roots[len(values) % len(roots)]))
    # Early visits are the least informed; they only prepare the tree.
    late = values[len(values) // 2 :]
    # With luck subtracted, a sum may be slightly below 0.
    sums = [max(0.0, sum(shares)) for shares in zip(*late, strict=True)]
    return tuple(share / sum(sums) for share in sums)


def evaluation_of(view: View[State], rng: Random) -> Evaluate:
    """The evaluation of a game, or short playouts if it has none."""
    return evaluation_of_game(view.game, view.setup.seats, rng)


def evaluation_of_game(game: str, seats: int, rng: Random) -> Evaluate:
    """The evaluation of a game by id, or short playouts if it has none or is unknown."""
    spec = discover().get(game)
    return spec.evaluate if spec and spec.evaluate else playout_evaluation(rng, seats)


def playout_evaluation(rng: Random, seats: int) -> Evaluate:
    """An evaluation by a random playout; equal shares if the playout is too long."""

    def value(state: State) -> Shares:
        for _ in range(PLAYOUT_PLIES):
            if not (decisions := state.decisions()):
                break
            decision = decisions[0]
            action = state.sample(rng) if decision.seat == CHANCE else rng.choice(decision.options)
            state, _ = state.apply(decision.seat, action)
        outcome = state.outcome()
        return outcome.returns if outcome else (1 / seats,) * seats

    return value


def _roots(tree: Tree, worlds: Sequence[State]) -> list[Place]:
    """A root for each world; equal worlds share one."""
    places = {world: tree.new_place(world) for world in dict.fromkeys(worlds)}
    return [places[world] for world in worlds]


def _search(tree: Tree, roots: Sequence[Place], node: Node, effort: Effort) -> None:
    # The steps for the roots say nothing about the cost of a visit, so they are subtracted below.
    started, first = process_time(), tree.steps
    while tree.steps < effort.steps:
        # Cycles through the worlds.
        tree.visit(roots[node.visits % len(roots)])
        # Reading the clock is slow on some machines.
        if node.visits % CHECK_INTERVAL:
            continue
        # Relative to the visits so far, on the assumption that later visits cost as much.
        remaining = (effort.steps - tree.steps) / (tree.steps - first)
        # The 0 is for nodes with one option.
        best, second, *_ = *nlargest(2, node.counts), 0
        if best - second > PATIENCE * remaining * node.visits or process_time() - started > effort.seconds:
            break

"""Rules without a chat: random playouts against OpenSpiel's Python tic-tac-toe, replays, search."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from engine.core import GameSpec, Setup, State, View
from engine.games import discover
from engine.match import Match
from engine.players.search import Effort as Thought
from engine.players.search import rank_options
from engine.texts import CHANCE
from engine.values import Value
from tests.bench.measure import CPU, Beside, Effort, Pair, Spread, alternate, in_fresh_processes, seconds, short
from tests.bench.report import Goal, Row, judged_row, ms, noted_row, per_second
from tests.bench.walk import Walk, finished_match

SLICE = 0.08
"""Seconds of CPU that one turn of anchor or contender takes at least."""

PLAYOUTS = Goal(1, at_most=False)
HARDER = {"muses": Goal(0.4, at_most=False)}
"""Goals of games for which it is harder: the options are whole combinations of actions."""
SEARCH = Goal(15, at_most=False)
SIMULATIONS = 60
THOUGHT = Thought(1000)

Playout = Callable[[Random], int]
"""Plays one random game and returns how many actions were applied."""


def rows(effort: Effort) -> list[Row]:
    """R8 for every game and number of seats, replays of whole logs, and R9."""
    specs = discover().values()
    playouts = [row for spec in specs for row in _playout_rows(effort, spec)]
    return [*playouts, *(_replay_row(effort, spec) for spec in specs), *_search_rows(effort)]


def _playout_rows(effort: Effort, spec: GameSpec) -> list[Row]:
    runs = in_fresh_processes(effort, playout_pairs, spec.slug, effort.rounds(5))
    results = []
    for seats in spec.seats:
        beside = Beside.of([run[seats].pairs for run in runs])
        length = runs[0][seats].length
        figure = f"{per_second(beside.cost)} actions, {short(1 / beside.cost.mid / length)} playouts of {length:.0f}"
        what, anchor = f"random playouts, {spec.slug}, {seats} seats", f"P0 {per_second(beside.anchor)}"
        results.append(
            judged_row(
                "R8", what, HARDER.get(spec.slug, PLAYOUTS), beside.ratio.inverse(), figure=figure, anchor=anchor
            )
        )
    return results


class Played(Value):
    """CPU seconds per action of a game beside P0, and the mean length of its playouts, luck included."""

    pairs: list[Pair]
    length: float


def playout_pairs(slug: str, rounds: int) -> dict[int, Played]:
    """Random playouts by number of seats."""
    rng, spec, anchor = Random(slug), discover()[slug], tic_tac_toe()
    return {seats: _play(spec, spec.setup(seats), anchor, rng, rounds) for seats in spec.seats}


def _play(spec: GameSpec, setup: Setup, anchor: Playout, rng: Random, rounds: int) -> Played:
    lengths: list[int] = []

    def play(rng: Random) -> int:
        lengths.append(playout(spec.start(setup), rng))
        return lengths[-1]

    _per_action(play, rng)  # warm: tables and caches for this number of seats
    pairs = alternate(lambda: _per_action(anchor, rng), lambda: [_per_action(play, rng)], rounds)
    return Played(pairs, sum(lengths) / len(lengths))


def tic_tac_toe() -> Playout:
    """P0: legal list, choice and apply of OpenSpiel's pure Python tic-tac-toe."""
    import pyspiel
    from open_spiel.python.games import tic_tac_toe as _registers_itself  # noqa: F401 (importing it is enough)

    game = pyspiel.load_game("python_tic_tac_toe")

    def play(rng: Random) -> int:
        state, actions = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            actions += 1
        return actions

    return play


def playout(state: State, rng: Random) -> int:
    """The steps of one of our games: decisions, choice or draw, apply."""
    actions = 0
    while decisions := state.decisions():
        decision = decisions[0] if len(decisions) == 1 else rng.choice(decisions)
        action = state.sample(rng) if decision.seat == CHANCE else rng.choice(decision.options)
        state, _ = state.apply(decision.seat, action)
        actions += 1
    return actions


def _per_action(play: Playout, rng: Random) -> float:
    start, actions = CPU(), 0
    while CPU() - start < SLICE:
        actions += play(rng)
    return (CPU() - start) / actions


# --- replays ---


def _replay_row(effort: Effort, spec: GameSpec) -> Row:
    runs = in_fresh_processes(effort, replay_seconds, spec.slug, effort.rounds(8))
    cost = Spread.of(seconds for seconds, _ in runs)
    entries = runs[0][1]
    figure = f"{ms(cost)} for {entries} entries, {short(cost.mid / entries * 1e6)} µs each"
    return noted_row(f"replay of a finished log, {spec.slug}, {spec.seats[-1]} seats", figure)


def replay_seconds(slug: str, rounds: int) -> tuple[float, int]:
    """CPU of `Match.replay` for a whole log, as after a restart (median), and the length of the log."""
    spec = discover()[slug]
    match = finished_match(spec, spec.seats[-1], f"log of {slug}")
    entries = tuple(match.entries)
    times = [seconds(lambda: Match.replay(spec, match.setup, "seed", entries), CPU) for _ in range(rounds)]
    return Spread.of(times).mid, len(entries)


# --- search ---


def _search_rows(effort: Effort) -> list[Row]:
    return [_leaves_row(effort), _bound_row(effort)] if "muscat" in discover() else []


def _leaves_row(effort: Effort) -> Row:
    """R9: positions that a search reaches and values per second; a playout values one for M0."""
    beside = Beside.of(in_fresh_processes(effort, leaf_pairs, effort.rounds(5)))
    figure, anchor = f"{per_second(beside.cost)} positions valued", f"M0 {per_second(beside.anchor)}"
    return judged_row("R9", "search, muscat, 3 seats", SEARCH, beside.ratio.inverse(), figure=figure, anchor=anchor)


def leaf_pairs(rounds: int) -> list[Pair]:
    """CPU seconds per valued position of a search in the middle of Muscat, and of M0."""
    rng, anchor = Random("search"), breakthrough_search(lambda actions: SIMULATIONS)
    spec = discover()["muscat"]
    assert spec.evaluate is not None
    views, value = _middles(spec, 3, 8), spec.evaluate

    def search(rng: Random) -> int:
        reached: list[State] = []

        def evaluate(state: State) -> tuple[float, ...]:
            reached.append(state)
            return value(state)

        rank_options(rng.choice(views), rng, THOUGHT, evaluate)
        return len(reached)

    return alternate(lambda: _per_action(anchor, rng), lambda: [_per_action(search, rng)], rounds)


def _middles(spec: GameSpec, seats: int, number: int) -> list[View[Any]]:
    """Views of the seats that are to choose in the middle of random games."""
    views = []
    for game in range(number):
        walk = Walk(spec, seats, f"middle {game}")
        for _ in range(40):
            walk.play(*walk.choose())
        views.append(walk.match.view(walk.choose()[0]))
    return views


def _bound_row(effort: Effort) -> Row:
    """The upper bound for a search with playouts: one that costs nothing but its playouts."""
    beside = Beside.of(in_fresh_processes(effort, search_pairs, effort.rounds(5)))
    figure, anchor = f"{per_second(beside.cost)} actions", f"M0 {per_second(beside.anchor)}"
    return noted_row("playouts instead, muscat, 3 seats: at best", figure, anchor=anchor, ratio=beside.ratio.inverse())


def search_pairs(rounds: int) -> list[Pair]:
    """CPU seconds per playout action of flat playouts of Muscat and of M0."""
    rng, spec, anchor = Random("search"), discover()["muscat"], breakthrough_search(lambda actions: actions)
    setup = spec.setup(3)

    def flat(rng: Random) -> int:
        return playout(spec.start(setup), rng)

    return alternate(lambda: _per_action(anchor, rng), lambda: [_per_action(flat, rng)], rounds)


def breakthrough_search(counted: Callable[[int], int]) -> Playout:
    """M0: OpenSpiel's Python MCTS on its C++ Breakthrough, one rollout a simulation.

    `counted` says by the actions of its rollouts how much work that was; they are counted once for a seeded search,
    with an evaluator that takes the same steps.
    """
    import numpy
    import pyspiel
    from open_spiel.python.algorithms import mcts

    class Counting(mcts.RandomRolloutEvaluator):  # type: ignore[misc]
        actions = 0

        def evaluate(self, state: object) -> object:
            rollout = state.clone()  # type: ignore[attr-defined]
            while not rollout.is_terminal():
                rollout.apply_action(self._random_state.choice(rollout.legal_actions()))
                self.actions += 1
            return numpy.array(rollout.returns())

    game = pyspiel.load_game("breakthrough")

    def search(kind: type[mcts.RandomRolloutEvaluator]) -> mcts.RandomRolloutEvaluator:
        evaluator = kind(1, numpy.random.RandomState(1))
        bot = mcts.MCTSBot(game, 1.4, SIMULATIONS, evaluator, random_state=numpy.random.RandomState(2))
        bot.mcts_search(game.new_initial_state())
        return evaluator

    actions = search(Counting).actions

    def play(_: Random) -> int:
        search(mcts.RandomRolloutEvaluator)
        return counted(actions)

    return play

"""Rules without a chat: random playouts and search, beside OpenSpiel's."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from engine.core import GameSpec, Setup, State, View
from engine.games import discover
from engine.players.search import Effort as Thought
from engine.players.search import rank_options
from engine.texts import CHANCE
from engine.values import Value
from tests.bench.measure import CPU, Beside, Effort, Pair, alternate, in_fresh_processes, short
from tests.bench.report import Goal, Row, judged_row, per_second
from tests.bench.walk import Walk

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
    """R8 for every game and number of seats, and R9."""
    specs = discover().values()
    playouts = [row for spec in specs for row in _playout_rows(effort, spec)]
    return [*playouts, _leaves_row(effort)] if "muscat" in discover() else playouts


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


# --- search ---


def _leaves_row(effort: Effort) -> Row:
    """R9: positions that a search reaches and values per second; a playout values one for M0."""
    beside = Beside.of(in_fresh_processes(effort, leaf_pairs, effort.rounds(5)))
    figure, anchor = f"{per_second(beside.cost)} positions valued", f"M0 {per_second(beside.anchor)}"
    return judged_row("R9", "search, muscat, 3 seats", SEARCH, beside.ratio.inverse(), figure=figure, anchor=anchor)


def leaf_pairs(rounds: int) -> list[Pair]:
    """CPU seconds per valued position of a search in the middle of Muscat, and of M0."""
    rng, anchor = Random("search"), breakthrough_search()
    spec = discover()["muscat"]
    assert spec.evaluate is not None
    views, value = _middles(spec, 3, 8), spec.evaluate

    def search(rng: Random) -> int:
        states: list[State] = []

        def evaluate(state: State) -> tuple[float, ...]:
            states.append(state)
            return value(state)

        rank_options(rng.choice(views), rng, THOUGHT, evaluate)
        return len(states)

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


def breakthrough_search() -> Playout:
    """M0: OpenSpiel's Python MCTS on its C++ Breakthrough, one rollout a simulation; its actions are simulations."""
    import numpy
    import pyspiel
    from open_spiel.python.algorithms import mcts

    game = pyspiel.load_game("breakthrough")

    def search(_: Random) -> int:
        evaluator = mcts.RandomRolloutEvaluator(1, numpy.random.RandomState(1))
        bot = mcts.MCTSBot(game, 1.4, SIMULATIONS, evaluator, random_state=numpy.random.RandomState(2))
        bot.mcts_search(game.new_initial_state())
        return SIMULATIONS

    return search

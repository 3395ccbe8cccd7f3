"""Ali Baba counted twice: by the engine and by a naive second reading of the rules.

Deals are too many to list: they are part of the path to a root, and end the counting where they are due.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from engine import CHANCE, Action, OptionValue, Outcome, Seat, State, format_action, option_text, parse_action
from engine.games.alibaba import GAME
from tests.perft.naive_alibaba import LUCK, Naive

STORED = Path(__file__).with_name("alibaba.perft")


@dataclass(frozen=True)
class Root:
    """A position to count from: a setup, the notations that lead to it, and the leaves at depth 1, 2, ..."""

    name: str
    seats: int
    chosen: dict[str, OptionValue]
    log: tuple[str, ...]
    leaves: tuple[int, ...]

    @classmethod
    def read(cls, block: str) -> Root:
        lines = dict(line.split(": ", 1) for line in block.splitlines())
        pairs = [pair.split("=") for pair in lines["options"].split() if "=" in pair]
        chosen = {name: {"yes": True, "no": False}.get(value, value) for name, value in pairs}
        leaves = tuple(map(int, lines["leaves"].split()))
        return cls(lines["name"], int(lines["seats"]), chosen, tuple(lines["log"].split("; ")), leaves)

    def engine(self) -> State:
        state = GAME.start(GAME.setup(self.seats, self.chosen))
        for notation in self.log:
            seat, options = answers(state)
            action = options.get(notation) or parse_action(notation, GAME.chances)
            state, _ = state.apply(seat, action)
        return state

    def naive(self) -> Naive:
        game = Naive(self.seats, **self.chosen)  # type: ignore[arg-type]
        for notation in self.log:
            game.play(notation)
        return game


ROOTS = [Root.read(block) for block in STORED.read_text(encoding="utf-8").strip().split("\n\n")[1:]]
each_root = pytest.mark.parametrize("root", ROOTS, ids=[root.name for root in ROOTS])


def answers(state: State) -> tuple[Seat, dict[str, Action]]:
    """Who is asked, and the action of every notation."""
    for decision in state.decisions():
        return decision.seat, {format_action(action): action for action in decision.options}
    return CHANCE, {}


def count(state: State, depth: int) -> int:
    """Leaves below a position; every outcome of luck is one branch, whatever its weight."""
    seat, options = answers(state)
    if depth == 1:
        return len(options)
    return sum(count(state.apply(seat, action)[0], depth - 1) for action in options.values())


def count_naively(game: Naive, depth: int) -> int:
    _, moves = game.moves()
    return len(moves) if depth == 1 else sum(count_naively(game.after(move), depth - 1) for move in moves)


def difference(state: State, game: Naive, depth: int) -> str:
    """The path to the first position where the two readings differ, and how; empty if they agree."""
    seat, options = answers(state)
    other_seat, moves = game.moves()
    if (seat, sorted(options)) != (other_seat, sorted(moves)):
        return f": engine {seat} {sorted(options)}, naive {other_seat} {sorted(moves)}"
    if depth > 1:
        for move, action in options.items():
            if found := difference(state.apply(seat, action)[0], game.after(move), depth - 1):
                return f" / {move}{found}"
    return ""


@each_root
def test_the_engine_counts_the_stored_leaves(root: Root) -> None:
    state = root.engine()
    assert root.leaves == tuple(count(state, depth) for depth in range(1, len(root.leaves) + 1))


@each_root
def test_the_naive_reading_counts_the_stored_leaves(root: Root) -> None:
    depth = len(root.leaves)
    assert root.leaves[-1] == count_naively(root.naive(), depth), difference(root.engine(), root.naive(), depth)


CHOSEN: list[dict[str, OptionValue]] = [
    {},
    {"cave_graffiti": True},
    {"multi_deck": "total"},
    {"mode": "gangs"},
    {"mode": "gangs", "second_window": False},
    {"mode": "gangs", "trading": True},
    {"mode": "gangs", "sell_to_bank": True},
]


NAMES = [" ".join(f"{k}={option_text(v)}" for k, v in chosen.items()) or "usual" for chosen in CHOSEN]


@pytest.mark.parametrize("chosen", CHOSEN, ids=NAMES)
@pytest.mark.parametrize("seats", GAME.seats)
def test_both_readings_play_whole_games_alike(seats: int, chosen: dict[str, OptionValue]) -> None:
    for seed in range(4):
        rng = Random(f"{seats}/{seed}")
        state, game = GAME.start(GAME.setup(seats, chosen)), Naive(seats, **chosen)  # type: ignore[arg-type]
        while state.decisions():
            seat, options = answers(state)
            assert (seat, sorted(options)) == (game.moves()[0], sorted(game.moves()[1]))
            action = options[rng.choice(sorted(options))] if options else state.sample(rng)
            state, _ = state.apply(seat, action)
            game.play(format_action(action))
        assert (LUCK, []) == game.moves()
        outcome = state.outcome()
        assert isinstance(outcome, Outcome)
        assert list(outcome.scores) == game.money

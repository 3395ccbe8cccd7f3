"""Dance of Muses counted twice: by the engine and by a naive second reading of the rules."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from engine import CHANCE, Action, OptionValue, Seat, State, format_action, parse_action
from engine.games.muses import GAME
from tests.perft.naive_muses import LUCK, Naive

STORED = Path(__file__).with_name("muses.perft")


@dataclass(frozen=True)
class Root:
    """A position to count from: a setup, the notations that lead to it, and the leaves at depth 1, 2, ..."""

    name: str
    seats: int
    log: tuple[str, ...]
    leaves: tuple[int, ...]

    @classmethod
    def read(cls, block: str) -> Root:
        lines = dict(line.split(": ", 1) for line in block.splitlines())
        leaves = tuple(map(int, lines["leaves"].split()))
        return cls(lines["name"], int(lines["seats"]), tuple(lines["log"].split("; ")), leaves)

    def engine(self) -> State:
        state = GAME.start(GAME.setup(self.seats))
        for notation in self.log:
            state = answered(state, notation)
        return state

    def naive(self) -> Naive:
        game = Naive(self.seats)
        for notation in self.log:
            game.play(notation)
        return game


ROOTS = [Root.read(block) for block in STORED.read_text(encoding="utf-8").strip().split("\n\n")[1:]]
each_root = pytest.mark.parametrize("root", ROOTS, ids=[root.name for root in ROOTS])


def answered(state: State, notation: str) -> State:
    seat, options = answers(state)
    return state.apply(seat, options.get(notation) or parse_action(notation, GAME.chances))[0]


def answers(state: State) -> tuple[Seat, dict[str, Action]]:
    """Who is asked, and the action of every notation."""
    for decision in state.decisions():
        return decision.seat, {format_action(action): action for action in decision.options}
    return CHANCE, {}


def count(state: State, depth: int) -> int:
    """Leaves below a position; a deal is not counted on."""
    options = [(d.seat, action) for d in state.decisions() for action in d.options]
    if depth == 1:
        return len(options)
    return sum(count(state.apply(seat, action)[0], depth - 1) for seat, action in options)


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
    counted = count_naively(root.naive(), depth)
    assert root.leaves[-1] == counted, difference(root.engine(), root.naive(), depth)


CHOSEN: list[dict[str, OptionValue]] = [
    {},
    {"hands": 3, "target": 7},
    {"powers": "none", "hands": 1},
    {"neutral_face_4p": "down", "hands": 1},
    {"diagonal_slide": True, "hands": 1},
    {"power_timing": "after", "hands": 1},
]


@pytest.mark.parametrize("chosen", CHOSEN, ids=[next(iter(chosen), "as usual") for chosen in CHOSEN])
@pytest.mark.parametrize("seats", GAME.seats)
def test_both_readings_play_whole_games_alike(seats: int, chosen: dict[str, OptionValue]) -> None:
    rng = Random(f"{seats}/{chosen}")
    state, game = GAME.start(GAME.setup(seats, chosen)), Naive(seats, **chosen)
    while state.decisions():
        seat, options = answers(state)
        assert (seat, sorted(options)) == (game.moves()[0], sorted(game.moves()[1]))
        move = rng.choice(sorted(options)) if options else format_action(state.sample(rng))
        state = answered(state, move)
        game.play(move)
    outcome = state.outcome()
    assert outcome is not None
    assert (LUCK, []) == game.moves()
    assert (outcome.reason, outcome.scores, outcome.winners) == (game.over, game.scores(), game.winners())

"""`python -m tests.games.stall_jinns [moves]`: what a move costs in matches of Jinns in which everybody stalls.

Nobody empties a square as long as there is another move, so that the record of positions grows and grows. The last
column must not rise with the first.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random
from time import perf_counter

from engine.core import Action
from engine.games.jinns import GAME
from engine.games.jinns.record import Record
from engine.games.jinns.state import Jinns

Step = tuple[Jinns, Action]
"""A position, and what is done in it."""


def stalling(seats: int, moves: int, seed: int = 1) -> Iterator[Step]:
    """The moves of a match in which everybody stalls, up to so many."""
    rng = Random(seed)
    state = GAME.start(GAME.setup(seats))
    while isinstance(state, Jinns) and state.moves < moves and (decisions := state.decisions()):
        (decision,) = decisions
        options = rng.sample(decision.options, len(decision.options))
        action, after = _quietest(state, options)
        if not state.setting_up:
            yield state, action
        state = after


def _quietest(state: Jinns, options: list[Action]) -> tuple[Action, Jinns]:
    """The first option that neither ends the match nor empties a square; else the least harmful one."""
    ways = [(action, state.apply(state.decisions()[0].seat, action)[0]) for action in options]
    return min(ways, key=lambda way: (way[1].ended is not None, way[1].board.count(0) > state.board.count(0)))


def known(record: Record) -> int:
    """How many positions a record holds, each as often as it came."""
    return len(record) if isinstance(record, tuple) else sum(map(known, record.parts))


def cost(steps: list[Step]) -> float:
    """Seconds per move, the best of five rounds."""
    return min(_seconds(steps) for _ in range(5)) / len(steps)


def _seconds(steps: list[Step]) -> float:
    began = perf_counter()
    for state, action in steps:
        state.apply(state.turn, action)
    return perf_counter() - began


def main(moves: int) -> None:
    """Print the length of the record and the cost of a move every tenth of the way."""
    for seats in (2, 3):
        steps = list(stalling(seats, moves))
        print(f"\n{seats} seats, {len(steps)} moves\n{'from move':>10} {'on record':>10} {'µs a move':>10}")
        for first in range(0, len(steps), max(1, moves // 10)):
            part = steps[first : first + 300]
            print(f"{first:10} {known(part[0][0].record):10} {1e6 * cost(part):10.1f}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 6000)

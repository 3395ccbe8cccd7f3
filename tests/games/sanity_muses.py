"""`python -m tests.games.sanity_muses [hands]`: length of hands of random play beside what a prototype has measured.

The prototype counted 4 to 29 dance turns a hand, 12.5 in the mean, and never met the end after 200 turns. The engine
gives 14.2, which is no difference of the rules: the prototype draws among whole turns, a move with or without a power
being one of them, the engine among single decisions. Either engine gives 14.2 sampled the one way and 12.6 the other.
"""

from __future__ import annotations

import sys
from random import Random
from statistics import mean

from engine.games.muses import GAME
from engine.games.muses.events import EndReason, TurnsRanOut
from engine.texts import CHANCE

MEASURED = "12.5 (4-29)"


def hand(seats: int, seed: int) -> tuple[int, bool]:
    """The turns of one hand of random play, the last one included, and whether they ran out."""
    rng = Random(f"{seats}/{seed}")
    state = GAME.start(GAME.setup(seats, {"hands": 1}))
    turns, ran_out = 0, False
    while decisions := state.decisions():
        (decision,) = decisions
        action = state.sample(rng) if decision.seat == CHANCE else rng.choice(decision.options)
        turns = max(turns, state.turns + 1) if decision.seat != CHANCE else turns
        state, events = state.apply(decision.seat, action)
        ran_out |= any(isinstance(event, TurnsRanOut) for event in events)
    assert state.ended in EndReason
    return turns, ran_out


def main(hands: int) -> None:
    """Print a row per number of seats."""
    print(f"{hands} hands a row\nseats  prototype    engine        ended without a six")
    for seats in GAME.seats:
        played = [hand(seats, seed) for seed in range(hands)]
        turns = [count for count, _ in played]
        figure = f"{mean(turns):.1f} ({min(turns)}-{max(turns)})"
        print(f"{seats:<5}  {MEASURED:<11}  {figure:<12}  {sum(ran_out for _, ran_out in played)}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)

"""What pictures are made of, rasterized when the program is installed, so that no first picture waits for it.

Run as `python -m renders.baking`: games are played and laid out, and what that takes is kept in this package.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import renders
from engine.core import GameSpec, State, View
from engine.games import discover
from engine.match import Match
from renders import disk_cache
from renders.disk_cache import keep_in
from renders.persons import portraits


def bake(most: int | None = None) -> None:
    """Keep what a game of each kind and size needs, or the first `most` pictures of it."""
    keep_in(disk_cache.BAKED)
    for spec in discover().values():
        for seats in spec.seats:
            for view in islice(_played(spec, seats), most):
                names = spec.seat_names(view.setup)
                list(renders.paint_all([view], names, (*portraits(),)[:seats]))


def _played(spec: GameSpec, seats: int) -> Iterator[View[State]]:
    """What onlookers see of a game, and what whoever is due sees with all options open."""
    match, hands = Match.begin(spec, spec.setup(seats), "baked"), Random("baked")
    while decisions := match.state.decisions():
        decision = hands.choice(decisions)
        yield match.view(None, since=max(0, match.version - 1))
        yield match.view(decision.seat, offered=tuple(decision.options))
        match.play(decision.seat, hands.choice(decision.options))
    yield match.view(None)


if __name__ == "__main__":
    bake()

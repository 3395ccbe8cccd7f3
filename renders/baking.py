"""What pictures are made of, rasterized when the program is installed, so that no first picture waits for it.

Run as `python -m renders.baking`: games are played and laid out, and what that takes is kept in this package.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from itertools import islice, product
from random import Random

import renders
from engine.core import GameSpec, State, View
from engine.games import discover
from engine.match import Match
from renders import disk_cache, plain, story
from renders.disk_cache import keep_in
from renders.persons import portraits

GAMES = 2
"""Of every kind and size: nearly all that others will need is in them."""


def bake(most: int | None = None) -> None:
    """Keep what games of each kind and size need, or the first `most` pictures of each."""
    keep_in(disk_cache.BAKED)
    for spec in discover().values():
        bake_game(spec, most)


def bake_game(spec: GameSpec, most: int | None = None) -> None:
    """The same of one game, wherever things are kept."""
    deque(islice(renders.ahead(spec.slug), most), maxlen=0)
    story.ground(plain.theme_of(spec.slug))
    for seats, number in product(spec.seats, range(GAMES)):
        for view in islice(_played(spec, seats, f"baked {number}"), most):
            names = spec.seat_names(view.setup)
            list(renders.paint_all([view], names, (*portraits(),)[:seats]))


def _played(spec: GameSpec, seats: int, seed: str) -> Iterator[View[State]]:
    """A game, in turn as onlookers see it and as whoever is due sees it with all options open."""
    match, hands = Match.begin(spec, spec.setup(seats), seed), Random(seed)
    while decisions := match.state.decisions():
        decision = hands.choice(decisions)
        if match.version % 2:
            yield match.view(decision.seat, offered=tuple(decision.options))
        else:
            yield match.view(None, since=max(0, match.version - 1))
        match.play(decision.seat, hands.choice(decision.options))
    yield match.view(None)


def main(most: int | None = None) -> None:
    """Bake, and end with a sentence if nothing of it could be kept."""
    bake(most)
    if not any(disk_cache.BAKED.glob("*.kept")):
        sys.exit(f"No drawing could be kept in {disk_cache.BAKED}.")


if __name__ == "__main__":
    main()

"""`python -m tools.arena.soak --games 1000`: random games of all kinds, which nothing may break."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from random import Random
from resource import RUSAGE_SELF, getrusage

from engine.games import discover
from engine.players import discover as discover_players
from engine.texts import Seat
from tools.arena.game import Game, play
from tools.arena.setups import any_setup

ANYHOW = 0.6
"""In how many games all seats do anything: this goes furthest astray, and costs a tenth of looking one ply ahead."""
THINKERS, EFFORT = 0.1, 0.02
"""In how many of the others one seat has a player that takes its time, and what part of its time it takes here."""
WARM = 4
"""One part of so many fills tables and caches; what the memory grows by after it is a leak."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, count, and say by how much the process has grown."""
    parser = ArgumentParser(prog="python -m tools.arena.soak", description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", default="soak")
    asked = parser.parse_args(arguments)
    rng, counts, warm = Random(asked.seed), Counter[str](), 0
    for number in range(asked.games):
        game = any_game(rng, f"{asked.seed} {number}")
        counts += counted(game)
        warm = _memory() if number <= asked.games // WARM else warm
    print(f"{asked.games} games:", ", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    print(f"memory {warm} kB after a quarter, {_memory()} kB at the end")


def any_game(rng: Random, seed: str) -> Game:
    """Any game with any options, seats and players, of whom one at most takes its time."""
    spec = rng.choice([*discover().values()])
    setup = any_setup(spec, rng)
    thinker = Seat(rng.randrange(setup.seats))
    players = ["uniform"] * setup.seats
    if rng.random() >= ANYHOW:
        known = discover_players()
        # Only `fair` and `strong` think ahead.
        quick, thinkers = ([name for name in known if (known[name].level > 1) is slow] for slow in (False, True))
        players = rng.choices(quick, k=setup.seats)
        if rng.random() < THINKERS:
            players[thinker] = rng.choice(thinkers)
    return Game(spec.slug, setup, tuple(players), seed, thinker, EFFORT)


def counted(game: Game) -> Counter[str]:
    """What happened in a game; an error is reported with the game."""
    try:
        played = play(game)
    except Exception as error:  # whatever a game raises is what is being looked for
        error.add_note(f"in {game}")
        raise
    return Counter({f"of {game.slug}": 1, "plies": played.plies, f"ended by {played.outcome.reason}": 1})


def _memory() -> int:
    """The most that the process has taken so far, in kB."""
    # In kB on Linux; macOS counts bytes.
    return getrusage(RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    main()

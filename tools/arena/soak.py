"""`python -m tools.arena.soak --games 1000`: play random setups of all games, looking for errors and memory leaks."""

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

RANDOM_GAMES = 0.6
"""Part of the games with only random players: they reach the oddest positions at a tenth of the cost."""
SEARCHES, EFFORT = 0.1, 0.02
"""Part of the other games in which one player searches, and the part of its thinking time that it uses."""
WARM_UP = 4
"""The first 1/WARM_UP of the games fills tables and caches; later growth of the memory is a leak."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the games, then print counts and the growth of the process."""
    parser = ArgumentParser(prog="python -m tools.arena.soak", description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", default="soak")
    args = parser.parse_args(arguments)
    rng, counts, warm = Random(args.seed), Counter[str](), 0
    for number in range(args.games):
        game = any_game(rng, f"{args.seed} {number}")
        counts += play_and_count(game)
        warm = _memory() if number <= args.games // WARM_UP else warm
    print(f"{args.games} games:", ", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    print(f"memory {warm} kB after a quarter, {_memory()} kB at the end")


def any_game(rng: Random, seed: str) -> Game:
    """A random game, setup and players, of whom at most one searches."""
    spec = rng.choice([*discover().values()])
    setup = any_setup(spec, rng)
    thinker = Seat(rng.randrange(setup.seats))
    players = ["uniform"] * setup.seats
    if rng.random() >= RANDOM_GAMES:
        all_players = discover_players()
        # Only `fair` and `strong` search.
        quick, thinkers = (
            [name for name, player in all_players.items() if (player.level > 1) is slow] for slow in (False, True)
        )
        players = rng.choices(quick, k=setup.seats)
        if rng.random() < SEARCHES:
            players[thinker] = rng.choice(thinkers)
    return Game(spec.slug, setup, tuple(players), seed, thinker, EFFORT)


def play_and_count(game: Game) -> Counter[str]:
    """Play a game and count its plies and its ending. An exception gets a note that names the game."""
    try:
        played = play(game)
    # any exception is a finding; the note tells which game it was
    except Exception as error:
        error.add_note(f"in {game}")
        raise
    return Counter({f"of {game.slug}": 1, "plies": played.plies, f"ended by {played.outcome.reason}": 1})


def _memory() -> int:
    """The peak memory of the process, in kB (in bytes on macOS)."""
    return getrusage(RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    main()

"""`python -m caravanserai.trial_load SLUG`: load a game and its picture.

Prints the smallest number of seats, or a sentence about the error, with exit status 1.
"""

from __future__ import annotations

import sys
from importlib import import_module

from engine.core import GameSpec
from engine.games import discover_all
from renders.plain import picture_module


def main(slug: str) -> int:
    """Returns 0 if the game and its picture can be loaded."""
    try:
        game = _load(slug)
    except LookupError as error:
        print(error.args[0])
        return 1
    # The code under development may raise anything.
    except (Exception, SystemExit) as error:
        print(f"The game {slug} cannot be loaded ({type(error).__name__}: {error}).")
        return 1
    print(game.seats[0])
    return 0


def _load(slug: str) -> GameSpec:
    """The game, after importing its picture. Raises `LookupError` with a sentence if the game is left out."""
    discovery = discover_all()
    if slug not in discovery.games:
        problems = [problem for problem in discovery.problems if problem.startswith(f"The game {slug} ")]
        raise LookupError(problems[0] if problems else f"There is no game {slug}.")
    if module := picture_module(slug):
        import_module(module)
    return discovery.games[slug]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

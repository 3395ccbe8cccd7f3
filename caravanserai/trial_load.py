"""`python -m caravanserai.trial_load SLUG`: load a game and its picture.

Prints the smallest number of seats, or a sentence about the error, with exit status 1.
"""

from __future__ import annotations

import sys
from importlib import import_module

from engine.core import GameSpec
from engine.discovery import load_games
from engine.games import sources
from renders.plain import own_picture


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
    """The game alone, after importing its picture. Raises `LookupError` with a sentence if the game is left out."""
    discovery = load_games(source for source in sources() if source.slug == slug)
    if slug not in discovery.games:
        problems = [problem for problem in discovery.problems if problem.startswith(f"The game {slug} ")]
        raise LookupError(problems[0] if problems else f"There is no game {slug}.")
    game = discovery.games[slug]
    if module := game.picture or own_picture(slug):
        import_module(module)
    return game


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

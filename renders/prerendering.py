"""Draw the grounds of all games at installation, so that the first pictures are fast.

Run as `python -m renders.prerendering`.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence

import renders
from engine.games import discover
from engine.match import Match
from renders import cards, grounds, story
from renders.plain import theme_of


def main(arguments: Sequence[str] = ()) -> None:
    """Redraw all grounds. Exits with an error message if they cannot be written."""
    description = "Draw the grounds of all games, so that first pictures do not take long."
    ArgumentParser(prog="python -m renders.prerendering", description=description).parse_args(arguments)
    grounds.writing = True
    try:
        grounds.FOLDER.mkdir(parents=True, exist_ok=True)
        # File names depend on the sources, so files of earlier versions would never be overwritten.
        for old in grounds.FOLDER.glob("*.png"):
            old.unlink()
        cards.ground()
        for spec in discover().values():
            # Any position works, since only its ground is saved.
            match = Match.begin(spec, spec.setup(spec.seats[0]), "")
            list(renders.paint_all([match.view(None)], match.names))
            story.ground(theme_of(spec.slug))
    except OSError as error:
        sys.exit(f"The grounds could not be written: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])

"""`caravanserai play`: the bot in a local Discord. With `--game`, a table of a game that reloads when it changes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from caravanserai.game_source import GameSource, source_of
from caravanserai.workshop import Workshop
from playground.__main__ import argument_parser, default_data, run


def main(arguments: Sequence[str], prog: str) -> int:
    """Serve until Ctrl-C. Returns 1 if the port is taken. Raises `StartError` for an unknown game."""
    parser = argument_parser(prog)
    parser.add_argument(
        "--game",
        metavar="NAME",
        help="open a table of this game, and reload it when its files change; NAME may also be the folder of its "
        "package, which need not be installed",
    )
    options = parser.parse_args(arguments)
    if options.game is None:
        return run(options)
    source: GameSource = source_of(options.game)
    # a folder for each game, so that a table of another one is not in the way
    options.data = Path(options.data or default_data() / source.slug).resolve()
    return run(options, Workshop(source, source.environment(options.data)))

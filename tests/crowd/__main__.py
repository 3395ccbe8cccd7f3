"""`python -m tests.crowd weeks|seasons|kills [--seed 1] …`: let simulated people use the bot, and print the counts.

`weeks`: groups play, sleep and forget. `seasons`: leagues are played to their ends. `kills`: the whole bot is killed.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

from tests.crowd.groups import PLANNING, WEEKS_A_GROUP, simulate
from tests.crowd.killed import runs
from tests.crowd.leagues import SEASONS_A_SERVER, play_seasons
from tests.crowd.promises import Breach

Counts = Counter[str]


def main() -> None:
    """Run one kind of simulation. Exits with an error after a broken promise."""
    arguments = _parser().parse_args()
    counts: Counts = Counter()
    begin = time.monotonic()
    arguments.play(arguments, counts)
    for event, count in sorted((+counts).items()):
        print(f"{count:8} {event}")
    print(f"{time.monotonic() - begin:8.0f} seconds")
    sys.exit(counts["breaches"] > 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.crowd", description=__doc__)
    kinds = parser.add_subparsers(required=True)

    def kind(name: str, play: Callable[[argparse.Namespace, Counts], None]) -> argparse.ArgumentParser:
        options = kinds.add_parser(name)
        options.set_defaults(play=play)
        options.add_argument("--seed", type=int, default=1)
        return options

    weeks = kind("weeks", _play_weeks)
    weeks.add_argument("--weeks", type=int, default=1000, help="of all groups together")
    weeks.add_argument("--planning", type=float, default=PLANNING, help="chance that a visitor plans a turn")
    seasons = kind("seasons", _play_seasons)
    seasons.add_argument("--seasons", type=int, default=200, help="of all servers together")
    seasons.add_argument("--server", type=int, help="only the server of this number, as a broken promise names it")
    runs.add_options(kind("kills", runs.play))
    return parser


def _play_weeks(arguments: argparse.Namespace, counts: Counts) -> None:
    groups = range(-(-arguments.weeks // WEEKS_A_GROUP))
    _play((simulate(f"{arguments.seed}/{n}", planning=arguments.planning) for n in groups), counts)


def _play_seasons(arguments: argparse.Namespace, counts: Counts) -> None:
    servers = range(-(-arguments.seasons // SEASONS_A_SERVER)) if arguments.server is None else [arguments.server]
    _play((play_seasons(f"{arguments.seed}/{n}") for n in servers), counts)


def _play(simulations: Iterable[Coroutine[Any, Any, Counts]], counts: Counts) -> None:
    logging.disable(logging.WARNING)
    for simulation in simulations:
        try:
            counts.update(asyncio.run(simulation))
        except Breach as breach:
            print(breach, flush=True)
            counts["breaches"] += 1


if __name__ == "__main__":
    main()

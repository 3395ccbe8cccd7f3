"""`python -m tests.seasons [--seasons 200] [--seed 1]`: let leagues be played to their ends, and print the counts."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import time
from collections import Counter

from tests.seasons.server import SEASONS_A_SERVER, play_seasons
from tests.weeks.record import Broken


def main() -> None:
    """Let one server after the other have its leagues. Ends with an error if a promise was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.seasons", description=__doc__)
    parser.add_argument("--seasons", type=int, default=200, help="of all servers together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--server", type=int, help="only the server of this number, as a broken promise names it")
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)
    counts: Counter[str] = Counter()
    start = time.monotonic()
    numbers = range(-(-arguments.seasons // SEASONS_A_SERVER)) if arguments.server is None else [arguments.server]
    for number in numbers:
        try:
            counts += asyncio.run(play_seasons(f"{arguments.seed}/{number}"))
        except Broken as broken:
            print(broken, flush=True)
            counts["servers with a broken promise"] += 1
    for what, count in sorted(counts.items()):
        print(f"{count:8} {what}")
    print(f"{time.monotonic() - start:8.0f} seconds")
    sys.exit(counts["servers with a broken promise"] > 0)


if __name__ == "__main__":
    main()

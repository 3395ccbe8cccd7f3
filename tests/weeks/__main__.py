"""`python -m tests.weeks [--weeks 1000] [--seed 1] [--planning 0.1]`: groups play for weeks; print the counts."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import time
from collections import Counter

from tests.weeks.record import Broken
from tests.weeks.server import PLANNING, WEEKS_A_GROUP, simulate


def main() -> None:
    """Simulate one group after the other for some weeks. Ends with an error if a promise was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.weeks", description=__doc__)
    parser.add_argument("--weeks", type=int, default=1000, help="of all groups together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--planning", type=float, default=PLANNING, help="chance that a visitor plans a turn")
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)
    counts: Counter[str] = Counter()
    start = time.monotonic()
    for number in range(-(-arguments.weeks // WEEKS_A_GROUP)):
        try:
            counts += asyncio.run(simulate(f"{arguments.seed}/{number}", planning=arguments.planning))
        except Broken as broken:
            print(broken, flush=True)
            counts["groups with a broken promise"] += 1
    for what, count in sorted(counts.items()):
        print(f"{count:8} {what}")
    print(f"{time.monotonic() - start:8.0f} seconds")
    sys.exit(counts["groups with a broken promise"] > 0)


if __name__ == "__main__":
    main()

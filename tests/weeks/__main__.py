"""`python -m tests.weeks [--weeks 1000] [--seed 1]`: let groups of people play for weeks, and print the counts."""

from __future__ import annotations

import argparse
import asyncio
import logging
import time
from collections import Counter

from tests.weeks.town import WEEKS_A_GROUP, live


def main() -> None:
    """Let one group after the other live for some weeks; the first broken promise ends it."""
    parser = argparse.ArgumentParser(prog="python -m tests.weeks", description=__doc__)
    parser.add_argument("--weeks", type=int, default=1000, help="of all groups together")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    logging.disable(logging.WARNING)
    counts: Counter[str] = Counter()
    start = time.monotonic()
    for number in range(-(-asked.weeks // WEEKS_A_GROUP)):
        counts += asyncio.run(live(f"{asked.seed}/{number}"))
    for what, count in sorted(counts.items()):
        print(f"{count:8} {what}")
    print(f"{time.monotonic() - start:8.0f} seconds")


if __name__ == "__main__":
    main()

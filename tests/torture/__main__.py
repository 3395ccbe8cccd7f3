"""`python -m tests.torture [--kills 1000] [--seed 1] [--town N]`: kill the bot so often, and print the counts."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter
from itertools import count

from tests.conftest import _keep_files_in_memory
from tests.torture.audit import Breach
from tests.torture.town import Town
from tests.warm import warm_bots

A_TOWN = 50
"""Kills in one town, after which another one begins with an empty database."""


def main() -> None:
    """Torture one town after the other. Ends with an error if a promise was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, help="in all towns together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--town", type=int, help="only the town of this number, as a breach names it")
    asked = parser.parse_args()
    _keep_files_in_memory()
    counts: Counter[str] = Counter()
    start, towns = time.monotonic(), count() if asked.town is None else iter([asked.town])
    with warm_bots():
        for number in towns:
            left = asked.kills - counts["kills"]
            if left <= 0:
                break
            try:
                counts += asyncio.run(Town(f"{asked.seed}/{number}", min(left, A_TOWN)).suffer())
            except Breach as breach:
                print(breach, flush=True)
                counts["breaches"] += 1
    for what, number in sorted(counts.items()):
        print(f"{number:8} {what}")
    print(f"{time.monotonic() - start:8.0f} seconds")
    sys.exit(counts["breaches"] > 0)


if __name__ == "__main__":
    main()

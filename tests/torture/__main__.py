"""`python -m tests.torture [--kills 1000] [--seed 1] [--town N]`: kill the bot so often, and print the counts."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter
from itertools import count

from tests.conftest import keep_files_in_memory
from tests.torture.audit import Breach
from tests.torture.town import town
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
    keep_files_in_memory()
    counts: Counter[str] = Counter()
    begin, numbers = time.monotonic(), count() if asked.town is None else iter([asked.town])
    with warm_bots():
        while counts["kills"] < asked.kills and (number := next(numbers, None)) is not None:
            counts += asyncio.run(_tortured(f"{asked.seed}/{number}", min(asked.kills - counts["kills"], A_TOWN)))
            print(f"{counts['kills']} kills, {counts['breaches']} breaches", flush=True)
    for what, times in sorted(counts.items()):
        print(f"{times:8} {what}")
    print(f"{time.monotonic() - begin:8.0f} seconds")
    sys.exit(counts["breaches"] > 0)


async def _tortured(seed: str, kills: int) -> Counter[str]:
    """What happened in a town up to so many kills, or to a breach, which is printed."""
    async with town(seed) as place:
        try:
            await place.suffer(kills)
        except Breach as breach:
            print(breach, flush=True)
            place.counts["breaches"] += 1
        return place.counts


if __name__ == "__main__":
    main()

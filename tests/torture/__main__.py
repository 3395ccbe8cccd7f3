"""`python -m tests.torture [--kills 1000] [--seed 1] [--town N]`: kill the bot so often, and print the counts."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count

from tests.conftest import keep_files_in_memory
from tests.torture.audit import Breach
from tests.torture.town import town
from tests.warm import warm_bots

A_TOWN = 50
"""Kills in one town, after which another one begins with an empty database."""


SIDE_BY_SIDE = 3
"""Towns at once: while a bot waits, another one dies."""


def main() -> None:
    """Torture one town after the other. Ends with an error if a promise was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, help="in all towns together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--town", type=int, help="only the town of this number, as a breach names it")
    asked = parser.parse_args()
    keep_files_in_memory()
    logging.disable(logging.ERROR)  # of this side, which is left by bots in the midst of everything
    counts: Counter[str] = Counter()
    begin, numbers = time.monotonic(), count() if asked.town is None else iter([asked.town])
    with warm_bots():
        asyncio.run(_torture(asked.seed, numbers, asked.kills, counts))
    for what, times in sorted(counts.items()):
        print(f"{times:8} {what}")
    print(f"{time.monotonic() - begin:8.0f} seconds")
    sys.exit(counts["breaches"] > 0)


async def _torture(seed: int, numbers: Iterator[int], kills: int, counts: Counter[str]) -> None:
    """Fill the counts with what happens in towns, a few of them side by side, until there were enough kills."""

    async def one_after_the_other() -> None:
        while counts["kills begun"] < kills and (number := next(numbers, None)) is not None:
            begun = min(kills - counts["kills begun"], A_TOWN, -(-kills // SIDE_BY_SIDE))
            counts["kills begun"] += begun
            counts.update(await _tortured(f"{seed}/{number}", begun))
            print(f"{counts['kills']} kills, {counts['breaches']} breaches", flush=True)

    await asyncio.gather(*(one_after_the_other() for _ in range(SIDE_BY_SIDE)))


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

"""`python -m tests.fairplay [--matches 500] [--leagues 26] [--servers 40]`: what cheats gain, and how games with
computers count.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.fairplay.league import league_pairs
from tests.fairplay.rematch import force_rematch
from tests.fairplay.server import GAMES, pairs, server
from tests.fairplay.weights import compare


def main() -> None:
    """Print both. Ends with an error if a cheat has gained, or has taken the win of another player."""
    parser = argparse.ArgumentParser(prog="python -m tests.fairplay", description=__doc__)
    parser.add_argument("--matches", type=int, default=500, help="each with its honest twin")
    parser.add_argument("--leagues", type=int, default=26, help="each with its honest twin")
    parser.add_argument("--servers", type=int, default=40, help="for each way to weigh games with computers")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for rounds in (6, 15, 40):
        for name, result in compare(rounds, arguments.servers):
            print(f"{rounds:3} rounds, {name:28} Spearman {result.order:.3f}, fall after two games {result.fall:.0f}")
    begun = time.monotonic()
    counts, wrong = asyncio.run(_cheat(arguments.matches, arguments.seed))
    print(f"{arguments.matches} matches and their twins in {time.monotonic() - begun:.0f} s: {dict(counts)}")
    begun = time.monotonic()
    counts, wrong_leagues = asyncio.run(_cheat_in_leagues(arguments.leagues, arguments.seed))
    print(f"{arguments.leagues} leagues and their twins in {time.monotonic() - begun:.0f} s: {dict(counts)}")
    wrong += wrong_leagues
    sys.exit(f"cheats that gained: {wrong}" if wrong else 0)


async def _cheat(matches: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Number of times that each step was taken, and the matches in which cheating has paid."""
    counts, wrong = Counter[str](), list[str]()
    with tempfile.TemporaryDirectory() as folder:
        async with server(Path(folder)) as at:
            async for pair in pairs(at, range(matches), seed):
                counts.update(pair.cheat.steps)
                if pair.gains or not pair.keeps_the_winner:
                    wrong.append(f"{pair.seed}: {' and '.join(pair.cheat.steps)}")
            wrong += [f"{game}: a rematch without consent" for game in GAMES if await force_rematch(at, game)]
    return counts, wrong


async def _cheat_in_leagues(leagues: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Number of times that each way was tried, and the leagues in which cheating has paid."""
    counts, wrong = Counter[str](), list[str]()
    with tempfile.TemporaryDirectory() as folder:
        async with server(Path(folder)) as at:
            async for pair in league_pairs(at, leagues, seed):
                counts.update(pair.way)
                if pair.gains:
                    wrong.append(f"{pair.seed}: {' and '.join(pair.way)}")
    return counts, wrong


if __name__ == "__main__":
    main()

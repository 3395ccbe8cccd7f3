"""Concurrent runs of kills. By default, a third of them use a PostgreSQL server."""

from __future__ import annotations

import argparse
import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from itertools import count

from tests.conftest import keep_files_in_memory
from tests.crowd.killed.harness import harness
from tests.crowd.killed.kills import REQUIRED_STEPS, WITHIN
from tests.crowd.promises import Breach
from tests.server import Server, running_server, tools
from tests.warm import warm_bots

KILLS_A_RUN = 50
"""Kills in one run; the next run begins with an empty database."""

SIDE_BY_SIDE = 3
"""Concurrent runs: while one bot waits, another one is killed."""

BOTH, FILE, SERVER = "both", "sqlite", "postgresql"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command-line options."""
    parser.add_argument("--kills", type=int, default=1000, help="in all runs together")
    parser.add_argument("--run", type=int, help="only the run of this number, as a breach names it")
    parser.add_argument("--database", choices=(BOTH, FILE, SERVER), default=BOTH)


def play(arguments: argparse.Namespace, counts: Counter[str]) -> None:
    """Count the events of all runs in `counts`, and print how often each named step was struck."""
    if arguments.database != FILE and tools() is None:
        raise SystemExit("there is no PostgreSQL: install it, or choose --database sqlite")
    keep_files_in_memory()
    logging.disable(logging.ERROR)  # killed bots leave requests to this process unfinished
    numbers = count() if arguments.run is None else iter([arguments.run])
    with warm_bots():
        asyncio.run(_torture(arguments, numbers, counts))
    for step in REQUIRED_STEPS:
        print(_struck(counts, step))


def _struck(counts: Counter[str], step: str) -> str:
    """A line with how often a named step was struck at which moments."""
    times = {when: counts[f"killed: {when} {step}"] for when in WITHIN}
    return f"{sum(times.values()):4} {step:30} " + ", ".join(f"{n} {when}" for when, n in times.items() if n)


async def _torture(asked: argparse.Namespace, numbers: Iterator[int], counts: Counter[str]) -> None:
    """Run until there were enough kills, with a few runs at a time, and count their events."""
    kills: int = asked.kills

    async def run_in_turn() -> None:
        while counts["kills begun"] < kills and (number := next(numbers, None)) is not None:
            begun = min(kills - counts["kills begun"], KILLS_A_RUN, -(-kills // SIDE_BY_SIDE))
            counts["kills begun"] += begun
            counts.update(await _torture_once(f"{asked.seed}/{number}", begun, _is_on_server(asked.database, number)))
            print(f"{counts['kills']} kills, {counts['breaches']} breaches", flush=True)

    await asyncio.gather(*(run_in_turn() for _ in range(SIDE_BY_SIDE)))


def _is_on_server(database: str, number: int) -> bool:
    """Whether a run uses a PostgreSQL server."""
    return number % 3 == 2 if database == BOTH else database == SERVER


async def _torture_once(seed: str, kills: int, on_server: bool) -> Counter[str]:
    """Play one run, and return its counts; a breach is printed and counted."""
    async with _server(on_server) as server, harness(seed, server) as run:
        try:
            await run.run(kills)
        except Breach as breach:
            print(breach, flush=True)
            run.counts["breaches"] += 1
        run.counts[f"kills with {SERVER if on_server else FILE}"] = run.counts["kills"]
        return run.counts


@asynccontextmanager
async def _server(on_server: bool) -> AsyncIterator[Server | None]:
    """A server for one run, which may stop it, or `None`; other runs go on while it starts."""
    with ExitStack() as stack:
        yield await asyncio.to_thread(stack.enter_context, running_server()) if on_server else None

"""Cost of many tables for people who play with computers: twenty of them wait at once for the strongest one.

It measures neither Discord nor the store: the tables think in the workers of the bot, each until its person is due.
"""

from __future__ import annotations

import asyncio
import time

from bot.computers.thinkers import Thinkers, workers_of
from engine.core import GameSpec
from engine.games import discover
from engine.match import Match
from engine.texts import Seat
from tests.bench.measure import Effort, Spread
from tests.bench.report import Goal, Row, judged_row

TABLES, WORKERS, GOAL = 20, 2, Goal(8.0)
"""Number of tables and workers, and the most seconds until the last table has its answer."""

PERSON = Seat(0)


def rows(effort: Effort) -> list[Row]:
    """Two rows for each game: with the fewest seats, and with four."""
    return [_row(spec, seats, effort.rounds(3)) for spec in discover().values() for seats in (spec.seats[0], 4)]


def _row(spec: GameSpec, seats: int, rounds: int) -> Row:
    last = [asyncio.run(_last_answer(spec, seats, number)) for number in range(rounds)]
    what = f"{spec.title}, {seats} seats: the last of {TABLES} tables has its answer"
    return judged_row("R9", what, GOAL, Spread.of(last), figure=f"{max(last):.1f} s", anchor=f"{WORKERS} workers")


async def _last_answer(spec: GameSpec, seats: int, number: int) -> float:
    """Seconds until the computers at all tables have done what they have to do before a person is due."""
    thinkers = Thinkers(workers_of(f"processes:{WORKERS}"))
    matches = [_match_before_computer(spec, seats, f"{number} {table}") for table in range(TABLES)]
    await asyncio.gather(
        *(thinkers.choose("uniform", match.view(match.state.decisions()[0].seat)) for match in matches)
    )
    start = time.perf_counter()
    await asyncio.gather(*(_play(match, thinkers) for match in matches))
    passed = time.perf_counter() - start
    thinkers.close()
    return passed


def _match_before_computer(spec: GameSpec, seats: int, seed: str) -> Match:
    """A match some moves after its beginning, in which a computer is due."""
    match = Match.begin(spec, spec.setup(seats), seed)
    while match.version < 6 * seats or match.state.decisions()[0].seat == PERSON:
        decision = match.state.decisions()[0]
        match.play(decision.seat, decision.options[match.version % len(decision.options)])
    return match


async def _play(match: Match, thinkers: Thinkers) -> None:
    place = thinkers.arrival()
    while match.outcome is None and (decision := match.state.decisions()[0]).seat != PERSON:
        forced = decision.options[0] if decision.forced else None
        match.play(decision.seat, forced or await thinkers.choose("strong", match.view(decision.seat), place=place))

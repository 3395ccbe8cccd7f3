"""The pages of `/stats` of a server in which a hundred thousand rated matches have ended, without their pictures."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from bot.features.stats.pages import player_page, records_page, server_page, versus_page
from bot.store.database import Database
from bot.store.opening import open_database
from bot.store.ratings import Ratings
from engine.games import discover
from tests.bench.measure import Effort, Spread
from tests.bench.report import Goal, Row, ms, noted_row

MATCHES, PEOPLE, SEATS, SERVER = 100_000, 200, 3, 9
PROMISED = Goal(0.3)
"""Seconds for a page at most."""

_MATCH = """
    INSERT INTO matches
        (id, guild_id, channel_id, host_id, game, rules_version, options, seed, status, rated, moves, ended)
    VALUES (?, ?, 1, 1, ?, 1, '{}', 's', 'over', 1, ?, ?)
"""
_RESULT = """
    INSERT INTO results (match_id, seat, score, share, user_id, company, place, luck, lost, usually, choices, lowest)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0.4, 1.2, 12, ?)
"""


def rows(effort: Effort) -> list[Row]:
    """Seconds for each page, and for everything computed anew."""
    pages, computed = asyncio.run(_measure(effort.rounds(20)))
    page_rows = [_row(name, Spread.of(seconds)) for name, seconds in pages.items()]
    return [*page_rows, noted_row("ratings computed anew", f"{computed:.0f} s")]


def _row(name: str, found: Spread) -> Row:
    what = f"/stats {name}, {MATCHES:,} matches"
    return Row("", what, ms(found), must=str(PROMISED), verdict=PROMISED.verdict(found.high))


async def _measure(rounds: int) -> tuple[dict[str, list[float]], float]:
    with tempfile.TemporaryDirectory() as folder:
        async with open_database(f"sqlite:///{folder}/games.db") as database:
            people = await _fill(database)
            ratings, start = Ratings(database), time.perf_counter()
            await ratings.compute()
            computed, rng = time.perf_counter() - start, Random(2)
            pages: dict[str, Callable[[], Awaitable[Any]]] = {
                "player": lambda: player_page(ratings, SERVER, rng.choice(people), own=True),
                "versus": lambda: versus_page(ratings, SERVER, *rng.sample(people, 2)),
                "server": lambda: server_page(ratings, SERVER, ""),
                "records": lambda: records_page(ratings, SERVER, ""),
            }
            return {name: [await _seconds(page) for _ in range(rounds)] for name, page in pages.items()}, computed


async def _seconds(page: Callable[[], Awaitable[Any]]) -> float:
    start = time.perf_counter()
    await page()
    return time.perf_counter() - start


async def _fill(database: Database) -> list[int]:
    """Matches of a few hundred people, with ids as large as on Discord."""
    rng, people = Random(1), [10**17 + n for n in range(PEOPLE)]
    matches, results = [], []
    for number in range(1, MATCHES + 1):
        matches.append((number, SERVER, rng.choice([*discover()]), rng.randint(50, 140), number))
        scores = [rng.randint(0, 50) for _ in range(SEATS)]
        for seat, user in enumerate(rng.sample(people, SEATS)):
            place = 1 + sum(score > scores[seat] for score in scores)
            figures = (scores[seat], float(place == 1), user, seat, place, rng.uniform(-0.5, 0.5), rng.random())
            results.append((number, seat, *figures))
    async with database.transaction():
        await database.execute_many(_MATCH, matches)
        await database.execute_many(_RESULT, results)
    return people

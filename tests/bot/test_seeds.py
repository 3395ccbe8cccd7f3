"""A seed is a secret, and of one match only: who knew it would know every draw to come."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from engine.games import discover
from playground.harness import Playground
from playground.wire import TOKEN
from tests.bot.app import App
from tests.robots import BOARD

TABLES = 3


async def begin(app: App) -> str:
    """A game of its own channel, in which Ana plays against a computer. Returns what she is told of its beginning."""
    room = app.room()
    ana = room.person("Ana")
    await ana.slash("table new", game="lay")
    await ana.tap("Add computer")
    await ana.tap("Start")
    await room.onlooker.expect(BOARD)
    return (await ana.slash("game log")).text


async def test_every_match_has_its_own_unguessable_seed(app: App) -> None:
    messages = [await begin(app) for _ in range(TABLES)]
    assert TABLES == len(set(messages)), "other cards are dealt at every table"
    assert TABLES == len(set(app.seeds()))
    assert all(len(seed) >= 32 for seed in app.seeds()), "nobody can try all seeds"


async def test_no_log_contains_a_seed_or_the_token(tmp_path: Path) -> None:
    """The most talkative log there is, of a bot as people run it."""
    async with Playground(strict=True) as local:
        bot = await local.start_bot(env={"DATA_DIR": str(tmp_path), "LOG_LEVEL": "DEBUG"})
        ana = local.player("Ana")
        await ana.slash("table new", game=next(spec.slug for spec in discover().values() if 2 in spec.seats))
        await ana.tap("Add computer")
        await ana.tap("Start")
        await ana.expect(BOARD)
        await bot.stop()
    with closing(sqlite3.connect(tmp_path / "caravanserai.db")) as database:
        ((seed, secret),) = database.execute("SELECT seed, secret FROM matches")
    assert any(" DEBUG " in line for line in bot.log)
    assert [] == [line for line in bot.log if any(word in line for word in (seed, secret, TOKEN))]

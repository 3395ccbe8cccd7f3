"""The bot with the smallest possible pictures and a fast clock, killed at the step in the variable `KILL`.

Twenty of its seconds pass in one of real time, so that its timeouts and retries stay as they are and the run is quick.
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import os
import selectors
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import renders
from bot import __main__ as program
from bot.clock import Clock
from bot.computers.thinkers import Workers
from bot.store import database, postgres
from bot.store.database import Database
from bot.store.migrate import VERSION_TABLE
from engine.core import View
from engine.players import discover as discover_players
from tests.bot.watch import SMALLEST_PNG
from tests.crowd.killed.kills import MIGRATION, STATEMENT, TRANSACTION, VARIABLE, Kill, Killer, asker

RATE, NOW = float(os.environ["CLOCK_RATE"]), float(os.environ["CLOCK_NOW"])
BEGIN = time.monotonic()


class _Selector(selectors.DefaultSelector):  # type: ignore[misc, valid-type]
    """A selector whose timeouts are in seconds of the bot."""

    def select(self, timeout: float | None = None) -> Any:
        return super().select(None if timeout is None else timeout / RATE)


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        super().__init__(_Selector())

    def time(self) -> float:
        return super().time() * RATE


def _now(_clock: Clock) -> datetime:
    return datetime.fromtimestamp(NOW + (time.monotonic() - BEGIN) * RATE, UTC)


def _draw(view: View, *_people: object) -> renders.Picture:
    return renders.Picture(SMALLEST_PNG, f"{view.game}, ply {view.ply}")


def _in_threads(_search: str) -> Workers:
    return Workers(2, lambda: ThreadPoolExecutor(2))


def _with_kills(killer: Killer) -> Any:
    transaction = Database.transaction

    @asynccontextmanager
    async def killable(self: Database) -> AsyncIterator[None]:
        if self._owner is asyncio.current_task():
            yield
            return
        who, wrote = asker(), False
        killer.reaches(TRANSACTION, "before", who)
        async with transaction(self):
            yield
            if wrote := self._has_begun:
                killer.reaches(TRANSACTION, "within", who)
                killer.reaches(TRANSACTION, "amid", who)
        if wrote:
            killer.reaches(TRANSACTION, "after", who)

    return killable


def _with_kills_in_migrations(killer: Killer) -> Any:
    execute = Database.execute

    async def executed(self: Database, sql: str, *parameters: Any) -> Any:
        if sql.lstrip().startswith("CREATE") or VERSION_TABLE in sql:
            killer.reaches(STATEMENT, "before", MIGRATION)
        return await execute(self, sql, *parameters)

    return executed


def _let_greedy_think() -> None:
    """Let the bot treat a quick computer player as one that needs time."""
    players = discover_players()
    players["greedy"] = dataclasses.replace(players["greedy"], for_people=True)


if __name__ == "__main__":
    killer = Killer(Kill.parse(os.environ[VARIABLE]))
    program._event_loop = _Loop
    Clock.now = _now  # type: ignore[method-assign]
    Database.transaction = _with_kills(killer)  # type: ignore[method-assign]
    renders.draw = _draw
    # a database has no fast clock: on a busy machine it would seem to hang
    database.TURN_TIMEOUT *= RATE
    postgres.CONNECT_TIMEOUT, postgres.STATEMENT_TIMEOUT = (
        postgres.CONNECT_TIMEOUT * RATE,
        postgres.STATEMENT_TIMEOUT * RATE,
    )
    _let_greedy_think()
    program.workers_of = _in_threads
    if killer.kill.kind == STATEMENT:
        Database.execute = _with_kills_in_migrations(killer)  # type: ignore[method-assign]
    logging.getLogger("aiosqlite").setLevel(logging.WARNING)
    program.main()

"""The bot with the smallest of all pictures and a fast clock, killed where its `DEATH` says.

Twenty of its seconds pass in each one on the wall: so it waits for Discord, and between two tries, as long as ever, and
nobody waits for it.
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import os
import selectors
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from typing import Any

import sqlalchemy
from sqlalchemy.engine import Engine

import renders
from bot import __main__ as program
from bot.clock import Clock
from bot.store import postgres, trips
from bot.store.connections import Connection, T, Work
from bot.store.transactions import Transactions
from bot.thinking.thinkers import Workers
from engine.core import View
from engine.players import discover as discover_players
from tests.bot.watch import SMALLEST_PNG
from tests.torture.deaths import MIGRATION, STATEMENT, TRANSACTION, VARIABLE, Death, Reaper, asker

RATE, NOW = float(os.environ["CLOCK_RATE"]), float(os.environ["CLOCK_NOW"])
BEGIN = time.monotonic()


class _Selector(selectors.DefaultSelector):  # type: ignore[misc, valid-type]
    """Waits as long as it is told, in the seconds of the bot."""

    def select(self, timeout: float | None = None) -> Any:
        return super().select(None if timeout is None else timeout / RATE)


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        super().__init__(_Selector())

    def time(self) -> float:
        return super().time() * RATE


class _Policy(asyncio.DefaultEventLoopPolicy):
    _loop_factory = _Loop


def _now(_clock: Clock) -> datetime:
    return datetime.fromtimestamp(NOW + (time.monotonic() - BEGIN) * RATE, UTC)


def _draw(view: View, *_people: object) -> renders.Picture:
    return renders.Picture(SMALLEST_PNG, f"{view.game}, ply {view.ply}")


def _in_threads(_search: str) -> Workers:
    return Workers(2, lambda: ThreadPoolExecutor(2))


def _mortal(reaper: Reaper) -> Any:
    write = Transactions.write

    async def transaction(self: Transactions, work: Work[T], who: str) -> T:
        async def perhaps_in_vain(connection: Connection) -> T:
            written = await work(connection)
            reaper.meets(TRANSACTION, "within", who)
            reaper.meets(TRANSACTION, "amid", who)
            return written

        reaper.meets(TRANSACTION, "before", who)
        written = await write(self, perhaps_in_vain)
        reaper.meets(TRANSACTION, "after", who)
        return written

    def mortal(self: Transactions, work: Work[T]) -> Coroutine[Any, Any, T]:
        return transaction(self, work, asker())

    return mortal


def _migrating(reaper: Reaper) -> Callable[..., None]:
    def told(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.lstrip().startswith(("CREATE", "ALTER", "DROP", "UPDATE alembic_version", "BEGIN IMMEDIATE")):
            reaper.meets(STATEMENT, "before", MIGRATION)

    return told


def _let_greedy_think() -> None:
    """A computer player that is quick, and yet treated as one that needs time."""
    players = discover_players()
    players["greedy"] = dataclasses.replace(players["greedy"], for_people=True)


if __name__ == "__main__":
    reaper = Reaper(Death.parse(os.environ[VARIABLE]))
    asyncio.set_event_loop_policy(_Policy())
    Clock.now = _now  # type: ignore[method-assign]
    Transactions.write = _mortal(reaper)  # type: ignore[method-assign]
    renders.draw = _draw
    # a database has no fast clock: on a busy machine it would seem to take for ever
    trips.PATIENCE *= RATE
    postgres.create_async_engine = partial(postgres.create_async_engine, pool_timeout=30 * RATE)
    postgres.CONNECTING, postgres.ANSWERING = postgres.CONNECTING * RATE, postgres.ANSWERING * RATE
    _let_greedy_think()
    program.workers_of = _in_threads
    if reaper.death.kind == STATEMENT:
        sqlalchemy.event.listen(Engine, "before_cursor_execute", _migrating(reaper))
    logging.getLogger("aiosqlite").setLevel(logging.WARNING)
    program.main()

"""Opening a database on a server of PostgreSQL: for one process a share, up to date, or a sentence that says why not.

A process has one connection, as it has to a file: what it writes is in order, and it reads what it has written. The
connection holds the locks of the share as long as it lives, so whoever is cut off from the server can write nothing.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, NoReturn

import asyncpg
from sqlalchemy import event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.errors import StartError, StopError
from bot.store.migrate import bring_up_to_date
from bot.store.share import Share
from bot.store.store import Store
from bot.store.succession import Succession
from bot.store.trouble import DatabaseTrouble

_log = logging.getLogger(__name__)

PATIENCE, SHORT_PATIENCE = 60, 5
"""Seconds to wait for the process that has the share: at the start, as while that one is told to stop; and later."""

CONNECTING, ANSWERING = 10.0, 60.0
"""Seconds that the server may take to let somebody in, and for a statement."""

SPACE = 0x0CA7A5A2
"""The locks of this program among those of others."""

SHARD_BITS = 15
"""A lock is the number of shards, and below it the shard."""

SESSION = {"tcp_keepalives_idle": "10", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3"}
"""So that the server soon lets go of a machine that is gone."""

HOLDER = "holder"
"""The name of a value that every shard has: who holds its lock, or did last."""


class _Held(StartError):
    """Another process has the share."""


@asynccontextmanager
async def opened_server(address: URL, share: Share, succession: Succession | None) -> AsyncIterator[AsyncEngine]:
    """A database for this process alone, as far as its share goes; closed at the end. With a `succession`, it may come
    while another process has the share, and must not be used before that one has left.

    Raises:
        StartError: it cannot be used; the sentence says why and what to do, without the address and its password.
        StopError: it was out of reach, and another process has taken the share over.
    """
    door = _Door(address, share)
    # parameters are hidden from errors: a seed is a secret
    engine = create_async_engine(address, async_creator=door.enter, hide_parameters=True, pool_size=1, max_overflow=0)
    event.listen(engine.sync_engine, "checkout", _require_open)
    door.error = engine.dialect.loaded_dbapi.OperationalError
    door.options = engine.dialect.create_connect_args(address)[1]
    try:
        await _come(engine, door, succession)
        yield engine
    except asyncio.CancelledError:
        if door.is_lost:
            raise StopError(f"Another process has taken over the shards {share} of {door.place}.") from None
        raise
    finally:
        await engine.dispose()


async def _come(engine: AsyncEngine, door: _Door, succession: Succession | None) -> None:
    try:
        door.patience = 0 if succession else PATIENCE
        await _prepare(engine, door)
    except _Held:
        if succession is None:
            raise
        door.patience = PATIENCE
        succession.wait = partial(_prepare, engine, door)


async def _prepare(engine: AsyncEngine, door: _Door) -> None:
    try:
        async with engine.begin() as connection:
            await connection.run_sync(bring_up_to_date, door.place)
        settings = Store(engine).settings
        for shard in door.share.shards:
            await settings.put("shard", shard, HOLDER, door.name)
    except (DBAPIError, DatabaseTrouble, OSError) as error:
        raise StartError(f"{door.place} cannot be used: {_words(error)}. Check DATABASE_URL and the server.") from None
    door.has_opened, door.patience = True, SHORT_PATIENCE


def _require_open(connection: Any, *_: object) -> None:
    """Let the pool make another connection if the server has closed this one."""
    if connection.driver_connection.is_closed():
        raise DisconnectionError


def _words(error: BaseException) -> str:
    """What went wrong, in one line; a driver’s errors are wrapped in others."""
    said = str(getattr(error, "orig", error))
    return " ".join(said.split()).rstrip(".") or "no answer"


class _Door:
    """Lets this process in, with the locks of its share."""

    def __init__(self, address: URL, share: Share) -> None:
        self.share = share
        self.place = f"The database {address.database} on {address.host or 'this machine'}"
        self.name = f"{socket.gethostname()[:30]} {os.getpid()} {secrets.token_hex(4)}"
        self.error: Any = ConnectionError
        self.options: Mapping[str, Any] = {}
        self.patience: float = 0
        self.has_opened = False
        self.is_lost = False
        self._owner = asyncio.current_task()

    async def enter(self) -> Any:
        """A connection that has the locks. Raises the driver’s error, in the words of the server."""
        session = SESSION | {"application_name": self.name}
        try:
            connection = await asyncpg.connect(
                **self.options, timeout=CONNECTING, command_timeout=ANSWERING, server_settings=session
            )
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
            raise self.error(str(error) or "no answer", error) from error
        try:
            await self._take_locks(connection)
        except BaseException:
            connection.terminate()
            raise
        return connection

    async def _take_locks(self, connection: Any) -> None:
        if self.has_opened:
            await self._look_for_successors(connection)
        for shard in self.share.shards:
            await self._take_lock(connection, shard, self.share.count << SHARD_BITS | shard)
        if other := await _holder(connection, "objid::bigint >> $2 <> $3", SHARD_BITS, self.share.count):
            self._refuse(f"Another Caravanserai, {other}, counts other shards than {self.share} in")

    async def _look_for_successors(self, connection: Any) -> None:
        """Who was out of reach may have been replaced, and what he has in memory be wrong."""
        for holder in await connection.fetch(HOLDERS, HOLDER, self.share.first, self.share.last):
            if self.name not in holder["value"]:
                self.is_lost = True
                assert self._owner is not None, "a task has opened the database"
                self._owner.cancel()
                raise self.error("another process has taken over")

    async def _take_lock(self, connection: Any, shard: int, key: int) -> None:
        if await connection.fetchval("SELECT pg_try_advisory_lock($1, $2)", SPACE, key):
            return
        what = "uses" if self.share.count == 1 else f"has shard {shard} of {self.share.count} in"
        other = await _holder(connection, "objid::bigint = $2", key)
        if not self.patience:
            self._refuse(f"Another Caravanserai, {other}, {what}")
        _log.warning("another Caravanserai, %s, %s the database; waiting for %g s", other, what, self.patience)
        await connection.execute(f"SET lock_timeout = '{self.patience}s'")
        try:
            await connection.execute("SELECT pg_advisory_lock($1, $2)", SPACE, key, timeout=self.patience + ANSWERING)
        except asyncpg.LockNotAvailableError:
            self._refuse(f"Another Caravanserai, {other}, already {what}")
        await connection.execute("RESET lock_timeout")

    def _refuse(self, why: str) -> NoReturn:
        said = f"{why} {self.place[0].lower()}{self.place[1:]}. Stop it first, or give each process its SHARDS."
        raise self.error(said) if self.has_opened else _Held(said)


HOLDERS = "SELECT value::text FROM settings WHERE scope = 'shard' AND name = $1 AND scope_id BETWEEN $2 AND $3"

LOCKS = """SELECT application_name FROM pg_stat_activity JOIN pg_locks USING (pid)
JOIN pg_database ON pg_database.oid = pg_locks.database AND pg_database.datname = current_database()
WHERE locktype = 'advisory' AND objsubid = 2 AND classid::bigint = $1 AND granted AND pid <> pg_backend_pid() AND """
"""Who holds locks of this program in this database."""


async def _holder(connection: Any, which: str, *values: object) -> str | None:
    """The name of another process that holds such a lock, if one does."""
    name: str | None = await connection.fetchval(LOCKS + which, SPACE, *values)
    return name

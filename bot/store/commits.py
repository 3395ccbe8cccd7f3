"""Group commit: transactions that wait for the one connection to SQLite share a trip, and a flush of the disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, cast

from sqlalchemy.exc import DBAPIError

from bot.store.connections import Connection, Engine, T, Work
from bot.store.trips import FileConnection, Unbroken, in_one_trip
from bot.store.trouble import DatabaseTrouble, Kind, trouble_of


@dataclass(slots=True, eq=False)
class _Transaction(Generic[T]):
    """What is to be written together; once it has `ended` it is committed, or there is an error."""

    work: Work[T]
    ended: Unbroken[None] = field(default_factory=Unbroken)
    result: T | None = None
    is_committed: bool = False
    error: BaseException | None = None


class Commits:
    """The transactions of a database. Whoever gets a connection carries out those of all who wait for one.

    Each is written as a whole or not at all, and fails by itself. With a server nobody writes for others: there it can
    be broken off in the midst of it.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: list[_Transaction[Any]] = []

    async def carry_out(self, work: Work[T]) -> T:
        """A transaction. Whoever is broken off in the midst of it stays until it has ended."""
        own = _Transaction(work)
        self._waiting.append(own)
        try:
            await self._connected(own)
        except BaseException as error:
            if own in self._waiting:  # nobody has begun with it
                self._waiting.remove(own)
                raise
            await own.ended
            if not isinstance(error, Exception):
                raise
        if own.error is not None:
            raise own.error
        return cast(T, own.result)

    async def _connected(self, own: _Transaction[Any]) -> None:
        async with self._engine.connect() as connection:
            if own in self._waiting:
                group = [*self._waiting] if isinstance(connection, FileConnection) else [own]
                self._waiting = [one for one in self._waiting if one not in group]
                await _carry_out(group, connection)


async def _carry_out(group: Sequence[_Transaction[Any]], connection: Connection) -> None:
    try:
        await in_one_trip(connection, partial(_all_of, group))
    except BaseException as error:
        for one in group:
            one.error = one.error or (None if one.is_committed else error)
        raise
    finally:
        for one in group:
            one.ended.set_result(None)


async def _all_of(group: Sequence[_Transaction[Any]], connection: Connection) -> None:
    """All in one transaction; one that fails is left out, and the others begin anew."""
    while left := [one for one in group if not one.is_committed and one.error is None]:
        await _together(left, connection)


async def _together(group: Sequence[_Transaction[Any]], connection: Connection) -> None:
    last = group[0]
    try:
        for last in group:
            last.result = await last.work(connection)
        await connection.commit()
        for one in group:
            one.is_committed = True
    except Exception as error:
        for one in group if _keeps_waiting(error) else [last]:
            one.error = error
    finally:
        await connection.rollback()


def _keeps_waiting(error: Exception) -> bool:
    """Whether another program holds the database: each of them would wait for it in vain, one after the other."""
    trouble = trouble_of(error) if isinstance(error, DBAPIError) else error
    return isinstance(trouble, DatabaseTrouble) and trouble.kind is Kind.LOCKED

"""The one place where transactions begin and end."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from functools import lru_cache, wraps
from importlib import import_module
from typing import Any, Concatenate, ParamSpec, Protocol, TypeAlias, TypeVar

from sqlalchemy import Column, ColumnElement, Insert, Table, exists, true
from sqlalchemy.exc import DBAPIError, IntegrityError

from bot.figures import COMMITS
from bot.store.commits import Commits
from bot.store.connections import Connection, Engine, T, Work
from bot.store.files import rescue
from bot.store.rows import Taken
from bot.store.schema import matches
from bot.store.share import AGE_BITS, WHOLE, Share
from bot.store.trips import in_one_trip
from bot.store.trouble import DatabaseTrouble, Health, Kind

_open: ContextVar[Connection | None] = ContextVar("open", default=None)
"""That of the trip on which several things are being looked up."""

LOST_RACES = ("40001", "40P01")
"""What PostgreSQL calls a transaction that came too late, and two that waited for each other."""


class Transactions:
    """Connections to the database, each for what belongs together. Both kinds raise `DatabaseTrouble`.

    `share` is what this process has of it.
    """

    def __init__(self, engine: Engine, share: Share = WHOLE) -> None:
        self._engine = engine
        self._commits = Commits(engine)
        self.share = share
        self.health = Health()

    def mine(self, match_id: Column[int]) -> ColumnElement[bool]:
        """That a match is of the share of this process, for whoever looks what there is to do."""
        if self.share.is_whole:
            return true()
        match = matches.alias("match")
        shard = match.c.guild_id // (1 << AGE_BITS) % self.share.count
        return exists().where(match.c.id == match_id, shard.between(self.share.first, self.share.last))

    async def together(self, look: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Look several things up in one trip. `look` waits for nothing else and writes nothing."""

        async def looked(connection: Connection) -> T:
            before = _open.set(connection)
            try:
                return await look()
            finally:
                _open.reset(before)

        return await self.read(looked)

    async def read(self, work: Work[T]) -> T:
        """Look something up."""
        if (connection := _open.get()) is not None:
            return await work(connection)

        with self.health.watching():
            async with self._engine.connect() as connection:
                return await in_one_trip(connection, work)

    async def write(self, work: Work[T]) -> T:
        """A transaction: all that is written in it, or nothing. Raises `Taken` for a row that exists already."""
        try:
            with COMMITS.time(), self.health.watching():
                written = await self._commits.carry_out(work)
        except DatabaseTrouble as trouble:
            if trouble.kind is Kind.GONE:
                await rescue(self._engine)
            raise
        except DBAPIError as error:
            if isinstance(error, IntegrityError) or getattr(error.orig, "sqlstate", None) in LOST_RACES:
                raise Taken from error
            raise
        self.health.wrote()
        return written


class Kept(Protocol):
    """A part of what is kept."""

    _transactions: Transactions


P = ParamSpec("P")
S = TypeVar("S", bound=Kept)
Query: TypeAlias = Callable[Concatenate[S, Connection, P], Coroutine[Any, Any, T]]
Method: TypeAlias = Callable[Concatenate[S, P], Coroutine[Any, Any, T]]


def reading(query: Query[S, P, T]) -> Method[S, P, T]:
    """Make of a query a method that looks something up."""

    @wraps(query)
    async def method(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._transactions.read(lambda connection: query(self, connection, *args, **kwargs))

    return method


def writing(query: Query[S, P, T]) -> Method[S, P, T]:
    """Make of a query a method that is a transaction. It raises `Taken` for a row that exists already."""

    @wraps(query)
    async def method(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._transactions.write(lambda connection: query(self, connection, *args, **kwargs))

    return method


async def put_row(connection: Connection, table: Table, values: dict[str, Any]) -> None:
    """Write a row, or these values over those of the row that has the same key, in one statement."""
    await connection.execute(_upsert(connection.dialect.name, table, tuple(values)), values)


def new_rows(connection: Connection, table: Table) -> Insert:
    """Writes rows; those whose keys are there already stay as they are."""
    return _insert(connection.dialect.name, table)


@lru_cache(maxsize=64)
def _insert(dialect: str, table: Table) -> Insert:
    new: Insert = _insert_of(dialect)(table).on_conflict_do_nothing()
    return new


@lru_cache(maxsize=64)
def _upsert(dialect: str, table: Table, names: tuple[str, ...]) -> Insert:
    """Made once: to put a statement together takes as long as to carry it out."""
    keys, new = table.primary_key.columns.keys(), _insert_of(dialect)(table)
    rest = {name: new.excluded[name] for name in names if name not in keys}
    upsert: Insert = new.on_conflict_do_update(index_elements=keys, set_=rest) if rest else new.on_conflict_do_nothing()
    return upsert


def _insert_of(dialect: str) -> Any:
    """That of a dialect, which has the same words as the other one for rows that exist; only this one is loaded."""
    return import_module(f"sqlalchemy.dialects.{dialect}").insert

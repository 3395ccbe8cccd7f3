"""What the store asks of a database, be it a file or on a server."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

import sqlalchemy
from sqlalchemy import CursorResult, Dialect, Executable, ScalarResult

if TYPE_CHECKING:  # it takes long to load, and only servers need it
    from sqlalchemy.ext.asyncio import AsyncResult

T = TypeVar("T")

Rows: TypeAlias = CursorResult[*tuple[Any, ...]]
"""What a statement has found, or how many rows it has changed."""


class Connection(Protocol):
    """One that is in the hands of a single transaction at a time; `AsyncConnection` of SQLAlchemy says what is what."""

    @property
    def dialect(self) -> Dialect:
        """Which SQL it understands."""

    async def execute(self, statement: Executable, parameters: Any = None, /) -> Rows:
        """Carry out a statement."""

    async def scalar(self, statement: Executable, parameters: Any = None, /) -> Any:
        """The first value that a statement finds, if any."""

    async def scalars(self, statement: Executable, parameters: Any = None, /) -> ScalarResult[Any]:
        """The first value of each row."""

    def stream(self, statement: Executable, /) -> AbstractAsyncContextManager[AsyncResult[*tuple[Any, ...]]]:
        """Rows that are too many to have them all in memory."""

    async def exec_driver_sql(self, statement: str, parameters: Any = None, /) -> Rows:
        """Carry out a statement in the words of the driver."""

    async def run_sync(self, do: Callable[[sqlalchemy.Connection], T], /) -> T:
        """Do something that knows nothing of event loops."""

    async def commit(self) -> None:
        """End the transaction: all of it is written."""

    async def rollback(self) -> None:
        """End it, if there is one: nothing is written."""


class Engine(Protocol):
    """A database that is open; `AsyncEngine` of SQLAlchemy is one, `bot.store.trips.FileEngine` another."""

    @property
    def dialect(self) -> Dialect:
        """Which SQL it understands."""

    @property
    def sync_engine(self) -> sqlalchemy.Engine:
        """What tells of events."""

    def connect(self) -> AbstractAsyncContextManager[Connection]:
        """A connection; what was not committed at the end is taken back."""

    def begin(self) -> AbstractAsyncContextManager[Connection]:
        """A connection; what was done with it is committed at the end, unless something goes wrong."""

    async def dispose(self) -> None:
        """Close it."""


Work: TypeAlias = Callable[[Connection], Coroutine[Any, Any, T]]
"""Statements that belong together; they wait for nothing but the database."""

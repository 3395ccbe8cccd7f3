"""Single values, by what they belong to and their name."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, bindparam, delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import settings
from bot.store.transactions import Transactions, put_row, reading, writing


class Settings:
    """Values of the bot itself, of servers, channels, matches and users: JSON by (scope, id, name)."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    @reading
    async def get(self, connection: AsyncConnection, scope: str, scope_id: int, name: str) -> Any:
        """A stored value, or `None`."""
        return await connection.scalar(_VALUE, {"scope": scope, "scope_id": scope_id, "name": name})

    @reading
    async def some(
        self, connection: AsyncConnection, scope: str, scope_id: int, names: Collection[str]
    ) -> dict[str, Any]:
        """Those of some values that are stored, by their names."""
        rows = await connection.execute(_VALUES, {"scope": scope, "scope_id": scope_id, "names": list(names)})
        return {row.name: row.value for row in rows}

    @reading
    async def having(self, connection: AsyncConnection, scope: str, name: str) -> list[int]:
        """The ids for which a value is stored; of matches, those in the share of this process."""
        query = select(settings.c.scope_id).where(settings.c.scope == scope, settings.c.name == name)
        if scope == "match":
            query = query.where(self._transactions.mine(settings.c.scope_id))
        return list(await connection.scalars(query.order_by(settings.c.scope_id)))

    @writing
    async def put(self, connection: AsyncConnection, scope: str, scope_id: int, name: str, value: Any) -> None:
        """Store a JSON value."""
        await put_value(connection, scope, scope_id, name, value)

    @writing
    async def drop(self, connection: AsyncConnection, scope: str, scope_id: int, name: str) -> None:
        """Store nothing any more."""
        await drop_value(connection, scope, scope_id, name)


async def put_value(connection: AsyncConnection, scope: str, scope_id: int, name: str, value: Any) -> None:
    """Store a JSON value within a transaction."""
    await put_row(connection, settings, {"scope": scope, "scope_id": scope_id, "name": name, "value": value})


async def drop_value(connection: AsyncConnection, scope: str, scope_id: int, name: str) -> None:
    """Store nothing any more, within a transaction."""
    await connection.execute(delete(settings).where(*_key(scope, scope_id, name)))


def _key(scope: Any, scope_id: Any, name: Any) -> tuple[ColumnElement[bool], ...]:
    return settings.c.scope == scope, settings.c.scope_id == scope_id, settings.c.name == name


# made once: to put a statement together takes as long as to carry it out
_VALUE = select(settings.c.value).where(*_key(*map(bindparam, ("scope", "scope_id", "name"))))
_VALUES = select(settings.c.name, settings.c.value).where(
    settings.c.scope == bindparam("scope"),
    settings.c.scope_id == bindparam("scope_id"),
    settings.c.name.in_(bindparam("names", expanding=True)),
)

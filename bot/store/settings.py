"""Single values, by what they belong to and their name."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, bindparam, delete, select

from bot.store.connections import Connection
from bot.store.schema import settings
from bot.store.transactions import Transactions, put_row, reading, writing

USER = "user"
REMEMBERED = 4096
"""Values of users that stay in memory."""


class Settings:
    """Values of the bot itself, of servers, channels, matches and users: JSON by (scope, id, name).

    Those of users, which are asked for at every move, stay in memory where no other process changes them.
    """

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._known: OrderedDict[tuple[int, str], Any] = OrderedDict()
        self._changes = 0

    async def get(self, scope: str, scope_id: int, name: str) -> Any:
        """A stored value, or `None`."""
        if scope != USER or not self._transactions.share.is_whole:
            return await self._stored(scope, scope_id, name)
        if (scope_id, name) not in self._known:
            changes, value = self._changes, await self._stored(scope, scope_id, name)
            if changes != self._changes:
                return value
            self._remember(scope_id, name, value)
        return self._known[scope_id, name]

    def _remember(self, user_id: int, name: str, value: Any) -> None:
        self._known[user_id, name] = value
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)

    def changed(self, user_id: int) -> None:
        """Something of a user was written."""
        self._changes += 1
        for key in [key for key in self._known if key[0] == user_id]:
            del self._known[key]

    @reading
    async def _stored(self, connection: Connection, scope: str, scope_id: int, name: str) -> Any:
        return await connection.scalar(_VALUE, {"scope": scope, "scope_id": scope_id, "name": name})

    @reading
    async def some(self, connection: Connection, scope: str, scope_id: int, names: Collection[str]) -> dict[str, Any]:
        """Those of some values that are stored, by their names."""
        rows = await connection.execute(_VALUES, {"scope": scope, "scope_id": scope_id, "names": list(names)})
        return {row.name: row.value for row in rows}

    @reading
    async def having(self, connection: Connection, scope: str, name: str) -> list[int]:
        """The ids for which a value is stored; of matches, those in the share of this process."""
        query = select(settings.c.scope_id).where(settings.c.scope == scope, settings.c.name == name)
        if scope == "match":
            query = query.where(self._transactions.mine(settings.c.scope_id))
        return list(await connection.scalars(query.order_by(settings.c.scope_id)))

    async def put(self, scope: str, scope_id: int, name: str, value: Any) -> None:
        """Store a JSON value."""
        try:
            await self._put(scope, scope_id, name, value)
        finally:
            if scope == USER:
                self.changed(scope_id)

    @writing
    async def _put(self, connection: Connection, scope: str, scope_id: int, name: str, value: Any) -> None:
        await put_value(connection, scope, scope_id, name, value)

    @writing
    async def drop(self, connection: Connection, scope: str, scope_id: int, name: str) -> None:
        """Store nothing any more; of what users have chosen, other things take its place."""
        await drop_value(connection, scope, scope_id, name)


async def put_value(connection: Connection, scope: str, scope_id: int, name: str, value: Any) -> None:
    """Store a JSON value within a transaction."""
    await put_row(connection, settings, {"scope": scope, "scope_id": scope_id, "name": name, "value": value})


async def drop_value(connection: Connection, scope: str, scope_id: int, name: str) -> None:
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

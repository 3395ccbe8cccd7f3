"""Single values, by what they belong to and their name."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, insert, select

from bot.store.schema import settings
from bot.store.transactions import Transactions


class Settings:
    """Values of the bot itself, of servers, channels and users: JSON by (scope, id, name)."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    async def get(self, scope: str, scope_id: int, name: str) -> Any:
        """A stored value, or `None`."""
        key = (settings.c.scope == scope, settings.c.scope_id == scope_id, settings.c.name == name)
        async with self._transactions.reading() as connection:
            return await connection.scalar(select(settings.c.value).where(*key))

    async def put(self, scope: str, scope_id: int, name: str, value: Any) -> None:
        """Store a JSON value."""
        key = (settings.c.scope == scope, settings.c.scope_id == scope_id, settings.c.name == name)
        async with self._transactions.writing() as connection:
            await connection.execute(delete(settings).where(*key))
            await connection.execute(insert(settings).values(scope=scope, scope_id=scope_id, name=name, value=value))

"""Settings: single values of the bot, a server, a channel, a match or a user."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from bot.store.codec import json_at, json_of
from bot.store.database import Database

USER = "user"
MAX_CACHED = 4096
"""Values of users in the cache."""

_PUT = """
    INSERT INTO settings (scope, scope_id, name, value) VALUES (?, ?, ?, ?)
    ON CONFLICT (scope, scope_id, name) DO UPDATE SET value = excluded.value
"""


class Settings:
    """JSON values by scope, id and name.

    Values of users, which every move reads, are cached if no other process can change them.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._cache: OrderedDict[tuple[int, str], Any] = OrderedDict()
        self._changes = 0

    async def get(self, scope: str, scope_id: int, name: str) -> Any:
        """A stored value, or `None`."""
        is_cached = scope == USER and self._database.shard_range.is_whole
        if is_cached and (scope_id, name) in self._cache:
            return self._cache[scope_id, name]
        changes = self._changes
        sql = "SELECT value FROM settings WHERE scope = ? AND scope_id = ? AND name = ?"
        stored = await self._database.fetch_value(sql, scope, scope_id, name)
        value = None if stored is None else json_at(stored)
        # a write during the read may have made the value outdated
        if is_cached and changes == self._changes:
            self._cache[scope_id, name] = value
            if len(self._cache) > MAX_CACHED:
                self._cache.popitem(last=False)
        return value

    def invalidate(self, user_id: int) -> None:
        """Drop the cached values of a user, after a write."""
        self._changes += 1
        for key in [key for key in self._cache if key[0] == user_id]:
            del self._cache[key]

    async def of_all(self, scope: str, name: str) -> dict[int, Any]:
        """The stored values with a name, by id."""
        rows = await self._database.fetch(
            "SELECT scope_id, value FROM settings WHERE scope = ? AND name = ?", scope, name
        )
        return {row["scope_id"]: json_at(row["value"]) for row in rows}

    async def put_all(self, scope: str, name: str, values: Mapping[int, Any]) -> None:
        """Store JSON values with a name by id, together. Not for values of users, which are cached."""
        rows = [(scope, scope_id, name, json_of(value)) for scope_id, value in values.items()]
        await self._database.execute_many(_PUT, rows)

    async def put(self, scope: str, scope_id: int, name: str, value: Any) -> None:
        """Store a JSON value."""
        try:
            await self._database.execute(_PUT, scope, scope_id, name, json_of(value))
        finally:
            # after an error, too: the value may have been stored
            if scope == USER:
                self.invalidate(scope_id)

    async def drop(self, scope: str, scope_id: int, name: str) -> None:
        """Delete a value. Not for values of users: this does not invalidate the cache."""
        sql = "DELETE FROM settings WHERE scope = ? AND scope_id = ? AND name = ?"
        await self._database.execute(sql, scope, scope_id, name)

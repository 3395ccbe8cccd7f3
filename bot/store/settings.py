"""Single values, by what they belong to and their name."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from typing import Any

from bot.store.codec import json_at, json_of
from bot.store.database import Database, placeholders

USER = "user"
REMEMBERED = 4096
"""Values of users that stay in memory."""


class Settings:
    """Values of the bot itself, of servers, channels, matches and users: JSON by (scope, id, name).

    Those of users, which are asked for at every move, stay in memory where no other process changes them.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: OrderedDict[tuple[int, str], Any] = OrderedDict()
        self._changes = 0

    async def get(self, scope: str, scope_id: int, name: str) -> Any:
        """A stored value, or `None`."""
        if scope != USER or not self._database.shard_range.is_whole:
            return await self._stored(scope, scope_id, name)
        if (scope_id, name) not in self._known:
            changes, value = self._changes, await self._stored(scope, scope_id, name)
            # something was written while this was read: the value may be the old one, so it is not cached
            if changes != self._changes:
                return value
            self._known[scope_id, name] = value
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        return self._known[scope_id, name]

    def changed(self, user_id: int) -> None:
        """Something of a user was written."""
        self._changes += 1
        for key in [key for key in self._known if key[0] == user_id]:
            del self._known[key]

    async def _stored(self, scope: str, scope_id: int, name: str) -> Any:
        sql = "SELECT value FROM settings WHERE scope = ? AND scope_id = ? AND name = ?"
        stored = await self._database.fetch_value(sql, scope, scope_id, name)
        return None if stored is None else json_at(stored)

    async def some(self, scope: str, scope_id: int, names: Collection[str]) -> dict[str, Any]:
        """Those of some values that are stored, by their names."""
        sql = f"""
            SELECT name, value FROM settings WHERE scope = ? AND scope_id = ? AND name IN ({placeholders([*names])})
        """
        rows = await self._database.fetch(sql, scope, scope_id, *names)
        return {row["name"]: json_at(row["value"]) for row in rows}

    async def put(self, scope: str, scope_id: int, name: str, value: Any) -> None:
        """Store a JSON value."""
        sql = """
            INSERT INTO settings (scope, scope_id, name, value) VALUES (?, ?, ?, ?)
            ON CONFLICT (scope, scope_id, name) DO UPDATE SET value = excluded.value
        """
        try:
            await self._database.execute(sql, scope, scope_id, name, json_of(value))
        finally:
            # after an error, too: then it is unknown what is stored
            if scope == USER:
                self.changed(scope_id)

    async def drop(self, scope: str, scope_id: int, name: str) -> None:
        """Store nothing any more; of what users have chosen, other things take its place."""
        sql = "DELETE FROM settings WHERE scope = ? AND scope_id = ? AND name = ?"
        await self._database.execute(sql, scope, scope_id, name)

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
        is_cached = scope == USER and self._database.shard_range.is_whole
        if is_cached and (scope_id, name) in self._known:
            return self._known[scope_id, name]
        changes = self._changes
        sql = "SELECT value FROM settings WHERE scope = ? AND scope_id = ? AND name = ?"
        stored = await self._database.fetch_value(sql, scope, scope_id, name)
        value = None if stored is None else json_at(stored)
        # if something was written while this was read, the value may be the old one
        if is_cached and changes == self._changes:
            self._known[scope_id, name] = value
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        return value

    def changed(self, user_id: int) -> None:
        """Something of a user was written."""
        self._changes += 1
        for key in [key for key in self._known if key[0] == user_id]:
            del self._known[key]

    async def some(self, scope: str, scope_id: int, names: Collection[str]) -> dict[str, Any]:
        """Those of some values that are stored, by their names."""
        sql = f"""
            SELECT name, value FROM settings WHERE scope = ? AND scope_id = ? AND name IN ({placeholders([*names])})
        """
        rows = await self._database.fetch(sql, scope, scope_id, *names)
        return {row["name"]: json_at(row["value"]) for row in rows}

    async def of_all(self, scope: str, name: str) -> dict[int, Any]:
        """The stored values of a name, by their ids."""
        rows = await self._database.fetch(
            "SELECT scope_id, value FROM settings WHERE scope = ? AND name = ?", scope, name
        )
        return {row["scope_id"]: json_at(row["value"]) for row in rows}

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

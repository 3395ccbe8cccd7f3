"""Bars: bans of users from the games of a server, for a time or until further notice."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from bot.store.codec import time_at_or_none, time_of
from bot.store.database import Repository, Row, placeholders
from bot.store.jobs import NOBODY
from bot.store.pseudonyms import pseudonym
from engine.values import Value

MAX_REASON = 200
"""Characters of the reason for a bar."""


class Bar(Value):
    """A ban from the games of a server `until` a time in UTC, or without an end.

    After *Forget me*, `user_id` is `NOBODY`, and `name` and `reason` are empty; the bar still applies to the user.
    """

    digest: str
    user_id: int
    name: str
    reason: str = ""
    until: datetime | None = None


class Bars(Repository):
    """The bars of all servers. Expired bars are ignored, and deleted when the server adds the next one."""

    async def in_server(self, guild_id: int, now: datetime) -> list[Bar]:
        """All current bars of a server, the newest first."""
        sql = "SELECT * FROM bars WHERE guild_id = ? AND (until IS NULL OR until > ?) ORDER BY at DESC, digest"
        return [_bar(row) for row in await self._database.fetch(sql, guild_id, time_of(now))]

    async def among(self, guild_id: int, user_ids: Collection[int], now: datetime) -> dict[int, Bar]:
        """The current bars of these users in a server, by user."""
        digests = {_digest(guild_id, user_id): user_id for user_id in user_ids}
        sql = f"""
            SELECT * FROM bars
            WHERE guild_id = ? AND digest IN ({placeholders(digests)}) AND (until IS NULL OR until > ?)
        """
        rows = await self._database.fetch(sql, guild_id, *digests, time_of(now)) if digests else []
        return {digests[row["digest"]]: _bar(row) for row in rows}

    async def put(
        self, guild_id: int, user_id: int, name: str, reason: str, at: datetime, until: datetime | None
    ) -> None:
        """Bar a user from the games of a server, in place of an earlier bar. Times are in UTC."""
        sql = """
            INSERT INTO bars (guild_id, digest, user_id, name, reason, at, until) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (guild_id, digest) DO UPDATE SET user_id = excluded.user_id, name = excluded.name,
            reason = excluded.reason, at = excluded.at, until = excluded.until
        """
        end = time_of(until) if until else None
        async with self._database.transaction():
            await self._database.execute("DELETE FROM bars WHERE guild_id = ? AND until <= ?", guild_id, time_of(at))
            digest = _digest(guild_id, user_id)
            await self._database.execute(sql, guild_id, digest, user_id, name, reason, time_of(at), end)

    async def drop(self, guild_id: int, digest: str) -> None:
        """Lift a bar of a server."""
        await self._database.execute("DELETE FROM bars WHERE guild_id = ? AND digest = ?", guild_id, digest)

    async def without_name(self, user_id: int) -> list[dict[str, Any]]:
        """The bars that still apply to a user after *Forget me*, for *My data*."""
        sql = "SELECT guild_id, digest, until FROM bars WHERE user_id = ?"
        rows = await self._database.fetch(sql, NOBODY)
        # compared row by row: each server has its own digest
        theirs = [row for row in rows if row["digest"] == _digest(row["guild_id"], user_id)]
        return [{"guild_id": row["guild_id"], "until": row["until"]} for row in theirs]


def _digest(guild_id: int, user_id: int) -> str:
    return pseudonym("bars", guild_id, user_id)


def _bar(row: Row) -> Bar:
    return Bar(row["digest"], row["user_id"], row["name"], row["reason"], time_at_or_none(row["until"]))

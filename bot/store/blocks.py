"""Blocks between users: after a block, the two do not play at the same table."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import TypeAlias

from bot.store.codec import time_of
from bot.store.database import Repository, Row, placeholders
from bot.store.jobs import NOBODY
from bot.store.pseudonyms import pseudonym
from engine.values import Value

MAX_BLOCKS = 100
"""Players whom one user can block."""

Pair: TypeAlias = frozenset[int]
"""Two users, in no order: a block keeps both of them from the other one's tables."""


class TooManyBlocks(Exception):
    """A user has blocked `MAX_BLOCKS` players."""


class Block(Value):
    """A blocked player as the blocker sees them. After *Forget me*, `user_id` is `NOBODY` and `name` is empty."""

    digest: str
    user_id: int
    name: str


class Blocks(Repository):
    """The blocks of all users."""

    async def of(self, user_id: int) -> list[Block]:
        """The players whom a user has blocked, the newest first."""
        sql = "SELECT digest, blocked_id, name FROM blocks WHERE user_id = ? ORDER BY at DESC, digest"
        return [Block(*row) for row in await self._database.fetch(sql, user_id)]

    async def add(self, user_id: int, blocked_id: int, name: str, at: datetime) -> None:
        """Add a block, made at a time in UTC. Raises `TooManyBlocks`."""
        sql = """
            INSERT INTO blocks (user_id, digest, blocked_id, name, at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (user_id, digest) DO UPDATE SET blocked_id = excluded.blocked_id, name = excluded.name
        """
        digest = _digest(user_id, blocked_id)
        async with self._database.transaction():
            others = "SELECT count(*) FROM blocks WHERE user_id = ? AND digest <> ?"
            if await self._database.fetch_value(others, user_id, digest) >= MAX_BLOCKS:
                raise TooManyBlocks
            await self._database.execute(sql, user_id, digest, blocked_id, name, time_of(at))

    async def drop(self, user_id: int, digest: str) -> None:
        """Delete a block of a user."""
        await self._database.execute("DELETE FROM blocks WHERE user_id = ? AND digest = ?", user_id, digest)

    async def pairs(self, user_ids: Collection[int]) -> frozenset[Pair]:
        """The pairs among these users of whom one has blocked the other."""
        if len(user_ids) < 2:
            return frozenset()
        ids = placeholders([*user_ids])
        sql = f"""
            SELECT user_id, blocked_id, digest FROM blocks
            WHERE user_id IN ({ids}) AND blocked_id IN ({ids}, {NOBODY})
        """
        rows = await self._database.fetch(sql, *user_ids, *user_ids)
        return frozenset(frozenset((row["user_id"], other)) for row in rows for other in _blocked_users(row, user_ids))

    async def apart_from(self, user_id: int, others: Collection[int]) -> frozenset[int]:
        """The users among `others` with whom a user shares a block, in either direction."""
        pairs = await self.pairs([user_id, *others])
        return frozenset(other for pair in pairs if user_id in pair for other in pair - {user_id})


def _digest(user_id: int, blocked_id: int) -> str:
    return pseudonym("blocks", user_id, blocked_id)


def _blocked_users(row: Row, user_ids: Collection[int]) -> list[int]:
    """The blocked user of a row; after *Forget me*, those of `user_ids` whose digest it has."""
    if row["blocked_id"] != NOBODY:
        return [row["blocked_id"]]
    return [other for other in user_ids if _digest(row["user_id"], other) == row["digest"]]

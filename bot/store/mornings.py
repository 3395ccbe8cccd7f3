"""When those who want one direct message a day are written to."""

from __future__ import annotations

import dataclasses
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, false, func, select, true, update

from bot.store.rows import NO_SERVER, Morning, in_utc
from bot.store.schema import mornings
from bot.store.transactions import Transactions, put_row


class Mornings:
    """The next direct message of everybody who wants one a day; they are due in the process that has those."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._mine = true() if transactions.share.has(NO_SERVER) else false()

    async def earliest(self) -> datetime | None:
        """When the next one falls due."""
        async with self._transactions.reading() as connection:
            return in_utc(await connection.scalar(select(func.min(mornings.c.at)).where(self._mine)))

    async def ripe(self, now: datetime) -> list[int]:
        """The users for whom one has fallen due."""
        async with self._transactions.reading() as connection:
            return list(await connection.scalars(select(mornings.c.user_id).where(mornings.c.at <= now, self._mine)))

    async def of(self, user_id: int) -> Morning | None:
        """The next one of a user, if he wants any."""
        async with self._transactions.reading() as connection:
            row = (await connection.execute(select(mornings).where(mornings.c.user_id == user_id))).one_or_none()
        return _morning(row) if row else None

    async def put(self, morning: Morning) -> None:
        """Keep the next one of a user, in place of another one."""
        async with self._transactions.writing() as connection:
            await put_row(connection, mornings, dataclasses.asdict(morning))

    async def move(self, before: Morning, after: Morning) -> None:
        """The same, unless it was changed or given up in the meantime."""
        same = (mornings.c.user_id == before.user_id, mornings.c.at == before.at)
        async with self._transactions.writing() as connection:
            await connection.execute(update(mornings).where(*same).values(dataclasses.asdict(after)))

    async def drop(self, user_id: int) -> None:
        """A user wants none any more."""
        async with self._transactions.writing() as connection:
            await connection.execute(delete(mornings).where(mornings.c.user_id == user_id))


def _morning(row: Row[Any]) -> Morning:
    at, since = in_utc(row.at), in_utc(row.since)
    assert at is not None, "the column is never empty"
    assert since is not None, "the column is never empty"
    return Morning(row.user_id, at, since, row.number)

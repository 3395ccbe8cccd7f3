"""When those who want one direct message a day are written to."""

from __future__ import annotations

import dataclasses
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, false, func, select, true, update

from bot.store.connections import Connection
from bot.store.rows import NO_SERVER, Morning, in_utc
from bot.store.schema import mornings
from bot.store.transactions import Transactions, put_row, reading, writing


class Mornings:
    """The next direct message of everybody who wants one a day; they are due in the process that has those."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._mine = true() if transactions.share.has(NO_SERVER) else false()

    @reading
    async def earliest(self, connection: Connection) -> datetime | None:
        """When the next one falls due."""
        return in_utc(await connection.scalar(select(func.min(mornings.c.at)).where(self._mine)))

    @reading
    async def ripe(self, connection: Connection, now: datetime) -> list[int]:
        """The users for whom one has fallen due."""
        return list(await connection.scalars(select(mornings.c.user_id).where(mornings.c.at <= now, self._mine)))

    @reading
    async def of(self, connection: Connection, user_id: int) -> Morning | None:
        """The next one of a user, if he wants any."""
        row = (await connection.execute(select(mornings).where(mornings.c.user_id == user_id))).one_or_none()
        return _morning(row) if row else None

    @writing
    async def put(self, connection: Connection, morning: Morning) -> None:
        """Keep the next one of a user, in place of another one."""
        await put_row(connection, mornings, dataclasses.asdict(morning))

    @writing
    async def move(self, connection: Connection, before: Morning, after: Morning) -> None:
        """The same, unless it was changed or given up in the meantime."""
        same = (mornings.c.user_id == before.user_id, mornings.c.at == before.at)
        await connection.execute(update(mornings).where(*same).values(dataclasses.asdict(after)))

    @writing
    async def drop(self, connection: Connection, user_id: int) -> None:
        """A user wants none any more."""
        await connection.execute(delete(mornings).where(mornings.c.user_id == user_id))


def _morning(row: Row[Any]) -> Morning:
    at, since = in_utc(row.at), in_utc(row.since)
    assert at is not None, "the column is never empty"
    assert since is not None, "the column is never empty"
    return Morning(row.user_id, at, since, row.number)

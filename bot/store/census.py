"""How many matches there are, and how many wait for their boards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import and_, func, select

from bot.store.connections import Connection
from bot.store.rows import Status, in_utc
from bot.store.schema import entries, matches, posts
from bot.store.transactions import Transactions, reading


@dataclass(frozen=True, slots=True)
class Count:
    """Matches by how they stand; those whose newest board is not posted yet, and since when the oldest waits."""

    matches: Mapping[Status, int]
    waiting: int
    oldest: datetime | None


class Census:
    """Counts what is kept of the share of this process."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    @reading
    async def taken(self, connection: Connection) -> Count:
        """How things stand now."""
        made = and_(entries.c.match_id == posts.c.match_id, entries.c.n == posts.c.version - 1)
        waiting = select(func.count(posts.c.match_id.distinct()), func.min(entries.c.at))
        mine = self._transactions.mine(posts.c.match_id)
        waiting = waiting.select_from(posts.outerjoin(entries, made)).where(posts.c.status == "pending", mine)
        stands = select(matches.c.status, func.count()).where(self._transactions.mine(matches.c.id))
        by_status = await connection.execute(stands.group_by(matches.c.status))
        counted = {Status(status): number for status, number in by_status}
        number, oldest = (await connection.execute(waiting)).one()
        return Count({status: counted.get(status, 0) for status in Status}, number, in_utc(oldest))

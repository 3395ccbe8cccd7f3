"""The entries of matches: what is written here is the game."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import insert, select

from bot.store.connections import Connection
from bot.store.rows import Act, Damaged, in_utc
from bot.store.schema import entries
from bot.store.transactions import Transactions, reading
from engine.match import Entry
from engine.texts import Seat


class Log:
    """The logs of all matches."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    @reading
    async def entries(self, connection: Connection, match_id: int) -> list[Entry]:
        """The whole log of a match, in order.

        Raises:
            Damaged: an entry is missing.
        """
        query = (
            select(entries.c.n, entries.c.seat, entries.c.notation)
            .where(entries.c.match_id == match_id)
            .order_by(entries.c.n)
        )
        rows = (await connection.execute(query)).all()
        missing = next((n for n, row in enumerate(rows) if row.n != n), None)
        if missing is not None:
            raise Damaged(f"entry {missing} is missing")
        return [Entry(Seat(row.seat), row.notation) for row in rows]

    @reading
    async def written_at(self, connection: Connection, match_id: int, n: int) -> datetime | None:
        """When entry `n` of a match was written, if there is one and it is known."""
        query = select(entries.c.at).where(entries.c.match_id == match_id, entries.c.n == n)
        at: datetime | None = await connection.scalar(query)
        return at and at.replace(tzinfo=UTC)

    @reading
    async def last_act(self, connection: Connection, match_id: int) -> Act | None:
        """The last thing that somebody did in a match."""
        query = (
            select(entries.c.seat, entries.c.interaction_id, entries.c.notation)
            .where(entries.c.match_id == match_id, entries.c.interaction_id.is_not(None))
            .order_by(entries.c.n.desc())
            .limit(1)
        )
        row = (await connection.execute(query)).one_or_none()
        return Act(Seat(row.seat), row.interaction_id, row.notation) if row else None

    @reading
    async def time_of(self, connection: Connection, match_id: int, n: int) -> datetime | None:
        """When an entry was written, in UTC, if that is known."""
        query = select(entries.c.at).where(entries.c.match_id == match_id, entries.c.n == n)
        return in_utc(await connection.scalar(query))

    @reading
    async def knows(self, connection: Connection, interaction_id: int) -> bool:
        """Whether what an interaction brought was written."""
        query = select(entries.c.n).where(entries.c.interaction_id == interaction_id)
        return await connection.scalar(query) is not None


async def insert_entries(
    connection: Connection,
    match_id: int,
    first: int,
    new: Sequence[Entry],
    at: datetime,
    interaction_id: int | None = None,
) -> None:
    """Entries from number `first` on, made at a time; the first one came with an interaction, if any did."""
    rows = [
        {
            "match_id": match_id,
            "n": first + i,
            "seat": entry.seat,
            "notation": entry.notation,
            "at": at,
            "interaction_id": interaction_id if i == 0 else None,
        }
        for i, entry in enumerate(new)
    ]
    if rows:
        await connection.execute(_NEW, rows)


_NEW = insert(entries)

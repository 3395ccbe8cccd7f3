"""What happened around a match and is no move of it."""

from __future__ import annotations

import dataclasses

from sqlalchemy import insert, select

from bot.store.connections import Connection
from bot.store.rows import LONG_AGO, Note, NoteKind, in_utc
from bot.store.schema import notes
from bot.store.transactions import Transactions, reading, writing
from engine.texts import Seat


class Notes:
    """The notes of all matches; they only ever grow."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    @reading
    async def of(self, connection: Connection, match_id: int) -> tuple[Note, ...]:
        """The notes of a match, oldest first."""
        query = select(notes).where(notes.c.match_id == match_id).order_by(notes.c.id)
        rows = (await connection.execute(query)).all()
        return tuple(
            Note(
                NoteKind(row.kind),
                row.version,
                in_utc(row.at) or LONG_AGO,
                None if row.seat is None else Seat(row.seat),
                row.user_id,
                row.words,
            )
            for row in rows
        )

    @writing
    async def add(self, connection: Connection, match_id: int, note: Note) -> None:
        """Write down one more."""
        await insert_note(connection, match_id, note)


async def insert_note(connection: Connection, match_id: int, note: Note) -> None:
    """The same within a transaction."""
    await connection.execute(insert(notes).values(match_id=match_id, **dataclasses.asdict(note)))

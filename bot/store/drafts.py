"""Turns that are not confirmed yet, one a seat."""

from __future__ import annotations

from sqlalchemy import bindparam, delete, select

from bot.store.connections import Connection
from bot.store.rows import Draft
from bot.store.schema import drafts
from bot.store.transactions import Transactions, put_row, reading, writing
from engine.texts import Seat


class Drafts:
    """The drafts of all matches."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    @reading
    async def of(self, connection: Connection, match_id: int) -> dict[Seat, Draft]:
        """The drafts of a match by seat."""
        query = select(drafts.c.seat, drafts.c.version, drafts.c.notations).where(drafts.c.match_id == match_id)
        rows = (await connection.execute(query)).all()
        return {Seat(row.seat): Draft(row.version, tuple(row.notations)) for row in rows if _is_sound(row.notations)}

    @writing
    async def put(self, connection: Connection, match_id: int, seat: Seat, draft: Draft | None) -> None:
        """Keep a draft in place of the one before, or none."""
        if draft is None:
            await drop_draft(connection, match_id, seat)
        else:
            values = {"version": draft.version, "notations": list(draft.notations)}
            await put_row(connection, drafts, {"match_id": match_id, "seat": seat, **values})


async def drop_drafts(connection: Connection, match_id: int) -> None:
    """All of a match."""
    await connection.execute(delete(drafts).where(drafts.c.match_id == match_id))


async def drop_draft(connection: Connection, match_id: int, seat: Seat) -> None:
    """A draft that was confirmed, or given up."""
    await connection.execute(_OF_SEAT, {"of_match": match_id, "of_seat": seat})


def _is_sound(notations: object) -> bool:
    """Whether it is what was written; a draft is dropped rather than a game."""
    return isinstance(notations, list) and all(isinstance(notation, str) for notation in notations)


# made once: to put a statement together takes as long as to carry it out
_OF_SEAT = delete(drafts).where(drafts.c.match_id == bindparam("of_match"), drafts.c.seat == bindparam("of_seat"))

"""How questions outside their own turn are answered for seats, and the entries that came of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from sqlalchemy import delete, insert, select

from bot.store.connections import Connection
from bot.store.going import note_goes_on
from bot.store.notes import insert_note
from bot.store.rows import Note, Way
from bot.store.schema import answered, standing
from bot.store.transactions import Transactions, put_row, reading, writing
from engine.texts import Seat


class Standing:
    """The standing answers of all matches."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    @reading
    async def of(self, connection: Connection, match_id: int) -> dict[Seat, dict[str, Way]]:
        """The standing answers of a match: by seat, and by what the game calls the question."""
        query = select(standing.c.seat, standing.c.aside, standing.c.way).where(standing.c.match_id == match_id)
        found: dict[Seat, dict[str, Way]] = defaultdict(dict)
        for seat, aside, way in await connection.execute(query):
            found[Seat(seat)][aside] = Way(way)
        return dict(found)

    @writing
    async def put(
        self, connection: Connection, match_id: int, seat: Seat, aside: str, way: Way | None, note: Note | None
    ) -> None:
        """Keep a standing answer in place of the one before, or none; and a note of it, if it is worth one."""
        values = {"match_id": match_id, "seat": seat, "aside": aside}
        if way is not None:
            await put_row(connection, standing, {**values, "way": way})
        else:
            gone = (standing.c[name] == key for name, key in values.items())
            await connection.execute(delete(standing).where(*gone))
        if note is not None:
            await insert_note(connection, match_id, note)
        await note_goes_on(connection, match_id)

    @reading
    async def answered(self, connection: Connection, match_id: int) -> dict[int, bool]:
        """The entries of a match that standing answers have brought, by number: whether at once, for all to see."""
        query = select(answered.c.n, answered.c.at_once).where(answered.c.match_id == match_id)
        return {row.n: row.at_once for row in await connection.execute(query)}


async def insert_answered(connection: Connection, match_id: int, entries: Mapping[int, bool]) -> None:
    """Note which entries standing answers have brought."""
    rows = [{"match_id": match_id, "n": n, "at_once": at_once} for n, at_once in entries.items()]
    if rows:
        await connection.execute(insert(answered), rows)


async def drop_standing(connection: Connection, match_id: int, seat: Seat) -> None:
    """The standing answers of somebody who does not play a seat any more."""
    await connection.execute(delete(standing).where(standing.c.match_id == match_id, standing.c.seat == seat))

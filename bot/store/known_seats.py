"""Who knows the secrets of which seats of a running match, without saying who it is: so it can outlast *Forget me*."""

from __future__ import annotations

import hmac

from sqlalchemy import delete, select

from bot.store.connections import Connection
from bot.store.schema import known_seats, matches
from bot.store.transactions import Transactions, put_row, reading
from engine.texts import Seat


class KnownSeats:
    """The seats of running matches whose secrets somebody was shown."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    @reading
    async def of(self, connection: Connection, match_id: int, knower: str) -> frozenset[Seat]:
        """The seats of a match that somebody knows; `knower` is from `knower_of`."""
        query = select(known_seats.c.seat).where(known_seats.c.match_id == match_id, known_seats.c.knower == knower)
        return frozenset(map(Seat, await connection.scalars(query)))


def knower_of(seed: str, user_id: int) -> str:
    """A user as the knower of a seat: the same in one match, another one in the next. The seed is the salt."""
    return hmac.digest(seed.encode(), f"knows a seat: {user_id}".encode(), "sha256").hex()


async def put_known_seat(connection: Connection, match_id: int, seat: Seat, knower: str) -> None:
    """Note that somebody knows a seat."""
    await put_row(connection, known_seats, {"match_id": match_id, "seat": seat, "knower": knower})


async def drop_known_seats(connection: Connection, match_id: int) -> None:
    """The match is over, and so is the advantage."""
    await connection.execute(delete(known_seats).where(known_seats.c.match_id == match_id))


async def seats_known_by(connection: Connection, user_id: int) -> list[dict[str, int]]:
    """All seats that a user knows, by match."""
    query = select(known_seats, matches.c.seed).join(matches)
    rows = (await connection.execute(query)).all()
    known = [row for row in rows if row.knower == knower_of(row.seed, user_id)]
    return [{"match_id": row.match_id, "seat": row.seat} for row in known]

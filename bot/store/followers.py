"""Who follows a match without playing in it."""

from __future__ import annotations

from sqlalchemy import delete, select

from bot.store.connections import Connection
from bot.store.schema import followers
from bot.store.transactions import Transactions, put_row, reading, writing


class Followers:
    """The followers of all matches."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    @reading
    async def of(self, connection: Connection, match_id: int) -> frozenset[int]:
        """The users who follow a match."""
        query = select(followers.c.user_id).where(followers.c.match_id == match_id)
        return frozenset(await connection.scalars(query))

    @writing
    async def put(self, connection: Connection, match_id: int, user_id: int, *, follows: bool) -> None:
        """Note that a user follows a match, or that he does not."""
        if follows:
            await put_row(connection, followers, {"match_id": match_id, "user_id": user_id})
        else:
            await drop_follower(connection, match_id, user_id)


async def drop_follower(connection: Connection, match_id: int, user_id: int | None) -> None:
    """Somebody who does not follow a match any more, or plays in it now."""
    await connection.execute(delete(followers).where(followers.c.match_id == match_id, followers.c.user_id == user_id))

"""Boards that wait to be posted, and the newest one of each match that was."""

from __future__ import annotations

from typing import Any

from sqlalchemy import bindparam, delete, func, insert, select, update

from bot.store.clocks import put_clock
from bot.store.connections import Connection
from bot.store.rows import Calls, Post, Status
from bot.store.schema import matches, posts
from bot.store.timers import note_calls
from bot.store.transactions import Transactions, reading, writing


class Posts:
    """The boards of all matches. What is to be done is said of those in the share of this process."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._mine = transactions.mine(posts.c.match_id)

    @reading
    async def waiting(self, connection: Connection) -> list[int]:
        """The ids of the matches with a board that was not posted yet, the one that has waited longest first."""
        query = select(posts.c.match_id).where(posts.c.status == "pending", self._mine).group_by(posts.c.match_id)
        return list(await connection.scalars(query.order_by(func.min(posts.c.id))))

    @reading
    async def pending(self, connection: Connection, match_id: int) -> Post | None:
        """The newest board that waits to be posted; older ones are superseded by it."""
        query = _POST.where(posts.c.match_id == match_id, posts.c.status == "pending")
        row = (await connection.execute(query.order_by(posts.c.id.desc()).limit(1))).one_or_none()
        return Post(*row) if row else None

    @reading
    async def newest(self, connection: Connection, match_id: int) -> Post | None:
        """The newest board that was posted, unless it was retired."""
        query = _POST.where(posts.c.match_id == match_id, posts.c.status == "sent")
        row = (await connection.execute(query.order_by(posts.c.id.desc()).limit(1))).one_or_none()
        return Post(*row) if row else None

    @reading
    async def outlived(self, connection: Connection) -> list[int]:
        """The ids of the matches that were called off, and whose newest board still has its controls."""
        query = select(posts.c.match_id).join(matches).where(posts.c.status == "sent", self._mine)
        return list(await connection.scalars(query.where(matches.c.status == Status.ENDED).distinct()))

    @writing
    async def retired(self, connection: Connection, post_id: int) -> None:
        """Note that a board has lost its controls, or can lose them no more."""
        await connection.execute(update(posts).where(posts.c.id == post_id).values(status="retired"))

    @writing
    async def posted(
        self,
        connection: Connection,
        match_id: int,
        post_id: int,
        message_id: int,
        version: int,
        body: dict[str, Any],
        *,
        calls: Calls | None = None,
    ) -> None:
        """Note that a board went out as a message. The older ones are forgotten, whether they were posted or wait.

        Those whom it calls have a timer from now on, and nobody else at this table.
        """
        sent = {"status": "sent", "message_id": message_id, "version": version, "body": body}
        await connection.execute(_SENT, {"of_post": post_id, **sent})
        await connection.execute(_OLDER, {"of_match": match_id, "before": post_id})
        if calls is not None:
            await note_calls(connection, match_id, calls)
            for clock in calls.clocks:
                await put_clock(connection, clock)

    @writing
    async def drop(self, connection: Connection, match_id: int) -> None:
        """Give up the waiting boards of a match."""
        waiting = (posts.c.match_id == match_id, posts.c.status == "pending")
        await connection.execute(update(posts).where(*waiting).values(status="dropped"))


async def insert_post(connection: Connection, match_id: int, version: int) -> int:
    """A board that waits to be posted. Returns its id."""
    made = await connection.execute(_NEW, {"match_id": match_id, "version": version, "status": "pending"})
    assert made.inserted_primary_key is not None, "a single row was inserted"
    return int(made.inserted_primary_key[0])


_POST = select(posts.c.id, posts.c.version, posts.c.message_id, posts.c.body)

# made once: to put a statement together takes as long as to carry it out
_NEW = insert(posts)
_SENT = update(posts).where(posts.c.id == bindparam("of_post"))
_OLDER = delete(posts).where(posts.c.match_id == bindparam("of_match"), posts.c.id < bindparam("before"))

"""Every query of the bot. SQL stands nowhere else."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Row, String, Update, delete, func, insert, select, type_coerce, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store.rows import Act, Chair, Damaged, Known, MatchRow, Post, Status, Taken
from bot.store.schema import entries, matches, posts, seats, settings
from engine.core import OptionValue
from engine.match import Entry
from engine.texts import Seat


class Store:
    """The database behind the tables of all channels. Every method is one transaction."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    # --- matches and chairs ---

    async def create(
        self, *, guild_id: int, channel_id: int, host_id: int, game: str, rules_version: int, seed: str
    ) -> int:
        """A new lobby with the host in its first seat. Returns the id of the match.

        Raises:
            Taken: the channel has an open match.
        """
        async with self._transaction() as connection:
            match_id = await connection.scalar(
                insert(matches)
                .values(
                    guild_id=guild_id,
                    channel_id=channel_id,
                    occupies=channel_id,
                    host_id=host_id,
                    game=game,
                    rules_version=rules_version,
                    options={},
                    seed=seed,
                    status=Status.LOBBY,
                )
                .returning(matches.c.id)
            )
            assert match_id is not None, "the insert returns the id it made"
            await connection.execute(insert(seats).values(match_id=match_id, seat=0, user_id=host_id))
        return int(match_id)

    async def match(self, match_id: int) -> MatchRow | None:
        """A match by its id, also one whose row is damaged."""
        async with self._engine.connect() as connection:
            row = (await connection.execute(_ROW.where(matches.c.id == match_id))).one_or_none()
            return await self._with_chairs(connection, row) if row else None

    async def open_match_id(self, channel_id: int) -> int | None:
        """The lobby or running match of a channel."""
        async with self._engine.connect() as connection:
            return await connection.scalar(select(matches.c.id).where(matches.c.occupies == channel_id))

    async def last_match_id(self, channel_id: int) -> int | None:
        """The newest match of a channel that has begun and is not played any more."""
        begun = matches.c.status.in_((Status.OVER, Status.ENDED))
        query = select(func.max(matches.c.id)).where(matches.c.channel_id == channel_id, begun)
        async with self._engine.connect() as connection:
            found: int | None = await connection.scalar(query)
            return found

    async def running_with_computers(self) -> list[int]:
        """The ids of the running matches in which a computer plays."""
        query = (
            select(matches.c.id).join(seats).where(matches.c.status == Status.RUNNING, seats.c.computer.is_not(None))
        )
        async with self._engine.connect() as connection:
            return list(await connection.scalars(query.distinct()))

    async def set_chairs(self, match_id: int, chairs: Sequence[Chair]) -> None:
        """Replace who sits where."""
        async with self._transaction() as connection:
            await connection.execute(delete(seats).where(seats.c.match_id == match_id))
            if chairs:
                rows = [
                    {"match_id": match_id, "seat": n, "user_id": chair.user_id, "computer": chair.computer}
                    for n, chair in enumerate(chairs)
                ]
                await connection.execute(insert(seats), rows)

    async def change(self, match_id: int, **values: Any) -> None:
        """Set columns of a match: `options`, `status`, `host_id` or `lobby_message_id`."""
        async with self._transaction() as connection:
            await connection.execute(_change(match_id, values))

    # --- the log ---

    async def log(self, match_id: int) -> list[Entry]:
        """The whole log of a match, in order.

        Raises:
            Damaged: an entry is missing.
        """
        query = (
            select(entries.c.n, entries.c.seat, entries.c.notation)
            .where(entries.c.match_id == match_id)
            .order_by(entries.c.n)
        )
        async with self._engine.connect() as connection:
            rows = (await connection.execute(query)).all()
        missing = next((n for n, row in enumerate(rows) if row.n != n), None)
        if missing is not None:
            raise Damaged(f"entry {missing} is missing")
        return [Entry(Seat(row.seat), row.notation) for row in rows]

    async def last_act(self, match_id: int) -> Act | None:
        """The last thing that somebody did in a match."""
        query = (
            select(entries.c.seat, entries.c.interaction_id, entries.c.notation)
            .where(entries.c.match_id == match_id, entries.c.interaction_id.is_not(None))
            .order_by(entries.c.n.desc())
            .limit(1)
        )
        async with self._engine.connect() as connection:
            row = (await connection.execute(query)).one_or_none()
            return Act(*row) if row else None

    async def begin(
        self, match_id: int, new: Sequence[Entry], *, rules_version: int, status: Status, post_ply: int
    ) -> int:
        """Let a match begin: its first entries, if any, under which rules it is played, and its first board.

        Returns the id of the board that now waits.
        """
        values = {"status": status, "rules_version": rules_version}
        async with self._transaction() as connection:
            await connection.execute(_change(match_id, values))
            await _insert_entries(connection, match_id, 0, new)
            return await _insert_post(connection, match_id, post_ply)

    async def append(
        self,
        match_id: int,
        first: int,
        new: Sequence[Entry],
        *,
        status: Status = Status.RUNNING,
        post_ply: int | None = None,
        interaction_id: int | None = None,
    ) -> int | None:
        """Write entries from number `first` on, the status, and a board to post at `post_ply`: all or nothing.

        Returns the id of the board that now waits, if one was asked for.

        Raises:
            Known: the interaction was written before.
            Taken: another process wrote these entries.
        """
        try:
            async with self._transaction() as connection:
                await _insert_entries(connection, match_id, first, new, interaction_id)
                if status is not Status.RUNNING:
                    await connection.execute(_change(match_id, {"status": status}))
                return None if post_ply is None else await _insert_post(connection, match_id, post_ply)
        except Taken:
            if interaction_id is not None and await self._knows(interaction_id):
                raise Known from None
            raise

    async def _knows(self, interaction_id: int) -> bool:
        query = select(entries.c.n).where(entries.c.interaction_id == interaction_id)
        async with self._engine.connect() as connection:
            return await connection.scalar(query) is not None

    # --- posts ---

    async def waiting(self) -> list[int]:
        """The ids of the matches with a board that was not posted yet."""
        async with self._engine.connect() as connection:
            found = await connection.scalars(select(posts.c.match_id).where(posts.c.status == "pending").distinct())
            return list(found)

    async def pending_post(self, match_id: int) -> Post | None:
        """The newest board that waits to be posted; older ones are superseded by it."""
        query = (
            select(posts.c.id, posts.c.ply, posts.c.message_id, posts.c.body)
            .where(posts.c.match_id == match_id, posts.c.status == "pending")
            .order_by(posts.c.id.desc())
            .limit(1)
        )
        async with self._engine.connect() as connection:
            row = (await connection.execute(query)).one_or_none()
            return Post(*row) if row else None

    async def showing(self, match_id: int) -> list[Post]:
        """The boards that were posted and still have their controls, oldest first; the last one is the newest board."""
        query = (
            select(posts.c.id, posts.c.ply, posts.c.message_id, posts.c.body)
            .where(posts.c.match_id == match_id, posts.c.status == "sent")
            .order_by(posts.c.id)
        )
        async with self._engine.connect() as connection:
            return [Post(*row) for row in await connection.execute(query)]

    async def untidy(self) -> list[int]:
        """The ids of the matches with more than one board that still has its controls."""
        query = select(posts.c.match_id).where(posts.c.status == "sent").group_by(posts.c.match_id)
        async with self._engine.connect() as connection:
            return list(await connection.scalars(query.having(func.count() > 1)))

    async def retired(self, post_ids: Collection[int]) -> None:
        """Note that boards have lost their controls, or can lose them no more."""
        async with self._transaction() as connection:
            await connection.execute(update(posts).where(posts.c.id.in_(post_ids)).values(status="retired"))

    async def posted(
        self,
        match_id: int,
        post_id: int,
        message_id: int,
        ply: int,
        body: dict[str, Any],
        *,
        retired: Collection[int] = (),
    ) -> None:
        """Note that a board went out as a message; older waiting ones are dropped, and others noted as retired."""
        async with self._transaction() as connection:
            if retired:
                await connection.execute(update(posts).where(posts.c.id.in_(retired)).values(status="retired"))
            await connection.execute(
                update(posts)
                .where(posts.c.id == post_id)
                .values(status="sent", message_id=message_id, ply=ply, body=body)
            )
            older = (posts.c.match_id == match_id, posts.c.id < post_id, posts.c.status == "pending")
            await connection.execute(update(posts).where(*older).values(status="dropped"))

    async def drop_posts(self, match_id: int) -> None:
        """Give up the waiting boards of a match whose channel cannot be reached any more."""
        async with self._transaction() as connection:
            waiting = (posts.c.match_id == match_id, posts.c.status == "pending")
            await connection.execute(update(posts).where(*waiting).values(status="dropped"))

    # --- settings ---

    async def setting(self, scope: str, scope_id: int, name: str) -> Any:
        """A stored value, or `None`."""
        key = (settings.c.scope == scope, settings.c.scope_id == scope_id, settings.c.name == name)
        async with self._engine.connect() as connection:
            return await connection.scalar(select(settings.c.value).where(*key))

    async def set_setting(self, scope: str, scope_id: int, name: str, value: Any) -> None:
        """Store a JSON value."""
        key = (settings.c.scope == scope, settings.c.scope_id == scope_id, settings.c.name == name)
        async with self._transaction() as connection:
            await connection.execute(delete(settings).where(*key))
            await connection.execute(insert(settings).values(scope=scope, scope_id=scope_id, name=name, value=value))

    # --- inside ---

    def _transaction(self) -> _Transaction:
        return _Transaction(self._engine)

    async def _with_chairs(self, connection: AsyncConnection, row: Row[*tuple[Any, ...]]) -> MatchRow:
        query = select(seats.c.user_id, seats.c.computer).where(seats.c.match_id == row.id).order_by(seats.c.seat)
        chairs = tuple(Chair(user_id, computer) for user_id, computer in await connection.execute(query))
        values: dict[str, Any] = dict(row._mapping)
        try:
            values["status"] = Status(row.status)
            values["options"] = _options(row.options)
        except ValueError as error:  # whatever has happened to it, somebody must be able to close it
            values |= {"options": {}, "damage": str(error)}
            values["status"] = Status.RUNNING if row.occupies else Status.ENDED
        del values["occupies"]
        return MatchRow(**values, chairs=chairs)


_ROW = select(
    *(column for column in matches.c if column.name != "options"),
    type_coerce(matches.c.options, String).label("options"),  # read by us, so that a damaged one can be told
)


def _options(text: str) -> dict[str, OptionValue]:
    """The stored options. Raises `ValueError`."""
    options = json.loads(text)
    if not isinstance(options, dict):
        raise ValueError("the options are no options")
    return options


async def _insert_entries(
    connection: AsyncConnection, match_id: int, first: int, new: Sequence[Entry], interaction_id: int | None = None
) -> None:
    rows = [
        {
            "match_id": match_id,
            "n": first + i,
            "seat": entry.seat,
            "notation": entry.notation,
            "interaction_id": interaction_id if i == 0 else None,
        }
        for i, entry in enumerate(new)
    ]
    if rows:
        await connection.execute(insert(entries), rows)


async def _insert_post(connection: AsyncConnection, match_id: int, ply: int) -> int:
    post = insert(posts).values(match_id=match_id, ply=ply, status="pending").returning(posts.c.id)
    post_id = await connection.scalar(post)
    assert post_id is not None, "the insert returns the id it made"
    return int(post_id)


def _change(match_id: int, values: dict[str, Any]) -> Update:
    """A match that is over or called off leaves its channel free."""
    if values.get("status") in (Status.OVER, Status.ENDED, Status.CLOSED):
        values = {**values, "occupies": None}
    return update(matches).where(matches.c.id == match_id).values(**values)


class _Transaction:
    """`engine.begin()` that turns a violated key into `Taken`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._context = engine.begin()

    async def __aenter__(self) -> AsyncConnection:
        return await self._context.__aenter__()

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        await self._context.__aexit__(kind, error, trace)
        if isinstance(error, IntegrityError):
            raise Taken from error

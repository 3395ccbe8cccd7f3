"""The open tables of a server as their newest boards show them, without their logs."""

from __future__ import annotations

from datetime import datetime

from bot.store.codec import json_at, time_at_or_none
from bot.store.database import Repository
from bot.store.matches import Admission, Status
from engine.texts import Seat
from engine.values import Value

MAX_TABLES = 100
"""Tables of a server in the result."""


class OpenTable(Value):
    """A lobby or a running match: its message, which is the newest board or else the lobby, and its seats.

    `users` are the users by seat, `None` for computers. `due` are the seats that the board calls; `has_moved`: some of
    them have decided since.
    """

    id: int
    channel_id: int
    parent_id: int | None
    own_thread: bool
    game: str
    status: Status
    admits: Admission
    starts_at: datetime | None
    message_id: int | None
    users: tuple[int | None, ...]
    due: tuple[Seat, ...]
    has_moved: bool


class OpenTables(Repository):
    """The open tables of servers."""

    async def of_server(self, guild_id: int) -> list[OpenTable]:
        """The oldest open tables of a server, oldest first."""
        sql = """
            SELECT matches.id, channel_id, parent_id, own_thread, game, status, admits, starts_at, lobby_message_id,
                boards.message_id AS board_id, boards.body AS board, boards.version AS version,
                (SELECT max(n) FROM entries WHERE match_id = matches.id) AS last
            FROM matches LEFT JOIN boards ON boards.match_id = matches.id
            WHERE guild_id = ? AND occupies IS NOT NULL ORDER BY matches.id
        """
        # without LIMIT, for which PostgreSQL would read all matches in the order of their ids
        rows, users = await self._database.fetch(sql, guild_id), await self._users(guild_id)
        return [
            OpenTable(
                row["id"],
                row["channel_id"],
                row["parent_id"],
                bool(row["own_thread"]),
                row["game"],
                Status(row["status"]),
                Admission(row["admits"]),
                time_at_or_none(row["starts_at"]),
                row["board_id"] or row["lobby_message_id"],
                tuple(users.get(row["id"], ())),
                tuple(map(Seat, json_at(row["board"])["due"])) if row["board"] else (),
                # entries are counted from 0
                row["board"] is not None and row["last"] is not None and row["last"] >= row["version"],
            )
            for row in rows[:MAX_TABLES]
        ]

    async def _users(self, guild_id: int) -> dict[int, list[int | None]]:
        sql = """
            SELECT match_id, user_id FROM seat_history JOIN matches ON matches.id = seat_history.match_id
            WHERE guild_id = ? AND occupies IS NOT NULL AND until IS NULL ORDER BY match_id, seat
        """
        users: dict[int, list[int | None]] = {}
        for row in await self._database.fetch(sql, guild_id):
            users.setdefault(row["match_id"], []).append(row["user_id"])
        return users

"""Requests to join a table at which the host lets people in."""

from __future__ import annotations

from dataclasses import dataclass

from bot.store.database import Repository, assignments


@dataclass(frozen=True, slots=True)
class JoinRequest:
    """A user who asks for a seat by an interaction, the message that asks the host, and whether they have declined."""

    user_id: int
    name: str
    interaction_id: int
    message_id: int | None = None
    declined: bool = False


class JoinRequests(Repository):
    """The requests at all lobbies; they are gone as soon as a table no longer waits for players."""

    async def find(self, match_id: int, user_id: int) -> JoinRequest | None:
        """The request of a user at a table."""
        sql = "SELECT * FROM join_requests WHERE match_id = ? AND user_id = ?"
        row = await self._database.fetch_one(sql, match_id, user_id)
        if row is None:
            return None
        return JoinRequest(user_id, row["name"], row["interaction_id"], row["message_id"], bool(row["declined"]))

    async def add(self, match_id: int, request: JoinRequest) -> None:
        """Note that a user asks for a seat. Raises `Conflict` if they have asked before."""
        sql = "INSERT INTO join_requests (match_id, user_id, name, interaction_id) VALUES (?, ?, ?, ?)"
        await self._database.execute(sql, match_id, request.user_id, request.name, request.interaction_id)

    async def note(self, match_id: int, user_id: int, **values: int) -> None:
        """Set the `message_id` of a request, or that it was `declined`."""
        sql = f"UPDATE join_requests SET {assignments(values)} WHERE match_id = ? AND user_id = ?"
        await self._database.execute(sql, *values.values(), match_id, user_id)

    async def drop(self, match_id: int, user_id: int) -> None:
        """Delete the request of a user at a table."""
        sql = "DELETE FROM join_requests WHERE match_id = ? AND user_id = ?"
        await self._database.execute(sql, match_id, user_id)

    async def drop_all(self, match_id: int) -> None:
        """Delete all requests at a table."""
        await self._database.execute("DELETE FROM join_requests WHERE match_id = ?", match_id)

"""Who knows the secrets of which seats of a running match, without saying who it is: so it can outlast *Forget me*."""

from __future__ import annotations

import hmac
from collections.abc import Collection

from bot.store.database import Repository
from engine.texts import Seat


class KnownSeats(Repository):
    """The seats of running matches whose secrets somebody was shown."""

    async def of(self, match_id: int, knower: str) -> frozenset[Seat]:
        """The seats of a match that somebody knows; `knower` is from `knower_of`."""
        sql = "SELECT seat FROM known_seats WHERE match_id = ? AND knower = ?"
        return frozenset(map(Seat, await self._database.fetch_column(sql, match_id, knower)))

    async def add(self, match_id: int, seat: Seat, knowers: Collection[str]) -> None:
        """Note that these know a seat."""
        sql = "INSERT INTO known_seats (match_id, seat, knower) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        await self._database.execute_many(sql, [(match_id, seat, knower) for knower in knowers])

    async def drop(self, match_id: int) -> None:
        """The match is over, and so is the advantage."""
        await self._database.execute("DELETE FROM known_seats WHERE match_id = ?", match_id)

    async def known_by(self, user_id: int) -> list[dict[str, int]]:
        """All seats that a user knows, by match."""
        sql = """
            SELECT match_id, seat, knower, seed FROM known_seats JOIN matches ON matches.id = known_seats.match_id
        """
        # every row has to be tried: each match has its own salt
        known = [row for row in await self._database.fetch(sql) if row["knower"] == knower_of(row["seed"], user_id)]
        return [{"match_id": row["match_id"], "seat": row["seat"]} for row in known]


def knower_of(seed: str, user_id: int) -> str:
    """A user as the knower of a seat: the same in one match, another one in the next. The seed is the salt."""
    return hmac.digest(seed.encode(), f"knows a seat: {user_id}".encode(), "sha256").hex()

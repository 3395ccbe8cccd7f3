"""Known seats: pseudonyms of users with knowledge of a seat's secrets, so that it outlasts *Forget me*."""

from __future__ import annotations

import hmac
from collections.abc import Sequence

from bot.store.database import Repository, placeholders

MATCHES_PER_READ = 200
"""Matches whose known seats are read with one statement."""


class KnownSeats(Repository):
    """The seats of running matches by users that have seen their secrets; those of one match are in its facts."""

    async def seats_known_by(self, user_id: int) -> list[dict[str, int]]:
        """All seats that a user knows. Read in batches: each match has its own salt, so every match is tried."""
        matches = "SELECT DISTINCT match_id FROM known_seats WHERE match_id > ? ORDER BY match_id LIMIT ?"
        seats: list[dict[str, int]] = []
        last = 0
        while batch := await self._database.fetch_column(matches, last, MATCHES_PER_READ):
            last = batch[-1]
            seats += await self._known_in(batch, user_id)
        return seats

    async def _known_in(self, matches: Sequence[int], user_id: int) -> list[dict[str, int]]:
        """The seats of these matches that a user knows."""
        among = placeholders(matches)
        seeds = await self._database.fetch(f"SELECT id, seed FROM matches WHERE id IN ({among})", *matches)
        knowers = {row["id"]: knower_of(row["seed"], user_id) for row in seeds}
        sql = f"SELECT match_id, seat, knower FROM known_seats WHERE match_id IN ({among}) ORDER BY match_id, seat"
        rows = await self._database.fetch(sql, *matches)
        mine = [row for row in rows if row["knower"] == knowers[row["match_id"]]]
        return [{"match_id": row["match_id"], "seat": row["seat"]} for row in mine]


def knower_of(seed: str, user_id: int) -> str:
    """The pseudonym of a user within a match, with its seed as the salt: other matches give unrelated ones."""
    return hmac.digest(seed.encode(), f"knows a seat: {user_id}".encode(), "sha256").hex()

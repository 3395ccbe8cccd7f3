"""Who knows the secrets of which seats of a running match, without saying who it is: so it can outlast *Forget me*."""

from __future__ import annotations

import hmac
from collections.abc import Sequence

from bot.store.database import Repository, placeholders

AT_ONCE = 200
"""Matches whose known seats are read together."""


class KnownSeats(Repository):
    """The seats of running matches whose secrets somebody was shown; those of one match are in its facts."""

    async def known_by(self, user_id: int) -> list[dict[str, int]]:
        """All seats that a user knows, by match. Read in pieces: each match has its own salt, so every one is tried."""
        matches = "SELECT DISTINCT match_id FROM known_seats WHERE match_id > ? ORDER BY match_id LIMIT ?"
        seats: list[dict[str, int]] = []
        last = 0
        while piece := await self._database.fetch_column(matches, last, AT_ONCE):
            last = piece[-1]
            seats += await self._known_in(piece, user_id)
        return seats

    async def _known_in(self, matches: Sequence[int], user_id: int) -> list[dict[str, int]]:
        """Those of some matches."""
        among = placeholders(matches)
        seeds = await self._database.fetch(f"SELECT id, seed FROM matches WHERE id IN ({among})", *matches)
        knowers = {row["id"]: knower_of(row["seed"], user_id) for row in seeds}
        sql = f"SELECT match_id, seat, knower FROM known_seats WHERE match_id IN ({among}) ORDER BY match_id, seat"
        rows = await self._database.fetch(sql, *matches)
        mine = [row for row in rows if row["knower"] == knowers[row["match_id"]]]
        return [{"match_id": row["match_id"], "seat": row["seat"]} for row in mine]


def knower_of(seed: str, user_id: int) -> str:
    """A user as the knower of a seat: the same in one match, another one in the next. The seed is the salt."""
    return hmac.digest(seed.encode(), f"knows a seat: {user_id}".encode(), "sha256").hex()

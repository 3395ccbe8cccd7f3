"""Turns that are not confirmed yet, one a seat."""

from __future__ import annotations

from dataclasses import dataclass

from bot.store.codec import json_at, json_of
from bot.store.database import Repository
from engine.texts import Seat


@dataclass(frozen=True, slots=True)
class Draft:
    """A turn that is not confirmed: what was chosen, in order, for a decision that has been open since `version`."""

    version: int
    notations: tuple[str, ...]


class Drafts(Repository):
    """The drafts of all matches."""

    async def of(self, match_id: int) -> dict[Seat, Draft]:
        """The drafts of a match by seat; a damaged one is dropped rather than a game."""
        rows = await self._database.fetch("SELECT seat, version, notations FROM drafts WHERE match_id = ?", match_id)
        drafts = {}
        for row in rows:
            try:
                notations = json_at(row["notations"])
            except ValueError:
                continue
            if notations and isinstance(notations, list) and all(isinstance(one, str) for one in notations):
                drafts[Seat(row["seat"])] = Draft(row["version"], tuple(notations))
        return drafts

    async def put(self, match_id: int, seat: Seat, draft: Draft | None) -> None:
        """Keep a draft in place of the one before, or none."""
        if draft is None:
            await self.drop(match_id, seat)
            return
        sql = """
            INSERT INTO drafts (match_id, seat, version, notations) VALUES (?, ?, ?, ?)
            ON CONFLICT (match_id, seat) DO UPDATE SET version = excluded.version, notations = excluded.notations
        """
        await self._database.execute(sql, match_id, seat, draft.version, json_of(draft.notations))

    async def drop(self, match_id: int, seat: Seat) -> None:
        """A draft that was confirmed, or given up."""
        await self._database.execute("DELETE FROM drafts WHERE match_id = ? AND seat = ?", match_id, seat)

    async def drop_all(self, match_id: int) -> None:
        """Those of all seats of a match."""
        await self._database.execute("DELETE FROM drafts WHERE match_id = ?", match_id)

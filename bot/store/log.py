"""The entries of matches: what is written here is the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.store.codec import time_at_or_none, time_of
from bot.store.database import Conflict, Repository
from engine.match import Entry
from engine.texts import Seat


@dataclass(frozen=True, slots=True)
class Act:
    """Something that somebody did: from which seat, the interaction that brought it, and its notation."""

    seat: Seat
    interaction_id: int
    notation: str


class Duplicate(Conflict):
    """The interaction was written before."""


class Damaged(Exception):
    """A stored log that is not what was written."""


class Log(Repository):
    """The logs of all matches."""

    async def append(
        self, match_id: int, first: int, new: Sequence[Entry], at: datetime, interaction_id: int | None = None
    ) -> None:
        """Entries from number `first` on, made at a time; the first one came with an interaction, if any did."""
        sql = "INSERT INTO entries (match_id, n, seat, notation, at, interaction_id) VALUES (?, ?, ?, ?, ?, ?)"
        rows = [
            # only the first one: the column is unique, so that a repeated interaction is refused
            (match_id, first + i, entry.seat, entry.notation, time_of(at), interaction_id if i == 0 else None)
            for i, entry in enumerate(new)
        ]
        await self._database.execute_many(sql, rows)

    async def entries(self, match_id: int) -> list[Entry]:
        """The whole log of a match, in order.

        Raises:
            Damaged: an entry is missing.
        """
        sql = "SELECT n, seat, notation FROM entries WHERE match_id = ? ORDER BY n"
        rows = await self._database.fetch(sql, match_id)
        # without an entry, the rest would replay as another game
        missing = next((n for n, row in enumerate(rows) if row["n"] != n), None)
        if missing is not None:
            raise Damaged(f"entry {missing} is missing")
        return [Entry(Seat(row["seat"]), row["notation"]) for row in rows]

    async def note_stood_in(self, match_id: int, entries: Iterable[int]) -> None:
        """Write which entries a computer played in the place of the person whose seat it is."""
        rows = [(match_id, n) for n in entries]
        await self._database.execute_many("INSERT INTO stood_in (match_id, n) VALUES (?, ?)", rows)

    async def stood_in(self, match_id: int) -> list[int]:
        """The entries of a match that a computer played in the place of a person."""
        return await self._database.fetch_column("SELECT n FROM stood_in WHERE match_id = ?", match_id)

    async def written_at(self, match_id: int, n: int) -> datetime | None:
        """When entry `n` of a match was written, in UTC, if there is one."""
        sql = "SELECT at FROM entries WHERE match_id = ? AND n = ?"
        return time_at_or_none(await self._database.fetch_value(sql, match_id, n))

    async def last_act(self, match_id: int) -> Act | None:
        """The last thing that somebody did in a match."""
        sql = """
            SELECT seat, interaction_id, notation FROM entries
            WHERE match_id = ? AND interaction_id IS NOT NULL ORDER BY n DESC LIMIT 1
        """
        row = await self._database.fetch_one(sql, match_id)
        return Act(Seat(row["seat"]), row["interaction_id"], row["notation"]) if row else None

    async def knows(self, interaction_id: int) -> bool:
        """Whether what an interaction brought was written."""
        sql = "SELECT n FROM entries WHERE interaction_id = ?"
        return await self._database.fetch_one(sql, interaction_id) is not None

"""The logs of matches. A match is its log: everything else is computed from it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from datetime import datetime

from bot.store.codec import time_at, time_at_or_none, time_of
from bot.store.database import Conflict, Repository, placeholders
from engine.match import Entry, Match
from engine.texts import Seat
from engine.values import Value


class Act(Value):
    """A player's action: its seat, its interaction, and its notation."""

    seat: Seat
    interaction_id: int
    notation: str


class NewEntries(Value):
    """Entries of a match from number `first` on, written together, with their interaction if there is one.

    `answered` are the entries of auto-answers, each with whether it came at once, visibly to all. Computers played the
    entries in `stood_in` as stand-ins.
    """

    first: int
    entries: Sequence[Entry]
    at: datetime
    interaction_id: int | None = None
    answered: Mapping[int, bool] = field(default_factory=dict)
    stood_in: Collection[int] = ()

    @classmethod
    def of(cls, match: Match, first: int, at: datetime, interaction_id: int | None = None) -> NewEntries:
        """The entries of a match from a number on."""
        answered = {n: at_once for n, at_once in match.answered.items() if n >= first}
        stood_in = [n for n in match.stood_in if n >= first]
        return cls(first, match.entries[first:], at, interaction_id, answered, stood_in)


class Duplicate(Conflict):
    """The interaction was written before."""


class Damaged(Exception):
    """A stored log that lacks entries."""


class Log(Repository):
    """The logs of all matches."""

    async def append(self, match_id: int, new: NewEntries) -> None:
        """Write entries. Raises `Conflict` if one of their numbers, or their interaction, was written before."""
        rows = [
            # only the first one: the column is unique, so that the database refuses a repeated interaction
            (match_id, n, entry.seat, entry.notation, time_of(new.at), new.interaction_id if n == new.first else None)
            for n, entry in enumerate(new.entries, new.first)
        ]
        sql = "INSERT INTO entries (match_id, n, seat, notation, at, interaction_id) VALUES (?, ?, ?, ?, ?, ?)"
        await self._database.execute_many(sql, rows)
        answered = [(match_id, n, int(at_once)) for n, at_once in new.answered.items()]
        await self._database.execute_many("INSERT INTO answered (match_id, n, at_once) VALUES (?, ?, ?)", answered)
        stood_in = [(match_id, n) for n in new.stood_in]
        await self._database.execute_many("INSERT INTO stood_in (match_id, n) VALUES (?, ?)", stood_in)

    async def length(self, match_id: int) -> int:
        """The number of entries of a match."""
        # from the number of the last one, which is in the key: `count` would read all of them
        sql = "SELECT n FROM entries WHERE match_id = ? ORDER BY n DESC LIMIT 1"
        last = await self._database.fetch_value(sql, match_id)
        return 0 if last is None else int(last) + 1

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

    async def auto_answered(self, match_id: int) -> dict[int, bool]:
        """The entries of a match that auto-answers have brought, by number: whether at once, for all to see."""
        rows = await self._database.fetch("SELECT n, at_once FROM answered WHERE match_id = ?", match_id)
        return {row["n"]: bool(row["at_once"]) for row in rows}

    async def stand_in_entries(self, match_id: int) -> list[int]:
        """The numbers of the entries of a match that computers played as stand-ins."""
        return await self._database.fetch_column("SELECT n FROM stood_in WHERE match_id = ?", match_id)

    async def written_at(self, match_id: int, n: int) -> datetime | None:
        """When entry `n` of a match was written, in UTC; `None` without such an entry."""
        sql = "SELECT at FROM entries WHERE match_id = ? AND n = ?"
        return time_at_or_none(await self._database.fetch_value(sql, match_id, n))

    async def times(self, match_id: int, numbers: Collection[int]) -> dict[int, datetime]:
        """When some entries of a match were written, in UTC, by number."""
        sql = f"SELECT n, at FROM entries WHERE match_id = ? AND n IN ({placeholders([*numbers])})"
        rows = await self._database.fetch(sql, match_id, *numbers) if numbers else []
        return {row["n"]: time_at(row["at"]) for row in rows}

    async def last_act(self, match_id: int) -> Act | None:
        """The last action of a player in a match."""
        sql = """
            SELECT seat, interaction_id, notation FROM entries
            WHERE match_id = ? AND interaction_id IS NOT NULL ORDER BY n DESC LIMIT 1
        """
        row = await self._database.fetch_one(sql, match_id)
        return Act(Seat(row["seat"]), row["interaction_id"], row["notation"]) if row else None

    async def has_interaction(self, interaction_id: int) -> bool:
        """Whether an interaction has written an entry."""
        sql = "SELECT n FROM entries WHERE interaction_id = ?"
        return await self._database.fetch_one(sql, interaction_id) is not None

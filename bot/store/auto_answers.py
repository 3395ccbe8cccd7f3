"""How questions outside their own turn are answered for seats, and the entries that came of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from enum import StrEnum

from bot.store.database import Repository
from engine.texts import Seat


class AutoAnswer(StrEnum):
    """How a question outside one's own turn is answered once and for all, where its seat does not want to be asked."""

    COMPUTER = "computer"
    DECLINE = "decline"
    FIRST = "first"


class AutoAnswers(Repository):
    """The auto-answers of all matches."""

    async def of(self, match_id: int) -> dict[Seat, dict[str, AutoAnswer]]:
        """The auto-answers of a match: by seat, and by what the game calls the question."""
        found: dict[Seat, dict[str, AutoAnswer]] = defaultdict(dict)
        for row in await self._database.fetch("SELECT seat, aside, way FROM auto_answers WHERE match_id = ?", match_id):
            found[Seat(row["seat"])][row["aside"]] = AutoAnswer(row["way"])
        # a plain one: to look something up in a `defaultdict` adds it
        return dict(found)

    async def put(self, match_id: int, seat: Seat, aside: str, way: AutoAnswer | None) -> None:
        """Keep an auto-answer in place of the one before, or none."""
        if way is None:
            sql = "DELETE FROM auto_answers WHERE match_id = ? AND seat = ? AND aside = ?"
            await self._database.execute(sql, match_id, seat, aside)
            return
        sql = """
            INSERT INTO auto_answers (match_id, seat, aside, way) VALUES (?, ?, ?, ?)
            ON CONFLICT (match_id, seat, aside) DO UPDATE SET way = excluded.way
        """
        await self._database.execute(sql, match_id, seat, aside, way)

    async def drop(self, match_id: int, seat: Seat) -> None:
        """The auto-answers of somebody who does not play a seat any more."""
        await self._database.execute("DELETE FROM auto_answers WHERE match_id = ? AND seat = ?", match_id, seat)

    async def answered(self, match_id: int) -> dict[int, bool]:
        """The entries of a match that auto-answers have brought, by number: whether at once, for all to see."""
        rows = await self._database.fetch("SELECT n, at_once FROM answered WHERE match_id = ?", match_id)
        return {row["n"]: bool(row["at_once"]) for row in rows}

    async def note_answered(self, match_id: int, entries: Mapping[int, bool]) -> None:
        """Note which entries auto-answers have brought."""
        rows = [(match_id, n, at_once) for n, at_once in entries.items()]
        await self._database.execute_many("INSERT INTO answered (match_id, n, at_once) VALUES (?, ?, ?)", rows)

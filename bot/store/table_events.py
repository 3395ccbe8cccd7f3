"""What happened around a match and is no move of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.store.codec import time_at, time_of
from bot.store.database import Repository
from engine.texts import Seat


class TableEventKind(StrEnum):
    """What happened around a match; `bot.posting.board_texts` puts each into words."""

    CLOSED = "closed"
    ANSWERED = "answered"
    ASKED = "asked"
    UNSTUCK = "unstuck"
    REPLACED = "replaced"
    PACED = "paced"
    LATE = "late"
    WAITED = "waited"
    STOOD_IN = "stood in"
    HELD = "held"
    INVITED = "invited"
    RETURNED = "returned"


FOR_ONESELF = frozenset({TableEventKind.ANSWERED, TableEventKind.ASKED})
"""Until the match is over, only the user who did it may read these."""

WORDS = 200
"""Most characters of what somebody says in an event."""


@dataclass(frozen=True, slots=True)
class TableEvent:
    """Something that happened when the log had `version` entries, at a time in UTC.

    `seat` is whom it is about, `user_id` who did it or was late, `words` what they said of it: text of a stranger.
    """

    kind: TableEventKind
    version: int
    at: datetime
    seat: Seat | None = None
    user_id: int | None = None
    words: str = ""


class TableEvents(Repository):
    """The events of all matches; they only ever grow."""

    async def of(self, match_id: int) -> tuple[TableEvent, ...]:
        """The events of a match, oldest first."""
        rows = await self._database.fetch("SELECT * FROM table_events WHERE match_id = ? ORDER BY id", match_id)
        return tuple(
            TableEvent(
                TableEventKind(row["kind"]),
                row["version"],
                time_at(row["at"]),
                None if row["seat"] is None else Seat(row["seat"]),
                row["user_id"],
                row["words"],
            )
            for row in rows
        )

    async def add(self, match_id: int, *events: TableEvent) -> None:
        """Write some more down."""
        sql = """
            INSERT INTO table_events (match_id, version, at, kind, seat, user_id, words) VALUES (?, ?, ?, ?, ?, ?, ?)
        """
        rows = [
            (match_id, event.version, time_of(event.at), event.kind, event.seat, event.user_id, event.words)
            for event in events
        ]
        await self._database.execute_many(sql, rows)

"""What happened around a match and is no move of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.store.codec import time_at, time_of
from bot.store.database import Repository
from engine.texts import Seat


class TableEventKind(StrEnum):
    """What happened around a match; `bot.posting.board_texts` puts each into words.

    `HELD`: the others voted that a computer keeps the seat; `LAPSED`: a firm pace did it. `CONCEDED`: a player gave the
    game up and stayed. `CAST`: another computer plays a seat, `words` is its id.
    """

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
    LAPSED = "lapsed"
    INVITED = "invited"
    RETURNED = "returned"
    CONCEDED = "conceded"
    CAST = "cast"


FOR_ONESELF = frozenset({TableEventKind.ANSWERED, TableEventKind.ASKED})
"""Until the match is over, only the user who did it may read these."""

WORDS = 200
"""Most characters of what somebody says in an event."""


@dataclass(frozen=True, slots=True)
class TableEvent:
    """Something that happened when the log had `version` entries, at a time in UTC.

    `seat` is whom it is about, `user_id` who did it or was late, `words` what they said of it: text of a stranger.
    `behind`: the seat's chance to win was less than an equal one, as far as everyone could know.
    """

    kind: TableEventKind
    version: int
    at: datetime
    seat: Seat | None = None
    user_id: int | None = None
    words: str = ""
    behind: bool = False


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
                bool(row["behind"]),
            )
            for row in rows
        )

    async def add(self, match_id: int, *events: TableEvent) -> None:
        """Write some more down."""
        sql = """
            INSERT INTO table_events (match_id, version, at, kind, seat, user_id, words, behind)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """
        rows = [
            (match_id, one.version, time_of(one.at), one.kind, one.seat, one.user_id, one.words, int(one.behind))
            for one in events
        ]
        await self._database.execute_many(sql, rows)

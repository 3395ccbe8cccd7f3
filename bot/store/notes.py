"""What happened around a match and is no move of it."""

from __future__ import annotations

from bot.store.codec import time_at, time_of
from bot.store.database import Database, Row
from bot.store.rows import Note, NoteKind
from engine.texts import Seat


class Notes:
    """The notes of all matches; they only ever grow."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, match_id: int) -> tuple[Note, ...]:
        """The notes of a match, oldest first."""
        rows = await self._database.fetch("SELECT * FROM notes WHERE match_id = ? ORDER BY id", match_id)
        return tuple(map(_note, rows))

    async def add(self, match_id: int, *notes: Note) -> None:
        """Write some more down."""
        sql = "INSERT INTO notes (match_id, version, at, kind, seat, user_id, words) VALUES (?, ?, ?, ?, ?, ?, ?)"
        rows = [
            (match_id, note.version, time_of(note.at), note.kind, note.seat, note.user_id, note.words) for note in notes
        ]
        await self._database.execute_many(sql, rows)


def _note(row: Row) -> Note:
    seat = None if row["seat"] is None else Seat(row["seat"])
    return Note(NoteKind(row["kind"]), row["version"], time_at(row["at"]), seat, row["user_id"], row["words"])

"""Reading the facts of a match, and writing the difference between two values of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from bot.store.boards import PendingBoard
from bot.store.codec import time_at
from bot.store.columns import columns_of
from bot.store.database import Database, Repository, assignments, placeholders
from bot.store.facts import Facts
from bot.store.jobs import Job, JobKind, Jobs
from bot.store.matches import UNLIMITED, Matches, MatchRow, OpenLimits, SeatHolder, Status
from bot.store.ratings import Ratings
from bot.store.rows import MATCH, Key, Part, Rows, Values
from bot.store.settings import Settings
from bot.store.table_events import TableEvent
from engine.texts import Seat

OPEN = (Status.LOBBY, Status.RUNNING)


class Sitting(SeatHolder):
    """A holder of a seat up to entry `until` of the log; `None` for the current holder."""

    until: int | None = None


SEATS = Part(Rows("seat_history", ("seat", "since")), Mapping[Seat, Mapping[int, Sitting]])
"""The holders of the seats, by seat and first entry."""


@cache
def parts() -> dict[str, Part]:
    """The fields of `Facts` with their own tables, by name."""
    hints = get_type_hints(Facts, include_extras=True)
    return {name: Part(rows, kind) for name, kind in hints.items() if (rows := _rows_in(kind)) is not None}


def _rows_in(kind: Any) -> Rows | None:
    marks = get_args(kind)[1:] if get_origin(kind) is Annotated else ()
    return next((mark for mark in marks if isinstance(mark, Rows)), None)


def needs_version(before: Facts, after: Facts) -> bool:
    """Whether a change depends on the version of the match: only changes of rows with their own version do not."""
    names = [field.name for field in dataclasses.fields(Facts)]
    changed = [name for name in names if getattr(before, name) is not getattr(after, name)]
    return not all(name in parts() and parts()[name].rows.versioned for name in changed)


class FactStore(Repository):
    """The facts of all matches."""

    def __init__(self, database: Database, jobs: Jobs, matches: Matches, settings: Settings, ratings: Ratings) -> None:
        super().__init__(database)
        self._jobs, self._matches, self._settings, self._ratings = jobs, matches, settings, ratings

    async def find(self, match_id: int) -> Facts | None:
        """The facts of a match, or `None`. Unreadable parts are empty, and named in `damage`."""
        # one transaction, so that no write comes between these queries
        async with self._database.transaction():
            row = await self._matches.find(match_id)
            return None if row is None else await self._around(row)

    async def _around(self, row: MatchRow) -> Facts:
        values: dict[str, Any] = {"hints": bool(await self._settings.get("match", row.id, "hints"))}
        damage = [row.damage]
        for name, part in {**parts(), "events": None}.items():
            try:
                values[name] = await (self._part(part, row.id) if part else self._events(row.id))
            except (TypeError, ValueError):
                damage.append(f"{name} cannot be read")
        facts = Facts(row, **values)
        try:
            for job in await self._jobs.about_table(row.id):
                facts = _with_job(facts, job)
        except ValueError:
            damage.append("a job cannot be read")
        return dataclasses.replace(facts, damage="; ".join(filter(None, damage)))

    async def _part(self, part: Part, match_id: int) -> Any:
        return part.read(await self._database.fetch(f"SELECT * FROM {part.rows.table} WHERE {MATCH} = ?", match_id))

    async def _events(self, match_id: int) -> tuple[TableEvent, ...]:
        rows = await self._database.fetch("SELECT * FROM table_events WHERE match_id = ? ORDER BY id", match_id)
        columns = columns_of(TableEvent)
        return tuple(TableEvent(**{name: column.decode(row[name]) for name, column in columns.items()}) for row in rows)

    async def insert(self, row: MatchRow, most: OpenLimits = UNLIMITED) -> Facts:
        """Insert the row of a new match without its seats. Returns its facts, with the new id.

        Raises:
            LimitReached: the server or the host (`HostLimitReached`) has reached its limit of open matches.
            Conflict: the channel has an open match.
        """
        values = {name: value for name, value in _columns(row).items() if name != "id"}
        return Facts(dataclasses.replace(row, id=await self._matches.insert(values, most), holders=()))

    async def write(self, before: Facts, after: Facts) -> Facts:
        """Write the difference between two values. Returns `after` without its job changes, which are written.

        The caller's transaction must have checked that `before` is stored.
        """
        async with self._database.transaction():
            if before.row is not after.row:
                await self._write_row(before.row, after.row)
            for name, part in parts().items():
                if (old := getattr(before, name)) is not (new := getattr(after, name)):
                    await self._write_rows(after.id, part, part.rows_of(old), part.rows_of(new))
            if before.hints is not after.hints:
                await self._settings.put("match", after.id, "hints", after.hints)
            if after.results is not None and before.results is not after.results:
                await self._ratings.note(after.id, after.results)
            await self._jobs.apply(after.id, after.jobs)
            await self._write_events(after.id, after.events[len(before.events) :])
        return dataclasses.replace(after, jobs=())

    async def _write_row(self, before: MatchRow, after: MatchRow) -> None:
        old, new = _columns(before), _columns(after)
        if changed := {name: value for name, value in new.items() if value != old[name]}:
            sql = f"UPDATE matches SET {assignments(changed)} WHERE id = ?"
            await self._database.execute(sql, *changed.values(), after.id)
        await self._write_rows(after.id, SEATS, _sittings(before), _sittings(after))

    async def _write_rows(
        self, match_id: int, part: Part, old: Mapping[Key, Values], new: Mapping[Key, Values]
    ) -> None:
        deleted = [(match_id, *key) for key in old.keys() - new.keys()]
        if deleted and not new:
            await self._database.execute(f"DELETE FROM {part.rows.table} WHERE {MATCH} = ?", match_id)
        else:
            await self._database.execute_many(_delete_sql(part), deleted)
        changed = [(match_id, *key, *values) for key, values in new.items() if old.get(key) != values]
        await self._database.execute_many(_put_sql(part), changed)

    async def _write_events(self, match_id: int, events: Iterable[TableEvent]) -> None:
        columns = columns_of(TableEvent)
        sql = f"INSERT INTO table_events ({MATCH}, {', '.join(columns)}) VALUES ({placeholders((MATCH, *columns))})"
        rows = [
            (match_id, *(column.encode(getattr(event, name)) for name, column in columns.items())) for event in events
        ]
        await self._database.execute_many(sql, rows)


def _columns(row: MatchRow) -> dict[str, Any]:
    """The columns of a match. An open match occupies its channel, so that the channel has no other."""
    columns = {name: column.encode(getattr(row, name)) for name, column in columns_of(MatchRow).items()}
    return columns | {"occupies": row.channel_id if row.status in OPEN else None}


def _sittings(row: MatchRow) -> dict[Key, Values]:
    sittings: dict[Seat, dict[int, Sitting]] = {}
    former = ((past.seat, past.holder, past.until) for past in row.past_holders)
    current = ((Seat(n), holder, None) for n, holder in enumerate(row.holders))
    for seat, holder, until in (*former, *current):
        of_seat = sittings.setdefault(seat, {})
        since = max((past.until or 0 for past in of_seat.values()), default=0)
        of_seat[since] = Sitting(**_fields(holder), until=until)
    return SEATS.rows_of(sittings)


def _fields(holder: SeatHolder) -> dict[str, Any]:
    return {name: getattr(holder, name) for name in columns_of(SeatHolder)}


@cache
def _put_sql(part: Part) -> str:
    keys, values = (MATCH, *part.keys), tuple(part.values)
    put = f"UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in values)}" if values else "NOTHING"
    return f"""
        INSERT INTO {part.rows.table} ({", ".join((*keys, *values))}) VALUES ({placeholders((*keys, *values))})
        ON CONFLICT ({", ".join(keys)}) DO {put}
    """


@cache
def _delete_sql(part: Part) -> str:
    keys = " AND ".join(f"{name} = ?" for name in (MATCH, *part.keys))
    return f"DELETE FROM {part.rows.table} WHERE {keys}"


def _with_job(facts: Facts, job: Job) -> Facts:
    """The facts of a match, with the field that one of its jobs represents."""
    match job.kind:
        case JobKind.BOARD if "mark" in job.state:
            pending = PendingBoard(job.state["mark"], job.state.get("superseded"))
            return dataclasses.replace(facts, pending=pending)
        case JobKind.COMPUTER:
            return dataclasses.replace(facts, goes_on=True)
        case JobKind.LOBBY_EXPIRY if "since" in job.state:
            return dataclasses.replace(facts, touched=time_at(job.state["since"]))
        case JobKind.CLOCK if (clock := facts.clocks.get(Seat(job.seat))) is not None:
            clocks = {**facts.clocks, clock.seat: dataclasses.replace(clock, at=job.due_at)}
            return dataclasses.replace(facts, clocks=clocks)
    return facts

"""Correction of stored times after the system clock was set back: times written while it was ahead move back, too.

A stored time is a record of an event, or a plan. A record in the future was written while the clock was ahead; it moves
back by the step, together with the plans in its row. A plan also moves back alone if it is further ahead than its reach
allows. Plans that the bot checks again before it acts always move: for them, too early is harmless.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import field
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

from bot.store.codec import json_at, json_of, time_at, time_of
from bot.store.database import Database, Repository, Row, assignments
from bot.store.jobs import JobKind
from bot.store.migrate import table_keys
from bot.store.schema import match_tables
from bot.store.settings import USER, Settings
from engine.values import Value

TOLERANCE = timedelta(seconds=5)
"""The bot ignores smaller steps. Other tasks may also write a time while the stored times are being corrected."""

CHECKED = timedelta()
"""The reach of a plan that the bot checks again before it acts."""

WITH_RECORDS = timedelta.max
"""The reach of a plan that moves with the records of its row only."""


class Step(Value):
    """The system clock went back by `size`, and shows `now`, in UTC."""

    now: datetime
    size: timedelta

    def corrected_times(
        self, records: Mapping[str, datetime], plans: Mapping[str, tuple[datetime, timedelta]]
    ) -> dict[str, datetime]:
        """The changed times of a row, by column; `plans` has the time and the reach of each plan."""
        changed = {name: min(at - self.size, self.now) for name, at in records.items() if self._is_ahead(at)}
        is_written_ahead = bool(changed)
        for name, (at, reach) in plans.items():
            if self._is_ahead(at) and (is_written_ahead or at - self.now > reach):
                changed[name] = max(at - self.size, self.now)
        return changed

    def _is_ahead(self, at: datetime) -> bool:
        return at - self.now > TOLERANCE


class Times(Value):
    """The columns of a table that hold times: records of events, and plans with their reach.

    `share` is SQL for the rows of this process; `{mine}` stands for the condition on `guild_id`.
    """

    records: tuple[str, ...] = ()
    plans: Mapping[str, timedelta] = field(default_factory=dict)
    share: str = "match_id IN (SELECT id FROM matches WHERE {mine})"

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns with times."""
        return (*self.records, *self.plans)


OF_MATCHES = {
    table.name: Times(table.records, dict.fromkeys(table.plans, WITH_RECORDS))
    for table in match_tables().values()
    # plans move with the records of their row only: a start time, which a person has typed, stays as it is
    if table.records
}

TIMES: Mapping[str, Times] = MappingProxyType(
    {
        "entries": Times(("at",)),
        **OF_MATCHES,
        "blocks": Times(("at",), {}, "TRUE"),
        # the longest bar with an end
        "bars": Times(("at",), {"until": timedelta(days=91)}, "{mine}"),
        # a reminder can be put off until the next evening or morning
        "reminded": Times(("at", "begun_at"), {"until": timedelta(days=2)}, "TRUE"),
        # sign-up lasts a week at most
        "leagues": Times(("begun_at",), {"closes_at": timedelta(days=8)}, "{mine}"),
    }
)
"""The tables with times. `jobs` and `settings` have rules of their own, below."""

JOB_TIME = "due_at"

STATE_RECORDS = ("since", "reminded", "warned", "over", "looked", "missing", "changed")
"""The times in the state of a job; all of them are records."""

JOB_REACH: Mapping[JobKind, timedelta] = MappingProxyType(
    {
        **dict.fromkeys(JobKind, CHECKED),
        # an answer waits for the end of quiet hours, the summary for the morning after up to two weeks
        # away and two weeks of days off
        JobKind.ANSWER: timedelta(days=1),
        JobKind.DIGEST: timedelta(days=31),
        # run early, the second check would close a match that the first one found missing a moment ago
        JobKind.CHANNEL_CHECK: timedelta(days=1),
    }
)
"""The longest time until a job of each kind is due."""

PREFERENCES, AWAY, AWAY_REACH = "preferences", "away", timedelta(days=15)
"""The setting, the field in it with the end of a user's absence, and its reach: two weeks at most."""


class ClockSteps(Repository):
    """Corrects all stored times of this process after its clock was set back."""

    def __init__(self, database: Database, settings: Settings) -> None:
        super().__init__(database)
        self._settings = settings
        self._guild_is_mine = database.shard_range.condition("guild_id")

    async def correct(self, step: Step) -> set[int]:
        """Move back all times written while the clock was ahead. Returns the ids of the matches with changed times."""
        async with self._database.transaction():
            changed = await self._jobs(step)
            for table, times in TIMES.items():
                changed |= await self._columns(table, times, step)
            await self._preferences(step)
        return changed

    async def _columns(self, table: str, times: Times, step: Step) -> set[int]:
        ahead = " OR ".join(f"{name} > ?" for name in times.columns)
        sql = f"SELECT * FROM {table} WHERE ({ahead}) AND {times.share.format(mine=self._guild_is_mine)}"
        rows = await self._database.fetch(sql, *[time_of(step.now)] * len(times.columns))
        return await self._write(table, times.columns, [(row, _move_times(row, times, step)) for row in rows])

    async def _jobs(self, step: Step) -> set[int]:
        """Read all jobs, since SQL for JSON differs between SQLite and PostgreSQL."""
        rows = await self._database.fetch(f"SELECT * FROM jobs WHERE {self._guild_is_mine}")
        return await self._write("jobs", (JOB_TIME, "state"), [(row, _moved_job(row, step)) for row in rows])

    async def _write(
        self, table: str, columns: Collection[str], rows: Collection[tuple[Row, Mapping[str, str]]]
    ) -> set[int]:
        keys = table_keys()[table].split(", ")
        changed_rows = [(row, moved) for row, moved in rows if moved]
        sql = f"UPDATE {table} SET {assignments(columns)} WHERE {' AND '.join(f'{key} = ?' for key in keys)}"
        values = [
            (*(moved.get(name, row[name]) for name in columns), *(row[key] for key in keys))
            for row, moved in changed_rows
        ]
        await self._database.execute_many(sql, values)
        return {row["match_id"] for row, _ in changed_rows} if "match_id" in keys else set()

    async def _preferences(self, step: Step) -> None:
        sql = "SELECT scope_id, value FROM settings WHERE scope = ? AND name = ?"
        for user_id, stored in await self._database.fetch(sql, USER, PREFERENCES):
            value = _object(stored)
            away = _time_of_text(value.get(AWAY))
            if away and (moved := step.corrected_times({}, {AWAY: (away, AWAY_REACH)})):
                await self._settings.put(USER, user_id, PREFERENCES, value | {AWAY: moved[AWAY].isoformat()})


def _move_times(row: Row, times: Times, step: Step) -> dict[str, str]:
    by_name = {name: at for name in times.columns if (at := _time_of_text(row[name]))}
    records = {name: by_name[name] for name in times.records if name in by_name}
    plans = {name: (by_name[name], reach) for name, reach in times.plans.items() if name in by_name}
    return {name: time_of(at) for name, at in step.corrected_times(records, plans).items()}


def _moved_job(row: Row, step: Step) -> dict[str, str]:
    due_at, state = _time_of_text(row[JOB_TIME]), _object(row["state"])
    records = {name: at for name in STATE_RECORDS if (at := _time_of_text(state.get(name)))}
    plans = {JOB_TIME: (due_at, JOB_REACH.get(row["kind"], CHECKED))} if due_at else {}
    changed = step.corrected_times(records, plans)
    in_state = {name: time_of(at) for name, at in changed.items() if name in records}
    columns = {JOB_TIME: time_of(changed[JOB_TIME])} if JOB_TIME in changed else {}
    return columns | ({"state": json_of(state | in_state)} if in_state else {})


# A damaged row must not stop the correction of all others. The code that reads it will report it.


def _time_of_text(stored: object) -> datetime | None:
    """A stored time, if it is one."""
    with suppress(ValueError):
        return time_at(stored) if isinstance(stored, str) else None
    return None


def _object(stored: str) -> dict[str, Any]:
    """The object in stored JSON; an empty one in place of anything else."""
    with suppress(ValueError):
        value = json_at(stored)
        return value if isinstance(value, dict) else {}
    return {}

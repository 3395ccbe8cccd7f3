"""Copying all that is kept to another database, of whatever kind."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BindParameter,
    Column,
    ColumnElement,
    Row,
    String,
    Table,
    bindparam,
    cast,
    exists,
    func,
    insert,
    select,
)
from sqlalchemy.exc import DBAPIError

from bot.errors import StartError
from bot.store.connections import Connection, Engine
from bot.store.database import opened
from bot.store.rows import in_utc
from bot.store.schema import metadata, settings

AT_ONCE = 1000
"""Rows that are written together."""


async def copy(source: str, target: str) -> dict[str, int]:
    """Copy everything from one address to another, all of it or nothing. Returns how many rows by table.

    The bot must run on neither; what was copied from stays as it is, but brought up to date.

    Raises:
        StartError: one of them cannot be used, or there is something in the second one already.
    """
    async with opened(source) as old, opened(target) as new:
        try:
            return await _copied(old, new)
        except DBAPIError as error:
            raise StartError(f"Nothing was copied: {' '.join(str(error.orig).split())}") from None


async def _copied(old: Engine, new: Engine) -> dict[str, int]:
    async with old.connect() as reading, new.begin() as writing:
        await _require_empty(writing)
        return {table.name: await _copy_table(reading, writing, table) for table in metadata.sorted_tables}


async def _require_empty(connection: Connection) -> None:
    """Nothing but the marks of having been opened, which are made anew."""
    await connection.execute(settings.delete().where(settings.c.scope.in_(("bot", "shard"))))
    for table in metadata.sorted_tables:
        if await connection.scalar(select(exists().select_from(table))):
            raise StartError(
                f"There are {table.name} in the second database already, and it is left alone. Name an empty one."
            )


async def _copy_table(reading: Connection, writing: Connection, table: Table) -> int:
    number, new = 0, insert(table).values({column.name: _bound(column) for column in table.c})
    async with reading.stream(select(*map(_as_stored, table.c))) as rows:
        async for some in rows.partitions(AT_ONCE):
            await writing.execute(new, [_values(table, row) for row in some])
            number += len(some)
    if number and table.autoincrement_column is not None and writing.dialect.name == "postgresql":
        await _go_on_counting(writing, table)
    return number


def _as_stored(column: Column[Any]) -> ColumnElement[Any]:
    """JSON as text, which may be damaged."""
    return cast(column, String).label(column.name) if isinstance(column.type, JSON) else column


def _bound(column: Column[Any]) -> BindParameter[Any]:
    kind = JSON(none_as_null=bool(column.nullable)) if isinstance(column.type, JSON) else column.type
    return bindparam(column.name, type_=kind)


def _values(table: Table, row: Row[Any]) -> dict[str, Any]:
    return {column.name: _value(column, row._mapping[column.name]) for column in table.c}


def _value(column: Column[Any], stored: Any) -> Any:
    """A value in the form in which any database takes it."""
    if isinstance(stored, datetime):
        return in_utc(stored)
    if isinstance(column.type, JSON) and stored is not None:
        try:
            return json.loads(stored)
        except ValueError:  # damaged; as a text it is still no value that is understood
            return stored
    return stored


async def _go_on_counting(connection: Connection, table: Table) -> None:
    """Let the next row have an id above all those that came with one."""
    sequence = func.pg_get_serial_sequence(table.name, "id")
    await connection.execute(select(func.setval(sequence, select(func.max(table.c.id)).scalar_subquery())))

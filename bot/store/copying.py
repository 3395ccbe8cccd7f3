"""Copying all stored data to another database, of either kind."""

from __future__ import annotations

from bot.errors import StartError
from bot.store.database import Conflict, Database, StatementFailed, placeholders
from bot.store.failures import DatabaseUnavailable
from bot.store.migrate import table_keys
from bot.store.opening import open_database

ROWS_PER_BATCH = 1000
"""Rows per statement."""


async def copy(source: str, target: str) -> dict[str, int]:
    """Copy all data from one address to another in one transaction. Returns the number of rows by table.

    No bot may run on either database. The source only gets missing migrations.

    Raises:
        StartError: one of them cannot be used, or the target has data already.
    """
    async with open_database(source) as old, open_database(target) as new:
        try:
            async with new.transaction():
                await _require_empty(new)
                return {table: await _copy_table(old, new, table) for table in table_keys()}
        except (Conflict, StatementFailed, DatabaseUnavailable) as error:
            raise StartError(f"Nothing was copied: {' '.join(str(error).split())}") from None


async def _require_empty(database: Database) -> None:
    """Raise `StartError` unless the database has no rows but the marks of having been opened, which this deletes."""
    await database.execute("DELETE FROM settings WHERE scope IN ('bot', 'shard')")
    for table in table_keys():
        if await database.fetch(f"SELECT 1 FROM {table} LIMIT 1"):
            raise StartError(
                f"There are {table} in the second database already, and it is left alone. Name an empty one."
            )


async def _copy_table(old: Database, new: Database, table: str) -> int:
    # ordered by the key: without an order, pages could repeat some rows and skip others
    number, page = 0, f"SELECT * FROM {table} ORDER BY {table_keys()[table]} LIMIT {ROWS_PER_BATCH} OFFSET ?"
    while rows := [dict(row) for row in await old.fetch(page, number)]:
        sql = f"INSERT INTO {table} ({', '.join(rows[0])}) VALUES ({placeholders(rows[0])})"
        await new.execute_many(sql, [tuple(row.values()) for row in rows])
        number += len(rows)
    # explicit ids do not advance PostgreSQL's counter: the next match would get an id that is taken
    if table_keys()[table] == "id":
        await new.advance_ids(table)
    return number

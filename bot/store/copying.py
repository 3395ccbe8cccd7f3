"""Copying all stored data to another database, of either kind."""

from __future__ import annotations

from bot.errors import StartError
from bot.store.database import Conflict, Database, StatementFailed, placeholders
from bot.store.opening import opened
from bot.store.trouble import DatabaseTrouble

AT_ONCE = 1000
"""Rows that are written together."""

KEYS = {
    "matches": "id",
    "seat_history": "match_id, seat, since",
    "entries": "match_id, n",
    "results": "match_id, seat",
    "forfeits": "match_id, number",
    "drafts": "match_id, seat",
    "undo_requests": "match_id",
    "jobs": "kind, match_id, user_id, seat",
    "reminded": "user_id",
    "followers": "match_id, user_id",
    "offers": "match_id, seat",
    "known_seats": "match_id, seat, knower",
    "invitations": "match_id, user_id",
    "join_requests": "match_id, user_id",
    "blocks": "user_id, digest",
    "bars": "guild_id, digest",
    "table_events": "id",
    "auto_answers": "match_id, seat, aside",
    "answered": "match_id, n",
    "stood_in": "match_id, n",
    "clocks": "match_id, seat",
    "boards": "match_id",
    "settings": "scope, scope_id, name",
    "rating_state": "single",
    "ratings": "guild_id, user_id, game",
    "rating_history": "guild_id, user_id, game, ended",
    "meetings": "guild_id, user_id, other_id, game",
    "records": "guild_id, game, kind",
    "leagues": "id",
    "league_players": "league_id, user_id",
    "league_traces": "league_id, digest",
    "league_tables": "league_id, round, number",
    "league_seats": "league_id, round, number, seat",
}
"""All tables, those that others refer to first, with their keys."""


async def copy(source: str, target: str) -> dict[str, int]:
    """Copy everything from one address to another, all of it or nothing. Returns how many rows by table.

    The bot must run on neither; what was copied from stays as it is, but brought up to date.

    Raises:
        StartError: one of them cannot be used, or there is something in the second one already.
    """
    async with opened(source) as old, opened(target) as new:
        try:
            async with new.transaction():
                await _require_empty(new)
                return {table: await _copy_table(old, new, table) for table in KEYS}
        except (Conflict, StatementFailed, DatabaseTrouble) as error:
            raise StartError(f"Nothing was copied: {' '.join(str(error).split())}") from None


async def _require_empty(database: Database) -> None:
    """Nothing but the marks of having been opened, which are made anew."""
    await database.execute("DELETE FROM settings WHERE scope IN ('bot', 'shard')")
    for table in KEYS:
        if await database.fetch(f"SELECT 1 FROM {table} LIMIT 1"):
            raise StartError(
                f"There are {table} in the second database already, and it is left alone. Name an empty one."
            )


async def _copy_table(old: Database, new: Database, table: str) -> int:
    # by the key: without an order, pages could repeat rows and leave others out
    number, page = 0, f"SELECT * FROM {table} ORDER BY {KEYS[table]} LIMIT {AT_ONCE} OFFSET ?"
    while rows := [dict(row) for row in await old.fetch(page, number)]:
        sql = f"INSERT INTO {table} ({', '.join(rows[0])}) VALUES ({placeholders(rows[0])})"
        await new.execute_many(sql, [tuple(row.values()) for row in rows])
        number += len(rows)
    # explicit ids do not advance PostgreSQL's counter: the next match would get an id that is taken
    if KEYS[table] == "id":
        await new.count_on(table)
    return number

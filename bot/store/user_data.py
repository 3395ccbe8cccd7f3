"""All data about one user, for *My data* and *Forget me*. A test compares this module with the schema."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any

from bot.store.bars import Bars
from bot.store.codec import json_at, json_of
from bot.store.database import Repository, Row, placeholders
from bot.store.jobs import NOBODY, JobKind, Jobs
from bot.store.known_seats import KnownSeats
from bot.store.leagues import Leagues
from bot.store.matches import FORGOTTEN_NAME
from bot.store.schema import MatchTable, has_users, match_tables

DELETED_TABLES = (
    *(table.name for table in match_tables().values() if table.owner),
    *("jobs", "reminded", "blocks", "ratings", "rating_history", "league_players"),
)
"""Tables by user whose rows about a forgotten user are deleted."""

PLAYER_TABLES = tuple(table.name for table in match_tables().values() if table.of_player)
"""Tables by seat whose rows about a forgotten player are deleted."""

SEAT_TABLES = ("results", *PLAYER_TABLES)
"""Tables by seat. A user's data has the rows of the seats that the user has now, or had at the end."""

HIDDEN_COLUMNS: Mapping[str, Collection[str]] = MappingProxyType(
    {
        **{table.name: table.hidden for table in match_tables().values()},
        "matches": (*match_tables()["matches"].hidden, "occupies"),
        "meetings": ("other_id",),
        "blocks": ("digest",),
        "bars": ("digest",),
        "leagues": ("host_id", "occupies"),
    }
)
"""Table -> columns with secrets of a game, or with ids or words of other users."""

JSON_COLUMNS: Mapping[str, Collection[str]] = MappingProxyType(
    {
        **{table.name: table.json for table in match_tables().values()},
        "settings": ("value",),
        "jobs": ("state",),
        "reminded": ("sending", "messages"),
        "leagues": ("options",),
    }
)
"""Table -> columns with JSON."""

MATCHES_PER_READ = 50
"""Matches whose rows are read with one statement."""

BOARDS_PER_READ = 500
"""Boards that are read with one statement."""

_USER = "COALESCE({column}, 0) = ?"
"""`COALESCE` keeps the database from using an index of users, for queries that are limited to a few matches."""

_SAT_THERE = f"SELECT 1 FROM seat_history WHERE match_id = {{match_id}} AND {_USER.format(column='user_id')}"

_SEAT = f"""EXISTS (
    {_SAT_THERE.format(match_id="{table}.match_id")} AND seat_history.seat = {{table}}.seat AND until IS NULL
)"""

_HOSTED = "SELECT id FROM matches WHERE host_id = ?"

_SEATS = "(match_id, seat) IN (SELECT match_id, seat FROM seat_history WHERE user_id = ? AND until IS NULL)"
"""The condition for statements about all matches at once."""

BY_MATCH: Mapping[str, str] = MappingProxyType(
    {
        "matches": "id",
        **dict.fromkeys(("seat_history", "entries", "table_events", "rating_history", *SEAT_TABLES), "match_id"),
    }
)
"""Tables that are read for a few matches at a time -> the column of the match."""

_NAMING = {
    table.name: " OR ".join(
        (_USER if table.name in BY_MATCH else "{column} = ?").format(column=column) for column in persons
    )
    for table in match_tables().values()
    if (persons := table.persons) and not table.owner
}
"""Tables about matches that name users -> the condition for the rows that name one."""

_ABOUT: Mapping[str, str] = MappingProxyType(
    {
        **_NAMING,
        "matches": f"host_id = ? OR EXISTS ({_SAT_THERE.format(match_id='matches.id')})",
        **dict.fromkeys(("forfeits", "meetings", "records", "bars", *DELETED_TABLES), "user_id = ?"),
        "rating_history": _USER.format(column="user_id"),
        **{table: _SEAT.format(table=table) for table in SEAT_TABLES},
        "results": f"{_USER.format(column='user_id')} OR {_SEAT.format(table='results')}",
        "entries": f"""EXISTS (
            {_SAT_THERE.format(match_id="entries.match_id")}
            AND seat_history.seat = entries.seat AND entries.n >= seat_history.since
            AND (seat_history.until IS NULL OR entries.n < seat_history.until)
        )""",
        "leagues": "host_id = ?",
        "league_seats": "user_id = ?",
        "settings": "scope = 'user' AND scope_id = ?",
    }
)
"""Table -> the condition for its rows about a user."""

_NAMING_MATCHES = ("seat_history", "results", "table_events", "rating_history")
"""Tables by user that link a user to matches."""


class UserData(Repository):
    """The data of all users."""

    async def all_of(self, user_id: int) -> dict[str, list[dict[str, Any]]]:
        """The rows about a user, by table name. Read in batches, so that other users do not have to wait for all."""
        matches = await self._matches_of(user_id)
        batches = [matches[n : n + MATCHES_PER_READ] for n in range(0, len(matches), MATCHES_PER_READ)]
        rows: dict[str, list[dict[str, Any]]] = {}
        for table in _ABOUT:
            of_table = [await self._rows(table, user_id, batch) for batch in (batches if table in BY_MATCH else [()])]
            rows[table] = list(chain.from_iterable(of_table))
        # the rows of matches omit `host_id`, which may be the id of another user
        hosted = await self._database.fetch_column(_HOSTED, user_id)
        lists = await self._lists_with(match_tables()["clocks"], "votes", user_id)
        votes = [{"match_id": match_id, "seat": seat, "vote": votes[user_id]} for (match_id, seat), votes in lists]
        known_seats = await KnownSeats(self._database).seats_known_by(user_id)
        rows["bars"] += await Bars(self._database).without_name(user_id)
        rows["league_traces"] = await self._leagues().traces_of(user_id)
        return rows | {"votes": votes, "hosted": [{"id": match_id} for match_id in hosted], "known_seats": known_seats}

    def _leagues(self) -> Leagues:
        return Leagues(self._database, Jobs(self._database))

    async def _matches_of(self, user_id: int) -> list[int]:
        """The ids of a user's matches, as a player, as the user of an event, or as the host, in order."""
        by_user = " UNION ".join(f"SELECT match_id FROM {table} WHERE user_id = ?" for table in _NAMING_MATCHES)
        sql = f"{by_user} UNION {_HOSTED} ORDER BY 1"
        return await self._database.fetch_column(sql, *[user_id] * (len(_NAMING_MATCHES) + 1))

    async def open_games(self, user_id: int) -> list[int]:
        """The ids of the lobbies and running matches in which a user has a seat."""
        sql = """
            SELECT DISTINCT matches.id FROM matches JOIN seat_history ON seat_history.match_id = matches.id
            WHERE user_id = ? AND until IS NULL AND occupies IS NOT NULL
        """
        return await self._database.fetch_column(sql, user_id)

    async def names(self, user_id: int) -> dict[int, set[str]]:
        """Match -> the names of a user there, as a player or in a prediction; empty if the user only hosted it."""
        by_user = "SELECT match_id, name FROM {table} WHERE user_id = ?"
        sql = " UNION ".join(by_user.format(table=table) for table in ("seat_history", "predictions"))
        async with self._database.transaction():
            hosted = await self._database.fetch_column(_HOSTED, user_id)
            names: dict[int, set[str]] = {match_id: set() for match_id in hosted}
            for row in await self._database.fetch(sql, user_id, user_id):
                names.setdefault(row["match_id"], set()).add(row["name"])
        return names

    async def mentioned_in(self, user_id: int) -> list[int]:
        """The matches whose board mentions a user, for example as a follower. Read in batches."""
        sql = "SELECT match_id, body FROM boards WHERE match_id > ? ORDER BY match_id LIMIT ?"
        mentioned: list[int] = []
        last = 0
        while rows := await self._database.fetch(sql, last, BOARDS_PER_READ):
            mentioned += [row["match_id"] for row in rows if f"<@{user_id}>" in row["body"]]
            last = rows[-1]["match_id"]
        return mentioned

    async def forget(self, user_id: int, names: Mapping[int, Collection[str]]) -> None:
        """Delete or anonymize the data of a user without a seat in an open match.

        Pseudonyms remain for two purposes: known seats of running matches, so that the user cannot take another seat
        there, and penalties in open leagues, so that a new sign-up does not undo them. `names` must be read before the
        user leaves their open matches, since leaving deletes seats without any entry.
        """
        mentioned = await self.mentioned_in(user_id)
        async with self._database.transaction():
            await self._reword_boards(user_id, names, mentioned)
            await self._leagues().leave_traces(user_id)
            await self._anonymize_seats(user_id)
            await self._remove_from_lists(user_id)
            await self._anonymize_results(user_id)
            await self._anonymize_protections(user_id)
            for table in DELETED_TABLES:
                await self._database.execute(f"DELETE FROM {table} WHERE user_id = ?", user_id)
            await self._database.execute(f"DELETE FROM settings WHERE {_ABOUT['settings']}", user_id)

    async def _rows(self, table: str, user_id: int, matches: Sequence[int]) -> list[dict[str, Any]]:
        """The rows of a table about a user; of a table in `BY_MATCH`, only those of these matches."""
        about = f"({_ABOUT[table]})"
        if table in BY_MATCH:
            about += f" AND {table}.{BY_MATCH[table]} IN ({placeholders(matches)})"
        users = [user_id] * _ABOUT[table].count("?")
        rows = await self._database.fetch(f"SELECT * FROM {table} WHERE {about}", *users, *matches)
        # in a thread: decoding the JSON would block the event loop
        return await asyncio.to_thread(_presentable, table, rows) if rows else []

    async def _lists_with(self, table: MatchTable, column: str, user_id: int) -> list[tuple[tuple[Any, ...], Any]]:
        """The keys of the rows in which a list of users has a user, with that list."""
        keys, decode = ", ".join(table.keys), table.columns[column].decode
        sql = f"SELECT {keys}, {column} FROM {table.name} WHERE {has_users(table, column)}"
        # filtered in Python: SQL for JSON differs between SQLite and PostgreSQL, and few rows have users
        lists = [(tuple(row)[:-1], decode(row[column])) for row in await self._database.fetch(sql)]
        return [(key, users) for key, users in lists if user_id in users]

    async def _reword_boards(
        self, user_id: int, names: Mapping[int, Collection[str]], mentioned: Collection[int]
    ) -> None:
        """Remove a user's names and mentions from stored boards, which the bot sends again to remove their controls."""
        followed = await self._database.fetch_column("SELECT match_id FROM followers WHERE user_id = ?", user_id)
        matches = sorted({*names, *mentioned, *followed})
        for n in range(0, len(matches), BOARDS_PER_READ):
            batch = matches[n : n + BOARDS_PER_READ]
            sql = f"SELECT match_id, body FROM boards WHERE match_id IN ({placeholders(batch)})"
            for row in await self._database.fetch(sql, *batch):
                await self._reword_board(row, _name_pattern(user_id, names.get(row["match_id"], ())))

    async def _reword_board(self, row: Row, pattern: re.Pattern[str]) -> None:
        body = json_at(row["body"])
        if (reworded := _anonymize(body, pattern)) != body:
            sql = "UPDATE boards SET body = ? WHERE match_id = ?"
            await self._database.execute(sql, json_of(reworded), row["match_id"])

    async def _anonymize_seats(self, user_id: int) -> None:
        """Remove a user's id, name and words from matches and leagues. The moves stay: the games are others', too."""
        sql = """
            DELETE FROM jobs WHERE kind = ? AND EXISTS (
                SELECT 1 FROM clocks WHERE clocks.match_id = jobs.match_id AND clocks.seat = jobs.seat
                AND clocks.user_id = ?
            )
        """
        # this and the drafts come before the updates below, which remove the user id that these conditions need
        await self._database.execute(sql, JobKind.CLOCK, user_id)
        for name in PLAYER_TABLES:
            await self._database.execute(f"DELETE FROM {name} WHERE {_SEATS}", user_id)
        for table in match_tables().values():
            blanks = [f"{name} = '{blank}'" for name, blank in table.blanks.items()]
            for person in table.persons if not table.owner else ():
                values = ", ".join([f"{person} = {NOBODY}", *blanks])
                await self._database.execute(f"UPDATE {table.name} SET {values} WHERE {person} = ?", user_id)
        await self._database.execute(f"UPDATE leagues SET host_id = {NOBODY} WHERE host_id = ?", user_id)
        # not NULL, which means a computer: the results of the others against the user still count
        await self._database.execute(f"UPDATE league_seats SET user_id = {NOBODY} WHERE user_id = ?", user_id)

    async def _anonymize_results(self, user_id: int) -> None:
        """Give a user's rated results to a random number: without them, the ratings of other users would change."""
        await self._database.execute("DELETE FROM meetings WHERE user_id = ? OR other_id = ?", user_id, user_id)
        # negative, unlike Discord ids, and within the 63 bits of a column
        number = -1 - secrets.randbits(62)
        for table in ("results", "forfeits", "records"):
            await self._database.execute(f"UPDATE {table} SET user_id = ? WHERE user_id = ?", number, user_id)

    async def _anonymize_protections(self, user_id: int) -> None:
        """Remove a user's id and name from blocks and bars, which still apply if the user comes back."""
        sql = f"UPDATE blocks SET blocked_id = {NOBODY}, name = '' WHERE blocked_id = ?"
        await self._database.execute(sql, user_id)
        sql = f"UPDATE bars SET user_id = {NOBODY}, name = '', reason = '' WHERE user_id = ?"
        await self._database.execute(sql, user_id)

    async def _remove_from_lists(self, user_id: int) -> None:
        """Remove a user's id from lists of users, such as ready lists and votes."""
        for table in match_tables().values():
            which = " AND ".join(f"{key} = ?" for key in table.keys)
            for column in table.person_lists:
                sql = f"UPDATE {table.name} SET {column} = ? WHERE {which}"
                for key, users in await self._lists_with(table, column, user_id):
                    others = table.columns[column].encode(_without(users, user_id))
                    await self._database.execute(sql, others, *key)


def _without(users: Mapping[int, Any] | Collection[int], user_id: int) -> Mapping[int, Any] | frozenset[int]:
    if isinstance(users, Mapping):
        return {other: value for other, value in users.items() if other != user_id}
    return frozenset(users) - {user_id}


def _presentable(table: str, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Rows without `HIDDEN_COLUMNS`, and with decoded JSON."""
    hidden = HIDDEN_COLUMNS.get(table, ())
    presentable = [{name: value for name, value in dict(row).items() if name not in hidden} for row in rows]
    for row in presentable:
        row |= {name: json_at(row[name]) for name in JSON_COLUMNS.get(table, ()) if row.get(name) is not None}
    return presentable


def _name_pattern(user_id: int, names: Collection[str]) -> re.Pattern[str]:
    """A pattern for a user's mentions and names in messages, where the markup in names is escaped."""
    # longest first: a pattern takes the first alternative that matches
    longest = sorted(filter(None, names), key=len, reverse=True)
    # whole words only: a short name may be a part of another word
    written = [r"(?<!\w)\\?" + r"\\?".join(map(re.escape, name)) + r"(?!\w)" for name in longest]
    return re.compile("|".join([f"<@{user_id}>", *written]))


def _anonymize(value: Any, pattern: re.Pattern[str]) -> Any:
    match value:
        case str():
            return pattern.sub(FORGOTTEN_NAME, value)
        case list():
            return [_anonymize(element, pattern) for element in value]
        case dict():
            return {name: _anonymize(part, pattern) for name, part in value.items()}
    return value

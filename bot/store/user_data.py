"""All that is kept about one person, to export or to forget it. A test compares it with the tables."""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

from bot.store.codec import json_at, json_of
from bot.store.database import Repository, placeholders
from bot.store.jobs import NOBODY, JobKind
from bot.store.known_seats import KnownSeats

SOMEBODY = "somebody"
"""What people who were forgotten are called in their past games."""

ONLY_THEIRS = ("jobs", "reminded", "followers", "invitations", "ratings", "rating_history", "league_players")
"""Tables by user of which nothing stays."""

OF_THEIR_SEAT = ("results", "drafts", "auto_answers", "undo_requests")
"""Tables by seat of which they get what belongs to the seats that they have now, or had at the end."""

NOT_FOR_THEM: Mapping[str, Collection[str]] = MappingProxyType(
    {
        "matches": ("host_id", "seed", "secret", "ids", "ready", "occupies"),
        "clocks": ("votes",),
        "undo_requests": ("agreed",),
        "meetings": ("other_id",),
        "leagues": ("host_id", "occupies"),
    }
)
"""Columns that hold secrets of a game, or ids and words of others."""

JSON = (
    "options",
    "ready",
    "notations",
    "agreed",
    "votes",
    "preferences",
    "body",
    "value",
    "state",
    "sending",
    "messages",
)
"""Columns that hold JSON."""

_SEAT = """EXISTS (
    SELECT 1 FROM seat_history WHERE seat_history.match_id = {table}.match_id AND seat_history.user_id = ?
    AND seat_history.seat = {table}.seat AND seat_history.until IS NULL
)"""

_ABOUT: Mapping[str, str] = MappingProxyType(
    {
        "matches": "host_id = ? OR EXISTS (SELECT 1 FROM seat_history WHERE match_id = matches.id AND user_id = ?)",
        **dict.fromkeys(("seat_history", "clocks", "table_events", "meetings", "records", *ONLY_THEIRS), "user_id = ?"),
        **{table: _SEAT.format(table=table) for table in OF_THEIR_SEAT},
        "results": f"user_id = ? OR {_SEAT.format(table='results')}",
        "entries": """EXISTS (
            SELECT 1 FROM seat_history WHERE seat_history.match_id = entries.match_id AND seat_history.user_id = ?
            AND seat_history.seat = entries.seat AND entries.n >= seat_history.since
            AND (seat_history.until IS NULL OR entries.n < seat_history.until)
        )""",
        "leagues": "host_id = ?",
        "league_seats": "user_id = ?",
        "settings": "scope = 'user' AND scope_id = ?",
    }
)
"""Table -> which of its rows are about a user."""


class UserData(Repository):
    """What is kept of everybody."""

    async def all_of(self, user_id: int) -> dict[str, list[dict[str, Any]]]:
        """The rows about a user, by the name of their table."""
        async with self._database.transaction():
            found = {table: await self._rows(table, about, user_id) for table, about in _ABOUT.items()}
            # `host_id` itself is left out of the rows of matches: it may be somebody else's
            hosted = await self._database.fetch_column("SELECT id FROM matches WHERE host_id = ?", user_id)
            votes = [
                {"match_id": match_id, "seat": seat, "vote": votes[str(user_id)]}
                for match_id, seat, votes in await self._votes_with(user_id)
            ]
            known = await KnownSeats(self._database).known_by(user_id)
            return found | {"votes": votes, "hosted": [{"id": one} for one in hosted], "known_seats": known}

    async def open_games(self, user_id: int) -> list[int]:
        """The ids of the lobbies and running matches in which a user sits."""
        sql = """
            SELECT DISTINCT matches.id FROM matches JOIN seat_history ON seat_history.match_id = matches.id
            WHERE user_id = ? AND until IS NULL AND occupies IS NOT NULL
        """
        return await self._database.fetch_column(sql, user_id)

    async def names(self, user_id: int) -> dict[int, set[str]]:
        """The matches that a user has to do with -> what they are called there."""
        sql = """
            SELECT matches.id, seat_history.user_id, seat_history.name FROM matches
            LEFT JOIN seat_history ON seat_history.match_id = matches.id WHERE host_id = ? OR user_id = ?
        """
        names: dict[int, set[str]] = {}
        for row in await self._database.fetch(sql, user_id, user_id):
            called = names.setdefault(row["id"], set())
            if row["user_id"] == user_id:
                called.add(row["name"])
        return names

    async def forget(self, user_id: int, names: Mapping[int, Collection[str]]) -> None:
        """Forget a user who sits at no open table: past games are those of somebody.

        Which seats of running matches they know stays until those end: else they could take another one.
        `names` are those of before they left: of a seat from which nothing was played nothing is left then.
        """
        async with self._database.transaction():
            await self._reword_boards(user_id, names)
            await self._leave_seats(user_id)
            await self._leave_lists(user_id)
            await self._take_votes_back(user_id)
            await self._leave_results(user_id)
            for table in ONLY_THEIRS:
                await self._database.execute(f"DELETE FROM {table} WHERE user_id = ?", user_id)
            await self._database.execute(f"DELETE FROM settings WHERE {_ABOUT['settings']}", user_id)

    async def _rows(self, table: str, about: str, user_id: int) -> list[dict[str, Any]]:
        # whatever a condition asks for is the user
        rows = await self._database.fetch(f"SELECT * FROM {table} WHERE {about}", *[user_id] * about.count("?"))
        secret = NOT_FOR_THEM.get(table, ())
        found = [{name: value for name, value in dict(row).items() if name not in secret} for row in rows]
        for row in found:
            row |= {name: json_at(row[name]) for name in JSON if row.get(name) is not None}
        return found

    async def _votes_with(self, user_id: int) -> list[tuple[int, int, dict[str, str]]]:
        """The votes on people who were late in which a user has one: match, seat, and all that were given."""
        rows = await self._database.fetch("SELECT match_id, seat, votes FROM clocks WHERE votes <> '{}'")
        # filtered in Python: SQL for JSON differs between SQLite and PostgreSQL, and few clocks have votes
        votes = [(row["match_id"], row["seat"], json_at(row["votes"])) for row in rows]
        return [vote for vote in votes if str(user_id) in vote[2]]

    async def _reword_boards(self, user_id: int, names: Mapping[int, Collection[str]]) -> None:
        """Take somebody out of the words of boards, which are shown again when their controls are taken off.

        Boards name those who play, and call those who follow.
        """
        sql = f"""
            SELECT match_id, body FROM boards WHERE match_id IN ({placeholders([*names])}) OR body LIKE ?
        """
        for row in await self._database.fetch(sql, *names, f"%<@{user_id}>%"):
            body = json_at(row["body"])
            if (reworded := _reworded(body, _called(user_id, names.get(row["match_id"], ())))) != body:
                sql = "UPDATE boards SET body = ? WHERE match_id = ?"
                await self._database.execute(sql, json_of(reworded), row["match_id"])

    async def _leave_seats(self, user_id: int) -> None:
        """Somebody sat there; the moves stay, for the others have played them, too."""
        sql = """
            DELETE FROM jobs WHERE kind = ? AND EXISTS (
                SELECT 1 FROM clocks WHERE clocks.match_id = jobs.match_id AND clocks.seat = jobs.seat
                AND clocks.user_id = ?
            )
        """
        # this and the drafts come before the updates below, which remove the user by whom they are found
        await self._database.execute(sql, JobKind.CLOCK, user_id)
        for table in ("drafts", "auto_answers"):
            await self._database.execute(f"DELETE FROM {table} WHERE {_ABOUT[table]}", user_id)
        for table, values in (
            ("seat_history", f"name = '{SOMEBODY}'"),
            ("table_events", "words = ''"),
            ("clocks", "preferences = '{}'"),
        ):
            sql = f"UPDATE {table} SET user_id = {NOBODY}, {values} WHERE user_id = ?"
            await self._database.execute(sql, user_id)
        for table in ("matches", "leagues"):
            await self._database.execute(f"UPDATE {table} SET host_id = {NOBODY} WHERE host_id = ?", user_id)
        # as if a computer had played there: what the others have reached stays
        await self._database.execute("UPDATE league_seats SET user_id = NULL WHERE user_id = ?", user_id)

    async def _leave_results(self, user_id: int) -> None:
        """Their rated results are those of a random number: without them, the ratings of others would be other ones."""
        await self._database.execute("DELETE FROM meetings WHERE user_id = ? OR other_id = ?", user_id, user_id)
        # negative, as no id of Discord is, and within the 63 bits of a column
        number = -1 - secrets.randbits(62)
        for table in ("results", "records"):
            await self._database.execute(f"UPDATE {table} SET user_id = ? WHERE user_id = ?", number, user_id)

    async def _leave_lists(self, user_id: int) -> None:
        """Take their id out of the lists of those who are ready."""
        for row in await self._database.fetch("SELECT id, ready FROM matches WHERE ready IS NOT NULL"):
            ready = json_at(row["ready"])
            if user_id in ready:
                others = json_of([other for other in ready if other != user_id])
                await self._database.execute("UPDATE matches SET ready = ? WHERE id = ?", others, row["id"])

    async def _take_votes_back(self, user_id: int) -> None:
        """Nothing says any more how they voted."""
        sql = "UPDATE clocks SET votes = ? WHERE match_id = ? AND seat = ?"
        for match_id, seat, votes in await self._votes_with(user_id):
            others = {other: vote for other, vote in votes.items() if other != str(user_id)}
            await self._database.execute(sql, json_of(others), match_id, seat)


def _called(user_id: int, names: Collection[str]) -> re.Pattern[str]:
    """How messages call a user: their names with markup escaped, the longest first, and mentions."""
    # longest first: a pattern takes the first alternative that matches
    longest = sorted(filter(None, names), key=len, reverse=True)
    # whole words only: a short name may be a part of another word
    written = [r"(?<!\w)\\?" + r"\\?".join(map(re.escape, name)) + r"(?!\w)" for name in longest]
    return re.compile("|".join([f"<@{user_id}>", *written]))


def _reworded(value: Any, them: re.Pattern[str]) -> Any:
    match value:
        case str():
            return them.sub(SOMEBODY, value)
        case list():
            return [_reworded(one, them) for one in value]
        case dict():
            return {name: _reworded(one, them) for name, one in value.items()}
    return value

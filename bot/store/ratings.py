"""Ratings, counts and records of rated matches: updated when a match ends, or recomputed from all results."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from typing import Any, TypeVar

from bot.store.database import Repository, Row, placeholders
from bot.store.matches import Results
from bot.store.migrate import table_keys
from bot.store.tally import (
    ALL_SERVERS,
    VERSION,
    Change,
    Credit,
    Forfeit,
    Meeting,
    RatedMatch,
    RatedSeat,
    Record,
    SeatStory,
    Standing,
    Tally,
    forfeit_results,
    records_of_story,
)

TABLES: dict[str, type[Standing] | type[Change] | type[Meeting] | type[Record]] = {
    "ratings": Standing,
    "rating_history": Change,
    "meetings": Meeting,
    "records": Record,
}
"""The computed tables, with the types of their rows."""

ENDED = "ended"
"""`Status.ENDED`, a called-off match. The enum's module imports this one."""

MATCHES_PER_PAGE = 1000
"""Matches that are read with one statement."""

T = TypeVar("T", Standing, Change, Meeting, Record)

_NUMBER = """
    INSERT INTO rating_state (single, version, ended) VALUES (1, ?, ?)
    ON CONFLICT (single) DO UPDATE SET ended = rating_state.ended + excluded.ended RETURNING version, ended
"""

_MATCHES = """
    SELECT id, guild_id, game, status, ended, moves, user_id, computer, company, place, whole, score, share,
        luck, lost, usually, choices, lowest
    FROM matches JOIN results ON results.match_id = matches.id
"""


class Ratings(Repository):
    """The ratings, counts and records of all users, by server and game."""

    async def note_owners(self, match_id: int, credits: Sequence[Credit], forfeits: Sequence[Forfeit] = ()) -> None:
        """Store the owners of a match's results by seat, and its forfeits."""
        sql = """
            UPDATE results SET user_id = ?, computer = ?, company = ?, place = ?, whole = ?
            WHERE match_id = ? AND seat = ?
        """
        owners = [
            (*dataclasses.astuple(credit)[:-1], int(credit.whole), match_id, seat)
            for seat, credit in enumerate(credits)
        ]
        forfeit_rows = [(match_id, number, *dataclasses.astuple(forfeit)) for number, forfeit in enumerate(forfeits)]
        async with self._database.transaction():
            await self._database.execute_many(sql, owners)
            sql = "INSERT INTO forfeits (match_id, number, seat, user_id, place) VALUES (?, ?, ?, ?, ?)"
            await self._database.execute_many(sql, forfeit_rows)

    async def note(self, match_id: int, results: Results) -> None:
        """Write the results of a match that has ended, and count them if they are rated."""
        sql = "INSERT INTO results (match_id, seat, score, share) VALUES (?, ?, ?, ?)"
        rows = [(match_id, seat, score, share) for seat, (score, share) in enumerate(results.merits)]
        owners = results.owners
        async with self._database.transaction():
            await self._database.execute_many(sql, rows)
            await self.note_owners(match_id, owners.credits, owners.forfeits)
            if owners.rated and owners.credits:
                await self.add(match_id, owners.moves)

    async def add(self, match_id: int, moves: int) -> None:
        """Rate a match that is over and whose results and owners are stored."""
        async with self._database.transaction():
            # this locks the row until the end of the transaction, so that matches are rated one after the other, also
            # in several processes
            ((version, ended),) = await self._database.execute(_NUMBER, VERSION, 1)
            await self._database.execute("UPDATE matches SET ended = ?, moves = ? WHERE id = ?", ended, moves, match_id)
            # numbers of two formula versions never mix (docs/ratings.md)
            if version != VERSION:
                await self.compute()
                return
            (match,) = await self._matches("id = ? ORDER BY seat", match_id)
            tally = await self._tally_for(match)
            tally.count(match)
            await self._write(tally)

    async def note_story(self, match_id: int, seats: Sequence[SeatStory]) -> None:
        """Store the numbers of a match's story by seat, and its records if the match is rated."""
        sql = """
            UPDATE results SET luck = ?, lost = ?, usually = ?, choices = ?, lowest = ? WHERE match_id = ? AND seat = ?
        """
        async with self._database.transaction():
            # a lock, as in `add`: stories of matches that end at the same time are stored one after the other
            await self._database.execute(_NUMBER, VERSION, 0)
            rows = [(*dataclasses.astuple(story), match_id, seat) for seat, story in enumerate(seats)]
            await self._database.execute_many(sql, rows)
            for match in await self._matches("id = ? AND ended IS NOT NULL ORDER BY seat", match_id):
                tally = await self._tally_for(match)
                tally.note_records(records_of_story(match))
                await self._put("records", tally.records.values())

    async def bring_up_to_date(self) -> None:
        """Recompute everything if another formula version has computed it."""
        version = await self._database.fetch_value("SELECT version FROM rating_state")
        if version not in (None, VERSION):
            await self.compute()

    async def compute(self) -> int:
        """Recompute everything from the results, in the order of the matches' ends. Returns the number of matches."""
        tally, number = Tally(), 0
        async with self._database.transaction():
            # also a lock, as in `add`
            await self._database.execute("UPDATE rating_state SET version = ?", VERSION)
            page = "ended > ? AND ended <= ? ORDER BY ended, seat"
            most = await self._database.fetch_value("SELECT max(ended) FROM matches") or 0
            # in one transaction with the new rows, so that no reader sees empty tables
            for table in TABLES:
                await self._database.execute(f"DELETE FROM {table}")
            # page by page, so that memory does not grow with the history
            for last in range(0, most, MATCHES_PER_PAGE):
                for match in await self._matches(page, last, last + MATCHES_PER_PAGE):
                    tally.count(match)
                    number += 1
                await self._put("rating_history", tally.changes)
                tally.changes.clear()
            await self._write(tally)
        return number

    async def changes(self, match_id: int) -> tuple[Change, ...]:
        """The changes of ratings within the server by a match, without unlisted users."""
        sql = f"SELECT * FROM rating_history WHERE match_id = ? AND guild_id <> ? AND {_is_listed('rating_history')}"
        return tuple(_row(Change, row) for row in await self._database.fetch(sql, match_id, ALL_SERVERS))

    async def standings(self, guild_id: int, user_id: int) -> list[Standing]:
        """A user's standings in a server, or in `ALL_SERVERS`, by game; the most played game comes first."""
        sql = "SELECT * FROM ratings WHERE guild_id = ? AND user_id = ? ORDER BY matches DESC, game"
        return [_row(Standing, row) for row in await self._database.fetch(sql, guild_id, user_id)]

    async def history(self, guild_id: int, user_id: int, game: str, most: int) -> list[Change]:
        """The last changes of a rating, at most `most`, the newest last."""
        sql = """
            SELECT * FROM rating_history WHERE guild_id = ? AND user_id = ? AND game = ? ORDER BY ended DESC LIMIT ?
        """
        # `[::-1]`: the query reads backwards from the newest
        return [_row(Change, row) for row in await self._database.fetch(sql, guild_id, user_id, game, most)][::-1]

    async def table(self, guild_id: int, game: str, least: int, most: int) -> list[Standing]:
        """The ranking of a server, without unlisted users: at most `most` users with at least `least` matches, ordered
        by the lower end of the rating, best first.
        """
        sql = f"""
            SELECT * FROM ratings WHERE guild_id = ? AND game = ? AND matches >= ? AND {_is_listed("ratings")}
            ORDER BY mu - 2 * sigma DESC, user_id LIMIT ?
        """
        return [_row(Standing, row) for row in await self._database.fetch(sql, guild_id, game, least, most)]

    async def ratings_in(self, guild_id: int, game: str, user_ids: Collection[int]) -> dict[int, Standing]:
        """The standings of these users in a game within a server, without newcomers."""
        sql = f"SELECT * FROM ratings WHERE guild_id = ? AND game = ? AND user_id IN ({placeholders([*user_ids])})"
        rows = await self._database.fetch(sql, guild_id, game, *user_ids)
        return {row["user_id"]: _row(Standing, row) for row in rows}

    async def owners(self, match_id: int) -> list[tuple[int | None, str | None]]:
        """The owners of a match's results, by seat: a user or a computer."""
        sql = "SELECT user_id, computer FROM results WHERE match_id = ? ORDER BY seat"
        return [(row["user_id"], row["computer"]) for row in await self._database.fetch(sql, match_id)]

    async def games(self, guild_id: int) -> list[str]:
        """The games with ratings in a server, the most played first."""
        sql = "SELECT game FROM ratings WHERE guild_id = ? GROUP BY game ORDER BY sum(matches) DESC, game"
        return await self._database.fetch_column(sql, guild_id)

    async def meetings(self, guild_id: int, user_id: int) -> list[Meeting]:
        """A user's meetings in a server, without unlisted opponents."""
        sql = f"SELECT * FROM meetings WHERE guild_id = ? AND user_id = ? AND {_is_listed('meetings', 'other_id')}"
        return [_row(Meeting, row) for row in await self._database.fetch(sql, guild_id, user_id)]

    async def records(self, guild_id: int, game: str) -> list[Record]:
        """The records of a server in a game; those of unlisted users have no user."""
        listed = f"CASE WHEN {_is_listed('records')} THEN user_id END AS user_id"
        sql = f"SELECT guild_id, game, kind, figure, match_id, {listed} FROM records WHERE guild_id = ? AND game = ?"
        return [_row(Record, row) for row in await self._database.fetch(sql, guild_id, game)]

    async def set_by(self, match_id: int) -> tuple[Record, ...]:
        """The records that a match has set; empty for the first match of its game in its server."""
        sql = f"""
            SELECT guild_id, game, kind, figure, match_id, CASE WHEN {_is_listed("records")} THEN user_id END AS user_id
            FROM records WHERE match_id = ? AND EXISTS (
                SELECT 1 FROM matches WHERE matches.guild_id = records.guild_id AND matches.game = records.game
                AND matches.ended IS NOT NULL AND matches.id <> records.match_id
            ) ORDER BY kind
        """
        return tuple(_row(Record, row) for row in await self._database.fetch(sql, match_id))

    async def stories(self, guild_id: int, user_id: int) -> dict[str, SeatStory]:
        """The stories of a user's rated matches in a server, added up by game."""
        sql = """
            SELECT game, sum(luck) AS luck, sum(lost) AS lost, sum(usually) AS usually, sum(choices) AS choices,
                min(lowest) AS lowest
            FROM results JOIN matches ON matches.id = results.match_id
            WHERE user_id = ? AND guild_id = ? AND luck IS NOT NULL AND ended IS NOT NULL GROUP BY game
        """
        rows = await self._database.fetch(sql, user_id, guild_id)
        return {row["game"]: _story(row) for row in rows}

    async def longest_run(self, guild_id: int, game: str) -> Standing | None:
        """The standing of the listed user with the longest run of wins in a server; `None` without any run."""
        sql = f"""
            SELECT * FROM ratings WHERE guild_id = ? AND game = ? AND longest_run > 1 AND {_is_listed("ratings")}
            ORDER BY longest_run DESC, user_id LIMIT 1
        """
        row = await self._database.fetch_one(sql, guild_id, game)
        return None if row is None else _row(Standing, row)

    async def _matches(self, condition: str, *values: int) -> list[RatedMatch]:
        """The rated matches that meet an SQL condition, which may end with `ORDER BY`."""
        rows = await self._database.fetch(f"{_MATCHES} WHERE {condition}", *values)
        where, _, _ = condition.partition(" ORDER BY ")
        sql = f"""
            SELECT forfeits.* FROM forfeits JOIN matches ON matches.id = match_id
            WHERE {where} ORDER BY match_id, number
        """
        forfeits: dict[int, list[Forfeit]] = {}
        for row in await self._database.fetch(sql, *values):
            forfeits.setdefault(row["match_id"], []).append(Forfeit(row["seat"], row["user_id"], row["place"]))
        seats = groupby(rows, lambda row: row["id"])
        return [_match(list(of_match), forfeits.get(match_id, ())) for match_id, of_match in seats]

    async def _tally_for(self, match: RatedMatch) -> Tally:
        """A tally with the stored rows about a match's users, its game and its server."""
        people, place = [*match.people()], (match.game, match.guild_id)
        fetch, among = self._database.fetch, f"IN ({placeholders(people)})"
        servers = f"game = ? AND guild_id IN (?, {ALL_SERVERS})"
        standings = await fetch(f"SELECT * FROM ratings WHERE {servers} AND user_id {among}", *place, *people)
        both = f"user_id {among} AND other_id {among}"
        meetings = await fetch(f"SELECT * FROM meetings WHERE {servers} AND {both}", *place, *people, *people)
        records = await fetch(f"SELECT * FROM records WHERE {servers}", *place)
        return Tally(
            {(row["guild_id"], row["user_id"], row["game"]): _row(Standing, row) for row in standings},
            {(row["guild_id"], row["user_id"], row["other_id"], row["game"]): _row(Meeting, row) for row in meetings},
            {(row["guild_id"], row["game"], row["kind"]): _row(Record, row) for row in records},
        )

    async def _write(self, tally: Tally) -> None:
        await self._put("ratings", tally.standings.values())
        await self._put("rating_history", tally.changes)
        await self._put("meetings", tally.meetings.values())
        await self._put("records", tally.records.values())

    async def _put(self, table: str, rows: Iterable[Standing | Change | Meeting | Record]) -> None:
        columns = [field.name for field in dataclasses.fields(TABLES[table])]
        key = table_keys()[table].split(", ")
        assigned = ", ".join(f"{name} = excluded.{name}" for name in columns if name not in key)
        sql = f"""
            INSERT INTO {table} ({", ".join(columns)}) VALUES ({placeholders(columns)})
            ON CONFLICT ({table_keys()[table]}) DO UPDATE SET {assigned}
        """
        # the numbers of forgotten users stay deleted after a recomputation
        values = [dataclasses.astuple(row) for row in rows if not _is_forgotten(row)]
        await self._database.execute_many(sql, values)


def _is_listed(table: str, user: str = "user_id") -> str:
    """The SQL condition that a user is not `unlisted` by their preferences."""
    # as text: SQL for JSON differs between SQLite and PostgreSQL
    return f"""NOT EXISTS (
        SELECT 1 FROM settings WHERE scope = 'user' AND scope_id = {table}.{user} AND name = 'preferences'
        AND replace(value, ' ', '') LIKE '%"unlisted":true%'
    )"""


def _is_forgotten(row: Standing | Change | Meeting | Record) -> bool:
    """Whether a row is about a forgotten user (`bot.store.user_data`). Records stay, without the user."""
    return not isinstance(row, Record) and min(row.user_id, getattr(row, "other_id", 0)) < 0


def _row(kind: type[T], row: Row) -> T:
    return kind(**dict(row))


def _match(rows: list[Any], forfeits: Iterable[Forfeit]) -> RatedMatch:
    """A match from the rows of its seats."""
    first = rows[0]
    seats = tuple(
        RatedSeat(
            # NULL in a match that ended before the column existed
            Credit(row["user_id"], row["computer"], row["company"], row["place"], row["whole"] in (None, 1)),
            row["score"],
            row["share"],
            None if row["luck"] is None else _story(row),
        )
        for row in rows
    )
    place, finished = (first["guild_id"], first["game"]), first["status"] != ENDED
    return RatedMatch(first["id"], *place, first["ended"], first["moves"], seats, forfeit_results(forfeits), finished)


def _story(row: Any) -> SeatStory:
    return SeatStory(row["luck"], row["lost"], row["usually"], row["choices"], row["lowest"])

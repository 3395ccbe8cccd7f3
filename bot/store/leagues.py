"""Leagues: their settings, their players, and the tables of each round with the planned seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from bot.store.codec import json_at, json_of, time_at, time_at_or_none, time_of
from bot.store.database import Database, Row, assignments, placeholders
from bot.store.jobs import NO_MATCH, Job, JobKind, Jobs
from bot.store.matches import Status
from bot.store.pseudonyms import pseudonym
from bot.store.table_events import TableEventKind
from bot.store.tally import Forfeit
from engine.core import OptionValue
from engine.texts import Seat
from engine.values import Value

MAX_TIMES_HELD = 2
"""A player whose seats a firm pace has given to computers this often in a league is not paired any more."""


class LeagueStatus(StrEnum):
    """The status of a league: open for sign-up, playing its rounds, over, or called off."""

    SIGN_UP = "sign-up"
    PLAYING = "playing"
    OVER = "over"
    CALLED_OFF = "called off"


class League(Value):
    """A league. Times are in UTC; `gap` is in days. `pace` is a value of `bot.tables.paces.all_paces`."""

    id: int
    guild_id: int
    channel_id: int
    host_id: int
    game: str
    rules_version: int
    options: Mapping[str, OptionValue]
    seats: int
    swiss: bool
    rounds: int
    gap: int
    division_size: int
    pace: str
    computer: str
    closes_at: datetime
    status: LeagueStatus = LeagueStatus.SIGN_UP
    round: int = 0
    begun_at: datetime | None = None
    shown: int = 0
    message_id: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether the league is neither over nor called off."""
        return self.status in (LeagueStatus.SIGN_UP, LeagueStatus.PLAYING)

    @property
    def takes_more(self) -> bool:
        """Whether users can still sign up: there is another round."""
        return self.is_open and self.round < self.rounds


class LeaguePlayer(Value):
    """A signed-up user, with the interaction and their name; `division` is the number of their group, from 0."""

    user_id: int
    interaction_id: int
    name: str
    division: int = 0
    dropped: bool = False


class LeagueTable(Value):
    """A table of a round: its planned players by seat and, once it has a match, its `holders` (`None`: a computer).

    `NOBODY` stands for a forgotten player. `results` are the share of the win and the points of each seat, once the
    match is over. `forfeits` are the users who gave up, with seat and place. `secret` must not get into a log.
    """

    round: int
    number: int
    division: int
    secret: str
    planned: tuple[int | None, ...]
    thread_id: int | None = None
    match_id: int | None = None
    status: Status | None = None
    holders: tuple[int | None, ...] = ()
    results: tuple[tuple[float, int], ...] = ()
    forfeits: tuple[Forfeit, ...] = ()

    @property
    def is_settled(self) -> bool:
        """Whether the match of the table has ended in any way."""
        return self.status in (Status.OVER, Status.ENDED, Status.CLOSED)

    # without the secret and the user ids, since it may get into a log
    def __repr__(self) -> str:
        return f"LeagueTable(round={self.round}, number={self.number}, match_id={self.match_id})"


class LeagueEntry(Value):
    """The facts that decide whether a user may take a seat at a table of a league.

    `is_player`: the user plays in the table's division of the league. `planned_seat` is the user's seat at this table
    by the plan of the league. `seated_at` are the matches of the round in which the user has or had a seat; `None`
    stands for one that the seat history does not show, after *Forget me* or without any entry there.
    """

    is_player: bool
    planned_seat: Seat | None
    seated_at: frozenset[int | None]


LASTING_STATE = frozenset({"told", "missing"})
"""State of a league's job: whether the host knows that the league is blocked, and since when its channel is missing."""

COLUMNS = frozenset({"status", "closes_at", "round", "begun_at", "shown", "message_id", "rules_version", "options"})
"""Columns of a league that `change` can set."""


class Leagues:
    """The leagues of all servers."""

    def __init__(self, database: Database, jobs: Jobs) -> None:
        self._database = database
        self._jobs = jobs

    async def create(self, at: datetime, **values: Any) -> League:
        """Create a league with the fields of `League` and a due job. Raises `Conflict` if the game has an open one."""
        # unique while it is open: a server has one open league of a game (0005_leagues.sql)
        occupies = f"{values['guild_id']}/{values['game']}"
        stored = {"occupies": occupies, "status": LeagueStatus.SIGN_UP, **values}
        stored |= {"options": json_of(dict(values["options"])), "closes_at": time_of(values["closes_at"])}
        stored["swiss"] = int(values["swiss"])
        sql = f"INSERT INTO leagues ({', '.join(stored)}) VALUES ({placeholders(stored)}) RETURNING id"
        async with self._database.transaction():
            rows = await self._database.execute(sql, *stored.values())
            league = await self.find(int(rows[0][0]))
            assert league is not None, "it was written a moment ago"
            await self.make_due(league, at)
        return league

    async def find(self, league_id: int) -> League | None:
        """A league by its id."""
        row = await self._database.fetch_one("SELECT * FROM leagues WHERE id = ?", league_id)
        return _league(row) if row else None

    async def of_server(self, guild_id: int) -> list[League]:
        """The leagues of a server, the newest first."""
        rows = await self._database.fetch("SELECT * FROM leagues WHERE guild_id = ? ORDER BY id DESC", guild_id)
        return [_league(row) for row in rows]

    async def before(self, league: League) -> League | None:
        """The previous league of the same game and server that was played to its end."""
        same = (other for other in await self.of_server(league.guild_id) if other.game == league.game)
        return next(
            (previous for previous in same if previous.id < league.id and previous.status is LeagueStatus.OVER), None
        )

    async def open_under(self, channel_id: int) -> list[League]:
        """The open leagues of a channel."""
        sql = "SELECT * FROM leagues WHERE channel_id = ? AND occupies IS NOT NULL"
        return [_league(row) for row in await self._database.fetch(sql, channel_id)]

    async def change(self, league_id: int, **values: Any) -> None:
        """Set columns of a league. A status that ends it allows a new league of its game."""
        # the names become part of the statement
        assert set(values) <= COLUMNS, "unknown columns of a league"
        stored = dict(values)
        if "options" in stored:
            stored["options"] = json_of(dict(stored["options"]))
        stored |= {name: time_of(stored[name]) for name in ("begun_at", "closes_at") if name in stored}
        if values.get("status") in (LeagueStatus.OVER, LeagueStatus.CALLED_OFF):
            stored["occupies"] = None
        sql = f"UPDATE leagues SET {assignments(stored)} WHERE id = ?"
        async with self._database.transaction():
            await self._database.execute(sql, *stored.values(), league_id)
            if "occupies" in stored:
                await self._database.execute("DELETE FROM league_traces WHERE league_id = ?", league_id)

    # --- people ---

    async def players(self, league_id: int) -> list[LeaguePlayer]:
        """All players in the order of their sign-ups, including dropped ones."""
        # Discord ids ascend with time
        sql = "SELECT * FROM league_players WHERE league_id = ? ORDER BY interaction_id, user_id"
        return [
            LeaguePlayer(row["user_id"], row["interaction_id"], row["name"], row["division"], bool(row["dropped"]))
            for row in await self._database.fetch(sql, league_id)
        ]

    async def sign_up(self, league_id: int, player: LeaguePlayer) -> None:
        """Add a new or dropped player. Does nothing for a current player."""
        sql = """
            INSERT INTO league_players (league_id, user_id, interaction_id, name, division) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (league_id, user_id) DO UPDATE SET dropped = 0
        """
        values = (league_id, player.user_id, player.interaction_id, player.name, player.division)
        await self._database.execute(sql, *values)

    async def drop(self, league_id: int, user_ids: Iterable[int]) -> None:
        """Mark players as dropped: they are not paired any more."""
        sql = "UPDATE league_players SET dropped = 1 WHERE league_id = ? AND user_id = ?"
        await self._database.execute_many(sql, [(league_id, user_id) for user_id in user_ids])

    async def delete_player(self, league_id: int, user_id: int) -> None:
        """Delete the sign-up of a user who leaves before the first round."""
        sql = "DELETE FROM league_players WHERE league_id = ? AND user_id = ?"
        await self._database.execute(sql, league_id, user_id)

    async def divide(self, league_id: int, divisions: Mapping[int, int]) -> None:
        """Set the divisions of users."""
        sql = "UPDATE league_players SET division = ? WHERE league_id = ? AND user_id = ?"
        await self._database.execute_many(sql, [(n, league_id, user_id) for user_id, n in divisions.items()])

    async def times_held(self, league_id: int, user_ids: Collection[int]) -> dict[int, int]:
        """The number of times that a firm pace gave a user's seat to a computer, by user, without zeros.

        Votes of other players do not count: rivals must not decide who plays on in a league. *Forget me* does not reset
        the number.
        """
        sql = """
            SELECT table_events.user_id, count(*) FROM table_events
            JOIN league_tables ON league_tables.match_id = table_events.match_id
            WHERE league_id = ? AND kind = ? AND user_id IS NOT NULL GROUP BY table_events.user_id
        """
        async with self._database.transaction():
            rows = await self._database.fetch(sql, league_id, TableEventKind.LAPSED)
            traces = await self._traces(league_id)
        held = Counter({row[0]: int(row[1]) for row in rows if row[0] in user_ids})
        if traces:
            held.update(
                {user_id: trace["held"] for user_id in user_ids if (trace := traces.get(_digest(league_id, user_id)))}
            )
        return dict(+held)

    async def _traces(self, league_id: int) -> dict[str, Row]:
        sql = "SELECT * FROM league_traces WHERE league_id = ?"
        return {row["digest"]: row for row in await self._database.fetch(sql, league_id)}

    async def leave_traces(self, user_id: int) -> None:
        """Store a user's penalties and rounds in open leagues under a pseudonym, before *Forget me* deletes them."""
        sql = """
            SELECT league_id FROM league_players JOIN leagues ON leagues.id = league_id
            WHERE user_id = ? AND occupies IS NOT NULL
        """
        put = """
            INSERT INTO league_traces (league_id, digest, held, round, forgotten) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (league_id, digest) DO UPDATE
            SET held = excluded.held, round = excluded.round, forgotten = excluded.forgotten
        """
        for league_id in await self._database.fetch_column(sql, user_id):
            digest = _digest(league_id, user_id)
            trace = (await self._traces(league_id)).get(digest, {"round": 0, "forgotten": 0})
            rounds = await self._rounds_seated(league_id, user_id)
            held = (await self.times_held(league_id, [user_id])).get(user_id, 0)
            latest, forgotten = max([trace["round"], *rounds]), trace["forgotten"] + len(rounds)
            if held or latest:
                await self._database.execute(put, league_id, digest, held, latest, forgotten)

    async def forgotten_rounds(self, league_id: int, user_ids: Iterable[int]) -> dict[int, int]:
        """The number of rounds in which a user had a seat before *Forget me*, by user, without zeros."""
        traces = await self._traces(league_id)
        by_digest = {_digest(league_id, user_id): user_id for user_id in user_ids} if traces else {}
        counted = {by_digest[digest]: trace["forgotten"] for digest, trace in traces.items() if digest in by_digest}
        return {user_id: rounds for user_id, rounds in counted.items() if rounds}

    async def _rounds_seated(self, league_id: int, user_id: int) -> list[int]:
        """The rounds in which a user has or had a seat, without those before *Forget me*."""
        sql = """
            SELECT round FROM league_seats WHERE league_id = ? AND user_id = ? UNION
            SELECT round FROM league_tables JOIN seat_history ON seat_history.match_id = league_tables.match_id
            WHERE league_id = ? AND user_id = ?
        """
        return await self._database.fetch_column(sql, league_id, user_id, league_id, user_id)

    async def traces_of(self, user_id: int) -> list[dict[str, int]]:
        """The pseudonymous rows about a user after *Forget me*, for *My data*."""
        # compared row by row: each league has its own digest
        rows = await self._database.fetch("SELECT * FROM league_traces ORDER BY league_id")
        theirs = [row for row in rows if row["digest"] == _digest(row["league_id"], user_id)]
        return [{name: row[name] for name in ("league_id", "held", "round", "forgotten")} for row in theirs]

    async def leagues_of(self, user_id: int) -> list[League]:
        """The open leagues for which a user has signed up."""
        sql = """
            SELECT leagues.* FROM league_players JOIN leagues ON leagues.id = league_id
            WHERE user_id = ? AND occupies IS NOT NULL ORDER BY id
        """
        return [_league(row) for row in await self._database.fetch(sql, user_id)]

    async def is_league_table(self, match_id: int) -> bool:
        """Whether a match is a table of a league."""
        return bool(await self._database.fetch("SELECT 1 FROM league_tables WHERE match_id = ?", match_id))

    async def league_of(self, match_id: int) -> int | None:
        """The id of the league that a match is a table of, if it is one."""
        row = await self._database.fetch_one("SELECT league_id FROM league_tables WHERE match_id = ?", match_id)
        return row["league_id"] if row else None

    async def entry(self, match_id: int, user_id: int) -> LeagueEntry | None:
        """The facts about a user at the table of a league; `None` if the match is not one."""
        table = await self._database.fetch_one("SELECT * FROM league_tables WHERE match_id = ?", match_id)
        if table is None:
            return None
        league_id, number = table["league_id"], table["round"]
        mine = [player for player in await self.players(league_id) if player.user_id == user_id and not player.dropped]
        held = (await self.times_held(league_id, [user_id])).get(user_id, 0)
        is_player = any(player.division == table["division"] for player in mine) and held < MAX_TIMES_HELD
        sql = "SELECT seat FROM league_seats WHERE league_id = ? AND round = ? AND number = ? AND user_id = ?"
        planned = await self._database.fetch_one(sql, league_id, number, table["number"], user_id)
        seated_at = (await self.matches_of(league_id, number, [user_id]))[user_id]
        return LeagueEntry(is_player, Seat(planned["seat"]) if planned else None, frozenset(seated_at))

    async def note_seat(self, match_id: int, user_id: int) -> None:
        """Record under a pseudonym that a user takes a seat in a round of a league, if the match belongs to one."""
        sql = """
            INSERT INTO league_traces (league_id, digest, held, round) VALUES (?, ?, 0, ?)
            ON CONFLICT (league_id, digest) DO UPDATE SET round = excluded.round
        """
        table = await self._database.fetch_one("SELECT * FROM league_tables WHERE match_id = ?", match_id)
        if table is not None:
            await self._database.execute(sql, table["league_id"], _digest(table["league_id"], user_id), table["round"])

    async def matches_of(self, league_id: int, number: int, user_ids: Collection[int]) -> dict[int, set[int | None]]:
        """The matches of a round in which these users have or had a seat, as in `LeagueEntry.seated_at`."""
        planned = """
            SELECT league_seats.user_id AS user_id, match_id FROM league_seats JOIN league_tables
            ON league_tables.league_id = league_seats.league_id AND league_tables.round = league_seats.round
            AND league_tables.number = league_seats.number
            WHERE league_seats.league_id = ? AND league_seats.round = ? AND league_seats.user_id IS NOT NULL
        """
        sat = """
            SELECT seat_history.user_id AS user_id, league_tables.match_id FROM league_tables
            JOIN seat_history ON seat_history.match_id = league_tables.match_id
            WHERE league_id = ? AND round = ? AND seat_history.user_id IS NOT NULL
        """
        rows = [row for sql in (planned, sat) for row in await self._database.fetch(sql, league_id, number)]
        traces = await self._traces(league_id)
        matches = {user_id: {row["match_id"] for row in rows if row["user_id"] == user_id} for user_id in user_ids}
        for user_id in user_ids if traces else ():
            trace = traces.get(_digest(league_id, user_id))
            if trace and trace["round"] == number:
                matches[user_id].add(None)
        return matches

    # --- tables ---

    async def tables(self, league_id: int) -> list[LeagueTable]:
        """All tables of all rounds, in their order."""
        sql = """
            SELECT league_tables.*, matches.status AS status FROM league_tables
            LEFT JOIN matches ON matches.id = league_tables.match_id WHERE league_id = ? ORDER BY round, number
        """
        sat = """
            SELECT league_seats.*, seat_history.user_id AS holder, results.share AS share, results.score AS score
            FROM league_seats JOIN league_tables ON league_tables.league_id = league_seats.league_id
            AND league_tables.round = league_seats.round AND league_tables.number = league_seats.number
            LEFT JOIN seat_history ON seat_history.match_id = league_tables.match_id
            AND seat_history.seat = league_seats.seat AND seat_history.until IS NULL
            LEFT JOIN results ON results.match_id = league_tables.match_id AND results.seat = league_seats.seat
            WHERE league_seats.league_id = ? ORDER BY league_seats.seat
        """
        lost = """
            SELECT forfeits.* FROM forfeits JOIN league_tables ON league_tables.match_id = forfeits.match_id
            WHERE league_id = ? ORDER BY number
        """
        # in one transaction, so that no round is planned between them
        async with self._database.transaction():
            rows, seats = await self._database.fetch(sql, league_id), await self._database.fetch(sat, league_id)
            forfeits = [dict(row) for row in await self._database.fetch(lost, league_id)]
        by_match: dict[int, list[Forfeit]] = {}
        for forfeit in forfeits:
            by_match.setdefault(forfeit["match_id"], []).append(
                Forfeit(forfeit["seat"], forfeit["user_id"], forfeit["place"])
            )
        by_table: dict[tuple[int, int], list[Row]] = {}
        for seat in seats:
            by_table.setdefault((seat["round"], seat["number"]), []).append(seat)
        return [
            _table(row, by_table.get((row["round"], row["number"]), ()), by_match.get(row["match_id"], ()))
            for row in rows
        ]

    async def plan(self, league_id: int, tables: Sequence[LeagueTable], at: datetime, **values: Any) -> None:
        """Begin a round with these tables, at a time in UTC, and set columns of the league."""
        sql = "INSERT INTO league_tables (league_id, round, number, division, secret) VALUES (?, ?, ?, ?, ?)"
        sit = "INSERT INTO league_seats (league_id, round, number, seat, user_id) VALUES (?, ?, ?, ?, ?)"
        async with self._database.transaction():
            await self._database.execute_many(
                sql, [(league_id, table.round, table.number, table.division, table.secret) for table in tables]
            )
            seats = [(table, seat, user_id) for table in tables for seat, user_id in enumerate(table.planned)]
            await self._database.execute_many(
                sit, [(league_id, table.round, table.number, seat, user_id) for table, seat, user_id in seats]
            )
            await self.change(league_id, begun_at=at, **values)

    async def note_table(self, league_id: int, table: LeagueTable, **values: int) -> None:
        """Set the `thread_id` or the `match_id` of a table."""
        sql = f"""
            UPDATE league_tables SET {assignments(values)}
            WHERE league_id = ? AND round = ? AND number = ?
        """
        await self._database.execute(sql, *values.values(), league_id, table.round, table.number)

    async def make_due(self, league: League, at: datetime, *, refresh: bool = False) -> Job:
        """Make the job of an open league due; with `refresh`, it also updates the sign-up message. Returns the job.

        The job keeps only its failed attempts and `LASTING_STATE`.
        """
        async with self._database.transaction():
            before = await self._jobs.find(JobKind.LEAGUE, NO_MATCH, seat=league.id)
            state = {name: value for name, value in (before.state if before else {}).items() if name in LASTING_STATE}
            state |= {"refresh": True} if refresh else {}
            attempts = before.attempts if before else 0
            job = Job(JobKind.LEAGUE, at, seat=league.id, attempts=attempts, state=state, guild_id=league.guild_id)
            await self._jobs.put(job)
        return job

    async def announce_end(self, league: League, user_id: int, at: datetime, *, channel_gone: bool = False) -> None:
        """Add the job that announces in the channel of a league that a user has called it off; if the channel is gone,
        it tells only that user.
        """
        state = {"channel_gone": True} if channel_gone else {}
        job = Job(JobKind.LEAGUE, at, user_id=user_id, seat=league.id, guild_id=league.guild_id, state=state)
        await self._jobs.put(job)


def _digest(league_id: int, user_id: int) -> str:
    return pseudonym("leagues", league_id, user_id)


def _league(row: Row) -> League:
    values: dict[str, Any] = dict(row)
    del values["occupies"]
    values |= {"options": json_at(row["options"]), "swiss": bool(row["swiss"])}
    values |= {"status": LeagueStatus(row["status"]), "closes_at": time_at(row["closes_at"])}
    return League(**values | {"begun_at": time_at_or_none(row["begun_at"])})


def _table(row: Row, seats: Sequence[Row], forfeits: Sequence[Forfeit]) -> LeagueTable:
    over = all(seat["share"] is not None for seat in seats)
    return LeagueTable(
        row["round"],
        row["number"],
        row["division"],
        row["secret"],
        tuple(seat["user_id"] for seat in seats),
        row["thread_id"],
        row["match_id"],
        Status(row["status"]) if row["status"] else None,
        tuple(seat["holder"] for seat in seats),
        tuple((seat["share"], seat["score"]) for seat in seats) if over else (),
        tuple(forfeits),
    )

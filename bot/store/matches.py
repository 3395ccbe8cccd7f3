"""Matches and who sits where in them, from when to when."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from bot.store.auto_answers import AutoAnswers
from bot.store.clocks import Clocks, SeatClock
from bot.store.codec import json_at, json_of, time_at, time_at_or_none, time_of
from bot.store.database import Database, Row, assignments, placeholders
from bot.store.drafts import Drafts
from bot.store.followers import Followers
from bot.store.jobs import Job, JobKind, Jobs
from bot.store.join_requests import JoinRequests
from bot.store.known_seats import KnownSeats
from bot.store.offers import Offers
from bot.store.ratings import Ratings
from bot.store.shard_range import NO_SERVER
from bot.store.table_events import TableEvent, TableEventKind, TableEvents
from bot.store.tally import NO_OWNERS, Owners
from engine.core import OptionValue, Outcome
from engine.proof import AS_STORED, Proof
from engine.texts import Seat


class Status(StrEnum):
    """The status of a match: it waits for players, it is played, it came to its end, or it was called off while it ran.

    `CLOSED` is a table that was given up before the game began.
    """

    LOBBY = "lobby"
    RUNNING = "running"
    OVER = "over"
    ENDED = "ended"
    CLOSED = "closed"


class Admission(StrEnum):
    """Who may join a table before the game: anyone, people whom the host lets in on request, or invited people."""

    ANYONE = "anyone"
    REQUEST = "request"
    INVITATION = "invitation"


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """Who plays a seat: a Discord user, and the name they have in that server, or a computer player, by its id.

    `seen` is the version up to which the user has seen the match. `interaction_id` is that of the tap or command by
    which they sat down: it is a part of the proof of the luck.
    """

    user_id: int | None = None
    computer: str | None = None
    name: str = ""
    seen: int = 0
    interaction_id: int = 0


@dataclass(frozen=True, slots=True)
class PastHolder:
    """That somebody played a seat up to entry `until` of the log, and then somebody else."""

    seat: Seat
    holder: SeatHolder
    until: int


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A stored match without its log. `seed` and `secret` are secrets and are left out of `repr`.

    The seed is there once the match has begun; `secret` and `ids` are what it is made of (see `engine.proof`), by the
    scheme `proof_version`.

    `holders` are who plays now, `before` who has played, in the order in which they left. `pace` is the name of one of
    `bot.tables.paces.PACES`, or "" if nobody is ever late; a `firm` one waits for no vote.

    In a thread, `parent_id` is the channel that it belongs to, and `own_thread` says that it was opened for the game.
    A lobby begins by itself `when_full`; with a `ready_check`, or where the game has it anyway, everybody is asked
    first: from then on `ready` are the users who are. `rated` is whether the host wants it, and once it has begun
    whether the result counts. `admits` is the admission to the lobby.
    """

    id: int
    guild_id: int
    channel_id: int
    host_id: int
    game: str
    rules_version: int
    options: dict[str, OptionValue]
    seed: str
    status: Status
    lobby_message_id: int | None
    holders: tuple[SeatHolder, ...]
    before: tuple[PastHolder, ...] = ()
    parent_id: int | None = None
    own_thread: bool = False
    when_full: bool = False
    ready_check: bool = False
    ready: frozenset[int] | None = None
    pace: str = ""
    firm: bool = False
    secret: str = ""
    ids: tuple[int, ...] = ()
    rated: bool = False
    proof_version: int = AS_STORED
    admits: Admission = Admission.ANYONE
    damage: str = ""
    """What of the row cannot be read, for the log; the columns concerned have harmless values then."""

    @property
    def proof(self) -> Proof | None:
        """What the seed is made of; nothing for a match whose luck cannot be proved."""
        return Proof(self.secret, self.ids, self.proof_version) if self.secret else None

    def kept(self) -> dict[str, Any]:
        """The columns that a rematch takes over beside people and options."""
        return {name: getattr(self, name) for name in KEPT}

    def __repr__(self) -> str:
        return f"MatchRow(id={self.id}, game={self.game!r}, status={self.status.value!r})"


KEPT = ("parent_id", "own_thread", "when_full", "ready_check", "pace", "firm", "rated", "admits")
"""Columns of a match that stay the same when the same people play again."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """What a match that was called off is worth: by seat, points and share of the win, and whose they are."""

    merits: tuple[tuple[int, float], ...]
    owners: Owners


@dataclass(frozen=True, slots=True)
class Unrating:
    """That a running match counts no more; where its player has `conceded`, it does so for the others."""

    conceded: TableEvent | None = None


@dataclass(frozen=True, slots=True)
class Past:
    """A match of a channel for a list: its id, game and status, and when something was last done in it, in UTC."""

    id: int
    game: str
    status: Status
    at: datetime | None


@dataclass(frozen=True, slots=True)
class InThread:
    """The newest match of a thread for a list: its game, host and status, and the thread."""

    channel_id: int
    host_id: int
    game: str
    status: Status


@dataclass(frozen=True, slots=True)
class Played:
    """A running match for the list of a player: when something was last done in it, in UTC, and who its board called.

    `due` is `None` as long as no board has been posted.
    """

    id: int
    guild_id: int
    seat: Seat
    at: datetime | None
    due: frozenset[Seat] | None


@dataclass(frozen=True, slots=True)
class OpenLimits:
    """How many matches may be open at once in a server, and of those, how many one user may host; 0 for any number."""

    server: int = 0
    host: int = 0


ANY_NUMBER = OpenLimits()


class LimitReached(Exception):
    """A server has as many open matches as it wants to have."""


class HostLimitReached(LimitReached):
    """A user hosts as many open matches of a server as one may."""


BEGUN = (Status.RUNNING, Status.OVER, Status.ENDED)
"""The statuses of matches in which there was something to play."""

CLOSED_WITHIN = timedelta(minutes=1)
"""The message of a lobby says at once that it has ended; if that fails, a job edits it this much later."""

COLUMNS = frozenset(MatchRow.__slots__) - {"id", "holders", "before", "damage"} | {"reason"}
"""Those of a match that `change` can set."""

_FLAGS = ("own_thread", "when_full", "ready_check", "firm", "rated")
# by its number, which is in the key of the table: `max(at)` would read the whole log
_LAST = "(SELECT at FROM entries WHERE entries.match_id = matches.id ORDER BY n DESC LIMIT 1)"

_WAKING = (JobKind.REMINDER, JobKind.BOARD, JobKind.COMPUTER, JobKind.CLOCK, JobKind.ANSWER)
# a game sleeps once each player who is due has had the last reminder: then nothing happens by itself any more
_ASLEEP = f"""
    (matches.status = '{Status.RUNNING}' AND NOT EXISTS (
        SELECT 1 FROM jobs
        WHERE jobs.match_id = matches.id AND jobs.kind IN ({", ".join(f"'{kind}'" for kind in _WAKING)})
    ))
"""

NEW_COLUMNS = "guild_id, channel_id, occupies, host_id, game, rules_version, options, secret, seed, status"
FIRST_ID = "SELECT value FROM settings WHERE scope = 'bot' AND scope_id = 0 AND name = 'first match'"
REPLACE_VALUE = "ON CONFLICT (scope, scope_id, name) DO UPDATE SET value = excluded.value"


class Matches:
    """The matches of all channels, without their logs."""

    def __init__(self, database: Database, jobs: Jobs) -> None:
        self._database = database
        self._jobs, self._clocks, self._drafts = jobs, Clocks(database, jobs), Drafts(database)
        self._followers, self._table_events, self._offers = Followers(database), TableEvents(database), Offers(database)
        self._auto_answers, self._known_seats = AutoAnswers(database), KnownSeats(database)
        self._join_requests = JoinRequests(database)
        self._ratings = Ratings(database)

    async def create(
        self,
        *,
        guild_id: int,
        channel_id: int,
        host_id: int,
        holders: Sequence[SeatHolder],
        options: Mapping[str, OptionValue],
        game: str,
        rules_version: int,
        secret: str,
        at: datetime,
        most: OpenLimits = ANY_NUMBER,
        **kept: Any,
    ) -> int:
        """A new lobby with some people in it, at a time in UTC; `kept` are columns that stay from a match before.

        Returns the id of the match.

        Raises:
            LimitReached: the server has as many open matches as it may.
            HostLimitReached: its host has.
            Conflict: the channel has an open match.
        """
        async with self._database.transaction():
            # inside the transaction: two tables opened at once must not both take the last free place
            await self.require_room(guild_id, host_id, most)
            # the second one is `occupies`, which is unique: a channel has one open match at most
            row = (guild_id, channel_id, channel_id, host_id, game, rules_version, json_of(dict(options)), secret, "")
            match_id = await self._insert(*row, Status.LOBBY)
            await self._sit(match_id, dict(enumerate(holders)))
            await self.gather(match_id, at, **kept)
            if kept.get("own_thread"):
                # due at once; it puts itself off as long as the match is open
                await self._jobs.put(Job(JobKind.THREAD_ARCHIVE, at, match_id))
        return match_id

    async def _insert(self, *row: object) -> int:
        """A new row, with the next id; its values are in the order of `NEW_COLUMNS`. Returns the id."""
        columns, values = NEW_COLUMNS, row
        if first := await self._database.fetch_value(FIRST_ID):
            await self._database.execute("DELETE FROM settings WHERE scope = 'bot' AND name = 'first match'")
            columns, values = f"id, {NEW_COLUMNS}", (int(first), *row)
        sql = f"INSERT INTO matches ({columns}) VALUES ({placeholders(values)}) RETURNING id"
        rows = await self._database.execute(sql, *values)
        if first:
            await self._database.count_on("matches")
        return int(rows[0][0])

    async def skip_ids(self, number: int) -> None:
        """Let the next match have an id that is higher than usual by a number."""
        sql = "INSERT INTO settings (scope, scope_id, name, value) VALUES ('bot', 0, 'first match', ?)"
        last = await self._database.fetch_value("SELECT max(id) FROM matches") or 0
        await self._database.execute(f"{sql} {REPLACE_VALUE}", json_of(last + number))

    async def running_versions(self) -> dict[int, int]:
        """The running matches in the share of this process, with the lengths of their logs."""
        mine = self._database.shard_range.condition("guild_id")
        sql = f"""
            SELECT id, (SELECT count(*) FROM entries WHERE match_id = matches.id) FROM matches
            WHERE status = ? AND {mine}
        """
        return {row[0]: row[1] for row in await self._database.fetch(sql, Status.RUNNING)}

    async def require_room(self, guild_id: int, host_id: int, most: OpenLimits) -> None:
        """Raise `LimitReached` or `HostLimitReached` if as many matches are open as may be, without those asleep."""
        sql = f"SELECT count(*) FROM matches WHERE guild_id = ? AND occupies IS NOT NULL AND NOT {_ASLEEP}"
        if most.server and await self._database.fetch_value(sql, guild_id) >= most.server:
            raise LimitReached
        if most.host and await self._database.fetch_value(f"{sql} AND host_id = ?", guild_id, host_id) >= most.host:
            raise HostLimitReached

    async def is_asleep(self, match_id: int) -> bool:
        """Whether a running match waits for people who get no more reminders."""
        sql = f"SELECT 1 FROM matches WHERE id = ? AND {_ASLEEP}"
        return bool(await self._database.fetch(sql, match_id))

    async def find(self, match_id: int) -> MatchRow | None:
        """A match by its id, also one whose row is damaged."""
        row = await self._database.fetch_one("SELECT * FROM matches WHERE id = ?", match_id)
        if row is None:
            return None
        # SQLite puts those who play now first and PostgreSQL last; `_match` tells them by `until`
        sql = "SELECT * FROM seat_history WHERE match_id = ? ORDER BY until, seat"
        return _match(row, await self._database.fetch(sql, match_id))

    async def open_in_server(self, guild_id: int) -> list[int]:
        """The ids of the lobbies and running matches of a server, oldest first."""
        sql = "SELECT id FROM matches WHERE guild_id = ? AND occupies IS NOT NULL ORDER BY id"
        return await self._database.fetch_column(sql, guild_id)

    async def servers_with_tables(self) -> list[int]:
        """The servers of this process that have a lobby or a running match."""
        mine = self._database.shard_range.condition("guild_id")
        sql = f"SELECT DISTINCT guild_id FROM matches WHERE occupies IS NOT NULL AND guild_id <> ? AND {mine}"
        return await self._database.fetch_column(sql, NO_SERVER)

    async def open_channels(self, guild_id: int) -> list[int]:
        """The channels and threads of a server that have a lobby or a running match."""
        sql = "SELECT occupies FROM matches WHERE guild_id = ? AND occupies IS NOT NULL"
        return await self._database.fetch_column(sql, guild_id)

    async def running_in_server(self, guild_id: int) -> int:
        """How many matches of a server are being played, without those that are asleep."""
        sql = f"""
            SELECT count(*) FROM matches
            WHERE guild_id = ? AND occupies IS NOT NULL AND status = ? AND NOT {_ASLEEP}
        """
        return int(await self._database.fetch_value(sql, guild_id, Status.RUNNING))

    async def server_of(self, channel_id: int) -> int:
        """The server of a channel in which there has been a match; `NO_SERVER` for any other channel."""
        sql = "SELECT guild_id FROM matches WHERE channel_id = ? LIMIT 1"
        # a channel never changes its server, so any of its matches will do
        return await self._database.fetch_value(sql, channel_id) or NO_SERVER

    async def open_in(self, channel_id: int) -> int | None:
        """The id of the lobby or running match of a channel."""
        found: int | None = await self._database.fetch_value("SELECT id FROM matches WHERE occupies = ?", channel_id)
        return found

    async def open_under(self, channel_id: int) -> list[int]:
        """The ids of the lobbies and running matches of a channel and of its threads."""
        sql = "SELECT id FROM matches WHERE (channel_id = ? OR parent_id = ?) AND occupies IS NOT NULL"
        return await self._database.fetch_column(sql, channel_id, channel_id)

    async def last_in(self, channel_id: int) -> int | None:
        """The id of the newest match of a channel that has begun and is not played any more."""
        # ids ascend: the newest match has the largest
        sql = "SELECT max(id) FROM matches WHERE channel_id = ? AND status IN (?, ?)"
        found: int | None = await self._database.fetch_value(sql, channel_id, Status.OVER, Status.ENDED)
        return found

    async def past_of(self, channel_id: int, most: int) -> list[Past]:
        """The newest matches of a channel that have begun, the newest first."""
        sql = f"""
            SELECT id, game, status, {_LAST} AS at FROM matches
            WHERE channel_id = ? AND status NOT IN (?, ?) ORDER BY id DESC LIMIT ?
        """
        rows = await self._database.fetch(sql, channel_id, Status.LOBBY, Status.CLOSED, most)
        return [Past(row["id"], row["game"], Status(row["status"]), time_at_or_none(row["at"])) for row in rows]

    async def played_by(self, user_id: int) -> list[Played]:
        """The running matches that a user plays, the one that has been quiet longest first."""
        sql = f"""
            SELECT matches.id, guild_id, seat_history.seat, {_LAST} AS at, boards.body AS board
            FROM matches JOIN seat_history ON seat_history.match_id = matches.id
            LEFT JOIN boards ON boards.match_id = matches.id
            WHERE user_id = ? AND until IS NULL AND status = ? ORDER BY at ASC NULLS FIRST
        """
        # NULLS FIRST is written out, since by default SQLite sorts them first and PostgreSQL last
        played = []
        for row in await self._database.fetch(sql, user_id, Status.RUNNING):
            due = frozenset(map(Seat, json_at(row["board"])["due"])) if row["board"] else None
            played.append(Played(row["id"], row["guild_id"], Seat(row["seat"]), time_at_or_none(row["at"]), due))
        return played

    async def newcomers(self, match_id: int, game: str, user_ids: Collection[int]) -> frozenset[int]:
        """Those of these users who have not played a game in any match before this one."""
        sql = """
            SELECT 1 FROM seat_history JOIN matches ON matches.id = seat_history.match_id
            WHERE seat_history.user_id = ? AND matches.id < ? AND game = ? AND status IN (?, ?, ?) LIMIT 1
        """
        newcomers = set()
        for user_id in user_ids:
            if not await self._database.fetch(sql, user_id, match_id, game, *BEGUN):
                newcomers.add(user_id)
        return frozenset(newcomers)

    async def ended_for(self, user_id: int, since: datetime) -> list[int]:
        """The ids of the matches a user played to their end, or up to where they were called off, after a time."""
        sql = f"""
            SELECT matches.id FROM matches JOIN seat_history ON seat_history.match_id = matches.id
            WHERE user_id = ? AND until IS NULL AND (
                (status = ? AND {_LAST} > ?)
                OR (status = ? AND EXISTS (
                    SELECT 1 FROM table_events AS event
                    WHERE event.match_id = matches.id AND event.kind = ? AND event.at > ?
                ))
            ) ORDER BY matches.id
        """
        # a match that was called off has had no move for a while: the event says when that was
        after = time_of(since)
        return await self._database.fetch_column(
            sql, user_id, Status.OVER, after, Status.ENDED, TableEventKind.CLOSED, after
        )

    async def in_threads_of(self, channel_id: int, most: int) -> list[InThread]:
        """The newest match of every thread of a channel, the newest first."""
        sql = """
            SELECT channel_id, host_id, game, status FROM matches
            WHERE id IN (SELECT max(id) FROM matches WHERE parent_id = ? GROUP BY channel_id)
            ORDER BY id DESC LIMIT ?
        """
        rows = await self._database.fetch(sql, channel_id, most)
        return [InThread(row["channel_id"], row["host_id"], row["game"], Status(row["status"])) for row in rows]

    async def set_holders(self, match_id: int, holders: Sequence[SeatHolder], at: datetime) -> None:
        """Replace who sits where, before the match begins; everybody who was ready is asked anew."""
        async with self._database.transaction():
            await self._database.execute("DELETE FROM seat_history WHERE match_id = ?", match_id)
            await self._sit(match_id, dict(enumerate(holders)))
            await self.gather(match_id, at, ready=None)

    async def gather(self, match_id: int, at: datetime, **values: Any) -> None:
        """Set columns of a lobby, which is kept open from now on, even if none is set."""
        expiry = Job(JobKind.LOBBY_EXPIRY, at, match_id, state={"since": time_of(at), "warned": None})
        async with self._database.transaction():
            await self.change(match_id, **values)
            await self._jobs.put(expiry)

    async def touched(self, match_id: int) -> datetime | None:
        """When somebody last did something at a lobby; nothing for what is none any more."""
        job = await self._jobs.find(JobKind.LOBBY_EXPIRY, match_id)
        return time_at(job.state["since"]) if job else None

    async def hand_over(
        self,
        match_id: int,
        seat: Seat,
        holder: SeatHolder,
        since: int,
        *events: TableEvent,
        at: datetime,
        left: int | None = None,
        clock: SeatClock | None = None,
        knowers: Collection[str] = (),
    ) -> None:
        """Let somebody else play a seat from entry `since` of the log on, perhaps with the `events` that tell why;
        `left` is the user who played it. It is so at a time in UTC.

        Who sat there before is kept; no draft is, nor an auto-answer, nor an offer of the seat, and who plays it
        does not follow the match. `clock` is what becomes of the one of that seat. `knowers` know its secrets from now
        on (see `bot.store.known_seats`).
        """
        async with self._database.transaction():
            await self._sit_instead(match_id, seat, holder, since)
            await self._drafts.drop(match_id, seat)
            await self._offers.drop(match_id, seat)
            await self._auto_answers.drop(match_id, seat)
            if left is not None:
                # these jobs are keyed by user, so a new player of the seat would not replace them
                await self._jobs.drop(JobKind.ANSWER, match_id, left)
            if holder.user_id is not None:
                await self._followers.put(match_id, holder.user_id, follows=False)
            # a computer may have to play on; and where somebody waits for the others again, their clocks have to run
            await self._jobs.put(Job(JobKind.COMPUTER, at, match_id), Job(JobKind.CLOCK, at, match_id, seat=seat))
            await self._clocks.put([clock] if clock else [])
            await self._jobs.hurry(at, JobKind.CLOCK, match_id)
            await self._known_seats.add(match_id, seat, knowers)
            await self._table_events.add(match_id, *events)

    async def cast(self, match_id: int, seat: Seat, holder: SeatHolder, since: int, *events: TableEvent) -> None:
        """Let another computer play a seat of one from entry `since` of the log on; who played before is kept."""
        async with self._database.transaction():
            await self._sit_instead(match_id, seat, holder, since)
            await self._table_events.add(match_id, *events)

    async def note(self, match_id: int, seat: Seat, **values: Any) -> None:
        """Set `name` or `seen` of the player of a seat."""
        sql = f"UPDATE seat_history SET {assignments(values)} WHERE match_id = ? AND seat = ? AND until IS NULL"
        await self._database.execute(sql, *values.values(), match_id, seat)

    async def change(self, match_id: int, **values: Any) -> None:
        """Set columns of a match. One that is over or called off leaves its channel free."""
        if not values:
            return
        # the names become part of the statement
        assert set(values) <= COLUMNS, "these are no columns of a match"
        stored = {name: _stored(name, value) for name, value in values.items()}
        if values.get("status") in (Status.OVER, Status.ENDED, Status.CLOSED):
            # the column is unique: this is what lets the next match into the channel
            stored["occupies"] = None
        sql = f"UPDATE matches SET {assignments(stored)} WHERE id = ?"
        await self._database.execute(sql, *stored.values(), match_id)

    async def unrate(self, match_id: int, change: Unrating) -> None:
        """Let a running match count no more, at least for one of its players."""
        if change.conceded is None:
            await self.change(match_id, rated=False)
        else:
            await self._table_events.add(match_id, change.conceded)

    async def close(
        self, match_id: int, status: Status, at: datetime, *events: TableEvent, unfinished: Unfinished | None = None
    ) -> None:
        """Call a match off, at a time in UTC, perhaps with the event that tells why, and with what it is worth."""
        async with self._database.transaction():
            await self.change(match_id, status=status)
            if unfinished is not None:
                await self._note_results(match_id, unfinished.merits, unfinished.owners)
            if status is Status.CLOSED:
                await self.end_lobby(match_id, at)
            else:
                # a board posted now would have live buttons for a match that was called off
                await self._jobs.drop(JobKind.BOARD, match_id)
                await self._jobs.put(Job(JobKind.RETIRE, at, match_id))
                # there is nothing left to be decided
                for kind in (JobKind.REMINDER, JobKind.ANSWER):
                    await self._jobs.expect(kind, match_id, ())
            await self._known_seats.drop(match_id)
            await self._jobs.hurry(at, JobKind.THREAD_ARCHIVE, match_id)
            await self._jobs.hurry_league(at, match_id)
            await self._table_events.add(match_id, *events)

    async def end_lobby(self, match_id: int, at: datetime) -> None:
        """People gather at a table no more, from a time on: nobody has to keep it open, but its message must say so."""
        async with self._database.transaction():
            await self._jobs.drop(JobKind.LOBBY_EXPIRY, match_id)
            await self._join_requests.drop_all(match_id)
            await self._jobs.put(Job(JobKind.LOBBY_MESSAGE, at + CLOSED_WITHIN, match_id))

    async def end(self, match_id: int, outcome: Outcome, at: datetime, owners: Owners = NO_OWNERS) -> None:
        """The match is over: how it ended, what each seat got, and whose that is. Its story is due from now on."""
        merits = tuple(zip(outcome.scores, outcome.returns, strict=True))
        async with self._database.transaction():
            await self.change(match_id, status=Status.OVER, reason=outcome.reason)
            await self._note_results(match_id, merits, owners)
            await self._known_seats.drop(match_id)
            await self._jobs.put(Job(JobKind.STORY, at, match_id))
            await self._jobs.hurry(at, JobKind.THREAD_ARCHIVE, match_id)
            await self._jobs.hurry_league(at, match_id)

    async def _note_results(self, match_id: int, merits: Sequence[tuple[int, float]], owners: Owners) -> None:
        """Write the results of a match, by seat: points, share of the win, owner; and count them if they are rated."""
        sql = "INSERT INTO results (match_id, seat, score, share) VALUES (?, ?, ?, ?)"
        rows = [(match_id, seat, score, share) for seat, (score, share) in enumerate(merits)]
        await self._database.execute_many(sql, rows)
        await self._ratings.note_owners(match_id, owners.credits, owners.forfeits)
        if owners.rated and owners.credits:
            await self._ratings.add(match_id, owners.moves)

    async def set_pace(
        self, match_id: int, pace: str, firm: bool, clocks: Iterable[SeatClock] = (), *events: TableEvent
    ) -> None:
        """Give so much time for a turn from now on; `clocks` are those of the match by that."""
        async with self._database.transaction():
            await self.change(match_id, pace=pace, firm=firm)
            await self._clocks.put(clocks)
            await self._table_events.add(match_id, *events)

    async def _sit_instead(self, match_id: int, seat: Seat, holder: SeatHolder, since: int) -> None:
        """Let another holder play a seat from entry `since` on; a sitting in which nothing happened leaves no trace."""
        now = "match_id = ? AND seat = ? AND until IS NULL"
        await self._database.execute(f"DELETE FROM seat_history WHERE {now} AND since = ?", match_id, seat, since)
        await self._database.execute(f"UPDATE seat_history SET until = ? WHERE {now}", since, match_id, seat)
        await self._sit(match_id, {seat: holder}, since)

    async def _sit(self, match_id: int, holders: Mapping[int, SeatHolder], since: int = 0) -> None:
        sql = """
            INSERT INTO seat_history (match_id, seat, since, user_id, computer, name, seen, interaction_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """
        rows = [
            (match_id, seat, since, one.user_id, one.computer, one.name, one.seen, one.interaction_id)
            for seat, one in holders.items()
        ]
        await self._database.execute_many(sql, rows)


def _stored(name: str, value: Any) -> Any:
    if name == "options":
        return json_of(dict(value))
    if name == "ids":
        return json_of(list(value))
    if name == "ready":
        return None if value is None else json_of(sorted(value))
    return value


def _match(row: Row, sat: Sequence[Row]) -> MatchRow:
    """A match with those who sit there. What of it cannot be read has harmless values, so that it can be closed."""
    values: dict[str, Any] = dict(row)
    occupies = values.pop("occupies")
    for name in ("reason", "moves", "ended"):
        del values[name]
    values |= {name: bool(values[name]) for name in _FLAGS}
    now, earlier = [one for one in sat if one["until"] is None], [one for one in sat if one["until"] is not None]
    # outside the `try`: even a damaged table needs its people, so that it can be ended
    values["holders"] = tuple(map(_holder, now))
    try:
        ready = None if row["ready"] is None else frozenset(map(int, json_at(row["ready"])))
        values |= {"status": Status(row["status"]), "options": _options(row["options"]), "ready": ready}
        values["admits"] = Admission(row["admits"])
        values["ids"] = tuple(map(int, json_at(row["ids"])))
        values["before"] = tuple(PastHolder(Seat(one["seat"]), _holder(one), one["until"]) for one in earlier)
        if [one["seat"] for one in now] != list(range(len(now))):
            raise ValueError("a seat is missing")
    except (TypeError, ValueError) as error:
        values |= {"options": {}, "ready": None, "ids": (), "before": (), "damage": str(error)}
        values["admits"] = Admission.ANYONE
        values["status"] = Status.RUNNING if occupies else Status.ENDED
    return MatchRow(**values)


def _holder(row: Row) -> SeatHolder:
    return SeatHolder(row["user_id"], row["computer"], row["name"], row["seen"], row["interaction_id"])


def _options(stored: str) -> dict[str, OptionValue]:
    """The stored options. Raises `TypeError` and `ValueError`."""
    options = json_at(stored)
    if not isinstance(options, dict):
        raise ValueError("the options are no options")
    return options

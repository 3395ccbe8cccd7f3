"""Matches and the history of their seats."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from bot.store.codec import json_at, json_of, time_at_or_none, time_of
from bot.store.columns import Hidden, OtherId, Personal, PlannedTime, Term, Unstored, UserId, columns_of
from bot.store.database import Repository, Row, placeholders
from bot.store.jobs import JobKind
from bot.store.shard_range import NO_SERVER
from bot.store.table_events import TableEvent, TableEventKind
from bot.store.tally import Owners
from engine.core import OptionValue
from engine.proof import AS_STORED, Proof
from engine.texts import Seat
from engine.values import Value

FORGOTTEN_NAME = "somebody"
"""The name of forgotten users in their past games."""


class Status(StrEnum):
    """The status of a match: waiting for players, running, played to its end (`OVER`), or called off (`ENDED`).

    `CLOSED` is a table that was called off before the game began.
    """

    LOBBY = "lobby"
    RUNNING = "running"
    OVER = "over"
    ENDED = "ended"
    CLOSED = "closed"


class Admission(StrEnum):
    """The rule for joining a table before the game: freely, with the host's approval, or by invitation."""

    ANYONE = "anyone"
    REQUEST = "request"
    INVITATION = "invitation"


class SeatHolder(Value):
    """The holder of a seat: a Discord user with their name in that server, or a computer player by its id.

    `seen` is the version up to which the user has seen the match. `interaction_id` is the tap or command by which they
    sat down, which is a part of the proof of the luck.
    """

    user_id: UserId | None = None
    computer: Term | None = None
    name: Annotated[str, Personal(FORGOTTEN_NAME)] = ""
    seen: int = 0
    interaction_id: OtherId = 0


class PastHolder(Value):
    """A former holder of a seat, who played it up to entry `until` of the log."""

    seat: Seat
    holder: SeatHolder
    until: int


class MatchRow(Value):
    """A stored match without its log. `repr` omits `seed` and `secret`.

    The seed exists once the match has begun; it is computed from `secret` and `ids` by the scheme `proof_version` (see
    `engine.proof`).

    `holders` are the current holders, `past_holders` the former ones in the order in which they left. `pace` is the
    name of one of `bot.tables.paces.PACES`, or "" for no time limit; a `firm` pace has no votes.

    For a thread, `parent_id` is its channel, and `own_thread` says that it was opened for the game. A lobby with
    `when_full` begins by itself. With a `ready_check`, or where the game requires it, all players are asked first, and
    `ready` are the users that have agreed. `rated`: before the game, whether the host wants it rated; afterwards,
    whether the result counts. `admits` is the admission to the lobby, `starts_at` the time at which it begins by
    itself if it can, `reason` the way in which the match ended.
    """

    id: OtherId
    guild_id: OtherId
    channel_id: OtherId
    host_id: Annotated[UserId, Hidden()]
    game: Term
    rules_version: int
    options: dict[str, OptionValue]
    seed: Annotated[str, Hidden()]
    status: Status
    lobby_message_id: OtherId | None
    holders: Annotated[tuple[SeatHolder, ...], Unstored()]
    past_holders: Annotated[tuple[PastHolder, ...], Unstored()] = ()
    parent_id: OtherId | None = None
    own_thread: bool = False
    when_full: bool = False
    ready_check: bool = False
    ready: Annotated[frozenset[UserId] | None, Hidden()] = None
    pace: Term = ""
    firm: bool = False
    secret: Annotated[str, Hidden()] = ""
    ids: Annotated[tuple[int, ...], Hidden()] = ()
    rated: bool = False
    proof_version: int = AS_STORED
    admits: Admission = Admission.ANYONE
    reason: Term | None = None
    starts_at: PlannedTime | None = None
    damage: Annotated[str, Unstored()] = ""
    """The reason why the row is unreadable, for the log; the damaged columns have harmless values then."""

    @property
    def proof(self) -> Proof | None:
        """The proof of the luck; `None` for a match whose luck cannot be proved."""
        return Proof(self.secret, self.ids, self.proof_version) if self.secret else None

    def carried_over(self) -> dict[str, Any]:
        """The columns that a rematch copies, besides people and options."""
        return {name: getattr(self, name) for name in REMATCH_COLUMNS}

    def __repr__(self) -> str:
        return f"MatchRow(id={self.id}, game={self.game!r}, status={self.status.value!r})"


REMATCH_COLUMNS = ("parent_id", "own_thread", "when_full", "ready_check", "pace", "firm", "rated", "admits")
"""Columns of a match that a rematch copies."""


class Results(Value):
    """The results of a match that has ended: points and share of the win by seat, and their owners."""

    merits: tuple[tuple[int, float], ...]
    owners: Owners


class Unrating(Value):
    """The end of the rating of a running match; with `conceded`, only for the player who conceded."""

    conceded: TableEvent | None = None


class Past(Value):
    """A match in a list of a channel's matches; `at` is the time of its last entry, in UTC."""

    id: int
    game: str
    status: Status
    at: datetime | None


class InThread(Value):
    """The newest match of a thread, in a list of threads; `channel_id` is the thread."""

    channel_id: int
    host_id: int
    game: str
    status: Status


class Played(Value):
    """A running match in a player's list: the time of its last entry, in UTC, and the seats that its board called.

    `due` is `None` until the first board is posted.
    """

    id: int
    guild_id: int
    seat: Seat
    at: datetime | None
    due: frozenset[Seat] | None


class OpenLimits(Value):
    """Limits on open matches of a server, in all and for each host; 0 means unlimited."""

    server: int = 0
    host: int = 0


UNLIMITED = OpenLimits()


class LimitReached(Exception):
    """A server has reached its limit of open matches."""


class HostLimitReached(LimitReached):
    """A user has reached the server's limit of open matches for one host."""


STARTED_STATUSES = (Status.RUNNING, Status.OVER, Status.ENDED)
"""The statuses of matches that have begun."""

# by number, which is in the key of the table: `max(at)` would read the whole log
_LAST = "(SELECT at FROM entries WHERE entries.match_id = matches.id ORDER BY n DESC LIMIT 1)"

_WAKING = (JobKind.REMINDER, JobKind.BOARD, JobKind.COMPUTER, JobKind.CLOCK, JobKind.ANSWER)
# a match is asleep once every due player has had the last reminder: then nothing is scheduled for it any more
_ASLEEP = f"""
    (matches.status = '{Status.RUNNING}' AND NOT EXISTS (
        SELECT 1 FROM jobs
        WHERE jobs.match_id = matches.id AND jobs.kind IN ({", ".join(f"'{kind}'" for kind in _WAKING)})
    ))
"""

FIRST_ID = "SELECT value FROM settings WHERE scope = 'bot' AND scope_id = 0 AND name = 'first match'"
REPLACE_VALUE = "ON CONFLICT (scope, scope_id, name) DO UPDATE SET value = excluded.value"


class Matches(Repository):
    """The matches of all channels. For everything about one match, see `Facts` (`bot.store.facts`)."""

    async def insert(self, values: Mapping[str, Any], limits: OpenLimits) -> int:
        """Insert a row with these columns. Returns the new id.

        Raises:
            LimitReached: the server has reached its limit of open matches.
            HostLimitReached: the host has reached theirs.
            Conflict: the channel has an open match (the column `occupies` is unique).
        """
        async with self._database.transaction():
            # inside the transaction: two tables opened at once must not both use the last free place
            await self.require_room(values["guild_id"], values["host_id"], limits)
            return await self._insert(dict(values))

    async def _insert(self, values: dict[str, Any]) -> int:
        if first := await self._database.fetch_value(FIRST_ID):
            await self._database.execute("DELETE FROM settings WHERE scope = 'bot' AND name = 'first match'")
            values = {"id": int(first), **values}
        sql = f"INSERT INTO matches ({', '.join(values)}) VALUES ({placeholders(values)}) RETURNING id"
        rows = await self._database.execute(sql, *values.values())
        if first:
            await self._database.advance_ids("matches")
        return int(rows[0][0])

    async def skip_ids(self, number: int) -> None:
        """Skip this number of ids before the next match."""
        sql = "INSERT INTO settings (scope, scope_id, name, value) VALUES ('bot', 0, 'first match', ?)"
        last = await self._database.fetch_value("SELECT max(id) FROM matches") or 0
        await self._database.execute(f"{sql} {REPLACE_VALUE}", json_of(last + number))

    async def running_versions(self) -> dict[int, int]:
        """The running matches of this process, with the lengths of their logs."""
        mine = self._database.shard_range.condition("guild_id")
        sql = f"""
            SELECT id, (SELECT count(*) FROM entries WHERE match_id = matches.id) FROM matches
            WHERE status = ? AND {mine}
        """
        return {row[0]: row[1] for row in await self._database.fetch(sql, Status.RUNNING)}

    async def require_room(self, guild_id: int, host_id: int, limits: OpenLimits) -> None:
        """Raise `LimitReached` or `HostLimitReached` at a limit of open matches; asleep ones do not count."""
        sql = f"SELECT count(*) FROM matches WHERE guild_id = ? AND occupies IS NOT NULL AND NOT {_ASLEEP}"
        if limits.server and await self._database.fetch_value(sql, guild_id) >= limits.server:
            raise LimitReached
        of_host = f"{sql} AND host_id = ?"
        if limits.host and await self._database.fetch_value(of_host, guild_id, host_id) >= limits.host:
            raise HostLimitReached

    async def is_asleep(self, match_id: int) -> bool:
        """Whether a running match waits for players who get no more reminders."""
        sql = f"SELECT 1 FROM matches WHERE id = ? AND {_ASLEEP}"
        return bool(await self._database.fetch(sql, match_id))

    async def find(self, match_id: int) -> MatchRow | None:
        """A match by its id, even if its row is damaged; `None` if there is none."""
        row = await self._database.fetch_one("SELECT * FROM matches WHERE id = ?", match_id)
        if row is None:
            return None
        # SQLite sorts the current holders first, PostgreSQL last; `_match` tells them apart by `until`
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
        """The number of running matches of a server, without those that are asleep."""
        sql = f"""
            SELECT count(*) FROM matches
            WHERE guild_id = ? AND occupies IS NOT NULL AND status = ? AND NOT {_ASLEEP}
        """
        return int(await self._database.fetch_value(sql, guild_id, Status.RUNNING))

    async def server_of(self, channel_id: int) -> int:
        """The server of a channel that has had a match; `NO_SERVER` for any other channel."""
        sql = "SELECT guild_id FROM matches WHERE channel_id = ? LIMIT 1"
        # a channel never changes its server, so any of its matches will do
        return await self._database.fetch_value(sql, channel_id) or NO_SERVER

    async def open_in(self, channel_id: int) -> int | None:
        """The id of the lobby or running match of a channel."""
        match_id: int | None = await self._database.fetch_value("SELECT id FROM matches WHERE occupies = ?", channel_id)
        return match_id

    async def open_under(self, channel_id: int) -> list[int]:
        """The ids of the lobbies and running matches of a channel and of its threads."""
        sql = "SELECT id FROM matches WHERE (channel_id = ? OR parent_id = ?) AND occupies IS NOT NULL"
        return await self._database.fetch_column(sql, channel_id, channel_id)

    async def last_in(self, channel_id: int) -> int | None:
        """The id of the newest match of a channel that is over or was called off after its start."""
        # ids ascend: the newest match has the largest
        sql = "SELECT max(id) FROM matches WHERE channel_id = ? AND status IN (?, ?)"
        match_id: int | None = await self._database.fetch_value(sql, channel_id, Status.OVER, Status.ENDED)
        return match_id

    async def past_of(self, channel_id: int, most: int) -> list[Past]:
        """The newest matches of a channel that have begun, the newest first."""
        sql = f"""
            SELECT id, game, status, {_LAST} AS at FROM matches
            WHERE channel_id = ? AND status NOT IN (?, ?) ORDER BY id DESC LIMIT ?
        """
        rows = await self._database.fetch(sql, channel_id, Status.LOBBY, Status.CLOSED, most)
        return [Past(row["id"], row["game"], Status(row["status"]), time_at_or_none(row["at"])) for row in rows]

    async def played_by(self, user_id: int) -> list[Played]:
        """The running matches that a user plays; the one with the oldest last entry comes first."""
        sql = f"""
            SELECT matches.id, guild_id, seat_history.seat, {_LAST} AS at, boards.body AS board
            FROM matches JOIN seat_history ON seat_history.match_id = matches.id
            LEFT JOIN boards ON boards.match_id = matches.id
            WHERE user_id = ? AND until IS NULL AND status = ? ORDER BY at ASC NULLS FIRST
        """
        # explicit NULLS FIRST, since by default SQLite sorts them first and PostgreSQL last
        played = []
        for row in await self._database.fetch(sql, user_id, Status.RUNNING):
            due = frozenset(map(Seat, json_at(row["board"])["due"])) if row["board"] else None
            played.append(Played(row["id"], row["guild_id"], Seat(row["seat"]), time_at_or_none(row["at"]), due))
        return played

    async def newcomers(self, match_id: int, game: str, user_ids: Collection[int]) -> frozenset[int]:
        """The users among `user_ids` without any earlier match of this game."""
        sql = """
            SELECT 1 FROM seat_history JOIN matches ON matches.id = seat_history.match_id
            WHERE seat_history.user_id = ? AND matches.id < ? AND game = ? AND status IN (?, ?, ?) LIMIT 1
        """
        newcomers = set()
        for user_id in user_ids:
            if not await self._database.fetch(sql, user_id, match_id, game, *STARTED_STATUSES):
                newcomers.add(user_id)
        return frozenset(newcomers)

    async def ids_ended_since(self, user_id: int, since: datetime) -> list[int]:
        """The ids of a user's matches that ended or were called off after a time, if they still had a seat then."""
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
        # the last move of a called-off match may be much older than its end, so its event gives the time
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


def _match(row: Row, seat_rows: Sequence[Row]) -> MatchRow:
    """A match with its holders. Damaged columns get harmless values, so that the match can be closed."""
    columns, values = columns_of(MatchRow), dict[str, Any]()
    current = [seat_row for seat_row in seat_rows if seat_row["until"] is None]
    former = [seat_row for seat_row in seat_rows if seat_row["until"] is not None]
    try:
        values |= {name: column.decode(row[name]) for name, column in columns.items()}
        values["past_holders"] = tuple(PastHolder(Seat(past["seat"]), _holder(past), past["until"]) for past in former)
        if [seat_row["seat"] for seat_row in current] != list(range(len(current))):
            raise ValueError("a seat is missing")
    except (TypeError, ValueError) as error:
        values = {name: row[name] for name in columns}
        values |= {name: bool(row[name]) for name, column in columns.items() if column.kind is bool}
        values |= {"options": {}, "ready": None, "ids": (), "past_holders": (), "damage": str(error)}
        values["admits"] = Admission.ANYONE
        values["status"] = Status.RUNNING if row["occupies"] else Status.ENDED
    # outside the `try`: even a damaged table needs its players, so that it can be ended
    return MatchRow(**values, holders=tuple(map(_holder, current)))


def _holder(row: Row) -> SeatHolder:
    return SeatHolder(row["user_id"], row["computer"], row["name"], row["seen"], row["interaction_id"])

"""Matches and who sits where in them, from when to when."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from bot.store.codec import json_at, json_of, time_at_or_none, time_of
from bot.store.columns import Hidden, OtherId, Personal, Term, Unstored, UserId, columns_of
from bot.store.database import Repository, Row, placeholders
from bot.store.jobs import JobKind
from bot.store.shard_range import NO_SERVER
from bot.store.table_events import TableEvent, TableEventKind
from bot.store.tally import Owners
from engine.core import OptionValue
from engine.proof import AS_STORED, Proof
from engine.texts import Seat

SOMEBODY = "somebody"
"""The name of forgotten users in their past games."""


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

    user_id: UserId | None = None
    computer: Term | None = None
    name: Annotated[str, Personal(SOMEBODY)] = ""
    seen: int = 0
    interaction_id: OtherId = 0


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
    whether the result counts. `admits` is the admission to the lobby, `reason` how the match came to its end.
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
    before: Annotated[tuple[PastHolder, ...], Unstored()] = ()
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
    damage: Annotated[str, Unstored()] = ""
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
class Results:
    """The results of a match that has ended: by seat, points and share of the win, and whose they are."""

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

FIRST_ID = "SELECT value FROM settings WHERE scope = 'bot' AND scope_id = 0 AND name = 'first match'"
REPLACE_VALUE = "ON CONFLICT (scope, scope_id, name) DO UPDATE SET value = excluded.value"


class Matches(Repository):
    """The matches of all channels. For everything about one match, see `Facts` (`bot.store.facts`)."""

    async def insert(self, values: Mapping[str, Any], most: OpenLimits) -> int:
        """A new row of these columns, with the next id. Returns the id.

        Raises:
            LimitReached: the server has as many open matches as it may.
            HostLimitReached: its host has.
            Conflict: the channel has an open match, which the unique column `occupies` tells.
        """
        async with self._database.transaction():
            # inside the transaction: two tables opened at once must not both take the last free place
            await self.require_room(values["guild_id"], values["host_id"], most)
            return await self._insert(dict(values))

    async def _insert(self, values: dict[str, Any]) -> int:
        if first := await self._database.fetch_value(FIRST_ID):
            await self._database.execute("DELETE FROM settings WHERE scope = 'bot' AND name = 'first match'")
            values = {"id": int(first), **values}
        sql = f"INSERT INTO matches ({', '.join(values)}) VALUES ({placeholders(values)}) RETURNING id"
        rows = await self._database.execute(sql, *values.values())
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


def _match(row: Row, sat: Sequence[Row]) -> MatchRow:
    """A match with those who sit there. What of it cannot be read has harmless values, so that it can be closed."""
    columns, values = columns_of(MatchRow), dict[str, Any]()
    now, earlier = [one for one in sat if one["until"] is None], [one for one in sat if one["until"] is not None]
    try:
        values |= {name: column.decode(row[name]) for name, column in columns.items()}
        values["before"] = tuple(PastHolder(Seat(one["seat"]), _holder(one), one["until"]) for one in earlier)
        if [one["seat"] for one in now] != list(range(len(now))):
            raise ValueError("a seat is missing")
    except (TypeError, ValueError) as error:
        values = {name: row[name] for name in columns}
        values |= {name: bool(row[name]) for name, column in columns.items() if column.kind is bool}
        values |= {"options": {}, "ready": None, "ids": (), "before": (), "damage": str(error)}
        values["admits"] = Admission.ANYONE
        values["status"] = Status.RUNNING if row["occupies"] else Status.ENDED
    # outside the `try`: even a damaged table needs its people, so that it can be ended
    return MatchRow(**values, holders=tuple(map(_holder, now)))


def _holder(row: Row) -> SeatHolder:
    return SeatHolder(row["user_id"], row["computer"], row["name"], row["seen"], row["interaction_id"])

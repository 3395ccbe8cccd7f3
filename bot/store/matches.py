"""Matches and who sits where in them, from when to when."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    Row,
    Select,
    String,
    Update,
    and_,
    cast,
    delete,
    exists,
    func,
    insert,
    null,
    or_,
    select,
    update,
)

from bot.store.clocks import put_clock
from bot.store.connections import Connection
from bot.store.drafts import drop_draft
from bot.store.followers import drop_follower
from bot.store.going import note_goes_on
from bot.store.known_seats import drop_known_seats, put_known_seat
from bot.store.notes import insert_note
from bot.store.offers import drop_offer
from bot.store.rows import (
    ANY_NUMBER,
    NO_SERVER,
    Chair,
    Crowded,
    HostsEnough,
    InThread,
    MatchRow,
    Note,
    NoteKind,
    OpenLimits,
    Past,
    Played,
    SeatClock,
    Sitting,
    Status,
    TimerKind,
    columns_of,
)
from bot.store.schema import entries, matches, notes, posts, results, sittings
from bot.store.settings import put_value
from bot.store.standing import drop_standing
from bot.store.timers import drop_timer, end_lobby, put_timer
from bot.store.transactions import Transactions, reading, writing
from engine.core import OptionValue, Outcome
from engine.texts import Seat

STORY_DUE = "story due"
"""The name of a value that a match has from its end until its story was told."""


class Matches:
    """The matches of all channels, without their logs."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    @writing
    async def create(
        self,
        connection: Connection,
        /,
        *,
        guild_id: int,
        channel_id: int,
        host_id: int,
        chairs: Sequence[Chair],
        options: Mapping[str, OptionValue],
        game: str,
        rules_version: int,
        seed: str,
        at: datetime,
        most: OpenLimits = ANY_NUMBER,
        **kept: Any,
    ) -> int:
        """A new lobby with some people in it, at a time in UTC; `kept` are columns that stay from a match before.

        Returns the id of the match.

        Raises:
            Crowded: the server has as many open matches as it may.
            HostsEnough: its host has.
            Taken: the channel has an open match.
        """
        await _require_room(connection, guild_id, host_id, most)
        match_id = await connection.scalar(
            insert(matches)
            .values(
                guild_id=guild_id,
                channel_id=channel_id,
                occupies=channel_id,
                host_id=host_id,
                game=game,
                rules_version=rules_version,
                options=dict(options),
                seed=seed,
                status=Status.LOBBY,
                **kept,
            )
            .returning(matches.c.id)
        )
        assert match_id is not None, "the insert returns the id it made"
        await connection.execute(insert(sittings), [_sitting(match_id, n, 0, chair) for n, chair in enumerate(chairs)])
        await put_timer(connection, match_id, TimerKind.LOBBY, at)
        if kept.get("own_thread"):
            await put_timer(connection, match_id, TimerKind.ARCHIVE, at)
        return int(match_id)

    @reading
    async def require_room(self, connection: Connection, guild_id: int, host_id: int, most: OpenLimits) -> None:
        """Raise `Crowded` or `HostsEnough` where `create` would."""
        await _require_room(connection, guild_id, host_id, most)

    @reading
    async def find(self, connection: Connection, match_id: int) -> MatchRow | None:
        """A match by its id, also one whose row is damaged."""
        row = (await connection.execute(_ROW.where(matches.c.id == match_id))).one_or_none()
        return await _with_chairs(connection, row) if row else None

    @reading
    async def open_in_server(self, connection: Connection, guild_id: int) -> list[int]:
        """The ids of the lobbies and running matches of a server, oldest first."""
        return list(await connection.scalars(_open_in(guild_id)))

    @reading
    async def open_channels(self, connection: Connection, guild_id: int) -> list[int]:
        """The channels and threads of a server that have a lobby or a running match."""
        query = select(matches.c.occupies).where(matches.c.occupies.is_not(None), matches.c.guild_id == guild_id)
        return [channel_id for channel_id in await connection.scalars(query) if channel_id is not None]

    @reading
    async def running_in_server(self, connection: Connection, guild_id: int) -> int:
        """How many matches of a server are being played."""
        running = (matches.c.guild_id == guild_id, matches.c.status == Status.RUNNING)
        return await connection.scalar(select(func.count()).select_from(matches).where(*running)) or 0

    @reading
    async def server_of(self, connection: Connection, channel_id: int) -> int:
        """The server of a channel in which there has been a match; `NO_SERVER` for any other channel."""
        query = select(matches.c.guild_id).where(matches.c.channel_id == channel_id).limit(1)
        return await connection.scalar(query) or NO_SERVER

    @reading
    async def open_in(self, connection: Connection, channel_id: int) -> int | None:
        """The id of the lobby or running match of a channel."""
        found: int | None = await connection.scalar(select(matches.c.id).where(matches.c.occupies == channel_id))
        return found

    @reading
    async def open_under(self, connection: Connection, channel_id: int) -> list[int]:
        """The ids of the lobbies and running matches of a channel and of its threads."""
        here = or_(matches.c.channel_id == channel_id, matches.c.parent_id == channel_id)
        return list(await connection.scalars(select(matches.c.id).where(here, matches.c.occupies.is_not(None))))

    @reading
    async def last_in(self, connection: Connection, channel_id: int) -> int | None:
        """The id of the newest match of a channel that has begun and is not played any more."""
        begun = matches.c.status.in_((Status.OVER, Status.ENDED))
        query = select(func.max(matches.c.id)).where(matches.c.channel_id == channel_id, begun)
        found: int | None = await connection.scalar(query)
        return found

    @reading
    async def past_of(self, connection: Connection, channel_id: int, most: int) -> list[Past]:
        """The newest matches of a channel that have begun, the newest first."""
        begun = matches.c.status.not_in((Status.LOBBY, Status.CLOSED))
        last = select(func.max(entries.c.at)).where(entries.c.match_id == matches.c.id).scalar_subquery()
        query = (
            select(matches.c.id, matches.c.game, matches.c.status, last)
            .where(matches.c.channel_id == channel_id, begun)
            .order_by(matches.c.id.desc())
            .limit(most)
        )
        return [Past(*row) for row in await connection.execute(query)]

    @reading
    async def played_by(self, connection: Connection, user_id: int) -> list[Played]:
        """The running matches that a user plays, the one that has been quiet longest first."""
        last = select(func.max(entries.c.at)).where(entries.c.match_id == matches.c.id).scalar_subquery()
        said = (posts.c.match_id == matches.c.id, posts.c.message_id.is_not(None))
        board = select(posts.c.body).where(*said).order_by(posts.c.id.desc()).limit(1).scalar_subquery()
        playing = (sittings.c.user_id == user_id, sittings.c.until.is_(None), matches.c.status == Status.RUNNING)
        query = select(matches.c.id, sittings.c.seat, last, board).join(sittings).where(*playing)
        return [_played(*row) for row in await connection.execute(query.order_by(last.asc().nulls_first()))]

    @reading
    async def ended_for(self, connection: Connection, user_id: int, since: datetime) -> list[int]:
        """The ids of the matches a user played to their end, or up to where they were called off, after a time."""
        last = select(func.max(entries.c.at)).where(entries.c.match_id == matches.c.id).scalar_subquery()
        off = exists().where(notes.c.match_id == matches.c.id, notes.c.kind == NoteKind.CLOSED, notes.c.at > since)
        over = or_(and_(matches.c.status == Status.OVER, last > since), and_(matches.c.status == Status.ENDED, off))
        query = (
            select(matches.c.id).join(sittings).where(sittings.c.user_id == user_id, sittings.c.until.is_(None), over)
        )
        return list(await connection.scalars(query.order_by(matches.c.id)))

    @reading
    async def in_threads_of(self, connection: Connection, channel_id: int, most: int) -> list[InThread]:
        """The newest match of every thread of a channel, the newest first."""
        newest = select(func.max(matches.c.id)).where(matches.c.parent_id == channel_id).group_by(matches.c.channel_id)
        query = select(matches.c.channel_id, matches.c.host_id, matches.c.game, matches.c.status).where(
            matches.c.id.in_(newest)
        )
        rows = (await connection.execute(query.order_by(matches.c.id.desc()).limit(most))).all()
        return [InThread(row.channel_id, row.host_id, row.game, Status(row.status)) for row in rows]

    @writing
    async def set_chairs(self, connection: Connection, match_id: int, chairs: Sequence[Chair], at: datetime) -> None:
        """Replace who sits where, before the match begins; whoever was ready is asked anew."""
        rows = [_sitting(match_id, n, 0, chair) for n, chair in enumerate(chairs)]
        await connection.execute(delete(sittings).where(sittings.c.match_id == match_id))
        if rows:
            await connection.execute(insert(sittings), rows)
        await _gather(connection, match_id, {"ready": None}, at)

    @writing
    async def gather(self, connection: Connection, /, match_id: int, at: datetime, **values: Any) -> None:
        """Set columns of a lobby, which is kept open from now on, even if none is set."""
        await _gather(connection, match_id, values, at)

    @writing
    async def hand_over(
        self,
        connection: Connection,
        match_id: int,
        seat: Seat,
        chair: Chair,
        since: int,
        *notes: Note,
        left: int | None = None,
        clock: SeatClock | None = None,
        knowers: Collection[str] = (),
    ) -> None:
        """Let somebody else play a seat from entry `since` of the log on, perhaps with notes why; `left` is the user
        who played it.

        Who sat there before is kept; no draft is, nor a standing answer, nor an offer of the seat, and who plays it
        does not follow the match. `clock` is what becomes of the one of that seat. `knowers` know its secrets from now
        on (see `bot.store.known_seats`).
        """
        sitting = and_(sittings.c.match_id == match_id, sittings.c.seat == seat, sittings.c.until.is_(None))
        await connection.execute(delete(sittings).where(sitting, sittings.c.since == since))  # played nothing
        await connection.execute(update(sittings).where(sitting).values(until=since))
        await connection.execute(insert(sittings).values(_sitting(match_id, seat, since, chair)))
        await drop_draft(connection, match_id, seat)
        await drop_offer(connection, match_id, seat)
        await drop_standing(connection, match_id, seat)
        if left is not None:
            await drop_timer(connection, match_id, left, TimerKind.ANSWER)
        await drop_follower(connection, match_id, chair.user_id)
        if clock is not None:
            await put_clock(connection, clock)
        for knower in knowers:
            await put_known_seat(connection, match_id, seat, knower)
        for note in notes:
            await insert_note(connection, match_id, note)
        await note_goes_on(connection, match_id)

    @writing
    async def note(self, connection: Connection, /, match_id: int, seat: Seat, **values: Any) -> None:
        """Set `name`, `seen` or `computer` of whoever sits on a seat."""
        now = (sittings.c.match_id == match_id, sittings.c.seat == seat, sittings.c.until.is_(None))
        await connection.execute(update(sittings).where(*now).values(**values))

    @writing
    async def change(self, connection: Connection, /, match_id: int, **values: Any) -> None:
        """Set columns of a match: `options`, `host_id` or `lobby_message_id`."""
        await connection.execute(changed(match_id, values))

    @writing
    async def close(self, connection: Connection, match_id: int, status: Status, at: datetime, *notes: Note) -> None:
        """Call a match off, at a time in UTC, perhaps with a note of it."""
        await connection.execute(changed(match_id, {"status": status}))
        if status is Status.CLOSED:
            await end_lobby(connection, match_id, at)
        await drop_known_seats(connection, match_id)
        for note in notes:
            await insert_note(connection, match_id, note)

    @writing
    async def set_pace(
        self,
        connection: Connection,
        match_id: int,
        pace: str,
        firm: bool,
        clocks: Iterable[SeatClock] = (),
        *notes: Note,
    ) -> None:
        """Give so much time for a turn from now on; `clocks` are those of the match by that."""
        await connection.execute(changed(match_id, {"pace": pace, "firm": firm}))
        for clock in clocks:
            await put_clock(connection, clock)
        for note in notes:
            await insert_note(connection, match_id, note)


async def _require_room(connection: Connection, guild_id: int, host_id: int, most: OpenLimits) -> None:
    is_open = _open_in(guild_id)
    if most.server and len((await connection.scalars(is_open)).all()) >= most.server:
        raise Crowded
    hosted = is_open.where(matches.c.host_id == host_id)
    if most.host and len((await connection.scalars(hosted)).all()) >= most.host:
        raise HostsEnough


def _open_in(guild_id: int) -> Select[tuple[int]]:
    """The lobbies and running matches of a server."""
    is_open = (matches.c.occupies.is_not(None), matches.c.guild_id == guild_id)
    return select(matches.c.id).where(*is_open).order_by(matches.c.id)


async def _gather(connection: Connection, match_id: int, values: dict[str, Any], at: datetime) -> None:
    if values:
        values |= {"ready": null()} if values.get("ready", ()) is None else {}
        await connection.execute(changed(match_id, values))
    await put_timer(connection, match_id, TimerKind.LOBBY, at)


def changed(match_id: int, values: dict[str, Any]) -> Update:
    """New values for a match. One that is over or called off leaves its channel free."""
    if values.get("status") in (Status.OVER, Status.ENDED, Status.CLOSED):
        values = {**values, "occupies": None}
    return update(matches).where(matches.c.id == match_id).values(**values)


def _played(match_id: int, seat: int, at: datetime | None, board: dict[str, Any] | None) -> Played:
    return Played(
        match_id, Seat(seat), at and at.replace(tzinfo=UTC), frozenset(map(Seat, board["due"])) if board else None
    )


async def insert_result(connection: Connection, match_id: int, outcome: Outcome) -> None:
    """The match is over: how it ended, and what each seat got. From now on its story is to be told."""
    await connection.execute(changed(match_id, {"status": Status.OVER, "reason": outcome.reason}))
    rows = [
        {"match_id": match_id, "seat": seat, "score": score, "share": share}
        for seat, (score, share) in enumerate(zip(outcome.scores, outcome.returns, strict=True))
    ]
    await connection.execute(insert(results), rows)
    await drop_known_seats(connection, match_id)
    await put_value(connection, "match", match_id, STORY_DUE, True)


async def _with_chairs(connection: Connection, row: Row[*tuple[Any, ...]]) -> MatchRow:
    query = select(sittings).where(sittings.c.match_id == row.id).order_by(sittings.c.until, sittings.c.seat)
    sat = (await connection.execute(query)).all()
    values: dict[str, Any] = dict(row._mapping)
    del values["occupies"], values["reason"]
    values["chairs"] = tuple(_chair(row) for row in sat if row.until is None)
    try:
        values |= {"status": Status(row.status), "options": _options(row.options), "ready": _ready(row.ready)}
        values["before"] = tuple(_sat(row) for row in sat if row.until is not None)
        if [row.seat for row in sat if row.until is None] != list(range(len(values["chairs"]))):
            raise ValueError("a seat is missing")
    except (TypeError, ValueError) as error:  # whatever has happened to it, somebody must be able to close it
        values |= {"options": {}, "ready": None, "before": (), "damage": str(error)}
        values["status"] = Status.RUNNING if row.occupies else Status.ENDED
    return MatchRow(**values)


def _sat(row: Row[*tuple[Any, ...]]) -> Sitting:
    """Somebody who has played a seat. Raises `ValueError`."""
    return Sitting(Seat(row.seat), _chair(row), row.until)


def _chair(row: Row[*tuple[Any, ...]]) -> Chair:
    return Chair(row.user_id, row.computer, row.name, row.seen)


def _sitting(match_id: int, seat: int, since: int, chair: Chair) -> dict[str, Any]:
    return {"match_id": match_id, "seat": seat, "since": since, **columns_of(chair)}


_ROW = select(
    *(column for column in matches.c if column.name not in ("options", "ready")),
    # read by us, so that damaged ones can be told
    cast(matches.c.options, String).label("options"),
    cast(matches.c.ready, String).label("ready"),
)


def _options(text: str) -> dict[str, OptionValue]:
    """The stored options. Raises `TypeError` and `ValueError`."""
    options = json.loads(text)
    if not isinstance(options, dict):
        raise ValueError("the options are no options")
    return options


def _ready(text: str | None) -> frozenset[int] | None:
    """The stored users who are ready. Raises `TypeError` and `ValueError`."""
    return None if text is None or (users := json.loads(text)) is None else frozenset(map(int, users))

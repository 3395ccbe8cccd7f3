"""Matches and who sits where in them, from when to when."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Row, String, Update, and_, delete, func, insert, select, type_coerce, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.clocks import put_clock
from bot.store.drafts import drop_draft
from bot.store.followers import drop_follower
from bot.store.notes import insert_note
from bot.store.offers import drop_offer
from bot.store.rows import Chair, MatchRow, Note, Past, Played, SeatClock, Sitting, Status
from bot.store.schema import entries, matches, posts, results, sittings
from bot.store.transactions import Transactions
from engine.core import OptionValue, Outcome
from engine.texts import Seat


class Matches:
    """The matches of all channels, without their logs."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    async def create(
        self,
        *,
        guild_id: int,
        channel_id: int,
        host_id: int,
        chairs: Sequence[Chair],
        options: Mapping[str, OptionValue],
        game: str,
        rules_version: int,
        seed: str,
        pace: str = "",
        firm: bool = False,
    ) -> int:
        """A new lobby with some people in it. Returns the id of the match.

        Raises:
            Taken: the channel has an open match.
        """
        async with self._transactions.writing() as connection:
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
                    pace=pace,
                    firm=firm,
                )
                .returning(matches.c.id)
            )
            assert match_id is not None, "the insert returns the id it made"
            await connection.execute(
                insert(sittings), [_sitting(match_id, n, 0, chair) for n, chair in enumerate(chairs)]
            )
        return int(match_id)

    async def find(self, match_id: int) -> MatchRow | None:
        """A match by its id, also one whose row is damaged."""
        async with self._transactions.reading() as connection:
            row = (await connection.execute(_ROW.where(matches.c.id == match_id))).one_or_none()
            return await _with_chairs(connection, row) if row else None

    async def open_in(self, channel_id: int) -> int | None:
        """The id of the lobby or running match of a channel."""
        async with self._transactions.reading() as connection:
            return await connection.scalar(select(matches.c.id).where(matches.c.occupies == channel_id))

    async def last_in(self, channel_id: int) -> int | None:
        """The id of the newest match of a channel that has begun and is not played any more."""
        begun = matches.c.status.in_((Status.OVER, Status.ENDED))
        query = select(func.max(matches.c.id)).where(matches.c.channel_id == channel_id, begun)
        async with self._transactions.reading() as connection:
            found: int | None = await connection.scalar(query)
            return found

    async def past_of(self, channel_id: int, most: int) -> list[Past]:
        """The newest matches of a channel that have begun, the newest first."""
        begun = matches.c.status.not_in((Status.LOBBY, Status.CLOSED))
        last = select(func.max(entries.c.at)).where(entries.c.match_id == matches.c.id).scalar_subquery()
        query = (
            select(matches.c.id, matches.c.game, matches.c.status, last)
            .where(matches.c.channel_id == channel_id, begun)
            .order_by(matches.c.id.desc())
            .limit(most)
        )
        async with self._transactions.reading() as connection:
            return [Past(*row) for row in await connection.execute(query)]

    async def played_by(self, user_id: int) -> list[Played]:
        """The running matches that a user plays, the one that has been quiet longest first."""
        last = select(func.max(entries.c.at)).where(entries.c.match_id == matches.c.id).scalar_subquery()
        said = (posts.c.match_id == matches.c.id, posts.c.message_id.is_not(None))
        board = select(posts.c.body).where(*said).order_by(posts.c.id.desc()).limit(1).scalar_subquery()
        playing = (sittings.c.user_id == user_id, sittings.c.until.is_(None), matches.c.status == Status.RUNNING)
        query = select(matches.c.id, sittings.c.seat, last, board).join(sittings).where(*playing).order_by(last)
        async with self._transactions.reading() as connection:
            return [_played(*row) for row in await connection.execute(query)]

    async def with_computers(self) -> list[int]:
        """The ids of the running matches in which a computer plays."""
        playing = (sittings.c.until.is_(None), sittings.c.computer.is_not(None))
        query = select(matches.c.id).join(sittings).where(matches.c.status == Status.RUNNING, *playing)
        async with self._transactions.reading() as connection:
            return list(await connection.scalars(query.distinct()))

    async def set_chairs(self, match_id: int, chairs: Sequence[Chair]) -> None:
        """Replace who sits where, before the match begins."""
        rows = [_sitting(match_id, n, 0, chair) for n, chair in enumerate(chairs)]
        async with self._transactions.writing() as connection:
            await connection.execute(delete(sittings).where(sittings.c.match_id == match_id))
            if rows:
                await connection.execute(insert(sittings), rows)

    async def hand_over(
        self,
        match_id: int,
        seat: Seat,
        chair: Chair,
        since: int,
        *notes: Note,
        clock: SeatClock | None = None,
    ) -> None:
        """Let somebody else play a seat from entry `since` of the log on.

        Who sat there before is kept; no draft is, nor an offer of the seat, and who plays it does not follow the match.
        `clock` is what becomes of the one of that seat.
        """
        sitting = and_(sittings.c.match_id == match_id, sittings.c.seat == seat, sittings.c.until.is_(None))
        async with self._transactions.writing() as connection:
            await connection.execute(delete(sittings).where(sitting, sittings.c.since == since))  # played nothing
            await connection.execute(update(sittings).where(sitting).values(until=since))
            await connection.execute(insert(sittings).values(_sitting(match_id, seat, since, chair)))
            await drop_draft(connection, match_id, seat)
            await drop_offer(connection, match_id, seat)
            await drop_follower(connection, match_id, chair.user_id)
            if clock is not None:
                await put_clock(connection, clock)
            for note in notes:
                await insert_note(connection, match_id, note)

    async def note(self, match_id: int, seat: Seat, **values: Any) -> None:
        """Set `name` or `seen` of whoever sits on a seat."""
        now = (sittings.c.match_id == match_id, sittings.c.seat == seat, sittings.c.until.is_(None))
        async with self._transactions.writing() as connection:
            await connection.execute(update(sittings).where(*now).values(**values))

    async def change(self, match_id: int, **values: Any) -> None:
        """Set columns of a match: `options`, `status`, `host_id` or `lobby_message_id`."""
        async with self._transactions.writing() as connection:
            await connection.execute(changed(match_id, values))

    async def set_pace(
        self, match_id: int, pace: str, firm: bool, clocks: Iterable[SeatClock] = (), *notes: Note
    ) -> None:
        """Give so much time for a turn from now on; `clocks` are those of the match by that."""
        async with self._transactions.writing() as connection:
            await connection.execute(changed(match_id, {"pace": pace, "firm": firm}))
            for clock in clocks:
                await put_clock(connection, clock)
            for note in notes:
                await insert_note(connection, match_id, note)


def changed(match_id: int, values: dict[str, Any]) -> Update:
    """New values for a match. One that is over or called off leaves its channel free."""
    if values.get("status") in (Status.OVER, Status.ENDED, Status.CLOSED):
        values = {**values, "occupies": None}
    return update(matches).where(matches.c.id == match_id).values(**values)


def _played(match_id: int, seat: int, at: datetime | None, board: dict[str, Any] | None) -> Played:
    return Played(
        match_id, Seat(seat), at and at.replace(tzinfo=UTC), frozenset(map(Seat, board["due"])) if board else None
    )


async def insert_result(connection: AsyncConnection, match_id: int, outcome: Outcome) -> None:
    """The match is over: how it ended, and what each seat got."""
    await connection.execute(changed(match_id, {"status": Status.OVER, "reason": outcome.reason}))
    rows = [
        {"match_id": match_id, "seat": seat, "score": score, "share": share}
        for seat, (score, share) in enumerate(zip(outcome.scores, outcome.returns, strict=True))
    ]
    await connection.execute(insert(results), rows)


async def _with_chairs(connection: AsyncConnection, row: Row[*tuple[Any, ...]]) -> MatchRow:
    query = select(sittings).where(sittings.c.match_id == row.id).order_by(sittings.c.until, sittings.c.seat)
    sat = [(_chair(row), Seat(row.seat), row.until) for row in await connection.execute(query)]
    chairs = tuple(chair for chair, _, until in sat if until is None)
    before = tuple(Sitting(seat, chair, until) for chair, seat, until in sat if until is not None)
    values: dict[str, Any] = dict(row._mapping)
    try:
        values["status"] = Status(row.status)
        values["options"] = _options(row.options)
    except ValueError as error:  # whatever has happened to it, somebody must be able to close it
        values |= {"options": {}, "damage": str(error)}
        values["status"] = Status.RUNNING if row.occupies else Status.ENDED
    del values["occupies"], values["reason"]
    return MatchRow(**values, chairs=chairs, before=before)


def _chair(row: Row[*tuple[Any, ...]]) -> Chair:
    return Chair(row.user_id, row.computer, row.name, row.seen)


def _sitting(match_id: int, seat: int, since: int, chair: Chair) -> dict[str, Any]:
    return {"match_id": match_id, "seat": seat, "since": since, **dataclasses.asdict(chair)}


_ROW = select(
    *(column for column in matches.c if column.name != "options"),
    type_coerce(matches.c.options, String).label("options"),  # read by us, so that a damaged one can be told
)


def _options(text: str) -> dict[str, OptionValue]:
    """The stored options. Raises `ValueError`."""
    options = json.loads(text)
    if not isinstance(options, dict):
        raise ValueError("the options are no options")
    return options

"""The clocks of those who play: what of their time is left, and when to look after it."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Row, func, select, update

from bot.store.connections import Connection
from bot.store.notes import insert_note
from bot.store.rows import Note, SeatClock, Verdict, in_utc
from bot.store.schema import clocks
from bot.store.transactions import Transactions, put_row, reading, writing
from engine.texts import Seat


class Clocks:
    """The clocks of all matches, one a seat. What is to be done is said of those in the share of this process."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._mine = transactions.mine(clocks.c.match_id)

    @reading
    async def of(self, connection: Connection, match_id: int) -> dict[Seat, SeatClock]:
        """The clocks of a match by seat."""
        query = select(clocks).where(clocks.c.match_id == match_id)
        return {Seat(row.seat): _clock(row) for row in await connection.execute(query)}

    @reading
    async def running(self, connection: Connection) -> list[int]:
        """The matches of all that have to be looked after at some time."""
        running = (clocks.c.at.is_not(None), self._mine)
        query = select(clocks.c.match_id).where(*running).distinct()
        return list(await connection.scalars(query))

    @reading
    async def earliest(self, connection: Connection) -> datetime | None:
        """When to look after the next one."""
        query = select(func.min(clocks.c.at)).where(self._mine)
        return in_utc(await connection.scalar(query))

    @reading
    async def ripe(self, connection: Connection, now: datetime) -> list[tuple[int, Seat]]:
        """Those to be looked after by now: match and seat."""
        ripe = (clocks.c.at <= now, self._mine)
        query = select(clocks.c.match_id, clocks.c.seat).where(*ripe).order_by(clocks.c.at)
        return [(row.match_id, Seat(row.seat)) for row in await connection.execute(query)]

    @reading
    async def stood_in(self, connection: Connection) -> list[int]:
        """The matches in which a computer plays a turn for somebody."""
        stood_in = (clocks.c.stand_in != "", self._mine)
        query = select(clocks.c.match_id).where(*stood_in).distinct()
        return list(await connection.scalars(query))

    @writing
    async def put(self, connection: Connection, changed: Iterable[SeatClock], *notes: Note) -> None:
        """Write clocks, each in the place of the one before, and what is noted of it in their match."""
        for clock in changed:
            await put_clock(connection, clock)
            for note in notes:
                await insert_note(connection, clock.match_id, note)

    @writing
    async def forget(self, connection: Connection, match_id: int, seat: Seat) -> None:
        """Look after a clock no more, as at a table that cannot go on."""
        which = (clocks.c.match_id == match_id, clocks.c.seat == seat)
        await connection.execute(update(clocks).where(*which).values(at=None))

    @writing
    async def hurry(self, connection: Connection, user_id: int, now: datetime) -> None:
        """Let the running clocks of a user be looked at now, since his habits have changed."""
        his = (clocks.c.user_id == user_id, clocks.c.at.is_not(None))
        await connection.execute(update(clocks).where(*his).values(at=now))


async def put_clock(connection: Connection, clock: SeatClock) -> None:
    """Write a clock in the place of the one before."""
    votes = {str(user_id): choice for user_id, choice in clock.votes.items()}
    await put_row(connection, clocks, dataclasses.asdict(clock) | {"votes": votes})


async def dismiss(connection: Connection, match_id: int, seats: Collection[Seat]) -> None:
    """The computers that stood in on these seats have done so."""
    which = (clocks.c.match_id == match_id, clocks.c.seat.in_(seats))
    await connection.execute(update(clocks).where(*which).values(stand_in=""))


def _clock(row: Row[Any]) -> SeatClock:
    values: dict[str, Any] = dict(row._mapping)
    for name in ("since", "until", "at", "warned", "out", "vote_ends", "reminds_at"):
        values[name] = in_utc(values[name])
    values["seat"], values["verdict"] = Seat(row.seat), Verdict(row.verdict)
    values["votes"] = {int(user_id): choice for user_id, choice in row.votes.items()}
    return SeatClock(**values)

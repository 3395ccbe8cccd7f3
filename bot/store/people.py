"""All that is kept of one person, to be given to him, or forgotten. A test holds it against the schema."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

from sqlalchemy import ColumnElement, String, Table, and_, cast, delete, exists, or_, select, update

from bot.store.connections import Connection
from bot.store.known_seats import seats_known_by
from bot.store.schema import (
    clocks,
    drafts,
    entries,
    followers,
    invitations,
    matches,
    mornings,
    notes,
    posts,
    reminded,
    results,
    settings,
    sittings,
    standing,
    timers,
    wishes,
)
from bot.store.timers import NOBODY
from bot.store.transactions import Transactions, reading, writing

SOMEBODY = "somebody"
"""What whoever was forgotten is called in his past games."""

ONLY_HIS = (timers, reminded, followers, invitations, mornings)
"""Tables by user of which nothing stays."""

OF_HIS_SEAT = (results, drafts, standing, wishes)
"""Tables by seat of which he gets what belongs to the seats that he has now, or had at the end."""

NOT_FOR_HIM: Mapping[Table, Collection[str]] = MappingProxyType(
    {matches: ("host_id", "seed", "ready", "occupies"), clocks: ("votes",), wishes: ("agreed",)}
)
"""Columns that hold secrets of a game, or ids and words of others."""


class People:
    """What is kept of everybody."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    @reading
    async def all_of(self, connection: Connection, user_id: int) -> dict[str, list[dict[str, Any]]]:
        """The rows about a user, by the name of their table."""
        which = _about(user_id)
        found = {table.name: await _rows(connection, table, is_his) for table, is_his in which.items()}
        hosted = await connection.scalars(select(matches.c.id).where(matches.c.host_id == user_id))
        known = await seats_known_by(connection, user_id)
        votes = await _votes_of(connection, user_id)
        return found | {"votes": votes, "hosted": [{"id": one} for one in hosted], "known_seats": known}

    @reading
    async def open_games(self, connection: Connection, user_id: int) -> list[int]:
        """The ids of the lobbies and running matches in which a user sits."""
        now = (sittings.c.user_id == user_id, sittings.c.until.is_(None), matches.c.occupies.is_not(None))
        return list(await connection.scalars(select(matches.c.id).join(sittings).where(*now).distinct()))

    @reading
    async def names(self, connection: Connection, user_id: int) -> dict[int, set[str]]:
        """The matches that a user has to do with -> what he is called there."""
        mine = or_(matches.c.host_id == user_id, sittings.c.user_id == user_id)
        query = select(matches.c.id, sittings.c.user_id, sittings.c.name).outerjoin(sittings).where(mine)
        names: dict[int, set[str]] = {}
        for row in await connection.execute(query):
            names.setdefault(row.id, set()).update([row.name] if row.user_id == user_id else [])
        return names

    @writing
    async def forget(self, connection: Connection, user_id: int, names: Mapping[int, Collection[str]]) -> None:
        """Forget a user who sits at no open table: past games are those of somebody.

        Which seats of running matches they know stays until those end: else they could take another one.
        `names` are those of before he left: of a seat from which nothing was played nothing is left then.
        """
        await _reword_boards(connection, user_id, names)
        await _leave_his_seats(connection, user_id)
        await _leave_lists(connection, user_id)
        await _take_votes_back(connection, user_id)
        for table in ONLY_HIS:
            await connection.execute(delete(table).where(table.c.user_id == user_id))
        await connection.execute(delete(settings).where(*_his_settings(user_id)))


def _about(user_id: int) -> dict[Table, ColumnElement[bool]]:
    """Table -> which of its rows are about a user."""
    by_user = (sittings, clocks, notes, *ONLY_HIS)
    return {
        matches: or_(matches.c.host_id == user_id, exists().where(_sat(matches.c.id, user_id))),
        **{table: table.c.user_id == user_id for table in by_user},
        **{table: _is_of_his_seat(table, user_id) for table in OF_HIS_SEAT},
        entries: exists().where(_sat(entries.c.match_id, user_id), sittings.c.seat == entries.c.seat, _while_he_sat()),
        settings: and_(*_his_settings(user_id)),
    }


def _sat(match_id: ColumnElement[int], user_id: int) -> ColumnElement[bool]:
    return and_(sittings.c.match_id == match_id, sittings.c.user_id == user_id)


def _while_he_sat() -> ColumnElement[bool]:
    return and_(entries.c.n >= sittings.c.since, or_(sittings.c.until.is_(None), entries.c.n < sittings.c.until))


def _is_of_his_seat(table: Table, user_id: int) -> ColumnElement[bool]:
    now = (sittings.c.seat == table.c.seat, sittings.c.until.is_(None))
    return exists().where(_sat(table.c.match_id, user_id), *now)


def _his_settings(user_id: int) -> tuple[ColumnElement[bool], ...]:
    return settings.c.scope == "user", settings.c.scope_id == user_id


async def _rows(connection: Connection, table: Table, is_his: ColumnElement[bool]) -> list[dict[str, Any]]:
    columns = [column for column in table.c if column.name not in NOT_FOR_HIM.get(table, ())]
    return [dict(row._mapping) for row in await connection.execute(select(*columns).where(is_his))]


async def _votes_of(connection: Connection, user_id: int) -> list[dict[str, Any]]:
    """How he voted on others who were late."""
    found = await connection.execute(select(clocks.c.match_id, clocks.c.seat, clocks.c.votes))
    his = str(user_id)
    return [{"match_id": row.match_id, "seat": row.seat, "vote": row.votes[his]} for row in found if his in row.votes]


async def _reword_boards(connection: Connection, user_id: int, names: Mapping[int, Collection[str]]) -> None:
    """Take somebody out of the words of boards, which are shown again when their controls are taken off.

    Boards name those who play, and call those who follow.
    """
    calling_him = cast(posts.c.body, String).contains(f"<@{user_id}>")
    query = select(posts.c.id, posts.c.match_id, posts.c.body).where(or_(posts.c.match_id.in_(names), calling_him))
    for row in (await connection.execute(query)).all():
        if (body := _reworded(row.body, _called(user_id, names.get(row.match_id, ())))) != row.body:
            await connection.execute(update(posts).where(posts.c.id == row.id).values(body=body))


def _called(user_id: int, names: Collection[str]) -> re.Pattern[str]:
    """How messages call a user: his names with markup escaped, the longest first, and mentions."""
    longest = sorted(filter(None, names), key=len, reverse=True)
    written = [r"(?<!\w)\\?" + r"\\?".join(map(re.escape, name)) + r"(?!\w)" for name in longest]
    return re.compile("|".join([f"<@{user_id}>", *written]))


def _reworded(value: Any, him: re.Pattern[str]) -> Any:
    match value:
        case str():
            return him.sub(SOMEBODY, value)
        case list():
            return [_reworded(one, him) for one in value]
        case dict():
            return {name: _reworded(one, him) for name, one in value.items()}
    return value


async def _leave_his_seats(connection: Connection, user_id: int) -> None:
    """Whoever sat there is somebody; the moves stay, for the others have played them, too."""
    for table in (drafts, standing):
        await connection.execute(delete(table).where(_is_of_his_seat(table, user_id)))
    for table, values in (
        (sittings, {"name": SOMEBODY}),
        (notes, {"words": ""}),
        (clocks, {"habits": {}, "at": None}),
    ):
        his = table.c.user_id == user_id
        await connection.execute(update(table).where(his).values(user_id=NOBODY, **values))
    await connection.execute(update(matches).where(matches.c.host_id == user_id).values(host_id=NOBODY))


async def _leave_lists(connection: Connection, user_id: int) -> None:
    """Take his id out of the lists of those who are ready."""
    for row in (await connection.execute(select(matches.c.id, matches.c.ready))).all():
        if user_id in (row.ready or ()):
            others = [other for other in row.ready if other != user_id]
            await connection.execute(update(matches).where(matches.c.id == row.id).values(ready=others))


async def _take_votes_back(connection: Connection, user_id: int) -> None:
    """Nothing says any more how he voted."""
    query = select(clocks.c.match_id, clocks.c.seat, clocks.c.votes)
    for row in (await connection.execute(query)).all():
        if (his := str(user_id)) in row.votes:
            which = (clocks.c.match_id == row.match_id, clocks.c.seat == row.seat)
            others = {other: vote for other, vote in row.votes.items() if other != his}
            await connection.execute(update(clocks).where(*which).values(votes=others))

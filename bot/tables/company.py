"""Whom one plays with: what keeps people from a table, that is bars by moderators and blocks between players."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from bot.errors import UserError
from bot.store.bars import Bar
from bot.store.blocks import Pair
from bot.store.shard_range import NO_SERVER
from bot.store.store import Store
from bot.tables.people import escaped
from bot.tables.table import Table
from engine.texts import Text

NOT_POSSIBLE = Text("That’s not possible here.")
"""All that anyone hears of a block: neither whose it is, nor that there is one."""


async def require_not_barred(store: Store, guild_id: int, user_id: int, now: datetime) -> None:
    """Raise `UserError` with reason and end of their bar if moderators keep a user out of the games of a server."""
    if guild_id == NO_SERVER:
        return
    bars = await store.bars.among(guild_id, [user_id], now)
    if user_id in bars:
        raise UserError(_bar_text(bars[user_id]))


def _bar_text(bar: Bar) -> Text:
    text = Text("The moderators have barred you from games in this server {until}.", until=span_of(bar))
    return Text("{text}\n> {reason}", text=text, reason=escaped(bar.reason)) if bar.reason else text


def span_of(bar: Bar) -> Text:
    """The duration of a bar, within a sentence."""
    if bar.until is None:
        return Text("until further notice")
    # Discord shows it to everyone in their own time zone
    return Text("until {time}", time=f"<t:{int(bar.until.timestamp())}:f>")


async def require_company(store: Store, user_id: int, others: Collection[int]) -> None:
    """Raise `UserError` if a user and one of some others must not sit at a table together."""
    if await store.blocks.apart_from(user_id, others):
        raise UserError(NOT_POSSIBLE)


async def require_peace(store: Store, table: Table) -> None:
    """Raise `UserError` if two of the people at a table must not play together."""
    if await store.blocks.pairs(table.people):
        raise UserError(NOT_POSSIBLE)


async def reachable(
    store: Store, table: Table, user_ids: Collection[int], now: datetime, *, by: int | None = None
) -> frozenset[int]:
    """The users among some that may be pinged for a table: they could sit there, and share no block with `by`.

    The others are named like these, but not pinged, so that an invitation tells nothing of a block.
    """
    people = {*table.people, *([by] if by else [])}
    pairs = await store.blocks.pairs({*user_ids, *people})
    barred = await _find_barred(store, table.row.guild_id, user_ids, now)
    return frozenset(user_id for user_id in user_ids if user_id not in barred and not _apart(user_id, people, pairs))


async def rematch_guests(
    store: Store, guild_id: int, host_id: int, user_ids: Collection[int], now: datetime
) -> frozenset[int]:
    """The users among the players of a game that sit at a rematch of `host_id` at once.

    Two who must not meet are both left out: a seat for one of them would be a choice between them.
    """
    pairs = await store.blocks.pairs(user_ids)
    barred = await _find_barred(store, guild_id, user_ids, now)
    guests = {user_id for user_id in user_ids if user_id not in barred and not _apart(user_id, [host_id], pairs)}
    return frozenset(guest for guest in guests if not _apart(guest, guests, pairs))


async def _find_barred(store: Store, guild_id: int, user_ids: Collection[int], now: datetime) -> Collection[int]:
    return () if guild_id == NO_SERVER else await store.bars.among(guild_id, user_ids, now)


def _apart(user_id: int, others: Iterable[int], pairs: Collection[Pair]) -> bool:
    return any(frozenset((user_id, other)) in pairs for other in others)

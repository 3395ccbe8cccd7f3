"""Access to the seats of league tables: one seat a round for each player, so that each has one result."""

from __future__ import annotations

from bot.errors import UserError
from bot.store.store import Store
from bot.tables.table import Table
from engine.texts import Seat, Text

PLAYERS_ONLY = Text("Only players of this league, and of this group, can take a seat here.")
ONE_A_ROUND = Text("You already have or had a seat in this round of the league, so you can’t take another one.")


async def claim_league_seat(store: Store, table: Table, seat: Seat, user_id: int) -> None:
    """Record that a user takes a seat, if its table belongs to a league. Raises `UserError` if they must not take it.

    The seat is for players of the same group without a seat in this round, and for its own player.
    """
    entry = await store.leagues.entry(table.id, user_id)
    if entry is None:
        return
    if not entry.is_player:
        raise UserError(PLAYERS_ONLY)
    if seat in (entry.planned_seat, *table.seats_left_by(user_id)):
        allowed: set[int | None] = {table.id, None}
    else:
        allowed = set()
    if entry.seated_at - allowed:
        raise UserError(ONE_A_ROUND)
    # a seat from which nothing was played leaves no trace in the match, and could be one of several looked at
    await store.leagues.note_seat(table.id, user_id)

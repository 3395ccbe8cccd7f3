"""Predictions of spectators about the winner of a running match, which stay secret until it is over."""

from __future__ import annotations

from dataclasses import replace

from bot.clock import Clock
from bot.errors import UserError
from bot.store.predictions import Prediction
from bot.store.store import Store
from bot.tables.company import reachable, require_company, require_not_barred
from bot.tables.table import Table, require_running
from bot.tables.tables import Tables
from engine.texts import Seat, Text

PLAYERS_TEXT = Text("You’re playing or have played in this game, so you can’t predict its winner.")
FOLLOW_FIRST_TEXT = Text("Please follow this game first: tap **Follow** under `/game board`.")
UNKNOWN_SEAT_TEXT = Text("That choice is no longer available.")


class Predictions:
    """Stores the predictions of followers, and deletes users that the end of the match must not name."""

    def __init__(self, store: Store, tables: Tables, clock: Clock) -> None:
        self._store = store
        self._tables = tables
        self._clock = clock

    async def require_allowed(self, table: Table, user_id: int) -> None:
        """Raise `UserError` unless a user may predict the winner, since its end will show their name."""
        require_running(table)
        if not is_spectator(table, user_id):
            raise UserError(PLAYERS_TEXT)
        if user_id not in table.followers:
            raise UserError(FOLLOW_FIRST_TEXT)
        await require_not_barred(self._store, table.row.guild_id, user_id, self._clock.now())
        await require_company(self._store, user_id, table.people)

    async def predict(self, table: Table, user_id: int, name: str, seat: Seat | None) -> None:
        """Replace a user's prediction, or delete it with `None`. The same seat again keeps its earlier time.

        Raises `UserError` if the user may not predict, or for an unknown seat.
        """
        async with self._tables.changing(table) as change:
            await self.require_allowed(table, user_id)
            if seat is not None and seat not in range(len(table.row.holders)):
                raise UserError(UNKNOWN_SEAT_TEXT)
            change.facts = table.facts.predict(user_id, self._prediction(table, user_id, name, seat))

    def _prediction(self, table: Table, user_id: int, name: str, seat: Seat | None) -> Prediction | None:
        if seat is None:
            return None
        earlier = table.predictions.get(user_id)
        if earlier is not None and earlier.seat == seat:
            return replace(earlier, name=name)
        return Prediction(seat, table.require_match().version, self._clock.now(), name)

    async def delete_unwelcome(self, table: Table) -> None:
        """Delete predictions of users with a bar, or a block between them and a player, since their prediction.

        Before the last board, which mentions the followers, such users also stop following.
        """
        is_over = table.match is not None and table.match.outcome is not None
        users = table.predictions.keys() | (table.followers if is_over else frozenset())
        allowed = await reachable(self._store, table, users, self._clock.now()) if users else frozenset()
        if users <= allowed:
            return
        async with self._tables.changing(table) as change:
            remaining = {user_id: prediction for user_id, prediction in table.predictions.items() if user_id in allowed}
            # while the game runs, the button *Unfollow* must not disappear, which would tell of a block
            followers = table.followers & allowed if is_over else table.followers
            change.facts = replace(table.facts, predictions=remaining, followers=followers)


def is_spectator(table: Table, user_id: int) -> bool:
    """Whether a user has never played in a match: a former player may know its secrets."""
    return table.seat_of(user_id) is None and not table.seats_left_by(user_id)

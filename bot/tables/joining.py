"""Joining a table before the game: at once, after the host has let one in, or on invitation."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import partial

from bot.clock import Clock
from bot.errors import UserError
from bot.store.join_requests import JoinRequest
from bot.store.matches import Admission, SeatHolder
from bot.store.store import Store
from bot.tables.company import NOT_POSSIBLE, require_company, require_not_barred
from bot.tables.people import mention
from bot.tables.table import Table, require_lobby
from bot.tables.tables import Change, Tables
from engine.texts import Text

SITTING = Text("You’re already at this table.")
INVITED_ONLY = Text("Only people the host invites can join this table.")
DECLINED = Text("The host hasn’t let you in.")
ANSWERED = Text("This request has already been answered.")


class Joining:
    """Joining, requests and invitations at tables that wait for players."""

    def __init__(self, store: Store, tables: Tables, clock: Clock) -> None:
        self._store = store
        self._tables = tables
        self._clock = clock

    async def join(self, table: Table, holder: SeatHolder) -> None:
        """Let a user take the next free seat.

        Raises `UserError` if there is none, or they may not: the table is not for everyone, moderators have barred
        them, or they must not meet one of the people there.
        """
        async with self._tables.changing(table) as change:
            require_lobby(table)
            with_holder(table, holder)
            if not _is_admitted(table, holder.user_id):
                raise UserError(INVITED_ONLY)
            self._seat(table, change, holder)

    async def ask(self, table: Table, holder: SeatHolder) -> None:
        """Note that a user asks the host for a seat. Raises `UserError` as `join`, and if they have asked before."""
        assert holder.user_id is not None, "a person asks"
        async with self._tables.changing(table) as change:
            require_lobby(table)
            with_holder(table, holder)
            await require_not_barred(self._store, table.row.guild_id, holder.user_id, self._clock.now())
            if before := table.facts.join_requests.get(holder.user_id):
                raise UserError(DECLINED if before.declined else _pending(table))
            request = JoinRequest(holder.user_id, holder.name, holder.interaction_id)
            change.facts = table.facts.add_request(request)

    async def note_message(self, table: Table, user_id: int, message_id: int) -> None:
        """Remember which message asks the host."""
        async with self._tables.changing(table) as change:
            if request := table.facts.join_requests.get(user_id):
                change.facts = table.facts.add_request(dataclasses.replace(request, message_id=message_id))

    async def withdraw(self, table: Table, user_id: int) -> None:
        """The host could not be asked."""
        async with self._tables.changing(table) as change:
            change.facts = table.facts.drop_request(user_id)

    async def let_in(self, table: Table, user_id: int) -> JoinRequest:
        """Accept the request of a user. Returns it. Raises `UserError` as `join`."""
        async with self._tables.changing(table) as change:
            request = _open_request(table, user_id)
            # they sit down by the interaction by which they asked (docs/luck.md)
            holder = SeatHolder(user_id, name=request.name, interaction_id=request.interaction_id)
            with_holder(table, holder)
            # why they are barred is for them alone: the host hears what everyone hears
            if await self._store.bars.among(table.row.guild_id, [user_id], self._clock.now()):
                raise UserError(NOT_POSSIBLE)
            self._seat(table, change, holder)
            return request

    async def decline(self, table: Table, user_id: int) -> JoinRequest:
        """Refuse the request of a user for good. Returns it."""
        async with self._tables.changing(table) as change:
            request = _open_request(table, user_id)
            change.facts = table.facts.add_request(dataclasses.replace(request, declined=True))
            return request

    def _seat(self, table: Table, change: Change, holder: SeatHolder) -> None:
        """Let a newcomer sit down, who must be welcome there."""
        assert holder.user_id is not None, "computers do not join"
        now, user_id, people = self._clock.now(), holder.user_id, table.people
        # in the transaction: a block or a bar that is written at the same moment comes before or after it as a whole
        change.checks += [
            partial(require_not_barred, self._store, table.row.guild_id, user_id, now),
            partial(require_company, self._store, user_id, people),
        ]
        change.facts = table.facts.set_holders(with_holder(table, holder), now).drop_request(user_id)


def _open_request(table: Table, user_id: int) -> JoinRequest:
    require_lobby(table)
    request = table.facts.join_requests.get(user_id)
    if request is None or request.declined:
        raise UserError(ANSWERED)
    return request


def admission_of(value: str) -> Admission:
    """The admission with this stored value. Raises `UserError` for an unknown one, since requests can be forged."""
    try:
        return Admission(value)
    except ValueError:
        raise UserError(Text("That choice is no longer available.")) from None


def must_ask(table: Table, user_id: int) -> bool:
    """Whether a user has to ask the host for a seat."""
    return table.row.admits is Admission.REQUEST and not _is_admitted(table, user_id)


def _is_admitted(table: Table, user_id: int | None) -> bool:
    return table.row.admits is Admission.ANYONE or user_id in table.invited


def with_holder(table: Table, holder: SeatHolder) -> list[SeatHolder]:
    """The people at a table and one more. Raises `UserError` if they are there already, or it is full."""
    # called under the lock of the table: of two who tap at once, one may find it full
    if any(other.user_id == holder.user_id for other in table.row.holders):
        raise UserError(SITTING)
    require_free_seat(table, table.row.holders)
    return [*table.row.holders, holder]


def require_free_seat(table: Table, holders: Sequence[SeatHolder]) -> None:
    """Raise `UserError` if a table has as many players as its game allows."""
    if len(holders) >= table.spec.seats[-1]:
        most = table.spec.seats[-1]
        text = Text(
            "The table is full: {title} is for at most {most} {most:player|players}.", title=table.title, most=most
        )
        raise UserError(text)


def _pending(table: Table) -> Text:
    host = mention(table.row.host_id)
    return Text("You’ve asked for a seat. The host, {host}, lets people in.", host=host)

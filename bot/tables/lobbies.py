"""Lobbies: creating and changing tables before the game, and handing on the host's role."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from bot.clock import Clock
from bot.errors import UserError
from bot.store.codec import time_at
from bot.store.database import Conflict
from bot.store.facts import Facts
from bot.store.jobs import NOBODY, Job
from bot.store.matches import (
    UNLIMITED,
    Admission,
    HostLimitReached,
    LimitReached,
    MatchRow,
    OpenLimits,
    SeatHolder,
    Status,
)
from bot.store.shard_range import NO_SERVER
from bot.store.store import Store
from bot.tables.abandoned import unless_abandoned
from bot.tables.company import rematch_guests
from bot.tables.guild_settings import log_channel
from bot.tables.moderation_log import luck_job
from bot.tables.options import starting_options
from bot.tables.table import Table, require_computer, require_lobby
from bot.tables.tables import Tables
from engine.core import GameSpec, OptionValue
from engine.games import discover
from engine.texts import Seat, Text

LOBBY_LIFETIME = timedelta(hours=24)
"""A lobby without changes is closed after this time."""

INVITATION_INTERVAL = timedelta(hours=1)
"""An invited user is not mentioned again within this time."""


class Occupied(UserError):
    """A channel has an open table already."""

    def __init__(self, text: Text, there: Table) -> None:
        super().__init__(text)
        self.there = there


class Lobbies:
    """Actions at tables before the game."""

    def __init__(self, store: Store, tables: Tables, clock: Clock) -> None:
        self._store = store
        self._tables = tables
        self._clock = clock

    async def open(
        self,
        game: str,
        *,
        guild_id: int,
        channel_id: int,
        host: SeatHolder,
        most: OpenLimits = UNLIMITED,
        options: Mapping[str, OptionValue] | None = None,
        **columns: Any,
    ) -> Table:
        """A new lobby with its host seated; `columns` say more of it, as those that a rematch keeps.

        Without `options` it has those that a game begins with.

        Raises `UserError` if the channel has an open table (`Occupied`), or the server or the host as many as they may.
        """
        spec = discover()[game]
        return await self.open_for(
            spec,
            [host],
            guild_id=guild_id,
            channel_id=channel_id,
            options=starting_options(spec) if options is None else options,
            host_id=host.user_id or NOBODY,
            most=most,
            **columns,
        )

    async def open_for(
        self,
        spec: GameSpec,
        holders: Sequence[SeatHolder],
        *,
        guild_id: int,
        channel_id: int,
        options: Mapping[str, OptionValue],
        secret: str = "",
        host_id: int = NOBODY,
        most: OpenLimits = UNLIMITED,
        **columns: Any,
    ) -> Table:
        """A new lobby with these people and computers. That of a league has no host, and its secret was drawn before.

        Raises `UserError` as `open` does.
        """
        secret, now = secret or secrets.token_hex(32), self._clock.now()
        row = MatchRow(
            id=0,
            guild_id=guild_id,
            channel_id=channel_id,
            host_id=host_id,
            game=spec.slug,
            rules_version=spec.rules_version,
            options=dict(options),
            seed="",
            status=Status.LOBBY,
            lobby_message_id=None,
            holders=(),
            secret=secret,
            **{"rated": guild_id != NO_SERVER, **columns},
        )
        is_logged = bool(await log_channel(self._store.settings, guild_id))

        def open_table(facts: Facts) -> Facts:
            # together: a kill in between would leave a table whose luck is in no log
            lines = [luck_job(spec, secret, now, match_id=facts.id, channel_id=channel_id)] if is_logged else []
            return facts.open(holders, now).with_lines(*lines)

        try:
            with _user_error(most):
                facts = await self._store.open(row, open_table, most)
        except Conflict:
            # two people opened a table at the same time: `occupies` is unique, so the second insert fails
            there = await self._tables.at(channel_id)
            raise Occupied(_taken_text(there, host_id), there) from None
        return await self._tables.adopt(Table(facts, spec))

    async def require_room(self, guild_id: int, host_id: int, most: OpenLimits) -> None:
        """Raise `UserError` if a server has as many open tables as it may, or its host does."""
        with _user_error(most):
            await self._store.matches.require_room(guild_id, host_id, most)

    async def rematch(
        self, table: Table, user_id: int, most: OpenLimits = UNLIMITED, *, interaction_id: int = 0
    ) -> Table:
        """A new lobby for the players of a table, each moved by one seat; the others are asked before it begins.

        The interaction seats the user. Raises `UserError` as `open` does, and for users that did not play.
        """
        if table.seat_of(user_id) is None:
            raise UserError(Text("Only somebody who played can start a rematch."))
        row = table.row
        # every player moves on by one seat, so that another one starts; forgotten users are left out
        players = [holder for holder in (*row.holders[1:], row.holders[0]) if holder.user_id != NOBODY]
        guests = await rematch_guests(self._store, row.guild_id, user_id, table.people, self._clock.now())
        rematch = await self.open_for(
            table.spec,
            # without the seen version and the interactions of the old match
            [
                dataclasses.replace(player, seen=0, interaction_id=interaction_id if player.user_id == user_id else 0)
                for player in players
                if player.computer or player.user_id in guests
            ],
            guild_id=row.guild_id,
            channel_id=row.channel_id,
            options=row.options,
            host_id=user_id,
            most=most,
            **row.carried_over(),
        )
        if row.admits is not Admission.ANYONE:
            # they were let in before, and all of them, so that this tells nothing of who sits there at once
            async with self._tables.changing(rematch) as change:
                change.facts = rematch.facts.invite(filter(None, table.people), self._clock.now())
        return rematch

    async def change_holders(
        self, table: Table, change: Callable[[Sequence[SeatHolder]], Sequence[SeatHolder]], *log_lines: Job
    ) -> None:
        """Replace who sits where, as long as the game has not started. `change` may raise `UserError`.

        `log_lines` are lines of the moderators' log about it.
        """
        async with self._tables.changing(table) as changed:
            require_lobby(table)
            seated = table.facts.set_holders(change(table.row.holders), self._clock.now())
            changed.facts = seated.with_lines(*log_lines)

    async def cast(self, table: Table, seat: Seat, player: str) -> None:
        """Let another computer player have the seat of one; then everybody is asked anew whether they are ready.

        Raises `UserError` if none sits there.
        """
        if player == table.row.holders[seat].computer:
            return

        def with_player(holders: Sequence[SeatHolder]) -> list[SeatHolder]:
            require_computer(table, seat)
            return [*holders[:seat], SeatHolder(computer=player), *holders[seat + 1 :]]

        await self.change_holders(table, with_player)

    async def set_option(self, table: Table, name: str, value: OptionValue) -> None:
        """Choose an option of the game. Raises `SetupError` if it cannot be."""
        async with self._tables.changing(table) as change:
            # read behind the lock: another option may be chosen at the same moment
            change.facts = self._with_options(table, {**table.row.options, name: value})

    async def set_options(self, table: Table, options: Mapping[str, OptionValue]) -> None:
        """Choose all options of the game. Raises `SetupError` if they cannot be."""
        async with self._tables.changing(table) as change:
            change.facts = self._with_options(table, options)

    def _with_options(self, table: Table, options: Mapping[str, OptionValue]) -> Facts:
        require_lobby(table)
        # more people may still join, so too few of them are allowed here
        table.spec.setup(table.expected_seats, options)
        # people said that they were ready for the old options
        return table.facts.gather(self._clock.now(), options=dict(options), ready=None)

    async def keep(self, table: Table, **columns: Any) -> None:
        """Change columns of the lobby; it is kept open from now on."""
        async with self._tables.changing(table) as change:
            require_lobby(table)
            change.facts = table.facts.gather(self._clock.now(), **columns)

    async def note_ready(self, table: Table, user_id: int, *, asked: bool) -> bool:
        """Record that a player is ready. Returns whether this asks all the others.

        Raises:
            UserError: the players were not `asked` so far, and the user does not ask them.
            SetupError: the table cannot play like this.
        """
        async with self._tables.changing(table) as change:
            require_lobby(table)
            table.require_seat(user_id)
            table.spec.setup(len(table.row.holders), table.row.options)
            ready = table.row.ready
            if asked and ready is None:
                raise UserError(Text("Nobody has been asked yet: **Start** asks everyone."))
            change.facts = table.facts.gather(self._clock.now(), ready=frozenset({*(ready or ()), user_id}))
            return ready is None

    async def set_start(self, table: Table, starts_at: datetime | None) -> None:
        """Set or remove the time at which the table starts by itself."""
        async with self._tables.changing(table) as change:
            require_lobby(table)
            change.facts = table.facts.set_start(starts_at, self._clock.now())

    async def ask_at_start(self, table: Table) -> None:
        """Begin the ready check of a table that starts now. Raises `SetupError` if the table cannot play like this."""
        async with self._tables.changing(table) as change:
            require_lobby(table)
            table.spec.setup(len(table.row.holders), table.row.options)
            if table.row.ready is None:
                change.facts = table.facts.gather(self._clock.now(), ready=frozenset())

    async def end_start(self, table: Table, starts_at: datetime) -> None:
        """Remove a start time that has passed, unless it was changed meanwhile; a ready check goes on."""
        async with self._tables.changing(table) as change:
            if table.row.status is Status.LOBBY and table.row.starts_at == starts_at:
                now = self._clock.now()
                change.facts = table.facts.set_start(None, now).gather(now, ready=table.row.ready)

    async def invite(self, table: Table, user_ids: Iterable[int]) -> frozenset[int]:
        """Invite users. Returns those to call, which leaves out players and users called within the hour."""
        async with self._tables.changing(table) as change:
            require_lobby(table)
            now = self._clock.now()
            called = {user_id for user_id, at in table.invited.items() if now - at < INVITATION_INTERVAL}
            new = frozenset(user_ids) - called - set(table.people)
            # a repeated invitation does not keep the lobby open
            if new:
                change.facts = table.facts.invite(new, now).gather(now)
            return new

    async def take_back_invitation(self, table: Table, user_ids: Collection[int]) -> None:
        """These could not be called after all."""
        async with self._tables.changing(table) as change:
            change.facts = table.facts.uninvite(user_ids)

    async def expire(self, table: Table, job: Job) -> bool:
        """Close a lobby unless it was changed after a job was read. Returns whether it was closed."""
        async with self._tables.changing(table) as change:
            # anybody who touched the lobby since has rewritten the job
            expired = table.row.status is Status.LOBBY and table.touched == time_at(job.state["since"])
            if expired:
                change.facts = table.facts.close(Status.CLOSED, self._clock.now())
            return expired

    async def allow_hints(self, table: Table, *, allowed: bool) -> None:
        """Let people have hints though they play against each other, or not."""
        async with self._tables.changing(table) as change:
            require_lobby(table)
            gathered = table.facts.gather(self._clock.now(), ready=None)
            change.facts = dataclasses.replace(gathered, hints=allowed)

    async def hand_on(self, table: Table) -> None:
        """Make another player the host if the host has left. Without players, the match is called off."""
        async with self._tables.changing(table) as change:
            change.facts = await unless_abandoned(table, self._clock.now())
            # a table of a league has no host, and none of its players becomes one
            if table.people and table.row.host_id not in (*table.people, NOBODY):
                change.facts = table.facts.set_host(table.people[0])

    async def note_lobby_message(self, table: Table, message_id: int) -> None:
        """Remember which message shows the lobby. Later changes find it there."""
        async with self._tables.changing(table) as change:
            change.facts = table.facts.set_lobby_message(message_id)


def closes_at(table: Table) -> datetime | None:
    """The time at which a lobby closes if nothing changes; a start time keeps it open. `None` after the lobby."""
    times = [at for at in (table.touched, table.row.starts_at) if at]
    return max(times) + LOBBY_LIFETIME if table.touched else None


@contextmanager
def _user_error(most: OpenLimits) -> Iterator[None]:
    """Says in a sentence that there are as many open tables as there may be."""
    try:
        yield
    except HostLimitReached:
        text = Text(
            "You’re hosting {most} {most:game|games} in this server, which is the limit for one person. One of them "
            "has to end first, or a moderator can raise the limit with `/server settings`.",
            most=most.host,
        )
        raise UserError(text) from None
    except LimitReached:
        raise UserError(limit_reached(most.server)) from None


def limit_reached(most: int) -> Text:
    """The refusal of a table in a server that has reached its limit of games."""
    return Text(
        "This server allows {most} {most:game|games} at a time, and that limit is reached. One of them has to end "
        "first, or a moderator can raise the limit with `/server settings`.",
        most=most,
    )


def _taken_text(there: Table, user_id: int) -> Text:
    """The refusal of a second table in a channel."""
    if there.row.status is Status.LOBBY and there.seat_of(user_id) is not None:
        return Text("There’s already a {title} table here, and you’re at it.", title=there.title)
    return Text(
        "This channel already has a game of {title}. "
        "Finish it, end it with `/table end`, or start another one in its own thread: `/table new` with `where`.",
        title=there.title,
    )

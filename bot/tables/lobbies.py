"""Tables before the game: set, joined, changed; and the host, who may leave at any time."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from bot.clock import Clock
from bot.errors import UserError
from bot.store.database import Conflict
from bot.store.jobs import NOBODY, Job
from bot.store.matches import ANY_NUMBER, Admission, HostLimitReached, LimitReached, OpenLimits, SeatHolder, Status
from bot.store.shard_range import NO_SERVER
from bot.store.store import Store
from bot.tables.abandoned import close_if_abandoned
from bot.tables.company import rematch_guests
from bot.tables.guild_settings import log_channel
from bot.tables.moderation_log import luck_job
from bot.tables.options import starting_options
from bot.tables.table import Table, require_computer, require_lobby
from bot.tables.tables import Tables
from engine.core import GameSpec, OptionValue
from engine.games import discover
from engine.texts import Seat, Text

EXPIRES = timedelta(hours=24)
"""A lobby that nobody touches is closed after so long."""

NOT_AGAIN = timedelta(hours=1)
"""Who was invited is not called again for so long."""


class Occupied(UserError):
    """A channel has an open table already."""

    def __init__(self, text: Text, there: Table) -> None:
        super().__init__(text)
        self.there = there


class Lobbies:
    """What can be done at tables that are set."""

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
        most: OpenLimits = ANY_NUMBER,
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
        most: OpenLimits = ANY_NUMBER,
        **columns: Any,
    ) -> Table:
        """A new lobby with these people and computers. That of a league has no host, and its secret was drawn before.

        Raises `UserError` as `open` does.
        """
        secret, now = secret or secrets.token_hex(32), self._clock.now()
        try:
            # together: a kill in between would leave a table whose luck is in no log
            with _user_error(most):
                async with self._store.transaction():
                    match_id = await self._store.matches.create(
                        guild_id=guild_id,
                        channel_id=channel_id,
                        host_id=host_id,
                        holders=holders,
                        options=options,
                        game=spec.slug,
                        rules_version=spec.rules_version,
                        secret=secret,
                        at=now,
                        most=most,
                        **{"rated": guild_id != NO_SERVER, **columns},
                    )
                    if await log_channel(self._store.settings, guild_id):
                        line = luck_job(spec, secret, now, match_id=match_id, channel_id=channel_id)
                        await self._store.jobs.extend(line)
        except Conflict:
            # two people opened a table at the same time: `occupies` is unique, so the second insert fails
            there = await self._tables.at(channel_id)
            raise Occupied(_taken(there, host_id), there) from None
        table = await self._tables.find(match_id)
        assert table is not None, "the row was written a moment ago"
        return table

    async def require_room(self, guild_id: int, host_id: int, most: OpenLimits) -> None:
        """Raise `UserError` if a server has as many open tables as it may, or its host does."""
        with _user_error(most):
            await self._store.matches.require_room(guild_id, host_id, most)

    async def rematch(
        self, table: Table, user_id: int, most: OpenLimits = ANY_NUMBER, *, interaction_id: int = 0
    ) -> Table:
        """A new lobby for those who play at a table, each a seat further; the others are asked before it begins.

        The user sits down by an interaction. Raises `UserError` as `open` does, and for anyone who did not play.
        """
        if table.seat_of(user_id) is None:
            raise UserError(Text("Only somebody who played can start a rematch."))
        row = table.row
        # everybody moves on by one seat, so that somebody else starts; forgotten users are left out
        known = [holder for holder in (*row.holders[1:], row.holders[0]) if holder.user_id != NOBODY]
        guests = await rematch_guests(self._store, row.guild_id, user_id, table.people, self._clock.now())
        rematch = await self.open_for(
            table.spec,
            # how far they saw the old match, and the interactions by which they sat down there, are not of this one
            [
                dataclasses.replace(one, seen=0, interaction_id=interaction_id if one.user_id == user_id else 0)
                for one in known
                if one.computer or one.user_id in guests
            ],
            guild_id=row.guild_id,
            channel_id=row.channel_id,
            options=row.options,
            host_id=user_id,
            most=most,
            **row.kept(),
        )
        if row.admits is not Admission.ANYONE:
            # they were let in before, and all of them, so that this tells nothing of who sits there at once
            await self._store.invitations.note(rematch.id, list(filter(None, table.people)), self._clock.now())
            rematch.invited = await self._store.invitations.of(rematch.id)
        return rematch

    async def change_holders(
        self, table: Table, change: Callable[[Sequence[SeatHolder]], Sequence[SeatHolder]], *log_lines: Job
    ) -> None:
        """Replace who sits where, as long as the game has not started. `change` may raise `UserError`.

        `log_lines` are lines of the moderators' log about it.
        """
        async with table.lock:
            require_lobby(table)
            async with self._store.transaction():
                await self._store.matches.set_holders(table.id, change(table.row.holders), self._clock.now())
                await self._store.jobs.extend(*log_lines)
            await self._tables.reread(table)

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
        async with table.lock:
            # read behind the lock: another option may be chosen at the same moment
            await self._keep_options(table, {**table.row.options, name: value})

    async def set_options(self, table: Table, options: Mapping[str, OptionValue]) -> None:
        """Choose all options of the game. Raises `SetupError` if they cannot be."""
        async with table.lock:
            await self._keep_options(table, options)

    async def _keep_options(self, table: Table, options: Mapping[str, OptionValue]) -> None:
        require_lobby(table)
        # more people may still join, so too few of them is no error here
        table.spec.setup(table.expected_seats, options)
        # people said that they were ready for the old options
        await self._gather(table, options=dict(options), ready=None)

    async def keep(self, table: Table, **columns: Any) -> None:
        """Note columns of the lobby, if any of them changes; the lobby is kept open from now on."""
        async with table.lock:
            require_lobby(table)
            await self._gather(table, **columns)

    async def _gather(self, table: Table, **columns: Any) -> None:
        await self._store.matches.gather(table.id, self._clock.now(), **columns)
        await self._tables.reread(table)

    async def note_ready(self, table: Table, user_id: int, *, asked: bool) -> bool:
        """Note that somebody who sits here is ready. Returns whether all the others are asked by this.

        Raises:
            UserError: nobody is `asked` so far, and they do not ask.
            SetupError: the table cannot play like this.
        """
        async with table.lock:
            require_lobby(table)
            table.seated(user_id)
            table.spec.setup(len(table.row.holders), table.row.options)
            known = table.row.ready
            if asked and known is None:
                raise UserError(Text("Nobody has been asked yet: **Start** asks everyone."))
            await self._gather(table, ready=sorted({*(known or ()), user_id}))
            return known is None

    async def invite(self, table: Table, user_ids: Iterable[int]) -> frozenset[int]:
        """Note who is invited. Returns whom to call: nobody who sits here, or was called within the hour."""
        async with table.lock:
            require_lobby(table)
            now = self._clock.now()
            called = {user_id for user_id, at in table.invited.items() if now - at < NOT_AGAIN}
            new = frozenset(user_ids) - called - set(table.people)
            # a repeated invitation calls nobody, and does not keep the lobby open
            if new:
                await self._store.invitations.note(table.id, new, now)
                await self._gather(table)
                table.invited = await self._store.invitations.of(table.id)
            return new

    async def take_back_invitation(self, table: Table, user_ids: Collection[int]) -> None:
        """These could not be called after all."""
        async with table.lock:
            await self._store.invitations.forget(table.id, user_ids)
            table.invited = await self._store.invitations.of(table.id)

    async def expire(self, table: Table, job: Job) -> bool:
        """Close a lobby that nobody has touched since a job was read. Returns whether."""
        async with table.lock:
            # `Store.expire` compares the job: anybody who touched the lobby since has rewritten it
            expired = table.row.status is Status.LOBBY and await self._store.expire(job, self._clock.now())
            await self._tables.reread(table)
            return expired

    async def allow_hints(self, table: Table, *, allowed: bool) -> None:
        """Let people have hints though they play against each other, or not."""
        async with table.lock:
            require_lobby(table)
            await self._gather(table, ready=None)
            await self._store.settings.put("match", table.id, "hints", allowed)
            table.hints = allowed

    async def hand_on(self, table: Table) -> None:
        """Make somebody else the host if the host has left; without anybody left the match is called off."""
        async with table.lock:
            users = [holder.user_id for holder in table.row.holders if holder.user_id]
            if await close_if_abandoned(self._store, self._tables, table, self._clock.now()):
                return
            # a table of a league has no host, and none of its players becomes one
            if table.row.host_id not in (*users, NOBODY):
                await self._store.matches.change(table.id, host_id=users[0])
            await self._tables.reread(table)

    async def note_lobby_message(self, table: Table, message_id: int) -> None:
        """Remember which message shows the lobby. Later changes find it there."""
        async with table.lock:
            await self._store.matches.change(table.id, lobby_message_id=message_id)
            await self._tables.reread(table)


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
    """That a server has as many games as its moderators want."""
    return Text(
        "This server allows {most} {most:game|games} at a time, and that limit is reached. One of them has to end "
        "first, or a moderator can raise the limit with `/server settings`.",
        most=most,
    )


def _taken(there: Table, user_id: int) -> Text:
    """That a channel has a table already."""
    if there.row.status is Status.LOBBY and there.seat_of(user_id) is not None:
        return Text("There’s already a {title} table here, and you’re at it.", title=there.title)
    return Text(
        "This channel already has a game of {title}. "
        "Finish it, end it with `/table end`, or start another one in its own thread: `/table new` with `where`.",
        title=there.title,
    )

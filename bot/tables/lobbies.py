"""Tables before the game: set, joined, changed; and the host, who may leave at any time."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Callable, Mapping, Sequence

from bot.errors import Declined
from bot.store.rows import Chair, Status, Taken
from bot.store.store import Store
from bot.tables.table import Table, called_off, require_lobby
from bot.tables.tables import Tables
from engine.core import GameSpec, OptionValue
from engine.games import discover
from engine.texts import Text


class Lobbies:
    """What can be done at tables that are set."""

    def __init__(self, store: Store, tables: Tables) -> None:
        self._store = store
        self._tables = tables

    async def open(self, game: str, *, guild_id: int, channel_id: int, host: Chair) -> Table:
        """A new lobby with its host seated. Raises `Declined` if the channel has an open table."""
        spec = discover()[game]
        usual = spec.presets[0].options if spec.presets else {}
        return await self._set(spec, guild_id, channel_id, host.user_id or 0, [host], usual)

    async def rematch(self, table: Table, user_id: int) -> Table:
        """A new lobby for those who play at a table, each a seat further. Raises `Declined` as `open` does, and for
        anybody else.
        """
        if table.seat_of(user_id) is None:
            raise Declined(Text("A rematch is for those who have played: one of them has to ask for it."))
        row = table.row
        chairs = [dataclasses.replace(chair, seen=0) for chair in (*row.chairs[1:], row.chairs[0])]
        pace = (row.pace, row.firm)
        return await self._set(table.spec, row.guild_id, row.channel_id, user_id, chairs, row.options, pace)

    async def _set(
        self,
        spec: GameSpec,
        guild_id: int,
        channel_id: int,
        host_id: int,
        chairs: Sequence[Chair],
        options: Mapping[str, OptionValue],
        pace: tuple[str, bool] = ("", False),
    ) -> Table:
        try:
            match_id = await self._store.matches.create(
                guild_id=guild_id,
                channel_id=channel_id,
                host_id=host_id,
                chairs=chairs,
                options=options,
                game=spec.slug,
                rules_version=spec.rules_version,
                seed=secrets.token_hex(16),
                pace=pace[0],
                firm=pace[1],
            )
        except Taken:
            raise Declined(_taken(await self._tables.at(channel_id), host_id)) from None
        table = await self._tables.find(match_id)
        assert table is not None, "the row was written a moment ago"
        return table

    async def change_chairs(self, table: Table, change: Callable[[Sequence[Chair]], Sequence[Chair]]) -> None:
        """Replace who sits where, as long as the game has not started. `change` may raise `Declined`."""
        async with table.lock:
            require_lobby(table)
            await self._store.matches.set_chairs(table.id, change(table.row.chairs))
            await self._tables.reread(table)

    async def set_option(self, table: Table, name: str, value: OptionValue) -> None:
        """Choose an option of the game. Raises `SetupError` if it cannot be."""
        await self.set_options(table, {**table.row.options, name: value})

    async def set_options(self, table: Table, options: Mapping[str, OptionValue]) -> None:
        """Choose all options of the game. Raises `SetupError` if they cannot be."""
        async with table.lock:
            require_lobby(table)
            seats = min(max(len(table.row.chairs), table.spec.seats[0]), table.spec.seats[-1])
            table.spec.setup(seats, options)
            await self._store.matches.change(table.id, options=dict(options))
            await self._tables.reread(table)

    async def set_pace(self, table: Table, pace: str, *, firm: bool) -> None:
        """Choose how much time people have for a turn. Raises `Declined` once the match has begun."""
        async with table.lock:
            require_lobby(table)
            await self._store.matches.set_pace(table.id, pace, firm)
            await self._tables.reread(table)

    async def hand_on(self, table: Table) -> None:
        """Make somebody else the host if the host has left; without anybody left the match is called off."""
        async with table.lock:
            users = [chair.user_id for chair in table.row.chairs if chair.user_id]
            if not users:
                await self._store.matches.change(table.id, status=called_off(table))
            elif table.row.host_id not in users:
                await self._store.matches.change(table.id, host_id=users[0])
            await self._tables.reread(table)

    async def note_lobby_message(self, table: Table, message_id: int) -> None:
        """Remember which message shows the lobby."""
        await self._store.matches.change(table.id, lobby_message_id=message_id)
        await self._tables.reread(table)


def _taken(there: Table, user_id: int) -> Text:
    """That a channel has a table already."""
    if there.row.status is Status.LOBBY and there.seat_of(user_id) is not None:
        return Text("A table of {title} is set here already, and you are at it.", title=there.title)
    return Text(
        "This channel already has a game of {title}. "
        "Finish it, end it with `/game end`, or open another one in a thread.",
        title=there.title,
    )

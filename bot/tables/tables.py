"""Tables: the matches of the channels, kept in step with the store. Knows people, knows no Discord.

A match is in memory only as a copy of its log: it is played on aside, and shown once it is written.
"""

from __future__ import annotations

import dataclasses
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

from bot.errors import UserError, outline
from bot.store.jobs import JobKind
from bot.store.log import Damaged
from bot.store.matches import MatchRow, Status
from bot.store.store import Store
from bot.tables.table import Table
from bot.tables.table_lock import TableLock
from engine.core import GameSpec, OptionValue
from engine.errors import BrokenLog, SetupError
from engine.games import discover
from engine.match import Match
from engine.texts import Text, joined

_log = logging.getLogger(__name__)

RECENT = 128
"""Tables that stay in memory although nobody uses them at the moment."""


class Tables:
    """The tables in use and those used lately."""

    def __init__(self, store: Store, *, recent: int = RECENT) -> None:
        self._store = store
        self._most_recent = recent
        self._known: WeakValueDictionary[int, Table] = WeakValueDictionary()  # one object for each match
        self._open: WeakValueDictionary[int, Table] = WeakValueDictionary()  # the same by channel
        self._recent: OrderedDict[int, Table] = OrderedDict()
        self._watching: list[Callable[[Table], None]] = []

    def watch(self, do: Callable[[Table], None]) -> None:
        """Let something be done whenever a match has a new position or other players, still under the table's lock."""
        self._watching.append(do)

    def changed(self, table: Table) -> None:
        """Tell those who watch."""
        for do in self._watching:
            do(table)

    async def find(self, match_id: int) -> Table | None:
        """A table by the id of its match, replayed from the log if it is not in memory."""
        table = self._known.get(match_id)
        if table is None:
            row = await self._store.matches.find(match_id)
            if row is None:
                return None
            # only to look at, and not kept: another process plays it, and does not tell us
            if not self._store.shard_range.has(row.guild_id):
                return await self._load(row)
            lock = TableLock(partial(self._refresh_after_trouble, match_id))
            # another task may have loaded it during the await: there must be only one object, with one lock
            table = self._known.setdefault(match_id, dataclasses.replace(await self._load(row), lock=lock))
        return await self._kept(table)

    async def at(self, channel_id: int) -> Table:
        """The open table of a channel. Raises `UserError` where there is none."""
        table = self._open.get(channel_id)
        # in the meantime, the table that was open here may have been closed, and another one opened
        if table is None or not table.is_open:
            match_id = await self._store.matches.open_in(channel_id)
            table = await self.find(match_id) if match_id is not None else None
        if table is None:
            raise UserError(Text("There’s no game in this channel. Start one with `/table new`."))
        self._open[channel_id] = table
        return await self._kept(table)

    async def shown_at(self, channel_id: int) -> Table:
        """The open table of a channel, else the last one that was played there. Raises `UserError`."""
        try:
            return await self.at(channel_id)
        except UserError:
            match_id = await self._store.matches.last_in(channel_id)
            table = await self.find(match_id) if match_id is not None else None
            if table is None:
                raise
            return table

    async def reread(self, table: Table) -> None:
        """Reload the row of a table, with its seats and status, but not the match itself."""
        row = await self._store.matches.find(table.id)
        assert row is not None, "matches are never deleted"
        table.row = row
        if row.status is Status.LOBBY:
            table.touched = await self._store.matches.touched(table.id)

    async def _kept(self, table: Table) -> Table:
        """A table that was asked for, in step with the store."""
        self._recent[table.id] = table
        self._recent.move_to_end(table.id)
        if len(self._recent) > self._most_recent:
            self._recent.popitem(last=False)
        if table.lock.in_doubt:
            async with table.lock:  # which refreshes it
                pass
        return table

    async def _refresh_after_trouble(self, match_id: int) -> None:
        """Put a table in step with the store after trouble with it."""
        table = self._known[match_id]
        await self.refresh(table)
        self.changed(table)

    async def read_anew(self, match_ids: Iterable[int]) -> None:
        """Put the tables of these matches in step with the store, as far as they are in memory."""
        for table in filter(None, [self._known.get(match_id) for match_id in match_ids]):
            async with table.lock:
                await self.refresh(table)

    async def refresh(self, table: Table) -> None:
        """Read a table anew from the store."""
        row = await self._store.matches.find(table.id)
        assert row is not None, "matches are never deleted"
        table.replace_by(await self._load(row))

    async def _load(self, row: MatchRow) -> Table:
        spec = discover().get(row.game)
        if spec is None:
            return _unplayable(row, None, Text("I no longer have the game “{game}”.", game=row.game))
        if row.damage:
            _log.error("the row of match %d cannot be read: %s", row.id, row.damage)
            return _unplayable(row, spec, Text("The record of this game is damaged."))
        # by the status and not by the log: a match that has begun may have no entries either
        # checked before the rules: a lobby has no entries yet, so it will be played by today's rules
        if row.status in (Status.LOBBY, Status.CLOSED):
            row, hints = await self._with_valid_options(row, spec), await self._hints(row.id)
            invited, touched = await self._store.invitations.of(row.id), await self._store.matches.touched(row.id)
            return Table(row, spec, hints=hints, invited=invited, touched=touched)
        # under other rules than its own, a log would replay as another game, or fail
        if row.rules_version != spec.rules_version:
            return _unplayable(row, spec, Text("This game began under older {title} rules.", title=spec.name))
        try:
            return await self._replayed(row, spec)
        except (BrokenLog, Damaged, SetupError, ValueError) as error:
            # a `ValueError` quotes what it could not read, which may be a hand: it stays out of the log
            problem = "a value is wrong" if isinstance(error, ValueError) else error
            _log.error("match %d cannot be replayed: %s\n%s", row.id, problem, outline(error))
            return _unplayable(row, spec, Text("The record of this game can no longer be read."))

    async def _replayed(self, row: MatchRow, spec: GameSpec) -> Table:
        """A match that has begun, replayed from its entries, with what else a table has."""
        setup, store, match_id = spec.setup(len(row.holders), row.options), self._store, row.id
        # one transaction, so that nothing is written between two of these look-ups
        async with store.transaction():
            entries, answered = await store.log.entries(match_id), await store.auto_answers.answered(match_id)
            stood_in = await store.log.stood_in(match_id)
            waiting, clocks = await store.jobs.find(JobKind.BOARD, match_id), await store.clocks.of(match_id)
            around: dict[str, Any] = {
                "waiting": waiting.state.get("mark") if waiting else None,
                # the last process may have been killed between sending the board and noting it
                "in_doubt": True,
                "superseded": waiting.state.get("superseded") if waiting else None,
                "board": await store.boards.of(match_id),
                "unanswered": await store.log.last_act(match_id),
                "drafts": await store.drafts.of(match_id),
                "undo_request": await store.undo_requests.of(match_id),
                "offer": await store.offers.of(match_id),
                "followers": await store.followers.of(match_id),
                "auto_answers": await store.auto_answers.of(match_id),
                "clocks": clocks,
                "stand_ins": {seat: clock.stand_in for seat, clock in clocks.items() if clock.stand_in},
                "hints": await self._hints(match_id),
                "changes": await store.ratings.changes(match_id),
                "records": await store.ratings.set_by(match_id),
                "goes_on": await store.jobs.find(JobKind.COMPUTER, match_id) is not None,
            }
        match = Match.replay(spec, setup, row.seed, entries, answered, stood_in=stood_in)
        return Table(row, spec, match, **around)

    async def _hints(self, match_id: int) -> bool:
        return bool(await self._store.settings.get("match", match_id, "hints"))

    async def _with_valid_options(self, row: MatchRow, spec: GameSpec) -> MatchRow:
        """The row of a lobby without the options that an upgrade has taken away since it was opened."""
        valid = {name: value for name, value in row.options.items() if _is_valid(spec, name, value)}
        if valid != row.options:
            await self._store.matches.change(row.id, options=valid)
        return dataclasses.replace(row, options=valid)


def _unplayable(row: MatchRow, spec: GameSpec | None, problem: Text) -> Table:
    way_out = Text("It can’t continue, but its log is kept. The host can close it with `/table end`.")
    hidden = Text("It can’t be shown.")
    return Table(row, spec, problem=joined([problem, way_out if row.status is Status.RUNNING else hidden]))


def _is_valid(spec: GameSpec, name: str, value: OptionValue) -> bool:
    try:
        spec.setup(spec.seats[-1], {name: value})
    except SetupError:
        return False
    return True

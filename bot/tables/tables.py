"""Tables: the matches of the channels, kept in step with the store. Knows people, knows no Discord.

A match is in memory only as a copy of its log: it is played on aside, and shown once it is written.
"""

from __future__ import annotations

import dataclasses
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from weakref import WeakValueDictionary

from bot.errors import AlreadyHandled, GameFault, UserError, outline
from bot.metrics import MOVES
from bot.store.columns import users_in
from bot.store.database import Conflict
from bot.store.facts import Facts
from bot.store.log import Damaged, Duplicate, NewEntries
from bot.store.matches import Status
from bot.store.store import Store
from bot.tables.faults import FAULT_TEXT, WAY_OUT_TEXT, guarding_match
from bot.tables.table import MOVED_ON, Stale, Table
from bot.tables.table_lock import TableLock
from engine.core import GameSpec, OptionValue
from engine.errors import BrokenLog, SetupError
from engine.games import discover
from engine.match import Match
from engine.texts import Text, joined

_log = logging.getLogger(__name__)

MAX_RECENT = 128
"""Recently used tables that stay in memory."""


@dataclass(slots=True)
class Change:
    """A change of a table under way: the facts as they are to be, and the `match` with `new` entries if it has gone on.

    `checks` run in the transaction that writes the change, and cancel it by raising an error.
    """

    facts: Facts
    match: Match | None = None
    new: NewEntries | None = None
    checks: list[Callable[[], Awaitable[None]]] = field(default_factory=list)


class Tables:
    """The tables in use and those used lately."""

    def __init__(self, store: Store, *, recent: int = MAX_RECENT) -> None:
        self._store = store
        self._most_recent = recent
        self._known: WeakValueDictionary[int, Table] = WeakValueDictionary()  # one object for each match
        self._open: WeakValueDictionary[int, Table] = WeakValueDictionary()  # the same by channel
        self._recent: OrderedDict[int, Table] = OrderedDict()
        self._watching: list[Callable[[Table], None]] = []

    def watch(self, do: Callable[[Table], None]) -> None:
        """Register a callback for new positions and other players of a match. It runs under the lock of the table."""
        self._watching.append(do)

    def notify_watchers(self, table: Table) -> None:
        """Run the callbacks of `watch`."""
        for do in self._watching:
            do(table)

    async def find(self, match_id: int) -> Table | None:
        """A table by the id of its match, replayed from the log if it is not in memory."""
        table = self._known.get(match_id)
        if table is None:
            facts = await self._store.facts.find(match_id)
            if facts is None:
                return None
            # read-only and not cached: another process plays it, and does not notify this one
            if not self._store.shard_range.has(facts.row.guild_id):
                return await self._load(facts)
            return await self.adopt(await self._load(facts))
        return await self._remember(table)

    async def adopt(self, loaded: Table) -> Table:
        """A table that was loaded, with its lock; or the one that another task has loaded meanwhile."""
        lock = TableLock(partial(self._refresh_after_failure, loaded.id))
        # there must be only one object, with one lock
        return await self._remember(self._known.setdefault(loaded.id, dataclasses.replace(loaded, lock=lock)))

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
        return await self._remember(table)

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

    @asynccontextmanager
    async def changing(self, table: Table) -> AsyncIterator[Change]:
        """Change a table under its lock: what the change says at the end is written, all of it or nothing.

        In memory the table changes only after that, so that everyone sees the old one if something fails.

        Raises:
            AlreadyHandled: the interaction was carried out before.
            Stale: another process was faster; the table is now as that one left it.
        """
        async with table.lock:
            change = Change(table.facts)
            yield change
            if change.match is not None or change.facts is not table.facts:
                await self._write(table, change)

    async def _write(self, table: Table, change: Change) -> None:
        before, match = table.facts, change.match
        # of a match that cannot be replayed, it is unknown how long its log is
        version = None if table.problem else table.match.version if table.match else 0
        try:
            facts = await self._store.write(before, change.facts, version, change.new, change.checks)
        except Duplicate:
            raise AlreadyHandled from None
        except Conflict:
            await self.refresh(table)
            raise Stale(MOVED_ON) from None
        table.change_to(facts, match)
        if change.new is not None and before.row.status is Status.RUNNING:
            MOVES.labels(facts.row.game).inc(len(change.new.entries))
        if facts.results is not before.results:
            table.changes = await self._store.ratings.changes(table.id)
            table.records = await self._store.ratings.set_by(table.id)
        if match is not None or _players(facts) != _players(before) or facts.row.status is not before.row.status:
            self.notify_watchers(table)

    async def _remember(self, table: Table) -> Table:
        """Mark a table as recently used, and refresh it after a failure of the store."""
        self._recent[table.id] = table
        self._recent.move_to_end(table.id)
        if len(self._recent) > self._most_recent:
            self._recent.popitem(last=False)
        if table.lock.in_doubt:
            async with table.lock:  # which refreshes it
                pass
        return table

    async def _refresh_after_failure(self, match_id: int) -> None:
        """Put a table in step with the store after a failure of it."""
        table = self._known[match_id]
        await self.refresh(table)
        self.notify_watchers(table)

    def naming(self, user_id: int) -> list[int]:
        """The matches in memory whose facts name a user."""
        return [table.id for table in self._known.values() if user_id in users_in(Facts, table.facts)]

    async def read_anew(self, match_ids: Iterable[int]) -> None:
        """Put the tables of these matches in step with the store, as far as they are in memory."""
        for table in filter(None, [self._known.get(match_id) for match_id in match_ids]):
            async with table.lock:
                await self.refresh(table)

    async def refresh(self, table: Table) -> None:
        """Read a table anew from the store."""
        facts = await self._store.facts.find(table.id)
        assert facts is not None, "matches are never deleted"
        table.replace_by(await self._load(facts))

    async def _load(self, facts: Facts) -> Table:
        row, spec = facts.row, discover().get(facts.row.game)
        if spec is None:
            return _unplayable(facts, None, Text("I no longer have the game “{game}”.", game=row.game))
        if row.damage:
            _log.error("the row of match %d cannot be read: %s", row.id, row.damage)
            return _unplayable(facts, spec, Text("The record of this game is damaged."))
        # by the status and not by the log: a match that has begun may have no entries either
        # checked before the rules: a lobby has no entries yet, so it will be played by today's rules
        if row.status in (Status.LOBBY, Status.CLOSED):
            return await self._waiting(facts, spec)
        # under other rules than its own, a log would replay as another game, or fail
        if row.rules_version != spec.rules_version:
            return _unplayable(facts, spec, Text("This game began under older {title} rules.", title=spec.name))
        try:
            with guarding_match(row.game, row.id):
                return await self._replay(facts, spec)
        except GameFault:
            return _unplayable(facts, spec, FAULT_TEXT)
        except (BrokenLog, Damaged, SetupError, ValueError) as error:
            # a `ValueError` quotes what it could not read, which may be a hand: it stays out of the log
            problem = "a value is wrong" if isinstance(error, ValueError) else error
            _log.error("match %d cannot be replayed: %s\n%s", row.id, problem, outline(error))
            return _unplayable(facts, spec, Text("The record of this game can no longer be read."))

    async def _waiting(self, facts: Facts, spec: GameSpec) -> Table:
        """A lobby, or one that was closed."""
        try:
            with guarding_match(facts.row.game, facts.row.id):
                return Table(await self._with_valid_options(facts, spec), spec)
        except GameFault:
            return _unplayable(facts, spec, FAULT_TEXT)

    async def _replay(self, facts: Facts, spec: GameSpec) -> Table:
        """A match that has begun, replayed from its entries, with what else a table has."""
        if facts.damage:
            raise Damaged(facts.damage)
        row, store = facts.row, self._store
        setup = spec.setup(len(row.holders), row.options)
        # one transaction, so that nothing is written between two of these look-ups
        async with store.transaction():
            entries, answered = await store.log.entries(row.id), await store.log.auto_answered(row.id)
            stood_in, unanswered = await store.log.stand_in_entries(row.id), await store.log.last_act(row.id)
            changes, records = await store.ratings.changes(row.id), await store.ratings.set_by(row.id)
        match = Match.replay(spec, setup, row.seed, entries, answered, stood_in=stood_in)
        return Table(
            facts,
            spec,
            match,
            # the last process may have been killed between sending the board and noting it
            in_doubt=True,
            superseded=facts.pending.superseded if facts.pending else None,
            unanswered=unanswered,
            changes=changes,
            records=records,
        )

    async def _with_valid_options(self, facts: Facts, spec: GameSpec) -> Facts:
        """The facts of a lobby without the options that an upgrade has taken away since it was opened."""
        row = facts.row
        valid = {name: value for name, value in row.options.items() if _is_valid(spec, name, value)}
        if valid == row.options:
            return facts
        fresh = dataclasses.replace(facts, row=dataclasses.replace(row, options=valid))
        return await self._store.facts.write(facts, fresh)


def _players(facts: Facts) -> list[tuple[int | None, str | None]]:
    return [(holder.user_id, holder.computer) for holder in facts.row.holders]


def _unplayable(facts: Facts, spec: GameSpec | None, problem: Text) -> Table:
    hidden = Text("It can’t be shown.")
    return Table(facts, spec, problem=joined([problem, WAY_OUT_TEXT if facts.row.status is Status.RUNNING else hidden]))


def _is_valid(spec: GameSpec, name: str, value: OptionValue) -> bool:
    try:
        spec.setup(spec.seats[-1], {name: value})
    except SetupError:
        return False
    return True

"""Matches in a store of a test, which has no tables in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from bot.store.boards import Board
from bot.store.facts import Facts
from bot.store.jobs import board_mark, reminder_job
from bot.store.log import NewEntries
from bot.store.matches import UNLIMITED, MatchRow, OpenLimits, Results, SeatHolder, Status
from bot.store.store import Store
from bot.store.tally import NO_OWNERS, Owners
from engine.core import Outcome
from engine.match import Entry

AT = datetime(2026, 11, 22, 18, 30, tzinfo=UTC)


async def open_match(
    store: Store, *holders: SeatHolder, most: OpenLimits = UNLIMITED, at: datetime = AT, **columns: Any
) -> int:
    """A new lobby; `columns` are those in which it differs from others. Returns its id."""
    row: dict[str, Any] = {
        "id": 0,
        "guild_id": 9,
        "channel_id": 1,
        "host_id": 7,
        "game": "muscat",
        "rules_version": 1,
        "options": {},
        "seed": "",
        "status": Status.LOBBY,
        "lobby_message_id": None,
        "secret": "a secret",
        "holders": (),
    }
    seated = holders or (SeatHolder(7),)
    return (await store.open(MatchRow(**row | columns), lambda facts: facts.open(seated, at), most)).id


async def facts_of(store: Store, match_id: int) -> Facts:
    """Stored facts about a match."""
    facts = await store.facts.find(match_id)
    assert facts is not None, "it was opened"
    return facts


async def change(store: Store, match_id: int, how: Callable[[Facts], Facts]) -> Facts:
    """Change the stored facts of a match. Returns them."""
    before = await facts_of(store, match_id)
    return await store.write(before, how(before), await store.log.length(match_id))


async def begin(
    store: Store,
    match_id: int,
    entries: Sequence[Entry] = (),
    *,
    at: datetime = AT,
    seed: str = "s",
    computer: bool = False,
) -> str:
    """Let a match begin. Returns the mark of the board that waits by it."""
    mark = board_mark(len(entries))

    def begun(facts: Facts) -> Facts:
        return facts.begin(1, seed, None, at).with_computer(at, due=computer).expect_board(mark, at)

    before = await facts_of(store, match_id)
    await store.write(before, begun(before), 0, NewEntries(0, entries, at))
    return mark


async def append(
    store: Store,
    match_id: int,
    first: int,
    entries: Sequence[Entry],
    interaction_id: int | None = None,
    *,
    at: datetime = AT,
    how: Callable[[Facts], Facts] = lambda facts: facts,
) -> Facts:
    """Write entries from a number on, and a change of the facts. Returns them."""
    before = await facts_of(store, match_id)
    return await store.write(before, how(before), first, NewEntries(first, entries, at, interaction_id))


def expect_board(version: int, at: datetime = AT) -> Callable[[Facts], Facts]:
    """The change by which a board of a version waits."""
    return lambda facts: facts.expect_board(board_mark(version), at)


def end_match(outcome: Outcome, at: datetime = AT, owners: Owners = NO_OWNERS) -> Callable[[Facts], Facts]:
    """The change that ends a match."""
    results = Results(tuple(zip(outcome.scores, outcome.returns, strict=True)), owners)
    return lambda facts: facts.end(outcome, results, at)


def note_board(
    mark: str, board: Board, at: datetime = AT, called: dict[int, int] | None = None
) -> Callable[[Facts], Facts]:
    """The change by which a board was posted that calls these users, each since a version."""

    def post(facts: Facts) -> Facts:
        reminders = [reminder_job(facts.id, user, version, at) for user, version in (called or {}).items()]
        return facts.note_posted(mark, board, reminders)

    return post

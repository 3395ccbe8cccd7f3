"""A short run of `make torture`: nothing is lost by killing the bot, and it would be seen if it were."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import pytest_asyncio

from tests.torture.audit import Auditor, Breach
from tests.torture.records import NAME
from tests.torture.town import Town, town

KILLS = 4

TAMPERED = {
    "logs only grow": "DELETE FROM entries WHERE match_id = :match AND n > 0",
    "logs can be replayed": "INSERT INTO entries (match_id, n, seat, notation) "
    "SELECT match_id, max(n) + 1, 0, 'pass the salt' FROM entries WHERE match_id = :match",
    "the database is sound": "UPDATE posts SET match_id = 1000 WHERE match_id = :match",
}
"""What is seen when this was done to the database."""


@pytest_asyncio.fixture(scope="module")
async def tortured() -> AsyncIterator[Town]:
    async with town("short") as place:
        await place.suffer(KILLS)
        yield place


def test_promises_are_kept_from_kill_to_kill(tortured):
    assert KILLS < tortured.counts["kills"]
    assert tortured.counts["entries written"]


@pytest.mark.parametrize("seen", TAMPERED)
def test_a_broken_promise_would_be_seen(tortured, seen):
    accepted = tortured.auditor.ledger.accepted
    match_id = next(r.id for r in tortured.auditor.records.values() if any(e.interaction_id in accepted for e in r.log))
    with tampered(tortured.folder / NAME, TAMPERED[seen], match_id), pytest.raises(Breach, match=seen):
        tortured.auditor.look_at_records()


def test_a_move_that_was_accepted_and_is_not_written_would_be_seen(tortured):
    auditor, done = tortured.auditor, "UPDATE entries SET interaction_id = NULL WHERE interaction_id IS NOT NULL"
    newcomer = Auditor(auditor.local, auditor.folder, auditor.ledger)
    with tampered(tortured.folder / NAME, done, 0), pytest.raises(Breach, match="what was accepted is written"):
        newcomer.look_at_records()


@contextmanager
def tampered(place: Path, done: str, match_id: int) -> Iterator[None]:
    """Something is done to a database, and undone."""
    before = place.read_bytes()
    with closing(sqlite3.connect(place)) as connection, connection:
        connection.execute(done, {"match": match_id})
    try:
        yield
    finally:
        place.write_bytes(before)

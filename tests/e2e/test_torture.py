"""A short run of `make torture`: nothing is lost by killing the bot, and it would be seen if it were."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from pkgutil import walk_packages
from types import SimpleNamespace

import pytest
import pytest_asyncio

import bot
from engine.games import discover
from playground.world import Message
from tests.bench.walk import Walk
from tests.crowd.killed.audit import OVER, RUNNING, Auditor, mark_of
from tests.crowd.killed.harness import Harness, harness
from tests.crowd.killed.kills import PASSED_ON, STEPS
from tests.crowd.killed.ledger import Ledger, tells_done
from tests.crowd.promises import Breach
from tests.crowd.rows import Record, Written

KILLS = {"sqlite": 2, "postgresql": 1}
"""Number of kills by database: the longer run is the one that costs less."""

JOB = "INSERT INTO jobs (match_id, user_id, seat, guild_id, state, kind, due_at, attempts) VALUES (?, 77, 7, 0, '{}', "
WAITING = {
    "no board waits longer than the plan allows": JOB + "'board', '9999-01-01T00:00:00+00:00', 0)",
    "nothing that is due is left undone": JOB + "'digest', '2000-01-01T00:00:00+00:00', 0)",
    "nothing fails without a fault": JOB + "'digest', '9999-01-01T00:00:00+00:00', 1)",
}
"""The checks after the last fault."""

MAX_SECONDS = 1.0
"""Seconds of real time for each process."""

TAMPERED = {
    "logs only grow": "DELETE FROM entries WHERE match_id = ? AND n > 0",
    "logs can be replayed": "INSERT INTO entries (match_id, n, seat, notation, at) "
    "SELECT match_id, max(n) + 1, 0, 'pass the salt', max(at) FROM entries WHERE match_id = ? GROUP BY match_id",
    "the database is sound": "UPDATE jobs SET match_id = 1000 WHERE match_id = ?",
}
"""Changes of the database, and the breach that the audit finds for each."""


@pytest_asyncio.fixture(scope="module", params=KILLS)
async def tortured(request: pytest.FixtureRequest) -> AsyncIterator[Harness]:
    server = request.getfixturevalue("server") if request.param == "postgresql" else None
    async with harness("short", server, MAX_SECONDS) as place:
        await place.run(KILLS[request.param])
        yield place


@pytest.mark.parametrize("step", [*STEPS, *PASSED_ON])
def test_every_step_at_which_the_bot_is_killed_exists_in_the_bot(step):
    modules = [import_module(module.name) for module in walk_packages(bot.__path__, "bot.") if "__" not in module.name]
    classes = [thing for module in modules for thing in vars(module).values() if isinstance(thing, type)]
    assert step in {f"{class_.__name__}.{method}" for class_ in classes for method in vars(class_)}


def test_promises_are_kept_through_all_kills(tortured):
    kills = KILLS["postgresql" if tortured.server else "sqlite"]
    assert kills < tortured.counts["kills"]
    assert tortured.counts["entries written"]


@pytest.mark.parametrize("seen", TAMPERED)
def test_a_broken_promise_would_be_detected(tortured, seen):
    accepted = tortured.auditor.ledger.accepted
    # a match that was called off is not replayed, and one without jobs has none to tamper with
    records = (r for r in tortured.auditor.records.values() if r.status in (RUNNING, OVER) and r.jobs)
    match_id = next(r.id for r in records if any(entry.interaction_id in accepted for entry in r.log))
    with tamper(tortured.auditor, TAMPERED[seen], match_id) as auditor, pytest.raises(Breach, match=seen):
        auditor.look_at_records()


def test_an_accepted_but_unwritten_move_would_be_detected(tortured):
    done = "UPDATE entries SET interaction_id = NULL WHERE interaction_id IS NOT NULL AND ? = 0"
    with tamper(tortured.auditor, done, 0) as auditor:
        auditor.records.clear()
        with pytest.raises(Breach, match="accepted moves are written"):
            auditor.look_at_records()


@pytest.mark.parametrize(
    ("said", "done"),
    [
        ("✓ Snake charmer → 2A\n-# The board is on its way to the channel.", True),
        ("-# ✓ Clio north\n### Which power?", True),
        ("-# The game has moved on; this is the position now.\n-# ✓ Clio north\n### Which power?", False),
        ("✓ Already done when you typed it a moment ago.", False),
        ("Not your turn yet.", False),
    ],
)
def test_choices_and_earlier_acts_are_not_mistaken_for_new_acts(said, done):
    assert done == tells_done(said)


def test_a_duplicate_board_would_be_detected(tortured):
    auditor = tortured.auditor
    marked = next(filter(mark_of, auditor.messages()))
    there = tortured.local.discord.world.channels[marked.channel_id].messages
    there.append(dataclasses.replace(marked, id=tortured.local.discord.world.ids.next(), nonce=None))
    with pytest.raises(Breach, match="no board comes twice"):
        auditor.look_at_records()
    there.pop()


async def test_a_promise_that_held_once_is_kept_even_if_new_work_follows_at_once(monkeypatch, tortured):
    monkeypatch.setattr(tortured, "_has_ended", lambda: False)
    looks = iter((Breach("a board waits"), None, Breach("the board of the computer's move waits")))

    def look() -> None:
        if seen := next(looks):
            raise seen

    await tortured._hold(look)
    assert len([*looks]) == 1


@pytest.mark.parametrize("seen", WAITING)
async def test_a_promise_that_never_holds_would_be_detected(monkeypatch, tortured, seen):
    monkeypatch.setattr(tortured, "_has_ended", lambda: False)
    monkeypatch.setattr("tests.crowd.killed.harness.ALLOWED", 0.1)
    match_id = next(id for id, record in tortured.auditor.records.items() if record.status == "running")
    with tamper(tortured.auditor, WAITING[seen], match_id) as auditor:
        with auditor.look() as look:
            look.ask("DELETE FROM jobs WHERE user_id <> 77")  # nothing else waits, or has failed
        with pytest.raises(Breach, match=seen):
            await tortured._hold(auditor.look_at_waiting)


@pytest.mark.parametrize(
    ("boards", "was_called"),
    [
        (((0, False), (2, True)), True),
        (((2, True), (2, False)), True),
        (((2, False), (2, False)), False),
        (((0, True), (2, False)), False),  # and has acted since
    ],
)
def test_a_due_player_counts_as_pinged_if_any_board_since_they_became_due_pinged_them(boards, was_called):
    """Each board by how many turns were played before it, and whether it called her."""
    walk = Walk(discover()["jinns"], 2, "0" * 32)
    versions = [walk.match.version]
    for _ in range(2):
        walk.play(*walk.choose())
        versions.append(walk.match.version)
    (decision,) = walk.match.state.decisions()
    log = tuple(Written(entry.seat, entry.notation, None) for entry in walk.match.entries)
    record = Record(1, "jinns", 5, "running", "", "0" * 32, {}, (7, 8), log, None, (), {}, frozenset())
    her = record.users[decision.seat]
    messages = [
        Message(
            n,
            5,
            1,
            pinged=[her] * called,
            components=[{"type": 2, "custom_id": f"cv:boardmore:1:0:{versions[turn]}-{n:04x}"}],
        )
        for n, (turn, called) in enumerate(boards)
    ]
    world = SimpleNamespace(channels={5: SimpleNamespace(messages=messages)})
    auditor = Auditor(SimpleNamespace(discord=SimpleNamespace(world=world)), nullcontext, Ledger())
    assert was_called == auditor.was_called(record, walk.match, decision.seat, her)


def test_a_recorded_but_unsent_reminder_would_be_detected(tortured):
    user_id = next(iter(tortured.local.discord.world.people)).id
    seen = "a reminder noted as sent was sent"
    noted = "2001-01-01T00:00:00+00:00"
    done = (
        f"INSERT INTO reminded (user_id, at) VALUES (?, '{noted}') ON CONFLICT (user_id) DO UPDATE SET at = '{noted}'"
    )
    with tamper(tortured.auditor, done, user_id) as auditor, pytest.raises(Breach, match=seen):
        auditor.look_at_reminders(excused=False)


def test_the_loss_of_the_newest_reminder_would_be_detected(tortured):
    world = tortured.local.discord.world
    user_id = next(iter(world.people)).id
    gone = Message(2**63, next(iter(world.channels)), world.bot.id, nonce=f"r{user_id}-0", mentions=[user_id])
    done = "INSERT INTO reminded (user_id) VALUES (?) ON CONFLICT (user_id) DO UPDATE SET number = 0"
    world.removed.append(gone)
    with (
        tamper(tortured.auditor, done, user_id) as auditor,
        pytest.raises(Breach, match="the newest reminder of a user stays"),
    ):
        auditor.look_at_reminders(excused=False)
    world.removed.remove(gone)


@contextmanager
def tamper(auditor: Auditor, done: str, match_id: int) -> Iterator[Auditor]:
    """An auditor of a database to which something is done, which is undone in the end."""
    with auditor.look() as look:
        if look.kind == "postgresql":
            look.ask("SET LOCAL session_replication_role = replica")  # else it would not take it
        look.ask(done, match_id)
        yield dataclasses.replace(
            auditor, look=lambda: nullcontext(look), records={**auditor.records}, noted={**auditor.noted}
        )

"""The store: append-only entries, once per interaction, and what lasts over a restart."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from enum import StrEnum
from operator import methodcaller
from types import SimpleNamespace
from typing import Any

import pytest

from bot.errors import StartError
from bot.store import open_tables
from bot.store.blocks import MAX_BLOCKS, TooManyBlocks
from bot.store.boards import Board
from bot.store.database import Conflict, StatementFailed
from bot.store.drafts import Draft
from bot.store.jobs import Backlog, Job, JobKind, board_mark
from bot.store.log import Act, Damaged, Duplicate, NewEntries
from bot.store.matches import HostLimitReached, LimitReached, OpenLimits, SeatHolder, Status
from bot.store.migrate import VERSION_TABLE, migrations, table_keys
from bot.store.opening import open_database
from bot.store.reminded import MAX_MESSAGES, NONCE_LIFETIME, LastReminder
from bot.store.store import Store
from bot.store.table_events import TableEvent, TableEventKind
from engine.core import Outcome
from engine.match import Entry
from engine.texts import CHANCE, Seat
from tests.bot.matches import AT, append, begin, change, end_match, expect_board, note_board, open_match

DRAW = Entry(Seat(0), "draw")
LUCK = Entry(CHANCE, "turn-up E")


HOUR = timedelta(hours=1)
LATER = AT + HOUR


class Reason(StrEnum):
    HOME = "home"


WON = Outcome((1.0, 0.0), (7, 3), Reason.HOME)


async def pending_mark(store: Store, match_id: int) -> str | None:
    """The mark of the board of a match that waits."""
    job = await store.jobs.find(JobKind.BOARD, match_id)
    return job and job.state["mark"]


async def new_match(store: Store, channel_id: int = 1) -> int:
    return await open_match(store, channel_id=channel_id)


async def close(store: Store, match_id: int, status: Status) -> None:
    await change(store, match_id, lambda facts: facts.close(status, AT))


async def test_the_seed_is_in_no_repr(store):
    draft = Draft(1, ("bid a secret",))
    facts = await change(store, await new_match(store), lambda facts: facts.keep_draft(Seat(0), draft))
    assert "a secret" not in repr(facts) + repr(facts.row)


async def test_the_seed_is_in_no_error(store, database):
    await database.execute("ALTER TABLE matches RENAME TO games")
    with pytest.raises(StatementFailed) as caught:
        await new_match(store)
    assert "INSERT INTO matches" in str(caught.value)
    assert "a secret" not in str(caught.value)


async def test_a_channel_has_one_open_match(store):
    first = await new_match(store)
    with pytest.raises(Conflict):
        await new_match(store)
    await close(store, first, Status.ENDED)
    assert first != await new_match(store)


async def test_a_repeated_interaction_writes_nothing(store):
    match_id = await new_match(store)
    await append(store, match_id, 0, [DRAW], 5, how=expect_board(1))
    with pytest.raises(Duplicate):
        await append(store, match_id, 1, [DRAW, LUCK], 5, how=end_match(WON))
    assert [DRAW] == await store.log.entries(match_id)
    assert (await pending_mark(store, match_id)).startswith("1-")
    assert Status.LOBBY is (await store.matches.find(match_id)).status


async def test_two_processes_cannot_write_the_same_entry(store):
    match_id = await new_match(store)
    await append(store, match_id, 0, [DRAW], 5)
    with pytest.raises(Conflict) as caught:
        await append(store, match_id, 0, [LUCK], 6)
    assert not isinstance(caught.value, Duplicate)


async def test_a_match_begins_under_the_current_rules_even_without_an_entry(store):
    match_id = await new_match(store)
    mark = await begin(store, match_id)
    row = await store.matches.find(match_id)
    assert (Status.RUNNING, 1) == (row.status, row.rules_version)
    assert mark == await pending_mark(store, match_id)


async def test_a_missing_entry_is_detected(store):
    match_id = await new_match(store)
    await append(store, match_id, 0, [LUCK])
    await append(store, match_id, 2, [DRAW])
    with pytest.raises(Damaged, match="entry 1"):
        await store.log.entries(match_id)


async def test_the_last_act_in_a_match_is_found_with_its_user(store):
    match_id = await new_match(store)
    await append(store, match_id, 0, [DRAW, LUCK], 5)
    await append(store, match_id, 2, [Entry(Seat(1), "cycle 1A"), Entry(Seat(1), "rise 2A")], 6)
    await append(store, match_id, 4, [Entry(Seat(0), "draw 2"), LUCK])
    assert Act(Seat(1), 6, "cycle 1A") == await store.log.last_act(match_id)


@pytest.mark.parametrize(("column", "damage"), [("options", "'[]'"), ("options", "'{'"), ("status", "'asleep'")])
async def test_a_damaged_row_is_read_as_far_as_possible(store, database, column, damage):
    match_id = await new_match(store)
    await database.execute(f"UPDATE matches SET {column} = {damage}")
    row = await store.matches.find(match_id)
    assert row.damage
    assert (7, Status.RUNNING, {}) == (row.host_id, row.status, row.options)
    await close(store, match_id, Status.ENDED)
    assert await store.matches.open_in(1) is None


@pytest.mark.parametrize(("is_closed", "status"), [(False, Status.RUNNING), (True, Status.ENDED)])
async def test_a_damaged_match_is_running_until_it_is_closed(store, database, is_closed, status):
    match_id = await new_match(store)
    await begin(store, match_id)
    if is_closed:
        await close(store, match_id, Status.ENDED)
    await database.execute("UPDATE matches SET options = '{'")
    row = await store.matches.find(match_id)
    assert (status, True) == (row.status, bool(row.damage))


async def test_matches_that_have_ended_since_a_time_are_those_of_their_last_players(store):
    """The end of one that was called off is its event: its last entry may be older."""
    over_id, ended_id, running_id = [await new_match(store, channel_id) for channel_id in (1, 2, 3)]
    for match_id in (over_id, ended_id, running_id):
        await begin(store, match_id, at=AT - HOUR)
    await append(store, over_id, 0, [DRAW], how=end_match(WON))
    await append(store, ended_id, 0, [DRAW], at=AT - HOUR)
    called_off = TableEvent(TableEventKind.CLOSED, 1, AT)
    await change(store, ended_id, lambda facts: facts.close(Status.ENDED, AT).note(called_off))
    before = AT - timedelta(microseconds=1)
    assert [over_id, ended_id] == await store.matches.ids_ended_since(7, before)
    assert [] == await store.matches.ids_ended_since(7, AT), "those were in the last list"
    assert [] == await store.matches.ids_ended_since(8, before)


async def test_the_last_match_of_a_channel_is_the_last_one_that_started(store):
    assert await store.matches.last_in(1) is None
    played = []
    for status in (Status.OVER, Status.ENDED, Status.CLOSED):
        played.append(await new_match(store))
        await close(store, played[-1], status)
    await new_match(store, channel_id=2)
    assert played[1] == await store.matches.last_in(1)


async def test_commits_are_synced_and_foreign_keys_are_enforced(tmp_path):
    async with open_database(f"sqlite:///{tmp_path}/caravanserai.db") as database:
        names = ("journal_mode", "synchronous", "foreign_keys")
        assert ["wal", 2, 1] == [await database.fetch_value(f"PRAGMA {name}") for name in names]


async def test_every_table_is_in_the_copy_list(database):
    assert {*table_keys(), VERSION_TABLE} == {table for table in await database.table_names() if "sqlite_" not in table}


def test_migrations_are_numbered_without_a_gap():
    assert [*range(1, len(migrations()) + 1)] == [*migrations()]


async def test_a_failed_migration_leaves_the_database_unchanged(place, monkeypatch):
    async with open_database(place) as database:
        await new_match(Store(database))
    failing = {**migrations(), len(migrations()) + 1: "CREATE TABLE half (id INTEGER);\nSELECT nothing;\n"}
    monkeypatch.setattr("bot.store.migrate.migrations", lambda: failing)
    with pytest.raises(StartError):
        async with open_database(place):
            pass
    monkeypatch.undo()
    async with open_database(place) as database:
        assert "half" not in await database.table_names()
        assert await Store(database).matches.open_in(1)


async def test_a_later_migration_runs_once(place, monkeypatch):
    async with open_database(place):
        pass
    later = {**migrations(), len(migrations()) + 1: "CREATE TABLE more (id INTEGER);\nINSERT INTO more VALUES (1);\n"}
    monkeypatch.setattr("bot.store.migrate.migrations", lambda: later)
    for _ in range(2):
        async with open_database(place) as database:
            assert [1] == await database.fetch_column("SELECT id FROM more")


# --- times, results and who sat where ---


async def rows(database, sql):
    return [tuple(row) for row in await database.fetch(sql)]


async def test_every_entry_has_the_time_of_its_transaction(place):
    async with open_database(place) as database:
        store, later = Store(database), AT + timedelta(hours=5)
        match_id = await new_match(store)
        await begin(store, match_id, [LUCK])
        await append(store, match_id, 1, [DRAW, LUCK], at=later)
        assert [AT, later, later] == [await store.log.written_at(match_id, n) for n in range(3)]
        assert {0: AT, 2: later} == await store.log.times(match_id, [0, 2])


async def test_a_finished_match_keeps_its_result(place):
    async with open_database(place) as database:
        store = Store(database)
        match_id = await new_match(store)
        await append(store, match_id, 0, [DRAW], how=end_match(WON))
        assert [(match_id, 0, 7, 1.0), (match_id, 1, 3, 0.0)] == await rows(
            database, "SELECT match_id, seat, score, share FROM results"
        )
        ((reason,),) = await rows(database, "SELECT reason FROM matches")
        assert ("home", Status.OVER) == (reason, (await store.matches.find(match_id)).status)
        assert await store.matches.open_in(1) is None


async def test_the_seat_history_keeps_players_who_gave_up_a_seat(place):
    async with open_database(place) as database:
        store = Store(database)
        match_id = await open_match(store, SeatHolder(7), SeatHolder(8))
        for holder, version in ((SeatHolder(computer="uniform"), 12), (SeatHolder(9), 12), (SeatHolder(8), 30)):
            await change(store, match_id, methodcaller("hand_over", Seat(1), holder, version, AT))
        assert (SeatHolder(7), SeatHolder(8)) == (await store.matches.find(match_id)).holders
        seat_history = [(0, 0, None, 7), (1, 0, 12, 8), (1, 12, 30, 9), (1, 30, None, 8)]
        assert [(match_id, *sat) for sat in seat_history] == [
            row[:5] for row in await rows(database, "SELECT * FROM seat_history ORDER BY seat, since")
        ]


async def test_a_board_that_pings_keeps_reminders_of_an_unchanged_decision(store):
    match_id, hour = await new_match(store), timedelta(hours=1)

    async def post(version, at, called):
        pending = (await append(store, match_id, version, [DRAW], how=expect_board(version))).pending
        board = Board(version, version, {})
        await append(store, match_id, version + 1, [], how=note_board(pending.mark, board, at, called))

    await post(1, AT, {7: 1, 8: 1})
    await post(2, AT + hour, {7: 1, 9: 2})
    results = [job for user_id in (7, 8, 9) for job in await store.jobs.of_user(JobKind.REMINDER, user_id)]
    assert [(7, 1, AT), (9, 2, AT + hour)] == [
        (job.user_id, job.state["version"], job.due_at - hour) for job in results
    ]


# --- jobs ---


async def test_a_job_replaces_the_one_with_the_same_key(store):
    match_id = await new_match(store)
    job = Job(JobKind.ANSWER, AT, match_id, 7, state={"version": 3})
    await store.jobs.put(job, Job(JobKind.ANSWER, AT, match_id, 8, state={"version": 3}))
    await store.jobs.put(job.at(LATER, version=4))
    assert job.at(LATER, version=4) == replace(await store.jobs.find(*job.key), guild_id=0)
    assert 2 == len(await store.jobs.of_match(JobKind.ANSWER, match_id))


async def test_due_jobs_of_a_server_are_suspended_until_it_resumes(store):
    jobs = [
        Job(JobKind.MODERATION_LOG, AT, user_id=1, guild_id=5, attempts=3),
        Job(JobKind.MODERATION_LOG, LATER, user_id=2, guild_id=5),
        Job(JobKind.MODERATION_LOG, AT, user_id=3, guild_id=6),
    ]
    await store.jobs.put(*jobs)
    await store.jobs.suspend([5], AT)
    assert [3] == [job.user_id for job in await store.jobs.due(AT)]
    assert 1 == (await store.jobs.backlog(AT))[JobKind.MODERATION_LOG].waiting
    await store.jobs.resume(6, AT)
    assert [3] == [job.user_id for job in await store.jobs.due(AT)]
    await store.jobs.resume(5, AT)
    assert {1, 3} == {job.user_id for job in await store.jobs.due(AT)}
    assert LATER == (await store.jobs.find(*jobs[1].key)).due_at


async def test_servers_with_open_tables_and_all_values_of_a_setting_are_listed(store):
    match_id = await new_match(store)
    guild_id = (await store.matches.find(match_id)).guild_id
    assert [guild_id] == await store.matches.servers_with_tables()
    await store.settings.put("server", 5, "away since", "then")
    await store.settings.put("server", 5, "settings", {})
    assert {5: "then"} == await store.settings.of_all("server", "away since")


async def test_a_job_that_changed_in_the_meantime_is_not_replaced(store):
    job = Job(JobKind.DIGEST, AT, user_id=7, state={"number": 1})
    await store.jobs.put(job)
    await store.jobs.make_due_for_user(AT - HOUR, JobKind.DIGEST, 7)
    assert not await store.jobs.replace(job, job.at(LATER))
    assert not await store.jobs.replace(job, None)
    hurried = await store.jobs.find(*job.key)
    assert AT - HOUR == hurried.due_at
    assert await store.jobs.replace(hurried, hurried.at(LATER, number=2))
    assert not await store.jobs.replace(hurried, None)
    assert await store.jobs.replace(hurried.at(LATER, number=2), None)
    assert await store.jobs.find(*job.key) is None


def test_a_job_with_another_due_time_has_had_no_attempts() -> None:
    job = Job(JobKind.BOARD, AT, 1, attempts=3, state={"mark": "1-a", "superseded": None})
    later = AT + timedelta(hours=1)
    assert (later, 0, {"mark": "2-b", "superseded": None}) == (
        (moved := job.at(later, mark="2-b")).due_at,
        moved.attempts,
        moved.state,
    )


async def test_any_number_of_jobs_is_found_by_their_keys(store):
    jobs = [Job(JobKind.REMINDER, AT, user_id=number) for number in range(1, 151)]
    await store.jobs.put(*jobs)
    existing = await store.jobs.find_all([job.key for job in jobs] + [(JobKind.REMINDER, 0, 999, -1)])
    assert [job.key for job in jobs] == sorted(job.key for job in existing)
    assert [] == await store.jobs.find_all([])


async def test_newcomers_have_never_begun_an_earlier_match_of_the_game(store):
    async def played(user_id: int, game: str, *, begun: bool = True) -> int:
        match_id = await open_match(store, SeatHolder(user_id), game=game, channel_id=user_id)
        if begun:
            await begin(store, match_id)
        return match_id

    await played(1, "jinns")
    await played(2, "muscat", begun=False)
    await played(3, "muses")
    match_id = await played(4, "jinns")
    await played(5, "jinns")
    assert {2, 3, 4, 5} == await store.matches.newcomers(match_id, "jinns", [1, 2, 3, 4, 5])


async def test_due_boards_come_before_other_jobs(store):
    match_id = await new_match(store)
    await store.jobs.drop(JobKind.LOBBY_EXPIRY, match_id)
    await store.jobs.put(
        Job(JobKind.STORY, AT - HOUR, match_id), Job(JobKind.RETIRE, LATER, match_id), Job(JobKind.BOARD, AT, match_id)
    )
    assert [JobKind.BOARD, JobKind.STORY] == [job.kind for job in await store.jobs.due(AT)]
    assert (LATER, None) == (await store.jobs.next_after(AT), await store.jobs.next_after(LATER))


async def test_boards_come_first_and_the_longest_due_job_before_others(store):
    times = [AT - n * HOUR for n in (0, 2, 1)]
    await store.jobs.put(*(Job(JobKind.DIGEST, at, user_id=n) for n, at in enumerate(times)))
    await store.jobs.put(*(Job(JobKind.BOARD, at, match_id=n, state={}) for n, at in enumerate(times, 1)))
    kinds = [JobKind.BOARD] * 3 + [JobKind.DIGEST] * 3
    due = await store.jobs.due(AT)
    assert [*zip(kinds, 2 * sorted(times), strict=True)] == [(job.kind, job.due_at) for job in due]


async def test_the_worker_is_woken_only_for_jobs_due_before_its_next_check(store):
    store.jobs.asleep_until = AT + HOUR
    await store.jobs.put(Job(JobKind.DIGEST, LATER, user_id=7))
    assert not store.jobs.wake.is_set()
    await store.jobs.put(Job(JobKind.DIGEST, AT, user_id=7))
    assert store.jobs.wake.is_set()


async def test_a_start_makes_boards_and_failed_jobs_due(store):
    match_id = await new_match(store)
    jobs = [
        Job(JobKind.BOARD, LATER, match_id, state={"mark": "1"}),
        Job(JobKind.RETIRE, LATER, match_id, attempts=1),
        Job(JobKind.DIGEST, LATER, user_id=7),
    ]
    await store.jobs.put(*jobs)
    await store.jobs.drop(JobKind.LOBBY_EXPIRY, match_id)
    await store.jobs.make_due_at_start(AT)
    assert [JobKind.BOARD, JobKind.RETIRE] == [job.kind for job in await store.jobs.due(AT)]


async def test_the_backlog_counts_due_and_failed_jobs(store):
    await store.jobs.put(
        Job(JobKind.DIGEST, AT, user_id=7),
        Job(JobKind.DIGEST, AT - HOUR, user_id=8),
        Job(JobKind.DIGEST, LATER, user_id=9, attempts=1),
        Job(JobKind.DIGEST, LATER, user_id=10),
    )
    assert {JobKind.DIGEST: Backlog(3, AT - HOUR, 1)} == await store.jobs.backlog(AT)


async def test_a_snooze_and_the_last_reminder_are_stored_independently(store):
    assert LastReminder() == await store.reminded.of(7)
    await store.reminded.snooze(7, LATER)
    await store.reminded.note(7, 1, AT, {3: (5, 6)})
    assert LastReminder(1, AT, LATER, messages={3: (5, 6)}) == await store.reminded.of(7)
    await store.reminded.begin(7, [(3, 1)], LATER)
    assert {3: (5, 6)} == (await store.reminded.of(7)).messages


async def test_a_reminder_that_was_sent_is_not_in_doubt_any_more(store):
    await store.reminded.begin(7, [(1, 2)], AT)
    begun = await store.reminded.of(7)
    assert begun.may_have_been_sent(AT + NONCE_LIFETIME - timedelta(seconds=1))
    assert not begun.may_have_been_sent(AT + NONCE_LIFETIME), "Discord has forgotten its nonce"
    await store.reminded.note(7, 1, AT, {1: (1, 5)})
    assert not (await store.reminded.of(7)).may_have_been_sent(AT)


async def test_only_the_newest_reminder_messages_are_kept(store):
    await store.reminded.note(7, 1, AT, {match_id: (5, match_id) for match_id in range(MAX_MESSAGES + 3)})
    assert list(range(3, MAX_MESSAGES + 3)) == [*(await store.reminded.of(7)).messages]


# --- open tables ---


async def test_open_tables_have_their_current_players_and_their_newest_message(store):
    lobby = await open_match(store, SeatHolder(7), channel_id=1, lobby_message_id=50)
    running = await open_match(
        store, SeatHolder(9), SeatHolder(8), SeatHolder(computer="fair"), lobby_message_id=60, channel_id=2
    )
    await begin(store, running, [DRAW])
    await change(store, running, note_board(board_mark(1), Board(1, 61, {"due": [0, 2]})))
    await change(store, running, lambda facts: facts.hand_over(Seat(1), SeatHolder(6), 1, AT))
    await close(store, await open_match(store, channel_id=3), Status.CLOSED)
    await open_match(store, channel_id=4, guild_id=5)
    first, second = await store.open_tables.of_server(9)
    assert (lobby, 50, (7,), (), False) == (first.id, first.message_id, first.users, first.due, first.has_moved)
    assert (running, 61, (9, 6, None)) == (second.id, second.message_id, second.users)
    assert ((Seat(0), Seat(2)), False) == (second.due, second.has_moved), "the board shows the last entry"
    await append(store, running, 1, [Entry(Seat(2), "draw")])
    assert [False, True] == [table.has_moved for table in await store.open_tables.of_server(9)]


async def test_of_too_many_open_tables_the_oldest_ones_are_listed(store, monkeypatch):
    monkeypatch.setattr(open_tables, "MAX_TABLES", 2)
    ids = [await new_match(store, channel_id) for channel_id in (1, 2, 3)]
    assert ids[:2] == [table.id for table in await store.open_tables.of_server(9)]


# --- whom people play with ---


async def test_a_block_applies_to_both_users_until_it_is_removed(store):
    await store.blocks.add(1, 2, "Ben", AT)
    await store.blocks.add(1, 3, "Caro", AT + HOUR)
    assert {frozenset((1, 2)), frozenset((1, 3))} == await store.blocks.pairs([1, 2, 3, 4])
    assert [{2, 3}, {1}, {1}, set()] == [await store.blocks.apart_from(user, [1, 2, 3, 4]) for user in (1, 2, 3, 4)]
    newest, first = await store.blocks.of(1)
    assert [(3, "Caro"), (2, "Ben"), []] == [
        (newest.user_id, newest.name),
        (first.user_id, first.name),
        await store.blocks.of(2),
    ]
    await store.blocks.drop(2, newest.digest)
    await store.blocks.drop(1, first.digest)
    assert {frozenset((1, 3))} == await store.blocks.pairs([1, 2, 3, 4])


async def test_a_user_blocks_at_most_a_hundred_players(store):
    for other in range(2, MAX_BLOCKS + 2):
        await store.blocks.add(1, other, "", AT)
    with pytest.raises(TooManyBlocks):
        await store.blocks.add(1, 1000, "", AT)
    await store.blocks.add(1, 2, "again", AT)
    assert MAX_BLOCKS == len(await store.blocks.of(1))
    assert ["again"] == [block.name for block in await store.blocks.of(1) if block.user_id == 2]


async def test_a_bar_applies_in_its_server_until_it_expires(store):
    await store.bars.put(7, 1, "Ana", "rude", AT, AT + HOUR)
    await store.bars.put(7, 2, "Ben", "", AT, None)
    just_before = AT + HOUR - timedelta(microseconds=1)
    assert {1, 2} == (await store.bars.among(7, [1, 2, 3], just_before)).keys()
    assert {2} == (await store.bars.among(7, [1, 2, 3], AT + HOUR)).keys()
    assert ["Ben"] == [bar.name for bar in await store.bars.in_server(7, AT + HOUR)]
    assert ({}, []) == (await store.bars.among(8, [1, 2], AT), await store.bars.in_server(8, AT))
    (ben,) = await store.bars.in_server(7, AT + HOUR)
    await store.bars.drop(8, ben.digest)
    assert {2} == (await store.bars.among(7, [2], AT + HOUR)).keys()
    await store.bars.drop(7, ben.digest)
    assert {} == await store.bars.among(7, [1, 2], AT + HOUR)


@pytest.mark.parametrize(
    ("kind", "is_asleep"),
    [
        (JobKind.REMINDER, False),
        (JobKind.BOARD, False),
        (JobKind.COMPUTER, False),
        (JobKind.CLOCK, False),
        (JobKind.ANSWER, False),
        (JobKind.MODERATION_LOG, True),
        (JobKind.NEXT_NOTICE, True),
    ],
)
async def test_a_match_is_awake_while_something_may_let_it_go_on(store, kind, is_asleep):
    match_id = await new_match(store)
    await begin(store, match_id)
    await store.jobs.drop(JobKind.BOARD, match_id)
    assert await store.matches.is_asleep(match_id)
    await store.jobs.put(Job(kind, AT, match_id, 7))
    assert is_asleep == await store.matches.is_asleep(match_id)


async def test_a_running_match_without_reminders_is_asleep_and_counts_toward_no_limit(store):
    match_id, limits = await new_match(store), OpenLimits(1, 1)
    assert not await store.matches.is_asleep(match_id), "a lobby"
    mark = await begin(store, match_id)
    assert not await store.matches.is_asleep(match_id), "its board waits"
    await change(store, match_id, note_board(mark, Board(0, 55, {}), AT, {7: 0}))
    assert not await store.matches.is_asleep(match_id), "somebody is to be reminded"
    for limits in (OpenLimits(1, 0), OpenLimits(0, 1)):
        with pytest.raises((LimitReached, HostLimitReached)):
            await store.matches.require_room(9, 7, limits)
    await store.jobs.drop(JobKind.REMINDER, match_id, 7)
    assert await store.matches.is_asleep(match_id)
    assert 0 == await store.matches.running_in_server(9)
    await store.matches.require_room(9, 7, limits)
    await append(store, match_id, 0, [DRAW], how=expect_board(1))
    assert not await store.matches.is_asleep(match_id), "a move wakes it"


def test_new_entries_are_those_from_a_number_on_with_how_each_was_answered() -> None:
    match: Any = SimpleNamespace(entries=tuple("abcd"), answered={1: True, 2: False, 3: True}, stood_in={1, 2, 3})
    new = NewEntries.of(match, 2, AT, 9)
    assert (("c", "d"), {2: False, 3: True}, {2, 3}) == (new.entries, new.answered, {*new.stood_in})

"""The store: append-only entries, once per interaction, and what lasts over a restart."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum

import pytest

from bot.errors import StartError
from bot.store.blocks import MAX_BLOCKS, TooManyBlocks
from bot.store.boards import Board
from bot.store.clocks import SeatClock
from bot.store.copying import KEYS
from bot.store.database import Conflict, StatementFailed
from bot.store.drafts import Draft
from bot.store.jobs import Backlog, Job, JobKind
from bot.store.join_requests import JoinRequest
from bot.store.log import Act, Damaged, Duplicate
from bot.store.matches import HostLimitReached, LimitReached, OpenLimits, SeatHolder, Status
from bot.store.migrate import VERSION_TABLE, migrations
from bot.store.opening import opened
from bot.store.reminded import KEPT, LastReminder
from bot.store.store import Store, Written
from bot.store.table_events import TableEvent, TableEventKind
from engine.core import Outcome
from engine.match import Entry
from engine.texts import CHANCE, Seat
from tests.server import Server

DRAW = Entry(Seat(0), "draw")
LUCK = Entry(CHANCE, "turn-up E")


@pytest.fixture(params=["sqlite", "postgresql"])
def on(request) -> Server | None:
    """The server on which a test keeps its games; or none, but a file."""
    return None if request.param == "sqlite" else request.getfixturevalue("server")


@pytest.fixture
async def place(on, tmp_path) -> str:
    """The address of a database that is empty and new."""
    return await on.database() if on else f"sqlite:///{tmp_path}/caravanserai.db"


@pytest.fixture
async def database(on, folder):
    """A database that was opened before, and is open and empty."""
    address = f"sqlite:///{folder}/caravanserai.db" if on is None else await on.database(await used(on))
    async with opened(address) as database:
        yield database


async def used(server: Server) -> str:
    """The name of a database that is like those, to be copied: making all tables anew takes long."""
    if not server.used:
        address = await server.database()
        async with opened(address):
            server.used = address.partition("?")[0].rpartition("/")[2]
    return server.used


@pytest.fixture
def store(database):
    return Store(database)


AT = datetime(2026, 11, 22, 18, 30, tzinfo=UTC)


HOUR = timedelta(hours=1)
LATER = AT + HOUR


class Reason(StrEnum):
    HOME = "home"


WON = Outcome((1.0, 0.0), (7, 3), Reason.HOME)


async def waiting(store: Store, match_id: int) -> str | None:
    """The mark of the board of a match that waits."""
    job = await store.jobs.find(JobKind.BOARD, match_id)
    return job and job.state["mark"]


async def due(store: Store, kind: JobKind) -> list[int]:
    """The matches with a job of a kind."""
    return sorted(job.match_id for job in await store.jobs.due(LATER) if job.kind is kind)


async def new_match(store: Store, channel_id: int = 1) -> int:
    return await store.matches.create(
        guild_id=9,
        channel_id=channel_id,
        host_id=7,
        holders=[SeatHolder(7)],
        options={},
        game="muscat",
        rules_version=1,
        secret="a secret",
        at=AT,
    )


async def test_the_seed_is_in_no_repr(store):
    assert "a secret" not in repr(await store.matches.find(await new_match(store)))


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
    await store.matches.change(first, status=Status.OVER)
    assert first != await new_match(store)


async def test_an_interaction_is_written_once_and_nothing_of_its_repetition_stays(store):
    match_id = await new_match(store)
    await store.append(match_id, Written(0, [DRAW], interaction_id=5, post_version=1, at=AT))
    with pytest.raises(Duplicate):
        await store.append(match_id, Written(1, [DRAW, LUCK], interaction_id=5, post_version=3, outcome=WON, at=AT))
    assert [DRAW] == await store.log.entries(match_id)
    assert (await waiting(store, match_id)).startswith("1-")
    assert Status.LOBBY is (await store.matches.find(match_id)).status


async def test_two_processes_cannot_write_the_same_entry(store):
    match_id = await new_match(store)
    await store.append(match_id, Written(0, [DRAW], interaction_id=5, at=AT))
    with pytest.raises(Conflict) as caught:
        await store.append(match_id, Written(0, [LUCK], interaction_id=6, at=AT))
    assert not isinstance(caught.value, Duplicate)


async def test_a_match_begins_under_the_rules_of_today_even_without_an_entry(store):
    match_id = await new_match(store)
    mark = await store.begin(match_id, [], rules_version=2, seed="s", post_version=0, at=AT)
    row = await store.matches.find(match_id)
    assert (Status.RUNNING, 2) == (row.status, row.rules_version)
    assert mark == await waiting(store, match_id)


async def test_a_missing_entry_is_noticed(store):
    match_id = await new_match(store)
    await store.append(match_id, Written(0, [LUCK], at=AT))
    await store.append(match_id, Written(2, [DRAW], at=AT))
    with pytest.raises(Damaged, match="entry 1"):
        await store.log.entries(match_id)


async def test_the_last_thing_that_somebody_did_is_known(store):
    match_id = await new_match(store)
    await store.append(match_id, Written(0, [DRAW, LUCK], interaction_id=5, at=AT))
    await store.append(match_id, Written(2, [Entry(Seat(1), "cycle 1A"), Entry(Seat(1), "rise 2A")], AT, 6))
    await store.append(match_id, Written(4, [Entry(Seat(0), "draw 2"), LUCK], at=AT))
    assert Act(Seat(1), 6, "cycle 1A") == await store.log.last_act(match_id)


@pytest.mark.parametrize(("column", "damage"), [("options", "'[]'"), ("options", "'{'"), ("status", "'asleep'")])
async def test_a_damaged_row_is_read_as_far_as_it_goes(store, database, column, damage):
    match_id = await new_match(store)
    await database.execute(f"UPDATE matches SET {column} = {damage}")
    row = await store.matches.find(match_id)
    assert row.damage
    assert (7, Status.RUNNING, {}) == (row.host_id, row.status, row.options)
    await store.matches.change(match_id, status=Status.ENDED)
    assert await store.matches.open_in(1) is None


async def test_the_last_match_of_a_channel_is_one_that_had_begun(store):
    assert await store.matches.last_in(1) is None
    played = []
    for status in (Status.OVER, Status.ENDED, Status.CLOSED):
        played.append(await new_match(store))
        await store.matches.change(played[-1], status=status)
    await new_match(store, channel_id=2)
    assert played[1] == await store.matches.last_in(1)


async def test_matches_in_which_a_computer_may_have_to_play_are_known(store):
    begun, taken_over, answered, quiet = [await new_match(store, channel) for channel in range(4)]
    await store.begin(begun, [DRAW], rules_version=1, seed="s", post_version=1, at=AT, goes_on=True)
    for match_id in (taken_over, answered, quiet):
        await store.begin(match_id, [DRAW], rules_version=1, seed="s", post_version=1, at=AT)
    await store.matches.hand_over(taken_over, Seat(1), SeatHolder(computer="fair"), 1, at=AT)
    await store.note_computer(answered, AT, due=True)
    assert [begun, taken_over, answered] == await due(store, JobKind.COMPUTER)
    await store.append(begun, Written(1, [LUCK], at=AT, goes_on=False))
    await store.append(taken_over, Written(1, [LUCK], at=AT))
    await store.note_computer(answered, AT, due=False)
    assert [taken_over] == await due(store, JobKind.COMPUTER)


async def test_the_newest_waiting_board_is_posted_and_older_ones_are_dropped(store):
    match_id = await new_match(store)
    old = await store.append(match_id, Written(0, [DRAW], post_version=1, at=AT))
    mark = await store.append(match_id, Written(1, [LUCK], post_version=2, at=AT))
    assert mark == await waiting(store, match_id) != old
    await store.posted(match_id, mark, Board(2, 77, {"heading": "x"}), at=AT)
    assert await waiting(store, match_id) is None
    assert Board(2, 77, {"heading": "x"}) == await store.boards.of(match_id)


async def test_a_board_that_came_to_wait_while_the_one_before_was_posted_goes_on_waiting(store):
    match_id = await new_match(store)
    first = await store.append(match_id, Written(0, [DRAW], post_version=1, at=AT))
    second = await store.append(match_id, Written(1, [LUCK], post_version=2, at=AT))
    await store.posted(match_id, first, Board(1, 77, {}), at=AT)
    assert second == await waiting(store, match_id)


async def test_writes_survive_a_power_cut_and_keys_are_checked(tmp_path):
    async with opened(f"sqlite:///{tmp_path}/caravanserai.db") as database:
        names = ("journal_mode", "synchronous", "foreign_keys")
        assert ["wal", 2, 1] == [await database.fetch_value(f"PRAGMA {name}") for name in names]


async def test_every_table_is_copied(database):
    assert {*KEYS, VERSION_TABLE} == {table for table in await database.table_names() if "sqlite_" not in table}


def test_migrations_are_numbered_without_a_gap():
    assert [*range(1, len(migrations()) + 1)] == [*migrations()]


async def test_a_migration_that_fails_leaves_the_database_as_it_was(place, monkeypatch):
    async with opened(place) as database:
        await new_match(Store(database))
    failing = {**migrations(), len(migrations()) + 1: "CREATE TABLE half (id INTEGER);\nSELECT nothing;\n"}
    monkeypatch.setattr("bot.store.migrate.migrations", lambda: failing)
    with pytest.raises(StartError):
        async with opened(place):
            pass
    monkeypatch.undo()
    async with opened(place) as database:
        assert "half" not in await database.table_names()
        assert await Store(database).matches.open_in(1)


async def test_a_later_migration_is_carried_out_once(place, monkeypatch):
    async with opened(place):
        pass
    later = {**migrations(), len(migrations()) + 1: "CREATE TABLE more (id INTEGER);\nINSERT INTO more VALUES (1);\n"}
    monkeypatch.setattr("bot.store.migrate.migrations", lambda: later)
    for _ in range(2):
        async with opened(place) as database:
            assert [1] == await database.fetch_column("SELECT id FROM more")


async def test_the_newest_board_outlives_a_match_that_is_called_off_and_one_that_waits_does_not(store):
    match_id = await new_match(store)
    mark = await store.append(match_id, Written(0, [DRAW], post_version=1, at=AT))
    await store.posted(match_id, mark, Board(1, 71, {}), at=AT)
    await store.append(match_id, Written(1, [DRAW], post_version=2, at=AT))
    assert [] == await due(store, JobKind.RETIRE)
    await store.matches.close(match_id, Status.ENDED, AT)
    assert ([match_id], [], 71) == (
        await due(store, JobKind.RETIRE),
        await due(store, JobKind.BOARD),
        (await store.boards.of(match_id)).message_id,
    )


# --- times, results and who sat where ---


async def rows(database, sql):
    return [tuple(row) for row in await database.fetch(sql)]


async def test_every_entry_has_the_time_of_its_transaction(place):
    async with opened(place) as database:
        store, later = Store(database), AT + timedelta(hours=5)
        match_id = await new_match(store)
        await store.begin(match_id, [LUCK], at=AT, rules_version=1, seed="s", post_version=1)
        await store.append(match_id, Written(1, [DRAW, LUCK], at=later))
        assert [AT, later, later] == [await store.log.written_at(match_id, n) for n in range(3)]


async def test_a_match_that_is_over_keeps_its_result(place):
    async with opened(place) as database:
        store = Store(database)
        match_id = await new_match(store)
        await store.append(match_id, Written(0, [DRAW], at=AT, outcome=WON))
        assert [(match_id, 0, 7, 1.0), (match_id, 1, 3, 0.0)] == await rows(
            database, "SELECT match_id, seat, score, share FROM results"
        )
        ((reason,),) = await rows(database, "SELECT reason FROM matches")
        assert ("home", Status.OVER) == (reason, (await store.matches.find(match_id)).status)
        assert await store.matches.open_in(1) is None


async def test_who_gives_up_a_seat_is_still_known_to_have_played_it(place):
    async with opened(place) as database:
        store = Store(database)
        match_id = await new_match(store)
        await store.matches.set_holders(match_id, [SeatHolder(7), SeatHolder(8)], AT)
        await store.matches.hand_over(match_id, Seat(1), SeatHolder(computer="uniform"), 12, at=AT)
        await store.matches.hand_over(match_id, Seat(1), SeatHolder(9), 12, at=AT)
        await store.matches.hand_over(match_id, Seat(1), SeatHolder(8), 30, at=AT)
        assert (SeatHolder(7), SeatHolder(8)) == (await store.matches.find(match_id)).holders
        seat_history = [(0, 0, None, 7), (1, 0, 12, 8), (1, 12, 30, 9), (1, 30, None, 8)]
        assert [(match_id, *sat) for sat in seat_history] == [
            row[:5] for row in await rows(database, "SELECT * FROM seat_history ORDER BY seat, since")
        ]


async def test_the_name_and_the_looks_of_a_person_go_with_him(store):
    match_id = await new_match(store)
    await store.matches.set_holders(match_id, [SeatHolder(7, name="Ann"), SeatHolder(8, name="Ben")], AT)
    await store.matches.note(match_id, Seat(1), seen=4)
    assert (SeatHolder(7, name="Ann"), SeatHolder(8, name="Ben", seen=4)) == (
        await store.matches.find(match_id)
    ).holders
    await store.matches.hand_over(match_id, Seat(1), SeatHolder(computer="uniform"), 5, at=AT)
    assert SeatHolder(computer="uniform") == (await store.matches.find(match_id)).holders[1]


async def test_a_draft_is_kept_until_it_is_confirmed_or_given_up(store):
    match_id, draft, other = await new_match(store), Draft(3, ("step clio e", "done")), Draft(3, ("done",))
    await store.drafts.put(match_id, Seat(0), other)
    await store.drafts.put(match_id, Seat(0), draft)
    await store.drafts.put(match_id, Seat(1), other)
    assert {Seat(0): draft, Seat(1): other} == await store.drafts.of(match_id)
    await store.append(match_id, Written(0, [LUCK], at=AT))
    await store.append(match_id, Written(1, [DRAW], at=AT, interaction_id=5, drafted=Seat(0)))
    assert {Seat(1): other} == await store.drafts.of(match_id)
    await store.drafts.put(match_id, Seat(1), None)
    assert {} == await store.drafts.of(match_id)


async def test_who_takes_a_seat_over_finds_no_draft_of_another(store):
    match_id = await new_match(store)
    await store.drafts.put(match_id, Seat(0), Draft(3, ("done",)))
    await store.matches.hand_over(match_id, Seat(0), SeatHolder(computer="uniform"), 5, at=AT)
    assert {} == await store.drafts.of(match_id)


async def test_a_board_calls_and_a_reminder_of_the_same_decision_stays(store):
    match_id, hour = await new_match(store), timedelta(hours=1)

    async def post(version, at, called):
        mark = await store.append(match_id, Written(version, [DRAW], post_version=version, at=at))
        await store.posted(match_id, mark, Board(version, version, {}), at=at, called=called)

    await post(1, AT, {7: 1, 8: 1})
    await post(2, AT + hour, {7: 1, 9: 2})
    found = [job for user_id in (7, 8, 9) for job in await store.jobs.of_user(JobKind.REMINDER, user_id)]
    assert [(7, 1, AT), (9, 2, AT + hour)] == [(job.user_id, job.state["version"], job.due_at - hour) for job in found]


# --- jobs ---


async def test_a_job_is_put_in_place_of_the_one_with_its_key(store):
    match_id = await new_match(store)
    job = Job(JobKind.ANSWER, AT, match_id, 7, state={"version": 3})
    await store.jobs.put(job, Job(JobKind.ANSWER, AT, match_id, 8, state={"version": 3}))
    await store.jobs.put(job.at(LATER, version=4))
    assert job.at(LATER, version=4) == replace(await store.jobs.find(*job.key), guild_id=0)
    assert 2 == len(await store.jobs.of_match(JobKind.ANSWER, match_id))


async def test_the_due_jobs_of_a_server_rest_until_they_are_resumed(store):
    jobs = [
        Job(JobKind.MODERATION_LOG, AT, user_id=1, guild_id=5, attempts=3),
        Job(JobKind.MODERATION_LOG, LATER, user_id=2, guild_id=5),
        Job(JobKind.MODERATION_LOG, AT, user_id=3, guild_id=6),
    ]
    await store.jobs.put(*jobs)
    await store.jobs.rest(5, AT)
    assert [3] == [job.user_id for job in await store.jobs.due(AT)]
    assert 1 == (await store.jobs.backlog(AT))[JobKind.MODERATION_LOG].waiting
    await store.jobs.resume(6, AT)
    assert [3] == [job.user_id for job in await store.jobs.due(AT)]
    await store.jobs.resume(5, AT)
    assert {1, 3} == {job.user_id for job in await store.jobs.due(AT)}
    assert LATER == (await store.jobs.find(*jobs[1].key)).due_at


async def test_servers_with_open_tables_and_values_of_all_ids_are_listed(store):
    match_id = await new_match(store)
    guild_id = (await store.matches.find(match_id)).guild_id
    assert [guild_id] == await store.matches.servers_with_tables()
    await store.settings.put("server", 5, "away since", "then")
    await store.settings.put("server", 5, "settings", {})
    assert {5: "then"} == await store.settings.of_all("server", "away since")


async def test_a_job_that_was_changed_in_the_meantime_is_left_alone(store):
    job = Job(JobKind.DIGEST, AT, user_id=7, state={"number": 1})
    await store.jobs.put(job)
    await store.jobs.hurry_user(AT - HOUR, JobKind.DIGEST, 7)
    assert not await store.jobs.replace(job, job.at(LATER))
    assert not await store.jobs.replace(job, None)
    hurried = await store.jobs.find(*job.key)
    assert AT - HOUR == hurried.due_at
    assert await store.jobs.replace(hurried, hurried.at(LATER, number=2))
    assert not await store.jobs.replace(hurried, None)
    assert await store.jobs.replace(hurried.at(LATER, number=2), None)
    assert await store.jobs.find(*job.key) is None


async def test_what_is_due_is_found_boards_first(store):
    match_id = await new_match(store)
    await store.jobs.drop(JobKind.LOBBY_EXPIRY, match_id)
    await store.jobs.put(
        Job(JobKind.STORY, AT - HOUR, match_id), Job(JobKind.RETIRE, LATER, match_id), Job(JobKind.BOARD, AT, match_id)
    )
    assert [JobKind.BOARD, JobKind.STORY] == [job.kind for job in await store.jobs.due(AT)]
    assert (LATER, None) == (await store.jobs.next_after(AT), await store.jobs.next_after(LATER))


async def test_the_worker_is_woken_for_what_is_due_before_it_looks_again_anyway(store):
    store.jobs.asleep_until = AT + HOUR
    await store.jobs.put(Job(JobKind.DIGEST, LATER, user_id=7))
    assert not store.jobs.wake.is_set()
    await store.jobs.put(Job(JobKind.DIGEST, AT, user_id=7))
    assert store.jobs.wake.is_set()


async def test_after_a_start_boards_and_what_has_failed_are_due_now(store):
    match_id = await new_match(store)
    jobs = [
        Job(JobKind.BOARD, LATER, match_id, state={"mark": "1"}),
        Job(JobKind.RETIRE, LATER, match_id, attempts=1),
        Job(JobKind.DIGEST, LATER, user_id=7),
    ]
    await store.jobs.put(*jobs)
    await store.jobs.drop(JobKind.LOBBY_EXPIRY, match_id)
    await store.jobs.begin_anew(AT)
    assert [JobKind.BOARD, JobKind.RETIRE] == [job.kind for job in await store.jobs.due(AT)]


async def test_the_backlog_counts_what_is_due_and_what_has_failed(store):
    await store.jobs.put(
        Job(JobKind.DIGEST, AT, user_id=7),
        Job(JobKind.DIGEST, AT - HOUR, user_id=8),
        Job(JobKind.DIGEST, LATER, user_id=9, attempts=1),
        Job(JobKind.DIGEST, LATER, user_id=10),
    )
    assert {JobKind.DIGEST: Backlog(3, AT - HOUR, 1)} == await store.jobs.backlog(AT)


async def test_a_snooze_and_the_number_of_the_last_reminder_are_kept_apart(store):
    assert LastReminder() == await store.reminded.of(7)
    await store.reminded.snooze(7, LATER)
    await store.reminded.note(7, 1, AT, {3: (5, 6)})
    assert LastReminder(1, AT, LATER, messages={3: (5, 6)}) == await store.reminded.of(7)
    await store.reminded.begin(7, [(3, 1)], LATER)
    assert {3: (5, 6)} == (await store.reminded.of(7)).messages


async def test_the_last_reminders_are_known_of_so_many_matches_and_no_more(store):
    await store.reminded.note(7, 1, AT, {match_id: (5, match_id) for match_id in range(KEPT + 3)})
    assert list(range(3, KEPT + 3)) == [*(await store.reminded.of(7)).messages]


# --- clocks ---


async def test_what_is_noted_with_several_clocks_of_a_match_is_noted_once(store):
    match_id, noted = await new_match(store), TableEvent(TableEventKind.LATE, 0, AT, Seat(1), 8)
    await store.clocks.put([SeatClock(match_id, Seat(n), 7 + n, 0, HOUR, HOUR, AT, LATER) for n in (0, 1)], noted)
    assert (noted,) == await store.table_events.of(match_id)


# --- whom people play with ---


async def test_a_block_counts_for_both_until_it_is_taken_back(store):
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


async def test_a_bar_applies_in_its_server_and_until_its_end(store):
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


async def test_requests_to_join_are_gone_once_nobody_gathers_any_more(store):
    match_id = await new_match(store)
    await store.join_requests.add(match_id, JoinRequest(5, "Eva", 99))
    await store.join_requests.note(match_id, 5, message_id=12, declined=1)
    assert JoinRequest(5, "Eva", 99, 12, declined=True) == await store.join_requests.find(match_id, 5)
    with pytest.raises(Conflict):
        await store.join_requests.add(match_id, JoinRequest(5, "Eva", 100))
    await store.matches.close(match_id, Status.CLOSED, AT)
    assert await store.join_requests.find(match_id, 5) is None


async def test_a_running_match_of_which_nobody_is_reminded_sleeps_and_counts_for_no_limit(store):
    match_id, one = await new_match(store), OpenLimits(1, 1)
    assert not await store.matches.is_asleep(match_id), "a lobby"
    mark = await store.begin(match_id, [], at=AT, rules_version=1, seed="s", post_version=0)
    assert not await store.matches.is_asleep(match_id), "its board waits"
    await store.posted(match_id, mark, Board(0, 55, {}), at=AT, called={7: 0})
    assert not await store.matches.is_asleep(match_id), "somebody is to be reminded"
    for limits in (OpenLimits(1, 0), OpenLimits(0, 1)):
        with pytest.raises((LimitReached, HostLimitReached)):
            await store.matches.require_room(9, 7, limits)
    await store.jobs.drop(JobKind.REMINDER, match_id, 7)
    assert await store.matches.is_asleep(match_id)
    assert 0 == await store.matches.running_in_server(9)
    await store.matches.require_room(9, 7, one)
    await store.append(match_id, Written(0, [Entry(Seat(0), "draw")], AT, post_version=1))
    assert not await store.matches.is_asleep(match_id), "a move wakes it"

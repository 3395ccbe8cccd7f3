"""The repositories of the store: whole rows as they come back, the worker's wake-ups, and what a restart makes due."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.store import ratings
from bot.store.boards import Board
from bot.store.clock_steps import TOLERANCE, Step
from bot.store.database import Database
from bot.store.failures import DatabaseUnavailable, FailureKind, Health
from bot.store.handover import Handover
from bot.store.jobs import MAX_LINES, Job, JobKind, version_of
from bot.store.leagues import LeaguePlayer, LeagueStatus, LeagueTable
from bot.store.log import NewEntries
from bot.store.matches import InThread, Past, Played, Results, SeatHolder, Status
from bot.store.reminded import LastReminder
from bot.store.store import MAX_LOST_MATCHES, RESTORED, Store
from bot.store.tally import (
    MEAN,
    PLACEMENT_MATCHES,
    SPREAD,
    VERSION,
    Change,
    Credit,
    Forfeit,
    Owners,
    RatedSeat,
    Standing,
    forfeit_results,
)
from engine.match import Entry
from engine.texts import Seat
from tests.bot.matches import AT, append, begin, change, facts_of, note_board, open_match
from tests.bot.refusing import HOUR, House

LATER = AT + HOUR
ANA, BEN, CARO = 1, 2, 3
ENTRIES = [Entry(Seat(0), "draw"), Entry(Seat(1), "cycle 1A"), Entry(Seat(0), "rise 2A")]


@pytest.fixture
def store(home: House) -> Store:
    return home.store


@pytest.fixture
def database(store: Store) -> Database:
    return store.jobs._database


async def rows(database: Database, sql: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in await database.fetch(sql)]


async def test_the_log_keeps_how_each_entry_came(store: Store, database: Database) -> None:
    first, second = [await open_match(store, channel_id=n) for n in (1, 2)]
    await store.log.append(first, NewEntries(0, ENTRIES, AT, 5, {1: True, 2: False}, [2]))
    await store.log.append(second, NewEntries(0, ENTRIES[:1], LATER))
    assert [(0, 0, "draw", 5), (1, 1, "cycle 1A", None), (2, 0, "rise 2A", None)] == await rows(
        database, f"SELECT n, seat, notation, interaction_id FROM entries WHERE match_id = {first} ORDER BY n"
    )
    assert ({1: True, 2: False}, [2]) == (await store.log.auto_answered(first), await store.log.stand_in_entries(first))
    assert ({}, []) == (await store.log.auto_answered(second), await store.log.stand_in_entries(second))
    assert [3, 1, 0] == [await store.log.length(match_id) for match_id in (first, second, 99)]
    assert [True, False] == [await store.log.has_interaction(number) for number in (5, 6)]
    assert {0: AT, 2: AT} == await store.log.times(first, [0, 2, 9])
    assert {} == await store.log.times(first, [])


# --- jobs ---

DIGEST = Job(JobKind.DIGEST, LATER, user_id=7, state={"number": 1})
WAKING: dict[str, Callable[[Store], Awaitable[object]]] = {
    "put": lambda store: store.jobs.put(replace(DIGEST, user_id=8, due_at=AT)),
    "replace": lambda store: store.jobs.replace(DIGEST, DIGEST.at(AT)),
    "postpone": lambda store: store.jobs.postpone(DIGEST, AT, attempts=1),
    "make_due": lambda store: store.jobs.make_due(AT, JobKind.CLOCK, 1),
    "make_due_for_user": lambda store: store.jobs.make_due_for_user(AT, JobKind.DIGEST, 7),
    "make_due_for_league": lambda store: store.jobs.make_due_for_league(AT, 1),
    "resume": lambda store: store.jobs.resume(5, AT),
}


@pytest.mark.parametrize("how", WAKING)
async def test_the_worker_wakes_for_what_is_due_before_its_next_look(store: Store, how: str) -> None:
    await store.jobs.put(DIGEST)
    for asleep_until, wakes in ((AT + HOUR / 2, True), (AT, False), (None, True)):
        store.jobs.asleep_until = asleep_until
        store.jobs.wake.clear()
        await WAKING[how](store)
        assert wakes == store.jobs.wake.is_set()
        await store.jobs.put(DIGEST)


async def test_a_postponed_job_is_due_no_earlier_than_before(store: Store) -> None:
    await store.jobs.put(DIGEST, replace(DIGEST, user_id=8))
    await store.jobs.postpone(DIGEST, AT, attempts=3)
    assert replace(DIGEST, attempts=3) == await store.jobs.find(*DIGEST.key)
    await store.jobs.postpone(DIGEST, LATER + HOUR, attempts=4)
    assert replace(DIGEST, attempts=4, due_at=LATER + HOUR) == await store.jobs.find(*DIGEST.key)
    assert [replace(DIGEST, user_id=8)] == await store.jobs.of_user(JobKind.DIGEST, 8)


async def test_a_job_about_an_older_version_does_not_replace_a_newer_one(store: Store) -> None:
    job = replace(DIGEST, state={"version": 3})
    for version, due_at, stored in ((3, AT, (3, AT)), (3, LATER, (3, AT)), (2, LATER, (3, AT)), (4, LATER, (4, LATER))):
        await store.jobs.put_newer(replace(job, due_at=due_at, state={"version": version}))
        stored_job = await store.jobs.find(*job.key)
        assert stored_job is not None
        assert stored == (stored_job.state["version"], stored_job.due_at)
    await store.jobs.put_new(replace(job, state={"version": 9}), replace(job, user_id=8))
    assert [4, 3] == [(await store.jobs.of_user(JobKind.DIGEST, user_id))[0].state["version"] for user_id in (7, 8)]


async def test_of_too_many_lines_the_newest_are_kept(store: Store) -> None:
    job = Job(JobKind.MODERATION_LOG, AT, state={"lines": []})
    await store.jobs.extend(*(replace(job, state={"lines": [n, n]}) for n in range(MAX_LINES)))
    stored_job = await store.jobs.find(*job.key)
    assert stored_job is not None
    assert sorted([*range(MAX_LINES // 2, MAX_LINES)] * 2) == stored_job.state["lines"]


async def test_damaged_jobs_are_reported_with_the_match_and_do_not_run(
    store: Store, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    match_id = await open_match(store)
    await database.execute("UPDATE jobs SET state = '[]'")
    await store.jobs.put(replace(DIGEST, due_at=AT))
    assert [DIGEST.key] == [job.key for job in await store.jobs.due(LATER)]
    assert [f"a job of match {match_id} cannot be read, and does not run"] == caplog.messages
    assert "a job cannot be read" == (await facts_of(store, match_id)).damage


async def test_a_restored_database_posts_running_boards_and_skips_the_ids_of_lost_matches(store: Store) -> None:
    assert 0 == await store.resume_restored(AT)
    assert 0 == await store.resume_restored(AT, is_restored=True)
    first = await open_match(store)
    assert MAX_LOST_MATCHES == first
    await begin(store, first, ENTRIES)
    await open_match(store, channel_id=2)
    await store.settings.put("bot", 0, RESTORED, True)
    assert [1, 0] == [await store.resume_restored(LATER) for _ in range(2)]
    (board,) = await store.jobs.of_match(JobKind.BOARD, first)
    assert 3 == version_of(board.state["mark"])
    assert 2 * MAX_LOST_MATCHES + 1 == await open_match(store, channel_id=3)


# --- lists of matches ---


async def test_lists_of_matches_have_those_that_have_begun(store: Store) -> None:
    ids = [
        await open_match(store, SeatHolder(ANA), channel_id=n, parent_id=9, guild_id=5, host_id=n) for n in range(1, 6)
    ]
    for match_id in ids[:4]:
        await begin(store, match_id, ENTRIES[:1] if match_id != ids[1] else ())
    await change(store, ids[0], lambda facts: facts.close(Status.ENDED, AT))
    mark = (await facts_of(store, ids[2])).pending
    assert mark is not None
    await change(store, ids[2], note_board(mark.mark, Board(1, 5, {"due": [0]})))
    await append(store, ids[3], 1, ENTRIES[1:2], at=LATER)
    again = await open_match(store, channel_id=1, parent_id=9)
    assert [Past(ids[0], "muscat", Status.ENDED, AT)] == await store.matches.past_of(1, 5)
    await change(store, again, lambda facts: facts.close(Status.CLOSED, AT))
    assert [Past(ids[0], "muscat", Status.ENDED, AT)] == await store.matches.past_of(1, 5)
    assert [
        Played(ids[1], 5, Seat(0), None, None),
        Played(ids[2], 5, Seat(0), AT, frozenset({Seat(0)})),
        Played(ids[3], 5, Seat(0), LATER, None),
    ] == await store.matches.played_by(ANA)
    assert [
        InThread(1, 7, "muscat", Status.CLOSED),
        InThread(5, 5, "muscat", Status.LOBBY),
        InThread(4, 4, "muscat", Status.RUNNING),
    ] == await store.matches.in_threads_of(9, 3)
    assert {ids[1]: 0, ids[2]: 1, ids[3]: 2} == await store.matches.running_versions()
    assert ids[1:] == await store.matches.open_in_server(5) == await store.matches.open_under(9)
    assert [2, 3, 4, 5] == sorted(await store.matches.open_channels(5))
    assert [5, 0] == [await store.matches.server_of(channel_id) for channel_id in (2, 77)]
    assert 2 == await store.matches.running_in_server(5), "one has had all its reminders"
    row = (await facts_of(store, ids[4])).row
    assert row.proof is not None
    assert replace(row, secret="").proof is None


async def test_the_whole_of_a_last_reminder_comes_back(store: Store) -> None:
    await store.reminded.note(7, 2, AT, {3: (5, 6), 4: (7, 8)})
    await store.reminded.begin(7, [(4, 1), (3, 2)], LATER)
    await store.reminded.snooze(7, LATER + HOUR)
    sending = frozenset({(4, 1), (3, 2)})
    assert LastReminder(2, AT, LATER + HOUR, sending, LATER, {3: (5, 6), 4: (7, 8)}) == await store.reminded.of(7)
    await store.reminded.note(7, 3, LATER, {})
    assert LastReminder(3, LATER, LATER + HOUR, begun_at=LATER) == await store.reminded.of(7)


# --- leagues ---


async def test_the_tables_of_a_league_come_back_with_plan_holders_results_and_forfeits(store: Store) -> None:
    values = {"guild_id": 7, "channel_id": 100, "host_id": 9, "game": "muscat", "rules_version": 1, "options": {}}
    terms = {"seats": 2, "swiss": True, "rounds": 2, "gap": 7, "division_size": 0, "pace": "daily", "computer": "fair"}
    league = await store.leagues.create(AT, **values, **terms, closes_at=LATER)
    for user_id in (ANA, BEN, CARO):
        await store.leagues.sign_up(league.id, LeaguePlayer(user_id, user_id, "x"))
    planned = [LeagueTable(1, 1, 0, "one", (ANA, BEN)), LeagueTable(1, 2, 0, "two", (CARO, None))]
    await store.leagues.plan(league.id, planned, LATER, round=1, status=LeagueStatus.PLAYING)
    assert replace(league, begun_at=LATER, round=1, status=LeagueStatus.PLAYING) == await store.leagues.find(league.id)
    expected = [replace(table, holders=(None, None)) for table in planned]
    assert expected == await store.leagues.tables(league.id)
    match_id = await open_match(store, SeatHolder(ANA), SeatHolder(BEN), guild_id=7)
    await store.leagues.note_table(league.id, planned[0], thread_id=55, match_id=match_id)
    await begin(store, match_id, ENTRIES)
    await change(store, match_id, lambda facts: facts.hand_over(Seat(0), SeatHolder(CARO), 2, AT))
    seated = await store.leagues.matches_of(league.id, 1, [ANA, BEN, CARO, 99])
    assert {ANA: {match_id}, BEN: {match_id}, CARO: {match_id, None}, 99: set()} == seated
    running = replace(planned[0], thread_id=55, match_id=match_id, status=Status.RUNNING, holders=(CARO, BEN))
    assert [running, expected[1]] == await store.leagues.tables(league.id)
    owners = Owners((Credit(CARO, None, 0, 2), Credit(BEN, None, 1, 1)), (Forfeit(0, ANA, 3),), 3)
    results = Results(((4, 0.0), (9, 1.0)), owners)
    await change(store, match_id, lambda facts: facts.close(Status.ENDED, AT, results))
    over = replace(running, status=Status.ENDED, results=((0.0, 4), (1.0, 9)), forfeits=(Forfeit(0, ANA, 3),))
    assert [over, expected[1]] == await store.leagues.tables(league.id)
    await store.leagues.note_seat(match_id, 99)
    assert {99: {None}, ANA: {match_id}} == await store.leagues.matches_of(league.id, 1, [99, ANA])
    assert {99: set()} == await store.leagues.matches_of(league.id, 2, [99])
    for refresh, state in ((False, {}), (True, {"refresh": True})):
        assert state == (await store.leagues.make_due(league, AT, refresh=refresh)).state


# --- ratings ---


async def test_ratings_are_computed_anew_only_for_another_formula(
    store: Store, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed = []

    async def compute(_: object) -> int:
        computed.append(True)
        return 0

    monkeypatch.setattr(ratings.Ratings, "compute", compute)
    await store.ratings.bring_up_to_date()
    await database.execute("INSERT INTO rating_state (single, version, ended) VALUES (1, ?, 0)", VERSION)
    await store.ratings.bring_up_to_date()
    assert [] == computed
    await database.execute("UPDATE rating_state SET version = ?", VERSION + 1)
    await store.ratings.bring_up_to_date()
    assert [True] == computed


async def test_results_that_are_not_rated_are_stored_and_not_counted(store: Store, database: Database) -> None:
    match_id = await open_match(store, SeatHolder(ANA), SeatHolder(BEN))
    await begin(store, match_id)
    owners = Owners((Credit(ANA, None, 0, 2), Credit(BEN, None, 1, 1)), rated=False)
    results = Results(((4, 0.0), (9, 1.0)), owners)
    await change(store, match_id, lambda facts: facts.close(Status.ENDED, AT, results))
    assert [(0, 4, 0.0), (1, 9, 1.0)] == await rows(database, "SELECT seat, score, share FROM results ORDER BY seat")
    assert [] == await rows(database, "SELECT * FROM ratings")
    after = await facts_of(store, match_id)
    assert after.results is None
    await store.write(replace(after, results=results), replace(after, results=results, hints=True), None)
    assert 2 == len(await rows(database, "SELECT * FROM results")), "only once"


def test_forfeits_are_worth_nothing_and_placed_players_have_played_enough() -> None:
    forfeits = (Forfeit(1, ANA, 4), Forfeit(0, None, 3))
    credits = (Credit(ANA, None, -1, 4, whole=False), Credit(None, None, -2, 3, whole=False))
    assert tuple(RatedSeat(credit, 0, 0.0) for credit in credits) == forfeit_results(forfeits)
    for matches, is_placed in ((PLACEMENT_MATCHES - 1, False), (PLACEMENT_MATCHES, True)):
        assert is_placed == Change(5, ANA, "muscat", 1, 1, MEAN, MEAN + 1, SPREAD, matches).is_placed
        assert is_placed == Standing(5, ANA, "muscat", matches=matches).is_placed
    change = Change(5, ANA, "muscat", 1, 1, MEAN, MEAN + 1, SPREAD)
    assert (30, 1530, 500) == (change.points, change.rating.points, change.rating.margin)


# --- users ---


async def test_results_of_a_forgotten_user_get_a_number_that_is_no_id(
    store: Store, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await open_match(store, SeatHolder(ANA), SeatHolder(BEN))
    await begin(store, match_id)
    owners = Owners((Credit(ANA, None, 0, 2), Credit(BEN, None, 1, 1)), (Forfeit(0, ANA, 3),), 3)
    await change(store, match_id, lambda facts: facts.close(Status.ENDED, AT, Results(((0, 0.0), (0, 1.0)), owners)))
    for user_id, extreme, number in ((ANA, max, -(2**62)), (BEN, min, -1)):
        bits = {max: lambda most: 2**most - 1, min: lambda _: 0}[extreme]
        monkeypatch.setattr(secrets, "randbits", bits)
        await store.user_data.forget(user_id, {})
        assert number in {row[0] for row in await rows(database, "SELECT user_id FROM results")}
    assert [(-(2**62),)] == await rows(database, "SELECT user_id FROM forfeits")
    assert [] == await rows(database, "SELECT * FROM meetings")


async def test_only_boards_with_a_mention_mention_a_user(store: Store) -> None:
    ids = [await open_match(store, channel_id=n) for n in range(3)]
    for match_id, words in zip(ids, (f"<@{ANA}>", f"<@{ANA}1>", f"{ANA}"), strict=True):
        board = Board(1, 1, {"story": words, "due": []})
        await change(store, match_id, lambda facts, board=board: facts.set_board(board))
    assert ids[:1] == await store.user_data.mentioned_in(ANA)


# --- failures ---


def test_an_outage_is_logged_with_its_code_once_and_its_end_as_well(caplog: pytest.LogCaptureFixture) -> None:
    health, kinds = Health(), (FailureKind.IO, FailureKind.IO, FailureKind.DAMAGED, FailureKind.CLOSED)
    caplog.set_level(logging.INFO)
    assert health.is_well
    for kind in kinds:
        with pytest.raises(DatabaseUnavailable, match=f"{kind}: it broke"), health.observe():
            raise DatabaseUnavailable(kind, "it broke")
    assert not health.is_well
    health.note_write()
    assert health.is_well
    health.note_write()
    unavailable = "the database is unavailable: it broke."
    assert [
        f"DB-IO: {unavailable} See to its disk; everything goes on by itself once the disk does.",
        f"DB-DAMAGED: {unavailable} Stop the bot, keep the file as it is, and put your last backup in its place.",
        "DB-IO is over: the database accepts writes again",
    ] == caplog.messages


async def test_writes_are_tried_only_during_an_outage(store: Store, database: Database) -> None:
    tried = "SELECT value FROM settings WHERE name = 'tried'"
    await store.require_available()
    assert await database.fetch_value(tried) is None
    with pytest.raises(DatabaseUnavailable), database.health.observe():
        raise DatabaseUnavailable(FailureKind.FULL, "full")
    await store.require_available()
    assert await database.fetch_value(tried)
    assert database.health.is_well


async def test_a_process_without_a_predecessor_does_not_wait() -> None:
    waited = []

    async def wait() -> None:
        waited.append(True)

    for handover, waits in ((Handover(), False), (Handover(wait), True)):
        assert waits == handover.waits
        await handover.take_over()
        assert not handover.waits
        await handover.take_over()
    assert [True] == waited


def test_a_time_ahead_of_the_clock_moves_back_by_the_step_and_no_further_than_now() -> None:
    step = Step(AT, HOUR)
    for ahead, moved in ((TOLERANCE * 2, AT + TOLERANCE * 2 - HOUR), (HOUR * 3, AT)):
        assert {"at": moved} == step.corrected_times({"at": AT + ahead}, {})
    assert {} == step.corrected_times({"at": AT + TOLERANCE}, {})

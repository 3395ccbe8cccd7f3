"""A server as the database: shares of processes, outages, and moving to it."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
from contextlib import AsyncExitStack, closing
from datetime import UTC, datetime, timedelta
from operator import methodcaller

import pytest

from bot.errors import StartError, StopError
from bot.store import postgres
from bot.store.auto_answers import AutoAnswer
from bot.store.boards import Board
from bot.store.clocks import SeatClock
from bot.store.drafts import Draft
from bot.store.failures import DatabaseUnavailable
from bot.store.handover import Handover
from bot.store.jobs import Job, JobKind
from bot.store.matches import SeatHolder
from bot.store.opening import open_database
from bot.store.reminded import LastReminder
from bot.store.shard_range import NO_SERVER, ShardRange
from bot.store.store import Store
from caravanserai.__main__ import main
from engine.match import Entry
from engine.texts import Seat
from tests.bot.matches import AT, append, begin, change, expect_board, facts_of, note_board, open_match

NEVER = datetime.max.replace(tzinfo=UTC)
FIRST, SECOND = ShardRange(0, 1, 4), ShardRange(2, 3, 4)
HERE, THERE = 1 << 22, 2 << 22
"""A server of the first share, and one of the second."""


async def new_match(store, guild_id=HERE, channel_id=1, **values):
    holders = [SeatHolder(7, name="Ann"), SeatHolder(computer="uniform")]
    return await open_match(store, *holders, guild_id=guild_id, channel_id=channel_id, options={"long": True}, **values)


async def refusal(address, share=FIRST):
    with pytest.raises(StartError) as caught:
        async with open_database(address, share):
            pass
    return str(caught.value)


@pytest.fixture
async def address(server):
    return await server.database()


# --- exclusive use ---


async def test_two_processes_never_have_the_same_shard(address, monkeypatch):
    monkeypatch.setattr(postgres, "START_LOCK_TIMEOUT", 0.01)
    async with open_database(address, FIRST), open_database(address, SECOND):
        for share, shard in ((FIRST, 0), (ShardRange(1, 2, 4), 1), (ShardRange(3, 3, 4), 3)):
            assert f"already has shard {shard} of 4 in the database test" in await refusal(address, share)
    async with open_database(address, ShardRange(1, 2, 4)):
        pass


async def test_all_processes_must_agree_on_the_number_of_shards(address):
    async with open_database(address, FIRST):
        assert "counts other shards than 4-5/8" in await refusal(address, ShardRange(4, 5, 8))


async def test_a_new_process_waits_until_the_previous_one_has_left(address):
    async with open_database(address, FIRST):
        coming = asyncio.create_task(refusal(address, FIRST))
        done, _ = await asyncio.wait({coming}, timeout=0.3)
        assert not done
        coming.cancel()
    async with open_database(address, FIRST) as first:
        match_id = await new_match(Store(first))

        async def come():
            async with open_database(address, FIRST) as second:
                return await Store(second).matches.open_in(1)

        coming = asyncio.create_task(come())
        await asyncio.sleep(0.1)
    assert match_id == await coming


async def test_use_is_refused_at_once_while_another_process_holds_the_database(address):
    """Else each query would wait for the locks, and the take-over for that."""
    handover = Handover()
    async with AsyncExitStack() as first, AsyncExitStack() as second:
        await first.enter_async_context(open_database(address, FIRST))
        database = await second.enter_async_context(open_database(address, FIRST, handover))
        for use in (database.fetch("SELECT 1"), database.execute("SELECT 1"), database.require_writable()):
            with pytest.raises(DatabaseUnavailable, match="another process still has the database"):
                await asyncio.wait_for(use, 1)
        taking_over = asyncio.create_task(handover.take_over())
        await asyncio.sleep(0.1)
        with pytest.raises(DatabaseUnavailable, match="another process still has the database"):
            await asyncio.wait_for(database.fetch("SELECT 1"), 1)
        await first.aclose()
        await taking_over
        assert [(1,)] == [tuple(row) for row in await database.fetch("SELECT 1")]


CUT_OFF = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE application_name LIKE '% %' AND pid <> pg_backend_pid()"""


async def test_a_server_is_used_again_after_an_outage(server, address):
    async with open_database(address) as database:
        store = Store(database)
        match_id = await new_match(store)
        while await server.tell("postgres", CUT_OFF):  # until it is gone
            pass
        assert match_id == await store.matches.open_in(1), "nobody has noticed"
        server.stop()
        with pytest.raises(DatabaseUnavailable, match="DB-AWAY"):
            await store.matches.find(match_id)
        server.start()
        assert match_id == await store.matches.open_in(1)
        await append(store, match_id, 0, [Entry(Seat(0), "draw")])


async def work_until_replaced(store: Store) -> None:
    """Use a database until an error says that another process has it."""
    while True:
        try:
            await store.jobs.due(AT)
        except DatabaseUnavailable as error:
            # the server releases the locks of a connection before it closes it: a call in between just sees its end
            if "taken over" in error.problem:
                raise


@pytest.mark.parametrize("doing", ["nothing", "leaving with an error", "leaving"])
async def test_a_disconnected_process_that_was_replaced_ends_instead_of_playing_on(server, address, doing):
    async def cut_off():
        async with open_database(address, FIRST) as database:
            store = Store(database)
            await server.tell("postgres", CUT_OFF)
            async with open_database(address, FIRST):
                pass
            working = asyncio.create_task(work_until_replaced(store))
            working.add_done_callback(lambda task: task.exception())
            if doing == "leaving":
                await asyncio.sleep(0)  # the database closes only after this task, which meets the successor
                raise KeyError
            try:
                await asyncio.wait({working})
                await asyncio.Event().wait()
            finally:
                with pytest.raises(DatabaseUnavailable, match="taken over"):
                    await working
                if doing == "leaving with an error":
                    await store.settings.put("shard", 0, "served", [])

    with pytest.raises(StopError, match="taken over the shards 0-1/4 of the database"):
        await asyncio.create_task(cut_off())


async def test_an_unreachable_server_is_named_without_its_password():
    sentence = await refusal("postgresql://ana:hush@127.0.0.1:1/games")
    assert sentence.startswith("The database games on 127.0.0.1 cannot be used: ")
    assert "hush" not in sentence


async def test_the_server_soon_drops_the_connection_of_a_dead_machine(monkeypatch):
    server_settings = []

    async def connect(**arguments):
        server_settings.append(arguments["server_settings"])
        raise ConnectionRefusedError

    monkeypatch.setattr(postgres.asyncpg, "connect", connect)
    await refusal("postgresql://ana:hush@127.0.0.1:1/games")
    keepalives = {"tcp_keepalives_idle": "10", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3"}
    assert server_settings[0].items() >= keepalives.items()
    assert str(os.getpid()) in server_settings[0]["application_name"]


async def test_a_missing_database_is_named(server):
    address = f"postgresql://postgres:hush@/games?host={server.folder}"
    assert "The database games on " in (sentence := await refusal(address))
    assert "cannot be used: the database does not exist." in sentence


# --- a share of the work ---


async def test_each_process_finds_only_the_jobs_of_its_servers(address):
    async with open_database(address, FIRST) as first, open_database(address, SECOND) as second:
        here, there = Store(first), Store(second)
        ids = [
            await _match_with_work(store, guild_id)
            for store, guild_id in ((here, HERE), (there, THERE), (here, NO_SERVER))
        ]
        later = AT + timedelta(days=1)
        for store, mine in ((here, {ids[0], ids[2]}), (there, {ids[1]})):
            due_jobs = await store.jobs.due(later)
            for kind in (
                JobKind.BOARD,
                JobKind.COMPUTER,
                JobKind.STORY,
                JobKind.CLOCK,
                JobKind.LOBBY_MESSAGE,
                JobKind.REMINDER,
            ):
                assert mine == {job.match_id for job in due_jobs if job.kind is kind}
            assert mine == set(await store.clocks.running())
            assert mine == {job.match_id for job in await store.jobs.of_user(JobKind.REMINDER, 7)}
            assert set(ids) == {job.match_id for job in await store.jobs.of_user(JobKind.REMINDER, 7, anywhere=True)}
            assert len(mine) == (await store.jobs.backlog(later))[JobKind.BOARD].waiting
            assert set(ids) == {played.id for played in await store.matches.played_by(7)}
        await there.jobs.put(Job(JobKind.DIGEST, AT - timedelta(1), user_id=7))
        assert [JobKind.DIGEST] == [job.kind for job in await here.jobs.due(AT - timedelta(1))]
        assert [] == await there.jobs.due(AT - timedelta(1))
        assert (AT - timedelta(1), AT) == (
            await here.jobs.next_after(AT - timedelta(2)),
            await there.jobs.next_after(AT - timedelta(2)),
        )


async def _match_with_work(store, guild_id):
    """A match that everybody has something to do with."""
    match_id = await new_match(store, guild_id, channel_id=guild_id)
    clock = SeatClock(match_id, Seat(0), 7, 1, timedelta(days=1), timedelta(0), AT, NEVER, at=AT, stand_in="fair")
    mark = await begin(store, match_id)
    await change(store, match_id, note_board(mark, Board(0, 70 + match_id, {"due": [0]}), AT, {7: 0}))
    await append(store, match_id, 0, [Entry(Seat(0), "draw")], match_id, how=expect_board(1))
    answering = methodcaller("set_auto_answer", Seat(0), "loan", AutoAnswer.DECLINE)
    await change(store, match_id, lambda facts: answering(facts).with_clocks([clock]).with_computer(AT, due=True))
    await store.jobs.put(Job(JobKind.STORY, AT, match_id))
    return match_id


async def test_a_block_made_in_one_process_applies_in_the_other_at_once(address):
    async with open_database(address, FIRST) as first, open_database(address, SECOND) as second:
        here, there = Store(first), Store(second)
        await here.blocks.add(1, 2, "Ben", AT)
        assert frozenset({1}) == await there.blocks.apart_from(2, [1, 3])
        (block,) = await there.blocks.of(1)
        await there.blocks.drop(1, block.digest)
        assert frozenset() == await here.blocks.apart_from(2, [1, 3])


async def test_two_processes_may_write_the_same_user_row_concurrently(address):
    async with open_database(address, FIRST) as first, open_database(address, SECOND) as second:
        stores = [Store(first), Store(second)]
        for n in range(20):
            await asyncio.gather(*(store.settings.put("user", 7, f"habit {n}", "x") for store in stores))
            await asyncio.gather(*(store.reminded.snooze(7 + n, AT) for store in stores))
        assert LastReminder(until=AT) == await stores[0].reminded.of(7)


# --- moving ---


@pytest.fixture
def say(monkeypatch, capsys):
    """A function that runs `caravanserai` with some arguments and returns its output."""

    async def say(*arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", ["caravanserai", *arguments])
        try:
            await asyncio.to_thread(main)
        except SystemExit as end:
            return str(end)
        return capsys.readouterr().out

    return say


async def test_all_data_can_be_moved_from_a_file_to_a_server_and_back(address, tmp_path, say):
    file, other = (f"sqlite:///{tmp_path}/{name}.db" for name in ("old", "new"))
    async with open_database(file) as database:
        store = Store(database)
        match_id = await _match_with_work(store, 1 << 62)
        await new_match(store, NO_SERVER, channel_id=5)
        await change(store, match_id, methodcaller("keep_draft", Seat(0), Draft(1, ("step clio e",))))
        await store.settings.put("user", 1 << 62, "preferences", {"zone": "Asia/Kathmandu", "away": None})
        before = await _rows_of(store, match_id)
    with closing(sqlite3.connect(tmp_path / "old.db")) as damaged, damaged:
        damaged.execute("UPDATE matches SET options = '{' WHERE channel_id = 5")
    for source, target in ((file, address), (address, other)):
        output = await say("copy", source, target)
        assert "rows copied" in output
        assert "hush" not in output
        async with open_database(target) as database:
            assert before == await _rows_of(Store(database), match_id)
            assert (await Store(database).matches.find(2)).damage
    async with open_database(address) as database:
        assert 3 == await new_match(Store(database), channel_id=6)
        await change(Store(database), 3, methodcaller("set_holders", [SeatHolder(8)], AT))
    assert "There are matches in the second database already" in await say("copy", file, address)


async def _rows_of(store, match_id):
    return [
        await facts_of(store, match_id),
        await store.log.entries(match_id),
        await store.log.last_act(match_id),
        await store.log.written_at(match_id, 0),
        await store.jobs.of_user(JobKind.REMINDER, 7),
        await store.jobs.find(JobKind.BOARD, match_id),
        await store.settings.get("user", 1 << 62, "preferences"),
        await store.matches.played_by(7),
    ]


async def test_a_server_database_exports_and_deletes_user_data(address):
    async with open_database(address) as database:
        store = Store(database)
        match_id = await _match_with_work(store, HERE)
        assert "clocks" in await store.user_data.all_of(7)
        await store.user_data.forget(7, await store.user_data.names(7))
        assert [] == await store.jobs.of_user(JobKind.REMINDER, 7)
        assert {7} != {holder.user_id for holder in (await store.matches.find(match_id)).holders}

"""Client events, one by one: the work that each of them sets going, without a connection."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.client import Caravanserai, _connection_options, _shard_options, _symbols
from bot.errors import GameFault
from bot.interactions.emojis import Emojis, current_emojis
from bot.store.failures import DatabaseUnavailable, FailureKind
from bot.store.shard_range import ShardRange
from engine.texts import Text

GUILD, CHANNEL = 7, 2
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


class Client:
    """A stand-in for the client: notes what its services are asked to do."""

    def __init__(self) -> None:
        self.retried: list[int] = []
        self.checked: list[int] = []
        self.later: list[float] = []
        worker = SimpleNamespace(retry_in_server=self.retried.append)
        clock = SimpleNamespace(now=lambda: NOW, later=lambda seconds, _: self.later.append(seconds))
        self.services = SimpleNamespace(worker=worker, clock=clock)
        self._check_channel = self.checked.append


@pytest.mark.parametrize(
    ("data", "checked"),
    [
        ({"thread_metadata": {"archived": True}}, [CHANNEL]),
        ({"thread_metadata": {"archived": False}}, []),
        ({"thread_metadata": None}, []),
        ({}, []),
    ],
)
async def test_a_thread_that_was_archived_is_looked_at_and_its_server_tried_again(
    data: dict[str, Any], checked: list[int]
) -> None:
    client: Any = Client()
    event: Any = SimpleNamespace(guild_id=GUILD, thread_id=CHANNEL, data=data)
    await Caravanserai.on_raw_thread_update(client, event)
    assert ([GUILD], checked) == (client.retried, client.checked)


@pytest.mark.parametrize(("minutes", "later"), [(None, []), (-1, []), (5, [300.0])])
async def test_failed_work_is_tried_again_when_a_time_out_of_the_bot_ends(
    minutes: int | None, later: list[float]
) -> None:
    client: Any = Client()
    until = None if minutes is None else NOW + timedelta(minutes=minutes)
    guild = SimpleNamespace(id=GUILD)
    member: Any = SimpleNamespace(guild=guild, timed_out_until=until, is_timed_out=lambda: bool(until and until > NOW))
    other: Any = SimpleNamespace(guild=SimpleNamespace(id=9), timed_out_until=None, is_timed_out=lambda: False)
    await Caravanserai.on_member_update(client, other, member)
    assert ([GUILD], later) == (client.retried, client.later)


async def test_the_channels_of_a_server_are_checked_until_the_database_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    client: Any = Client()
    naps, answers = list[float](), [DatabaseUnavailable(FailureKind.GONE, "away")] * 2

    async def sleep(seconds: float) -> None:
        naps.append(seconds)

    async def check_server(*_: Any) -> None:
        if answers:
            raise answers.pop()

    client.services.clock.sleep, client.is_closed = sleep, lambda: False
    monkeypatch.setattr("bot.features.lobby.deleted_channels.check_server", check_server)
    await Caravanserai._check_channels(client, SimpleNamespace(id=GUILD))
    assert ([5, 10], []) == (naps, answers)


async def test_the_downtime_of_the_bot_leaves_the_clocks_before_those_of_servers() -> None:
    client: Any = Client()
    checked: list[str] = []

    def check(name: str) -> Any:
        async def noted(_: datetime) -> None:
            checked.append(name)

        return SimpleNamespace(check=noted)

    client._heartbeat, client._absences = check("bot"), check("servers")
    await Caravanserai._before_jobs(client, NOW)
    assert ["bot", "servers"] == checked


async def test_a_deleted_channel_ends_its_leagues_and_then_its_games_once_the_bot_is_ready(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client: Any = Client()
    ended, ready, begun = list[tuple[str, int]](), asyncio.Event(), list[Any]()

    def end(name: str) -> Any:
        async def noted(_: object, channel_id: int) -> None:
            ended.append((name, channel_id))

        return noted

    monkeypatch.setattr("bot.features.leagues.rounds.end_leagues_in", end("leagues"))
    monkeypatch.setattr("bot.features.lobby.deleted_channels.channel_deleted", end("games"))
    client.dispatcher = SimpleNamespace(ready=ready)
    client.services.poster = SimpleNamespace(start=begun.append)
    Caravanserai._close_games_in(client, CHANNEL)
    closing = asyncio.create_task(begun[0])
    await asyncio.sleep(0)
    assert [] == ended, "the bot is not ready"
    ready.set()
    await closing
    assert [("leagues", CHANNEL), ("games", CHANNEL)] == ended


async def test_the_servers_of_a_shard_are_known_before_its_listeners_run_and_absent_once_the_others_have_arrived(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "bot")
    client: Any = Caravanserai.__new__(Caravanserai)
    done: list[object] = []
    servers = SimpleNamespace(note_listed=lambda shard: done.append(("listed", shard)))
    client.services = SimpleNamespace(servers=SimpleNamespace(known=servers))
    client._absences = SimpleNamespace(note_complete=lambda: done.append("complete"), begin=done.append)
    monkeypatch.setattr(discord.AutoShardedClient, "dispatch", lambda _, event, *args: done.append((event, *args)))
    client.dispatch("shard_connect", 3)
    client.dispatch("shard_resumed", 3)
    assert [("listed", 3), ("shard_connect", 3), ("shard_resumed", 3)] == done
    done.clear()
    await client.on_shard_ready(3)
    await client.on_guild_unavailable(SimpleNamespace(id=GUILD))
    await client.on_guild_remove(SimpleNamespace(id=CHANNEL))
    assert ["complete", GUILD, CHANNEL] == done
    assert ["removed from server 2: its games wait until I am invited again"] == caplog.messages


async def test_a_server_that_arrives_is_known_and_its_work_and_channels_are_looked_at() -> None:
    client: Any = Client()
    done: list[object] = []

    async def check_channels(guild: Any) -> None:
        done.append(("channels", guild.id))

    ready = SimpleNamespace(wait=recorder(done, "ready"))
    client.services.servers = SimpleNamespace(
        known=SimpleNamespace(note_arrived=lambda guild_id: done.append(guild_id))
    )
    client.services.worker.wake = lambda: done.append("wake")
    client.dispatcher, client._check_channels = SimpleNamespace(ready=ready), check_channels
    server: Any = SimpleNamespace(id=GUILD)
    await Caravanserai.on_guild_available(client, server)
    assert ([GUILD, "wake", ("ready",), ("channels", GUILD)], [GUILD]) == (done, client.retried)


@pytest.mark.parametrize("accepts", [False, True])
async def test_an_apology_for_unreadable_data_comes_once(monkeypatch: pytest.MonkeyPatch, accepts: bool) -> None:
    client: Any = Client()
    apologies: list[object] = []

    async def accepted(_: object) -> bool:
        return accepts

    async def apologize(interaction: object) -> None:
        apologies.append(interaction)

    monkeypatch.setattr("bot.client.apologize_unreadable", apologize)
    client.dispatcher = SimpleNamespace(accepts=accepted)
    await Caravanserai.on_unreadable_interaction(client, SimpleNamespace(id=1))
    assert int(accepts) == len(apologies)


@pytest.mark.parametrize("waits", [False, True])
async def test_a_start_that_waits_for_another_process_is_not_waited_for(waits: bool) -> None:
    client: Any = Client()
    ready = asyncio.Event()
    client._handover, client.loop = SimpleNamespace(waits=waits), asyncio.get_running_loop()
    client.dispatcher = SimpleNamespace(ready=ready)
    starting = asyncio.create_task(asyncio.Event().wait())
    if not waits:
        ready.set()
    await asyncio.wait_for(Caravanserai._wait_for_start(client, starting), 5)
    assert waits == starting.cancelled()
    starting.cancel()


@pytest.mark.parametrize(("ready", "is_away"), [(False, False), (True, False), (True, True)])
async def test_only_a_bot_that_was_ready_leaves_its_interactions_to_the_next_process(
    ready: bool, is_away: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    client: Any = Caravanserai.__new__(Caravanserai)
    done: list[object] = []

    def closing(name: str) -> Any:
        async def close() -> None:
            done.append(name)

        return SimpleNamespace(close=close)

    async def put(*stored: object) -> None:
        done.append(stored)
        if is_away:
            raise DatabaseUnavailable(FailureKind.GONE, "the next process has it")

    async def store_commands() -> None:
        done.append("commands stored")

    async def wait_for_start(starting_up: object) -> None:
        assert starting_up is client._starting_up
        done.append("started")

    async def close_client(_: object) -> None:
        done.append("client")

    store = SimpleNamespace(shard_range=SimpleNamespace(first=4), settings=SimpleNamespace(put=put))
    services: dict[str, Any] = {name: closing(name) for name in ("stories", "worker", "poster")}
    services |= {name: SimpleNamespace(close=partial(done.append, name)) for name in ("computers", "pictures")}
    client.services = SimpleNamespace(store=store, **services)
    client.dispatcher, client.requests = closing("dispatcher"), closing("requests")
    client.dispatcher.ready, client.dispatcher.recent_ids = asyncio.Event(), [5, 6]
    client._starting_up = SimpleNamespace(cancel=partial(done.append, "start canceled"))
    client._wait_for_start, client._finishing = wait_for_start, {asyncio.create_task(store_commands())}
    if ready:
        client.dispatcher.ready.set()
    monkeypatch.setattr("bot.client.ResilientClient.close", close_client)
    await client.close()
    served = [("shard", 4, "served", [5, 6])] if ready else []
    begun = ["started", "start canceled", "commands stored"]
    parts = ["computers", "stories", "worker", "poster", "requests", "client", "pictures"]
    assert [*begun, "dispatcher", *served, *parts] == done
    assert client.dispatcher.stopping


def recorder(done: list[Any], name: str, result: Any = None) -> Any:
    """An asynchronous function that records its name and its arguments."""

    async def record(*args: Any, **options: Any) -> Any:
        done.append((name, *args, *options.values()))
        return result

    return record


@pytest.mark.parametrize("waits", [False, True])
async def test_a_process_with_a_predecessor_adopts_the_interactions_that_that_one_handled(waits: bool) -> None:
    client: Any = Client()
    done: list[Any] = []
    settings = SimpleNamespace(get=recorder(done, "get", [5, 6]))
    client.services.store = SimpleNamespace(shard_range=SimpleNamespace(first=4), settings=settings)
    client._handover = SimpleNamespace(waits=waits, take_over=recorder(done, "take over"))
    client.dispatcher = SimpleNamespace(adopt_seen=lambda ids: done.append(("seen", *ids)))
    await Caravanserai._take_over(client)
    assert [("take over",), ("get", "shard", 4, "served"), ("seen", 5, 6)] * waits == done
    settings.get = recorder(done, "get")
    await Caravanserai._take_over(client)
    assert ("seen",) == done[-1] if waits else [] == done


START = [
    "command a",
    "command b",
    ("translator", "translator"),
    ("take over",),
    ("ratings",),
    ("resume", NOW),
    ("worker", "work", "before jobs", "absences"),
    "ready",
]
REGISTERED, EMOJIS = [("register", "tree", "settings", "clock", "to its end"), ("registered",)], ("emojis", "symbols")


@pytest.mark.parametrize(
    ("is_first", "emojis", "more"),
    [
        (True, True, [*REGISTERED, (*EMOJIS, True)]),
        (True, False, REGISTERED),
        (False, True, [(*EMOJIS, False)]),
        (False, False, []),
    ],
)
async def test_the_start_ends_with_the_worker_and_only_the_first_process_registers_commands_and_emojis(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, is_first: bool, emojis: bool, more: list[Any]
) -> None:
    client: Any = Client()
    done: list[Any] = []
    registration = SimpleNamespace(keep_up_to_date=recorder(done, "registered"))

    def register(tree: Any, settings: Any, clock: Any, to_its_end: Any) -> Any:
        assert (client.tree, client.services.clock) == (tree, clock)
        done.append(("register", "tree", settings, "clock", to_its_end))
        return registration

    async def keep_emojis(emojis_of: Any, symbols: Any, clock: Any, *, uploads: bool) -> None:
        assert (client, client.services.clock) == (emojis_of, clock)
        done.append(("emojis", symbols, uploads))

    for name in ("enable", "collect", "freeze"):
        monkeypatch.setattr(f"bot.client.gc.{name}", lambda: None)
    monkeypatch.setattr("bot.client.all_commands", lambda: ["a", "b"])
    monkeypatch.setattr("bot.client.all_work", lambda _: "work")
    monkeypatch.setattr("bot.client._symbols", lambda: "symbols")
    monkeypatch.setattr("bot.client.CommandTranslator", lambda: "translator")
    monkeypatch.setattr("bot.client.Registration", register)
    client.tree = SimpleNamespace(
        add_command=lambda group: done.append(f"command {group}"), set_translator=recorder(done, "translator")
    )
    client._take_over, client._before_jobs = recorder(done, "take over"), "before jobs"
    client._absences, client._to_its_end = "absences", "to its end"
    client._wants_emojis, client._emojis = emojis, SimpleNamespace(keep_up_to_date=keep_emojis)
    client.services.clock.now = lambda: NOW
    client.services.store = SimpleNamespace(
        ratings=SimpleNamespace(bring_up_to_date=recorder(done, "ratings")),
        resume_restored=recorder(done, "resume", 3),
        shard_range=SimpleNamespace(has=lambda number: is_first and number == 0),
        settings="settings",
    )
    client.services.worker.start = recorder(done, "worker")
    client.dispatcher = SimpleNamespace(ready=SimpleNamespace(set=lambda: done.append("ready")))
    await Caravanserai._start_up(client)
    assert [*START, *more] == done
    assert ["the database was restored from a backup; the bot posts 3 boards again"] == caplog.messages


async def test_messages_show_emojis_and_the_start_goes_on_while_discord_py_connects() -> None:
    client: Any = Client()
    done: list[Any] = []
    client._emojis, client.loop = Emojis(), asyncio.get_running_loop()
    client._start_up, client._record_start_error = recorder(done, "start"), done.append
    await Caravanserai.setup_hook(client)
    assert client._emojis is current_emojis()
    await client._starting_up
    await asyncio.sleep(0)
    assert [("start",), client._starting_up] == done


def test_the_emojis_are_those_of_all_games_without_a_faulty_one(monkeypatch: pytest.MonkeyPatch) -> None:
    drawings = {"jinns": {"tent": "a tent"}, "muses": {"lyre": "a lyre"}}

    def symbols(games: list[str]) -> dict[str, str]:
        if games == ["faulty"]:
            raise GameFault(Text("A fault."))
        return drawings[games[0]]

    monkeypatch.setattr("bot.client.discover", lambda: ["jinns", "faulty", "muses"])
    monkeypatch.setattr("bot.client.renders.symbols", symbols)
    assert {"tent": "a tent", "lyre": "a lyre"} == _symbols()


async def test_a_failed_start_is_kept_for_the_process_and_a_canceled_one_is_not() -> None:
    client: Any = Client()
    client.start_error, client.start_failed = None, asyncio.Event()

    async def end(error: Exception | None) -> None:
        if error:
            raise error
        await asyncio.Event().wait()

    error = DatabaseUnavailable(FailureKind.GONE, "away")
    for raised, is_canceled in ((None, True), (error, False)):
        task = asyncio.create_task(end(raised))
        if is_canceled:
            await asyncio.sleep(0)
            task.cancel()
        await asyncio.wait({task})
        Caravanserai._record_start_error(client, task)
        assert (raised, raised is not None) == (client.start_error, client.start_failed.is_set())


FORM, TAP = discord.InteractionType.modal_submit, discord.InteractionType.component
FIELD = {"type": 18, "component": {"type": 4, "custom_id": "line", "value": "Ana"}}
OLD_FORM, OLD_TAP = {"custom_id": "of:1", "components": [FIELD]}, {"custom_id": "of:1"}


@pytest.mark.parametrize(
    ("kind", "data", "steps"),
    [
        (TAP, {"custom_id": "cm:option:1:3:a", "values": ["x"]}, [("tap", "option:1:3:a", ("x",))]),
        (FORM, {"custom_id": "cf:guest:1:0:", "components": [FIELD]}, [("tap", "guest:1:0:", ("Ana",))]),
        (TAP, OLD_TAP, [("reply", "This button is outdated and no longer works.")]),
        (FORM, OLD_FORM, [("reply", "This button is outdated and no longer works.")]),
        (TAP, {}, [("refuse", "KeyError")]),
        (FORM, None, [("refuse", "TypeError")]),
        (discord.InteractionType.application_command, {}, []),
        (discord.InteractionType.autocomplete, {}, []),
    ],
)
async def test_a_tap_and_a_form_are_answered_in_any_case_and_commands_are_left_to_their_tree(
    monkeypatch: pytest.MonkeyPatch, kind: discord.InteractionType, data: Any, steps: list[Any]
) -> None:
    client: Any = Client()
    done: list[Any] = []

    async def tap(_: object, control: object, values: object) -> None:
        done.append(("tap", str(control), values))

    async def reply(_: object, text: object) -> None:
        done.append(("reply", str(text)))

    async def refuse(_: object, error: Exception) -> None:
        done.append(("refuse", type(error).__name__))

    monkeypatch.setattr("bot.client.reply", reply)
    monkeypatch.setattr("bot.client.refuse_unreadable", refuse)
    client.dispatcher = SimpleNamespace(handle_tap=tap)
    interaction: Any = SimpleNamespace(type=kind, data=data)
    await Caravanserai.on_interaction(client, interaction)
    assert steps == done


async def test_changed_permissions_and_deleted_places_are_those_of_the_event() -> None:
    client: Any = Client()
    closed: list[int] = []
    client._close_games_in = closed.append
    place: Any = SimpleNamespace(id=CHANNEL, guild=SimpleNamespace(id=GUILD))
    other: Any = SimpleNamespace(id=9, guild=SimpleNamespace(id=9))
    await Caravanserai.on_guild_channel_update(client, other, place)
    await Caravanserai.on_guild_role_update(client, other, place)
    assert [GUILD, GUILD] == client.retried
    await Caravanserai.on_guild_channel_delete(client, place)
    event: Any = SimpleNamespace(thread_id=5, guild_id=GUILD, parent_id=CHANNEL)
    await Caravanserai.on_raw_thread_delete(client, event)
    assert [CHANNEL, 5] == closed


async def test_a_channel_that_seems_to_be_gone_is_checked_and_a_sent_message_ends_an_outage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client: Any = Client()
    done: list[Any] = []
    monkeypatch.setattr("bot.client.Channels", lambda *_, **options: SimpleNamespace(**options))
    monkeypatch.setattr("bot.features.lobby.deleted_channels.check_channel", lambda _, number: ("check", number))
    client.services.worker.retry_after_outage = lambda: done.append("retried")
    client.services.poster, client.requests = SimpleNamespace(start=done.append), "requests"
    channels: Any = Caravanserai._make_channels(client, "servers")  # type: ignore[arg-type]  # only passed on
    channels.on_gone(CHANNEL)
    channels.on_success()
    Caravanserai._check_channel(client, CHANNEL)
    assert ([CHANNEL], ["retried", ("check", CHANNEL)], "requests") == (client.checked, done, channels.requests)


async def test_work_with_the_database_goes_on_to_its_end_when_its_task_is_canceled() -> None:
    client: Any = Client()
    client.loop, client._finishing, gate = asyncio.get_running_loop(), set[Any](), asyncio.Event()
    done: list[str] = []

    async def work() -> str:
        await gate.wait()
        done.append("stored")
        return "a result"

    caller = asyncio.create_task(Caravanserai._to_its_end(client, work()))
    await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    assert ([], 1) == (done, len(client._finishing))
    gate.set()
    await asyncio.wait(client._finishing)
    assert (["stored"], 0) == (done, len(client._finishing))
    assert "a result" == await Caravanserai._to_its_end(client, work())


async def test_the_log_has_the_invitation_once_the_bot_is_connected(caplog: pytest.LogCaptureFixture) -> None:
    client: Any = Client()
    client.guilds, client.application_id = ["Home", "Away"], 12
    caplog.set_level("INFO", "bot")
    await Caravanserai.on_ready(client)
    (line,) = caplog.messages
    assert line.startswith("ready in 2 servers; invite me with https://discord.com/oauth2/authorize?client_id=12&")
    assert "permissions=" in line


def test_a_process_for_some_shards_connects_those_only() -> None:
    assert {} == _shard_options(ShardRange(0, 0, 1))
    assert {"shard_ids": [2, 3], "shard_count": 8} == _shard_options(ShardRange(2, 3, 8))


def test_the_bot_receives_and_caches_as_little_as_possible() -> None:
    options = _connection_options()
    assert {"guilds"} == {name for name, is_on in options.pop("intents") if is_on}
    assert discord.MemberCacheFlags.none() == options.pop("member_cache_flags")
    assert {"parse": []} == options.pop("allowed_mentions").to_dict()
    assert {"chunk_guilds_at_startup": False, "max_messages": None, "guild_ready_timeout": 0.5} == options

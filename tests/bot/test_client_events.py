"""Client events, one by one: the work that each of them sets going, without a connection."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot import command_tree
from bot.client import Caravanserai
from bot.command_tree import CommandTree
from bot.store.failures import DatabaseUnavailable, FailureKind

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
    await Caravanserai.on_member_update(client, member, member)
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
    assert (2, []) == (len(naps), answers)


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
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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


async def test_a_server_that_arrives_is_known_and_its_work_and_channels_are_looked_at() -> None:
    client: Any = Client()
    done: list[object] = []

    async def check_channels(guild: Any) -> None:
        done.append(("channels", guild.id))

    ready = asyncio.Event()
    ready.set()
    client.services.servers = SimpleNamespace(
        known=SimpleNamespace(note_arrived=lambda guild_id: done.append(guild_id))
    )
    client.services.worker.wake = lambda: done.append("wake")
    client.dispatcher, client._check_channels = SimpleNamespace(ready=ready), check_channels
    server: Any = SimpleNamespace(id=GUILD)
    await Caravanserai.on_guild_available(client, server)
    assert ([GUILD, "wake", ("channels", GUILD)], [GUILD]) == (done, client.retried)


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


@pytest.mark.parametrize("ready", [False, True])
async def test_only_a_bot_that_was_ready_leaves_its_interactions_to_the_next_process(
    ready: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    client: Any = Caravanserai.__new__(Caravanserai)
    done: list[object] = []

    def closing(name: str) -> Any:
        async def close() -> None:
            done.append(name)

        return SimpleNamespace(close=close)

    async def put(*stored: object) -> None:
        done.append(stored)

    async def close_client(_: object) -> None:
        done.append("client")

    store = SimpleNamespace(shard_range=SimpleNamespace(first=4), settings=SimpleNamespace(put=put))
    parts: dict[str, Any] = {name: closing(name) for name in ("stories", "worker", "poster")}
    parts |= {name: SimpleNamespace(close=partial(done.append, name)) for name in ("computers", "pictures")}
    client.services = SimpleNamespace(store=store, **parts)
    client.dispatcher, client.requests = closing("dispatcher"), closing("requests")
    client.dispatcher.ready, client.dispatcher.recent_ids = asyncio.Event(), [5, 6]
    client._starting_up, client._finishing = None, set()
    if ready:
        client.dispatcher.ready.set()
    monkeypatch.setattr("bot.client.ResilientClient.close", close_client)
    await client.close()
    served = [("shard", 4, "served", [5, 6])] if ready else []
    assert ["dispatcher", *served, "computers", "stories", "worker", "poster", "requests", "client", "pictures"] == done
    assert client.dispatcher.stopping


class _Interaction:
    """A command or a request for suggestions, and what answers it."""

    def __init__(self, kind: discord.InteractionType, *, is_ready: bool = True, is_done: bool = False) -> None:
        self.id, self.type, self.is_expired, self.answers = 7, kind, lambda: False, list[object]()
        ready = asyncio.Event()
        if is_ready:
            ready.set()
        dispatcher = SimpleNamespace(accepts=self._accept, ready=ready)
        self.client = SimpleNamespace(dispatcher=dispatcher, requests=SimpleNamespace(change=self._change))
        self.response = SimpleNamespace(
            is_done=lambda: is_done, autocomplete=self._record("suggestions"), defer=self._record("deferred")
        )

    async def _accept(self, _: object) -> bool:
        return True

    async def _change(self, request: Any, **_: object) -> None:
        await request()

    def _record(self, name: str) -> Any:
        async def record(*answer: object, **_: object) -> None:
            self.answers.append((name, *answer))

        return record


SUGGESTIONS, COMMAND = discord.InteractionType.autocomplete, discord.InteractionType.application_command


async def test_suggestions_wait_for_the_start_and_come_empty_if_it_takes_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(command_tree, "SUGGESTION_TIMEOUT", 0)
    for is_ready, answers in ((True, []), (False, [("suggestions", [])])):
        request: Any = _Interaction(SUGGESTIONS, is_ready=is_ready)
        tree: Any = SimpleNamespace(client=request.client)
        tree._can_suggest = partial(CommandTree._can_suggest, tree)
        assert is_ready == await CommandTree.interaction_check(tree, request)
        assert answers == request.answers, "nothing is deferred"


async def test_a_command_that_fails_after_its_answer_is_logged_and_not_answered_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    command: Any = _Interaction(COMMAND, is_done=True)
    await CommandTree.on_error(command, command, discord.app_commands.AppCommandError("late"))
    assert [] == command.answers
    assert ["interaction 7 failed"] == [record.message for record in caplog.records]

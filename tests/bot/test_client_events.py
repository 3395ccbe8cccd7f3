"""Client events, one by one: the work that each of them sets going, without a connection."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from bot.client import Caravanserai
from bot.store.failures import DatabaseUnavailable, FailureKind

GUILD, CHANNEL = 7, 2
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


class Client:
    """In place of the client: notes what its services are asked to do."""

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

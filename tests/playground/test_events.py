"""Scheduled events of a server, as strict as Discord's."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from playground.harness import Playground
from tests.playground.rawbot import RawBot


@pytest.fixture
def events(local: Playground) -> str:
    return f"/guilds/{local.discord.world.guild_id}/scheduled-events"


def body(local: Playground, hours: float = 1, **changes: Any) -> dict[str, Any]:
    start = datetime.fromtimestamp(local.clock.now(), UTC) + timedelta(hours=hours)
    fields = {
        "name": "Muscat",
        "scheduled_start_time": start.isoformat(),
        "scheduled_end_time": (start + timedelta(hours=1)).isoformat(),
        "privacy_level": 2,
        "entity_type": 3,
        "entity_metadata": {"location": "https://discord.com/channels/1/2"},
    }
    return {**fields, **changes}


async def test_events_can_be_created_edited_and_deleted_and_end_automatically(
    raw: RawBot, local: Playground, events: str
) -> None:
    status, event = await raw.rest("POST", events, body(local))
    assert (200, "Muscat", 1) == (status, event["name"], event["status"])
    path = f"{events}/{event['id']}"
    _, edited = await raw.rest("PATCH", path, {"name": "Muses"})
    assert ("Muses", event["scheduled_start_time"]) == (edited["name"], edited["scheduled_start_time"])
    local.clock.advance(3700)
    assert [2] == [event["status"] for event in (await raw.rest("GET", events))[1]]
    local.clock.advance(3700)
    assert (200, []) == await raw.rest("GET", events)
    assert 180000 == (await raw.rest("PATCH", path, {"name": "Late"}))[1]["code"]
    assert 204 == (await raw.rest("DELETE", path))[0]
    assert 10070 == (await raw.rest("GET", path))[1]["code"]


async def test_invalid_excess_and_unpermitted_events_are_refused(raw: RawBot, local: Playground, events: str) -> None:
    local.allow("50035")
    for wrong in ({"hours": -1}, {"name": ""}, {"scheduled_end_time": None}):
        assert 50035 == (await raw.rest("POST", events, body(local, **wrong)))[1]["code"]
    for n in range(100):
        assert 200 == (await raw.rest("POST", events, body(local, hours=n + 1)))[0]
    assert 30038 == (await raw.rest("POST", events, body(local)))[1]["code"]
    role = local.discord.world.roles[local.discord.world.bot_role_id]
    role.permissions &= ~(1 << 44)
    assert 50013 == (await raw.rest("POST", events, body(local)))[1]["code"]

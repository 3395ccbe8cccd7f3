"""An obstacle of a league is reported once: in its channel, or to its host if the channel is closed."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.features.leagues.rounds import _report_obstacle
from bot.store.jobs import Job, JobKind

AT = datetime(2026, 11, 22, tzinfo=UTC)
LEAGUE: Any = SimpleNamespace(id=3, channel_id=9, host_id=71, game="muscat")


def refusal(status: int, code: int) -> discord.HTTPException:
    answer: Any = SimpleNamespace(status=status, reason="no")
    return discord.HTTPException(answer, {"code": code, "message": ""})


MISSING = refusal(403, 50013)


@pytest.mark.parametrize(
    ("error", "state", "is_closed", "reports"),
    [
        (MISSING, {}, False, [(9, "league-3-stuck")]),
        (MISSING, {"told": None}, False, [(9, "league-3-stuck")]),
        (MISSING, {}, True, [(71, "league-3-stuck")]),
        (MISSING, {"told": True}, False, []),
        # an outage is over soon, and a limit later
        (refusal(503, 0), {}, False, []),
        (refusal(429, 0), {}, False, []),
    ],
)
async def test_an_obstacle_is_reported_once_where_it_can_be_read(
    error: Exception, state: dict[str, Any], is_closed: bool, reports: list[Any]
) -> None:
    sent, stored = list[Any](), list[Any]()
    job = Job(JobKind.LEAGUE, AT, 3, state=state)

    async def send(channel_id: int, compose: Any, *, nonce: str) -> None:
        if is_closed:
            raise MISSING
        sent.append((channel_id, nonce))

    async def send_direct(user_id: int, compose: Any, *, nonce: str) -> None:
        sent.append((user_id, nonce))

    async def replace(before: Job, after: Job) -> None:
        assert (job, AT) == (before, after.due_at)
        stored.append(after.state["told"])

    channels = SimpleNamespace(send=send, send_direct=send_direct)
    services: Any = SimpleNamespace(channels=channels, store=SimpleNamespace(jobs=SimpleNamespace(replace=replace)))
    await _report_obstacle(services, LEAGUE, job, error)
    assert (reports, [True] * len(reports)) == (sent, stored)

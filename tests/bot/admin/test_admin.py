"""Status of the bot for its operator: `/admin status`, two pages for machines, lines of the log."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
import sys
from dataclasses import astuple
from datetime import UTC, datetime, timedelta
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import aiohttp
import pytest
from prometheus_client import Counter, Gauge, Histogram

from bot import logs, metrics
from bot.features.admin.condition import CACHE_TIME, Condition, _condition, examine
from bot.features.admin.status import _clock, _overview, _seconds, _times, _totals, operators
from bot.interactions.parts import stamp
from bot.interactions.responses import WORKING_ON
from bot.store.failures import DatabaseUnavailable, FailureKind
from bot.store.jobs import JobKind
from bot.store.matches import Status
from bot.store.store import Backlog, Count, Store
from bot.version import current_version
from playground.options import CannotDo
from playground.player import Player
from tests.bot.app import PATIENCE, App
from tests.bot.fake_clock import FakeClock
from tests.bot.moderating import begin
from tests.robots import BOARD
from tests.rooms import Room, start_game


def steward(room: Room, name: str) -> Player:
    """Somebody whom Discord shows the command."""
    room.local.add_role(f"Steward {name}", "ADMINISTRATOR")
    room.local.give_role(name, f"Steward {name}")
    return room.person(name)


AT = datetime(2026, 6, 1, 12, tzinfo=UTC)
METRICS = (Counter, Gauge, Histogram)
NAME = re.compile(r"(caravanserai_\w+?)(?:_total|_bucket)?\b")


def free_port() -> int:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return int(server.getsockname()[1])


async def status(room: Room) -> str:
    answer = await room.person(room.local.discord.world.owner.name).slash("admin status")
    assert answer.ephemeral
    return answer.text


async def test_status_shows_games_answer_times_and_due_jobs(app: App) -> None:
    room = app.room()
    await begin(room, "Ana", "Ben")
    async with asyncio.timeout(PATIENCE):  # the board is noted a moment after everybody sees it
        while "Jobs" in (text := await status(room)):
            pass
    assert re.search(r"Started <t:\d+:R>, in 1 server\b", text)
    numbers = dict(app.query("SELECT status, count(*) FROM matches GROUP BY status"))
    running, lobby, over = (numbers.get(status, 0) for status in ("running", "lobby", "over"))
    assert f"**Games**: {running} running, {lobby} waiting for players, {over} finished." in text
    assert running != lobby, "not one number twice"
    assert re.search(r"\*\*Answers\*\*: median [\d.]+ m?s, 99th percentile .+, of \d+", text)
    assert re.search(r"\d+ actions?, \d+ failures?", text)


async def test_a_refused_board_counts_as_a_failed_job_until_discord_accepts_it(app: App) -> None:
    room, elsewhere = app.room(), app.room()
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game="sealed")
    await ben.tap("Join")
    refused = "POST /channels/*/messages"
    refusal = app.local.fault(refused, 403, code=50013, times=None)
    await start_game(ana, ben)
    await app.local.wait_for_fault(refusal)
    await app.let_pass(30)
    # the first picture of a process may take longer
    while not app.query("SELECT 1 FROM jobs WHERE kind = 'board' AND attempts > 0"):
        await app.idle(1)
    text = await status(elsewhere)
    assert re.search(r"\*\*Jobs\*\* \(board\): 1 due, the oldest <t:\d+:R>; 1 failed on the last attempt\.", text)
    app.local.lift(refused)
    await app.let_pass(60)
    await room.onlooker.expect(BOARD)
    assert "Jobs" not in await status(elsewhere)


async def test_admin_status_is_for_operators_only(app: App) -> None:
    room = app.room()
    with pytest.raises(CannotDo, match="not for you"):
        await room.person("Ben").slash("admin status")
    assert "those who run me" in (await steward(room, "Eva").slash("admin status")).text


async def test_every_team_member_is_an_operator() -> None:
    owner, member = Mock(id=1), Mock(id=2)
    assert {1, 2} == operators(Mock(owner=owner, team=Mock(members=[member])))
    assert {1} == operators(Mock(owner=owner, team=None))
    assert not operators(None)


async def test_health_and_metrics_are_served_over_http(app: App) -> None:
    await app.close()
    app.metrics = f"127.0.0.1:{free_port()}"
    await app.open()
    await begin(app.room(), "Ana", "Ben")
    async with aiohttp.ClientSession(f"http://{app.metrics}") as session:
        async with asyncio.timeout(PATIENCE):  # Discord may not have answered the first heartbeat yet
            while 200 != (health := await session.get("/health")).status:
                pass
        assert (await health.json())["well"]
        answer = await session.get("/metrics")
        assert "text/plain" == answer.content_type
        page = await answer.text()
    assert re.search(r'caravanserai_matches\{status="running"\} [1-9]', page)
    assert re.search(r"caravanserai_answer_seconds_count [1-9]", page)
    assert not re.search(rf"(?<![.\d])\d{{17,20}}\b|{'|'.join(app.seeds())}", page), "the id of somebody, or a seed"


async def test_health_and_metrics_cache_counts_for_a_few_seconds(
    app: App, fake_clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[int] = []
    count = Store.count

    async def noted(store: Store, now: datetime) -> Count:
        counted.append(1)
        return await count(store, now)

    await app.close()
    monkeypatch.setattr(Store, "count", noted)
    app.metrics = f"127.0.0.1:{free_port()}"
    await app.open()
    async with aiohttp.ClientSession(f"http://{app.metrics}") as session:

        async def look() -> None:
            pages = await asyncio.gather(*(session.get(page) for page in ("/health", "/metrics") * 5))
            assert all(page.ok for page in pages[1::2])

        await look()
        assert 1 == len(counted)
        await begin(app.room(), "Ana", "Ben")
        fake_clock.ahead += timedelta(seconds=CACHE_TIME)
        await look()
        assert 2 == len(counted)
        assert 'caravanserai_matches{status="running"} 1' in await (await session.get("/metrics")).text()
        fake_clock.ahead -= timedelta(hours=1)
        await look()
        assert 3 == len(counted), "a clock that was set back keeps nothing from being counted"


@pytest.mark.parametrize(
    ("error", "lines"),
    [(KeyError("ours"), 1), (DatabaseUnavailable(FailureKind.AWAY, "gone"), 0), (TimeoutError(), 0)],
)
async def test_a_failed_count_hides_no_other_figures(error: Exception, lines: int, caplog) -> None:
    client, store = Mock(latency=0.05, guilds=["the only one"]), AsyncMock()
    store.count.side_effect = error
    condition = await examine(client, store, datetime.now(UTC))
    assert (("database",), 1, 1) == (condition.faults, condition.servers, metrics.value(metrics.SERVERS))
    assert lines == len([record for record in caplog.records if record.exc_info]), "a fault of ours is written down"
    assert "**The database doesn’t answer.** See the log." == [*map(str, _overview(condition))][-1]


BACKLOGS = {
    JobKind.BOARD: Backlog(3, AT - timedelta(minutes=2), 1),
    JobKind.STORY: Backlog(1, AT + timedelta(minutes=2), 1),
    JobKind.CLOCK: Backlog(0, None, 0),
}


def test_the_status_has_all_figures_and_the_metrics_those_that_no_event_updates(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    count = Count({Status.RUNNING: 4, Status.LOBBY: 5, Status.OVER: 6, Status.CLOSED: 7}, BACKLOGS)
    condition = _condition(Mock(latency=0.05, guilds=[1, 2]), count, AT)
    assert (2, 0.05, False, count, ()) == (*astuple(condition)[:3], condition.count, condition.faults)
    labels = (metrics.JOBS, metrics.JOBS_AGE, metrics.JOBS_FAILED)
    figures = [tuple(metrics.value(metric.labels(kind)) for metric in labels) for kind in BACKLOGS]
    assert [(3, 120, 1), (1, 0, 1), (0, 0, 0)] == figures
    assert [4, 5, 6, 7] == [metrics.value(metrics.MATCHES.labels(status)) for status in count.matches]
    values = {metrics.STARTED: AT.timestamp(), metrics.CLOCK_OFFSET: 150, metrics.BUSY: 2}
    totals = {metrics.MOVES: 1, metrics.FAILURES: 2, metrics.REFUSED: 3}
    measured = {metrics.ANSWERS: (0.02, 1.5, 8), metrics.LAG: (0.5, inf, 9)}
    monkeypatch.setattr(metrics, "value", values.get)
    monkeypatch.setattr(metrics, "total", totals.get)
    monkeypatch.setattr(metrics, "count", lambda histogram: measured[histogram][2])
    monkeypatch.setattr(
        metrics, "quantile", lambda histogram, share: measured.get(histogram, (None,) * 2)[{0.5: 0, 0.99: 1}[share]]
    )
    request: Any = SimpleNamespace(services=SimpleNamespace(thinkers=SimpleNamespace(number=3)))
    assert [
        f"### Caravanserai {current_version()}",
        f"-# Started {stamp(AT, 'R')}, in 2 servers",
        "**Discord** answers within 50 ms.",
        "**The clock of my machine** is 2 minutes ahead of Discord’s. Sync it with a time server.",
        "**Games**: 4 running, 5 waiting for players, 6 finished.",
        f"**Jobs** (board): 3 due, the oldest {stamp(AT - timedelta(minutes=2), 'R')}; 1 failed on the last attempt.",
        f"**Jobs** (story): 1 due, the oldest {stamp(AT + timedelta(minutes=2), 'R')}; 1 failed on the last attempt.",
        "**Answers**: median 20 ms, 99th percentile 1.5 s, of 8.",
        "**One pass of the event loop**: median 500 ms, 99th percentile more than 5 s, of 9.",
        "**Workers**: 2 of 3 busy.",
        "**Since the start**: 1 action, 2 failures reported to users, 3 refused attempts to post.",
    ] == [str(text) for text in (*_overview(condition), *_times(), *_totals(request))]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (30, ""),
        (31, "is 1 minute ahead of"),
        (150, "is 2 minutes ahead of"),
        (-30, ""),
        (-31, "is 1 minute behind"),
        (-240, "is 4 minutes behind"),
    ],
)
def test_a_wrong_clock_is_told_from_half_a_minute_on(seconds: int, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "value", {metrics.CLOCK_OFFSET: seconds}.get)
    text = f"**The clock of my machine** {words} Discord’s. Sync it with a time server."
    assert ([text] if words else []) == [*map(str, _clock())]


def test_a_bot_without_a_connection_has_no_round_trip_and_each_fault_its_name() -> None:
    condition = _condition(Mock(latency=inf, guilds=[]), None, AT)
    assert (None, ("discord", "database")) == (condition.latency, condition.faults)
    assert ("requests",) == Condition(1, 0.1, True, Count({}, {})).faults


STUCK_TEXT = "**Discord isn’t answering requests.** See the log."


async def test_stuck_requests_are_a_fault(app: App) -> None:
    assert STUCK_TEXT not in await status(app.room())
    metrics.STUCK.set(1)
    try:
        client, store = Mock(latency=0.05, guilds=[]), AsyncMock()
        store.count.return_value = Count(dict.fromkeys(Status, 0), {})
        assert ("requests",) == (await examine(client, store, datetime.now(UTC))).faults
        assert STUCK_TEXT in await status(app.room())
    finally:
        metrics.STUCK.set(0)


def test_a_quantile_is_the_bucket_that_contains_the_share() -> None:
    timed = Histogram("timed", "of a test", ["kind"], buckets=(1, 2, 3), registry=None)
    assert metrics.quantile(timed, 0.5) is None
    for seconds in (0.5, 1.5, 1.6, 9):
        timed.labels(str(seconds)).observe(seconds)
    assert [1, 2, 2, float("inf")] == [metrics.quantile(timed, share) for share in (0.25, 0.5, 0.75, 0.99)]


@pytest.fixture
def at_work():
    token = WORKING_ON.set(12345)
    yield
    WORKING_ON.reset(token)


def test_json_log_lines_carry_the_interaction_number_shown_to_players(at_work) -> None:
    try:
        raise ValueError("lines\nof “trouble”")
    except ValueError:
        record = logging.LogRecord("bot.x", logging.ERROR, "x.py", 1, "match %d failed", (7,), sys.exc_info())
    line = logs.FORMATS["json"].format(record)
    assert "\n" not in line
    read = json.loads(line)
    assert ("ERROR", "bot.x", 12345) == (read["level"], read["logger"], read["interaction"])
    assert read["message"].startswith("match 7 failed\nTraceback")
    assert "#12345 match 7 failed" in logs.FORMATS["text"].format(record)


def test_dashboard_and_monitoring_page_name_only_existing_metrics() -> None:
    counted = [metric for metric in vars(metrics).values() if isinstance(metric, METRICS)]
    existing = {family.name for metric in counted for family in metric.collect()}
    docs = Path(__file__).parents[3] / "docs"
    dashboard, page_names = (
        set(NAME.findall((docs / page).read_text("utf-8"))) for page in ("dashboard.json", "monitoring.md")
    )
    assert dashboard <= existing == page_names


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.0004, "0 ms"), (0.0126, "13 ms"), (0.9994, "999 ms"), (1.0, "1 s"), (2.5, "2.5 s"), (inf, "more than 5 s")],
)
def test_a_time_is_told_in_the_unit_that_suits_it(seconds: float, words: str) -> None:
    assert words == str(_seconds(seconds))

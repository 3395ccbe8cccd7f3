"""Jobs of every kind while Discord refuses: few requests, and nothing is lost that passes by itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace
from datetime import timedelta
from typing import Any

import aiohttp
import pytest

from bot.jobs import story as story_job
from bot.store.codec import time_of
from bot.store.jobs import Job, JobKind
from bot.store.leagues import LeaguePlayer
from bot.store.matches import SeatHolder, Status
from bot.tables.overviews import overview_job
from bot.tables.preferences import Preferences, keep_preferences
from bot.tables.scheduled_events import events_job
from engine.games import discover
from engine.turns import turn_starts
from tests.bot.refusing import CHANNEL, DAY, GUEST, GUILD, HOST, HOUR, NOON, House, refusal
from tests.sampling import every

MAX_REQUESTS = 30
"""Requests in an hour for one job."""

TEMPORARY: dict[str, tuple[Callable[[], Exception], int]] = {
    "503": (lambda: refusal(503), 1),
    "502, repeated by discord.py": (lambda: refusal(502), 5),
    "429, repeated by discord.py": (lambda: refusal(429, 0, "Too Many Requests"), 5),
    "403/40333": (lambda: refusal(403, 40333, "internal network error"), 1),
    "a code that nobody knows": (lambda: refusal(400, 99999), 1),
    "a cut": (aiohttp.ServerDisconnectedError, 1),
    "no answer": (TimeoutError, 1),
}
FAULTS = TEMPORARY | {
    "403/50013": (lambda: refusal(403, 50013), 1),
    "403/50001": (lambda: refusal(403, 50001), 1),
    "404/10003": (lambda: refusal(404, 10003), 1),
    "400/50035": (lambda: refusal(400, 50035), 1),
}


async def board(house: House) -> None:
    await house.match()


async def retire(house: House) -> None:
    table = await house.posted()
    await house.services.seats.end(table, at=NOON)


async def lobby_message(house: House) -> None:
    table = await house.lobby()
    await house.services.lobbies.note_lobby_message(table, 55)
    async with house.services.tables.changing(table) as change:
        change.facts = table.facts.close(Status.CLOSED, NOON)


async def lobby_expiry(house: House) -> None:
    await house.lobby()
    house.time.now += 23 * HOUR


async def start(house: House) -> None:
    # asked whether they are ready, since a board that is refused is the work of another job
    await house.lobby(starts_at=NOON)


async def thread_archive(house: House) -> None:
    table = await house.posted(own_thread=True)
    await house.services.seats.end(table, at=NOON)
    await house.store.jobs.drop(JobKind.RETIRE, table.id)
    await house.put(Job(JobKind.THREAD_ARCHIVE, NOON, table.id, state={"over": time_of(NOON - 2 * DAY)}))


async def channel_check(house: House) -> None:
    table = await house.posted()
    await house.put(Job(JobKind.CHANNEL_CHECK, NOON, table.id))


async def reminder(house: House) -> None:
    for channel_id in range(10, 20):
        await house.posted(channel_id)
    house.time.now += DAY


async def digest(house: House) -> None:
    await house.posted()
    await keep_preferences(house.store.settings, HOST, Preferences(interval=0, summary="beside"))
    await keep_preferences(house.store.settings, GUEST, Preferences(interval=0))
    await house.put(Job(JobKind.DIGEST, NOON, user_id=HOST, state={"since": time_of(NOON), "number": 0}))


async def clock(house: House) -> None:
    await house.posted(pace="brisk", firm=False)
    for user_id in (HOST, GUEST):
        await keep_preferences(house.store.settings, user_id, Preferences(interval=0))
    house.time.now += 12 * HOUR


async def answer(house: House) -> None:
    table = await house.posted()
    await house.put(Job(JobKind.ANSWER, NOON, table.id, HOST, state={"version": 0}))


async def computer(house: House) -> None:
    table = await house.match(CHANNEL, SeatHolder(HOST, name="Ana"), SeatHolder(computer="fair"))

    async def choose(_: str, view: Any, **__: Any) -> Any:
        return table.require_match().decision_of(view.viewer).options[0]

    thinkers: Any = house.services.thinkers
    thinkers.choose = choose


async def story(house: House) -> None:
    table = await house.posted()
    await house.services.seats.end(table, at=NOON)
    await house.store.jobs.drop(JobKind.RETIRE, table.id)
    await house.put(Job(JobKind.STORY, NOON, table.id))


async def next_notice(house: House) -> None:
    await keep_preferences(house.store.settings, GUEST, Preferences(interval=0, next_notice=True))
    people = SeatHolder(HOST, name="Ana"), SeatHolder(GUEST, name="Ben"), SeatHolder(computer="uniform")
    table = await house.posted(CHANNEL, *people, game="muscat")
    while len(turn_starts(match := table.require_match())) < 4:
        (due,) = match.state.decisions()
        user_id = (HOST, GUEST)[due.seat]
        await house.services.moves.play(table, user_id, due.options[0], interaction_id=match.version, version=None)
    await house.services.poster.post(table)
    house.network.sent.clear()
    house.network.accepted.clear()


async def moderation_log(house: House) -> None:
    lines = [[CHANNEL, f"nonce-{n}", f"line {n}"] for n in range(20)]
    await house.put(Job(JobKind.MODERATION_LOG, NOON, guild_id=GUILD, state={"lines": lines}))


async def league(house: House, game: str = "sealed") -> None:
    spec = discover()[game]
    created = await house.store.leagues.create(
        NOON,
        guild_id=GUILD,
        channel_id=CHANNEL,
        host_id=HOST,
        game=spec.slug,
        rules_version=spec.rules_version,
        options={},
        seats=2,
        swiss=False,
        rounds=2,
        gap=7,
        division_size=8,
        pace="relaxed",
        computer="fair",
        closes_at=NOON,
        message_id=55,
    )
    for user_id in range(HOST, HOST + 8):
        await house.store.leagues.sign_up(created.id, LeaguePlayer(user_id, user_id, "Ana"))


async def overview(house: House) -> None:
    await house.posted()
    house.add_channel(CHANNEL)
    guild_settings = replace(await house.services.servers.guild_settings(GUILD), overview=CHANNEL)
    await house.services.servers.keep(GUILD, guild_settings, jobs=[overview_job(GUILD, NOON)])


async def events(house: House) -> None:
    await house.lobby(starts_at=NOON + 9 * DAY)
    house.add_channel(CHANNEL)
    house.let_make_events()
    guild_settings = replace(await house.services.servers.guild_settings(GUILD), events=True)
    await house.services.servers.keep(GUILD, guild_settings, jobs=[events_job(GUILD, NOON)])


CASES: dict[JobKind, Callable[[House], Awaitable[None]]] = {
    JobKind.BOARD: board,
    JobKind.RETIRE: retire,
    JobKind.LOBBY_MESSAGE: lobby_message,
    JobKind.LOBBY_EXPIRY: lobby_expiry,
    JobKind.START: start,
    JobKind.THREAD_ARCHIVE: thread_archive,
    JobKind.CHANNEL_CHECK: channel_check,
    JobKind.REMINDER: reminder,
    JobKind.DIGEST: digest,
    JobKind.CLOCK: clock,
    JobKind.ANSWER: answer,
    JobKind.COMPUTER: computer,
    JobKind.STORY: story,
    JobKind.NEXT_NOTICE: next_notice,
    JobKind.MODERATION_LOG: moderation_log,
    JobKind.LEAGUE: league,
    JobKind.OVERVIEW: overview,
    JobKind.EVENTS: events,
}
"""Cases by kind of job: a new kind needs one of its own."""

every_kind = pytest.mark.parametrize("kind", JobKind)


def pairs(kinds: Collection[JobKind], faults: Collection[str]) -> list[tuple[JobKind, str]]:
    """Kinds of jobs, each with a fault that it is tried with. In a sample, each kind and each fault occurs."""
    stride = every(len(faults))
    return [(kind, fault) for n, kind in enumerate(kinds) for m, fault in enumerate(faults) if (n + m) % stride == 0]


@pytest.fixture
def home(home: House, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setattr(story_job, "has_story", lambda _: True)
    monkeypatch.setattr(home.services.stories, "of", _story_of)
    return home


async def _story_of(*_: object) -> object:
    return None


@pytest.mark.parametrize(("kind", "fault"), pairs(JobKind, FAULTS))
async def test_a_refused_job_makes_few_requests(home: House, kind: JobKind, fault: str) -> None:
    await CASES[kind](home)
    home.network.fault, home.network.cost = FAULTS[fault]
    await home.begin()
    await home.let_pass(8 * HOUR)
    assert home.network.most_in_an_hour() <= MAX_REQUESTS


@every_kind
async def test_a_job_makes_few_requests_even_if_reading_works_and_other_requests_succeed(
    home: House, kind: JobKind
) -> None:
    """A board is searched for before each attempt, and each success elsewhere brings other attempts forward."""
    await CASES[kind](home)
    home.network.fault, home.network.spared = lambda: refusal(503), "GET /channels/{channel_id}/messages"
    await home.begin()
    for _ in range(2 * 60):
        await home.let_pass(timedelta(minutes=1))
        home.services.worker.retry_after_outage()
    assert home.network.most_in_an_hour() <= MAX_REQUESTS


async def test_a_league_that_users_leave_all_the_time_makes_few_requests(home: House) -> None:
    await league(home)
    home.network.fault = lambda: refusal(403, 50013)
    await home.begin()
    (created,) = await home.store.leagues.of_server(GUILD)
    for _ in range(3 * 60):
        home.services.worker.retry_for_user(await home.store.leagues.make_due(created, home.clock.now()))
        await home.let_pass(timedelta(minutes=1))
    assert 3 * 20 < len(home.network.sent[JobKind.LEAGUE, 0, 0, created.id])
    assert home.network.most_in_an_hour() <= MAX_REQUESTS


@pytest.mark.parametrize(("code", "is_told"), [(503, False), (403, True)])
async def test_a_league_host_is_informed_of_missing_permissions_but_not_of_outages(
    home: House, code: int, is_told: bool
) -> None:
    await league(home)
    home.network.fault, home.network.spared = lambda: refusal(code, 50013), "POST /users/@me/channels"
    await home.begin()
    await home.let_pass(HOUR)
    assert is_told == ("POST /users/@me/channels" in home.network.accepted)


DELIVERED = {
    JobKind.BOARD: "POST /channels/{channel_id}/messages",
    JobKind.RETIRE: "PATCH /channels/{channel_id}/messages/{message_id}",
    JobKind.LOBBY_MESSAGE: "PATCH /channels/{channel_id}/messages/{message_id}",
    JobKind.LOBBY_EXPIRY: "POST /channels/{channel_id}/messages",
    JobKind.START: "POST /channels/{channel_id}/messages",
    JobKind.THREAD_ARCHIVE: "GET /channels/{channel_id}",
    JobKind.CHANNEL_CHECK: "GET /channels/{channel_id}",
    JobKind.REMINDER: "POST /channels/{channel_id}/messages",
    JobKind.DIGEST: "POST /channels/{channel_id}/messages",
    JobKind.CLOCK: "POST /channels/{channel_id}/messages",
    JobKind.COMPUTER: "POST /channels/{channel_id}/messages",
    JobKind.STORY: "PATCH /channels/{channel_id}/messages/{message_id}",
    JobKind.NEXT_NOTICE: "POST /channels/{channel_id}/messages",
    JobKind.MODERATION_LOG: "POST /channels/{channel_id}/messages",
    JobKind.LEAGUE: "POST /channels/{channel_id}/messages",
    JobKind.OVERVIEW: "POST /channels/{channel_id}/messages",
    JobKind.EVENTS: "POST /guilds/{guild_id}/scheduled-events",
}
"""The request that each kind of job is there for; an answer is given without one."""


@pytest.mark.parametrize(("kind", "fault"), pairs(DELIVERED, TEMPORARY))
async def test_a_temporary_refusal_loses_nothing(home: House, kind: JobKind, fault: str) -> None:
    await CASES[kind](home)
    home.network.fault, home.network.cost = TEMPORARY[fault]
    await home.begin()
    await home.let_pass(6 * HOUR)
    assert not home.network.accepted
    home.network.fault = None
    await home.let_pass(HOUR)
    assert DELIVERED[kind] in home.network.accepted

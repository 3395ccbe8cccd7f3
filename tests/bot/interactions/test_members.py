"""Members of a server: requested a few times a second at most, in turns, and remembered for some hours."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.clock import Clock
from bot.errors import DISCORD_ERRORS, UnreadableAnswer
from bot.interactions import members as members_module
from bot.interactions.members import CACHE_TIME, INTERVAL, MAX_REQUESTS, Members
from bot.interactions.requests import Requests
from bot.tables.people import presentable

ANA, BEN = 70, 71


class Simulated(Clock):
    """A clock that goes on by sleeping only."""

    def __init__(self) -> None:
        self.at = datetime(2026, 11, 22, 18, 30, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at

    async def sleep(self, seconds: float) -> None:
        # requests that have begun are sent before any time passes
        for _ in range(3):
            await asyncio.sleep(0)
        self.at += timedelta(seconds=seconds)
        await asyncio.sleep(0)


def not_found(code: int) -> discord.NotFound:
    answer: Any = SimpleNamespace(status=404, reason="Not Found")
    return discord.NotFound(answer, {"code": code, "message": "Unknown"})


@dataclass
class Guild:
    """A server with a list of its requests: the time and the member of each."""

    clock: Clock
    id: int = 5
    gone: set[int] = field(default_factory=set)
    error: Exception | None = None
    requests: list[tuple[datetime, int]] = field(default_factory=list)

    async def fetch_member(self, user_id: int) -> Any:
        self.requests.append((self.clock.now(), user_id))
        await asyncio.sleep(0)
        if self.error is not None:
            raise self.error
        if user_id in self.gone:
            raise not_found(10007)
        return SimpleNamespace(display_name=f"user {user_id}")


@pytest.fixture
def clock() -> Simulated:
    return Simulated()


@pytest.fixture
def guild(clock: Simulated) -> Any:
    return Guild(clock)


@pytest.fixture
def members(clock: Simulated) -> Members:
    return Members(clock, Requests())


async def test_answers_are_cached_for_a_few_hours(members: Members, guild: Any, clock: Simulated) -> None:
    guild.gone = {2}
    for _ in range(3):
        assert {1: "user 1"} == await members.names(guild, [1, 2, 1, -7], asked_by=ANA)
    assert [1, 2] == [user_id for _, user_id in guild.requests]
    clock.at += CACHE_TIME
    assert {1: "user 1"} == await members.names(guild, [1], asked_by=ANA)
    assert [1, 2, 1] == [user_id for _, user_id in guild.requests]


async def test_a_clock_set_back_neither_extends_the_cache_nor_stops_requests(
    members: Members, guild: Any, clock: Simulated
) -> None:
    before = clock.at
    await members.names(guild, range(1, MAX_REQUESTS + 1), asked_by=ANA)
    assert before == clock.at, "the first requests are sent at once"
    clock.at -= timedelta(days=365)
    before = clock.at
    assert {1: "user 1"} == await members.names(guild, [1], asked_by=ANA)
    assert MAX_REQUESTS + 1 == len(guild.requests)
    assert clock.at - before <= INTERVAL


async def test_a_fresh_lookup_bypasses_the_cache(members: Members, guild: Any) -> None:
    await members.names(guild, [1], asked_by=ANA)
    guild.gone = {1}
    assert {} == await members.names(guild, [1], asked_by=ANA, anew=True)
    assert {} == await members.names(guild, [1], asked_by=BEN)


async def test_a_user_seen_in_an_interaction_is_not_requested(members: Members, guild: Any) -> None:
    members.note(guild.id, 1, "Ana")
    assert {1: "Ana"} == await members.names(guild, [1], asked_by=BEN)
    assert [] == guild.requests


async def test_a_forgotten_user_is_removed_from_the_cache(members: Members, guild: Any) -> None:
    members.note(guild.id, 1, "Ana")
    members.note(guild.id, 2, "Ben")
    members.forget(1)
    assert "Ana" not in str(members._answers)
    assert {1: "user 1", 2: "Ben"} == await members.names(guild, [1, 2], asked_by=BEN)


@pytest.mark.parametrize("error", [TimeoutError(), not_found(10004)], ids=["no answer", "unknown server"])
async def test_an_outage_is_not_cached(members: Members, guild: Any, error: Exception) -> None:
    guild.error = error
    with pytest.raises(DISCORD_ERRORS):
        await members.names(guild, [1], asked_by=ANA)
    guild.error = None
    assert {1: "user 1"} == await members.names(guild, [1], asked_by=ANA)


NAMED_MEMBER = {"nick": "Ana of the well", "user": {"global_name": "Ana", "username": "ana70"}}


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (NAMED_MEMBER, "Ana of the well"),
        (NAMED_MEMBER | {"nick": None}, "Ana"),
        (NAMED_MEMBER | {"nick": ""}, "Ana"),
        ({"user": {"username": "ana70"}}, "ana70"),
        ({"nick": 5, "user": []}, "somebody"),
        (None, "somebody"),
    ],
)
async def test_a_member_in_an_unreadable_answer_has_the_name_that_the_server_shows(
    members: Members, guild: Any, answer: object, name: str
) -> None:
    guild.error = UnreadableAnswer(200, "KeyError", answer)
    assert {ANA: name} == await members.names(guild, [ANA], asked_by=BEN)


async def test_names_are_shown_without_their_tricks_wherever_they_come_from(members: Members, guild: Any) -> None:
    tricky = "\u202eAna" + "a" * 100

    async def fetch_member(_: int) -> Any:
        return SimpleNamespace(display_name=tricky)

    guild.fetch_member = fetch_member
    members.note(guild.id, BEN, tricky)
    assert {ANA: presentable(tricky), BEN: presentable(tricky)} == await members.names(guild, [ANA, BEN], asked_by=BEN)
    assert presentable(tricky) != tricky


async def test_an_unreadable_refusal_says_nothing_about_a_member(members: Members, guild: Any) -> None:
    guild.error = UnreadableAnswer(502, "JSONDecodeError", None)
    with pytest.raises(UnreadableAnswer):
        await members.names(guild, [ANA], asked_by=BEN)
    guild.error = None
    assert {ANA: f"user {ANA}"} == await members.names(guild, [ANA], asked_by=BEN)


async def test_discord_gets_a_few_requests_a_second_at_most(members: Members, guild: Any) -> None:
    calls = [members.names(guild, range(100 * n, 100 * n + 50), asked_by=n) for n in range(1, 5)]
    await asyncio.gather(*calls)
    times = [at for at, _ in guild.requests]
    assert 200 == len(times)
    within = [sum(first <= at < first + INTERVAL for at in times) for first in times]
    assert MAX_REQUESTS == max(within)


async def test_one_user_with_many_requests_does_not_starve_another(members: Members, guild: Any) -> None:
    crowd = [members.names(guild, range(100 * n, 100 * n + 50), asked_by=ANA) for n in range(1, 21)]
    waiting = [asyncio.ensure_future(call) for call in crowd]
    await asyncio.sleep(0)
    before = len(guild.requests)
    await members.names(guild, [BEN], asked_by=BEN)
    assert len(guild.requests) - before <= 3
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


async def test_the_member_cache_has_a_maximum_size(
    members: Members, guild: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members_module, "MAX_CACHED", 3)
    await members.names(guild, range(1, 6), asked_by=ANA)
    await members.names(guild, [5, 1], asked_by=ANA)
    assert [1, 2, 3, 4, 5, 1] == [user_id for _, user_id in guild.requests], "the oldest is forgotten first"


def test_the_names_that_were_noted_longest_ago_are_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members_module, "MAX_CACHED", 2)
    members = Members(Simulated(), Requests())
    for user_id in (ANA, BEN, ANA, 72):
        members.note(5, user_id, f"user {user_id}")
    assert [(5, ANA), (5, 72)] == [*members._answers]

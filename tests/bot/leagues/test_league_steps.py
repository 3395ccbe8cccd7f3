"""Steps of a league's job, and when it is due again."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.features.leagues import rounds
from bot.features.leagues.season import Season
from bot.store.codec import time_of
from bot.store.jobs import Job, JobKind
from bot.store.leagues import League, LeaguePlayer, LeagueStatus, LeagueTable
from bot.store.matches import Status
from engine.games import discover

NOW = datetime(2026, 11, 22, tzinfo=UTC)
HOUR = timedelta(hours=1)
CLOSES_AT = NOW + 5 * HOUR
SIGN_UP = League(3, 1, 9, 71, "muscat", 1, {}, 2, False, 2, 0, 0, "daily", "fair", CLOSES_AT, message_id=12)
UNPOSTED = dataclasses.replace(SIGN_UP, message_id=None)
CLOSED = dataclasses.replace(SIGN_UP, closes_at=NOW)
PLAYING = dataclasses.replace(CLOSED, status=LeagueStatus.PLAYING, round=1)
OVER = dataclasses.replace(PLAYING, status=LeagueStatus.OVER)
OFF = dataclasses.replace(SIGN_UP, status=LeagueStatus.CALLED_OFF)

JOB = Job(JobKind.LEAGUE, NOW, seat=3)


def state(**state: Any) -> Job:
    return dataclasses.replace(JOB, state=state)


@dataclasses.dataclass
class Discord:
    """A server that exists or not, and the refusal of its channel."""

    has_server: bool = True
    refusal: discord.HTTPException | None = None
    is_deleted: bool = False


def refusal(code: int) -> discord.HTTPException:
    answer: Any = SimpleNamespace(status=404 if code == 10003 else 403, reason="no")
    return discord.HTTPException(answer, {"code": code, "message": ""})


ALL_WELL = Discord()
CHANNEL_DELETED = Discord(refusal=refusal(10003), is_deleted=True)
UNKNOWN = Discord(refusal=refusal(10003))
CLOSED_CHANNEL = Discord(refusal=refusal(50013), is_deleted=True)

STEPS = [
    # the sign-up waits for its end, and is updated only if that was asked for
    (SIGN_UP, JOB, ALL_WELL, [], (CLOSES_AT, {"refresh": None})),
    (SIGN_UP, state(refresh=True), ALL_WELL, ["refresh_sign_up"], (CLOSES_AT, {"refresh": None})),
    (UNPOSTED, JOB, ALL_WELL, [], (NOW + timedelta(minutes=1), {"awaited": True})),
    (UNPOSTED, state(awaited=True), ALL_WELL, ["_next_step"], (NOW, {"awaited": True})),
    (CLOSED, JOB, ALL_WELL, ["_next_step"], (NOW, {})),
    (PLAYING, JOB, ALL_WELL, ["_next_step"], (NOW, {})),
    # without its server it waits
    (PLAYING, state(told=True), Discord(has_server=False), [], (NOW + HOUR, {"told": True})),
    # a channel is gone if Discord says so twice, three hours apart; in between it has not been there again
    (PLAYING, JOB, CHANNEL_DELETED, ["_next_step"], (NOW + 3 * HOUR, {"missing": time_of(NOW)})),
    (PLAYING, state(missing=time_of(NOW - 3 * HOUR)), CHANNEL_DELETED, ["_next_step", "_end_without_channel"], None),
    (PLAYING, state(missing=time_of(NOW - 3 * HOUR), told=True), ALL_WELL, ["_next_step"], (NOW, {"told": True})),
    (PLAYING, state(missing=time_of(NOW - 3 * HOUR)), UNKNOWN, ["_next_step", "raises"], None),
    (
        PLAYING,
        state(missing=time_of(NOW - 3 * HOUR)),
        CLOSED_CHANNEL,
        ["_next_step", "_report_obstacle", "raises"],
        None,
    ),
    # after its end it does nothing but tell of it
    (OVER, JOB, ALL_WELL, [], None),
    (OFF, JOB, ALL_WELL, [], None),
    (None, JOB, ALL_WELL, [], None),
    (OFF, dataclasses.replace(JOB, user_id=71), ALL_WELL, ["_announce_end"], None),
    (OFF, dataclasses.replace(state(channel_gone=True), user_id=71), ALL_WELL, ["_report_deleted_channel"], None),
    (None, dataclasses.replace(JOB, user_id=71), ALL_WELL, [], None),
]


@pytest.mark.parametrize(("league", "job", "answers", "steps", "later"), STEPS)
async def test_the_job_of_a_league_does_the_next_step_and_says_when_it_is_due_again(
    monkeypatch: pytest.MonkeyPatch,
    league: League | None,
    job: Job,
    answers: Discord,
    steps: list[str],
    later: tuple[datetime, dict[str, Any]] | None,
) -> None:
    done = list[str]()

    def stub(name: str) -> None:
        async def step(*arguments: Any) -> Any:
            done.append(name)
            if name == "_next_step":
                if answers.refusal:
                    raise answers.refusal
                return arguments[-1]
            return None

        monkeypatch.setattr(rounds, name, step)

    for name in (
        *("_next_step", "refresh_sign_up", "_end_without_channel"),
        *("_announce_end", "_report_deleted_channel", "_report_obstacle"),
    ):
        stub(name)

    async def find(league_id: int) -> League | None:
        assert league_id == 3
        return league

    async def is_deleted(guild_id: int, channel_id: int) -> bool:
        assert (guild_id, channel_id) == (1, 9)
        return answers.is_deleted

    channels = SimpleNamespace(server=lambda _: answers.has_server or None, is_deleted=is_deleted)
    store = SimpleNamespace(leagues=SimpleNamespace(find=find))
    services: Any = SimpleNamespace(store=store, channels=channels, clock=SimpleNamespace(now=lambda: NOW))
    after = None
    try:
        after = await rounds.run(services, job)
    except discord.HTTPException:
        done.append("raises")
    assert (steps, later) == (done, after and (after.due_at, after.state))


def after_one_round() -> Season:
    """Users 1 to 4 are in the first group, 5 to 8 in the second; 4 has left. 1 and 2, 5 and 7, 6 and 8 have met."""
    players = tuple(LeaguePlayer(n, n, "x", (n - 1) // 4, dropped=n == 4) for n in range(1, 9))
    tables = tuple(
        LeagueTable(1, n, seats[0] // 5, "x", seats, n, n, Status.OVER, seats, ((1.0, 5), (0.0, 3)))
        for n, seats in enumerate(((1, 2), (5, 7), (6, 8)), start=1)
    )
    return Season(dataclasses.replace(PLAYING, rounds=3, options={"gone": 1}), players, tables, {})


async def test_a_round_is_planned_for_all_groups_without_barred_players_and_reports_obstacles_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """User 3 is barred; 5 and 8 share a block."""
    season, planned, refreshed = after_one_round(), dict[str, Any](), list[int]()

    async def drop_absent(services: Any, before: Season) -> Season:
        return season

    async def refresh(services: Any, league_id: int) -> None:
        refreshed.append(league_id)

    async def among(guild_id: int, users: Collection[int], now: datetime) -> dict[int, str]:
        assert (1, {1, 2, 3, 5, 6, 7, 8}, NOW) == (guild_id, {*users}, now)
        return {3: "a bar"}

    async def pairs(users: Collection[int]) -> set[frozenset[int]]:
        return {frozenset((5, 8))} if {5, 8} <= {*users} else set()

    async def plan(league_id: int, tables: list[LeagueTable], at: datetime, **values: Any) -> None:
        planned.update(values, league_id=league_id, tables=tables, at=at)

    monkeypatch.setattr(rounds, "_drop_absent", drop_absent)
    monkeypatch.setattr(rounds, "refresh_sign_up", refresh)
    parts: dict[str, Any] = {"bars": {"among": among}, "blocks": {"pairs": pairs}, "leagues": {"plan": plan}}
    store = SimpleNamespace(**{name: SimpleNamespace(**part) for name, part in parts.items()})
    services: Any = SimpleNamespace(store=store, clock=SimpleNamespace(now=lambda: NOW))
    later = await rounds._plan(services, dataclasses.replace(season, players=()), state(told=True, looked="long ago"))
    assert later is not None
    assert (NOW, {"told": None, "looked": NOW.isoformat()}, [3]) == (later.due_at, later.state, refreshed)
    tables = planned.pop("tables")
    assert {
        "league_id": 3,
        "at": NOW,
        "round": 2,
        "status": LeagueStatus.PLAYING,
        "rules_version": discover()["muscat"].rules_version,
        "options": {},
    } == planned
    assert [(2, 1, 0), (2, 2, 1), (2, 3, 1)] == [(table.round, table.number, table.division) for table in tables]
    assert [{1, 2}, {5, 6}, {7, 8}] == sorted(({*table.planned} for table in tables), key=min), (
        "pairs that may meet and have not met"
    )
    assert [64] * 3 == [len(secret) for secret in {table.secret for table in tables}]

"""Some of the simulated seasons of leagues; `make soak` plays two hundred. The judge would see what goes wrong."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot import worker
from bot.leagues import rounds
from bot.leagues.pairing import tables_of
from bot.leagues.standings import Played
from engine.games import discover
from tests.engine.toys import TOYS
from tests.seasons.server import play_seasons
from tests.weeks.record import Broken


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Taken back afterwards, as is the nap."""
    for slug, spec in TOYS.items():
        monkeypatch.setitem(discover(), slug, spec)
    monkeypatch.setattr(worker, "NAP", worker.NAP)


async def test_leagues_keep_their_promises_through_kills_leavers_late_comers_and_those_who_are_late() -> None:
    counts = await play_seasons("test/10", 5) + await play_seasons("test/11", 5)
    assert counts["seasons"] == 10, counts
    assert counts["kills"] > 10, counts
    assert counts["left the league"] > 3, counts
    assert counts["seats lost by the pace"] > 3, counts
    assert counts["tables ended by a moderator"] > 0, counts
    assert counts["promotions judged"] > 0, counts


async def broken_promise(**more: float) -> str:
    """The first one in some seasons: not in every one of them is everything possible."""
    for number in range(20):
        try:
            await play_seasons(f"test/{number}", 1, **more)
        except Broken as broken:
            return str(broken)
    return ""


async def test_somebody_without_a_table_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "tables_of", lambda users, *rest, **more: tables_of(users[:-1], *rest, **more))
    assert "have no table" in await broken_promise()


async def test_people_who_meet_again_without_need_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "tables_of", lambda users, seats, _, **more: tables_of(users, seats, [], **more))
    assert "would avoid it" in await broken_promise()


async def test_other_standings_than_those_of_the_results_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    points = Played.points
    monkeypatch.setattr(Played, "points", lambda self: {who: won / 2 for who, won in points(self).items()})
    assert "read a second time" in await broken_promise()


async def test_what_is_said_twice_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    async def is_not_there(*_: object) -> bool:
        return False

    monkeypatch.setattr(rounds, "_is_said", is_not_there)
    monkeypatch.setattr("tests.weeks.discord.REMEMBERED", timedelta())
    assert "announced more than once" in await broken_promise(kill_rate=0.02)

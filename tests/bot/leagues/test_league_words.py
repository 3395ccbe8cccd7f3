"""The words of the end of a league."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime

from bot.leagues.season import Season
from bot.leagues.showing import ended_text
from bot.store.leagues import League, LeaguePlayer, LeagueStatus, LeagueTable
from bot.store.matches import Status
from bot.store.tally import Forfeit

AT = datetime(2026, 11, 22, tzinfo=UTC)
ANA, BEN = 1, 2
NAMES = [{ANA: "Ana", BEN: "Ben"}]


def season(*tables: LeagueTable) -> Season:
    """A league of one round that is over."""
    about = {"host_id": 9, "game": "muscat", "rules_version": 1, "options": {}, "seats": 2, "swiss": False, "rounds": 1}
    more = {"gap": 0, "division_size": 0, "pace": "daily", "computer": "fair", "closes_at": AT, "round": 1}
    league = League(1, 7, 100, **about, **more, status=LeagueStatus.OVER)
    return Season(league, (LeaguePlayer(ANA, 1, "Ana"), LeaguePlayer(BEN, 2, "Ben")), tables, {})


def test_without_points_nobody_wins() -> None:
    given_up = LeagueTable(1, 1, 0, "x", (ANA, None), None, 1, Status.OVER, (ANA, None), ((0.0, 1), (1.0, 2)))
    lost = dataclasses.replace(given_up, forfeits=(Forfeit(0, ANA, 2),))
    assert "Nobody wins: nobody has any points." in str(ended_text(season(lost), NAMES, None))
    assert "👑" not in str(ended_text(season(lost), NAMES, None))
    assert "👑 **Ana**" in str(ended_text(season(given_up), NAMES, None)), "a bye that was played"

"""The standings of a league take work for each table, not for each table and each player."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TypeVar

import pytest

from bot.leagues.season import Season
from bot.store.leagues import League, LeaguePlayer, LeagueTable
from bot.store.matches import Status

T = TypeVar("T")

MAX_PASSES = 4
"""Most times that all players, or all tables, are gone through for the standings of all groups."""


class Counted(tuple[T, ...]):
    """A tuple that knows how often it was gone through."""

    passes = 0

    def __iter__(self) -> Iterator[T]:
        self.passes += 1
        return super().__iter__()


def season_of(tables: int) -> Season:
    """A league for two at each table, in two groups, with a round for every ten tables."""
    at = datetime(2026, 6, 1, tzinfo=UTC)
    rounds = tables // 10
    league = League(1, 1, 1, 1, "muscat", 1, {}, 2, True, rounds, 1, 10, "daily", "fair", at, round=rounds)
    played = [
        LeagueTable(1 + n // 10, 1 + n % 10, n % 2, "x", seats, 0, n, Status.OVER, seats, ((1.0, 5), (0.0, n)))
        for n in range(tables)
        for seats in [(1 + 2 * (n % 10), 2 + 2 * (n % 10))]
    ]
    players = [LeaguePlayer(1 + n, n, "x", n // 2 % 2) for n in range(20)]
    return Season(league, Counted(players), Counted(played), {})


@pytest.mark.parametrize("tables", [20, 400])
def test_however_many_tables_there_are_they_are_gone_through_a_few_times_and_once_for_all_groups(tables: int) -> None:
    season = season_of(tables)
    orders = [season.standings(division) for division in season.divisions * 3]
    assert [10, 10] == [len(order) for order in orders[:2]]
    assert tables == sum(one.points for order in orders[:2] for one in order)
    assert isinstance(season.tables, Counted)
    assert isinstance(season.players, Counted)
    assert season.tables.passes <= MAX_PASSES
    assert season.players.passes <= MAX_PASSES

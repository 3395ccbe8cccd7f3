"""Tables of a league in its standings, which take work for each table and not for each player of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from datetime import UTC, datetime
from fractions import Fraction
from itertools import permutations
from typing import Any, TypeVar

import pytest

from bot.features.leagues.season import Season
from bot.features.leagues.standings import Played
from bot.store.leagues import League, LeaguePlayer, LeagueTable
from bot.store.matches import Status
from bot.store.tally import Forfeit

T = TypeVar("T")
ANA, BEN, CARO, DAN = 1, 2, 3, 4
HALF, WON, LOST = Fraction(1, 2), (1.0, 5), (0.0, 3)

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
def test_standings_take_a_few_passes_over_all_tables_for_any_number_of_groups(tables: int) -> None:
    season = season_of(tables)
    assert {*season.tables[-10:]} == {*season.current}
    season = season_of(tables)
    orders = [season.standings(division) for division in season.divisions * 3]
    assert [10, 10] == [len(order) for order in orders[:2]]
    assert tables == sum(standing.points for order in orders[:2] for standing in order)
    assert isinstance(season.tables, Counted)
    assert isinstance(season.players, Counted)
    assert season.tables.passes <= MAX_PASSES
    assert season.players.passes <= MAX_PASSES


def first_table(
    status: Status | None, holders: tuple[int | None, ...], *results: tuple[float, int], **more: Any
) -> Played:
    """The first table, which is that of Ana and Ben, in a round where Caro has a table of her own and Dan has none."""
    first = LeagueTable(1, 1, 0, "x", (ANA, BEN), 0, 1, status, holders, results, **more)
    second = LeagueTable(1, 2, 0, "x", (CARO, None), 0, 2, Status.RUNNING, (CARO, None))
    players = tuple(LeaguePlayer(n, n, "x") for n in (ANA, BEN, CARO, DAN))
    league = dataclasses.replace(season_of(20).league, round=1)
    return Season(league, players, (first, second), {}).rounds(0)[0][0]


def pairs_of(*users: int) -> set[tuple[int, int]]:
    return set(permutations(users, 2))


@pytest.mark.parametrize(
    ("table", "points", "byes", "meetings"),
    [
        (first_table(None, ()), {}, (), pairs_of(ANA, BEN)),
        (first_table(Status.RUNNING, (ANA, DAN)), {}, (), pairs_of(ANA, BEN)),
        (first_table(Status.OVER, (ANA, BEN), WON, LOST), {ANA: 1, BEN: 0}, (), pairs_of(ANA, BEN)),
        (first_table(Status.OVER, (ANA, None), WON, LOST), {ANA: 1}, (), pairs_of(ANA, BEN)),
        # a late player, a player of another table, and a stranger who took over
        (
            first_table(Status.OVER, (ANA, DAN), LOST, WON),
            {ANA: 0, DAN: 1},
            (),
            pairs_of(ANA, BEN) | pairs_of(ANA, DAN),
        ),
        (first_table(Status.OVER, (ANA, CARO), LOST, WON), {ANA: 0}, (), pairs_of(ANA, BEN) | pairs_of(ANA, CARO)),
        (first_table(Status.OVER, (ANA, 99), LOST, WON), {ANA: 0}, (), pairs_of(ANA, BEN) | pairs_of(ANA, 99)),
        # given up, and perhaps taken over afterwards
        (
            first_table(Status.OVER, (ANA, None), LOST, WON, forfeits=(Forfeit(1, BEN, 2),)),
            {ANA: 1, BEN: 0},
            (),
            pairs_of(ANA, BEN),
        ),
        (
            first_table(Status.OVER, (ANA, DAN), LOST, WON, forfeits=(Forfeit(1, BEN, 2),)),
            {ANA: 0, BEN: 0, DAN: 1},
            (),
            pairs_of(ANA, BEN) | pairs_of(ANA, DAN),
        ),
        # given up by a substitute, too, by a player of another table, and by a stranger
        (
            first_table(Status.OVER, (ANA, None), LOST, WON, forfeits=(Forfeit(1, BEN, 3), Forfeit(1, DAN, 2))),
            {ANA: 1, BEN: 0, DAN: 0},
            (),
            pairs_of(ANA, BEN),
        ),
        (
            first_table(Status.OVER, (ANA, None), LOST, WON, forfeits=(Forfeit(1, CARO, 3), Forfeit(1, 99, 2))),
            {ANA: 1},
            (),
            pairs_of(ANA, BEN),
        ),
        # both gave up: the last one to leave wins nothing
        (
            first_table(Status.ENDED, (None, None), WON, LOST, forfeits=(Forfeit(1, BEN, 2), Forfeit(0, ANA, 1))),
            {ANA: 0, BEN: 0},
            (),
            pairs_of(ANA, BEN),
        ),
        # given up by a player who stayed
        (
            first_table(Status.OVER, (ANA, BEN), LOST, WON, forfeits=(Forfeit(1, BEN, 2),)),
            {ANA: 1, BEN: 0},
            (),
            pairs_of(ANA, BEN),
        ),
        # called off while others sat there
        (first_table(Status.ENDED, (ANA, BEN)), {ANA: HALF, BEN: HALF}, (), pairs_of(ANA, BEN)),
        (first_table(Status.ENDED, (ANA, None)), {ANA: HALF}, (), pairs_of(ANA, BEN)),
        (first_table(Status.CLOSED, (None, None)), {}, (), pairs_of(ANA, BEN)),
        (
            first_table(Status.ENDED, (ANA, None), forfeits=(Forfeit(1, BEN, 2),)),
            {ANA: HALF, BEN: 0},
            (),
            pairs_of(ANA, BEN),
        ),
    ],
)
def test_a_table_counts_for_planned_players_who_stayed_and_free_players_who_took_over(
    table: Played, points: dict[int, Fraction], byes: tuple[int, ...], meetings: set[tuple[int, int]]
) -> None:
    assert (points, byes, meetings) == (table.points(), table.byes, table.meetings)


def test_a_player_who_dropped_out_keeps_the_points_also_in_a_game_that_is_gone() -> None:
    season = season_of(20)
    (first, *others), league = season.players, dataclasses.replace(season.league, game="gone")
    before = {standing.user_id: standing.points for standing in season.standings(0)}
    players = (dataclasses.replace(first, dropped=True), *others)
    changed = Season(league, players, (*season.tables,), {})
    assert before == {standing.user_id: standing.points for standing in changed.standings(0)}
    assert first.user_id in before
    assert first.user_id not in [player.user_id for player in changed.active]


def test_a_player_who_dropped_out_after_taking_over_keeps_the_result() -> None:
    league = dataclasses.replace(season_of(20).league, round=1)
    table = LeagueTable(1, 1, 0, "x", (ANA, BEN), 0, 1, Status.OVER, (ANA, DAN), (LOST, WON))
    players = LeaguePlayer(ANA, ANA, "x"), LeaguePlayer(DAN, DAN, "x", dropped=True)
    ((played,),) = Season(league, players, (table,), {}).rounds(0)
    assert {ANA: 0, DAN: 1} == played.points()


def test_partners_of_a_team_do_not_play_against_each_other() -> None:
    users, results = (ANA, BEN, CARO, DAN), (LOST, WON, LOST, WON)
    table = LeagueTable(1, 1, 0, "x", users, 0, 1, Status.OVER, users, results)
    players = tuple(LeaguePlayer(n, n, "x") for n in users)
    league = dataclasses.replace(season_of(20).league, game="muses", round=1, seats=4)
    ((played,),) = Season(league, players, (table,), {}).rounds(0)
    assert {ANA: 0, BEN: 1, CARO: 0, DAN: 1} == played.points()


def test_a_round_planned_since_the_league_was_read_does_not_count_yet() -> None:
    season = season_of(20)
    newer = dataclasses.replace(season.tables[0], round=season.league.round + 1, status=None, match_id=None)
    read = Season(season.league, (*season.players,), (*season.tables, newer), {})
    assert [*map(len, season.rounds(0))] == [*map(len, read.rounds(0))]


def test_a_forfeit_is_behind_all_seats_even_if_another_forfeited_seat_has_a_substitute() -> None:
    users = (ANA, BEN, CARO)
    forfeits = Forfeit(0, ANA, 3), Forfeit(1, BEN, 2)
    table = LeagueTable(
        1, 1, 0, "x", users, 0, 1, Status.OVER, (DAN, BEN, CARO), ((0.0, 1), LOST, WON), forfeits=forfeits
    )
    players = tuple(LeaguePlayer(n, n, "x") for n in (*users, DAN))
    league = dataclasses.replace(season_of(20).league, round=1, seats=3)
    ((played,),) = Season(league, players, (table,), {}).rounds(0)
    assert {CARO: 1, DAN: HALF, BEN: 0, ANA: 0} == played.points()

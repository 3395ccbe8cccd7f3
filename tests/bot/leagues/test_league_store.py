"""Leagues in the store, in a file and on a server of PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.features.leagues.rounds import _players_without_seat
from bot.features.leagues.season import season_of
from bot.store.database import Conflict
from bot.store.jobs import JobKind
from bot.store.leagues import MAX_TIMES_HELD, League, LeaguePlayer, LeagueStatus, LeagueTable
from bot.store.matches import Results, SeatHolder, Status
from bot.store.opening import open_database
from bot.store.store import Store
from bot.store.table_events import TableEvent, TableEventKind
from bot.store.tally import Credit, Forfeit, Owners
from engine.core import Outcome
from engine.texts import Seat
from tests.bot.matches import AT, change, end_match, open_match
from tests.engine.toys.sealed import Reason

HOUR = timedelta(hours=1)
GUILD, CHANNEL, THREAD, HOST, ANA, BEN, CARO = 7, 100, 101, 900, 1, 2, 3


@pytest.fixture(params=["sqlite", "postgresql"])
async def store(request: pytest.FixtureRequest, folder: Path) -> AsyncIterator[Store]:
    if request.param == "sqlite":
        address = f"sqlite:///{folder}/caravanserai.db"
    else:
        address = await request.getfixturevalue("server").database()
    async with open_database(address) as database:
        yield Store(database)


async def set_up(store: Store, *users: int, **values: object) -> League:
    """A league for which users have signed up, the later ones later."""
    usual = {"guild_id": GUILD, "channel_id": CHANNEL, "host_id": HOST, "game": "muscat", "rules_version": 1}
    more = {"options": {"long": True}, "seats": 2, "swiss": True, "rounds": 2, "gap": 7, "division_size": 0}
    rest = {"pace": "daily-firm", "computer": "fair", "closes_at": AT + HOUR}
    league = await store.leagues.create(AT, **{**usual, **more, **rest, **values})
    for user_id in users:
        await store.leagues.sign_up(league.id, LeaguePlayer(user_id, 10 + user_id, f"user {user_id}"))
    return league


async def test_a_league_seat_is_for_active_players_of_the_group_of_its_table(store: Store) -> None:
    league = await set_up(store, ANA, BEN, CARO)
    match_id = await table_of(store, league, ANA, BEN)
    assert await is_player(store, match_id, CARO)
    await store.leagues.drop(league.id, [CARO])
    assert not await is_player(store, match_id, CARO)
    await store.leagues.divide(league.id, {BEN: 1})
    assert [True, False] == [await is_player(store, match_id, user_id) for user_id in (ANA, BEN)]
    assert not await is_player(store, match_id, 99)
    late = TableEvent(TableEventKind.LAPSED, 1, AT, Seat(0), ANA)
    for may_sit in (True, False):  # late once, and late twice
        await change(store, match_id, lambda facts: facts.note(late))
        assert may_sit == await is_player(store, match_id, ANA)


async def is_player(store: Store, match_id: int, user_id: int) -> bool:
    entry = await store.leagues.entry(match_id, user_id)
    assert entry is not None
    return entry.is_player


async def test_making_a_job_due_refreshes_it_and_keeps_its_attempts(
    store: Store,
) -> None:
    league = await set_up(store, ANA)
    job = await store.jobs.find(JobKind.LEAGUE, 0, seat=league.id)
    assert job is not None
    await store.jobs.replace(job, job.at(AT + 5 * HOUR, told=True, missing="then", looked="now"))
    job = await store.jobs.find(*job.key)
    assert job is not None
    await store.jobs.postpone(job, AT + 6 * HOUR, attempts=7)
    hurried = await store.leagues.make_due(league, AT + HOUR, refresh=True)
    assert hurried == await store.jobs.find(*job.key)
    assert (AT + HOUR, 7) == (hurried.due_at, hurried.attempts)
    assert {"told": True, "missing": "then", "refresh": True} == hurried.state


async def table_of(store: Store, league: League, *users: int, firm: bool = True, number: int = 1) -> int:
    """A round with one table that is played. Returns its match."""
    table = LeagueTable(number, 1, 0, "secret", users)
    await store.leagues.plan(league.id, [table], AT, round=number, status=LeagueStatus.PLAYING)
    holders = [SeatHolder(user_id, name=f"user {user_id}") for user_id in users]
    match_id = await open_match(
        store,
        *holders,
        guild_id=GUILD,
        channel_id=THREAD + number,
        host_id=0,
        parent_id=CHANNEL,
        secret="secret",
        firm=firm,
    )
    await store.leagues.note_table(league.id, table, thread_id=THREAD + number - 1, match_id=match_id)
    return match_id


async def test_a_league_round_trips_through_the_database(store: Store) -> None:
    league = await set_up(store, BEN, ANA)
    assert league == await store.leagues.find(league.id)
    assert (True, {"long": True}, AT + HOUR) == (league.swiss, league.options, league.closes_at)
    players = await store.leagues.players(league.id)
    assert [(ANA, "user 1"), (BEN, "user 2")] == [(player.user_id, player.name) for player in players]
    assert [league] == await store.leagues.open_under(CHANNEL)
    assert [] == await store.leagues.of_server(GUILD + 1)


async def test_a_server_has_one_open_league_per_game(store: Store) -> None:
    league = await set_up(store)
    with pytest.raises(Conflict):
        await set_up(store)
    await set_up(store, guild_id=GUILD + 1)
    await store.leagues.change(league.id, status=LeagueStatus.OVER)
    second = await set_up(store)
    assert league.id == (await store.leagues.before(second)).id
    assert [second.id, league.id] == [league.id for league in await store.leagues.of_server(GUILD)]


@pytest.mark.parametrize("status", [None, *Status])
def test_a_table_is_settled_however_its_match_has_ended(status: Status | None) -> None:
    table = LeagueTable(1, 1, 0, "secret", (ANA, BEN), status=status)
    assert table.is_settled == (status not in (None, Status.LOBBY, Status.RUNNING))


async def test_a_player_is_in_the_open_leagues_they_signed_up_for(store: Store) -> None:
    over, called_off, other = [await set_up(store, ANA, game=game) for game in ("jinns", "muses", "gangs")]
    await store.leagues.change(over.id, status=LeagueStatus.OVER)
    await store.leagues.change(called_off.id, status=LeagueStatus.CALLED_OFF)
    league = await set_up(store, ANA, BEN)
    assert [[other.id, league.id], [league.id]] == [
        [league.id for league in await store.leagues.leagues_of(user_id)] for user_id in (ANA, BEN)
    ]


async def test_the_previous_season_is_the_last_completed_one_of_the_game_on_the_server(
    store: Store,
) -> None:
    ends = (LeagueStatus.OVER, LeagueStatus.OVER, LeagueStatus.CALLED_OFF)
    elsewhere = ({"game": "jinns"}, {"guild_id": GUILD + 1})
    ids = []
    for status, values in [*((status, {}) for status in ends), *((LeagueStatus.OVER, values) for values in elsewhere)]:
        league = await set_up(store, **values)
        await store.leagues.change(league.id, status=status)
        ids.append(league.id)
    first, second, *_ = ids
    newest = await set_up(store)
    assert second == (await store.leagues.before(newest)).id
    assert first == (await store.leagues.before(await store.leagues.find(second))).id
    assert await store.leagues.before(await store.leagues.find(first)) is None


async def test_a_player_who_left_is_dropped_and_can_rejoin(store: Store) -> None:
    league = await set_up(store, ANA, BEN, CARO)
    await store.leagues.drop(league.id, [ANA, BEN])
    await store.leagues.delete_player(league.id, BEN)
    await store.leagues.sign_up(league.id, LeaguePlayer(ANA, 99, "somebody else", 3))
    players = await store.leagues.players(league.id)
    assert [(ANA, 11, "user 1", 0, False), (CARO, 13, "user 3", 0, False)] == [
        (player.user_id, player.interaction_id, player.name, player.division, player.dropped) for player in players
    ]
    await store.leagues.divide(league.id, {ANA: 0, CARO: 1})
    assert [0, 1] == [player.division for player in await store.leagues.players(league.id)]


async def test_a_finished_table_makes_the_league_job_due_and_stores_its_results(store: Store) -> None:
    league = await set_up(store, ANA, BEN)
    match_id = await table_of(store, league, ANA, BEN)
    outcome = Outcome((0.0, 1.0), (3, 5), Reason.ROUNDS)
    await change(store, match_id, end_match(outcome, AT + 5 * HOUR))
    season = await season_of(store, await store.leagues.find(league.id))
    assert [(BEN, 1, 1), (ANA, 2, 0)] == [
        (standing.user_id, standing.place, standing.points) for standing in season.standings(0)
    ]
    (table,) = season.current
    assert ((ANA, BEN), (ANA, BEN), Status.OVER) == (table.planned, table.holders, table.status)
    job = await store.jobs.find(JobKind.LEAGUE, 0, seat=league.id)
    assert AT + 5 * HOUR == job.due_at


async def test_a_free_seat_is_offered_to_players_of_the_group_without_a_table(store: Store) -> None:
    dan = 4
    league = await set_up(store, ANA, BEN, CARO, dan)
    await table_of(store, league, ANA, BEN)
    await store.leagues.divide(league.id, {dan: 1})
    season = await season_of(store, await store.leagues.find(league.id))
    services: Any = SimpleNamespace(store=store)
    assert [CARO] == await _players_without_seat(services, season, season.current[0])


async def test_lapses_of_a_forgotten_player_add_up_and_end_with_the_league(store: Store) -> None:
    league = await set_up(store, BEN)
    for number in (1, 2):
        await store.leagues.sign_up(league.id, LeaguePlayer(ANA, 10, "Ana"))
        match_id = await table_of(store, league, ANA, BEN, number=number)
        late = TableEvent(TableEventKind.LAPSED, 1, AT, Seat(0), ANA)
        await change(store, match_id, lambda facts, late=late: facts.note(late))
        await store.user_data.forget(ANA, {})
        trace = {"league_id": league.id, "held": number, "round": number, "forgotten": number}
        assert [trace] == await store.leagues.traces_of(ANA)
    await store.leagues.note_seat(await table_of(store, league, BEN, CARO, number=3), ANA)
    assert [trace | {"round": 3}] == await store.leagues.traces_of(ANA)
    assert {ANA: 2} == await store.leagues.forgotten_rounds(league.id, [ANA, BEN])
    another = await set_up(store, ANA, game="jinns")
    await store.leagues.note_seat(await table_of(store, another, BEN, CARO, number=4), ANA)
    await store.user_data.forget(ANA, {})
    traces = await store.leagues.traces_of(ANA)
    assert [(league.id, 2, 3, 2), (another.id, 0, 4, 0)] == [tuple(trace.values()) for trace in traces]
    for one in (league, another):
        await store.leagues.change(one.id, status=LeagueStatus.OVER)
    assert [] == await store.leagues.traces_of(ANA)


@pytest.mark.parametrize(("kind", "held"), [(TableEventKind.LAPSED, {ANA: 2}), (TableEventKind.HELD, {})])
@pytest.mark.parametrize("firm", [True, False])
async def test_a_seat_lost_to_a_firm_pace_counts_and_one_lost_to_a_vote_does_not(
    store: Store, kind: TableEventKind, held: dict[int, int], firm: bool
) -> None:
    league = await set_up(store, ANA, BEN)
    match_id = await table_of(store, league, ANA, BEN, firm=firm)
    barred = TableEvent(kind, 1, AT, Seat(0), ANA)
    stood_in = TableEvent(TableEventKind.STOOD_IN, 1, AT, Seat(1), BEN)
    await change(store, match_id, lambda facts: facts.note(barred, barred, stood_in))
    assert held == await store.leagues.times_held(league.id, [ANA, BEN])


async def test_a_player_who_gave_up_and_returned_gets_no_points_won_by_a_computer(store: Store) -> None:
    league = await set_up(store, ANA, BEN)
    match_id = await table_of(store, league, ANA, BEN)
    owners = Owners((Credit(None, None, 0, 2, whole=False), Credit(BEN, None, 1, 1)), (Forfeit(0, ANA, 2),))
    await change(store, match_id, end_match(Outcome((1.0, 0.0), (5, 3), Reason.ROUNDS), AT + 5 * HOUR, owners))
    season = await season_of(store, await store.leagues.find(league.id))
    assert [(BEN, 1), (ANA, 0)] == [(standing.user_id, standing.points) for standing in season.standings(0)]


@pytest.mark.parametrize("is_free", [True, False])
async def test_a_substitute_scores_only_without_a_table_of_their_own(store: Store, is_free: bool) -> None:
    league = await set_up(store, ANA, BEN, CARO)
    match_id = await table_of(store, league, ANA, BEN)
    if not is_free:
        other = LeagueTable(1, 2, 0, "secret", (CARO, None))
        await store.leagues.plan(league.id, [other], AT, round=1)
    caro = SeatHolder(CARO, name="user 3")
    await change(store, match_id, lambda facts: facts.hand_over(Seat(1), caro, 1, AT))
    await change(store, match_id, end_match(Outcome((0.0, 1.0), (3, 5), Reason.ROUNDS), AT + 5 * HOUR))
    season = await season_of(store, await store.leagues.find(league.id))
    points = {standing.user_id: standing.points for standing in season.standings(0)}
    assert {ANA: 0, BEN: 0, CARO: 1 if is_free else 0} == points


@pytest.mark.parametrize("held", [0, 1, 2])
async def test_lapses_of_a_forgotten_player_are_kept_until_the_league_ends(store: Store, held: int) -> None:
    await set_up(store, game="toll")  # so that the number of the league is not that of the round
    league = await set_up(store, ANA, BEN, CARO)
    match_id = await table_of(store, league, ANA, BEN)
    lapsed = TableEvent(TableEventKind.LAPSED, 1, AT, Seat(0), ANA)
    await change(store, match_id, lambda facts: facts.note(*[lapsed] * held))
    await store.user_data.forget(CARO, {})
    assert [] == await store.leagues.traces_of(CARO), "nothing counts against a player without a seat"
    for _ in range(2):  # also if they are forgotten once more
        await store.user_data.forget(ANA, {})
        await store.leagues.sign_up(league.id, LeaguePlayer(ANA, 99, "user 1"))
        season = await season_of(store, await store.leagues.find(league.id))
        active = [BEN] if held == MAX_TIMES_HELD else [BEN, ANA]
        assert ({ANA: held} if held else {}, active) == (season.held, [player.user_id for player in season.active])
        assert {ANA: 1} == season.forgotten
        assert {ANA: {None}, CARO: set()} == await store.leagues.matches_of(league.id, 1, [ANA, CARO])
        assert {ANA: set()} == await store.leagues.matches_of(league.id, 2, [ANA])
    trace = {"league_id": league.id, "held": held, "round": 1, "forgotten": 1}
    assert [trace] == await store.leagues.traces_of(ANA)
    await store.leagues.change(league.id, status=LeagueStatus.OVER)
    assert [] == await store.leagues.traces_of(ANA)


async def test_the_seat_of_a_forgotten_player_still_counts_for_opponents(store: Store) -> None:
    league = await set_up(store, ANA, BEN)
    match_id = await table_of(store, league, ANA, BEN)
    fair = SeatHolder(computer="fair")
    await change(store, match_id, lambda facts: facts.hand_over(Seat(0), fair, 1, AT))
    await change(store, match_id, end_match(Outcome((0.0, 1.0), (3, 5), Reason.ROUNDS), AT + 5 * HOUR))
    await store.user_data.forget(ANA, {})
    season = await season_of(store, await store.leagues.find(league.id))
    assert [(BEN, 1)] == [(standing.user_id, standing.points) for standing in season.standings(0)]


async def test_a_game_called_off_by_a_losing_player_is_not_a_half_win(store: Store) -> None:
    league = await set_up(store, ANA, BEN)
    match_id = await table_of(store, league, ANA, BEN)
    owners = Owners((Credit(None, None, 0, 2, whole=False), Credit(BEN, None, 1, 1)), (Forfeit(0, ANA, 2),))
    results = Results(((0, 0.0), (0, 1.0)), owners)
    await change(store, match_id, lambda facts: facts.close(Status.ENDED, AT, results))
    season = await season_of(store, await store.leagues.find(league.id))
    assert [(BEN, 1), (ANA, 0)] == [(standing.user_id, standing.points) for standing in season.standings(0)]

"""A small league in which one player cheats in one round, and its twin with the same seed in which all are honest.

Five people and a late one play at tables for two, so that the cheat has a bye: it is worth the average of the other
tables, and a game that does not count would raise it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from random import Random

from bot.errors import UserError
from bot.features.leagues.season import season_of
from bot.features.leagues.standings import LeagueStanding
from bot.store.leagues import League, LeaguePlayer, LeagueStatus, LeagueTable
from bot.store.matches import SeatHolder, Status
from bot.tables.table import Table
from engine.errors import EngineError
from engine.games import discover
from engine.texts import Seat
from engine.values import Value
from tests.fairplay import server as games
from tests.fairplay.server import CHEAT, COMPUTER, FRIEND, GAMES, MODERATOR, STEPS, Server

BEN, CARO, DAN, EVA = range(CHEAT + 1, CHEAT + 5)
ROUNDS = (
    ((CHEAT, BEN), (CARO, DAN), (EVA, None)),
    ((CHEAT, None), (BEN, CARO), (DAN, EVA)),
    ((DAN, CHEAT), (CARO, EVA), (BEN, None)),
)


FREE, COMPUTERS = Seat(1), SeatHolder(computer=COMPUTER)
"""The seat at the second table of a round whose player leaves, and the player of seats without a person."""


class Round(Value):
    """The newest round of a league, with its tables."""

    league: League
    tables: tuple[Table, ...]


async def take_a_second_seat(at: Server, now: Round, _: Table) -> None:
    """Take the free seat at the next table as well."""
    await at.seats.take_over(now.tables[1], FREE, SeatHolder(CHEAT))


async def let_a_friend_take_two_seats(at: Server, now: Round, table: Table) -> None:
    await STEPS["be replaced by a friend"](at, table)
    await at.seats.take_over(now.tables[1], FREE, SeatHolder(FRIEND))


async def leave_the_league(at: Server, now: Round, table: Table) -> None:
    await at.store.leagues.drop(now.league.id, [CHEAT])
    await STEPS["resign"](at, table)


async def forget_and_sign_up_anew(at: Server, now: Round, table: Table) -> None:
    await STEPS["forget"](at, table)
    await at.store.leagues.sign_up(now.league.id, LeaguePlayer(CHEAT, next(at.interactions), "anew"))


LeagueStep = Callable[[Server, Round, Table], Awaitable[None]]

LEAGUE_STEPS: Mapping[str, LeagueStep] = {
    step.__name__.replace("_", " "): step
    for step in (take_a_second_seat, let_a_friend_take_two_seats, leave_the_league, forget_and_sign_up_anew)
}

AT_LAST = ("leave the league",)
"""The steps after which a cheat is not paired any more."""

WAYS: Sequence[tuple[str, ...]] = (
    ("resign",),
    ("resign", "come back"),
    ("lose to a firm pace",),
    ("be voted off",),
    ("be replaced by a friend",),
    ("be replaced by a moderator",),
    ("end",),
    ("take a hint",),
    ("let a stronger computer play",),
    *((step,) for step in LEAGUE_STEPS),
)


class Season(Value):
    """The standing of the cheat after a league, the number of the friend's tables, and the steps that were possible."""

    standing: LeagueStanding
    tables_of_friend: int
    steps: tuple[str, ...] = ()


async def play_league(at: Server, seed: str, way: Sequence[str] = (), in_round: int = 1) -> Season:
    """A league to its end. Its cheat goes this way in one of the rounds, as soon as they are behind."""
    rng, done = Random(seed), list[str]()
    league = await _open_league(at, rng)
    for number in range(1, len(ROUNDS) + 1):
        now = await _begin_round(at, league, number, rng)
        cheats = way if number == in_round else ()
        for table in now.tables:
            done += await _play(at, now, table, f"{seed}/{number}", cheats if table is now.tables[0] else ())
    newest = await at.store.leagues.find(league.id)
    assert newest is not None, "it was created above"
    order = {standing.user_id: standing for standing in (await season_of(at.store, newest)).standings(0)}
    return Season(order[CHEAT], order[FRIEND].tables, tuple(done))


async def _open_league(at: Server, rng: Random) -> League:
    spec = discover()[rng.choice([game for game in GAMES if 2 in discover()[game].seats])]
    now, place = at.clock.now(), next(at.interactions)
    league = await at.store.leagues.create(
        now,
        guild_id=place,
        channel_id=place,
        host_id=MODERATOR,
        game=spec.slug,
        rules_version=spec.rules_version,
        options=spec.setup(2).chosen(),
        seats=2,
        swiss=True,
        rounds=len(ROUNDS),
        gap=0,
        division_size=0,
        pace="daily",
        computer=COMPUTER,
        closes_at=now,
    )
    for user_id in (CHEAT, BEN, CARO, DAN, EVA, FRIEND):
        await at.store.leagues.sign_up(league.id, LeaguePlayer(user_id, next(at.interactions), f"user {user_id}"))
    return league


async def _begin_round(at: Server, league: League, number: int, rng: Random) -> Round:
    """A round in which the tables with the cheat, and those beside them, are played; moderators end the others."""
    planned = [
        LeagueTable(number, n, 0, f"{rng.getrandbits(256):064x}", users)
        for n, users in enumerate(ROUNDS[number - 1], 1)
    ]
    await at.store.leagues.plan(league.id, planned, at.clock.now(), round=number, status=LeagueStatus.PLAYING)
    tables = tuple([await _begin_table(at, league, table) for table in planned])
    is_played = None not in planned[0].planned
    if is_played:
        await _leave_a_seat(at, tables[1])
    for table in tables[2:] if is_played else tables:
        await at.seats.end(table, by=MODERATOR, at=at.clock.now())
    return Round(league, tables)


async def _begin_table(at: Server, league: League, planned: LeagueTable) -> Table:
    place, people = next(at.interactions), [user_id for user_id in planned.planned if user_id]
    table = await at.lobbies.open_for(
        discover()[league.game],
        [SeatHolder(user_id, interaction_id=user_id) if user_id else COMPUTERS for user_id in planned.planned],
        guild_id=league.guild_id,
        channel_id=place,
        options=league.options,
        secret=planned.secret,
        ready=people,
    )
    await at.store.leagues.note_table(league.id, planned, thread_id=place, match_id=table.id)
    await at.moves.start(table, 1)
    return table


async def _leave_a_seat(at: Server, table: Table) -> None:
    await at.seats.resign(table, table.row.holders[FREE].user_id or 0)
    await at.moves.resume(table)
    await at.seats.offer(table, {FREE})


async def _play(at: Server, now: Round, table: Table, seed: str, way: Sequence[str]) -> list[str]:
    """Play a table to its end. Returns the steps of its cheat that were possible."""
    pending, done = list(way), list[str]()
    while table.row.status is Status.RUNNING:
        if pending and (done or await games._is_behind(table)):
            step = pending.pop(0)
            with suppress(UserError, EngineError):
                await _take_step(at, now, table, step)
                done.append(step)
            await games._resume(at, table)
            continue
        await games._move(at, table, seed)
    return done


async def _take_step(at: Server, now: Round, table: Table, step: str) -> None:
    if step in LEAGUE_STEPS:
        await LEAGUE_STEPS[step](at, now, table)
    else:
        await STEPS[step](at, table)


class LeaguePair(Value):
    """A league with a cheat, and its honest twin."""

    seed: str
    way: tuple[str, ...]
    cheat: Season
    honest: Season

    @property
    def gains(self) -> bool:
        """Whether the cheat has more points or a better place, or a friend has two tables in a round."""
        cheat, honest = self.cheat.standing, self.honest.standing
        has_two = self.cheat.tables_of_friend > 1
        return cheat.points > honest.points or cheat.place < honest.place or has_two


async def league_pair(at: Server, seed: str, way: tuple[str, ...], in_round: int = 1) -> LeaguePair:
    """A league whose cheat goes this way in a round, with its twin."""
    return LeaguePair(seed, way, await play_league(at, seed, way, in_round), await play_league(at, seed))


async def league_pairs(at: Server, leagues: int, seed: int) -> AsyncIterator[LeaguePair]:
    """Leagues with cheats of every kind, each with its twin."""
    for number in range(leagues):
        way = WAYS[number % len(WAYS)]
        in_round = len(ROUNDS) if way[0] in AT_LAST or number // len(WAYS) % 2 else 1
        yield await league_pair(at, f"league {seed}/{number}", way, in_round)

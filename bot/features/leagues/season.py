"""The current state of a league: its groups, its tables, and the standings computed from results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from bot.features.leagues.standings import LeagueStanding, Lost, Played, standings
from bot.store.leagues import MAX_TIMES_HELD, League, LeaguePlayer, LeagueTable
from bot.store.store import Store
from bot.store.tally import Forfeit
from engine.errors import SetupError
from engine.games import discover


# without slots, for cached properties
@dataclass(frozen=True)
class Season:
    """A league as stored. `held` has the number of times that computers took over from late users; `forgotten`, the
    number of rounds of each user before *Forget me*.
    """

    league: League
    players: tuple[LeaguePlayer, ...]
    tables: tuple[LeagueTable, ...]
    held: dict[int, int]
    forgotten: Mapping[int, int] = field(default_factory=dict)

    @property
    def active(self) -> list[LeaguePlayer]:
        """The players to be paired."""
        barred = {user_id for user_id, times in self.held.items() if times >= MAX_TIMES_HELD}
        return [player for player in self.players if not player.dropped and player.user_id not in barred]

    @property
    def current(self) -> list[LeagueTable]:
        """The tables of the newest round."""
        return [table for table in self.tables if table.round == self.league.round]

    @property
    def is_round_over(self) -> bool:
        """Whether all tables of the newest round are settled."""
        return all(table.is_settled for table in self.current)

    @property
    def divisions(self) -> list[int]:
        """The groups with players."""
        return sorted({player.division for player in self.players})

    def player(self, user_id: int) -> LeaguePlayer | None:
        """A player of this league, also a former one."""
        return next((player for player in self.players if player.user_id == user_id), None)

    def rounds(self, division: int) -> Sequence[Sequence[Played]]:
        """The tables of a group so far, by round."""
        return self._rounds.get(division, [()] * self.league.round)

    def standings(self, division: int) -> Sequence[LeagueStanding]:
        """The standings of a group."""
        return self._standings.get(division, ())

    @cached_property
    def _rounds(self) -> Mapping[int, Sequence[Sequence[Played]]]:
        groups: dict[int, list[list[Played]]] = {}
        for table in self.tables:
            rounds = groups.setdefault(table.division, [[] for _ in range(self.league.round)])
            # skip a round that was planned after the league was read
            if table.round <= len(rounds):
                rounds[table.round - 1].append(self.result_of(table))
        return groups

    @cached_property
    def _standings(self) -> Mapping[int, Sequence[LeagueStanding]]:
        users: defaultdict[int, list[int]] = defaultdict(list)
        for player in self.players:
            users[player.division].append(player.user_id)
        return {
            division: standings(of_group, self.rounds(division), self.forgotten) for division, of_group in users.items()
        }

    def result_of(self, table: LeagueTable) -> Played:
        """The result of a table, or its plan until it is settled."""
        if not table.is_settled:
            return Played(table.planned)
        free, sat = self._without_table[table.round], (table.planned, table.holders)
        users, lost = _result_users(table, free), tuple(_losses(table, free))
        # a game without results was called off, and not only by losing players
        if not table.results:
            return Played(users, void=True, sat=sat, lost=lost)
        return Played(users, _places(table), self.companies, sat=sat, lost=lost)

    @cached_property
    def companies(self) -> tuple[int, ...]:
        """The teams of its game; empty if the game or its options no longer exist."""
        try:
            spec = discover()[self.league.game]
            return spec.companies(spec.setup(self.league.seats, self.league.options))
        except (KeyError, SetupError):
            return ()

    @cached_property
    def _without_table(self) -> Mapping[int, frozenset[int]]:
        """The players without a planned table, by round."""
        seated: defaultdict[int, set[int | None]] = defaultdict(set)
        for table in self.tables:
            seated[table.round].update(table.planned)
        players = frozenset(player.user_id for player in self.players)
        return {number: players - users for number, users in seated.items()}


def _result_users(table: LeagueTable, free: Collection[int]) -> tuple[int | None, ...]:
    """The user that gets the result of each seat: the planned one if they still have it, else a substitute that was
    `free`, without a table in this round; `None` if a computer, or any other user, played to the end.
    """
    seats = zip(table.planned, table.holders, strict=True)
    # `NOBODY` is a forgotten player
    return tuple(holder if holder and (holder == planned or holder in free) else None for planned, holder in seats)


def _losses(table: LeagueTable, free: Collection[int]) -> Iterator[Lost]:
    """The forfeits of planned players and of `free` substitutes, no matter who played on in their seats."""
    for forfeit in table.forfeits:
        user_id = forfeit.user_id
        if user_id is not None and (user_id == table.planned[forfeit.seat] or user_id in free):
            yield Lost(user_id, forfeit.seat, _place_of(forfeit, table))


def _place_of(forfeit: Forfeit, table: LeagueTable) -> int:
    """The place of a forfeit: behind all seats, however many forfeits there are."""
    return forfeit.place + len(table.planned)


def _places(table: LeagueTable) -> tuple[int, ...]:
    """The place of each seat: by the share of the win, then by points; forfeits come last.

    A forfeited seat counts again once a substitute has it.
    """
    lost = _forfeits(table)
    rivals = [merit for seat, merit in enumerate(table.results) if seat not in lost]
    return tuple(
        lost[seat] if seat in lost else 1 + sum(other > own for other in rivals)
        for seat, own in enumerate(table.results)
    )


def _forfeits(table: LeagueTable) -> dict[int, int]:
    """The forfeited seats without a substitute, with their places."""
    return {
        forfeit.seat: _place_of(forfeit, table)
        for forfeit in table.forfeits
        if table.holders[forfeit.seat] in (None, forfeit.user_id)
    }


async def season_of(store: Store, league: League) -> Season:
    """Read a league with its players and tables."""
    leagues = store.leagues
    # in one transaction: a table may end in between

    async with store.transaction():
        players, tables = await leagues.players(league.id), await leagues.tables(league.id)
        users = [player.user_id for player in players]
        held, forgotten = await leagues.times_held(league.id, users), await leagues.forgotten_rounds(league.id, users)
        return Season(league, tuple(players), tuple(tables), held, forgotten)


def final_orders(season: Season) -> Sequence[Sequence[int]]:
    """The groups in order, for the season after this one."""
    return [[standing.user_id for standing in season.standings(division)] for division in season.divisions]

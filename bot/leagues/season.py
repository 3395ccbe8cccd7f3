"""A league as it stands: its groups, the tables played so far, and everybody's standing, computed from results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.leagues.standings import LeagueStanding, Played, standings
from bot.store.leagues import MAX_TIMES_HELD, League, LeaguePlayer, LeagueTable
from bot.store.store import Store
from engine.errors import SetupError
from engine.games import discover


@dataclass(frozen=True, slots=True)
class Season:
    """What is stored of a league. `held` is how often computers took over from people who were late, by user."""

    league: League
    players: tuple[LeaguePlayer, ...]
    tables: tuple[LeagueTable, ...]
    held: dict[int, int]

    @property
    def active(self) -> list[LeaguePlayer]:
        """Those who are paired."""
        barred = {user_id for user_id, times in self.held.items() if times >= MAX_TIMES_HELD}
        return [player for player in self.players if not player.dropped and player.user_id not in barred]

    @property
    def current(self) -> list[LeagueTable]:
        """The tables of the newest round."""
        return [table for table in self.tables if table.round == self.league.round]

    @property
    def divisions(self) -> list[int]:
        """The groups that somebody is in."""
        return sorted({player.division for player in self.players})

    def player(self, user_id: int) -> LeaguePlayer | None:
        """Somebody who has signed up."""
        return next((player for player in self.players if player.user_id == user_id), None)

    def rounds(self, division: int) -> list[list[Played]]:
        """What was played in a group so far, by round."""
        numbers = range(1, self.league.round + 1)
        return [
            [self._played(one) for one in self.tables if (one.round, one.division) == (n, division)] for n in numbers
        ]

    def standings(self, division: int) -> list[LeagueStanding]:
        """The group in order."""
        return standings([one.user_id for one in self.players if one.division == division], self.rounds(division))

    def _played(self, table: LeagueTable) -> Played:
        if not table.is_settled:
            return Played(table.planned)
        whose, sat = self._whose(table), (table.planned, table.holders)
        # called off, and not by those who were behind
        if not table.results:
            return Played(whose, void=True, sat=sat)
        return Played(whose, _places(table), _companies(self.league), sat=sat, forfeits=frozenset(_lost(table)))

    def _whose(self, table: LeagueTable) -> tuple[int | None, ...]:
        """Whose the result of each seat is: of who was to sit there if they still do, else of somebody in this league
        who had no table in this round and took over; nobody's where a computer, or anybody else, played to the end.
        """
        busy = {user_id for one in self.tables if one.round == table.round for user_id in one.planned}
        free = {player.user_id for player in self.players} - busy
        seats = zip(table.planned, table.holders, strict=True)
        # `NOBODY` is a player who was forgotten
        return tuple(holder if holder and holder in (planned, *free) else None for planned, holder in seats)


def _places(table: LeagueTable) -> tuple[int, ...]:
    """The place of each seat: by the share of the win, then by points; what was given up comes last.

    A seat that was given up counts again once a substitute has it.
    """
    lost = _lost(table)
    rivals = [merit for seat, merit in enumerate(table.results) if seat not in lost]
    # behind all seats, however many forfeits there are
    return tuple(
        lost[seat] + len(table.results) if seat in lost else 1 + sum(other > own for other in rivals)
        for seat, own in enumerate(table.results)
    )


def _lost(table: LeagueTable) -> dict[int, int]:
    """The seats that were given up and that no substitute has, with their places among each other."""
    return {one.seat: one.place for one in table.forfeits if table.holders[one.seat] in (None, one.user_id)}


def _companies(league: League) -> tuple[int, ...]:
    """The teams of its game; nothing where the program no longer has that game as it was."""
    try:
        spec = discover()[league.game]
        return spec.companies(spec.setup(league.seats, league.options))
    except (KeyError, SetupError):
        return ()


async def season_of(store: Store, league: League) -> Season:
    """All that is stored of a league."""
    leagues = store.leagues
    # at one moment: a table may end in between
    async with store.transaction():
        players, tables = await leagues.players(league.id), await leagues.tables(league.id)
        held = await leagues.times_held(league.id, [player.user_id for player in players])
        return Season(league, tuple(players), tuple(tables), held)


def final_orders(season: Season) -> Sequence[Sequence[int]]:
    """The groups in order, for the season after this one."""
    return [[one.user_id for one in season.standings(division)] for division in season.divisions]

"""Every two ways out of a lost game, in a league: they bring no more points than playing on to the last place."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest

from bot.features.leagues.season import Season
from bot.features.leagues.standings import LeagueStanding
from bot.store.leagues import LeaguePlayer, LeagueTable
from bot.store.matches import Status
from bot.store.tally import Forfeit
from tests.bot.leagues.test_season import season_of
from tests.bot.tables.test_results import ANA, BEN, CARO, DAN, EVA, WAYS, Game, out

HALF, WON, LOST = Fraction(1, 2), (1.0, 9), (0.0, 1)
FORGOTTEN = 0
SCORES = ((9, 5, 3), (1, 5, 3), (4, 5, 3))
"""The seat of Ana wins after she has left, or is last, or second."""


def table(number: int, users: Sequence[int | None], *results: tuple[float, int], round: int = 1) -> LeagueTable:
    return LeagueTable(round, number, 0, "x", tuple(users), 0, 1, Status.OVER, tuple(users), results)


def standings(*tables: LeagueTable, seats: int = 3) -> dict[int, LeagueStanding]:
    """The standings of all five, by user."""
    rounds = max(played.round for played in tables)
    league = dataclasses.replace(season_of(20).league, game="jinns", round=rounds, seats=seats)
    players = tuple(LeaguePlayer(user_id, user_id, "x") for user_id in (ANA, BEN, CARO, DAN, EVA))
    return {standing.user_id: standing for standing in Season(league, players, tables, {}).standings(0)}


def last_table(game: Game, *scores: int) -> LeagueTable | None:
    """The table of a game in the third round; `None` if it does not count."""
    owners = game.result(*scores)
    if owners is None:
        return None
    best = max(scores)
    results = tuple((float(score == best), score) for score in scores)
    if game.is_called_off:
        results = tuple((float(credit.place == 1), 0) for credit in owners.credits)
    planned, holders = table(1, (ANA, BEN, CARO), *results, round=3), [holder.user_id for holder in game.holders]
    return dataclasses.replace(planned, holders=tuple(holders), forfeits=tuple(owners.forfeits))


def season_with(third: LeagueTable, *, forgets: bool) -> dict[int, LeagueStanding]:
    """Ana wins, has a bye, and plays the third round. Dan has joined late. Who forgets has signed up anew."""
    first = table(1, (ANA, BEN, CARO), WON, LOST, LOST)
    second = (
        table(1, (ANA, None, None), LOST, WON, LOST, round=2),
        table(2, (BEN, CARO, None), WON, LOST, LOST, round=2),
    )
    tables = [first, *second, third]
    return standings(*map(without_ana, tables) if forgets else tables)


def without_ana(played: LeagueTable) -> LeagueTable:
    planned, holders = (
        tuple(FORGOTTEN if user == ANA else user for user in users) for users in (played.planned, played.holders)
    )
    return dataclasses.replace(played, planned=planned, holders=holders)


@pytest.mark.parametrize(("first", "second"), list(product(WAYS, WAYS)))
def test_no_two_ways_out_of_a_lost_game_of_a_league_bring_more_than_playing_on(first: str, second: str) -> None:
    game, forgets = out(first, second), "forgets" in (first, second)
    played_on = last_table(Game(), 1, 5, 3)
    assert played_on is not None
    honest = season_with(played_on, forgets=False)
    for scores in SCORES if game != Game(now=game.now) else SCORES[1:2]:
        third = last_table(game, *scores)
        # called off by others, before she did anything
        if third is None:
            continue
        cheat = season_with(third, forgets=forgets)
        assert cheat[ANA].points <= honest[ANA].points
        assert forgets or cheat[ANA].tables == honest[ANA].tables == 3
        assert cheat[ANA].direct <= honest[ANA].direct or cheat[ANA].points < honest[ANA].points


GAVE_UP = (Forfeit(0, ANA, 2),)


def after_two_rounds(
    holders: Sequence[int | None], forfeits: Sequence[Forfeit], ana: float
) -> dict[int, LeagueStanding]:
    """Ana, or her substitute, plays against Caro; in the next round, Ana wins, and Caro does if she has lost before."""
    draw = (0.5, 1)
    first = table(1, (ANA, CARO), (ana, 0), (1 - ana, 0)), table(2, (BEN, EVA), draw, draw)
    caro = (WON, LOST) if ana else (LOST, WON)
    second = table(1, (ANA, BEN), WON, LOST, round=2), table(2, (CARO, EVA), *caro, round=2)
    played = dataclasses.replace(first[0], holders=tuple(holders), forfeits=tuple(forfeits))
    return standings(played, first[1], *second, seats=2)


@pytest.mark.parametrize("holder", [None, ANA, DAN], ids=["resigns", "returns", "has a substitute"])
def test_a_lost_game_counts_the_same_for_a_player_who_gave_it_up(holder: int | None) -> None:
    honest, cheat = after_two_rounds((ANA, CARO), (), 0), after_two_rounds((holder, CARO), GAVE_UP, 0)
    assert (honest[ANA].points, honest[ANA].direct) == (1, -HALF)
    assert honest[ANA] == cheat[ANA]
    assert honest[CARO].points == cheat[CARO].points


def test_who_gave_up_is_behind_the_others_in_a_tie_although_a_substitute_has_won() -> None:
    order = after_two_rounds((DAN, CARO), GAVE_UP, 1)
    assert (1, 1, 1) == tuple(order[user].points for user in (ANA, CARO, DAN))
    # a player and their substitute have not played against each other
    assert (-HALF, 0, HALF) == tuple(order[user].direct for user in (ANA, CARO, DAN))


def test_of_two_who_gave_up_a_game_the_first_is_behind_in_a_tie() -> None:
    both = dataclasses.replace(
        table(1, (ANA, CARO), WON, LOST), holders=(None, None), forfeits=(Forfeit(0, ANA, 2), Forfeit(1, CARO, 1))
    )
    order = standings(both, seats=2)
    assert (0, 0) == (order[ANA].points, order[CARO].points)
    assert (-HALF, HALF) == (order[ANA].direct, order[CARO].direct)

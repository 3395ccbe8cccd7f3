"""Some of the simulated cheats in leagues and rematches, and what their simulation would see; `make soak` has more."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.features.leagues import season
from bot.tables import seats
from bot.tables.table import Table
from tests.fairplay.league import LeaguePair, league_pair
from tests.fairplay.rematch import force_rematch
from tests.fairplay.server import GAMES, server


async def pair_of(folder: Path, seed: str, *way: str) -> LeaguePair:
    async with server(folder) as at:
        return await league_pair(at, seed, way)


LOST_GAME = ("league 1/1", "lose to a firm pace")
"""A league in which the honest twin loses the game that the cheat gives up, and wins the other one."""

TWO_SEATS = ("league 1/10", "let a friend take two seats")


@pytest.mark.parametrize("way", [LOST_GAME, TWO_SEATS])
async def test_no_cheat_in_a_league_gains_more_than_the_honest_twin(tmp_path: Path, way: tuple[str, ...]) -> None:
    pair = await pair_of(tmp_path, *way)
    assert not pair.gains
    assert pair.cheat.standing.points == pair.honest.standing.points == 1.5


async def test_a_lost_game_that_does_not_count_in_a_league_would_be_detected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(season, "_losses", lambda *_: ())
    assert (await pair_of(tmp_path, *LOST_GAME)).gains


async def test_two_seats_in_a_round_would_be_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def claim(*_: object) -> None:
        """Let everyone have the seat."""

    monkeypatch.setattr(seats, "claim_league_seat", claim)
    assert (await pair_of(tmp_path, *TWO_SEATS)).gains


async def test_a_rated_rematch_begins_only_with_the_consent_of_its_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with server(tmp_path) as at:
        assert not any([await force_rematch(at, game) for game in GAMES])
        monkeypatch.setattr(Table, "unready", ())
        assert all([await force_rematch(at, game) for game in GAMES])

"""Seats at league tables: the facts of the league that let a user take one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.errors import UserError
from bot.store.leagues import LeagueEntry
from bot.tables.league_seats import claim_league_seat
from engine.texts import Seat

TABLE, OTHER, ANA = 7, 8, 1
OWN, FOREIGN = Seat(0), Seat(1)


async def takes(entry: LeagueEntry | None, seat: Seat, *left: Seat) -> bool:
    """Whether Ana gets a seat. It is noted then, unless the match belongs to no league."""
    noted = list[tuple[int, int]]()

    async def find(*_: object) -> LeagueEntry | None:
        return entry

    async def note(match_id: int, user_id: int) -> None:
        noted.append((match_id, user_id))

    store: Any = SimpleNamespace(leagues=SimpleNamespace(entry=find, note_seat=note))
    table: Any = SimpleNamespace(id=TABLE, seats_left_by=lambda _: left)
    try:
        await claim_league_seat(store, table, seat, ANA)
    except UserError:
        assert not noted
        return False
    assert [(TABLE, ANA)] * (entry is not None) == noted
    return True


@pytest.mark.parametrize(
    ("seated_at", "own", "foreign"),
    [
        (frozenset(), True, True),
        (frozenset({TABLE}), True, False),
        # left before anything was played, and has been back before
        (frozenset({TABLE, None}), True, False),
        (frozenset({None}), True, False),
        (frozenset({OTHER}), False, False),
        (frozenset({TABLE, OTHER}), False, False),
    ],
)
async def test_a_player_has_one_seat_per_round_and_may_return_to_it(
    seated_at: frozenset[int | None], own: bool, foreign: bool
) -> None:
    assert own == await takes(LeagueEntry(True, OWN, seated_at), OWN)
    assert own == await takes(LeagueEntry(True, None, seated_at), OWN, OWN)
    assert foreign == await takes(LeagueEntry(True, OWN, seated_at), FOREIGN)
    assert not await takes(LeagueEntry(False, OWN, seated_at), OWN)
    assert await takes(None, FOREIGN)

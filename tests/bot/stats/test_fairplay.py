"""Some of the simulated cheats, and what their simulation would see; `make soak` plays five hundred."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from bot.tables import rated, results
from bot.tables.results import CalledOff
from tests.fairplay.server import Pair, Played, Server, pairs, play, server
from tests.fairplay.weights import compare

VOTED_OFF, RESIGNED = 13, 2
"""Numbers of matches whose cheats do these things; other moves of the computers may need others."""


async def cheats(folder: Path, numbers: Iterable[int]) -> list[Pair]:
    async with server(folder) as at:
        return [pair async for pair in pairs(at, numbers, 1)]


async def test_no_cheat_gains_more_than_the_honest_twin_with_the_same_seed(tmp_path: Path) -> None:
    result = await cheats(tmp_path, range(14))
    assert len({step for pair in result for step in pair.cheat.steps}) > 6
    assert [] == [pair for pair in result if pair.gains]
    assert [] == [pair for pair in result if not pair.keeps_the_winner]


async def test_honest_twins_are_equal(tmp_path: Path) -> None:
    async with server(tmp_path) as at:
        assert await play(at, "twins") == await play(at, "twins")


async def test_calling_off_a_lost_game_without_a_loss_would_be_detected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rated, "called_off", lambda *_: None)
    (pair,) = await cheats(tmp_path, [VOTED_OFF])
    assert pair.gains


async def test_a_loss_forgotten_when_others_end_the_game_would_be_detected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with server(tmp_path) as at:
        twin = await play(at, "1")
        remembered = await resigned_and_ended(at, twin)
        honest = rated.called_off

        def forgetful(*facts: Any) -> CalledOff | None:
            call = honest(*facts)
            return call if call and call.by_position else None

        monkeypatch.setattr(rated, "called_off", forgetful)
        forgotten = await resigned_and_ended(at, twin)
    assert not remembered.gains
    assert forgotten.gains


async def resigned_and_ended(at: Server, twin: Played) -> Pair:
    return Pair("1", await play(at, "1", ("resign", "be ended by another")), twin)


async def test_giving_up_a_seat_without_a_loss_would_be_detected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "losses_of", lambda _: [])
    (pair,) = await cheats(tmp_path, [RESIGNED])
    assert pair.gains


def test_lower_weights_with_computers_keep_the_order_of_strengths_and_soften_newcomers_falls() -> None:
    result = dict(compare(15, 12))
    weighed, whole = result["as people play"], result["all of it"]
    assert weighed.order > whole.order - 0.01
    assert weighed.fall > whole.fall * 0.85
    others = [share for name, share in result.items() if name not in ("as people play", "all of it")]
    assert all(weighed.order >= other.order for other in others)

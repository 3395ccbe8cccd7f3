"""The statistics of draws: fair draws pass, loaded ones fail."""

from __future__ import annotations

import pytest

from engine.games import discover
from tools.arena import chance
from tools.arena.chance import MAX_DEVIATION, deviation, kinds, two_samples


def test_a_loaded_draw_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chance, "GAMES", 1)  # each of them has such a roll
    fair, loaded = {"one": 5_000, "two": 5_000}, {"one": 5_500, "two": 4_500}
    assert abs(two_samples(fair, {"one": 5_050, "two": 4_950})) < MAX_DEVIATION < two_samples(fair, loaded)
    spec = discover()["alibaba"]
    ply, state = kinds(spec)["roll of 36"]
    assert abs(deviation(spec, state, ply, 2_000)) < MAX_DEVIATION

"""Recorded games of every game: the same entries must tell the same story and end the same way.

`pytest --bless` accepts what comes out now.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core import Outcome
from engine.games import discover
from engine.match import Match
from tests.playthroughs.recorder import FOLDER, Playthrough

FILES = sorted(FOLDER.glob("*/*.txt"))


@pytest.mark.parametrize("path", FILES, ids=[f"{path.parent.name}-{path.stem}" for path in FILES])
def test_a_recorded_game_is_played_and_told_as_before(path: Path, bless: bool) -> None:
    recorded = path.read_text(encoding="utf-8")
    now = Playthrough.read(recorded).text()
    if bless:
        path.write_text(now, encoding="utf-8")
    else:
        assert recorded.splitlines() == now.splitlines()


@pytest.mark.parametrize("path", FILES, ids=[f"{path.parent.name}-{path.stem}" for path in FILES])
def test_a_match_replays_the_log_of_a_recorded_game(path: Path) -> None:
    game = Playthrough.read(path.read_text(encoding="utf-8"))
    match = Match.replay(game.spec, game.spec.setup(game.seats, game.chosen), game.seed, game.entries)
    assert isinstance(match.outcome, Outcome)
    assert match.ply == len(game.entries)


@pytest.mark.parametrize("slug", discover())
def test_every_number_of_seats_has_a_recorded_game(slug: str) -> None:
    recorded = {Playthrough.read(path.read_text(encoding="utf-8")).seats for path in FOLDER.glob(f"{slug}/*.txt")}
    assert set(discover()[slug].seats) == recorded

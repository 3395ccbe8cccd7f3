"""Recorded games of every game: the same entries must tell the same story and end the same way.

`pytest --bless` accepts the present results.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core import Outcome
from engine.games import discover
from engine.match import Match
from tests.engine.toys import TOYS
from tests.playthroughs import recorder
from tests.playthroughs.recorder import FOLDER, Playthrough, record, record_each

FILES = sorted(FOLDER.glob("*/*.txt"))


@pytest.mark.parametrize("path", FILES, ids=[f"{path.parent.name}-{path.stem}" for path in FILES])
def test_a_recorded_game_replays_with_the_same_text(path: Path, bless: bool) -> None:
    recorded = path.read_text(encoding="utf-8")
    now = Playthrough.read(recorded).text()
    if bless:
        path.write_text(now, encoding="utf-8")
    else:
        assert recorded.splitlines() == now.splitlines()


@pytest.mark.parametrize("path", FILES, ids=[f"{path.parent.name}-{path.stem}" for path in FILES])
def test_a_match_replays_the_log_of_a_recorded_game(path: Path) -> None:
    game = Playthrough.read(path.read_text(encoding="utf-8"))
    match = Match.replay(game.spec, game.spec.setup(game.seats, game.options), game.seed, game.entries)
    assert isinstance(match.outcome, Outcome)
    assert match.ply == len(game.entries)


@pytest.mark.parametrize("slug", discover())
def test_every_number_of_seats_has_a_recorded_game(slug: str) -> None:
    recorded = {Playthrough.read(path.read_text(encoding="utf-8")).seats for path in FOLDER.glob(f"{slug}/*.txt")}
    missing = sorted(set(discover()[slug].seats) - recorded)
    assert not missing, f"`python -m tests.playthroughs.recorder {slug}` records what is missing: {missing} seats"


@pytest.fixture
def toll(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder in which games of Toll are recorded."""
    monkeypatch.setattr(recorder, "FOLDER", tmp_path)
    monkeypatch.setitem(discover(), "toll", TOYS["toll"])
    return tmp_path / "toll"


def test_one_command_records_each_end_for_each_number_of_seats_once(toll: Path) -> None:
    ends = ["2-arrived.txt", "2-broke.txt", "3-arrived.txt", "3-broke.txt"]
    assert ends == sorted(path.name for path in record_each("toll")) == sorted(path.name for path in toll.iterdir())
    assert [] == list(record_each("toll"))


def test_a_game_with_changed_options_is_recorded_in_its_own_file(toll: Path) -> None:
    assert "2-arrived-4-fast.txt" == record("toll", 2, "arrived", {"road": 4, "fast": True}).name


def test_the_error_about_an_unreached_end_lists_the_ends_that_were_reached(
    toll: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder, "MAX_GAMES", 20)
    with pytest.raises(LookupError, match="No game of 20 ended by arived, but by arrived and broke"):
        record("toll", 2, "arived", {})

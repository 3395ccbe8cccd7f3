"""Fixed ratings of computer players follow from the share of their wins, and are written for one game at a time."""

from __future__ import annotations

import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.store import tally
from bot.store.tally import Credit, RatedMatch, RatedSeat, Rating, rate
from tools import computer_ratings
from tools.arena.game import Game
from tools.computer_ratings import difference

ANA, BEN = 71, 72


def test_a_share_of_wins_corresponds_to_a_rating_difference() -> None:
    assert 0 == difference(1 / 3, 3)
    assert difference(0.7, 2) == -difference(0.3, 2) > 0
    # A player with exactly that share of the wins neither gains nor loses in the long run.
    strong, other = Rating(25 + difference(0.7, 2) / tally.SCALE, 1), Rating(25, 1)
    won, lost = (
        rate(match_between((ANA, place), (BEN, 3 - place)), before)
        for place, before in ((1, {ANA: strong, BEN: other}), (2, {ANA: strong, BEN: other}))
    )
    assert 0 == pytest.approx(0.7 * (won[ANA].mu - strong.mu) + 0.3 * (lost[ANA].mu - strong.mu), abs=1e-3)


def match_between(*places: tuple[int, int]) -> RatedMatch:
    """A match of people, each with the place that they took."""
    credits = [Credit(user, None, seat, place) for seat, (user, place) in enumerate(places)]
    return RatedMatch(1, 1, "muscat", 1, 30, tuple(RatedSeat(credit, 1, 0.0) for credit in credits))


def test_computer_ratings_are_measured_by_playing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "computer_ratings.toml"
    place.write_text(computer_ratings.PLACE.read_text("utf-8"), "utf-8")
    before = tomllib.loads(place.read_text("utf-8"))
    won = {"easy": (0.0, 1.0), "strong": (1.0, 0.0)}

    def played(game: Game) -> Any:
        """The easy one always loses, and the strong one always wins."""
        own = next((n for n, player in enumerate(game.players) if player != "fair"), 0)
        mine, others = won[game.players[own]]
        return SimpleNamespace(outcome=SimpleNamespace(returns=[mine if n == own else others for n in range(2)]))

    monkeypatch.setattr(computer_ratings, "play", played)
    computer_ratings.main(["jinns", "--games", "20"], place)
    after = tomllib.loads(place.read_text("utf-8"))
    assert before["muscat"] == after["muscat"]
    assert after["jinns"]["easy"][0] < 1500 < after["jinns"]["strong"][0]
    assert [1500, 60] == after["jinns"]["fair"]
    computer_ratings.main(["jinns", "--games", "40", "--players", "easy"], place)
    anew = tomllib.loads(place.read_text("utf-8"))["jinns"]
    assert anew["easy"] != after["jinns"]["easy"]
    assert anew["strong"] == after["jinns"]["strong"]

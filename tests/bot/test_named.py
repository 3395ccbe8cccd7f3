"""Games as hosts choose them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.features import named
from engine.core import Grade
from engine.discovery import Discovered, Source
from engine.games import discover


@pytest.mark.parametrize(
    ("package", "grade", "begin"),
    [
        ("desert-race 2.1", Grade.GOLD, "Muscat (gold) – "),
        ("desert-race 2.1", None, "Muscat – "),
        ("", Grade.GOLD, "Muscat – "),
    ],
)
def test_a_packaged_game_shows_its_grade(
    package: str, grade: Grade | None, begin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = replace(discover()["muscat"], grade=grade)
    source = Source("muscat", "engine.games.muscat", package)
    monkeypatch.setattr(named, "discover_all", lambda: Discovered({"muscat": game}, {"muscat": source}))
    assert str(named.describe(game)).startswith(begin)


def test_every_grade_has_a_label() -> None:
    assert [*Grade] == [*named.GRADES]

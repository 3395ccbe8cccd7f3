"""Games as hosts choose them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.features import named
from bot.interactions.typed import suggestion
from engine.core import Grade
from engine.discovery import Discovered, Source
from engine.games import discover
from engine.languages import reading
from locales import language_of, languages


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


@pytest.mark.parametrize("code", languages())
def test_the_line_of_each_of_our_games_is_whole_in_its_list(code: str) -> None:
    with reading(language_of(code)):
        lines = [str(named.describe(spec)) for spec in discover().values()]
        assert lines == [suggestion(line, "slug").name for line in lines]


def test_the_line_of_a_game_that_is_too_long_ends_with_a_whole_word() -> None:
    game = replace(discover()["muscat"], summary="artists climb " * 20)
    row = named._choice(game, named.describe(game), "")
    assert row is not None
    assert re.fullmatch(r"Muscat – (artists |climb )+…", row.name)

"""Somebody adds games by nothing but files: the guide's example, and one that names its options by the position.

They have no picture, no advice, no names for computers and nothing to value positions by: all that is optional. One
has a preset, the other none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.authors.tree import Tree, examples

GUIDE, PLAYERS = "engine/games/README.md", "engine/players/README.md"
GAMES = ("race", "heaps")
SUITES = ("engine", "games", "renders", "bot", "playthroughs")
OVER_GAMES = re.compile(r"\bdiscover\(\)(?!\[)|\b(?:name_of|RECORDED|kit\.contract)\b")
"""Words in a file with a test for every game."""
WHOLE = ("test_commands.py", "test_locales.py", "test_readme.py")
"""Files whose tests all concern new games."""
TRANSLATED = ("translated_rules", "entries_are_translated", "names_buttons")
"""Tests of translations, which new games lack."""
VALUED = ("tests/engine/test_evaluation.py", "tests/engine/test_players.py", "tests/engine/test_hints.py")
"""Tests that look at what positions are worth."""
QUIETLY = ("-q", "-n", "0", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", "--tb", "short")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tree]:
    """The project with these games, recorded and listed as the guide says."""
    tree = Tree.copied_to(tmp_path_factory.mktemp("authors"))
    (race,) = examples(GUIDE)
    tree.write("engine/games/race.py", race)
    tree.write("engine/games/heaps.py", Path(__file__).with_name("heaps.py").read_text(encoding="utf-8"))
    tree.write("tests/authors/heaps.py", "from engine.games.heaps import GAME as GAME\n")
    for game in GAMES:
        assert f"{game}/2-" in tree.run("tests.playthroughs.recorder", game)
    tree.run("pytest", *QUIETLY, "--bless", "tests/test_readme.py")
    yield tree
    tree.forget_what_was_compiled()


def test_every_suite_over_all_games_passes_with_new_ones(tree: Tree) -> None:
    concerned = f"({' or '.join((*GAMES, *WHOLE))}) and not ({' or '.join(TRANSLATED)})"
    output = tree.run("pytest", *QUIETLY, "-k", concerned, *map(str, files_over_games(tree)))
    assert "failed" not in output
    assert int(output.splitlines()[-1].split()[0]) > 500, "none is left out unseen"


def files_over_games(tree: Tree) -> list[Path]:
    """The test files that look at every game there is. To collect all others would take as long again."""
    tests = tree.root / "tests"
    files = [*tests.glob("test_*.py"), *(file for suite in SUITES for file in (tests / suite).rglob("test_*.py"))]
    return [f for f in files if f.name in WHOLE or OVER_GAMES.search(f.read_text(encoding="utf-8"))]


def test_guide_example_passes_lint_and_format(tree: Tree) -> None:
    tree.run("ruff", "check", "engine/games/race.py")
    tree.run("ruff", "format", "--check", "engine/games/race.py")


def test_computers_play_new_games_against_each_other(tree: Tree) -> None:
    few = ("--games", "2", "--jobs", "1")
    assert "| heaps | 2 |" in tree.run("tools.arena", "heaps", "--players", "easy,uniform", *few)


def test_training_a_game_without_features_reports_what_is_missing(tree: Tree) -> None:
    assert f"Race has no features to weigh: give its GAME an `evaluate`, as {PLAYERS} describes." in tree.run(
        "tools.training", "race", ends_with=2
    )


def test_a_game_with_the_features_from_the_guide_trains_and_evaluates(tree: Tree) -> None:
    """The game is in a package, since the weights stand beside its modules."""
    (race,), (*_, features) = examples(GUIDE), examples(PLAYERS)
    (tree.root / "engine/games/race.py").unlink()
    valued = race.replace("    start=start,\n", "    start=start,\n    evaluate=EVALUATE,\n")
    imported = "from engine.games.race.evaluation import EVALUATE\nfrom engine.rulebook import Rulebook\n"
    tree.write("engine/games/race/__init__.py", valued.replace("from engine.rulebook import Rulebook\n", imported))
    tree.write("engine/games/race/evaluation.py", features)
    output = tree.run("tools.training", "race", "--games", "10", "--rounds", "1", "--trials", "4", "--jobs", "1")
    assert [2, 3, 4] == [int(seats) for seats in re.findall(r"^race for (\d), round 1 of 1: 10 games", output, re.M)]
    assert "[seats.4.weights]\npoints" in (tree.root / "engine/games/race/weights.toml").read_text(encoding="utf-8")
    tree.run("ruff", "check", "engine/games/race")
    tree.run("ruff", "format", "--check", "engine/games/race")
    tree.run("pytest", *QUIETLY, "-k", "race or weights", *VALUED)

"""Packages with games beside the installed wheel of the bot: the game in `examples/`, and the one of the tutorial."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.games import discover_all
from tests.installation import ROOT, UNSEEN, Installation

EXAMPLE = ROOT / "examples/nard"
TUTORIAL = ROOT / "docs/writing_games.md"

RANDOM_MATCH = """
from random import Random
import caravanserai_nard, engine
from engine.games import discover_all
from engine.match import Match

found = discover_all()
assert found.problems == (), found.problems
assert found.sources["nard"].package == "caravanserai-nard 1.0.0", found.sources["nard"]
game, rng = found.games["nard"], Random(1)
match = Match.begin(game, game.setup(2, {"match": 3, "cube": True}), "example")
while decisions := match.state.decisions():
    match.play(decisions[0].seat, rng.choice(decisions[0].options))
print(engine.__file__, caravanserai_nard.__file__, match.outcome.scores)
"""


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """An environment that can install the bot."""
    installation = Installation.in_folder(tmp_path_factory.mktemp("installation"))
    yield installation
    installation.delete_compiled_files()


@pytest.fixture(scope="module")
def example(installation: Installation) -> Installation:
    """The environment with the example. Its wheel is built from a copy, since building leaves files behind."""
    shutil.copytree(EXAMPLE, installation.folder / "nard", ignore=UNSEEN)
    installation.build(installation.folder / "nard")
    installation.run("pip", "install", "--quiet", "caravanserai-nard")
    return installation


def test_the_example_is_invisible_to_the_other_tests() -> None:
    """Else every suite over all games would take longer and depend on what a developer has installed."""
    assert "nard" not in discover_all().games, "uninstall it: pip uninstall caravanserai-nard"


def test_the_installed_wheel_plays_a_match_to_its_end(example: Installation, tmp_path: Path) -> None:
    engine, game, _ = example.run("python", "-c", RANDOM_MATCH, cwd=tmp_path).split(" ", maxsplit=2)
    assert engine.startswith(str(example.folder / "env")), "not the sources of this checkout"
    assert game.startswith(str(example.folder / "env"))


def test_the_installed_wheel_passes_its_own_tests(example: Installation, tmp_path: Path) -> None:
    tests = shutil.copytree(EXAMPLE / "tests", tmp_path / "tests", ignore=UNSEEN)
    output = example.run("pytest", "-q", "-rs", "-p", "no:cacheprovider", str(tests), cwd=tmp_path)
    assert " passed" in output
    assert "failed" not in output


def test_the_tutorial_works_word_for_word(installation: Installation, tmp_path: Path) -> None:
    """Except `caravanserai play`, which `tests/caravanserai/test_workshop.py` does."""
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", TUTORIAL.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    outputs = []
    for language, content in blocks:
        match language:
            case "sh":
                commands = [shlex.split(line) for line in content.splitlines()]
                outputs += [installation.run(*words, cwd=tmp_path) for words in commands if "play" not in words]
            case "python":
                (tmp_path / "caravanserai-camels/caravanserai_camels/picture.py").write_text(content, encoding="utf-8")
            case "diff":
                change(tmp_path / "caravanserai-camels", content)
            case _:
                pytest.fail(f"Nothing is done with a block of {language}.")
    (passed,) = re.findall(r"(\d+) passed", "\n".join(outputs))
    assert int(passed) > 40, "its tests include those of the contract"
    assert "0 are broken" in outputs[-1]
    assert "Grade\n  silver; for gold: translate it" in outputs[-1]
    assert (tmp_path / "pictures/camels.png").is_file()
    print_grade = "from caravanserai_camels.game import GAME; print(GAME.grade)"
    assert "silver\n" == installation.run("python", "-c", print_grade)


def change(folder: Path, diff: str) -> None:
    """Carry out a block of changes. The old lines of each place must be found exactly once."""
    head, _, places = diff.partition("\n")
    file = folder / head.removeprefix("--- ")
    content = file.read_text(encoding="utf-8")
    for place in places.split("@@\n"):
        lines = place.splitlines(keepends=True)
        old = "".join(line[1:] for line in lines if not line.startswith("+"))
        new = "".join(line[1:] or "\n" for line in lines if not line.startswith("-"))
        assert 1 == content.count(old), f"{file.name}\n{old}"
        content = content.replace(old, new)
    file.write_text(content, encoding="utf-8")

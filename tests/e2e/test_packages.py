"""The game in `examples/`: its wheel is installed where nothing of it was before, passes its tests, and is played."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.games import discovered

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/nard"

RANDOM_MATCH = """
from random import Random
import caravanserai_nard, engine
from engine.games import discovered
from engine.match import Match

found = discovered()
assert found.problems == (), found.problems
assert found.sources["nard"].package == "caravanserai-nard 1.0.0", found.sources["nard"]
game, rng = found.games["nard"], Random(1)
match = Match.begin(game, game.setup(2, {"match": 3, "cube": True}), "example")
while decisions := match.state.decisions():
    match.play(decisions[0].seat, rng.choice(decisions[0].options))
print(caravanserai_nard.__file__, match.outcome.scores)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed wheel. It is built from a copy, since building leaves files behind."""
    work = tmp_path_factory.mktemp("example")
    shutil.copytree(EXAMPLE, work / "source", ignore=shutil.ignore_patterns("*.egg-info", "build", "__pycache__"))
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--no-input")
    # Without isolation and dependencies, nothing is downloaded.
    run([*pip, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", str(work), str(work / "source")], work)
    (wheel,) = work.glob("caravanserai_nard-*.whl")
    run([*pip, "install", "--no-deps", "--no-index", "--target", str(work / "site"), str(wheel)], work)
    return work / "site"


def run(command: Sequence[str], folder: Path, path: Sequence[Path] = ()) -> str:
    """Run a program without warnings becoming errors; returns its output."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path)), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_no_test_of_ours_sees_the_example() -> None:
    """Else every suite over all games would take longer and depend on what a developer has installed."""
    assert "nard" not in discovered().games, "uninstall it: pip uninstall caravanserai-nard"


def test_a_match_of_the_installed_wheel_is_played_to_its_end(installed: Path, tmp_path: Path) -> None:
    output = run([sys.executable, "-c", RANDOM_MATCH], tmp_path, (installed, ROOT))
    assert output.startswith(str(installed)), "not the sources of this checkout"


def test_the_installed_wheel_passes_its_own_tests(installed: Path, tmp_path: Path) -> None:
    tests = shutil.copytree(EXAMPLE / "tests", tmp_path / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    output = run(
        [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", str(tests)], tmp_path, (installed, ROOT)
    )
    assert " passed" in output
    assert "failed" not in output


def test_the_installed_wheel_passes_the_check_for_authors(installed: Path, tmp_path: Path) -> None:
    output = run([sys.executable, "-m", "caravanserai", "check", "nard"], tmp_path, (installed, ROOT))
    assert "0 are broken" in output

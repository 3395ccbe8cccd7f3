"""Prerendered grounds make pictures faster but never change them, with any files in their folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from renders import grounds

PRERENDERING = """
import sys, pathlib
from renders import grounds
from tests.rasters import FOLDER, keep_rasters
keep_rasters(FOLDER)
grounds.FOLDER = pathlib.Path(sys.argv[1])
from renders.prerendering import main
main()
"""

FIRST_BOARDS = """
import sys, pathlib, hashlib
from tests.rasters import FOLDER, keep_rasters
keep_rasters(FOLDER)
import renders
from engine.games import discover
from engine.match import Match
from renders import grounds, story
from renders.plain import theme_of
from tests.true_colors import forget_drawings
grounds.FOLDER = pathlib.Path(sys.argv[1])
drawings, draw = [], grounds._draw
grounds._draw = lambda *what: drawings.append(1) or draw(*what)
first, *others = discover().values()

def board(spec):
    match = Match.begin(spec, spec.setup(spec.seats[-1]), "first")
    story.ground(theme_of(spec.slug))
    return hashlib.sha256(renders.png(renders.draw(match.view(None), match.names))).hexdigest()

digest = grounds._source_digest
grounds._source_digest = lambda: b"others"
drawn = board(first)
print(len(drawings))
grounds._source_digest = digest
drawings.clear()
forget_drawings()
read, *_ = map(board, (first, *others))
print(len(drawings), read == drawn)
"""


def run_program(program: str, folder: Path) -> list[str]:
    """The output of a fresh process, split at spaces."""
    command = [sys.executable, "-c", program, folder]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the grounds of all games, as written by an installation."""
    folder = tmp_path_factory.mktemp("prerendered")
    run_program(PRERENDERING, folder)
    return folder


def test_grounds_prerendered_by_the_same_sources_are_not_drawn_again_and_give_the_same_pictures(folder: Path) -> None:
    names = {path.stem for path in folder.glob("*.png")}
    folder.with_name("foreign.py").write_text("a file beside the folder", encoding="utf-8")
    by_others, again, same = run_program(FIRST_BOARDS, folder)
    assert "2" == by_others, "one for the boards of a game, and one for its stories"
    assert ["0", "True"] == [again, same], "its neighbors do not count as drawings"
    assert names == {path.stem for path in folder.glob("*.png")}, "a bot writes nothing there"


@pytest.mark.parametrize("harm", ["cut", "empty", "foreign", "folder", "missing"])
def test_an_incomplete_prerendered_file_is_ignored(folder: Path, tmp_path: Path, harm: str) -> None:
    whole = next(folder.glob("*.png")).read_bytes()
    (place := tmp_path / "ground.png").write_bytes(whole)
    assert grounds._read(place) is not None
    place.unlink()
    if harm == "folder":
        place.mkdir()
    elif harm != "missing":
        place.write_bytes({"cut": whole[: len(whole) // 2], "empty": b"", "foreign": b"GIF89a"}[harm])
    assert grounds._read(place) is None

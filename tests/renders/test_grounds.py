"""Prerendered grounds make pictures faster but never change them, with any files in their folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine.games import discover
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
grounds.FOLDER = pathlib.Path(sys.argv[1])
drawings, draw = [], grounds._draw
grounds._draw = lambda *what: drawings.append(1) or draw(*what)
digests = []
for spec in list(discover().values())[: int(sys.argv[2])]:
    match = Match.begin(spec, spec.setup(spec.seats[-1]), "first")
    digests.append(hashlib.sha256(renders.png(renders.draw(match.view(None), match.names))).hexdigest())
    story.ground(theme_of(spec.slug))
print(len(drawings), digests[0])
"""

BY_OTHER_SOURCES = FIRST_BOARDS.replace(
    "grounds._draw =", "grounds._source_digest = lambda: b'others'\ngrounds._draw ="
)


def run_program(program: str, folder: Path, games: int = len(discover())) -> list[str]:
    """The output of a fresh process, split at spaces."""
    return subprocess.run(
        [sys.executable, "-c", program, folder, str(games)], capture_output=True, check=True, text=True
    ).stdout.split()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the grounds of all games, as written by an installation."""
    folder = tmp_path_factory.mktemp("prerendered")
    run_program(PRERENDERING, folder)
    return folder


def test_grounds_prerendered_by_the_same_sources_are_not_drawn_again_and_give_the_same_pictures(folder: Path) -> None:
    names = {path.stem for path in folder.glob("*.png")}
    drawing_count, digest = run_program(BY_OTHER_SOURCES, folder, games=1)
    assert "2" == drawing_count, "one for the boards of a game, and one for its stories"
    assert names == {path.stem for path in folder.glob("*.png")}, "a bot writes nothing there"
    folder.with_name("foreign.py").write_text("a file beside the folder", encoding="utf-8")
    assert ["0", digest] == run_program(FIRST_BOARDS, folder), "its neighbors do not count as drawings"


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

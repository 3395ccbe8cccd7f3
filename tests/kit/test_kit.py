"""The kit, as an author uses it: a new package runs at once, and the check names the faults of a game."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core import Grade
from engine.games import discover
from kit import report
from kit.new_game import main as new_game
from kit.new_game import write_package
from kit.report import has_grade

ROOT = Path(__file__).parents[2]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """The folder of a new package, installed as pip would do it."""
    folder = tmp_path / "camels"
    write_package("camels", folder)
    info = folder / "caravanserai_camels-0.1.0.dist-info"
    info.mkdir()
    info.joinpath("METADATA").write_text("Metadata-Version: 2.1\nName: caravanserai-camels\nVersion: 0.1.0\n", "utf-8")
    entry = "[caravanserai.games]\ncamels = caravanserai_camels.game\n"
    info.joinpath("entry_points.txt").write_text(entry, encoding="utf-8")
    return folder


def run(folder: Path, module: str, *arguments: str) -> tuple[int, str]:
    """The exit status and the output of a command in a folder whose package is installed."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environ["PYTHONPATH"] = os.pathsep.join(map(str, (folder, ROOT)))
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_a_new_package_runs_fulfills_the_contract_and_gets_a_grade(package: Path) -> None:
    status, output = run(package, "caravanserai", "check", "camels", "--folder", "pictures")
    assert 0 == status, output
    assert output.startswith("Camels, from caravanserai-camels 0.1.0")
    assert "BROKEN" not in output
    assert "random matches a second" in output
    assert "imports nothing that may change within a version of the interface" in output
    assert "Grade\n  bronze; for silver: sum up a first game in three lines" in output
    assert (package / "pictures/camels.png").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("claim", "grade", "is_right"),
    [
        (None, None, True),
        (Grade.BRONZE, None, False),
        (Grade.BRONZE, Grade.SILVER, True),
        (Grade.GOLD, Grade.SILVER, False),
        (Grade.PLATINUM, Grade.GOLD, True),
        (Grade.PLATINUM, Grade.SILVER, False),
    ],
)
def test_a_claimed_grade_must_equal_the_earned_grade_or_be_platinum_with_gold(
    claim: Grade | None, grade: Grade | None, is_right: bool
) -> None:
    assert is_right == has_grade(replace(discover()["jinns"], grade=claim), grade)


def test_the_check_fails_for_an_excessive_grade(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(discover(), "jinns", replace(discover()["jinns"], grade=Grade.PLATINUM))
    monkeypatch.setattr(report, "check_contract", lambda spec: report.Contract())
    monkeypatch.setattr(report, "figures", lambda spec: ())
    monkeypatch.setattr(report, "languages", lambda: ())
    statuses = {}
    for grade in (Grade.SILVER, Grade.GOLD):
        monkeypatch.setattr(report, "grade_of", lambda spec, broken, grade=grade: (grade, "for more: do more"))
        statuses[grade] = report.main(["jinns"])
    assert {Grade.SILVER: 1, Grade.GOLD: 0} == statuses
    assert "  silver; for more: do more\n  BROKEN  its GAME claims platinum\n" in capsys.readouterr().out


BROKEN_PROMISES = (
    ("float(points == max(self.points))", "2.0", "winners share one and every seat has a score"),
    ('rule = "2"', 'rule = "7"', "every section a question points to"),
    ('"""Go on, with or without luck."""', "", "a verb is a command with a description"),
)
"""Code of a new game, what breaks it, and words of the promise that is broken then."""


def test_the_check_names_each_broken_promise_and_an_import_beyond_the_interface(package: Path) -> None:
    game = package / "caravanserai_camels/game.py"
    source = game.read_text(encoding="utf-8").replace("GameSpec, Options", "GameSpec, Options, field_types")
    for code, wrong, _ in BROKEN_PROMISES:
        assert code in source
        source = source.replace(code, wrong)
    game.write_text(source, encoding="utf-8")
    status, output = run(package, "caravanserai", "check", "camels")
    assert 1 == status
    broken = [line for line in output.splitlines() if line.startswith("  BROKEN")]
    for *_, promise in BROKEN_PROMISES:
        assert any(promise in line for line in broken), output
    assert "game.py: engine.core.field_types may change at any time" in output
    assert "none; for bronze: mend the broken promises above" in output


def test_the_check_explains_why_a_game_is_left_out(package: Path) -> None:
    game = package / "caravanserai_camels/game.py"
    game.write_text("import numbskull", encoding="utf-8")
    status, output = run(package, "caravanserai", "check", "camels")
    assert 2 == status
    assert "The game camels of caravanserai-camels 0.1.0 is left out" in output
    assert "No module named 'numbskull'" in output


@pytest.mark.parametrize("name", ["Camels", "c", "jinns", "table", "../x"])
def test_invalid_package_names_are_refused(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        new_game([name, "--folder", str(tmp_path / "new")])
    assert "2 to 20 lower-case letters and digits" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()

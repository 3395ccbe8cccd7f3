"""The image: one copy of the program, installed with its drawings, and a user of its own."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from engine.values import Value

ROOT = Path(__file__).parents[1]


class Step(Value):
    """An instruction: its stage, where it is carried out, and what it says."""

    stage: int
    place: str
    word: str
    rest: str


def steps() -> list[Step]:
    lines = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text("utf-8")).splitlines()
    results: list[Step] = []
    stage, place = -1, "/"
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        if word == "FROM":
            stage, place = stage + 1, "/"
        elif word == "WORKDIR":
            place = rest
        if word and not word.startswith("#"):
            results.append(Step(stage, place, word, rest))
    return results


STEPS = steps()
LAST = max(step.stage for step in STEPS)
COMMANDS = [(step, shlex.split(command)) for step in STEPS if step.word == "RUN" for command in step.rest.split(" && ")]


def test_the_final_stage_copies_only_the_virtual_environment() -> None:
    assert LAST == 1
    assert ["--from=build /venv /venv"] == [step.rest for step in STEPS if step.stage == LAST and step.word == "COPY"]


def test_the_build_context_contains_only_copied_files() -> None:
    copied = [source for step in STEPS if (step.stage, step.word) == (0, "COPY") for source in step.rest.split()[:-1]]
    ignored = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert "*" == ignored[0]
    assert sorted(copied) == sorted(name[1:] for name in ignored if name.startswith("!"))
    assert [] == [name for name in copied if not (ROOT / name).exists()]


def test_grounds_are_prerendered_by_the_installed_package() -> None:
    names = [(step.stage, words[:3]) for step, words in COMMANDS]
    installed = names.index((0, ["pip", "--python", "/venv/bin/python"]))
    assert installed < names.index((0, ["/venv/bin/python", "-m", "renders.prerendering"]))
    (place,) = {step.place for step, words in COMMANDS if "renders.prerendering" in words}
    assert place not in {step.place for step in STEPS if (step.stage, step.word) == (0, "COPY")}, (
        "there the sources would be taken"
    )


def test_the_program_runs_as_a_user_with_exclusive_access_to_the_data() -> None:
    (user,) = [step.rest for step in STEPS if step.word == "USER"]
    command = next(words for _, words in COMMANDS if words[0] == "install")
    assert ["install", "-d", "-o", user, "-m", "700", "/data"] == command
    assert ("VOLUME", "/data") in [(step.word, step.rest) for step in STEPS]
    assert "/venv/bin:" in next(step.rest for step in STEPS if (step.stage, step.word) == (LAST, "ENV"))


@pytest.mark.skipif(not shutil.which("useradd") or os.getuid() != 0, reason="only root adds users")
def test_the_user_is_added_without_a_warning(tmp_path: Path) -> None:
    (etc := tmp_path / "etc").mkdir()
    shutil.copy("/etc/login.defs", etc)
    for name in ("passwd", "group", "shadow", "gshadow"):
        (etc / name).touch()
    _, added = next((step, words) for step, words in COMMANDS if words[0] == "useradd")
    done = subprocess.run(["useradd", "--prefix", str(tmp_path), *added[1:]], capture_output=True, text=True)
    assert (0, "") == (done.returncode, done.stdout + done.stderr)
    assert (etc / "passwd").read_text().startswith("caravanserai:x:10001:")

"""`caravanserai play --game`: a table of a game under development, which reloads when the files of the game change."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.errors import StartError
from caravanserai.__main__ import main
from caravanserai.game_source import source_of
from caravanserai.workshop import Workshop
from kit.new_game import write_package
from playground.harness import Playground
from playground.player import Player
from playground.supervisor import BotSupervisor

PROMPT = "Go safely, or roll?"


class CountingSupervisor(BotSupervisor):
    """Counts how often the bot was started again."""

    restarts = 0

    async def restart(self) -> None:
        self.restarts += 1
        await super().restart()


@dataclass
class Bench:
    """A running workshop: `lines` are its sentences and the error lines of the bot."""

    game: Path
    place: Playground
    supervisor: CountingSupervisor
    lines: list[str] = field(default_factory=list)

    @property
    def author(self) -> Player:
        return self.place.player("Ana", "caravanserai")

    def note(self, line: str) -> None:
        self.lines.append(line)
        self.place.discord.changed()

    async def line(self, words: str, after: int = 0) -> str:
        """Wait for a line with some words, without the first lines."""
        return await self.author.until(
            lambda: next((line for line in self.lines[after:] if words in line), None), what=words
        )

    async def sees_board(self, words: str) -> None:
        """Wait for a board whose description contains some words."""

        def is_described() -> bool:
            return any(words in (image.alt or "") for seen in self.author.messages for image in seen.images)

        await self.author.until(is_described, what=words)

    async def edit(self, pattern: str, replacement: str | Callable[[re.Match[str]], str], outcome: str) -> str:
        """Change the rules, and wait for a sentence of the workshop."""
        before, source = len(self.lines), self.game.read_text(encoding="utf-8")
        changed = re.sub(pattern, replacement, source)
        assert changed != source
        self.game.write_text(changed, encoding="utf-8")
        return await self.line(outcome, after=before)


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    write_package("camels", tmp_path / "package")
    source, data = source_of(str(tmp_path / "package")), tmp_path / "data"
    async with Playground() as place:
        bench = Bench(
            tmp_path / "package/caravanserai_camels/game.py",
            place,
            supervisor := CountingSupervisor(
                place.base_url,
                "bot",
                token=place.discord.token,
                env={"DATA_DIR": str(data), **(environment := source.environment(data))},
                log=data / "bot.log",
                on_error=lambda line: bench.note(line),
                on_end=lambda line: bench.note(line),
            ),
        )
        supervisor.start()
        running = asyncio.create_task(Workshop(source, environment, bench.note).run(place.discord, supervisor))
        yield bench
        running.cancel()
        await supervisor.stop()


async def test_a_game_is_reloaded_when_its_files_change(bench: Bench) -> None:
    await bench.line("camels is open in #caravanserai.")
    board = await bench.author.expect(PROMPT)

    line = await bench.edit(r"\Z", "oops(", "SyntaxError")
    assert "caravanserai_camels.game cannot be imported" in line
    assert "This version is not played." in line
    assert 0 == bench.supervisor.restarts

    await bench.edit(
        rf"{re.escape(PROMPT)}|oops\(", lambda old: "Walk or run?" * (old[0] == PROMPT), "camels is reloaded."
    )
    await bench.sees_board("Walk or run?")
    answer = await bench.author.slash("camels go", boldly="no")
    await bench.author.tap("Confirm", on=answer)

    await bench.edit(r"\bGo\b", "Walk", "cannot be replayed")
    await bench.author.expect("The record of this game can no longer be read.", after=board)
    assert bench.supervisor.pid is not None, "other tables can be played"


def test_only_files_of_the_game_are_watched(tmp_path: Path) -> None:
    write_package("camels", tmp_path / "package")
    source = source_of(str(tmp_path / "package"))
    for ignored in ("tests/test_rules.py", ".git/config.toml", "camels.egg-info/SOURCES.txt", "notes.doc"):
        file = tmp_path / "package" / ignored
        file.parent.mkdir(exist_ok=True)
        file.touch()
    names = {file.relative_to(tmp_path / "package").as_posix() for file in source.state()}
    module = "caravanserai_camels"
    expected = {f"{module}/{name}" for name in ("__init__.py", "game.py", "picture.py", "rules.md")}
    assert expected | {"README.md", "pyproject.toml"} == names


def test_a_built_in_game_includes_its_rules_and_its_picture() -> None:
    files = {file.as_posix() for file in source_of("jinns").state()}
    assert any(file.endswith("engine/games/jinns/rules.md") for file in files)
    assert any("/renders/games/jinns/" in file for file in files)
    assert not any("/muscat/" in file for file in files)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("zebras", "There is no game zebras, and no folder zebras with a pyproject.toml."),
        ("./nowhere", "pyproject.toml cannot be read: No such file or directory."),
        ("./gameless", "needs one entry point in the group caravanserai.games; it has 0."),
        ("./broken", "pyproject.toml does not describe a package: "),
    ],
)
def test_an_unplayable_game_is_explained(
    name: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder, content in {"gameless": '[project]\nname = "gameless"\n', "broken": "["}.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "pyproject.toml").write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("caravanserai.drawings.prepare", lambda: None)
    with pytest.raises(SystemExit) as exit_:
        main(["play", "--no-browser", "--port", "0", "--game", name])
    assert sentence in str(exit_.value)
    with pytest.raises(StartError):
        source_of(name)


def test_the_environment_keeps_the_users_pythonpath(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_package("camels", tmp_path / "package")
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    path = source_of(str(tmp_path / "package")).environment(tmp_path / "data")["PYTHONPATH"]
    assert [str(tmp_path / "data/package"), str(tmp_path / "package"), "/elsewhere"] == path.split(os.pathsep)

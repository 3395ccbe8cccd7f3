"""Files of the host's own: what is offered, what is refused with a reason, and what a match keeps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from bot.files import LARGEST, MOST, own_files
from bot.messages import KEPT, OWN_FILE, Layout, lobby_layout, options_layout
from bot.tables import Table
from engine import Options, SetupError, option
from engine.games import discover
from tests.bot.walks import table_of


def title_of(text: str) -> str:
    """The first line, which may not be empty."""
    title = text.partition("\n")[0]
    if not title:
        raise SetupError("title", "The first line is empty.")
    return title


@dataclass(frozen=True, slots=True)
class Titled(Options):
    story: str = option("short", "Which story", "short", "long", file=title_of)
    windy: bool = option(False, "Whether there is wind")


SPEC = replace(next(iter(discover().values())), slug="stories", options=Titled)


def table(**chosen: str) -> Table:
    seated = table_of(SPEC, SPEC.seats[0])
    seated.row = replace(seated.row, options=dict(chosen))
    return seated


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "stories").mkdir()
    return tmp_path / "stories"


async def test_files_of_the_games_folder_are_offered_by_the_name_the_game_gives_them(folder: Path) -> None:
    (folder / "mine.toml").write_text("My story\nOnce")
    (folder / "notes.txt").write_text("No story")
    files = await own_files(folder.parent, SPEC)
    assert ["story"] == list(files)
    assert [("mine.toml", "My story\nOnce", "My story", "")] == [
        (file.name, file.text, file.title, file.problem) for file in files["story"]
    ]


async def test_a_file_that_cannot_be_used_is_named_with_its_problem(folder: Path) -> None:
    (folder / "a.toml").write_text("\nno title")
    (folder / "b.toml").write_bytes(b"\xff\xfe")
    (folder / "c.toml").write_text("x" * (LARGEST + 1))
    (folder / "d.toml").mkdir()
    files = (await own_files(folder.parent, SPEC))["story"]
    problems = ["The first line is empty.", "it cannot be read (UnicodeDecodeError)."]
    problems += [f"it has more than {LARGEST} bytes.", "it cannot be read (IsADirectoryError)."]
    assert problems == [file.problem for file in files]
    shown = texts(options_layout(table(), {"story": files}))
    assert all(f"{name}.toml cannot be used: " in shown for name in "abcd")
    assert ["0", "1"] == values(options_layout(table(), {"story": files}))


async def test_no_folder_and_no_option_that_takes_a_file_offer_nothing(tmp_path: Path) -> None:
    assert {"story": ()} == await own_files(tmp_path, SPEC)
    plain = replace(SPEC, options=Options)
    assert {} == await own_files(tmp_path, plain)


async def test_a_menu_never_gets_too_long(folder: Path) -> None:
    for n in range(MOST + 9):
        (folder / f"{n:02}.toml").write_text(f"Story {n}")
    files = await own_files(folder.parent, SPEC)
    assert len(values(options_layout(table(story="gone"), files))) <= 25


async def test_a_chosen_text_is_shown_by_its_name_and_kept_when_its_file_is_gone(folder: Path) -> None:
    (folder / "mine.toml").write_text("My story\nOnce")
    files = await own_files(folder.parent, SPEC)
    chosen = table(story="My story\nOnce")
    assert ["0", "1", f"{OWN_FILE}mine.toml"] == values(options_layout(chosen, files))
    assert ["0", "1", KEPT] == values(options_layout(chosen))
    assert [KEPT] == [row["value"] for row in menu(options_layout(chosen)) if row.get("default")]
    assert "story: My story" in texts(lobby_layout(chosen))


def parts(layout: Layout) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = list(layout.to_components())  # type: ignore[no-untyped-call]  # of discord.py
    for part in found:
        found += part.get("components", ())
    return found


def texts(layout: Layout) -> str:
    return "\n".join(str(part["content"]) for part in parts(layout) if "content" in part)


def menu(layout: Layout) -> list[dict[str, Any]]:
    """The rows of the first menu."""
    rows: list[dict[str, Any]] = next(part["options"] for part in parts(layout) if "options" in part)
    return rows


def values(layout: Layout) -> list[str]:
    return [row["value"] for row in menu(layout)]

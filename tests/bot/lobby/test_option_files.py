"""Files of the operator: offered to hosts, refused with a reason, and kept by matches."""

from __future__ import annotations

import asyncio
import os
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from bot.features.lobby.lobby_layouts import lobby_layout
from bot.features.lobby.option_files import MAX_FILE_SIZE, MAX_FILES, own_files
from bot.features.lobby.options_page import CURRENT_TEXT, OWN_FILE, _text_of, options_layout
from bot.interactions.parts import Layout
from bot.tables.table import Table
from engine.core import GameSpec, Options, option
from engine.errors import SetupError
from engine.games import discover
from engine.texts import Text
from tests.bot.walks import set_row, table_of


def title_of(text: str) -> str:
    """The first line, which may not be empty."""
    title = text.partition("\n")[0]
    if not title:
        raise SetupError("title", Text("The first line is empty."))
    return title


class Titled(Options):
    story: str = option("short", "Which story", "short", "long", file=title_of)
    windy: bool = option(False, "Whether there is wind")


def wordy(text: str) -> str:
    """Refuses everything at length."""
    raise SetupError("long", Text("No! \n" * 999))


def quoted(text: str) -> str:
    """Refuses everything and says what it was."""
    raise SetupError("quoted", Text("This is no story: {text}", text=text))


class Quoting(Options):
    story: str = option("short", "Which story", "short", "long", file=quoted)


class Wordy(Options):
    story: str = option("short", "Which story " * 8, "short", "long", file=wordy)


class Divided(Options):
    story: str = option("short", "Which story", "short", "long", file=lambda text: str(1 // int(text)))


def takes_files(spec: GameSpec) -> bool:
    return any(field.metadata.get("file") for field in fields(spec.options))


SPEC = replace(next(iter(discover().values())), slug="stories", options=Titled)


def table(**chosen: str) -> Table:
    seated = table_of(SPEC, SPEC.seats[0])
    set_row(seated, options=dict(chosen))
    return seated


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "stories").mkdir()
    return tmp_path / "stories"


async def test_files_in_the_folder_of_a_game_are_offered_by_the_title_the_game_gives_them(folder: Path) -> None:
    (folder / "mine.toml").write_text("My story\nOnce")
    (folder / "notes.txt").write_text("No story")
    (folder / "yours.toml").write_text("Your story")
    files = await own_files(folder.parent, SPEC)
    assert ["story"] == list(files)
    assert [("mine.toml", "My story\nOnce", "My story", None), ("yours.toml", "Your story", "Your story", None)] == [
        (file.name, file.text, file.title, file.problem) for file in files["story"]
    ]
    assert "Your story" == _text_of(table(), files, "story", f"{OWN_FILE}yours.toml")


async def test_an_unusable_file_is_named_with_its_problem(folder: Path) -> None:
    (folder / "a.toml").write_text("\nno title")
    (folder / "b.toml").write_bytes(b"\xff\xfe")
    (folder / "c.toml").write_text("x" * (MAX_FILE_SIZE + 1))
    (folder / "d.toml").mkdir()
    files = (await own_files(folder.parent, SPEC))["story"]
    problems = ["The first line is empty.", "it isn’t in UTF-8."]
    problems += [f"it has more than {MAX_FILE_SIZE:,} bytes.", "it can’t be read (Is a directory)."]
    assert problems == [str(file.problem) for file in files]
    words = texts(options_layout(table(), {"story": files}))
    assert all(f"{name}.toml can’t be used: " in words for name in "abcd")
    assert ["0", "1"] == values(options_layout(table(), {"story": files}))


async def test_quotes_from_an_unusable_file_are_escaped(folder: Path) -> None:
    (folder / "a.toml").write_text("[free](https://x.yz)")
    quoting = replace(SPEC, options=Quoting)
    words = texts(options_layout(table(), await own_files(folder.parent, quoting)))
    assert "free" in words
    assert "](http" not in words


async def test_without_a_folder_or_a_file_option_no_files_are_offered(tmp_path: Path) -> None:
    assert {"story": ()} == await own_files(tmp_path, SPEC)
    plain = replace(SPEC, options=Options)
    assert {} == await own_files(tmp_path, plain)


async def problems_of(folder: Path, spec: GameSpec = SPEC) -> dict[str, str]:
    """Problems of the files for the option, by name; empty for a good one."""
    files = (await own_files(folder.parent, spec))["story"]
    return {str(file.name): str(file.problem or "") for file in files}


async def test_at_most_as_many_files_are_offered_as_a_menu_holds(folder: Path) -> None:
    for n in range(MAX_FILES):
        (folder / f"{n:02}.toml").write_text(f"Story {n}")
    assert [f"{n:02}.toml" for n in range(MAX_FILES)] == [*await problems_of(folder)]
    for n in range(MAX_FILES, MAX_FILES + 20):
        (folder / f"{n:02}.toml").write_text(f"Story {n}")
    files = await own_files(folder.parent, SPEC)
    offered = values(options_layout(table(story="gone"), files))
    assert ["0", "1", *(f"{OWN_FILE}{n:02}.toml" for n in range(MAX_FILES)), CURRENT_TEXT] == offered
    names = [str(file.name) for file in files["story"]]
    assert [*(f"{n:02}.toml" for n in range(MAX_FILES)), "20 more"] == names
    assert f"20 more can’t be used: no more than {MAX_FILES} files are offered." in texts(
        options_layout(table(), files)
    )


async def test_reading_a_pipe_does_not_block(folder: Path) -> None:
    os.mkfifo(folder / "pipe.toml")
    try:
        async with asyncio.timeout(5):
            assert {"pipe.toml": "it isn’t a file."} == await problems_of(folder)
    finally:
        os.close(os.open(folder / "pipe.toml", os.O_RDWR | os.O_NONBLOCK))  # frees the reader that waits


async def test_a_file_that_grows_while_being_read_is_still_too_long(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "log.toml").write_text("x" * (MAX_FILE_SIZE + 1))

    def small(found: os.stat_result) -> os.stat_result:
        return os.stat_result((*found[:6], 7, *found[7:10]))

    stat, fstat = os.stat, os.fstat
    monkeypatch.setattr(os, "stat", lambda *args, **more: small(stat(*args, **more)))
    monkeypatch.setattr(os, "fstat", lambda number: small(fstat(number)))
    assert {"log.toml": f"it has more than {MAX_FILE_SIZE:,} bytes."} == await problems_of(folder)


async def test_a_file_of_the_maximum_size_is_read(folder: Path) -> None:
    (folder / "long.toml").write_text("x" * MAX_FILE_SIZE)
    assert {"long.toml": ""} == await problems_of(folder)


async def test_byte_order_marks_and_windows_line_endings_are_removed(folder: Path) -> None:
    (folder / "mine.toml").write_bytes("\ufeffMy story\r\nOnce".encode())
    (file,) = (await own_files(folder.parent, SPEC))["story"]
    assert ("My story\nOnce", "My story") == (file.text, file.title)


AWKWARD = {
    "line\nbreak.toml": "line break.toml",
    "**loud**.toml": "??loud??.toml",
    "[a](b).toml": "?a?(b).toml",
    "<@1>.toml": "??1?.toml",
    "__init__.toml": "?init?.toml",
    "\udcff.toml": "?.toml",
    "\u202etxt.toml": "?txt.toml",
    "a" * 91 + ".toml": "a" * 59 + "…",
}
"""Name of a file -> how it is shown."""


@pytest.mark.parametrize("name", AWKWARD)
async def test_a_file_name_unsuitable_for_a_menu_is_escaped(name: str, folder: Path) -> None:
    (folder / name).write_text("My story")
    problem = (
        "its name is too long for a menu." if len(name) > 95 else "its name has characters that a menu doesn’t allow."
    )
    assert {AWKWARD[name]: problem} == await problems_of(folder)


async def test_many_broken_files_still_fit_in_the_options_message(folder: Path) -> None:
    for n in range(MAX_FILES + 9):
        (folder / f"{n:02}{'b' * 80}.toml").write_text("")
    spec = replace(SPEC, options=Wordy)
    layout = options_layout(table_of(spec, spec.seats[0]), await own_files(folder.parent, spec))
    assert MAX_FILES + 1 == texts(layout).count("can’t be used: ")
    lines = texts(layout).splitlines()
    assert MAX_FILES + 3 + len(SPEC.presets) == len(lines), "each file and preset, the heading and the option"
    assert len(texts(layout)) <= 4000
    assert len(parts(layout)) <= 40


async def test_an_error_in_one_file_does_not_affect_the_others(folder: Path, caplog: Any) -> None:
    (folder / "a.toml").write_text("5")
    (folder / "b.toml").write_text("0")
    assert {"a.toml": "", "b.toml": "the game can’t read it."} == await problems_of(
        folder, replace(SPEC, options=Divided)
    )
    (line,) = [record.getMessage() for record in caplog.records]
    assert f"the parser of the game failed on the file {folder / 'b.toml'}: ZeroDivisionError" in line


@pytest.mark.parametrize(
    "text", ["x = " + "[" * 9000, "x = " + "1" * 5000, "x = 0x" + "f" * 9000, "\0", "a" + ".a" * 2000]
)
@pytest.mark.parametrize("spec", [spec for spec in discover().values() if takes_files(spec)], ids=lambda s: s.slug)
async def test_every_game_explains_the_problem_of_a_strange_file(spec: GameSpec, text: str, tmp_path: Path) -> None:
    (tmp_path / spec.slug).mkdir()
    (tmp_path / spec.slug / "strange.toml").write_text(text)
    for files in (await own_files(tmp_path, spec)).values():
        (file,) = files
        assert str(file.problem) not in ("None", "the game can’t read it.")


async def test_a_chosen_text_is_shown_by_name_and_kept_when_its_file_is_gone(folder: Path) -> None:
    (folder / "mine.toml").write_text("My story\nOnce")
    files = await own_files(folder.parent, SPEC)
    chosen = table(story="My story\nOnce")
    assert ["0", "1", f"{OWN_FILE}mine.toml"] == values(options_layout(chosen, files))
    assert ["0", "1", CURRENT_TEXT] == values(options_layout(chosen))
    assert [CURRENT_TEXT] == [row["value"] for row in menu(options_layout(chosen)) if row.get("default")]
    assert "story: My story" in texts(lobby_layout(chosen))


def parts(layout: Layout) -> list[dict[str, Any]]:
    result: list[dict[str, Any]] = list(layout.to_components())  # type: ignore[no-untyped-call]  # of discord.py
    for part in result:
        result += part.get("components", ())
    return result


def texts(layout: Layout) -> str:
    return "\n".join(str(part["content"]) for part in parts(layout) if "content" in part)


def menu(layout: Layout) -> list[dict[str, Any]]:
    """The rows of the first menu."""
    rows: list[dict[str, Any]] = next(part["options"] for part in parts(layout) if "options" in part)
    return rows


def values(layout: Layout) -> list[str]:
    return [row["value"] for row in menu(layout)]

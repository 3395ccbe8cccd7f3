"""The operator's own texts for options that accept one: files in the data folder, one folder for each game.

A file is read when the lobby's options are opened. The match stores the chosen content as text, so later changes of the
file do not affect it. An invalid file is listed with its problem, and the others stay available.
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import os
import re
import stat
from pathlib import Path

from bot.errors import outline
from bot.tables.people import escaped
from engine.core import GameSpec
from engine.errors import EngineError, SetupError
from engine.texts import Text, rewrite, shortened
from engine.values import Value

_log = logging.getLogger(__name__)

MAX_FILES = 12
"""The most files offered; they share a menu with the fixed choices."""

MAX_FILE_SIZE = 20_000
"""The most bytes of a file, which is stored with every match that uses it."""

MAX_NAME_CHARS = 95
"""The most characters of a name: with its prefix, it is the value of a menu row, which has at most 100."""

MAX_SHOWN_NAME = 60
"""Maximum characters of the name of an invalid file, so that a message has room for several."""

MAX_SHOWN_ERROR = 200
"""The most characters of a game's error in the log; it may quote the whole file."""

AWKWARD = re.compile(r"[*`~|<>\[\]#@\\]|__")
"""Characters that Discord would read as markup."""


class OwnFile(Value):
    """A file for an option: its text with the title that the game gives it, or its problem."""

    name: str | Text
    text: str = ""
    title: str = ""
    problem: Text | None = None


OwnFiles = dict[str, tuple[OwnFile, ...]]
"""Name of an option -> its files, valid and invalid ones."""


async def own_files(data_dir: Path, spec: GameSpec) -> OwnFiles:
    """The files for all options of a game that accept one, read off the event loop."""
    return await asyncio.to_thread(_own_files, data_dir / spec.slug, spec)


def _own_files(folder: Path, spec: GameSpec) -> OwnFiles:
    takers = [field for field in dataclasses.fields(spec.options) if field.metadata.get("file")]
    if not takers:
        return {}
    paths, more = sorted(folder.glob("*.toml")), list[OwnFile]()
    if len(paths) > MAX_FILES:
        problem = Text("no more than {most} files are offered.", most=MAX_FILES)
        more.append(OwnFile(Text("{count} more", count=len(paths) - MAX_FILES), problem=problem))
    return {field.name: (*(_read_own_file(path, field) for path in paths[:MAX_FILES]), *more) for field in takers}


def _read_own_file(path: Path, field: dataclasses.Field[object]) -> OwnFile:
    try:
        text = _text(path)
        return OwnFile(path.name, text, field.metadata["file"](text))
    except EngineError as error:
        problem = error.text
    except UnicodeDecodeError:
        problem = Text("it isn’t in UTF-8.")
    except OSError as error:
        problem = Text("it can’t be read ({reason}).", reason=error.strerror)
    # the game's own parser reads the host's file, and may fail in any way
    except Exception as error:
        _log.warning("the parser of the game failed on the file %s: %s", path, shortened(repr(error), MAX_SHOWN_ERROR))
        _log.debug("it failed here: %s", outline(error))
        problem = Text("the game can’t read it.")
    return OwnFile(_printable(path.name), problem=problem)


def _text(path: Path) -> str:
    """The text of a file. Raises `SetupError` for an invalid file or file name."""
    if len(path.name) > MAX_NAME_CHARS:
        raise SetupError("name", Text("its name is too long for a menu."))
    if AWKWARD.search(path.name) or not path.name.isprintable():
        raise SetupError("name", Text("its name has characters that a menu doesn’t allow."))
    with open(path, "rb", opener=_without_waiting) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise SetupError("file", Text("it isn’t a file."))
        raw = file.read(MAX_FILE_SIZE + 1)  # it may have grown since the check
    if len(raw) > MAX_FILE_SIZE:
        raise SetupError("size", Text("it has more than {most} bytes.", most=MAX_FILE_SIZE))
    # some editors begin a file with a byte order mark and end lines as on Windows
    return raw.decode("utf-8-sig").replace("\r\n", "\n")


def _without_waiting(path: str, flags: int) -> int:
    """Open without blocking: opening a pipe would last until a writer opens it."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _printable(name: str) -> str:
    """A file name for a message, with `?` in place of markup and invisible characters."""
    line = "".join(sign if sign.isprintable() else " " if sign.isspace() else "?" for sign in name)
    return shortened(AWKWARD.sub("?", line), MAX_SHOWN_NAME)


def in_message(text: Text) -> Text:
    """The problem of a file for a message, with markup in quotations from the file escaped."""
    return rewrite(text, escaped)

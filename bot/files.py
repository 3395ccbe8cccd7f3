"""Texts of the host's own, for options of a game that take one: files in the data folder, a folder a game.

A file is read when the lobby's options are opened. What is chosen is stored with the match as a text, so the match goes
on as it began whatever becomes of the file.
"""

from __future__ import annotations

import asyncio
import dataclasses
from dataclasses import dataclass
from pathlib import Path

from engine import EngineError, GameSpec

MOST = 12
"""More files than these are not offered: they share a menu with the fixed choices."""

LARGEST = 20_000
"""Most bytes of a file; it is stored with every match that uses it."""


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A file for an option: its text and what the game calls it, or the problem that it has."""

    name: str
    text: str
    title: str
    problem: str = ""


OwnFiles = dict[str, tuple[OwnFile, ...]]
"""Name of an option -> the files for it, the usable ones and the others."""


async def own_files(data_dir: Path, spec: GameSpec) -> OwnFiles:
    """The files for all options of a game that take one, read off the event loop."""
    return await asyncio.to_thread(_own_files, data_dir / spec.slug, spec)


def _own_files(folder: Path, spec: GameSpec) -> OwnFiles:
    takers = [field for field in dataclasses.fields(spec.options) if field.metadata.get("file")]
    if not takers:
        return {}
    paths = sorted(folder.glob("*.toml"))[:MOST]
    return {field.name: tuple(_read(path, field) for path in paths) for field in takers}


def _read(path: Path, field: dataclasses.Field[object]) -> OwnFile:
    try:
        if path.stat().st_size > LARGEST:
            return OwnFile(path.name, "", "", f"it has more than {LARGEST} bytes.")
        text = path.read_text(encoding="utf-8")
        return OwnFile(path.name, text, field.metadata["file"](text))
    except EngineError as error:
        return OwnFile(path.name, "", "", error.sentence)
    except (OSError, UnicodeDecodeError) as error:
        return OwnFile(path.name, "", "", f"it cannot be read ({type(error).__name__}).")

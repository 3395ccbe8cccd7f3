"""The sources of a game under development: its package in a folder, an installed package, or a game of this bot."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bot.errors import StartError
from engine.discovery import GROUP, SLUG, installed_sources
from engine.values import Value

SUFFIXES = frozenset({".py", ".md", ".toml", ".po", ".svg", ".txt"})
"""Suffixes of the files that a game consists of."""

IGNORED_FOLDERS = frozenset({"__pycache__", "build", "dist", "tests", "venv"})
"""Folders without files of the game; hidden ones and `*.egg-info` are ignored as well."""


class GameSource(Value):
    """A game with the folders of its files. `package` is the folder of a package that need not be installed."""

    slug: str
    folders: tuple[Path, ...]
    package: Path | None = None

    def state(self) -> dict[Path, int]:
        """Path -> modification time in nanoseconds, for all files of the game."""
        times = {}
        for file in (file for folder in self.folders for file in _files(folder)):
            # An editor may replace a file just now.
            with suppress(FileNotFoundError):
                times[file] = file.stat().st_mtime_ns
        return times

    def environment(self, data: Path) -> dict[str, str]:
        """Environment variables with which a Python process finds the game. May write to the folder `data`."""
        # Compiled files are recognized by size and second, so a quick edit could go unnoticed.
        environment = {"PYTHONDONTWRITEBYTECODE": "1"}
        if self.package is not None:
            _write_metadata(self.package, metadata := data / "package")
            places = (metadata, self.package / "src", self.package)
            path = [str(place) for place in places if place.is_dir()]
            environment["PYTHONPATH"] = os.pathsep.join([*path, *filter(None, [os.environ.get("PYTHONPATH")])])
        return environment


def source_of(name: str) -> GameSource:
    """The source of a game, given its slug or the folder of its package. Raises `StartError`."""
    if not SLUG.fullmatch(name) or (Path(name) / "pyproject.toml").is_file():
        return _package(Path(name))
    installed = next((source.module for source in installed_sources() if source.slug == name), "")
    module = installed or f"engine.games.{name}"
    top = module.partition(".")[0] if installed else module
    folders = [_folder(top), *([] if installed else [_folder(f"renders.games.{name}")])]
    if folders[0] is None:
        raise StartError(
            f"There is no game {name}, and no folder {name} with a pyproject.toml. "
            f"`caravanserai new-game {name}` writes a package to begin with."
        )
    return GameSource(name, tuple(folder for folder in folders if folder is not None))


def _package(folder: Path) -> GameSource:
    folder = folder.resolve()
    games = list(_project(folder).get("entry-points", {}).get(GROUP, {}))
    if len(games) != 1:
        raise StartError(
            f"{folder / 'pyproject.toml'} needs one entry point in the group {GROUP}; it has {len(games)}."
        )
    return GameSource(games[0], (folder,), folder)


def _project(folder: Path) -> dict[str, Any]:
    """The table `project` of a `pyproject.toml`. Raises `StartError`."""
    file = folder / "pyproject.toml"
    try:
        project: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
    except OSError as error:
        raise StartError(f"{file} cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError) as error:
        raise StartError(f"{file} does not describe a package: {error}.") from None
    return project


def _write_metadata(package: Path, target: Path) -> None:
    """Write the metadata of a package as an installer does, so that Python finds its entry point."""
    project = _project(package)
    name, version = project.get("name", package.name), project.get("version", "0")
    folder = target / f"{name.replace('-', '_')}-{version}.dist-info"
    folder.mkdir(parents=True, exist_ok=True)
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    (folder / "METADATA").write_text(metadata, encoding="utf-8")
    points = "".join(f"{game} = {module}\n" for game, module in project["entry-points"][GROUP].items())
    (folder / "entry_points.txt").write_text(f"[{GROUP}]\n{points}", encoding="utf-8")


def _folder(module: str) -> Path | None:
    """The folder of a package, or the file of a module; `None` if there is neither."""
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:
        return None
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent if spec.submodule_search_locations else Path(spec.origin)


def _files(place: Path) -> Iterator[Path]:
    """The files of a game in a folder, or the file itself."""
    if place.is_file():
        yield place
    for folder, subfolders, names in os.walk(place):
        subfolders[:] = [name for name in subfolders if not _is_ignored(name)]
        yield from (Path(folder, name) for name in names if Path(name).suffix in SUFFIXES)


def _is_ignored(folder: str) -> bool:
    return folder in IGNORED_FOLDERS or folder.startswith(".") or folder.endswith(".egg-info")

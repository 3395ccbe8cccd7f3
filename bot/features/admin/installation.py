"""Checks of the bot's files and games at its start."""

from __future__ import annotations

import logging
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

from engine.games import discover_all

_log = logging.getLogger(__name__)

PRERENDERED = Path(__file__).parents[3] / "renders" / "prerendered"
"""Equals `renders.grounds.FOLDER`, which has drawings made at installation, without importing `renders`."""


def check(data_dir: Path, dotenv: Path = Path(".env"), prerendered: Path = PRERENDERED) -> None:
    """Log a warning for each problem of the files, with the command that fixes it."""
    if _is_world_readable(dotenv):
        _log.warning("all users of this machine can read %s, which contains secrets: chmod 600 %s", dotenv, dotenv)
    if _is_world_readable(data_dir):
        _log.warning("all users of this machine can read DATA_DIR: chmod 700 %s", data_dir)
    if not any(prerendered.glob("*.png")):
        _log.warning(
            "no drawings are prerendered, so the first pictures take longer; to draw them: %s -m renders.prerendering",
            sys.executable,
        )


def load_games() -> None:
    """Load all games, and log a warning for each that cannot be used."""
    for problem in discover_all().problems:
        _log.warning("%s", problem)


def _is_world_readable(place: Path) -> bool:
    """Whether a file or folder exists, and other users than its owner and group may read it."""
    with suppress(OSError):
        # on Windows, the mode does not describe read access
        return os.name == "posix" and bool(place.stat().st_mode & stat.S_IROTH)
    return False

"""What the operator should know about the bot's files when it starts."""

from __future__ import annotations

import logging
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

from engine.games import discovered

_log = logging.getLogger(__name__)

PRERENDERED = Path(__file__).parents[2] / "renders" / "prerendered"
"""What `renders.grounds` calls `FOLDER`: drawings made when the program was installed. A start need not import that."""


def check(data_dir: Path, dotenv: Path = Path(".env"), prerendered: Path = PRERENDERED) -> None:
    """Log a line for each thing that is not as it should be, with the command that mends it."""
    if _open_to_all(dotenv):
        _log.warning("everybody on this machine can read %s, which holds secrets: chmod 600 %s", dotenv, dotenv)
    if _open_to_all(data_dir):
        _log.warning("everybody on this machine can look into DATA_DIR: chmod 700 %s", data_dir)
    for problem in discovered().problems:
        _log.warning("%s", problem)
    if not any(prerendered.glob("*.png")):
        _log.warning(
            "no drawings were made ahead, so first pictures take longer: %s -m renders.prerendering", sys.executable
        )


def _open_to_all(place: Path) -> bool:
    """Whether others than owner and group may read what is there, if anything is."""
    with suppress(OSError):
        # on Windows, the mode does not say who may read
        return os.name == "posix" and bool(place.stat().st_mode & stat.S_IROTH)
    return False

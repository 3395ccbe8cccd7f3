"""Where processes that tests and benchmarks start keep what they compile."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def compile_once(folder: Path) -> None:
    """Where compiled files are not wanted beside their sources, they go to a folder, for all that is started."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(folder.absolute())
        sys.dont_write_bytecode = False

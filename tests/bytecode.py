"""Folder of compiled files for the processes that tests and benchmarks start."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def compile_once(folder: Path) -> None:
    """Let all processes compile into a folder, where compiled files are not wanted beside their sources."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(folder.absolute())
        sys.dont_write_bytecode = False

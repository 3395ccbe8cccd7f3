"""A copy of the tree in which one thing at a time is changed, and what the tests say to it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from playground import schema

ROOT = Path(__file__).parents[2]
GUARD = Path(__file__).parent / "guard"
FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)


class Scratch:
    """The tree as it stands, copied to `folder`; what runs there reaches nothing but this machine."""

    def __init__(self, folder: Path) -> None:
        self._tree = folder / "tree"
        self._home = folder / "home"
        self._stamp = time.time() - 10**6
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        for name in filter(None, names.split("\0")):
            if (ROOT / name).is_file():
                (self._tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / name, self._tree / name)
        self._home.mkdir()

    def read(self, name: str) -> str:
        """A source as it stands here."""
        return (self._tree / name).read_text(encoding="utf-8")

    def write(self, name: str, source: str) -> None:
        """Put a source in its place."""
        path = self._tree / name
        path.write_text(source, encoding="utf-8")
        self._stamp += 2  # compiled files are known by the time of their source, in seconds
        os.utime(path, (self._stamp, self._stamp))

    def run(self, tests: Sequence[str], limit: float | None = None) -> str:
        """Run tests. Returns the first that failed, `too slow` after `limit` seconds, or nothing if all passed."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
        running = subprocess.Popen(
            command,
            cwd=self._tree,
            env=self._environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            output, _ = running.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            return "too slow"
        finally:
            _end(running)
        if running.returncode == 0:
            return ""
        found = FAILED.search(output)
        return found[1] if found else output[-2000:]

    def _environment(self) -> dict[str, str]:
        """Nothing of the caller's but the path to programs: no token, no database, no proxy."""
        document = schema.find_file()
        return {
            "PATH": os.environ.get("PATH", ""),
            "HOME": str(self._home),
            "TMPDIR": str(self._home),
            "PYTHONPATH": str(GUARD),
            **({"DISCORD_OPENAPI": str(document)} if document else {}),
        }


def _end(leader: subprocess.Popen[str]) -> None:
    """End a process with all it has started."""
    with suppress(ProcessLookupError):
        os.killpg(leader.pid, signal.SIGKILL)
    leader.wait()

"""Keeping the bot from drawing, for as long as a test wants to see what happens meanwhile."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Easel:
    """A file beside a bot that is started with `env`; whoever holds it makes every picture wait."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "easel"
        self._file.touch()
        self.env = {"EASEL": str(self._file)}

    @contextmanager
    def held(self) -> Iterator[None]:
        """No picture is begun from here to the end of the block."""
        with self._file.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

"""Hold the bot at a point for as long as a test wants."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

DRAWING, READING = "HOLD_DRAWING", "HOLD_READING"
"""Variables that keep the steady bot from something: from pictures, and from reading the games at its start."""


class Hold:
    """A file beside a bot that is started with `env`; while it is held, `what` waits."""

    def __init__(self, folder: Path, what: str) -> None:
        self._file = folder / what.lower()
        self._file.touch()
        self.env = {what: str(self._file)}

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold it back until the end of the block: the bot begins none of it."""
        with self._file.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def wait_until_free(file: str) -> None:
    """Return once the file is free."""
    with open(file, "rb") as held:
        fcntl.flock(held, fcntl.LOCK_SH)

"""One process a database: two would each play on a copy of a match that the other one has moved on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import lock_descriptor

from bot.errors import StartError
from bot.store.file_systems import ADVICE, network_file_system, network_problem

OWNER_ONLY = 0o600
"""The mode of the database and of all files beside it."""


@contextmanager
def alone_with(place: Path) -> Iterator[None]:
    """The right to use a database, which ends with this process, however that ends.

    A file beside the database is locked, not the database: other tools may go on reading it.

    Raises:
        StartError: another process has the right, or the place cannot be locked.
    """
    try:
        file = os.open(f"{place}.lock", os.O_RDWR | os.O_CREAT, OWNER_ONLY)
    except OSError as error:
        raise _unwritable(place, error) from None
    try:
        if not _locked(file, place):
            raise StartError(
                f"Another Caravanserai, process {_holder(file)}, already uses {place}. "
                f"Stop it first, or give this one a folder of its own with DATA_DIR.{_of_network(place)}"
            )
        _sign(file, place)
        yield
    finally:
        # the file itself stays: if it were deleted, two processes could each lock a file of this name
        os.close(file)


def _of_network(place: Path) -> str:
    """On a network file system, the other process may be on another machine, or gone without its lock."""
    kind = network_file_system(place)
    return f" This is a network file system ({kind}), so it may run on another machine. {ADVICE}" if kind else ""


def _unwritable(place: Path, error: OSError) -> StartError:
    return StartError(
        network_problem(place, str(error.strerror))
        or f"{place}.lock cannot be written: {error.strerror}. Check its disk and who owns the folder, or set DATA_DIR."
    )


def _locked(file: int, place: Path) -> bool:
    try:
        return lock_descriptor(file, blocking=False)
    except OSError as error:
        raise StartError(
            network_problem(place, f"files cannot be locked there ({error.strerror})")
            or f"{place} is on a file system where files cannot be locked: {error.strerror}. {ADVICE}"
        ) from None


# Windows locks the first byte of the file even against reading, so the number is written after it.


def _sign(file: int, place: Path) -> None:
    try:
        os.lseek(file, 1, os.SEEK_SET)
        os.write(file, b"%d\n" % os.getpid())
    except OSError as error:
        raise _unwritable(place, error) from None


def _holder(file: int) -> str:
    try:
        os.lseek(file, 1, os.SEEK_SET)
        # nothing there yet: the other process writes its number after it has taken the lock
        return os.read(file, 20).partition(b"\n")[0].decode(errors="replace") or "just started"
    except OSError:
        return "unknown"

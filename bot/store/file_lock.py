"""The lock of a database file: with two processes, each would play on an outdated copy of the other one's matches."""

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
def exclusive_lock(place: Path) -> Iterator[None]:
    """Hold the lock of a database. The system releases it when the process ends, even after a kill.

    It locks a file beside the database, not the database itself, so that other tools can still read it.

    Raises:
        StartError: another process has the lock, or the file cannot be locked.
    """
    try:
        file = os.open(f"{place}.lock", os.O_RDWR | os.O_CREAT, OWNER_ONLY)
    except OSError as error:
        raise _unwritable(place, error) from None
    try:
        if not _try_lock(file, place):
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
    """A hint for network file systems, where the other process may be on another machine, or have left its lock."""
    kind = network_file_system(place)
    return f" This is a network file system ({kind}), so it may run on another machine. {ADVICE}" if kind else ""


def _unwritable(place: Path, error: OSError) -> StartError:
    return StartError(
        network_problem(place, str(error.strerror))
        or f"{place}.lock cannot be written: {error.strerror}. Check its disk and who owns the folder, or set DATA_DIR."
    )


def _try_lock(file: int, place: Path) -> bool:
    try:
        return lock_descriptor(file, blocking=False)
    except OSError as error:
        raise StartError(
            network_problem(place, f"files cannot be locked there ({error.strerror})")
            or f"{place} is on a file system where files cannot be locked: {error.strerror}. {ADVICE}"
        ) from None


# On Windows, other processes cannot read the locked first byte, so the process id comes after it.


def _sign(file: int, place: Path) -> None:
    try:
        os.lseek(file, 1, os.SEEK_SET)
        os.write(file, b"%d\n" % os.getpid())
    except OSError as error:
        raise _unwritable(place, error) from None


def _holder(file: int) -> str:
    try:
        os.lseek(file, 1, os.SEEK_SET)
        # empty if the other process has the lock and has not written its id yet
        return os.read(file, 20).partition(b"\n")[0].decode(errors="replace") or "just started"
    except OSError:
        return "unknown"

"""What takes long to make, kept in a folder from one start to the next, by the hash of all that it is made of."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import get_ident

from zlib_ng import zlib_ng

ROOM = 64_000_000
"""Bytes that a folder may take: several times what all games need, each with every size of its pieces."""

EFFORT = 1
"""Of the compression: what is read at every start has to be read quickly."""


class DiskCache:
    """A folder of compressed bytes. Whatever goes wrong with it costs time, and nothing else."""

    def __init__(self, folder: Path, room: int = ROOM) -> None:
        """A folder that has outgrown its room is emptied: what is still of use is soon made again."""
        self._folder = folder
        self._free = room - _taken(folder)
        if self._free <= 0:
            _empty(folder)
            self._free = room - _taken(folder)

    def get_or(self, made_of: bytes, size: int, make: Callable[[], bytes]) -> bytes:
        """The `size` bytes that are always made of the same, read from the folder or made and written there."""
        if (found := self.get(made_of, size)) is not None:
            return found
        made, digest = make(), sha256(made_of)
        self._write(self._path(digest.hexdigest()), zlib_ng.compress(digest.digest() + made, EFFORT))
        return made

    def get(self, made_of: bytes, size: int) -> bytes | None:
        """The same, if they are in the folder."""
        digest = sha256(made_of)
        found = _read(self._path(digest.hexdigest()), digest.digest())
        return found if found is not None and len(found) == size else None

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.kept"

    def _write(self, path: Path, data: bytes) -> None:
        """Beside its place and then there, so that nobody ever reads a part of it."""
        if len(data) > self._free:
            return
        aside = path.with_suffix(f".{os.getpid()}-{get_ident()}.kept")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            aside.write_bytes(data)
            aside.replace(path)
            self._free -= len(data)
        except OSError:  # no such folder can be made, it may not be written to, or its disk is full
            self._free = 0


def _read(path: Path, digest: bytes) -> bytes | None:
    """What was written under a digest; nothing if that is not what the file holds."""
    try:
        data = zlib_ng.decompress(path.read_bytes())
    except (OSError, zlib_ng.error):  # type: ignore[misc]  # its stub takes this class for an instance
        return None
    return data[len(digest) :] if data.startswith(digest) else None


def _taken(folder: Path) -> int:
    """Bytes of all that is kept in a folder."""
    size = 0
    for path in folder.glob("*.kept"):
        with suppress(OSError):  # another process was quicker
            size += path.stat().st_size
    return size


def _empty(folder: Path) -> None:
    for path in folder.glob("*.kept"):
        with suppress(OSError):  # another process was quicker, or the folder may not be written to
            path.unlink()


BAKED = Path(__file__).parent / "baked"
"""What was made when the program was installed, by `renders.baking`; it may be missing, and is only read."""

_cache: DiskCache | None = None


def keep_in(folder: Path | None) -> None:
    """From now on keep in this folder, shared by all of the process, what took long to make; without one, nowhere."""
    global _cache
    _cache = DiskCache(folder) if folder else None


def kept(made_of: bytes, size: int, make: Callable[[], bytes]) -> bytes:
    """The `size` bytes that are always made of the same, from what was baked, or from the cache if there is one."""
    if (found := _baked().get(made_of, size)) is not None:
        return found
    return _cache.get_or(made_of, size, make) if _cache else make()


@cache
def _baked() -> DiskCache:
    return DiskCache(BAKED)

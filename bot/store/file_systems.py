"""Detection of network file systems, where SQLite's locks and shared memory do not work."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

NETWORK = re.compile(
    r"nfs\d?|cifs|smb\d?|smbfs|9p|afs|ceph|glusterfs|lustre|beegfs|gpfs|ocfs2|gfs2|davfs\d?|ncpfs|vboxsf|prl_fs"
    r"|fuse(\..+)?"
)
"""Linux file systems on another machine, or in a process that may not support locks and shared memory."""

LOCAL_FUSE = re.compile(r"fuse\.(fuse-overlayfs|mergerfs|lxcfs)")

MOUNTS = Path("/proc/self/mountinfo")

ADVICE = "Set DATA_DIR to a folder on a disk of this machine, or keep the games on a PostgreSQL server."


def network_file_system(place: Path, mounts: Path | None = None) -> str | None:
    """The kind of network file system that a file or folder is on, such as `nfs4`; `None` for a local one.

    Outside Linux, every file system counts as local.
    """
    path = os.path.realpath(place)
    with suppress(OSError, LookupError, ValueError):
        # of two mounts on the same folder, the later one hides the earlier one
        matches = [
            (len(point), n, kind) for n, (point, kind) in enumerate(_mounts(mounts or MOUNTS)) if _is_below(path, point)
        ]
        kind = max(matches)[2]
        return kind if NETWORK.fullmatch(kind) and not LOCAL_FUSE.fullmatch(kind) else None
    return None


def network_problem(place: Path, problem: str) -> str | None:
    """The error message for a problem with a file on a network file system; `None` for a local one."""
    if kind := network_file_system(place):
        return f"{place} is on a network file system ({kind}), which SQLite cannot use safely: {problem}. {ADVICE}"
    return None


def _mounts(mounts: Path) -> list[tuple[str, str]]:
    """All mount points with the kinds of their file systems, in the order of mounting."""
    pairs = []
    # https://docs.kernel.org/filesystems/proc.html: optional fields end with a single hyphen
    for line in mounts.read_text("utf-8", "surrogateescape").rstrip("\n").split("\n"):
        before, _, after = line.partition(" - ")
        pairs.append((_unescape(before.split(" ")[4]), after.split(" ")[0]))
    return pairs


def _unescape(point: str) -> str:
    """A mount point without the kernel's octal escapes of spaces, tabs, line breaks and backslashes."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), point)


def _is_below(path: str, point: str) -> bool:
    return path == point or path.startswith(point.rstrip("/") + "/")

"""The version of the installed program."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

DISTRIBUTION = "caravanserai-bot"
"""Not `caravanserai`, which is another program on the package index."""


def current_version() -> str:
    """The version of the distribution; `unknown` if the sources run without an installation."""
    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return "unknown"

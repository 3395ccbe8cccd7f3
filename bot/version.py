"""The version of the program that is installed."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

DISTRIBUTION = "caravanserai-bot"
"""Not `caravanserai`, which is the name of another program on the package index."""


def current_version() -> str:
    """The version of the distribution; `unknown` where the sources run without having been installed."""
    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return "unknown"

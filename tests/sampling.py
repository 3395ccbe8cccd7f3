"""Extent of the tests: a sample by `make test`, everything by `make soak`."""

from __future__ import annotations

import os

EVERYTHING = "EVERYTHING" in os.environ
"""Whether every case is tried, however long that takes."""


def every(interval: int) -> int:
    """An interval between the cases, positions or games of a sample, 1 if everything is tried."""
    return 1 if EVERYTHING else interval

"""Turns that are not confirmed yet, one a seat."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Draft:
    """A turn that is not confirmed: what was chosen, in order, for a decision that has been open since `version`."""

    version: int
    notations: tuple[str, ...]

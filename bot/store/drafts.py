"""Drafts: turns that are not confirmed yet, one for each seat."""

from __future__ import annotations

from engine.values import Value


class Draft(Value):
    """An unconfirmed turn: the chosen actions in order, for a decision that has been open since `version`."""

    version: int
    notations: tuple[str, ...]

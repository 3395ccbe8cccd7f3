"""Planned turns: a seat prepares them while others are on turn."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlannedTurn:
    """A turn that is played once it begins, if its preview still has the same sentences.

    `notations` are the actions in order. `sentences` are the events and points of the preview that the player saw, in
    English and with numbers as names, so that they do not depend on languages or on who plays.
    """

    notations: tuple[str, ...]
    sentences: tuple[str, ...]

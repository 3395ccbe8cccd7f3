"""Planned turns: a seat prepares them while others are on turn."""

from __future__ import annotations

from dataclasses import replace

from engine.values import Value


class PlannedTurn(Value):
    """A turn that is played once it begins, if its preview still has the same sentences.

    `notations` are the actions in order. `sentences` are the events and points of the preview that the player saw, in
    English and with numbers as names, so that they do not depend on languages or on who plays. The fields of the
    alternative are the same; they are empty without one.
    """

    notations: tuple[str, ...]
    sentences: tuple[str, ...]
    alternative_notations: tuple[str, ...] = ()
    alternative_sentences: tuple[str, ...] = ()

    @property
    def alternative(self) -> PlannedTurn | None:
        """The turn that is played in place of this one if this one would do something else."""
        if not self.alternative_notations:
            return None
        return PlannedTurn(self.alternative_notations, self.alternative_sentences)

    def with_alternative(self, other: PlannedTurn) -> PlannedTurn:
        """The turn with another one as its alternative."""
        return replace(self, alternative_notations=other.notations, alternative_sentences=other.sentences)

"""Games by seed: the positions and moves that everything is measured on."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from engine.core import Action, GameSpec, OptionValue, View
from engine.match import Entry, Match
from engine.texts import Seat


class Walk:
    """A random game of people, with forced answers given at once as the bot gives them."""

    def __init__(self, spec: GameSpec, seats: int, seed: str, options: Mapping[str, OptionValue] | None = None) -> None:
        self.match = Match.begin(spec, spec.setup(seats, options), seed)
        self._rng = Random(f"hands of {seed}")
        self._go_on()

    @property
    def over(self) -> bool:
        return not self.match.state.decisions()

    def choose(self) -> tuple[Seat, Action]:
        """A seat that is due, and one of its options."""
        decision = self._rng.choice(self.match.state.decisions())
        return decision.seat, self._rng.choice(decision.options)

    def choose_by_taps(self) -> tuple[Seat, list[Action], list[Action]]:
        """A seat that is due, all actions that *Confirm* will play, and those among them that the player chooses.

        The bot does not ask for forced and usual answers.
        """
        seat, actions, choices = self._rng.choice(self.match.state.decisions()).seat, list[Action](), list[Action]()
        while decision := next((d for d in self.match.ahead(seat, actions).state.decisions() if d.seat == seat), None):
            unasked = decision.options[0] if decision.forced else decision.usual
            actions.append(unasked or self._rng.choice(decision.options))
            choices += [] if unasked else actions[-1:]
        return seat, actions, choices

    def play(self, seat: Seat, action: Action) -> tuple[tuple[Entry, ...], bool]:
        """The new entries, and whether the seat has finished, so that a board is due in the channel."""
        first = len(self.match.entries)
        self.match.play(seat, action)
        self._go_on()
        due = {decision.seat for decision in self.match.state.decisions()}
        return tuple(self.match.entries[first:]), seat not in due

    def _go_on(self) -> None:
        while (forced := next((d for d in self.match.state.decisions() if d.automatic), None)) is not None:
            self.match.play(forced.seat, forced.options[0])


def finished_match(spec: GameSpec, seats: int, seed: str) -> Match:
    """A match played to its end."""
    walk = Walk(spec, seats, seed)
    while not walk.over:
        walk.play(*walk.choose())
    return walk.match


def late_boards(spec: GameSpec, seats: int, seed: str) -> list[View[Any]]:
    """Views of the channel after each turn of the second half of a game, where the board is fullest."""
    walk = Walk(spec, seats, seed)
    views: list[View[Any]] = []
    since = walk.match.version
    while not walk.over:
        _, board_due = walk.play(*walk.choose())
        if board_due:
            views.append(walk.match.view(None, since=since))
            since = walk.match.version
    return views[len(views) // 2 :]

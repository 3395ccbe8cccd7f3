"""Seeded games: the positions and moves that everything is measured on."""

from __future__ import annotations

from random import Random

from engine import Action, Entry, GameSpec, Match, Seat, View


class Walk:
    """A random game of people, with forced answers given at once as the bot gives them."""

    def __init__(self, spec: GameSpec, seats: int, seed: str) -> None:
        self.match = Match.begin(spec, spec.setup(seats), seed)
        self._rng = Random(f"hands of {seed}")
        self._go_on()

    @property
    def over(self) -> bool:
        return not self.match.state.decisions()

    def choose(self) -> tuple[Seat, Action]:
        """Somebody who is due, and one of the options."""
        decision = self._rng.choice(self.match.state.decisions())
        return decision.seat, self._rng.choice(decision.options)

    def play(self, seat: Seat, action: Action) -> tuple[tuple[Entry, ...], bool]:
        """The new entries, and whether the seat has finished, so that a board is due in the channel."""
        first = len(self.match.entries)
        self.match.play(seat, action)
        self._go_on()
        due = {decision.seat for decision in self.match.state.decisions()}
        return tuple(self.match.entries[first:]), seat not in due

    def _go_on(self) -> None:
        while (forced := next((d for d in self.match.state.decisions() if d.forced), None)) is not None:
            self.match.play(forced.seat, forced.options[0])


def finished(spec: GameSpec, seats: int, seed: str) -> Match:
    """A match played to its end."""
    walk = Walk(spec, seats, seed)
    while not walk.over:
        walk.play(*walk.choose())
    return walk.match


def late_boards(spec: GameSpec, seats: int, seed: str) -> list[View]:
    """What the channel sees after each turn of the second half of a game, where the board is fullest."""
    walk = Walk(spec, seats, seed)
    views: list[View] = []
    since = walk.match.ply
    while not walk.over:
        _, board_due = walk.play(*walk.choose())
        if board_due:
            views.append(walk.match.view(None, since=since))
            since = walk.match.ply
    return views[len(views) // 2 :]

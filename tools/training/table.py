"""The file of a game's weights, which `engine.evaluation` reads, with the figures that justify them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.evaluation import Weights
from tools.arena.figures import wilson

HEAD = """\
# What a position is worth: the weights of the features in evaluation.py, at the beginning, in the middle and at the
# end of a game. Written by `make train GAME={slug}`, never by hand. The losses are those of positions that were not
# used to fit.
"""


@dataclass(frozen=True)
class Figures:
    """The quality of weights: log-loss of all features, of points and of equal shares; wins against points."""

    games: int
    positions: int
    loss: float
    loss_of_points: float
    loss_of_equal_shares: float
    trials: Sequence[float]
    seats: int

    def lines(self) -> list[str]:
        """The figures as lines of the file."""
        won = sum(self.trials) / len(self.trials)
        low, high = wilson(won, len(self.trials))
        against = f"{won:.0%} of {len(self.trials)} ({low:.0%} to {high:.0%}), fair {1 / self.seats:.0%}"
        return [
            f"games = {self.games}",
            f"positions = {self.positions}",
            f"log_loss = {self.loss:.3f}",
            f"log_loss_of_points_alone = {self.loss_of_points:.3f}",
            f"log_loss_of_equal_shares = {self.loss_of_equal_shares:.3f}",
            f'wins_against_points = "{against}"',
        ]


def format_table(slug: str, old: str, new: Mapping[int, tuple[Weights, Figures]]) -> str:
    """The file with new parts for these numbers of seats; parts for others are unchanged."""
    parts = _parts(old)
    for seats, (weights, figures) in new.items():
        width = max(map(len, weights.features))
        table = [f"{name:{width}} = {_numbers(knots)}" for name, knots in weights.features.items()]
        head = [f"[seats.{seats}]", f"points_alone = {_numbers(weights.points_alone)}", "", f"[seats.{seats}.figures]"]
        parts[seats] = "\n".join([*head, *figures.lines(), "", f"[seats.{seats}.weights]", *table, ""])
    return "\n".join([HEAD.format(slug=slug), *(parts[seats] for seats in sorted(parts))])


def with_knots(old: str, seats: int, feature: str, knots: Sequence[float]) -> str:
    """The file with another weight of one feature for this number of seats."""
    parts = _parts(old)
    line = re.compile(rf"^({re.escape(feature)} *)=.*$", re.MULTILINE)
    parts[seats] = line.sub(lambda match: f"{match[1]}= {_numbers(knots)}", parts[seats])
    head, *_ = old.partition("[seats.")
    return "\n".join([head.rstrip() + "\n", *(parts[n] for n in sorted(parts))])


def _numbers(knots: Sequence[float]) -> str:
    return f"[{', '.join(f'{knot:8.4f}' for knot in knots)}]"


def _parts(text: str) -> dict[int, str]:
    """Number of seats -> part of the file."""
    # The added line break lets the split find a table in the first line.
    _, *parts = f"\n{text}".split("\n[seats.")
    tables: dict[int, list[str]] = {}
    # One digit: no game has ten seats.
    for part in parts:
        tables.setdefault(int(part[0]), []).append(f"[seats.{part.rstrip()}\n")
    return {seats: "\n".join(own) for seats, own in tables.items()}

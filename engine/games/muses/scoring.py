"""The will of Apollo, ranks, bonus and winner (rules 7 to 9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.games.muses.floor import NEUTRAL, TOP, Floor

NOBODY = -1
"""The company that wins a rank nobody wins."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """How the dice of the companies compare.

    `dice` are those of each company, falling. `winners` has the company of each rank, or `NOBODY`.
    """

    dice: tuple[tuple[int, ...], ...]
    winners: tuple[int, ...]

    def points(self, company: int) -> int:
        """One for each rank it wins."""
        return self.winners.count(company)

    @property
    def bonus(self) -> int:
        """The company that wins the first rank anybody wins, or `NOBODY`."""
        return next((winner for winner in self.winners if winner != NOBODY), NOBODY)

    def won(self, company: int) -> tuple[int, ...]:
        """The ranks it wins, counted from 1."""
        return tuple([rank for rank, winner in enumerate(self.winners, 1) if winner == company])


def apollo(floor: Floor, suns: Sequence[int]) -> Floor:
    """Every die that shows as many as its tile has suns becomes 6; all tiles lie face up."""
    rows = zip(floor.tiles, floor.values, strict=True)
    values = tuple(TOP if value == suns[tile] else value for tile, value in rows)
    return Floor(floor.tiles, floor.cells, values, floor.colors)


def ranking(floor: Floor, companies: int) -> Ranking:
    """Compare the dice rank by rank; the Neutral die takes no part."""
    dice: list[list[int]] = [[] for _ in range(companies)]
    for value, color in sorted(zip(floor.values, floor.colors, strict=True), reverse=True):
        if color != NEUTRAL:
            dice[color].append(value)
    winners = []
    # While tiles are laid some companies have fewer dice: ranks that all of them have are compared.
    for values in zip(*dice, strict=False):
        best = max(values)
        # Several with the highest die: nobody gets the point (rule 8.1).
        winners.append(values.index(best) if values.count(best) == 1 else NOBODY)
    return Ranking(tuple(map(tuple, dice)), tuple(winners))


def bonus_size(hand: int, hands: int, *, paid: bool) -> int:
    """Points of the bonus: 2 in the last hand of several if an earlier one has paid a bonus, else 1 (rule 8.2)."""
    # Of three hands only the last, even if the target ends the game before it: nobody knows that in time (rule 12).
    return 2 if paid and hand == hands > 1 else 1


def winners(points: Sequence[int], bonuses: Sequence[int], sums: Sequence[int]) -> tuple[int, ...]:
    """The companies that win: most points, then bonus points, then sum of dice; what is equal then is shared."""
    keys = list(zip(points, bonuses, sums, strict=True))
    # Compared in this order (rule 9); who is equal in all three shares the win.
    return tuple(company for company, key in enumerate(keys) if key == max(keys))

"""The will of Apollo, ranks, bonus and winners (rules 7 to 9)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.muses.floor import NEUTRAL, TOP, Floor
from engine.texts import Text
from engine.values import Value

NOBODY = -1
"""The winner of a rank without a winner."""


class Ranking(Value):
    """The comparison of the companies' dice.

    `dice` has the dice of each company in descending order, `winners` the winner of each rank, or `NOBODY`.
    """

    dice: tuple[tuple[int, ...], ...]
    winners: tuple[int, ...]

    def points(self, company: int) -> int:
        """The points of a company: one for each rank that it wins."""
        return self.winners.count(company)

    @property
    def bonus(self) -> int:
        """The winner of the first rank with a winner, or `NOBODY`."""
        return next((winner for winner in self.winners if winner != NOBODY), NOBODY)

    def won(self, company: int) -> tuple[int, ...]:
        """The ranks that a company wins, counted from 1."""
        return tuple([rank for rank, winner in enumerate(self.winners, 1) if winner == company])


def apply_apollo(floor: Floor, suns: Sequence[int]) -> Floor:
    """The floor after the will of Apollo: a die equal to the suns of its tile becomes 6. All tiles must be face up."""
    rows = zip(floor.tiles, floor.values, strict=True)
    values = tuple(TOP if value == suns[tile] else value for tile, value in rows)
    return Floor(floor.tiles, floor.cells, values, floor.colors)


def ranking(floor: Floor, companies: int) -> Ranking:
    """Compare the dice rank by rank, without the Neutral die."""
    dice: list[list[int]] = [[] for _ in range(companies)]
    for value, color in sorted(zip(floor.values, floor.colors, strict=True), reverse=True):
        if color != NEUTRAL:
            dice[color].append(value)
    winners = []
    # While tiles are laid, some companies have fewer dice: only ranks that all companies have are compared.
    for values in zip(*dice, strict=False):
        best = max(values)
        # If several companies have the highest die, the rank has no winner (rule 8.1).
        winners.append(values.index(best) if values.count(best) == 1 else NOBODY)
    return Ranking(tuple(map(tuple, dice)), tuple(winners))


def bonus_size(hand: int, hands: int, *, paid: bool) -> int:
    """The points of the bonus: 2 in the last of several hands if an earlier one paid a bonus, or else 1 (rule 8.2)."""
    # With three hands, only the third is the last, even if the target ends the game earlier (rule 12).
    return 2 if paid and hand == hands else 1


def winners(points: Sequence[int], bonuses: Sequence[int], sums: Sequence[int]) -> tuple[int, ...]:
    """The companies that win: by points, then bonus points, then the sum of dice; ties share the win (rule 9)."""
    keys = list(zip(points, bonuses, sums, strict=True))
    return tuple(company for company, key in enumerate(keys) if key == max(keys))


EQUAL = Text("Tied on points, bonuses and dice: the win is shared.")


def deciding_ties(points: Sequence[int], bonuses: Sequence[int], sums: Sequence[int]) -> tuple[Text, ...]:
    """The tie-breakers that separate companies with the most points, in order (rule 9)."""
    best, most, highest = max(zip(points, bonuses, sums, strict=True))
    tied = [(bonus, dice) for score, bonus, dice in zip(points, bonuses, sums, strict=True) if score == best]
    fewer = sorted({bonus for bonus, _ in tied if bonus < most}, reverse=True)
    lower = sorted({dice for bonus, dice in tied if bonus == most and dice < highest}, reverse=True)
    sentences = []
    if fewer:
        template = "Tied on points: those from bonuses decide, {most} to {next}."
        sentences.append(Text(template, most=most, next=tuple(fewer)))
    if lower:
        template = "Tied on points and bonuses: the dice of the last hand decide, {most} to {next} in all."
        sentences.append(Text(template, most=highest, next=tuple(lower)))
    return tuple(sentences)

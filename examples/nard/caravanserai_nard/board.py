"""The board: places, checkers, and the steps that dice allow (rules 2, 4 and 5)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from engine.texts import Seat

CHECKERS = 15
"""Number of checkers of a player (rule 2.1)."""
POINTS = 24
OFF, BAR = 0, 25
"""Indexes of borne-off checkers and of the bar; those in between are points."""
HOME = 6
"""Number of points of a home board, and the last one of them as its owner counts."""

Side = tuple[int, ...]
"""The checkers of a player on each place, `OFF` to `BAR`, counted as the player moves: a checker on `n` has `n` pips to
go."""

START: Side = tuple({24: 2, 13: 5, 8: 3, 6: 5}.get(place, 0) for place in range(BAR + 1))
"""The position of both players at the beginning of a game (rule 2.2)."""


class Place(int):
    """A point 1 to 24, `bar` or `off`. Other numbers can be parsed, so that the rules refuse them."""

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> Place:
        """Parse `bar`, `off` or a number such as `17`. Raises `ValueError` for any other text."""
        return _NAMED[text] if text in _NAMED else cls(int(text))

    def __str__(self) -> str:
        return _NAMES.get(self) or str(int(self))

    @property
    def label(self) -> str:
        """The place as players read it."""
        return str(self)

    @property
    def exists(self) -> bool:
        """Whether the place is on the board."""
        return OFF <= self <= BAR

    @property
    def is_point(self) -> bool:
        """Whether it is one of the 24 points."""
        return OFF < self < BAR


_NAMES = {BAR: "bar", OFF: "off"}
_NAMED = {name: Place(place) for place, name in _NAMES.items()}

PLACES = tuple(map(Place, range(BAR + 1)))
"""All places by index."""


def mirrored(place: int) -> int:
    """The index of a place as the other player counts it; `BAR` and `OFF` stay."""
    return BAR - place if OFF < place < BAR else place


def counted_by(seat: Seat, place: int) -> int:
    """The pips to go from a place for a seat, or the place that has them: points are numbered as seat 0 counts."""
    return mirrored(place) if seat else place


class Step(NamedTuple):
    """A checker moves by one die; places are counted by its player."""

    origin: int
    target: int
    die: int


def pips(side: Side) -> int:
    """The number of pips that a player still has to move (rule 2.4)."""
    return sum([place * checkers for place, checkers in enumerate(side)])


def back(side: Side) -> int:
    """The place of the rearmost checker; `OFF` if all are borne off."""
    return next(place for place in range(BAR, -1, -1) if side[place] or place == OFF)


def held(side: Side) -> int:
    """The points that a player holds with two or more checkers, as a bit set by the other player's count."""
    return sum([1 << BAR - place for place in range(1, BAR) if side[place] > 1])


def moved(side: Side, origin: int, target: int) -> Side:
    """The checkers after one of them went from a place to another."""
    after = list(side)
    after[origin] -= 1
    after[target] += 1
    return tuple(after)


def steps(side: Side, blocked: int, die: int) -> Iterator[Step]:
    """The steps that a die allows by itself (rules 4.1, 4.3, 5.2 and 6), past the `blocked` points (see `held`)."""
    if side[BAR]:
        if not blocked >> BAR - die & 1:
            yield Step(BAR, BAR - die, die)
        return
    rear = back(side)
    for origin in range(rear, OFF, -1):
        target = origin - die
        if not side[origin]:
            continue
        if target > OFF:
            if not blocked >> target & 1:
                yield Step(origin, target, die)
        # A die may be larger than needed only for the rearmost checker (rule 6.3).
        elif rear <= HOME and (target == OFF or origin == rear):
            yield Step(origin, OFF, die)


Dice = tuple[int, ...]
"""The dice that are still to be played: two, up to four after a double (rule 4.2)."""


@lru_cache(maxsize=1 << 14)
def most_dice(side: Side, blocked: int, dice: Dice) -> int:
    """The largest number of dice that a player can use in one turn."""
    best = 0
    for n, die in enumerate(dice):
        # Equal dice are alike.
        if n and die == dice[n - 1]:
            continue
        rest = dice[:n] + dice[n + 1 :]
        for step in steps(side, blocked, die):
            best = max(best, 1 + (most_dice(moved(side, step.origin, step.target), blocked, rest) if rest else 0))
            # At once, since no play can use more dice than there are.
            if best == len(dice):
                return best
    return best


@lru_cache(maxsize=1 << 12)
def legal_steps(side: Side, blocked: int, dice: Dice) -> tuple[Step, ...]:
    """The steps that leave the use of as many dice as possible, and of the larger one if only one can be used.

    Rearmost checkers come first. Of two dice that bear off the same checker, only one is listed: what the other die can
    do afterwards is the same (rule 4.4).
    """
    best = most_dice(side, blocked, dice)
    first_steps: dict[tuple[int, int], Step] = {}
    for die in sorted(set(dice), reverse=True):
        n = dice.index(die)
        rest = dice[:n] + dice[n + 1 :]
        for step in steps(side, blocked, die):
            if best == 1 + (most_dice(moved(side, step.origin, step.target), blocked, rest) if rest else 0):
                first_steps.setdefault(step[:2], step)
        # Only one die can be used, so it must be the larger one (rule 4.5).
        if best == 1 and first_steps:
            break
    return tuple(sorted(first_steps.values(), reverse=True))

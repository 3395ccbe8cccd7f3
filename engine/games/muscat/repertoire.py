"""Every action of Muscat for a number of seats, made once and shared by all positions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from engine.core import Action
from engine.games.muscat.actions import (
    STREET,
    Change,
    Cycle,
    Expel,
    Pick,
    Place,
    Reemploy,
    Remove,
    Rise,
    Transform,
)
from engine.games.muscat.artists import ARTISTS, Artist
from engine.games.muscat.board import LEVELS, MARKETS, market_text

Idler = tuple[int, int]
"""A never-do-well: its street 1..4 and its field."""

ByMask = tuple[tuple[Action, ...], ...]
"""A set of fields as a bit mask -> one action for each of its artists."""


@dataclass(frozen=True, slots=True, eq=False)
class Repertoire:
    """The board for a number of seats, and its actions aligned with it.

    Markets are numbered level by level, so that `market // seats + 1` is the level. `levels[n]` are the markets of
    level n + 1; `neighbors[origin]` has target, changes of place and expulsions for each other market of the level.
    """

    names: tuple[str, ...]
    numbers: dict[str, int]
    levels: tuple[range, ...]
    places: tuple[Place, ...]
    in_street: tuple[Place, ...]
    cycles: tuple[Cycle, ...]
    rises: tuple[Rise, ...]
    picks: tuple[Pick, ...]
    removals: dict[Idler, Remove]
    reemployments: dict[Idler, tuple[tuple[int, Reemploy], ...]]
    neighbors: tuple[tuple[tuple[int, ByMask, ByMask], ...], ...]
    transformations: dict[tuple[int, int], Transform]


@cache
def repertoire(seats: int) -> Repertoire:
    """The one repertoire for 3, 4 or 5 seats."""
    names = tuple(market_text(level, index) for level in range(1, LEVELS + 1) for index in range(seats))
    levels = tuple(range(n * seats, (n + 1) * seats) for n in range(LEVELS))
    idlers = [(level, field) for level in range(1, LEVELS + 1) for field in range(len(ARTISTS))]
    return Repertoire(
        names=names,
        numbers={name: number for number, name in enumerate(names)},
        levels=levels,
        places=tuple(Place(letter) for letter in MARKETS[:seats]),
        in_street=(Place(STREET),),
        cycles=tuple(map(Cycle, names)),
        rises=tuple(map(Rise, names)),
        picks=tuple(map(Pick, names)),
        removals={(street, field): Remove(ARTISTS[field], street) for street, field in idlers},
        reemployments={
            (street, field): tuple((m, Reemploy(ARTISTS[field], names[m])) for m in levels[street - 1])
            for street, field in idlers
        },
        neighbors=tuple(
            tuple((target, *_swaps(names[origin], names[target])) for target in level if target != origin)
            for level in levels
            for origin in level
        ),
        transformations={
            (number, street): Transform(name, street)
            for number, name in enumerate(names)
            for street in range(1, LEVELS + 1)
        },
    )


def _swaps(origin: str, target: str) -> tuple[ByMask, ByMask]:
    return _by_mask(lambda a: Change(a, origin, target)), _by_mask(lambda a: Expel(a, origin, target))


def _by_mask(action: Callable[[Artist], Action]) -> ByMask:
    single = [action(artist) for artist in ARTISTS]
    return tuple(tuple(a for field, a in enumerate(single) if mask >> field & 1) for mask in range(16))

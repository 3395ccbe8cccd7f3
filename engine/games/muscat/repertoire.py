"""All possible actions of Muscat for a number of seats, created once and shared by all positions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

from engine.core import Action
from engine.games.muscat.actions import Change, Cycle, Expel, Place, Reemploy, Remove, Transform
from engine.games.muscat.artists import ARTISTS, Artist
from engine.games.muscat.board import FIELD_SETS, IDLERS, NUMBERS, Idler, fields_in
from engine.games.muscat.city import LEVELS, Market, markets, markets_on, starts

ByFields = tuple[tuple[Action, ...], ...]
"""Set of fields -> an action for each of its artists."""


# Compared by identity, since there is one for each number of seats.
@dataclass(frozen=True, slots=True, eq=False)
class Repertoire:
    """The actions for a number of seats, by the index of markets on a board.

    `levels[n]` has the markets of level n + 1 with their indexes, so that `levels[n:]` are the levels above n.
    `reemployments[idler]` pairs indexes of markets with actions. `neighbors[origin]` has the target, the changes of
    place and the expulsions for each other market of the level. `transformations` are by market and street.
    """

    levels: tuple[tuple[tuple[int, Market], ...], ...]
    places: tuple[Place, ...]
    cycles: tuple[Cycle, ...]
    removals: dict[Idler, Remove]
    reemployments: dict[Idler, tuple[tuple[int, Reemploy], ...]]
    neighbors: tuple[tuple[tuple[int, ByFields, ByFields], ...], ...]
    transformations: dict[tuple[int, int], Transform]


@cache  # thousands of actions, created on first use
def repertoire_for(seats: int) -> Repertoire:
    """The repertoire for 3, 4 or 5 seats."""
    city, numbers = markets(seats), NUMBERS[seats]
    return Repertoire(
        levels=tuple(tuple((numbers[market], market) for market in markets_on(level, seats)) for level in LEVELS),
        places=tuple(map(Place, starts(seats))),
        cycles=tuple(map(Cycle, city)),
        removals={idler: Remove(ARTISTS[idler.field], idler.street) for idler in IDLERS.values()},
        reemployments={
            idler: tuple(
                (numbers[market], Reemploy(ARTISTS[idler.field], market)) for market in markets_on(idler.street, seats)
            )
            for idler in IDLERS.values()
        },
        neighbors=tuple(
            tuple(
                (
                    numbers[target],
                    _by_fields(partial(Change, origin=origin, target=target)),
                    _by_fields(partial(Expel, origin=origin, target=target)),
                )
                for target in markets_on(origin.level, seats)
                if target != origin
            )
            for origin in city
        ),
        transformations={(numbers[market], street): Transform(market, street) for market in city for street in LEVELS},
    )


def _by_fields(action: Callable[[Artist], Action]) -> ByFields:
    single = [action(artist) for artist in ARTISTS]
    return tuple(tuple(single[field] for field in fields_in(fields)) for fields in FIELD_SETS)

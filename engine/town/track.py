"""The lap through the walled town: spaces, forks, and where a card leads (rule 2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from engine.town.data import LAP, SIDE_STREETS, SPACES, Gang, Graffiti


class Route(StrEnum):
    """Which way to go at a fork."""

    MAIN = "a"
    SIDE = "b"


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """A space: `name` such as `8b`, its step 0..51, its quarter 0..3, and what it shows."""

    name: str
    step: int
    quarter: int
    jewels: tuple[Gang, ...] = ()
    graffiti: Graffiti | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing is there at all; Start is not empty."""
        return bool(self.step) and not self.jewels and self.graffiti is None

    @property
    def meaning(self) -> str:
        """What lies there in words: `green and red`, `lamp`, `empty`, `Start`."""
        if self.jewels:
            return " and ".join(self.jewels)
        return self.graffiti or ("empty" if self.step else "Start")


_GANGS = {gang[0].upper(): gang for gang in Gang}


def _space(step: int, content: str, name: str) -> Space:
    quarter = step // (LAP // len(SPACES))
    if content in tuple(Graffiti):
        return Space(name, step, quarter, graffiti=Graffiti(content))
    return Space(name, step, quarter, tuple(_GANGS[letter] for letter in content if letter in _GANGS))


MAIN = tuple(_space(step, content, str(step)) for step, content in enumerate(" ".join(SPACES).split()))
"""Step -> the space of the main route."""

SIDE = {
    first + n: _space(first + n, content, f"{first + n}b")
    for first, contents in SIDE_STREETS.items()
    for n, content in enumerate(contents.split())
}
"""Step -> the space of the other route, where there is one."""

FORK = tuple(next((first for first in SIDE_STREETS if first <= step < first + 3), -1) for step in range(LAP))
"""Step -> first step of the fork it lies in, -1 outside."""


def space_at(step: int, side: bool) -> Space:
    """The space the figure stands on; `side` if it has taken route b."""
    return SIDE[step] if side else MAIN[step]


def routes(step: int, value: int) -> tuple[Route, ...]:
    """The routes to choose from: both when a move begins outside a fork and ends inside it, otherwise none."""
    fork = FORK[(step + value) % LAP]
    return tuple(Route) if fork >= 0 and FORK[step] != fork else ()


def landing(step: int, side: bool, value: int, route: Route | None) -> Space:
    """Where a card leads. A figure inside a fork stays on its route."""
    target = (step + value) % LAP
    if route is None:
        return space_at(target, side and FORK[target] >= 0)
    return space_at(target, route is Route.SIDE)


def all_spaces() -> Iterator[Space]:
    """The 52 spaces of the lap and the nine of the side streets."""
    yield from MAIN
    yield from SIDE.values()

"""The lap through the walled town: spaces, forks, and where a card leads (rule 2)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from engine.texts import Text
from engine.town.data import LAP, SIDE_STREETS, SPACES, Gang, Graffiti

QUARTER = LAP // len(SPACES)
"""Steps of a quarter."""


class Route(StrEnum):
    """Which way to go at a fork (rule 2.3)."""

    MAIN = "a"
    SIDE = "b"


class Space(NamedTuple):
    """A space of the town: its step 0..51, `Route.SIDE` if it lies in a side street, and what it shows.

    In the log and on the picture it is `8` or `8b`, and people read `8b (empty)`.
    """

    step: int
    route: Route
    jewels: tuple[Gang, ...] = ()
    graffiti: Graffiti | None = None

    @classmethod
    def parse(cls, text: str) -> Space:
        """The space of a name. Raises `ValueError` if there is none."""
        try:
            return _NAMED[text]
        except KeyError:
            # ValueError, as every coordinate has to raise (see `Action`).
            raise ValueError(text) from None

    def __str__(self) -> str:
        return f"{self.step}b" if self.route is Route.SIDE else str(self.step)

    @property
    def label(self) -> Text:
        """Its name, and what lies there."""
        return Text("{space} ({meaning})", space=str(self), meaning=self.meaning)

    @property
    def quarter(self) -> int:
        """0 to 3."""
        return self.step // QUARTER

    @property
    def empty(self) -> bool:
        """Whether nothing is there at all; Start is not empty."""
        return bool(self.step) and not self.jewels and self.graffiti is None

    @property
    def meaning(self) -> Text:
        """What lies there in words: `green and red`, `lamp`, `empty`, `Start`."""
        if self.jewels or self.graffiti:
            return Text("{shown}", shown=self.jewels or self.graffiti)
        return Text("empty") if self.step else START


START = Text("Start")


def _space(step: int, route: Route, content: str) -> Space:
    if content in tuple(Graffiti):
        return Space(step, route, graffiti=Graffiti(content))
    # In the order of the letters, in which their decks are turned up.
    return Space(step, route, tuple(gang for letter in content for gang in Gang if gang.letter == letter))


MAIN = tuple(_space(step, Route.MAIN, content) for step, content in enumerate(" ".join(SPACES).split()))
"""Step -> the space of the main route."""

SIDE = {
    step: _space(step, Route.SIDE, content)
    for first, contents in SIDE_STREETS.items()
    for step, content in enumerate(contents.split(), first)
}
"""Step -> the space of the other route, where there is one."""

_NAMED = {str(space): space for space in (*MAIN, *SIDE.values())}

# A fork is three steps long (rule 2.3).
FORK = tuple(next((first for first in SIDE_STREETS if first <= step < first + 3), None) for step in range(LAP))
"""Step -> first step of the fork it lies in, `None` outside."""


def space_at(step: int, route: Route) -> Space:
    """The space of a step; on `Route.SIDE` there must be one."""
    return SIDE[step] if route is Route.SIDE else MAIN[step]


def routes(step: int, card: int) -> tuple[Route, ...]:
    """The routes to choose from: both when a move begins outside a fork and ends inside it, otherwise none."""
    fork = FORK[(step + card) % LAP]
    return tuple(Route) if fork is not None and FORK[step] != fork else ()


def landing(origin: Space, card: int, route: Route | None) -> Space:
    """Where a card leads. Inside a fork the camel stays on its route."""
    step = (origin.step + card) % LAP
    if route is None:
        # Nobody chooses inside a fork (rule 2.3).
        route = origin.route if FORK[step] is not None else Route.MAIN
    return space_at(step, route)


def all_spaces() -> Iterator[Space]:
    """The 52 spaces of the lap and the nine of the side streets."""
    yield from MAIN
    yield from SIDE.values()

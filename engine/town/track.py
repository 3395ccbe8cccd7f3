"""The lap through the walled town: spaces, forks, and moves (rule 2)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from engine.texts import Text
from engine.town.data import LAP, SIDE_STREETS, SPACES, Gang, Graffiti

QUARTER = LAP // len(SPACES)
"""Number of steps in a quarter."""


class Route(StrEnum):
    """The route at a fork (rule 2.3)."""

    MAIN = "a"
    SIDE = "b"


class Space(NamedTuple):
    """A space of the town: its step 0..51, `Route.SIDE` if it is in a side street, and its jewels or graffito.

    Its notation, also in pictures, is `8` or `8b`; texts have `8b (empty)`.
    """

    step: int
    route: Route
    jewels: tuple[Gang, ...] = ()
    graffiti: Graffiti | None = None

    @classmethod
    def parse(cls, text: str) -> Space:
        """Parse the notation of a space. Raises `ValueError` if the space does not exist."""
        try:
            return _BY_NAME[text]
        except KeyError:
            # Coordinates must raise ValueError (see `Action`).
            raise ValueError(text) from None

    def __str__(self) -> str:
        return f"{self.step}b" if self.route is Route.SIDE else str(self.step)

    @property
    def label(self) -> Text:
        """The name and the contents of the space."""
        return Text("{space} ({meaning})", space=str(self), meaning=self.meaning)

    @property
    def quarter(self) -> int:
        """The quarter of the town, 0 to 3."""
        return self.step // QUARTER

    @property
    def empty(self) -> bool:
        """Whether the space has neither jewels nor a graffito; Start is not empty."""
        return bool(self.step) and not self.jewels and self.graffiti is None

    @property
    def meaning(self) -> Text:
        """The contents of the space: `green and red`, `lamp`, `empty`, `Start`."""
        if self.jewels or self.graffiti:
            return Text("{shown}", shown=self.jewels or self.graffiti)
        return Text("empty") if self.step else START


START = Text("Start")


def _space(step: int, route: Route, content: str) -> Space:
    if content in tuple(Graffiti):
        return Space(step, route, graffiti=Graffiti(content))
    # In the order of the letters, since their decks are turned up in this order.
    return Space(step, route, tuple(gang for letter in content for gang in Gang if gang.letter == letter))


MAIN = tuple(_space(step, Route.MAIN, content) for step, content in enumerate(" ".join(SPACES).split()))
"""Step -> space of the main route."""

SIDE = {
    step: _space(step, Route.SIDE, content)
    for first, contents in SIDE_STREETS.items()
    for step, content in enumerate(contents.split(), first)
}
"""Step -> space of a side street, for the steps of forks."""

_BY_NAME = {str(space): space for space in (*MAIN, *SIDE.values())}

# A fork has three steps (rule 2.3).
FORK = tuple(next((first for first in SIDE_STREETS if first <= step < first + 3), None) for step in range(LAP))
"""Step -> first step of its fork, `None` outside forks."""


def space_at(step: int, route: Route) -> Space:
    """The space of a step; `Route.SIDE` is only valid in a fork."""
    return SIDE[step] if route is Route.SIDE else MAIN[step]


def routes(step: int, card: int) -> tuple[Route, ...]:
    """The routes to choose from: both if a move begins outside a fork and ends inside it, otherwise none."""
    fork = FORK[(step + card) % LAP]
    return tuple(Route) if fork is not None and FORK[step] != fork else ()


def landing(origin: Space, card: int, route: Route | None) -> Space:
    """The destination of a card. Inside a fork, the camel stays on its route."""
    step = (origin.step + card) % LAP
    if route is None:
        # Inside a fork, the route is fixed (rule 2.3).
        route = origin.route if FORK[step] is not None else Route.MAIN
    return space_at(step, route)


def all_spaces() -> Iterator[Space]:
    """The 52 spaces of the lap and the nine of the side streets."""
    yield from MAIN
    yield from SIDE.values()

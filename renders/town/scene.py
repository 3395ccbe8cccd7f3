"""What a game adds to the town: everything in which the pictures and descriptions of two games differ."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Generic, TypeVar

from engine.core import Action, View
from engine.texts import Seat, Text
from engine.town.data import Gang, Thief
from engine.town.state import Town
from renders.canvas import Canvas
from renders.town.theme import THEME, WalledTown

T = TypeVar("T", bound=Town)

Called = Callable[[Thief], str]
"""What thieves are called: `R3` as on their cards, or `red 3` in full words."""

Target = tuple[float, float, int, int]
"""A box to bracket: its middle, width and height."""


class Scene(ABC, Generic[T]):
    """A game played in the town, to be drawn and described; there is one of each."""

    title: ClassVar[str]

    theme: ClassVar[WalledTown] = THEME
    """The colors of the town."""

    lights: ClassVar[str] = ""
    """A drawing in `art/` that lies on it, if one does."""

    walking: ClassVar[tuple[type[Action], ...]]
    """The verbs of a seat that is about to walk: the spaces it can reach are marked."""

    idle: ClassVar[tuple[Text, ...]] = ()
    """The long words for a seat with nothing `at_stake`."""

    legend: ClassVar[tuple[Text, ...]]
    """What somebody must know who reads of the game only, a line each."""

    @abstractmethod
    def facts(self, state: T) -> tuple[Text, ...]:
        """How far the camel has come, for the header: in full, and in shorter wordings."""

    @abstractmethod
    def furnish(self, canvas: Canvas) -> None:
        """Lay on the bare town what never moves."""

    def furnishing(self, state: T) -> Callable[[Canvas], None]:
        """How the town is furnished at the moment."""
        # Grounds are cached by this function: it has to be an equal one each time, not a new closure.
        return self.furnish

    @abstractmethod
    def draw(self, canvas: Canvas, view: View[T], labels: Sequence[str]) -> None:
        """Draw what happens inside the walls, with rings around what was done last."""

    @abstractmethod
    def targets(self, view: View[T], action: Action) -> Iterator[Target]:
        """What an option is about, to be bracketed."""

    @abstractmethod
    def thieves(self, state: T, seat: Seat) -> tuple[Thief, ...]:
        """The thieves before a seat, equal ones one after the other."""

    @abstractmethod
    def holding(self, thieves: Text | str) -> Text:
        """What they are: `claimed red 3`, `bandits red 3`."""

    @abstractmethod
    def in_sight(self, state: T) -> tuple[Thief, ...]:
        """The thieves in the street, whose marks matter now."""

    @abstractmethod
    def street(self, state: T, names: Sequence[str], called: Called) -> str:
        """What happens there, in words; nothing if that is nothing."""

    @abstractmethod
    def decks(self, state: T) -> str:
        """What is left of the thieves nobody has, in words."""

    @abstractmethod
    def stock(self, state: T, gang: Gang) -> str:
        """The same of a gang in full words."""

    def until(self, state: T, seat: Seat, names: Sequence[str]) -> str:
        """When what a seat has at stake is safe, in words."""
        return ""

    def at_stake(self, state: T, seat: Seat) -> tuple[Text, ...]:
        """What a seat has in danger or has lost, in words."""
        return ()

"""The interface that a game in the walled town implements for its pictures and descriptions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Generic, NamedTuple, TypeVar

from engine.core import Action, View
from engine.texts import Seat, Text
from engine.town.data import Gang, Thief
from engine.town.state import Town
from renders.canvas import Canvas
from renders.town.theme import THEME, WalledTown

T = TypeVar("T", bound=Town)

ThiefNamer = Callable[[Thief], str]
"""Formats a thief's name: `R3` as on the cards, or `red 3` in words."""

Target = tuple[float, float, int, int]
"""A box to bracket: its center, width and height, in px."""


class CloseUp(NamedTuple):
    """Thieves that are shown large, the dice that have been rolled, 0 before a die, and a line of words below them."""

    thieves: tuple[Thief, ...]
    black: int
    number: int
    words: str


class Scene(ABC, Generic[T]):
    """The parts of pictures and descriptions that differ between games in the town. Each game has one instance."""

    title: ClassVar[str]

    theme: ClassVar[WalledTown] = THEME
    """The colors of the town."""

    lights: ClassVar[str] = ""
    """Name of a drawing in `art/` to lay over the town, or ""."""

    walk_actions: ClassVar[tuple[type[Action], ...]]
    """Actions of a seat that is about to walk. While they are offered, the reachable spaces are marked."""

    no_stake: ClassVar[tuple[Text, ...]] = ()
    """Text in the long description for a seat with nothing `at_stake`."""

    legend: ClassVar[tuple[Text, ...]]
    """Lines of the long description that explain the game to readers without the picture."""

    @abstractmethod
    def facts(self, state: T) -> tuple[Text, ...]:
        """Progress of the camel for the header, in wordings from long to short."""

    @abstractmethod
    def furnish(self, canvas: Canvas) -> None:
        """Draw the fixed furniture on the bare town."""

    def furnishing(self, state: T) -> Callable[[Canvas], None]:
        """The function that draws the furniture for the current state."""
        # Grounds are cached by this function, so it must return an equal one each time, not a new closure.
        return self.furnish

    @abstractmethod
    def draw(self, canvas: Canvas, view: View[T], labels: Sequence[str]) -> None:
        """Draw the action inside the walls, with rings around the last changes."""

    @abstractmethod
    def targets(self, view: View[T], action: Action) -> Iterator[Target]:
        """Boxes to bracket for an option."""

    @abstractmethod
    def thieves(self, state: T, seat: Seat) -> tuple[Thief, ...]:
        """The thieves in front of a seat, with equal ones next to each other."""

    @abstractmethod
    def holdings(self, thieves: Text | str) -> Text:
        """Put a seat's thieves into words: `claimed red 3`, `bandits red 3`."""

    @abstractmethod
    def in_sight(self, state: T) -> tuple[Thief, ...]:
        """The thieves in the street, whose numbers matter now."""

    @abstractmethod
    def street(self, state: T, names: Sequence[str], name_of: ThiefNamer) -> str:
        """Describe the events in the street, or return "" if there are none."""

    @abstractmethod
    def decks(self, state: T) -> str:
        """Describe the thieves that are left in the decks."""

    @abstractmethod
    def stock(self, state: T, gang: Gang) -> str:
        """Describe one gang's remaining thieves in full."""

    def close_up(self, view: View[T]) -> CloseUp | None:
        """The thieves about whom the viewer chooses now, to be drawn large in place of everything else."""
        return None

    def safe_until(self, state: T, seat: Seat, names: Sequence[str]) -> str:
        """Say when a seat's stake will be safe, or return ""."""
        return ""

    def at_stake(self, state: T, seat: Seat) -> tuple[Text, ...]:
        """Describe a seat's stakes, in danger or lost."""
        return ()

"""What can happen whichever game is played, and money as people read it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.core import Event
from engine.texts import Seat, Text
from engine.town.track import Space


class Money(int):
    """An amount that reads `28,000`, or `nothing`."""

    __slots__ = ()

    @property
    def label(self) -> Text:
        """As the language of the reader writes numbers."""
        return Text("{n}", n=int(self)) if self else Text("nothing")


@dataclass(frozen=True, slots=True)
class HandsFilled(Event):
    """Movement cards were dealt; what each seat got is `Dealt`, for that seat only."""

    template = "New cards are dealt."


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    template = "You are dealt {cards}."

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Walked(Event):
    minor = True
    template = "{seat} {seat:plays|play} a {card}: the camel walks to {space}."
    brief = "walks {card} to {space}"

    seat: Seat
    card: int
    origin: Space
    space: Space


@dataclass(frozen=True, slots=True)
class Rubbed(Event):
    template = "The lamp gives {seat} {amount}."
    brief = "gets {amount} from the lamp"

    seat: Seat
    amount: Money


@dataclass(frozen=True, slots=True)
class GaveAlms(Event):
    """Alms were given, as far as the purse goes."""

    template = "{seat} {seat:gives|give} {amount} in alms."
    brief = "gives {amount} in alms"

    seat: Seat
    amount: Money


@dataclass(frozen=True, slots=True)
class TookNone(Event):
    """Somebody could take a card and takes none."""

    minor = True
    template = "{seat} {seat:takes|take} nobody."
    brief = "takes nobody"

    seat: Seat


@dataclass(frozen=True, slots=True)
class Ended(Event):
    minor = True
    template = "The game is over. {reason}"

    reason: StrEnum

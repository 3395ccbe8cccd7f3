"""The events that both games in the town share, and amounts of money."""

from __future__ import annotations

from enum import StrEnum

from engine.core import Event
from engine.texts import Seat, Text
from engine.town.track import Space


class Money(int):
    """An amount, displayed as `28,000` or `nothing`."""

    __slots__ = ()

    @property
    def label(self) -> Text:
        """The amount as a text."""
        return Text("{n}", n=int(self)) if self else Text("nothing")


class HandsFilled(Event):
    """Movement cards were dealt; each seat learns its own by `Dealt`."""

    template = "New cards are dealt."


class Dealt(Event):
    template = "You are dealt {cards}."

    cards: tuple[int, ...]


class Walked(Event):
    minor = True
    template = "{seat} {seat:plays|play} a {card}: the camel walks to {space}."
    brief = "walks {card} to {space}"

    seat: Seat
    card: int
    origin: Space
    space: Space


class Rubbed(Event):
    template = "The lamp gives {seat} {amount}."
    brief = "gets {amount} from the lamp"

    seat: Seat
    amount: Money


class GaveAlms(Event):
    """A seat gave alms, limited by the money in its purse."""

    template = "{seat} {seat:gives|give} {amount} in alms."
    brief = "gives {amount} in alms"

    seat: Seat
    amount: Money


class HadNoAlms(Event):
    """A seat with an empty purse stopped where alms are given."""

    template = "{seat} {seat:has|have} nothing to give in alms."
    brief = "has nothing to give in alms"

    seat: Seat


class TookNone(Event):
    """A seat could take a card and declined."""

    minor = True
    template = "{seat} {seat:takes|take} nobody."
    brief = "takes nobody"

    seat: Seat


class Ended(Event):
    minor = True
    template = "The game is over. {reason}"

    reason: StrEnum


def alms(seat: Seat, amount: int) -> Event:
    """The event of giving alms; without an amount, of having nothing to give."""
    return GaveAlms(seat, Money(amount)) if amount else HadNoAlms(seat)

"""What can happen whichever game is played, and money as people read it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core import Event
from engine.texts import Seat
from engine.town.data import Thief


class Money(int):
    """An amount that reads `28,000`, or `nothing`."""

    __slots__ = ()

    @property
    def label(self) -> str:
        """With commas between the thousands."""
        return money(self)


@dataclass(frozen=True, slots=True)
class HandsFilled(Event):
    """Movement cards were dealt; what each seat got is `Dealt`, for that seat only."""

    template = "Cards are shuffled and dealt: every hand is full."


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """What a seat was dealt."""

    template = "You are dealt {cards}."

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Walked(Event):
    """The figure has moved; `lies` says what the space shows."""

    template = "{seat} plays a {card} and walks to {space} ({lies})."

    seat: Seat
    card: int
    origin: str
    space: str
    lies: str


@dataclass(frozen=True, slots=True)
class Rubbed(Event):
    """The lamp pays."""

    template = "The lamp gives {seat} {amount}."

    seat: Seat
    amount: Money


@dataclass(frozen=True, slots=True)
class GaveAlms(Event):
    """Alms were given, as far as the purse goes."""

    template = "{seat} gives {amount} in alms."

    seat: Seat
    amount: Money


@dataclass(frozen=True, slots=True)
class TookNone(Event):
    """Somebody could take a card and takes none."""

    template = "{seat} takes nobody."

    seat: Seat


def money(amount: int) -> str:
    """`28,000` or `nothing`, for prompts and refusals."""
    return f"{amount:,}" if amount else "nothing"


def named(thieves: tuple[Thief, ...]) -> str:
    """`R2`, `G3 and R2`: types as people read them."""
    return ", ".join(thieves[:-1]) + (" and " if len(thieves) > 1 else "") + "".join(thieves[-1:])

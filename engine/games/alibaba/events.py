"""What can happen in both modes, and money as people read it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine import Event, Seat
from engine.games.alibaba.data import Gang, Thief


class Money(int):
    """An amount that reads `28,000`, or `nothing`."""

    __slots__ = ()

    @property
    def label(self) -> str:
        """With commas between the thousands."""
        return money(self)


class EndReason(StrEnum):
    """Why the game ended (rules 3.9 and 4.7)."""

    HOME = "home"
    LAPS = "laps"

    @property
    def label(self) -> str:
        """How people read it, after “The game is over:”."""
        return _REASONS[self]


_REASONS = {
    EndReason.HOME: "the camel is back at Start for the second time",
    EndReason.LAPS: "two laps are over",
}


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


@dataclass(frozen=True, slots=True)
class Reshuffled(Event):
    """A deck had run out: its discards are the new one."""

    template = "The {gang} discards are shuffled into a new deck."

    gang: Gang


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The game is over."""

    template = "The game is over: {reason}."

    reason: EndReason


def money(amount: int) -> str:
    """`28,000` or `nothing`, for prompts and refusals."""
    return f"{amount:,}" if amount else "nothing"


def named(thieves: tuple[Thief, ...]) -> str:
    """`R2`, `G3 and R2`: types as people read them."""
    return ", ".join(thieves[:-1]) + (" and " if len(thieves) > 1 else "") + "".join(thieves[-1:])

"""What can happen in the cave only. Money is in dollars."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from engine.core import Event
from engine.games.alibaba.words import SAFE_LATER, Ordinal
from engine.texts import Seat
from engine.town.data import Gang, Thief
from engine.town.events import Money


class EndReason(StrEnum):
    """Why the game ended (rule 3.9)."""

    HOME = "home"

    @property
    def label(self) -> str:
        """How people read it, after “The game is over:”."""
        return "the camel is back at Start for the second time"


@dataclass(frozen=True, slots=True)
class Stole(Event):
    """A stake lies in the cave for this turn and `turns` more; `last` says which turn of `guard` is the last one."""

    template = "{seat} {seat:steals|steal} {amount}: in danger in this turn and {turns} more, " + SAFE_LATER + "."

    seat: Seat
    amount: Money
    turns: int
    guard: Seat
    last: Ordinal


@dataclass(frozen=True, slots=True)
class Extended(Event):
    """A stake has grown by `more` to `amount`; `turns` are all that come after this one, and `last` as in `Stole`."""

    template = "{seat} {seat:adds|add} {more}: {amount} in danger in this turn and {turns} more, " + SAFE_LATER + "."

    seat: Seat
    more: Money
    amount: Money
    turns: int
    guard: Seat
    last: Ordinal


@dataclass(frozen=True, slots=True)
class StayedOut(Event):
    """Nothing was stolen."""

    template = "{seat} {seat:steals|steal} nothing."

    seat: Seat


@dataclass(frozen=True, slots=True)
class LetLie(Event):
    """The stake was not extended."""

    template = "{seat} {seat:lets|let} the stake lie."

    seat: Seat


class Draws(NamedTuple):
    """Cards to be turned up from the deck of a gang; reads `2 green`."""

    cards: int
    gang: Gang

    @property
    def label(self) -> str:
        """The number and the color."""
        return f"{self.cards} {self.gang}"


@dataclass(frozen=True, slots=True)
class Announced(Event):
    """How many thieves are to be turned up, deck by deck; only decks that are drawn from."""

    template = "{seat} {seat:calls|call} for {draws}."

    seat: Seat
    draws: tuple[Draws, ...]


@dataclass(frozen=True, slots=True)
class TurnedUp(Event):
    """All thieves of this turn, in the order in which they appeared."""

    template = "Out of the dark: {thieves}."

    thieves: tuple[Thief, ...]


@dataclass(frozen=True, slots=True)
class Rolled(Event):
    """Both dice and their number."""

    template = "The dice show {black} and {white}: number {number}."

    black: int
    white: int
    number: int


@dataclass(frozen=True, slots=True)
class Spared(Event):
    """Somebody in the cave has claimed all types that bear the number."""

    template = "{seat} {seat:is|are} safe from {thieves}, claimed before."

    seat: Seat
    thieves: tuple[Thief, ...]


@dataclass(frozen=True, slots=True)
class NobodyCaught(Event):
    """The thieves find nobody."""

    template = "Nobody is caught."


@dataclass(frozen=True, slots=True)
class Caught(Event):
    """Somebody has lost a stake, and paid."""

    template = "{thief} catches {seat}, who {seat:loses|lose} {stake} in the cave and {seat:pays|pay} {paid}."

    seat: Seat
    thief: Thief
    stake: Money
    paid: Money


@dataclass(frozen=True, slots=True)
class CaughtPenniless(Event):
    """Somebody has lost a stake and has nothing to pay with."""

    template = "{thief} catches {seat}, who {seat:loses|lose} {stake} in the cave and {seat:has|have} nothing to pay."

    seat: Seat
    thief: Thief
    stake: Money


@dataclass(frozen=True, slots=True)
class Claimed(Event):
    """A thief leaves the deck for good."""

    template = "{seat} {seat:claims|claim} {thief} and need not fear it any more."

    seat: Seat
    thief: Thief


@dataclass(frozen=True, slots=True)
class ClaimedNone(Event):
    """Somebody leaves the thieves alone."""

    template = "{seat} {seat:claims|claim} nobody."

    seat: Seat


@dataclass(frozen=True, slots=True)
class CameHome(Event):
    """A stake is safe."""

    template = "{seat} {seat:brings|bring} {amount} home from the cave."

    seat: Seat
    amount: Money


@dataclass(frozen=True, slots=True)
class TollTaken(Event):
    """The toll takes from a stake in the cave."""

    template = "The toll takes {amount} from {seat:@’s|your} stake."

    seat: Seat
    amount: Money


@dataclass(frozen=True, slots=True)
class Recruited(Event):
    """A thief of a new type, from a writing on the wall."""

    template = "{seat} {seat:recruits|recruit} {thief} and need not fear it any more."

    seat: Seat
    thief: Thief


@dataclass(frozen=True, slots=True)
class SentAway(Event):
    """A recruit of a type already claimed goes to the discards."""

    template = "{thief} comes, but {seat} {seat:has|have} one already and {seat:sends|send} it away."

    seat: Seat
    thief: Thief


@dataclass(frozen=True, slots=True)
class LeftBehind(Event):
    """A stake that is not safe at the end is lost."""

    template = "{seat} {seat:leaves|leave} {amount} in the cave for ever."

    seat: Seat
    amount: Money


@dataclass(frozen=True, slots=True)
class Reshuffled(Event):
    """A deck had run out: its discards are the new one."""

    template = "The {gang} discards are shuffled into a new deck."

    gang: Gang

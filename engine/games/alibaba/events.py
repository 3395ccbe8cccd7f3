"""What can happen in the cave only. Money is in dollars."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.core import Event
from engine.games.alibaba.words import Coming
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
    """A stake lies in the cave for this turn and `turns` more; the `last` of them is a turn of `guard`."""

    template = "{seat} steals {amount}: in danger in this turn and {turns} more, safe after {guard}’s {last}."

    seat: Seat
    amount: Money
    turns: int
    guard: Seat
    last: Coming


@dataclass(frozen=True, slots=True)
class Extended(Event):
    """A stake has grown by `more` to `amount`; `turns` are all that come after this one, the `last` is `guard`'s."""

    template = "{seat} adds {more}: {amount} in danger in this turn and {turns} more, safe after {guard}’s {last}."

    seat: Seat
    more: Money
    amount: Money
    turns: int
    guard: Seat
    last: Coming


@dataclass(frozen=True, slots=True)
class StayedOut(Event):
    """Nothing was stolen."""

    template = "{seat} steals nothing."

    seat: Seat


@dataclass(frozen=True, slots=True)
class LetLie(Event):
    """The stake was not extended."""

    template = "{seat} lets the stake lie."

    seat: Seat


@dataclass(frozen=True, slots=True)
class Announced(Event):
    """How many thieves are to be turned up, deck by deck: `2 green and 2 red`."""

    template = "{seat} calls for {thieves}."

    seat: Seat
    thieves: str


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
    """Somebody in the cave has claimed all types that strike."""

    template = "{seat} is safe from {thieves}, claimed before."

    seat: Seat
    thieves: tuple[Thief, ...]


@dataclass(frozen=True, slots=True)
class NobodyCaught(Event):
    """The thieves find nobody."""

    template = "Nobody is caught."


@dataclass(frozen=True, slots=True)
class Caught(Event):
    """Somebody has lost a stake, and paid."""

    template = "{thief} catches {seat}, who loses {stake} in the cave and pays {paid}."

    seat: Seat
    thief: Thief
    stake: Money
    paid: Money


@dataclass(frozen=True, slots=True)
class CaughtPenniless(Event):
    """Somebody has lost a stake and has nothing to pay with."""

    template = "{thief} catches {seat}, who loses {stake} in the cave and has nothing to pay."

    seat: Seat
    thief: Thief
    stake: Money


@dataclass(frozen=True, slots=True)
class Claimed(Event):
    """A thief leaves the deck for good."""

    template = "{seat} claims {thief} and need not fear it any more."

    seat: Seat
    thief: Thief


@dataclass(frozen=True, slots=True)
class ClaimedNone(Event):
    """Somebody leaves the thieves alone."""

    template = "{seat} claims nobody."

    seat: Seat


@dataclass(frozen=True, slots=True)
class CameHome(Event):
    """A stake is safe."""

    template = "{seat} brings {amount} home from the cave."

    seat: Seat
    amount: Money


@dataclass(frozen=True, slots=True)
class TollTaken(Event):
    """The toll takes from a stake in the cave."""

    template = "The toll takes {amount} from {seat}’s stake."

    seat: Seat
    amount: Money


@dataclass(frozen=True, slots=True)
class Recruited(Event):
    """A thief of a new type, from a writing on the wall."""

    template = "{seat} recruits {thief} and need not fear it any more."

    seat: Seat
    thief: Thief


@dataclass(frozen=True, slots=True)
class SentAway(Event):
    """A recruit of a type already claimed goes to the discards."""

    template = "{thief} comes, but {seat} has one already and sends it away."

    seat: Seat
    thief: Thief


@dataclass(frozen=True, slots=True)
class LeftBehind(Event):
    """A stake that is not safe at the end is lost."""

    template = "{seat} leaves {amount} in the cave for ever."

    seat: Seat
    amount: Money


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

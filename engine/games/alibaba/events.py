"""The events of the cave game. Money is in dollars."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from engine.core import Event
from engine.texts import Seat, Text
from engine.town.data import Gang, Thief
from engine.town.events import Money

HOME = Text("The camel is back at Start for the second time.")


class EndReason(StrEnum):
    """The reason why the game ended (rule 3.9)."""

    HOME = "home"

    @property
    def label(self) -> Text:
        """The reason as a sentence."""
        return HOME


class Stole(Event):
    """A new stake of `amount`, in the cave for this turn and `turns` more."""

    template = "{seat} {seat:steals|steal} {amount} for {turns} more {turns:turn|turns}."
    brief = "steals {amount} for {turns} more {turns:turn|turns}"

    seat: Seat
    amount: Money
    turns: int


class Extended(Event):
    """A larger stake: `more` is the increase, `amount` the sum, `turns` the number of its turns after this one."""

    template = "{seat} {seat:adds|add} {more}: {amount} for {turns} more {turns:turn|turns}."
    brief = "adds {more}: {amount} for {turns} more {turns:turn|turns}"

    seat: Seat
    more: Money
    amount: Money
    turns: int


class StayedOut(Event):
    minor = True
    template = "{seat} {seat:steals|steal} nothing."
    brief = "steals nothing"

    seat: Seat


class LetLie(Event):
    minor = True
    template = "{seat} {seat:leaves|leave} the stake as it is."
    brief = "leaves the stake as it is"

    seat: Seat


class Draws(NamedTuple):
    """A number of cards to turn up from a gang's deck, displayed as `2 green`."""

    cards: int
    gang: Gang

    @property
    def label(self) -> Text:
        """The number and the color."""
        return Text("{cards} {gang}", cards=self.cards, gang=self.gang)


class Announced(Event):
    """The number of thieves to turn up from each deck, without decks that have none."""

    minor = True
    template = "{seat} {seat:calls|call} for {draws}."
    brief = "calls for {draws}"

    seat: Seat
    draws: tuple[Draws, ...]


class TurnedUp(Event):
    """All thieves of this turn, in order of appearance."""

    minor = True
    template = "Out of the dark: {thieves}."

    thieves: tuple[Thief, ...]


class Rolled(Event):
    minor = True
    template = "The dice show {black} and {white}: number {number}."
    brief = "rolls {black} and {white}: number {number}"

    black: int
    white: int
    number: int


class Borne(Event):
    template = "Number {number} is on {thieves:the card|the cards} {thieves}."

    number: int
    thieves: tuple[Thief, ...]


class Spared(Event):
    """`thieves` bear the number rolled, but the seat has claimed all their types."""

    template = "{seat} {seat:is|are} safe from {thieves}."

    seat: Seat
    thieves: tuple[Thief, ...]


class NobodyCaught(Event):
    template = "Number {number} catches nobody."
    brief = "rolls {number}: nobody is caught"

    number: int


class Caught(Event):
    template = "{seat} {seat:is|are} caught, {seat:loses|lose} {stake} and {seat:pays|pay} {paid}."
    brief = "is caught and loses {stake}"

    seat: Seat
    stake: Money
    paid: Money


class CaughtPenniless(Event):
    """Like `Caught`, for an empty purse."""

    template = "{seat} {seat:is|are} caught and {seat:loses|lose} {stake}."
    brief = "is caught and loses {stake}"

    seat: Seat
    stake: Money


class Claimed(Event):
    template = "{seat} {seat:claims|claim} the card {thief}."
    brief = "claims {thief}"

    seat: Seat
    thief: Thief


class ClaimedNone(Event):
    minor = True
    template = "{seat} {seat:claims|claim} no thief."
    brief = "claims no thief"

    seat: Seat


class CameHome(Event):
    template = "{seat} {seat:brings|bring} {amount} home."
    brief = "brings {amount} home"

    seat: Seat
    amount: Money


class TollTaken(Event):
    template = "The toll takes {amount} from {seat:@’s|your} stake."
    brief = "loses {amount} to the toll"

    seat: Seat
    amount: Money


class Recruited(Event):
    """The effect of a graffito: `thief` is of a type that the seat did not have."""

    template = "{seat} {seat:recruits|recruit} {thief}."
    brief = "recruits {thief}"

    seat: Seat
    thief: Thief


class SentAway(Event):
    template = "{seat} {seat:sends|send} {thief} away: that type was already claimed."
    brief = "sends {thief} away"

    seat: Seat
    thief: Thief


class LeftBehind(Event):
    """A stake lost at the end of the game, since it was not safe."""

    template = "{seat} {seat:leaves|leave} {amount} in the cave."
    brief = "leaves {amount} in the cave"

    seat: Seat
    amount: Money


class Reshuffled(Event):
    minor = True
    template = "The {gang} discards are shuffled into a new deck."

    gang: Gang

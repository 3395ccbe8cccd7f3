"""The events of the gangs game, and the terms of an offer. Money is in piastres."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from engine.core import Event
from engine.texts import Seat, Text
from engine.town.data import Gang, Thief
from engine.town.events import Money

LAPS_OVER = Text("Both laps are over.")


class EndReason(StrEnum):
    """The reason why the game ended (rule 3.7)."""

    LAPS = "laps"

    @property
    def label(self) -> Text:
        """The reason as a sentence."""
        return LAPS_OVER


class Terms(int):
    """The price of an offer, displayed as `for 200`, `for nothing`, or `and 100 with it` if it is negative."""

    __slots__ = ()

    @property
    def label(self) -> Text:
        """The terms as a text. The seat that offers pays a negative price."""
        if not self:
            return Text("for nothing")
        terms = "and {amount} with it" if self < 0 else "for {amount}"
        return Text(terms, amount=Money(abs(self)))


class Cards(NamedTuple):
    """A number of cards of a type, displayed as `red 3` or `2 of red 3`."""

    number: int
    thief: Thief

    @property
    def label(self) -> Text:
        """The cards as a text."""
        several = "{number} × {thief}"
        return self.thief.label if self.number == 1 else Text(several, number=self.number, thief=self.thief)


def group_cards(thieves: Sequence[Thief]) -> tuple[Cards, ...]:
    """Group cards by type."""
    return tuple(Cards(number, thief) for thief, number in Counter(thieves).items())


def merge_cards(some: tuple[Cards, ...], more: tuple[Cards, ...]) -> tuple[Cards, ...]:
    """Merge two groups of cards."""
    return group_cards([cards.thief for cards in (*some, *more) for _ in range(cards.number)])


class Hired(Event):
    template = "{seat} {seat:hires|hire} {bandits} for {price}."
    brief = "hires {bandits} for {price}"

    seat: Seat
    bandits: tuple[Cards, ...]
    price: Money

    def and_then(self, after: Event) -> Event | None:
        """One event for consecutive bandits of the seat."""
        if not isinstance(after, Hired) or after.seat != self.seat:
            return None
        return Hired(self.seat, merge_cards(self.bandits, after.bandits), Money(self.price + after.price))


class HiredFree(Event):
    template = "{seat} {seat:hires|hire} {bandits} for free."
    brief = "hires {bandits} for free"

    seat: Seat
    bandits: tuple[Cards, ...]

    def and_then(self, after: Event) -> Event | None:
        """One event for consecutive bandits of the seat."""
        if not isinstance(after, HiredFree) or after.seat != self.seat:
            return None
        return HiredFree(self.seat, merge_cards(self.bandits, after.bandits))


class TookNoMore(Event):
    """The end of the hires of a turn; `TookNone` if there were none."""

    minor = True
    template = "{seat} {seat:takes|take} no more."
    brief = "takes no more"

    seat: Seat


class Called(Event):
    """A purchase of an unknown bandit of `gang`, which is drawn next."""

    minor = True
    template = "{seat} {seat:calls|call} for a {gang} bandit."
    brief = "calls for a {gang} bandit"

    seat: Seat
    gang: Gang


class Sold(Event):
    template = "{seat} {seat:sells|sell} {thief} for {price}."
    brief = "sells {thief} for {price}"

    seat: Seat
    thief: Thief
    price: Money


class Alarm(Event):
    template = "Alarm: {gangs} bandits are in danger."

    gangs: tuple[Gang, ...]


class BroughtBack(Event):
    """Bandits go to the bottom of their stacks; `fee` is the sum for all of them."""

    template = "{seat} {seat:returns|return} {bandits} for {fee}."
    brief = "returns {bandits} for {fee}"

    seat: Seat
    bandits: tuple[Cards, ...]
    fee: Money

    def and_then(self, after: Event) -> Event | None:
        """All of them at once."""
        if not isinstance(after, BroughtBack) or after.seat != self.seat:
            return None
        return BroughtBack(self.seat, merge_cards(self.bandits, after.bandits), Money(self.fee + after.fee))


class Risked(Event):
    """The end of a window; the seat may have returned bandits in it."""

    minor = True
    template = "{seat} {seat:risks|risk} it."
    brief = "risks it"

    seat: Seat


class Offered(Event):
    """The first step of an offer; the buyer and the price come next."""

    minor = True
    template = "{seat} {seat:puts|put} the bandit {thief} up for trade."
    brief = "puts {thief} up for trade"

    seat: Seat
    thief: Thief


class OfferedTo(Event):
    minor = True
    template = "{seat} {seat:turns|turn} to {buyer}."
    brief = "turns to {buyer}"

    seat: Seat
    buyer: Seat


class Priced(Event):
    template = "{seat} {seat:offers|offer} {buyer} {thief} {price}."
    brief = "offers {buyer} {thief} {price}"

    seat: Seat
    buyer: Seat
    thief: Thief
    price: Terms


class Traded(Event):
    template = "{seat} {seat:hands|hand} {buyer} {thief} {price}."
    brief = "hands {buyer} {thief} {price}"

    seat: Seat
    buyer: Seat
    thief: Thief
    price: Terms


class TurnedDown(Event):
    template = "{buyer} {buyer:does|do} not want {thief}."
    brief = "does not want {thief}"

    buyer: Seat
    thief: Thief


class Countered(Event):
    template = "{buyer} {buyer:declines|decline}, but would take {thief} {price}."
    brief = "would take {thief} {price}"

    buyer: Seat
    thief: Thief
    price: Terms


class AskedForLess(Event):
    minor = True
    template = "{buyer} {buyer:asks|ask} for a lower price."
    brief = "asks for a lower price"

    buyer: Seat


class BlackFell(Event):
    """The black die, which selects the line of the table."""

    template = "The black die shows {pips}: numbers {first} to {last}."
    brief = "black die: numbers {first} to {last}"

    pips: int
    first: int
    last: int


class WhiteFell(Event):
    """The white die, which selects the column."""

    template = "The white die shows {pips}: number {number}."
    brief = "white die: number {number}"

    pips: int
    number: int


class Raided(Event):
    """`loot` is the sum for the bandits that escaped arrest; they stay with the seat."""

    template = "{seat:@’s|your} raid brings {loot}."
    brief = "raid brings {loot}"

    seat: Seat
    loot: Money


class Arrested(Event):
    """Bandits that bear the number went to the bottom of their stacks; `paid` is the fine, limited by the purse."""

    template = "{seat} {seat:loses|lose} {bandits} and {seat:pays|pay} {paid}."
    brief = "bandits arrested: pays {paid}"

    seat: Seat
    bandits: tuple[Cards, ...]
    paid: Money


class TollPaid(Event):
    """`amount` is ten for each bandit, limited by the purse."""

    template = "{seat} {seat:pays|pay} {amount} at the toll."
    brief = "pays {amount} at the toll"

    seat: Seat
    amount: Money


class LapEnded(Event):
    template = "Lap {lap} is over: all bandits bring their value and go back."

    lap: int


class LapPaid(Event):
    template = "{seat} {seat:gets|get} {amount} for the lap."
    brief = "gets {amount} for the lap"

    seat: Seat
    amount: Money

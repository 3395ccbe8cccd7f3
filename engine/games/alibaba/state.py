"""The position of the cave game: stakes and their turns, discards, claims, and the last thieves (rule 3)."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from engine.games.alibaba.data import first_purse
from engine.texts import Seat, Text, joined
from engine.town.data import Gang, Thief
from engine.town.state import Town
from engine.town.thieves import BEARERS, Deck, number_of
from engine.values import Value


class Loss(Value):
    """The loss of a seat that was caught: its stake, and the payment from its purse."""

    seat: Seat
    stake: int
    paid: int

    @property
    def total(self) -> int:
        """The sum of both; the seat with the greatest loss claims first (rule 3.6)."""
        return self.stake + self.paid


class Encounter(NamedTuple):
    """The thieves of a turn, which remain visible until the camel moves on.

    `thieves` are in order of appearance, one for each card. The dice are 0 until the roll. `losses` are those of the
    seats caught; `spared` are the seats in the cave that had claimed all types that bear the number. `claims` pairs
    seats with the thieves that they have claimed. After the end (`over`), the others are in the discards.
    """

    thieves: tuple[Thief, ...] = ()
    black: int = 0
    white: int = 0
    losses: tuple[Loss, ...] = ()
    spared: tuple[Seat, ...] = ()
    claims: tuple[tuple[Seat, Thief], ...] = ()
    over: bool = False

    @property
    def number(self) -> int:
        """The number of the roll, 0 before it."""
        return number_of(self.black, self.white) if self.black else 0

    @property
    def bearers(self) -> tuple[Thief, ...]:
        """The types of this encounter that bear the number, each once and in order; none before the roll."""
        return tuple(thief for thief in BEARERS[self.number] if thief in self.thieves)

    @property
    def unclaimed(self) -> tuple[Thief, ...]:
        """The unclaimed thieves, one for each card."""
        rest = list(self.thieves)
        for _, thief in self.claims:
            rest.remove(thief)
        return tuple(rest)


class Cave(Town):
    """A position of the cave game.

    For each seat, `stakes` has its stake, `safe_after` the turn after which the stake is safe (`None` outside the cave)
    and `claimed` its types of thieves in order. `piles` are the discards of each gang.
    """

    stakes: tuple[int, ...]
    safe_after: tuple[int | None, ...]
    claimed: tuple[tuple[Thief, ...], ...]
    piles: tuple[Deck, ...]
    encounter: Encounter | None

    def if_on_turn(self, seat: Seat) -> Cave | None:
        """The position as if another seat's turn began now, with all stakes still in danger."""
        hypothetical = Town.if_on_turn(self, seat)
        later = hypothetical.turn - self.turn if hypothetical else 0
        safe_after = tuple(last if last is None else last + later for last in self.safe_after)
        return replace(hypothetical, safe_after=safe_after) if hypothetical else None

    def in_cave(self, seat: Seat) -> bool:
        """Whether a stake of this seat is in danger."""
        return self.safe_after[seat] is not None

    def turns_left(self, seat: Seat) -> int:
        """The number of turns, after the current one, in which the stake of a seat is still in danger."""
        last = self.safe_after[seat]
        return 0 if last is None else last - self.turn

    def deck(self, gang: Gang) -> int:
        """The number of cards in a gang's deck."""
        return sum(self.decks[gang.place])

    def discarded(self, gang: Gang) -> int:
        """The number of cards in a gang's discards."""
        return sum(self.piles[gang.place])

    def account(self, seat: Seat) -> Text:
        """`2,000 to start, 58,000 from the cave, −3,000 to thieves`, without parts that are zero."""
        first, brought = first_purse(seat), self.brought[seat]
        parts = [Text("{first} to start", first=first)]
        parts += [Text("{brought} from the cave", brought=brought)] if brought else []
        rest = self.purses[seat] - first - brought
        elsewhere = "{rest} in town" if self.setup.options.cave_graffiti else "{rest} to thieves"
        parts += [Text(elsewhere, rest=rest)] if rest else []
        return joined(parts, ", ")

    @property
    def asks_for_two_numbers(self) -> bool:
        """Whether the seat chooses a number for each of two decks, with the option `multi_deck` (rule 5)."""
        return self.setup.options.multi_deck == "total" and len(self.space.jewels) == 2

"""A position of the cave: stakes and their clocks, discards, claims, and the thieves turned up last (rule 3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from engine.games.alibaba.data import first_purse
from engine.texts import Seat, Text, joined
from engine.town.data import Gang, Thief
from engine.town.state import Town
from engine.town.thieves import BEARERS, Deck, number_of


@dataclass(frozen=True, slots=True)
class Loss:
    """What somebody caught has lost: the stake in the cave, and what was paid from the purse."""

    seat: Seat
    stake: int
    paid: int

    @property
    def total(self) -> int:
        """Both together; the greatest loss claims first (rule 3.6)."""
        return self.stake + self.paid


class Encounter(NamedTuple):
    """The thieves of a turn, kept for all to see until the camel moves on.

    `thieves` are in the order in which they appeared, card by card. The dice are 0 until they are rolled. `losses` are
    of those caught, `spared` those in the cave who had claimed all types that bear the number. `claims` say who has
    claimed which of the thieves. `over` says that the others lie on the discards.
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
        """The types lying here that bear the number, each once and in order; none before the roll."""
        return tuple(thief for thief in BEARERS[self.number] if thief in self.thieves)

    @property
    def unclaimed(self) -> tuple[Thief, ...]:
        """The thieves that nobody has claimed, card by card."""
        rest = list(self.thieves)
        for _, thief in self.claims:
            rest.remove(thief)
        return tuple(rest)


@dataclass(frozen=True, slots=True)
class Cave(Town):
    """A position.

    By seat: `stakes`, `safe_after` (the turn at whose end the stake is safe, `None` outside the cave) and `claimed`,
    the types of thieves in order. `piles` are the discards of each gang.
    """

    stakes: tuple[int, ...]
    safe_after: tuple[int | None, ...]
    claimed: tuple[tuple[Thief, ...], ...]
    piles: tuple[Deck, ...]
    encounter: Encounter | None

    def if_on_turn(self, seat: Seat) -> Cave | None:
        """A turn of another seat; no stake comes home before it."""
        asked = Town.if_on_turn(self, seat)
        later = asked.turn - self.turn if asked else 0
        safe_after = tuple(last if last is None else last + later for last in self.safe_after)
        return replace(asked, safe_after=safe_after) if asked else None

    def in_cave(self, seat: Seat) -> bool:
        """Whether a stake of this seat is in danger."""
        return self.safe_after[seat] is not None

    def turns_left(self, seat: Seat) -> int:
        """How many turns, after the one at work, the stake of a seat is still in danger."""
        last = self.safe_after[seat]
        return 0 if last is None else last - self.turn

    def deck(self, gang: Gang) -> int:
        """How many face-down cards of a gang there are."""
        return sum(self.decks[gang.place])

    def discarded(self, gang: Gang) -> int:
        """How many face-up cards lie on the discards of a gang."""
        return sum(self.piles[gang.place])

    def account(self, seat: Seat) -> Text:
        """`2,000 at first, 58,000 from the cave, −3,000 to thieves`; what is zero is left out."""
        first, brought = first_purse(seat), self.brought[seat]
        parts = [Text("{first} at first", first=first)]
        parts += [Text("{brought} from the cave", brought=brought)] if brought else []
        rest = self.purses[seat] - first - brought
        elsewhere = "{rest} in town" if self.setup.options.cave_graffiti else "{rest} to thieves"
        parts += [Text(elsewhere, rest=rest)] if rest else []
        return joined(parts, ", ")

    @property
    def asks_for_two_numbers(self) -> bool:
        """Whether a number is said for each of the two decks shown here, with the option `multi_deck` (rule 5)."""
        return self.setup.options.multi_deck == "total" and len(self.space.jewels) == 2

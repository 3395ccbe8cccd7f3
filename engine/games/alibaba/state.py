"""A position of the cave: stakes and their clocks, decks, claims, and the thieves turned up last (rule 3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Self

from engine.texts import Seat
from engine.town.cards import Cards
from engine.town.data import Gang, Thief
from engine.town.state import Town
from engine.town.thieves import BEARERS, GANG_NUMBER, THIEVES, Deck, members, number_of


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


@dataclass(frozen=True, slots=True)
class Encounter:
    """The thieves of a turn, kept for all to see until the figure moves on.

    `types` are in the order in which they appeared. The dice are 0 until they are rolled. `losses` are of those
    caught, `spared` those in the cave who had claimed all types that struck. `claims` are pairs of a seat and a type.
    `gone` says that what was not claimed lies on the discards.
    """

    types: tuple[int, ...] = ()
    black: int = 0
    white: int = 0
    losses: tuple[Loss, ...] = ()
    spared: tuple[Seat, ...] = ()
    claims: tuple[tuple[Seat, int], ...] = ()
    gone: bool = False

    @property
    def number(self) -> int:
        """The number of the roll, 0 before it."""
        return number_of(self.black, self.white) if self.black else 0

    @property
    def thieves(self) -> tuple[Thief, ...]:
        """The types in words."""
        return tuple(THIEVES[number] for number in self.types)

    @property
    def striking(self) -> int:
        """The types that bear the number, as a bit mask; none before the roll."""
        return BEARERS[self.number] & sum(1 << number for number in set(self.types))

    @property
    def lying(self) -> tuple[int, ...]:
        """The types that nobody has claimed."""
        rest = list(self.types)
        for _, number in self.claims:
            rest.remove(number)
        return tuple(rest)


@dataclass(frozen=True, slots=True)
class Cave(Town):
    """A position. Only the movement hands are hidden; the order of a deck is nowhere written down.

    By seat: `stakes`, `dues` (the turn at whose end the stake is safe, `None` outside the cave) and `claimed` (bit
    mask of types). By gang: `decks` and `piles`, the discards. `fresh` says that the seat on turn has stolen or
    extended in this turn.
    """

    stakes: tuple[int, ...]
    dues: tuple[int | None, ...]
    claimed: tuple[int, ...]
    decks: tuple[Deck, ...]
    piles: tuple[Deck, ...]
    encounter: Encounter | None
    fresh: bool

    def in_cave(self, seat: Seat) -> bool:
        """Whether a stake of this seat is in danger."""
        return self.dues[seat] is not None

    def turns_left(self, seat: Seat) -> int:
        """How many turns, after the one at work, the stake of a seat is still in danger."""
        due = self.dues[seat]
        return 0 if due is None else due - self.turn

    def guard(self, seat: Seat) -> Seat | None:
        """The seat before which the stake lies, whose turn sets it free; `None` outside the cave."""
        due = self.dues[seat]
        return None if due is None else Seat(due % self.setup.seats)

    def tokens(self, seat: Seat) -> int:
        """Tokens on a stake: one goes at the end of each later turn of its guard, the last frees it (rule 3.3)."""
        left, seats = self.turns_left(seat), self.setup.seats
        if self.fresh and seat == self.on_turn:
            return -(-left // seats)
        return left // seats + 1 if self.in_cave(seat) else 0

    def thieves_of(self, seat: Seat) -> tuple[Thief, ...]:
        """The types that a seat has claimed."""
        return members(self.claimed[seat])

    def deck(self, gang: Gang) -> int:
        """Face-down cards of a gang."""
        return sum(self.decks[GANG_NUMBER[gang]])

    def discarded(self, gang: Gang) -> int:
        """Face-up cards on the discards of a gang."""
        return sum(self.piles[GANG_NUMBER[gang]])

    def observe(self, viewer: Seat | None) -> Self:
        """The position with all hands covered but the viewer's."""
        return self._with(self.cards.observe(viewer))

    def determinize(self, viewer: Seat | None, rng: Random) -> Self:
        """A position with hands as they may be."""
        return self._with(self.cards.guess(viewer, rng))

    def _with(self, cards: Cards) -> Self:
        return replace(self, cards=cards)

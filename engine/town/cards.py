"""Movement cards: who holds what, who has played what, and what somebody at the table can know of it (rule 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random

from engine.texts import Seat
from engine.town.data import CARD_COUNTS, HAND_SIZES

Hand = tuple[int, ...]
"""Values of cards, ascending; of a hand that may not be seen only zeros, one for each card."""

Hands = tuple[Hand, ...]
"""By seat."""

UNSEEN = 0
DECK: Hand = tuple(value for value, count in CARD_COUNTS.items() for _ in range(count))

GUESSES = 6
"""How many possible pasts `Cards.guess` compares before it settles for one."""


@dataclass(frozen=True, slots=True)
class Cards:
    """All 24 movement cards.

    `hands` is what the seats hold. `played` is what each has played since the last deal, in order: the discards.
    `dealt` has for each deal what each seat got, and `past` for each deal but the last what each played after it.
    Plays are public and deals are not, so these two are what a belief about the hands is made of.
    """

    hands: Hands
    played: Hands
    dealt: tuple[Hands, ...] = ()
    past: tuple[Hands, ...] = ()

    @classmethod
    def undealt(cls, seats: int) -> Cards:
        """Before the deal of a lap or of a game."""
        return cls(((),) * seats, ((),) * seats)

    @property
    def seats(self) -> int:
        """Number of players."""
        return len(self.hands)

    @property
    def to_deal(self) -> Hand:
        """The cards that the next deal hands out: all of them, or those played since the last deal."""
        return tuple(sorted(value for own in self.played for value in own)) if self.dealt else DECK

    @property
    def places(self) -> tuple[int, ...]:
        """How many cards the next deal gives to each seat."""
        full = HAND_SIZES[self.seats]
        return tuple(size - len(hand) for size, hand in zip(full, self.hands, strict=True))

    def play(self, seat: Seat, value: int) -> Cards:
        """A card leaves a hand for the discards. Raises `ValueError` if it is not in the hand."""
        hands, played, hand = list(self.hands), list(self.played), list(self.hands[seat])
        # What is left is still in order, as a hand has to be: equal hands make equal positions.
        hand.remove(value)
        hands[seat], played[seat] = tuple(hand), (*played[seat], value)
        return Cards(tuple(hands), tuple(played), self.dealt, self.past)

    def deal(self, values: Sequence[int]) -> Cards:
        """Fill all hands, the first seat first. Raises `ValueError` if other cards are dealt than there are."""
        # Deals are too many to be listed as options, so nothing else checks one from a stored log.
        if tuple(sorted(values)) != self.to_deal:
            raise ValueError("these are not the cards to deal")
        # A deal lists its values seat by seat.
        ends = list(accumulate(self.places))
        new = tuple(tuple(sorted(values[end - n : end])) for end, n in zip(ends, self.places, strict=True))
        hands = tuple(tuple(sorted((*hand, *more))) for hand, more in zip(self.hands, new, strict=True))
        past = (*self.past, self.played) if self.dealt else ()
        return Cards(hands, ((),) * self.seats, (*self.dealt, new), past)

    def observe(self, viewer: Seat | None) -> Cards:
        """The same with all hands and deals covered but the viewer's."""
        return Cards(
            _covered(self.hands, viewer), self.played, tuple(_covered(d, viewer) for d in self.dealt), self.past
        )

    def guess(self, viewer: Seat | None, rng: Random) -> Cards:
        """All cards as they may lie, from what the viewer sees.

        A deal hands out known cards over known places: what was played after it may come from it or from an older
        one. So every play is given an origin at random, in proportion to the places and cards left there, and the
        rest of each deal is shuffled over the places that are left. Of a few such pasts one is taken by its
        likelihood.
        """
        found: list[_Past] = []
        # After a single deal every play has one origin only, so there is nothing to compare.
        for _ in range(GUESSES if len(self.dealt) > 1 else 1):
            past = _Past(self, viewer)
            # The true past can be traced, so this loop ends.
            while not past.trace(rng):
                past = _Past(self, viewer)
            found.append(past)
        chosen = rng.choices(found, [past.likelihood for past in found])[0]
        dealt = chosen.filled(rng)
        return Cards(_hands_after(dealt, (*self.past, self.played)), self.played, dealt, self.past)


def _covered(hands: Hands, viewer: Seat | None) -> Hands:
    return tuple(hand if seat == viewer else (UNSEEN,) * len(hand) for seat, hand in enumerate(hands))


def _hands_after(dealt: Sequence[Hands], played: Sequence[Hands]) -> Hands:
    hands = []
    for seat in range(len(played[0])):
        held = Counter(value for deal in dealt for value in deal[seat])
        held.subtract(value for plays in played for value in plays[seat])
        hands.append(tuple(sorted(held.elements())))
    return tuple(hands)


class _Past:
    """A way in which the cards that the viewer has not seen may have been dealt; mutable while it is traced."""

    def __init__(self, cards: Cards, viewer: Seat | None) -> None:
        self.cards, self.viewer = cards, viewer
        self.likelihood = 1.0
        # Before the first deal nothing was played: then there are more rows of plays than deals.
        self.plays = (*cards.past, cards.played)[: len(cards.dealt)]
        # The first deal hands out all cards, each later one those played since the one before (rules 2.1 and 3.8).
        pools = (DECK, *(tuple(value for own in plays for value in own) for plays in cards.past))
        self.pools = [Counter(pool) for pool in pools[: len(cards.dealt)]]
        if viewer is not None:
            for pool, deal in zip(self.pools, cards.dealt, strict=True):
                # What the viewer was dealt is certain.
                pool.subtract(deal[viewer])
        self.left = [pool.total() for pool in self.pools]
        self.free = [[len(hand) for hand in deal] for deal in cards.dealt]
        self.origin: list[list[list[int]]] = [[[] for _ in deal] for deal in cards.dealt]

    def trace(self, rng: Random) -> bool:
        """Give every play an origin. False if a play finds none, so that this cannot have been the past."""
        return all(
            # What the viewer was dealt is known and has left the pools already.
            seat == self.viewer or self._find_origin(rng, last, seat, value)
            for last, plays in enumerate(self.plays)
            for seat, own in enumerate(plays)
            for value in own
        )

    def _find_origin(self, rng: Random, last: int, seat: int, value: int) -> bool:
        """Choose the deal that a played card came from, among those up to `last`."""
        ways = [
            self.free[deal][seat] * self.pools[deal][value] / self.left[deal] if self.left[deal] else 0.0
            for deal in range(last + 1)
        ]
        if not (all_ways := sum(ways)):
            return False
        (deal,) = rng.choices(range(last + 1), ways) if last else (0,)
        self.likelihood *= all_ways
        self.pools[deal][value] -= 1
        self.left[deal] -= 1
        self.free[deal][seat] -= 1
        self.origin[deal][seat].append(value)
        return True

    def filled(self, rng: Random) -> tuple[Hands, ...]:
        """The deals of this past, what is left of each pool shuffled over its free places."""
        return tuple(self._filled(rng, deal) for deal in range(len(self.pools)))

    def _filled(self, rng: Random, deal: int) -> Hands:
        rest = list(self.pools[deal].elements())
        rng.shuffle(rest)
        hands = []
        for seat, places in enumerate(self.free[deal]):
            if seat == self.viewer:
                hands.append(self.cards.dealt[deal][seat])
                continue
            hands.append(tuple(sorted((*self.origin[deal][seat], *rest[:places]))))
            del rest[:places]
        return tuple(hands)

"""Movement cards: hands, discards, and the knowledge of each seat about them (rule 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from random import Random

from engine.texts import Seat
from engine.town.data import CARD_COUNTS, HAND_SIZES
from engine.values import Value

Hand = tuple[int, ...]
"""Card values in ascending order; a hidden hand has a zero for each card."""

Hands = tuple[Hand, ...]
"""The hand of each seat."""

UNSEEN = 0
DECK: Hand = tuple(value for value, count in CARD_COUNTS.items() for _ in range(count))

GUESSES = 6
"""Number of possible pasts from which `Cards.guess` chooses."""


class Cards(Value):
    """All 24 movement cards.

    `played` has the cards that each seat has played since the last deal, in order. `dealt` has the cards of each seat
    for every deal, and `past` the cards that each seat played between one deal and the next. Deals are secret and plays
    are public, so a seat infers the hands of others from these two.
    """

    hands: Hands
    played: Hands
    dealt: tuple[Hands, ...] = ()
    past: tuple[Hands, ...] = ()

    @classmethod
    def undealt(cls, seats: int) -> Cards:
        """The cards before the deal of a lap or a game."""
        return cls(((),) * seats, ((),) * seats)

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.hands)

    @property
    def to_deal(self) -> Hand:
        """The cards of the next deal: all of them, or those played since the last deal."""
        return tuple(sorted(value for own in self.played for value in own)) if self.dealt else DECK

    @property
    def places(self) -> tuple[int, ...]:
        """The number of cards that each seat gets in the next deal."""
        full = HAND_SIZES[self.seats]
        return tuple(size - len(hand) for size, hand in zip(full, self.hands, strict=True))

    def play(self, seat: Seat, value: int) -> Cards:
        """Move a card from a hand to the discards. Raises `ValueError` if it is not in the hand."""
        hands, played, hand = list(self.hands), list(self.played), list(self.hands[seat])
        # The hand stays sorted, so that equal hands are equal values.
        hand.remove(value)
        hands[seat], played[seat] = tuple(hand), (*played[seat], value)
        return Cards(tuple(hands), tuple(played), self.dealt, self.past)

    def deal(self, values: Sequence[int]) -> Cards:
        """Fill all hands, the first seat first. Raises `ValueError` unless `values` are the cards to deal."""
        # Deals are not listed as options, so this is the only check of one from a stored log.
        if tuple(sorted(values)) != self.to_deal:
            raise ValueError("these are not the cards to deal")
        # A deal lists the cards seat by seat.
        ends = list(accumulate(self.places))
        new = tuple(tuple(sorted(values[end - n : end])) for end, n in zip(ends, self.places, strict=True))
        hands = tuple(tuple(sorted((*hand, *more))) for hand, more in zip(self.hands, new, strict=True))
        past = (*self.past, self.played) if self.dealt else ()
        return Cards(hands, ((),) * self.seats, (*self.dealt, new), past)

    def observe(self, viewer: Seat | None) -> Cards:
        """The cards with all hands and deals hidden except the viewer's."""
        return Cards(
            _hide_others(self.hands, viewer), self.played, tuple(_hide_others(d, viewer) for d in self.dealt), self.past
        )

    def guess(self, viewer: Seat | None, rng: Random) -> Cards:
        """Sample a full distribution of the cards that is consistent with the viewer's knowledge.

        The cards and the hand sizes of each deal are known; a played card came from the latest deal or an earlier one.
        So each played card is assigned to a deal at random, in proportion to the unassigned places and cards of that
        deal, and the rest of each deal is shuffled over the remaining places. Of a few such pasts, one is chosen by
        likelihood.
        """
        candidates: list[_Past] = []
        # After a single deal, every played card has the same origin, so one past is enough.
        for _ in range(GUESSES if len(self.dealt) > 1 else 1):
            past = _Past(self, viewer)
            # Ends, since the true past can be traced.
            while not past.trace(rng):
                past = _Past(self, viewer)
            candidates.append(past)
        sample = rng.choices(candidates, [past.likelihood for past in candidates])[0]
        dealt = sample.fill(rng)
        return Cards(_hands_after(dealt, (*self.past, self.played)), self.played, dealt, self.past)


def _hide_others(hands: Hands, viewer: Seat | None) -> Hands:
    return tuple(hand if seat == viewer else (UNSEEN,) * len(hand) for seat, hand in enumerate(hands))


def _hands_after(dealt: Sequence[Hands], played: Sequence[Hands]) -> Hands:
    hands = []
    for seat in range(len(played[0])):
        held = Counter(value for deal in dealt for value in deal[seat])
        held.subtract(value for plays in played for value in plays[seat])
        hands.append(tuple(sorted(held.elements())))
    return tuple(hands)


class _Past:
    """A possible history of the deals that the viewer has not seen; mutable while it is traced."""

    def __init__(self, cards: Cards, viewer: Seat | None) -> None:
        self.cards, self.viewer = cards, viewer
        self.likelihood = 1.0
        # Before the first deal, there is a row of (no) plays, but no deal.
        self.plays = (*cards.past, cards.played)[: len(cards.dealt)]
        # The first deal has all cards, each later one those played since the previous one (rules 2.1 and 3.8).
        pools = (DECK, *(tuple(value for own in plays for value in own) for plays in cards.past))
        self.pools = [Counter(pool) for pool in pools[: len(cards.dealt)]]
        if viewer is not None:
            for pool, deal in zip(self.pools, cards.dealt, strict=True):
                # The viewer's own cards are known.
                pool.subtract(deal[viewer])
        self.left = [pool.total() for pool in self.pools]
        self.free = [[len(hand) for hand in deal] for deal in cards.dealt]
        self.origin: list[list[list[int]]] = [[[] for _ in deal] for deal in cards.dealt]

    def trace(self, rng: Random) -> bool:
        """Assign every played card to a deal. False if that fails, so that this past is impossible."""
        return all(
            # The viewer's own cards were removed from the pools already.
            seat == self.viewer or self._find_origin(rng, last, seat, value)
            for last, plays in enumerate(self.plays)
            for seat, own in enumerate(plays)
            for value in own
        )

    def _find_origin(self, rng: Random, last: int, seat: int, value: int) -> bool:
        """Assign a played card to one of the deals up to `last`."""
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

    def fill(self, rng: Random) -> tuple[Hands, ...]:
        """The deals of this past, with the unassigned cards of each pool shuffled over its free places."""
        return tuple(self._fill_deal(rng, deal) for deal in range(len(self.pools)))

    def _fill_deal(self, rng: Random, deal: int) -> Hands:
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

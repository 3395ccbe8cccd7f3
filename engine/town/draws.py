"""What luck may turn up from a deck: the same for thieves and bandits."""

from __future__ import annotations

from functools import cache

from engine import CHANCE, Decision
from engine.town.actions import Appear
from engine.town.thieves import THIEVES, Deck


@cache
def cards_of(gang: int, deck: Deck) -> tuple[Appear, ...]:
    """The cards of a deck one by one, to draw any of them with the same likelihood."""
    return tuple(Appear(THIEVES[gang * 4 + group]) for group, count in enumerate(deck) for _ in range(count))


@cache
def appearing(gang: int, deck: Deck) -> tuple[Decision, ...]:
    """Every type of a deck, weighted by its cards."""
    options = tuple(dict.fromkeys(cards_of(gang, deck)))
    return (Decision(CHANCE, "The top card is turned up.", options, weights=tuple(n for n in deck if n)),)

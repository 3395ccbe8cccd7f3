"""What luck may turn up from a deck: the same for thieves and bandits."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, repeat

from engine.core import Decision
from engine.texts import CHANCE
from engine.town.actions import Appear
from engine.town.thieves import GANGS, THIEVES, Deck

_APPEAR = tuple(tuple(map(Appear, THIEVES[gang * 4 : gang * 4 + 4])) for gang in range(len(GANGS)))
"""_APPEAR[gang][group]."""


@lru_cache(maxsize=2048)
def cards_of(gang: int, deck: Deck) -> tuple[Appear, ...]:
    """The cards of a deck one by one, to draw any of them with the same likelihood."""
    return tuple(chain.from_iterable(map(repeat, _APPEAR[gang], deck)))


@lru_cache(maxsize=2048)
def appearing(gang: int, deck: Deck) -> tuple[Decision, ...]:
    """Every type of a deck, weighted by its cards."""
    options = tuple(appear for appear, count in zip(_APPEAR[gang], deck, strict=True) if count)
    return (Decision(CHANCE, "The top card is turned up.", options, weights=tuple(n for n in deck if n)),)

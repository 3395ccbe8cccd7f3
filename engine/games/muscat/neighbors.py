"""Actions between two markets of a level, for the price of an artist in a street (rules 4.4, 4.5 and 4.7)."""

from __future__ import annotations

from abc import abstractmethod
from functools import cache
from typing import ClassVar, TypeVar

from engine.core import Refusal
from engine.games.muscat.artists import ARTISTS, FIELD, Artist
from engine.games.muscat.board import FIELD_SETS, NUMBERS, fields_in
from engine.games.muscat.city import Market, markets, markets_on
from engine.games.muscat.refusals import unknown_market
from engine.games.muscat.state import Muscat
from engine.games.muscat.verb import TurnVerb
from engine.texts import Seat, Text


class NeighborVerb(TurnVerb):
    """An action of an artist that leaves a market for another one on the same level."""

    needs_idler = True

    rule: ClassVar[str]
    """The section of the rules."""

    artist: Artist
    origin: Market
    target: Market

    def refusal(self, state: Muscat, seat: Seat) -> Refusal:
        """A violated condition of all such actions, or of this one."""
        return self._shared_refusal(state, seat) or self.refusal_by_target(state, seat)

    @abstractmethod
    def refusal_by_target(self, state: Muscat, seat: Seat) -> Refusal:
        """The violated condition on the other market, while the artist is on its own."""

    def _shared_refusal(self, state: Muscat, seat: Seat) -> Refusal | None:
        artist, origin, target = self.artist, self.origin, self.target
        if not state.idlers[seat]:
            return Refusal(Text("This costs an artist in a street, and you have none there."), "4.7")
        if unknown := unknown_market(state, origin) or unknown_market(state, target):
            return unknown
        if origin.level != target.level:
            text = Text("{origin} and {target} are on different levels.", origin=origin, target=target)
        elif origin == target:
            text = Text("{origin} is only one market; this takes two.", origin=origin)
        elif state.market(origin)[FIELD[artist]] != seat:
            text = Text("Your {artist} is not on {origin}.", artist=artist, origin=origin)
        else:
            return None
        return Refusal(text, self.rule)


N = TypeVar("N", bound=NeighborVerb)

Neighbors = tuple[tuple[tuple[int, tuple[tuple[N, ...], ...]], ...], ...]
"""Index of a market on the board -> each other market of its level, with the actions by the set of fields."""


@cache  # thousands of actions, created on first use
def neighbor_actions(kind: type[N], seats: int) -> Neighbors[N]:
    """The actions from each market of a city."""
    return tuple(
        tuple(
            (NUMBERS[seats][target], _by_fields(kind, origin, target))
            for target in markets_on(origin.level, seats)
            if target != origin
        )
        for origin in markets(seats)
    )


def _by_fields(kind: type[N], origin: Market, target: Market) -> tuple[tuple[N, ...], ...]:
    single = [kind(artist, origin, target) for artist in ARTISTS]
    return tuple(tuple(single[field] for field in fields_in(fields)) for fields in FIELD_SETS)

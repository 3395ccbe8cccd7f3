"""The price of a special action: an artist in a street leaves the game (rule 4.7)."""

from __future__ import annotations

from engine.core import Action, Decision, Event, Refusal, describe
from engine.games.muscat.artists import ARTISTS, Artist
from engine.games.muscat.board import IDLERS, Idler, Trio, token_of
from engine.games.muscat.builder import MuscatBuilder
from engine.games.muscat.city import Market
from engine.games.muscat.ending import finish
from engine.games.muscat.prospects import cycle_gloss
from engine.games.muscat.refusals import not_in_street, unknown_street
from engine.games.muscat.state import Muscat
from engine.games.muscat.verb import Choice, Verb
from engine.texts import Seat, Text

_PROMPT = Text("Choose the artist who leaves.")
_FOR_GOOD = Text("Whoever you name leaves the game for good, and costs you no more points in its street.")
_KEEP_THE_HIGH = Text("Going back to work earns most from high streets: give up one that has no market to return to.")


class Remove(Verb):
    """Give up an artist of yours in a street: the price of a special action."""

    label = "{artist} in street {street} leaves"

    artist: Artist = describe("the artist that leaves the game", "Which artist?")
    street: int = describe("the street it stands in, by its number", "In which street?")

    def title(self, state: Muscat) -> Text:
        """The artist and its street."""
        return Text("{artist} in street {street} leaves", artist=self.artist.capitalized, street=self.street)

    def gloss(self, state: Muscat) -> Text:
        """The points saved."""
        return Text("saves {street} {street:point|points}", street=self.street)


_REMOVALS = {idler: Remove(ARTISTS[idler.field], idler.street) for idler in IDLERS.values()}


class Removed(Event):
    """`artist` leaves the game as the price of a special action."""

    template = "{seat} {seat:gives|give} up the {artist} in street {street}."
    brief = "gives up {artist} in street {street}"

    seat: Seat
    artist: Artist
    street: int


class GiveUp(Choice[Remove]):
    """The never-do-well to give up for a change of place or an expulsion."""

    rule = "4.7"

    def decisions(self, state: Muscat) -> tuple[Decision, ...]:
        """All never-do-wells of the seat, including one that this cycle dropped."""
        seat = state.turn
        # Equal ones are one option (rule 2.1).
        options = tuple(_REMOVALS[idler] for idler in dict.fromkeys(state.idlers[seat]))
        return (Decision(seat, _PROMPT, options),)

    def resolve(self, state: Muscat, seat: Seat, action: Remove) -> tuple[Muscat, tuple[Event, ...]]:
        """Remove the artist and end the turn."""
        after = MuscatBuilder(state)
        after.answered()
        after.remove_idler(token_of(seat, action.artist), action.street)
        after.tell(Removed(seat, action.artist, action.street))
        return finish(after)

    def advice(self, state: Muscat) -> tuple[Text, ...]:
        """Advice on the least valuable artist."""
        return _FOR_GOOD, _KEEP_THE_HIGH

    def why_not(self, state: Muscat, seat: Seat, action: Action) -> Refusal | None:
        """Say that the seat has no such artist in the street."""
        if not isinstance(action, Remove):
            return None
        return unknown_street(action.street) or not_in_street(action.artist, action.street, "4.7")


# --- glosses of the actions that have this price ---

Motion = tuple[Market, Trio]
"""A full market, and its artists."""


def price_gloss(state: Muscat, *motions: Motion) -> Text:
    """The effect of the cycle, or that the seat must pick a market, and the price."""
    price = _price(state, motions)
    if len(motions) == 1:
        return cycle_gloss(motions[0][1], after=price)
    return Text("both are full: {seat:@ picks|you pick} one next{price}", seat=state.turn, price=price)


def _price(state: Muscat, motions: tuple[Motion, ...]) -> Text:
    """The artist to give up, from those in a street, including one dropped by the cycle."""
    seat = state.turn
    fallen = {Idler(market.level, trio.weakest.field) for market, trio in motions if trio.weakest.seat == seat}
    # A set, since equal artists are interchangeable (rule 2.1).
    payers = fallen | set(state.idlers[seat])
    if len(payers) == 1:
        return Text("; price: {artist}", artist=ARTISTS[payers.pop().field])
    return Text("; {seat:@ gives|you give} one up next", seat=seat)

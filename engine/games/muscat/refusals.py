"""The conditions that several verbs share, as refusals of actions that violate them."""

from __future__ import annotations

from engine.core import Refusal
from engine.games.muscat.artists import FIELD, Artist
from engine.games.muscat.board import CAPACITY, COUNT
from engine.games.muscat.city import LEVELS, Market, markets
from engine.games.muscat.state import Muscat
from engine.texts import Text

_TOO_FEW = (
    "Nobody stands on {market}; {wanted}.",
    "Only one artist stands on {market}; {wanted}.",
    "Only two artists stand on {market}; {wanted}.",
)
"""Number of tokens on a market -> the sentence for an action that needs more."""


def crowded_market(state: Muscat, artist: Artist, market: Market, rule: str) -> Refusal:
    """Refuse a market without room for an artist (rule 2.2): the rival of its kind is there, or three artists are."""
    if state.market(market)[FIELD[artist]] is not None:
        text = Text("Market {market} already has {rival}.", market=market, rival=artist.with_article)
    else:
        text = Text("Market {market} already holds three artists.", market=market)
    return Refusal(text, rule)


def refuse_too_few(state: Muscat, market: Market, least: int, wanted: Text, rule: str) -> Refusal | None:
    """Refuse an action that needs `least` artists on a market; `None` if they are there."""
    count = COUNT[state.code(market)]
    return Refusal(Text(_TOO_FEW[count], market=market, wanted=wanted), rule) if count < least else None


def not_full(state: Muscat, market: Market, wanted: Text, rule: str) -> Refusal | None:
    """Refuse an action that needs a full market; `None` if it is full."""
    return refuse_too_few(state, market, CAPACITY, wanted, rule)


def not_in_street(artist: Artist, street: int, rule: str) -> Refusal:
    """Refuse an artist that the seat does not have in a street."""
    return Refusal(Text("You have no {artist} in street {street}.", artist=artist, street=street), rule)


def unknown_market(state: Muscat, market: Market) -> Refusal | None:
    """Refuse a market that exists only with more players (rule 2.2); `None` if it exists."""
    city = markets(state.seats)
    if market in city:
        return None
    template = "There is no market “{market}”; with {seats} players they are {first} to {last}."
    return Refusal(Text(template, market=market, seats=state.seats, first=city[0], last=city[-1]), "2.2")


def unknown_street(street: int) -> Refusal | None:
    """Refuse a street that does not exist (rule 2.2); `None` if it exists."""
    if street in LEVELS:
        return None
    template = "There is no street {street}; they are {first} to {last}."
    return Refusal(Text(template, street=street, first=LEVELS[0], last=LEVELS[-1]), "2.2")

"""Refusals of Muscat: the condition that an action violates, and its rule."""

from __future__ import annotations

from engine.core import Action, Refusal
from engine.games.muscat.actions import Change, Cycle, Draw, Expel, Place, Reemploy, Remove, Transform
from engine.games.muscat.artists import ARTISTS, FIELD, Artist
from engine.games.muscat.board import CAPACITY, COUNT, OPEN, OWN, TRIO, Idler, Token, fields_in
from engine.games.muscat.city import LEVELS, Market, Start, markets, markets_on, starts
from engine.games.muscat.state import Muscat
from engine.texts import Seat, Text

# Called only for actions that are not among the options. So if all other conditions of an action are met, the last one
# must be violated and is not checked again.

_TOO_FEW = (
    "Nobody stands on {market}; {wanted}.",
    "Only one artist stands on {market}; {wanted}.",
    "Only two artists stand on {market}; {wanted}.",
)
"""Number of tokens on a market -> the sentence for an action that needs more."""

_CYCLE = Text("a cycle needs three")
_TRANSFORMATION = Text("a transformation needs three")
_CHANGE = Text("a change of place goes to a pair")


def turn(state: Muscat, seat: Seat, action: Action) -> Refusal | None:
    """The reason why an action of a turn is illegal; `None` for other verbs."""
    match action:
        case Place():
            return _place_faceup(state, seat, action)
        case Draw():
            return _refusal("4.1", "Your pile is empty; there is nobody left to draw.")
        case Cycle():
            return _cycle(state, seat, action)
        case Reemploy():
            return _reemploy(state, seat, action)
        case Change():
            return _pair(state, seat, action, "4.4") or _change(state, action)
        case Expel():
            return _pair(state, seat, action, "4.5") or _expel(state, seat, action)
        case Transform():
            return _transform(state, seat, action)
    return None


def first_place(state: Muscat, start: Start) -> Refusal:
    """The reason why the first token of a seat cannot start there."""
    template = "Somebody stands on {market} already; the first artists start on empty markets."
    return _unknown_start(state, start) or _refusal("3", template, market=start.market)


def place(state: Muscat, token: Token, start: Start) -> Refusal:
    """The reason why a new token cannot start there."""
    if start.market is None:
        free = tuple(m for m in markets_on(1, state.seats) if OPEN[token.field][state.code(m)])
        return _refusal("4.1", "Nobody has to start in the street while a market has room: {free}.", free=free)
    return _unknown_start(state, start) or _crowded(state, token.artist, start.market, "4.1")


def rise(state: Muscat, token: Token, origin: Market, taken: Market | None, market: Market) -> Refusal:
    """The reason why a riser cannot enter a market."""
    if unknown := _unknown_market(state, market):
        return unknown
    if market.level <= origin.level:
        template = "A riser goes up: {market} is not above level {level}."
        return _refusal("5.3", template, market=market, level=origin.level)
    if market == taken:
        template = "The strongest has just entered {market}; the second needs another market."
        return _refusal("5.3", template, market=market)
    if OPEN[token.field][state.code(market)]:
        return _refusal("5.4", "No career jump to {market} while a market below has room.", market=market)
    return _crowded(state, token.artist, market, "5.3")


def remove(state: Muscat, seat: Seat, action: Remove) -> Refusal:
    """The reason why a never-do-well cannot be given up."""
    return _unknown_street(action.street) or _not_in_street(action.artist, action.street, "4.7")


def _place_faceup(state: Muscat, seat: Seat, action: Place) -> Refusal:
    token = state.shown[seat]
    if token is None:
        return _refusal("4.1", "You have no artist left to bring in.")
    return place(state, token, action.market)


def _cycle(state: Muscat, seat: Seat, action: Cycle) -> Refusal:
    if refusal := _unknown_market(state, action.market) or _not_full(state, action.market, _CYCLE, "4.2"):
        return refusal
    template = "None of your artists stands on {market}; in this game you need one there."
    return _refusal("9", template, market=action.market)


def _reemploy(state: Muscat, seat: Seat, action: Reemploy) -> Refusal:
    if unknown := _unknown_market(state, action.market):
        return unknown
    street = action.market.level
    if Idler(street, FIELD[action.artist]) not in state.idlers[seat]:
        return _not_in_street(action.artist, street, "4.3")
    return _crowded(state, action.artist, action.market, "4.3")


def _pair(state: Muscat, seat: Seat, action: Change | Expel, rule: str) -> Refusal | None:
    """The common conditions of a change of place and an expulsion."""
    artist, origin, target = action.artist, action.origin, action.target
    if not state.idlers[seat]:
        return _refusal("4.7", "This costs an artist in a street, and you have none there.")
    if unknown := _unknown_market(state, origin) or _unknown_market(state, target):
        return unknown
    if origin.level != target.level:
        return _refusal(rule, "{origin} and {target} are on different levels.", origin=origin, target=target)
    if origin == target:
        return _refusal(rule, "{origin} is only one market; this takes two.", origin=origin)
    if _holder(state, origin, artist) != seat:
        return _refusal(rule, "Your {artist} is not on {origin}.", artist=artist, origin=origin)
    return None


def _change(state: Muscat, action: Change) -> Refusal:
    if (count := COUNT[state.code(action.target)]) < CAPACITY - 1:
        return _too_few(count, action.target, _CHANGE, "4.4")
    return _crowded(state, action.artist, action.target, "4.4")


def _expel(state: Muscat, seat: Seat, action: Expel) -> Refusal:
    artist, origin, target = action.artist, action.origin, action.target
    holder = _holder(state, target, artist)
    if holder is None:
        return _refusal("4.5", "No {artist} stands on {target}.", artist=artist, target=target)
    if holder == seat:
        return _refusal("4.5", "The {artist} on {target} is your own.", artist=artist, target=target)
    return _refusal("4.5", "Neither {origin} nor {target} holds three artists.", origin=origin, target=target)


def _transform(state: Muscat, seat: Seat, action: Transform) -> Refusal:
    market = action.market
    if refusal := (
        _unknown_market(state, market)
        or _unknown_street(action.street)
        or _not_full(state, market, _TRANSFORMATION, "4.6")
    ):
        return refusal
    code = state.code(market)
    trio = TRIO[code]
    assert trio is not None, "the market was found full"
    if trio.weakest.seat == seat:
        return _not_in_street(ARTISTS[trio.missing], action.street, "4.6")
    own = tuple(ARTISTS[field] for field in fields_in(OWN[seat][code]))
    if not own:
        return _refusal("4.6", "None of your artists stands on {market}.", market=market)
    template = "Your {own} on {market} {own:is|are} not the weakest; that is the {weakest}."
    return _refusal("4.6", template, own=own, market=market, weakest=trio.weakest.artist)


def _crowded(state: Muscat, artist: Artist, market: Market, rule: str) -> Refusal:
    if _holder(state, market, artist) is not None:
        return _refusal(rule, "Market {market} already has {rival}.", market=market, rival=artist.with_article)
    return _refusal(rule, "Market {market} already holds three artists.", market=market)


def _not_full(state: Muscat, market: Market, wanted: Text, rule: str) -> Refusal | None:
    count = COUNT[state.code(market)]
    return _too_few(count, market, wanted, rule) if count < CAPACITY else None


def _too_few(count: int, market: Market, wanted: Text, rule: str) -> Refusal:
    return _refusal(rule, _TOO_FEW[count], market=market, wanted=wanted)


def _not_in_street(artist: Artist, street: int, rule: str) -> Refusal:
    return _refusal(rule, "You have no {artist} in street {street}.", artist=artist, street=street)


def _unknown_market(state: Muscat, market: Market) -> Refusal | None:
    city = markets(state.seats)
    if market in city:
        return None
    template = "There is no market “{market}”; with {seats} players they are {first} to {last}."
    return _refusal("2.2", template, market=market, seats=state.seats, first=city[0], last=city[-1])


def _unknown_start(state: Muscat, start: Start) -> Refusal | None:
    possible = starts(state.seats)
    if start in possible:
        return None
    template = "“{start}” is not a market of level 1; with {seats} players they are {known}."
    return _refusal("2.2", template, start=start, seats=state.seats, known=possible)


def _unknown_street(street: int) -> Refusal | None:
    if street in LEVELS:
        return None
    template = "There is no street {street}; they are {first} to {last}."
    return _refusal("2.2", template, street=street, first=LEVELS[0], last=LEVELS[-1])


def _refusal(rule: str, template: str, **fields: object) -> Refusal:
    return Refusal(Text(template, **fields), rule)


def _holder(state: Muscat, market: Market, artist: Artist) -> Seat | None:
    return state.market(market)[FIELD[artist]]

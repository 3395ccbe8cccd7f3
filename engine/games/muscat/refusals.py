"""Why an action is not possible: which condition fails, who is in the way, and the section that says so."""

from __future__ import annotations

from engine.core import Action, Refusal
from engine.games.muscat.actions import STREET, Change, Cycle, Draw, Expel, Place, Reemploy, Remove, Transform
from engine.games.muscat.artists import ARTISTS, FIELD, Artist, Token
from engine.games.muscat.board import CAPACITY, COUNT, HOLDERS, LEVELS, MARKETS, OPEN, OWN, TRIO
from engine.games.muscat.repertoire import repertoire
from engine.games.muscat.state import Muscat
from engine.texts import Seat, listed

_PRESENT = ("Nobody stands", "Only one artist stands", "Only two artists stand")
"""Number of tokens -> how a sentence begins that asks for three."""


def turn(state: Muscat, seat: Seat, action: Action) -> Refusal | None:
    """Why the seat on turn cannot do this; `None` for a verb that is no action of a turn."""
    match action:
        case Place():
            return _place_faceup(state, seat, action)
        case Draw():
            return Refusal("Your pile is empty; nobody is left to draw.", "4.1")
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


def first_place(state: Muscat, market: str) -> Refusal:
    """Why the first token of a seat cannot start there."""
    if unknown := _unknown_letter(state, market):
        return unknown
    return Refusal(f"Somebody stands on 1{market} already; the first artists start on empty markets.", "3")


def place(state: Muscat, token: Token, market: str) -> Refusal:
    """Why a new token cannot start there."""
    if market == STREET:
        free = [
            f"1{p.market}"
            for p, code in zip(repertoire(state.seats).places, state.board, strict=False)
            if OPEN[token.field][code]
        ]
        return Refusal(f"Nobody has to start in the street while a market has room: {listed(free)}.", "4.1")
    return _unknown_letter(state, market) or _crowded(state, token.artist, f"1{market}", "4.1")


def rise(state: Muscat, token: Token, origin: int, taken: int, market: str) -> Refusal:
    """Why a riser cannot enter that market."""
    if unknown := _unknown_market(state, market):
        return unknown
    target, seats = repertoire(state.seats).numbers[market], state.seats
    if target // seats <= origin // seats:
        return Refusal(f"A riser goes up: {market} is not above level {origin // seats + 1}.", "5.3")
    if target == taken:
        return Refusal(f"The strongest has just entered {market}; the second needs another market.", "5.3")
    if OPEN[token.field][state.board[target]]:
        return Refusal(f"No career jump to {market} while a market below has room.", "5.4")
    return _crowded(state, token.artist, market, "5.3")


def remove(state: Muscat, seat: Seat, action: Remove) -> Refusal:
    """Why that never-do-well cannot be given up."""
    return _unknown_street(action.street) or _not_in_street(action.artist, action.street, "4.7")


def _place_faceup(state: Muscat, seat: Seat, action: Place) -> Refusal:
    token = state.shown[seat]
    if token is None:
        return Refusal("You have no artist left to bring in.", "4.1")
    return place(state, token, action.market)


def _cycle(state: Muscat, seat: Seat, action: Cycle) -> Refusal:
    if refusal := _unknown_market(state, action.market) or _not_full(state, action.market, "a cycle", "4.2"):
        return refusal
    return Refusal(f"None of your artists stands on {action.market}; in this match you need one there.", "9")


def _reemploy(state: Muscat, seat: Seat, action: Reemploy) -> Refusal:
    if unknown := _unknown_market(state, action.market):
        return unknown
    street = int(action.market[0])
    if (street, FIELD[action.artist]) not in state.idlers[seat]:
        return _not_in_street(action.artist, street, "4.3")
    return _crowded(state, action.artist, action.market, "4.3")


def _pair(state: Muscat, seat: Seat, action: Change | Expel, rule: str) -> Refusal | None:
    """What a change of place and an expulsion have in common."""
    if not state.idlers[seat]:
        return Refusal("This costs an artist in a street, and you have nobody there.", "4.7")
    if unknown := _unknown_market(state, action.origin) or _unknown_market(state, action.target):
        return unknown
    if action.origin[0] != action.target[0]:
        return Refusal(f"{action.origin} and {action.target} are on different levels.", rule)
    if action.origin == action.target:
        return Refusal(f"{action.origin} is one market; this takes two.", rule)
    if _holder(state, action.origin, action.artist) != seat:
        return Refusal(f"Your {action.artist.label} is not on {action.origin}.", rule)
    return None


def _change(state: Muscat, action: Change) -> Refusal:
    if _count(state, action.target) < CAPACITY - 1:
        present = _PRESENT[_count(state, action.target)]
        return Refusal(f"{present} on {action.target}; a change of place goes to a pair.", "4.4")
    return _crowded(state, action.artist, action.target, "4.4")


def _expel(state: Muscat, seat: Seat, action: Expel) -> Refusal:
    holder = _holder(state, action.target, action.artist)
    if holder is None:
        return Refusal(f"No {action.artist.label} stands on {action.target}.", "4.5")
    if holder == seat:
        return Refusal(f"The {action.artist.label} on {action.target} is your own.", "4.5")
    return Refusal(f"Neither {action.origin} nor {action.target} holds three artists.", "4.5")


def _transform(state: Muscat, seat: Seat, action: Transform) -> Refusal:
    market = action.market
    if refusal := (
        _unknown_market(state, market)
        or _unknown_street(action.street)
        or _not_full(state, market, "a transformation", "4.6")
    ):
        return refusal
    code = _code(state, market)
    trio = TRIO[code]
    assert trio is not None, "the market was found full"
    if trio.weakest.seat == seat:
        return _not_in_street(ARTISTS[trio.missing], action.street, "4.6")
    own = [artist.label for field, artist in enumerate(ARTISTS) if OWN[seat][code] >> field & 1]
    if not own:
        return Refusal(f"None of your artists stands on {market}.", "4.6")
    are = "is" if len(own) == 1 else "are"
    sentence = f"Your {listed(own)} on {market} {are} not the weakest; that is the {trio.weakest.artist.label}."
    return Refusal(sentence, "4.6")


def _crowded(state: Muscat, artist: Artist, market: str, rule: str) -> Refusal:
    if _holder(state, market, artist) is not None:
        return Refusal(f"Market {market} already has {_a(artist)}.", rule)
    return Refusal(f"Market {market} already holds three artists.", rule)


def _not_full(state: Muscat, market: str, what: str, rule: str) -> Refusal | None:
    count = _count(state, market)
    return Refusal(f"{_PRESENT[count]} on {market}; {what} needs three.", rule) if count < CAPACITY else None


def _not_in_street(artist: Artist, street: int, rule: str) -> Refusal:
    return Refusal(f"You have no {artist.label} in street {street}.", rule)


def _unknown_market(state: Muscat, market: str) -> Refusal | None:
    if market in repertoire(state.seats).numbers:
        return None
    last = f"{LEVELS}{MARKETS[state.seats - 1]}"
    return Refusal(f"There is no market “{market}”; with {state.seats} players they are 1A to {last}.", "2.2")


def _unknown_letter(state: Muscat, letter: str) -> Refusal | None:
    if letter in tuple(MARKETS[: state.seats]):
        return None
    letters = listed(MARKETS[: state.seats])
    return Refusal(f"“{letter}” is no market of level 1; with {state.seats} players they are {letters}.", "2.2")


def _unknown_street(street: int) -> Refusal | None:
    return None if 1 <= street <= LEVELS else Refusal(f"There is no street {street}; they are 1 to {LEVELS}.", "2.2")


def _a(artist: Artist) -> str:
    return f"{'an' if artist is Artist.ELEPHANT_TRAINER else 'a'} {artist.label}"


def _code(state: Muscat, market: str) -> int:
    return state.board[repertoire(state.seats).numbers[market]]


def _count(state: Muscat, market: str) -> int:
    return COUNT[_code(state, market)]


def _holder(state: Muscat, market: str, artist: Artist) -> Seat | None:
    return HOLDERS[_code(state, market)][FIELD[artist]]

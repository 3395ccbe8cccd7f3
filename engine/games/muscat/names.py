"""Names of options in Muscat, and of their fields, for buttons, menus and the text twin."""

from __future__ import annotations

from enum import Enum

from engine.core import Action
from engine.games.muscat.actions import Change, Cycle, Expel, Pick, Place, Reemploy, Remove, Rise, Transform
from engine.games.muscat.artists import ARTISTS, FIELD, Artist
from engine.games.muscat.board import Token
from engine.games.muscat.city import Market, Start
from engine.games.muscat.state import Muscat
from engine.texts import Text

_STREET_1 = Text("Street 1, since no market has room")


def named(state: Muscat, action: Action, field: str = "") -> Text | None:
    """The name of a field of an option, or of the whole option; see `Frame.named`."""
    if not field:
        return _whole(state, action)
    match getattr(action, field):
        case Artist() as artist:
            return _artist(state, action, artist)
        case Market() as market:
            return _market(state, action, market, field)
        case Start() as start:
            return _STREET_1 if start.market is None else _peopled(state, start.market, start)
        case int(street):
            return Text("Street {street}", street=street)
    return None


def newcomer(state: Muscat) -> Token:
    """The token that the deciding seat can bring in: the drawn one, or the face-up one."""
    token = state.drawn or state.shown[state.turn]
    assert token is not None, "the seat can bring in an artist"
    return token


def _whole(state: Muscat, action: Action) -> Text | None:
    match action:
        case Place(Start.STREET):
            return Text("New artist ({artist}) → street 1", artist=newcomer(state).artist)
        case Place(start):
            return Text("New artist ({artist}) → {market}", artist=newcomer(state).artist, market=start)
        case Cycle(market) | Pick(market):
            return Text("Set {market} in motion", market=market)
        case Rise(market):
            return Text("{artist} → {market}", artist=state.rising[0].artist.capitalized, market=market)
        case Reemploy(artist, market):
            template = "{artist} from street {street} → {market}"
            return Text(template, artist=artist.capitalized, street=market.level, market=market)
        case Remove(artist, street):
            return Text("{artist} in street {street} leaves", artist=artist.capitalized, street=street)
    return _special(state, action)


def _special(state: Muscat, action: Action) -> Text | None:
    """The actions that cost an artist in a street (rules 4.4 to 4.6)."""
    match action:
        case Change(artist, origin, target):
            return Text("{artist} {origin} → {target}", artist=artist.capitalized, origin=origin, target=target)
        case Expel(artist, origin, target):
            rival = state.market(target)[FIELD[artist]]
            template = "{artist} {origin} ⇄ {rival:@’s|your} {target}"
            return Text(template, artist=artist.capitalized, origin=origin, rival=rival, target=target)
        case Transform(market, street):
            template = "{market}: {artist} from street {street}"
            return Text(template, market=market, artist=_missing(state, market), street=street)
    return None


def _artist(state: Muscat, action: Action, artist: Artist) -> Text:
    if not isinstance(action, Reemploy):
        return artist.capitalized
    streets = tuple(sorted({street for street, field in state.idlers[state.turn] if field == FIELD[artist]}))
    return Text("{artist} in {streets:street|streets} {streets}", artist=artist.capitalized, streets=streets)


def _market(state: Muscat, action: Action, market: Market, field: str) -> Text:
    match action:
        case Expel(artist) if field == "target":
            return Text("{rival:@’s|yours} on {market}", rival=state.market(market)[FIELD[artist]], market=market)
        case Change(artist) | Expel(artist):
            return _peopled(state, market, market, besides=artist)
    return _peopled(state, market, market)


def _peopled(state: Muscat, market: Market, place: Enum | Market, besides: Artist | None = None) -> Text:
    """A market with its artists, except `besides`, the one that leaves or comes."""
    holders = zip(ARTISTS, state.market(market), strict=True)
    artists = tuple(artist for artist, seat in holders if seat is not None and artist != besides)
    # A name has at most 40 characters (see `Frame.named`): too few for three artists.
    if len(artists) == 3:
        return Text("{place} (all but the {missing})", place=place, missing=_missing(state, market))
    if artists:
        return Text("{place} ({artists})", place=place, artists=artists)
    return Text("{place} (empty)" if besides is None else "{place} (nobody else)", place=place)


def _missing(state: Muscat, market: Market) -> Artist:
    """The kind of artist that a full market lacks."""
    return ARTISTS[state.market(market).index(None)]

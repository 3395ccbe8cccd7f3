"""The actions of Muscat, one class for each verb."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core import Action, describe
from engine.games.muscat.artists import Artist
from engine.games.muscat.city import Market, Start


@dataclass(frozen=True, slots=True)
class Place(Action):
    """Bring your new artist to a market on level 1."""

    label = "New artist → {market}"

    market: Start = describe("the market on level 1, by its letter; “street” when none has room", "Which market?")


@dataclass(frozen=True, slots=True)
class Draw(Action):
    """Turn over your next hidden artist and bring it in, whichever it is."""

    label = "Draw a hidden artist"


@dataclass(frozen=True, slots=True)
class Cycle(Action):
    """Set the cycle of power in motion on a market with three artists."""

    label = "Set {market} in motion"

    market: Market = describe("a market with three artists, such as 2B", "Which market?")


@dataclass(frozen=True, slots=True)
class Reemploy(Action):
    """Find work for an artist of yours in the street, on the level right above it."""

    label = "{artist} → {market}"

    artist: Artist = describe("the artist that goes back to work", "Which artist?")
    market: Market = describe("its market on the level right above its street, such as 2B", "Which market?")


@dataclass(frozen=True, slots=True)
class Change(Action):
    """Move your artist to a pair on the same level; the cycle runs there at once."""

    label = "{artist} {origin} → {target}"

    artist: Artist = describe("the artist that moves", "Which artist?")
    origin: Market = describe("the market it leaves", "From which market?")
    target: Market = describe("the pair it joins, a market on the same level", "To which market?")


@dataclass(frozen=True, slots=True)
class Expel(Action):
    """Swap your artist with a rival’s of the same kind; the cycle runs on a full market of the two."""

    label = "{artist} {origin} ⇄ {target}"

    artist: Artist = describe("the kind of artist that is swapped", "Which artist?")
    origin: Market = describe("the market of your artist", "From which market?")
    target: Market = describe("the market of the rival’s artist", "Whose artist?")


@dataclass(frozen=True, slots=True)
class Transform(Action):
    """Replace your weakest artist with one from a street, which becomes the strongest at once."""

    label = "{market}: newcomer from street {street}"

    market: Market = describe("a full market where your artist is the weakest", "Which market?")
    street: int = describe("the street the newcomer comes from, by its number", "From which street?")


@dataclass(frozen=True, slots=True)
class Rise(Action):
    """Choose the market your rising artist enters."""

    label = "Rise to {market}"

    market: Market = describe("a market with room for your artist, such as 2C", "Which market?")


@dataclass(frozen=True, slots=True)
class Pick(Action):
    """Choose which of the two full markets runs its cycle after an expulsion."""

    label = "Set {market} in motion"

    market: Market = describe("one of the two markets of the expulsion", "Which market?")


@dataclass(frozen=True, slots=True)
class Remove(Action):
    """Give up an artist of yours in a street: the price of a special action."""

    label = "{artist} in street {street} leaves"

    artist: Artist = describe("the artist that leaves the game", "Which artist?")
    street: int = describe("the street it stands in, by its number", "In which street?")


@dataclass(frozen=True, slots=True)
class TurnUp(Action):
    """The artist that luck turns up from a hidden pile."""

    artist: Artist = describe("who it is")

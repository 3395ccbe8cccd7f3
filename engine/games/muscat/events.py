"""The events of Muscat. All are public."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from engine.core import Event
from engine.games.muscat.artists import Artist
from engine.games.muscat.city import Market
from engine.texts import Seat, Text


class EndReason(StrEnum):
    """Why the game ended (rule 6)."""

    PALACE = "palace"
    EXHAUSTION = "exhaustion"
    NO_ACTION = "no-action"

    @property
    def label(self) -> Text:
        """The reason as a sentence."""
        return _REASONS[self]


_REASONS = {
    EndReason.PALACE: Text("The palace has enough artists."),
    EndReason.EXHAUSTION: Text("A player has run out of artists: none to bring in, and none who can go back to work."),
    EndReason.NO_ACTION: Text("The next player can do nothing at all."),
}


@dataclass(frozen=True, slots=True)
class TurnedUp(Event):
    template = "Face up for {seat}: {artist}."
    minor = True

    seat: Seat
    artist: Artist


@dataclass(frozen=True, slots=True)
class Drew(Event):
    """A token was drawn from the pile and must be brought in."""

    template = "{seat} {seat:draws|draw} a hidden artist: {artist}."
    brief = "draws a hidden {artist}"

    seat: Seat
    artist: Artist


@dataclass(frozen=True, slots=True)
class Placed(Event):
    template = "{seat:@’s|your} {artist} starts on {market}."
    brief = "{artist} starts on {market}"

    seat: Seat
    artist: Artist
    market: Market


@dataclass(frozen=True, slots=True)
class Stranded(Event):
    template = "No market has room: {seat:@’s|your} {artist} ends up in street 1."
    brief = "{artist} ends up in street 1"

    seat: Seat
    artist: Artist


@dataclass(frozen=True, slots=True)
class CycleRan(Event):
    """The seat on turn set a market in motion; the strongest and the second artist rise next."""

    template = "{seat} {seat:sets|set} {market} in motion{risers}."
    brief = "sets {market} in motion"

    seat: Seat
    market: Market
    strongest: Seat
    strongest_artist: Artist
    second: Seat
    second_artist: Artist
    # Derived from the other fields, so left out of comparisons.
    risers: Text = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        one, other = (self.strongest, self.strongest_artist), (self.second, self.second_artist)
        object.__setattr__(self, "risers", _risers(self.seat, one, other))


@lru_cache(maxsize=2048)  # needed for every cycle in a search; saves 3 % of it
def _risers(seat: Seat, one: tuple[Seat, Artist], other: tuple[Seat, Artist]) -> Text:
    """Two artists, with each owner named once. `Their own` comes first, so that it clearly refers to the subject."""
    (first, artist), (second, its_rival) = (other, one) if other[0] == seat != one[0] else (one, other)
    if first == second == seat:
        return Text(": {owner:their own|your} {one} and {other} rise", owner=seat, one=artist, other=its_rival)
    if first == second:
        return Text(": {owner:@’s|your} {one} and {other} rise", owner=first, one=artist, other=its_rival)
    if first == seat:
        template = ": {seat:their own|your} {one} and {owner:@’s|your} {other} rise"
        return Text(template, seat=seat, one=artist, owner=second, other=its_rival)
    template = ": {owner:@’s|your} {one} and {rival:@’s|your} {other} rise"
    return Text(template, owner=first, one=artist, rival=second, other=its_rival)


@dataclass(frozen=True, slots=True)
class Rose(Event):
    """An artist rose to the next level."""

    template = "{seat:@’s|your} {artist} climbs to {market}."
    brief = "{artist} climbs to {market}"

    seat: Seat
    artist: Artist
    origin: Market
    market: Market


@dataclass(frozen=True, slots=True)
class Jumped(Event):
    """An artist made a career jump over at least one level."""

    template = "{seat:@’s|your} {artist} makes a career jump to {market}."
    brief = "{artist} jumps to {market}"

    seat: Seat
    artist: Artist
    origin: Market
    market: Market


@dataclass(frozen=True, slots=True)
class EnteredPalace(Event):
    template = "{seat:@’s|your} {artist} enters the palace."
    brief = "{artist} enters the palace"

    seat: Seat
    artist: Artist
    origin: Market


@dataclass(frozen=True, slots=True)
class JumpedIntoPalace(EnteredPalace):
    """An artist made a career jump into the palace from below level 4."""

    template = "{seat:@’s|your} {artist} makes a career jump into the palace."
    brief = "{artist} jumps into the palace"


@dataclass(frozen=True, slots=True)
class Fell(Event):
    """The weakest artist of a cycle fell to the street below."""

    template = "{seat:@’s|your} {artist} falls to street {street}."

    seat: Seat
    artist: Artist
    origin: Market
    street: int


@dataclass(frozen=True, slots=True)
class Reemployed(Event):
    template = "{seat:@’s|your} {artist} finds work again on {market}."
    brief = "{artist} works again on {market}"

    seat: Seat
    artist: Artist
    market: Market


@dataclass(frozen=True, slots=True)
class Moved(Event):
    template = "{seat:@’s|your} {artist} moves from {origin} to {market}."
    brief = "{artist} moves from {origin} to {market}"

    seat: Seat
    artist: Artist
    origin: Market
    market: Market


@dataclass(frozen=True, slots=True)
class Expelled(Event):
    """An expulsion: the seat's artist went from `origin` to `market`, and the rival's the other way."""

    template = "{seat:@’s|your} {artist} drives {rival:@’s|yours} from {market} to {origin}."
    brief = "{artist} ousts {rival}: {origin} → {market}"

    seat: Seat
    rival: Seat
    artist: Artist
    origin: Market
    market: Market


@dataclass(frozen=True, slots=True)
class Transformed(Event):
    """A transformation: `artist` came from `street` to `market`, and `weakest_artist` left the game."""

    template = "On {market} {seat:@’s|your} {weakest_artist} makes way for the {artist} from street {street}."
    brief = "{artist} replaces {weakest_artist}"

    seat: Seat
    artist: Artist
    weakest_artist: Artist
    market: Market
    street: int


@dataclass(frozen=True, slots=True)
class Removed(Event):
    """A seat gave up a never-do-well for a special action."""

    template = "{seat} {seat:gives|give} up the {artist} in street {street}."
    brief = "gives up {artist} in street {street}"

    seat: Seat
    artist: Artist
    street: int


@dataclass(frozen=True, slots=True)
class PileRanOut(Event):
    """The last hidden artist of a seat was turned up: a warning, since a seat without artists ends the game."""

    template = "{seat:@’s|your} pile is used up. A player with no artist to bring in or reemploy ends the game."

    seat: Seat


@dataclass(frozen=True, slots=True)
class LastRoundBegan(Event):
    template = "The palace has enough artists: this is the last round."


@dataclass(frozen=True, slots=True)
class Ended(Event):
    template = "The game is over. {reason}"
    minor = True

    reason: EndReason


@dataclass(frozen=True, slots=True)
class Exhausted(Ended):
    """The game is over because a seat can neither bring in nor re-employ an artist (rule 6.2)."""

    template = "The game is over: {seat} {seat:has|have} nobody left to bring in or to send back to work."
    minor = False  # the reason in the picture does not name the seat

    seat: Seat


@dataclass(frozen=True, slots=True)
class Stuck(Ended):
    """The game is over because the seat on turn has no possible action (rule 9)."""

    template = "The game is over: {seat} can do nothing at all."
    minor = False  # see `Exhausted`

    seat: Seat

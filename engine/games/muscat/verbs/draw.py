"""The draw of a hidden artist, which must be brought in (rules 3 and 4.1)."""

from __future__ import annotations

from engine.core import Event, Refusal
from engine.games.muscat.artists import Artist
from engine.games.muscat.board import Token
from engine.games.muscat.builder import MuscatBuilder
from engine.games.muscat.city import Market, Start, starts
from engine.games.muscat.ending import finish
from engine.games.muscat.state import Muscat, OpensTurn
from engine.games.muscat.verb import TurnVerb
from engine.games.muscat.verbs.place import Placed, PlaceDrawn, PlaceFirst, bring_in, places
from engine.games.muscat.verbs.turn_up import FromPile, TurnUp, kind_counts
from engine.texts import Seat, Text


class Draw(TurnVerb):
    """Turn over your next hidden artist and bring it in, like it or not."""

    label = "Draw a hidden artist"

    @staticmethod
    def offers(state: Muscat, seat: Seat) -> tuple[Draw, ...]:
        """The draw, while the pile has tokens."""
        return _DRAW if any(state.piles[seat]) else ()

    def carry_out(self, after: MuscatBuilder, seat: Seat) -> None:
        """Let CHANCE turn over the token."""
        # The artist is hidden even from its seat (rule 8), so CHANCE reveals it.
        after.ask(DrawNew(seat))

    def title(self, state: Muscat) -> None:
        """`None`, since the label is enough."""

    def gloss(self, state: Muscat) -> Text:
        """The artists in the pile."""
        return Text("in the pile: {left}", left=kind_counts(state.piles[state.turn]))

    def refusal(self, state: Muscat, seat: Seat) -> Refusal:
        """An empty pile."""
        return Refusal(Text("Your pile is empty; there is nobody left to draw."), "4.1")


_DRAW = (Draw(),)


class Drew(Event):
    """`artist` comes from the pile and must be brought in next."""

    template = "{seat} {seat:draws|draw} a hidden artist: {artist}."
    brief = "draws a hidden {artist}"

    seat: Seat
    artist: Artist

    def and_then(self, after: Event) -> Event | None:
        """One event for the artist that is brought in at once."""
        if not isinstance(after, Placed) or (after.seat, after.artist) != (self.seat, self.artist):
            return None
        return BroughtIn(self.seat, self.artist, after.market)


class BroughtIn(Event):
    """A `Drew`, and the `Placed` of its artist."""

    template = "{seat} {seat:draws|draw} a hidden artist: {artist}, who starts on {market}."

    seat: Seat
    artist: Artist
    market: Market


class DrawFirst(FromPile, OpensTurn):
    """The first token of a seat (rule 3)."""

    def resolve(self, state: Muscat, seat: Seat, action: TurnUp) -> tuple[Muscat, tuple[Event, ...]]:
        """Ask for its market, or use the next one in order, depending on the option."""
        after = MuscatBuilder(state)
        token = _draw(after, self.seat, action.artist)
        if state.setup.options.start_placement == "fixed":
            # The clock counts the start placements from 0.
            bring_in(after, token, starts(state.seats)[state.clock])
        else:
            after.ask(PlaceFirst(token))
        return finish(after)


class DrawNew(FromPile):
    """A token drawn instead of bringing in the face-up one (rule 4.1)."""

    def prompt(self) -> Text:
        """The draw, with the next step of its seat."""
        template = "{seat:@’s|your} hidden artist is turned up, and {seat} {seat:chooses|choose} its market on level 1."
        return Text(template, seat=self.seat)

    def resolve(self, state: Muscat, seat: Seat, action: TurnUp) -> tuple[Muscat, tuple[Event, ...]]:
        """Ask for its market; if no market has room, it goes to street 1."""
        after = MuscatBuilder(state)
        token = _draw(after, self.seat, action.artist)
        if places(state, token):
            after.ask(PlaceDrawn(token))
        else:
            bring_in(after, token, Start.STREET)
        return finish(after)


def _draw(after: MuscatBuilder, seat: Seat, artist: Artist) -> Token:
    """Answer the question with a token of a seat."""
    after.answered()
    after.tell(Drew(seat, artist))
    return after.take_from_pile(seat, artist)

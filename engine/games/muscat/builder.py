"""The changes of a position in Muscat."""

from __future__ import annotations

from collections.abc import Mapping

from engine.builder import Builder
from engine.core import Event
from engine.games.muscat.artists import FIELD, Artist
from engine.games.muscat.board import HOLDERS, IDLERS, NUMBERS, TRIO, Token, Trio, token_of, without_one
from engine.games.muscat.city import LEVELS, Market, Start
from engine.games.muscat.ending import ending, round_over
from engine.games.muscat.events import (
    Drew,
    Ended,
    EndReason,
    EnteredPalace,
    Fell,
    JumpedIntoPalace,
    LastRoundBegan,
    PileRanOut,
    Placed,
    Stranded,
    TurnedUp,
)
from engine.games.muscat.options import AT_ONCE, NO_ACTION
from engine.games.muscat.state import Muscat, OpensTurn
from engine.texts import Seat


class MuscatBuilder(Builder["Muscat"]):
    """A position of Muscat while one ply changes it."""

    def __init__(self, before: Muscat) -> None:
        super().__init__(before)
        self.clock = before.clock
        self.last_round = before.last_round
        self.board = list(before.board)
        self.idlers = list(before.idlers)
        self.courtiers = list(before.courtiers)
        self.shown = list(before.shown)
        self.piles = list(before.piles)
        self.ended = before.ended

    def position(self) -> Muscat:
        # Not `replace`, which takes longer: this is a hot spot of searches.
        return Muscat(
            tuple(self.frames),
            self.before.setup,
            self.clock,
            self.last_round,
            tuple(self.board),
            tuple(self.idlers),
            tuple(self.courtiers),
            tuple(self.shown),
            tuple(self.piles),
            self.ended,
        )

    # --- markets ---

    @property
    def _numbers(self) -> Mapping[Market, int]:
        """Market -> its index on the board."""
        return NUMBERS[self.before.setup.seats]

    def trio(self, market: Market) -> Trio | None:
        """The ranked artists of a full market."""
        return TRIO[self.board[self._numbers[market]]]

    def holder(self, market: Market, artist: Artist) -> Seat | None:
        """The seat whose artist of this kind is on a market."""
        return HOLDERS[self.board[self._numbers[market]]][FIELD[artist]]

    def enter(self, market: Market, token: Token) -> None:
        """Put a token on its field, which must be empty."""
        self.board[self._numbers[market]] += token.weight

    def leave(self, market: Market, token: Token) -> None:
        """Remove a token from its field."""
        self.board[self._numbers[market]] -= token.weight

    def exchange(self, market: Market, leaving: Token, entering: Token) -> None:
        """Replace a token on a market by another one."""
        self.board[self._numbers[market]] += entering.weight - leaving.weight

    def clear(self, market: Market) -> None:
        """Remove all tokens from a market."""
        self.board[self._numbers[market]] = 0

    # --- pile, street and palace ---

    def show(self, seat: Seat, artist: Artist) -> None:
        """Turn up a token as the face-up token of a seat."""
        self.shown[seat] = self._off_pile(seat, artist)
        self.tell(TurnedUp(seat, artist))
        self._warn(seat)

    def draw(self, seat: Seat, artist: Artist) -> Token:
        """Draw a token that must be brought in."""
        self.tell(Drew(seat, artist))
        token = self._off_pile(seat, artist)
        self._warn(seat)
        return token

    def _warn(self, seat: Seat) -> None:
        # With `no_action`, a seat without artists can play on (rule 9).
        if not any(self.piles[seat]) and self.before.setup.options.exhaustion_end != NO_ACTION:
            self.tell(PileRanOut(seat))

    def _off_pile(self, seat: Seat, artist: Artist) -> Token:
        token = token_of(seat, artist)
        self.piles[seat] = without_one(self.piles[seat], token.field)
        return token

    def bring_in(self, token: Token, start: Start) -> None:
        """Put a new token on a market of level 1 or into street 1 (rule 4.1)."""
        if (market := start.market) is None:
            self.idle(token, 1)
            self.tell(Stranded(token.seat, token.artist))
        else:
            self.enter(market, token)
            self.tell(Placed(token.seat, token.artist, market))

    def enter_palace(self, token: Token, origin: Market) -> None:
        """Move a riser into the palace (rule 5.5), which is a jump from below level 4 (rule 5.4)."""
        # A count is enough, since artists never leave the palace (rule 5.5).
        self.courtiers[token.number] += 1
        kind = EnteredPalace if origin.level == LEVELS[-1] else JumpedIntoPalace
        self.tell(kind(token.seat, token.artist, origin))

    def fall_to_street(self, token: Token, origin: Market) -> None:
        """Move the weakest artist to the street below its level (rule 5.2)."""
        self.idle(token, origin.level)
        self.tell(Fell(token.seat, token.artist, origin, origin.level))

    def idle(self, token: Token, street: int) -> None:
        """Put a token into a street as a never-do-well."""
        # Sorted, so that equal never-do-wells are equal values.
        self.idlers[token.seat] = tuple(sorted((*self.idlers[token.seat], IDLERS[street, token.field])))

    def call(self, token: Token, street: int) -> None:
        """Remove a never-do-well from its street."""
        idlers = list(self.idlers[token.seat])
        idlers.remove(IDLERS[street, token.field])
        self.idlers[token.seat] = tuple(idlers)

    # --- turns ---

    def finish(self) -> tuple[Muscat, tuple[Event, ...]]:
        """Like `done`, but ends the turn if no question of it is pending."""
        if not isinstance(self.frames[-1], OpensTurn):
            return self.done()
        # First, since both checks below are about the next turn.
        self.clock = self.before.clock + 1
        following = self.position()
        if not following.last_round and following.palace_count >= following.palace_limit:
            self.last_round = True
            # If the last seat of a round fills the palace, the game ends at once, without a last round (rule 6.1).
            if not round_over(following):
                self.tell(LastRoundBegan())
            following = self.position()
        if end := ending(following):
            self._end(end)
            return self.done()
        # Not `done`, which would build the position again.
        return following, tuple(self.events)

    def _end(self, end: Ended) -> None:
        """End the game. An end that does not depend on the next seat belongs to the previous turn."""
        if end.reason is EndReason.PALACE or self.before.setup.options.exhaustion_end == AT_ONCE:
            self.clock = self.before.clock
        self.ended = end.reason
        self.frames.clear()
        self.tell(end)

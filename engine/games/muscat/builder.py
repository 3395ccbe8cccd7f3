"""The changes of a position in Muscat."""

from __future__ import annotations

from engine.builder import Builder
from engine.games.muscat.artists import FIELD, Artist
from engine.games.muscat.board import HOLDERS, IDLERS, NUMBERS, TRIO, Token, Trio, token_of, without_one
from engine.games.muscat.city import Market
from engine.games.muscat.events import PileRanOut
from engine.games.muscat.options import NO_ACTION
from engine.games.muscat.state import Muscat
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
        self.shown_tokens = list(before.shown_tokens)
        self.piles = list(before.piles)
        self.ended = before.ended
        self._numbers = NUMBERS[before.setup.seats]

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
            tuple(self.shown_tokens),
            tuple(self.piles),
            self.ended,
        )

    # --- markets ---

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

    # --- pile and street ---

    def take_from_pile(self, seat: Seat, artist: Artist) -> Token:
        """Remove a token from the pile of a seat, and report if it was the last one."""
        token = token_of(seat, artist)
        self.piles[seat] = without_one(self.piles[seat], token.field)
        # With `no_action`, a seat without artists can play on (rule 9).
        if not any(self.piles[seat]) and self.before.setup.options.exhaustion_end != NO_ACTION:
            self.tell(PileRanOut(seat))
        return token

    def add_idler(self, token: Token, street: int) -> None:
        """Put a token into a street as a never-do-well."""
        # Sorted, so that equal never-do-wells are equal values.
        self.idlers[token.seat] = tuple(sorted((*self.idlers[token.seat], IDLERS[street, token.field])))

    def remove_idler(self, token: Token, street: int) -> None:
        """Remove a never-do-well from its street."""
        idlers = list(self.idlers[token.seat])
        idlers.remove(IDLERS[street, token.field])
        self.idlers[token.seat] = tuple(idlers)

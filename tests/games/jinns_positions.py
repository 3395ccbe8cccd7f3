"""Positions of Jinns of the Lake, written down as in the rules, and a match played from one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core import OptionValue
from engine.games.jinns import GAME
from engine.games.jinns.events import EndReason
from engine.games.jinns.frames.turn import TURN
from engine.games.jinns.options import terms_of
from engine.games.jinns.pattern import fixed_owners
from engine.games.jinns.pawns import EMPTY, Board, Pile
from engine.games.jinns.ring import SQUARES
from engine.games.jinns.state import Jinns
from engine.texts import Seat
from tests.games import tables


def board_of(piles: Mapping[int, str]) -> Board:
    """`{0: "B4 G1 Y3"}`, piles from bottom to top, as a board."""
    return tuple(Pile.parse(piles[square]) if square in piles else EMPTY for square in range(SQUARES))


def position(
    piles: Mapping[int, str],
    *,
    seats: int = 2,
    turn: int = 0,
    taken: Mapping[int, str] | None = None,
    **options: OptionValue,
) -> Jinns:
    """The start of a turn, counted as the first position.

    Args:
        piles: `{0: "B4 G1 Y3"}`, from bottom to top.
        seats: number of players.
        turn: the seat on turn.
        taken: `{0: "R3 G4, B1 Y3"}`, the piles in front of a seat.
        options: of the host.
    """
    board = board_of(piles)
    return Jinns(
        frames=(TURN,),
        terms=terms_of(GAME.setup(seats, options)),
        board=board,
        owned=fixed_owners(seats),
        turn=Seat(turn),
        moves=0,
        taken_piles=tuple(_piles((taken or {}).get(seat, "")) for seat in range(seats)),
        record=((Seat(turn), board),),
        ended=None,
    )


def _piles(text: str) -> tuple[Pile, ...]:
    return tuple(map(Pile.parse, text.split(", "))) if text else ()


class Table(tables.Table[Jinns]):
    """Luck is played like all else."""

    def __init__(self, state: Jinns, seats: int, options: Mapping[str, OptionValue]) -> None:
        super().__init__(GAME, GAME.setup(seats, options), state)

    def goals(self, square: int) -> list[int]:
        """Squares that the top pawn of a square can reach alone."""
        return sorted({int(text.split()[3]) for text in self.options(f"move {square} 1")})

    @property
    def piles(self) -> dict[int, str]:
        """The board, as `position` takes it."""
        return {square: str(pile) for square, pile in enumerate(self.state.board) if pile}

    def taken(self, seat: int) -> list[str]:
        """The piles in front of a seat."""
        return [str(pile) for pile in self.state.taken_piles[seat]]

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self.state.score(Seat(seat)) for seat in range(self.state.seats))

    @property
    def over(self) -> EndReason | None:
        """Why the game is over, `None` while it goes on."""
        outcome = self.state.outcome()
        assert (outcome is None) == bool(self.state.decisions())
        return EndReason(outcome.reason) if outcome else None


def table(piles: Mapping[int, str], *, seats: int = 2, turn: int = 0, **told: Any) -> Table:
    """A table at a `position`."""
    options = {name: value for name, value in told.items() if name != "taken"}
    return Table(position(piles, seats=seats, turn=turn, **told), seats, options)


def fresh(seats: int = 2, **options: OptionValue) -> Table:
    """A table before the set-up."""
    state = GAME.start(GAME.setup(seats, options))
    assert isinstance(state, Jinns)
    return Table(state, seats, options)


def set_up(seats: int = 2, stop: int = SQUARES, **options: OptionValue) -> Table:
    """A table with `stop` pawns placed: 1, 1, 2, 2, ... of each color, or what luck could draw first."""
    t = fresh(seats, **options)
    while t.state.is_setting_up and t.state.placed < stop:
        t.play(t.options()[0])
    return t


def yellow_fours(green: str) -> Table:
    """A placement of three on square 20: only Y4 is left of yellow for two squares; `green` are Red's pawns of it."""
    a, b, c = "1 1 2 2 1 1", "1 1 2 2 2 2", f"1 1 2 2 {green}"
    return fresh(3).play(*(f"place {strength}" for strength in f"{a} {b} {c} 3 3".split()))

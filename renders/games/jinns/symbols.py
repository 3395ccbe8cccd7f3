"""The colors of pawns as symbols: the tokens of the seats that have them."""

from __future__ import annotations

from engine.core import Action
from engine.games.jinns.actions import Choose, Move
from engine.games.jinns.state import Jinns
from renders.games.jinns.layout import STYLE
from renders.symbols import Symbol, token

SYMBOLS: tuple[Symbol, ...] = ()


def symbol(state: Jinns, action: Action) -> Symbol | None:
    """The color that is chosen, or that of the top pawn of the pile that moves."""
    match action:
        case Choose(color):
            return token(STYLE[color])
        case Move(square):
            return token(STYLE[state.board[square].top.color])
    return None

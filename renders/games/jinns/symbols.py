"""The colors of pawns as symbols: the tokens of the seats that have them; and the emblem of the game."""

from __future__ import annotations

from engine.core import Action
from engine.games.jinns.actions import Choose, Move
from engine.games.jinns.state import Jinns
from renders.games.jinns.layout import STYLE
from renders.symbols import Symbol, emblem, token

PIECES = {color: token(seat) for color, seat in STYLE.items()}

EMBLEM = emblem("jinns", "lamp", "#163A6B")


def symbol(state: Jinns, action: Action) -> Symbol | None:
    """The color that is chosen, or that of the top pawn of the pile that moves."""
    match action:
        case Choose(color):
            return PIECES[color]
        case Move(square):
            return PIECES[state.board[square].top.color]
    return None

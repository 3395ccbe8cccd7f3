"""Why an action is not possible: which condition fails, what is in the way, and the section that says so."""

from __future__ import annotations

from engine.core import Action, Refusal
from engine.games.jinns.actions import Choose, Keep, Move, Place, Strength
from engine.games.jinns.offers import reach
from engine.games.jinns.pattern import Turf, next_square, stock, turf
from engine.games.jinns.pawns import (
    COLORS,
    PAWN_WORDS,
    SQUARES,
    STRENGTHS,
    TOWER,
    Pawn,
    color_of,
    height,
    pawns_in,
    strength_of,
    top,
)
from engine.games.jinns.state import Jinns
from engine.texts import Seat, listed


def placing(state: Jinns, action: Action) -> Refusal | None:
    """Why this cannot be done while pawns are placed; `None` for a verb that is no part of it."""
    if not isinstance(action, Place):
        return None
    square = next_square(state.board)
    here = turf(state.seats)[square]
    if action.strength is Strength.REST:
        return _no_help(square, here)
    color = COLORS[here.color].label
    left = [str(n) for n, number in zip(STRENGTHS, stock(state.board, here.color), strict=True) if number]
    sentence = f"Both {color} pawns of strength {action.strength} are on the quay already; left: {listed(left)}."
    return Refusal(sentence, "3.1")


def _no_help(square: int, here: Turf) -> Refusal:
    if here.block_end - square == 1:
        return Refusal(f"Square {square} is the last one of this round; choose its strength yourself.", "3.1")
    names = [COLORS[color].label for color in here.colors]
    only = "only one strength is" if len(names) == 1 else "only one strength each is"
    return Refusal(f"Of {listed(names)} {only} left; place the pawns yourself.", "3.1")


def choosing(state: Jinns, action: Action) -> Refusal | None:
    """Why this color cannot be chosen; `None` for another verb."""
    if not isinstance(action, Choose):
        return None
    return Refusal(f"{action.color.label.capitalize()} already has an owner.", "3.4")


def moving(state: Jinns, seat: Seat, action: Action) -> Refusal | None:
    """Why the seat on turn cannot move so; `None` for a verb that is no part of a turn."""
    if not isinstance(action, Move):
        return None
    return (
        _square(action.square)
        or _square(action.to)
        or _not_yours(state, seat, action.square)
        or _too_many(state, action)
        or _unreachable(state, action)
        or _in_the_way(state, seat, action)
        or _keep(state, action)
    )


def _square(square: int) -> Refusal | None:
    if 0 <= square < SQUARES:
        return None
    return Refusal(f"There is no square {square}; they are numbered 0 to {SQUARES - 1}.", "2.2")


def _not_yours(state: Jinns, seat: Seat, square: int) -> Refusal | None:
    pile = state.board[square]
    if not pile:
        return Refusal(f"Square {square} is empty.", "4.1")
    if state.movable(seat) >> (pile >> 2 & 3) & 1:
        return None
    names = listed([color.label for n, color in enumerate(COLORS) if state.movable(seat) >> n & 1])
    return Refusal(f"The pile on {square} is topped by {PAWN_WORDS[top(pile)]}; you can move {names}.", "4.1")


def _too_many(state: Jinns, move: Move) -> Refusal | None:
    storeys = height(state.board[move.square])
    if move.take < 1:
        return Refusal("A move takes at least one pawn.", "4.2")
    if move.take <= storeys:
        return None
    stand = "Only one pawn stands" if storeys == 1 else f"Only {storeys} pawns stand"
    return Refusal(f"{stand} on {move.square}; {move.take} cannot move.", "4.2")


def _unreachable(state: Jinns, move: Move) -> Refusal | None:
    pawn = top(state.board[move.square])
    steps = strength_of(pawn)
    counts = f"{_named(pawn)} on {move.square} counts {'1 pile' if steps == 1 else f'{steps} piles'}"
    squares = reach(state.board, move.square)
    if move.to in squares:
        return None
    if not squares:
        return Refusal(f"{counts}, but {_left(sum(map(bool, state.board)) - 1)}.", "4.3")
    if not state.board[move.to]:
        return Refusal(f"Square {move.to} is empty; a move ends on a pile.", "4.3")
    goals = " or ".join(map(str, squares))
    return Refusal(f"{counts} and so gets to {goals}, not to {move.to}.", "4.3")


def _left(others: int) -> str:
    """How many other piles there are, where they are too few."""
    if others > 1:
        return f"only {others} others are left"
    return "only 1 other is left" if others else "no other is left"


def _named(pawn: Pawn) -> str:
    """A pawn at the beginning of a sentence: `Yellow 3`."""
    return PAWN_WORDS[pawn].capitalize()


def _in_the_way(state: Jinns, seat: Seat, move: Move) -> Refusal | None:
    target = state.board[move.to]
    mine = {color_of(pawn) for pawn in pawns_in(state.board[move.square])[-move.take :]}
    for pawn in reversed(pawns_in(target)):
        if color_of(pawn) in mine:
            sentence = f"{_named(pawn)} stands on {move.to}; no pile has two pawns of a color."
            return Refusal(sentence, "4.4")
    if state.partner_colors(seat) >> (target >> 2 & 3) & 1:
        return Refusal(f"{_named(top(target))} on {move.to} is your partner’s; you cannot cover it.", "4.5")
    return None


def _keep(state: Jinns, move: Move) -> Refusal:
    storeys = height(state.board[move.to]) + move.take
    if not state.terms.partners:
        return Refusal(f"“{move.keep}” is for partners; you play for yourself.", "5")
    if storeys == TOWER:
        return Refusal(f"This makes a tower of four: add {Keep.HIGH} or {Keep.LOW}, the half that you keep.", "5.1")
    if storeys == TOWER - 1:
        return Refusal(f"This makes a tower of three: add {Keep.LEAVE} or {Keep.TAKE3}.", "5.2")
    return Refusal(f"This makes a pile of two, which stays; “{move.keep}” is for towers of three or four.", "5.2")

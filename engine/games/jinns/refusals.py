"""Refusals of Jinns of the Lake: the condition that an action violates, and its rule."""

from __future__ import annotations

from engine.core import Action, Refusal
from engine.games.jinns.actions import Move, Place, Strength
from engine.games.jinns.offers import reach
from engine.games.jinns.pattern import next_square, placements, stock
from engine.games.jinns.pawns import EMPTY, STRENGTHS, TOPPED_BY, TOWER, Pawn, colors_in
from engine.games.jinns.ring import LAST, SQUARES, Square
from engine.games.jinns.state import Jinns
from engine.games.jinns.words import KEEPS
from engine.texts import Seat, Text

_NO_PAWN = Text("A move takes at least one pawn.")
HALVES = Text("This makes a tower of four: add “upper” or “lower”, the half that you keep.")
THREE = Text("This makes a tower of three: add “leave” or “take”.")


def placing(state: Jinns, action: Action) -> Refusal | None:
    """The reason why a placement is illegal; `None` for other verbs."""
    if not isinstance(action, Place):
        return None
    square = next_square(state.board)
    here = placements(state.seats)[square]
    if action.strength is Strength.REST:
        if here.block_end - square == 1:
            sentence = "Square {square} is the last one of this round; choose its strength yourself."
            return Refusal(Text(sentence, square=square), "3.1")
        sentence = "Of {colors} only one strength {colors:is|each is} left; place the pawns yourself."
        return Refusal(Text(sentence, colors=here.colors), "3.1")
    in_stock = tuple(n for n, number in zip(STRENGTHS, stock(state.board, here.color), strict=True) if number)
    sentence = "Both {color} pawns of strength {strength} are on the quay already; left: {left}."
    return Refusal(Text(sentence, color=here.color, strength=action.strength.number, left=in_stock), "3.1")


def moving(state: Jinns, seat: Seat, action: Action) -> Refusal | None:
    """The reason why a move is illegal; `None` for other verbs."""
    if not isinstance(action, Move):
        return None
    # The first violated condition, in the order of rules 4.1 to 5.2.
    return (
        _square(action.square)
        or _square(action.to)
        or _not_yours(state, seat, action.square)
        or _too_many(state, action)
        or _unreachable(state, action)
        or _in_the_way(state, seat, action)
        or _keep(state, action)
    )


def _square(square: Square) -> Refusal | None:
    if square.exists:
        return None
    sentence = "There is no square {square}; they are numbered 0 to {last}."
    return Refusal(Text(sentence, square=square, last=LAST), "2.2")


def _not_yours(state: Jinns, seat: Seat, square: Square) -> Refusal | None:
    # All seats may move piles with a neutral top (rule 4.1).
    pile, movable = state.board[square], state.owned[seat] | state.neutral
    if not pile:
        return Refusal(Text("Square {square} is empty.", square=square), "4.1")
    if pile in TOPPED_BY[movable]:
        return None
    sentence = "The pile on {square} is topped by {color} {strength}; you can move {movable}."
    color, strength = pile.top
    text = Text(sentence, square=square, color=color, strength=strength, movable=colors_in(movable))
    return Refusal(text, "4.1")


def _too_many(state: Jinns, move: Move) -> Refusal | None:
    storeys = state.board[move.square].height
    if move.take < 1:
        return Refusal(_NO_PAWN, "4.2")
    if move.take <= storeys:
        return None
    sentence = "Only {storeys:one pawn stands|@ pawns stand} on {square}; {take} cannot move."
    return Refusal(Text(sentence, storeys=storeys, square=move.square, take=move.take), "4.2")


def _unreachable(state: Jinns, move: Move) -> Refusal | None:
    squares, pawn = reach(state.board, move.square), state.board[move.square].top
    if move.to in squares:
        return None
    counts = _of_pawn("{pawn} on {square} moves {strength} {strength:pile|piles}", pawn, move.square)
    if not squares:
        others = SQUARES - state.board.count(EMPTY) - 1
        few = Text("only {others} {others:other is|others are} left", others=others)
        return Refusal(Text("{counts}, but {left}.", counts=counts, left=few), "4.3")
    if not state.board[move.to]:
        return Refusal(Text("Square {square} is empty; a move ends on a pile.", square=move.to), "4.3")
    goals = Text("{one}" if len(squares) == 1 else "{one} or {other}", one=squares[0], other=squares[-1])
    sentence = "{counts} and so reaches {goals}, not {to}."
    return Refusal(Text(sentence, counts=counts, goals=goals, to=move.to), "4.3")


def _of_pawn(sentence: str, pawn: Pawn, square: Square) -> Text:
    """A sentence that begins with a pawn, as `Yellow 3`."""
    named = Text("{color:^} {strength}", color=pawn.color, strength=pawn.strength)
    return Text(sentence, pawn=named, strength=pawn.strength, square=square)


def _in_the_way(state: Jinns, seat: Seat, move: Move) -> Refusal | None:
    target = state.board[move.to]
    mine = {pawn.color for pawn in state.board[move.square].upper(move.take).pawns}
    for pawn in reversed(target.pawns):
        if pawn.color in mine:
            sentence = "{pawn} stands on {square}; no pile has two pawns of a color."
            return Refusal(_of_pawn(sentence, pawn, move.to), "4.4")
    if target in TOPPED_BY[state.partner_colors(seat)]:
        sentence = "{pawn} on {square} is your partner’s; you cannot cover it."
        return Refusal(_of_pawn(sentence, target.top, move.to), "4.5")
    return None


def _keep(state: Jinns, move: Move) -> Refusal:
    # All other conditions are met, so `keep` must be wrong.
    storeys, partners = state.board[move.to].height + move.take, state.terms.partners
    if partners and storeys == TOWER:
        return Refusal(HALVES, "5.1")
    if partners and storeys == TOWER - 1:
        return Refusal(THREE, "5.2")
    assert move.keep, "a move that makes no shared tower needs no choice"
    keep = KEEPS[move.keep]
    if not partners:
        return Refusal(Text("“{keep}” is for partners; you play for yourself.", keep=keep), "5")
    sentence = "This makes a pile of two, which stays; “{keep}” is for towers of three or four."
    return Refusal(Text(sentence, keep=keep), "5.2")

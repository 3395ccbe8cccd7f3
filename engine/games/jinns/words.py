"""Labels and glosses of options, and advice for beginners."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core import Advice, Advised, Event
from engine.games.jinns.actions import Choose, Keep, Move, Place, Strength
from engine.games.jinns.events import CameAgain, Ended, SharedTower, Storeys, TookTower
from engine.games.jinns.offers import plain_options
from engine.games.jinns.pattern import next_square, placements
from engine.games.jinns.pawns import (
    ALL_COLORS,
    COLORS_OF,
    EMPTY,
    PAWNS_OF,
    SINGLES,
    STRENGTHS,
    TOWER,
    Color,
    Pawn,
    colors_in,
    mask_of,
)
from engine.games.jinns.ring import RING, SQUARES, Square
from engine.games.jinns.state import Jinns
from engine.texts import Seat, Text, joined

_FAIR = Text("each pawn left is as likely as any other")
_WALLED_IN = Text("reaches nothing at first")
_NO_CHANGE = Text("points stay as they are")

_ENDS = Text("ends the game")
_TOWER = Text("tower of four")
_AGAIN = Text("the same position again")
_THREE = Text("tower of three")

KEEPS = {
    Keep.LEAVE: Text("Leave the tower"),
    Keep.TAKE3: Text("Take the tower"),
    Keep.HIGH: Text("Keep the upper two"),
    Keep.LOW: Text("Keep the lower two"),
}
"""The choices about a tower, as on their buttons."""

SPREAD = Text("Later, a pawn goes as many piles as its number. Pick one that reaches other colors from here.")
MIX = Text("High numbers count more but get stuck first.")
MIX_OR_LUCK = Text("High numbers count more but get stuck first. “Fill … at random” places the rest of this round.")
FOR_GOOD = Text("The color stays yours: you move the piles with it on top, and they count for you at the end.")
LOOK_WHERE = Text("See where its fours stand and how many first moves it has: its own pawns can block them.")
LEFT_OVER = Text("See where its fours stand. The color left over is neutral: everyone may move its piles.")
_CAREFUL = Text("Whoever completes a tower of four takes it. Before you build a three, look who could land on it.")
_COUNT = Text("The top number says how many piles you go, either way. Plus and minus are points right now.")

MAX_CHANGES = 3
"""Maximum number of changes of points that leave room for more in a gloss."""

Lines = tuple[Text, Text]


# --- Piles -----------------------------------------------------------------------------------------------------------


def pile_on(state: Jinns, square: Square) -> Text:
    """`Y4 on 23, over B2 and G4`."""
    *below, top = state.board[square].pawns
    if not below:
        return _pawn_on(top, square)
    return Text("{top} on {square}, over {below}", top=top, square=square, below=tuple(reversed(below)))


def _pawn_on(pawn: Pawn, square: Square) -> Text:
    return Text("{pawn} on {square}", pawn=pawn, square=square)


# --- Placing and choosing --------------------------------------------------------------------------------------------


def placement_name(state: Jinns, place: Place) -> Text:
    """`Y3 on 12`, or `Fill 12 to 15 at random`."""
    square = next_square(state.board)
    here = placements(state.seats)[square]
    if place.strength is Strength.REST:
        return Text("Fill {first} to {last} at random", first=square, last=RING[here.block_end - 1])
    return _pawn_on(PAWNS_OF[here.color][place.strength.number - 1], square)


def placement_gloss(state: Jinns, place: Place) -> Text:
    """The squares on which the pawn could land in the first turn."""
    if place.strength is Strength.REST:
        return _FAIR
    square, steps = next_square(state.board), place.strength.number
    colors = [placement.color for placement in placements(state.seats)]
    both_ways = (RING[(square + steps) % SQUARES], RING[square - steps])
    # A pawn cannot land on its own color (rule 4.4); its partner's is out of range even for the strongest pawn.
    reached = [goal for goal in both_ways if colors[goal] is not colors[square]]
    goals = tuple(Text("{color} on {goal}", color=colors[goal], goal=goal) for goal in reached)
    return Text("first reaches {goals}", goals=goals) if goals else _WALLED_IN


def color_gloss(state: Jinns, choose: Choose) -> Text:
    """The number of first moves of a color, and the squares of its strongest pawns."""
    moves = len(plain_options(state.board, mask_of([choose.color])))
    # Before the first move, all piles have one pawn.
    four = SINGLES[PAWNS_OF[choose.color][-1]]
    fours = tuple(square for square in RING if state.board[square] == four)
    sentence = "{moves} first {moves:move|moves}; fours on {fours}"
    if state.terms.partners:
        # An upper limit, since piles cannot land on the partner's color (rule 4.5), which may not be known yet.
        sentence = "up to {moves} first {moves:move|moves}; fours on {fours}"
    return Text(sentence, moves=moves, fours=fours)


def stock_odds(color: Color, in_stock: Sequence[int]) -> Text:
    """`Of 7 yellow pawns left: Y1 ×2, Y2 ×1, Y3 ×2 and Y4 ×2`."""
    kinds = tuple(
        Text("{pawn} ×{count}", pawn=pawn, count=count)
        for pawn, count in zip(PAWNS_OF[color], in_stock, strict=True)
        if count
    )
    sentence = "Of {pawns} {color} {pawns:pawn|pawns} left: {kinds}"
    return Text(sentence, pawns=sum(in_stock), color=color, kinds=kinds)


# --- A move ----------------------------------------------------------------------------------------------------------


def move_name(state: Jinns, move: Move, field: str) -> Text | None:
    """A field of a move, or the whole move: `Y4 and B2 on 23 → R3 on 9, keep upper two`."""
    match field:
        case "square":
            return pile_on(state, move.square)
        case "take":
            pawns = state.board[move.square].upper(move.take)
            return Text("Top {take}: {pawns}", take=move.take, pawns=pawns)
        case "to":
            return pile_on(state, move.to)
        case "keep":
            return KEEPS[move.keep] if move.keep else None
    return _whole(state, move)


def move_sentence(state: Jinns, move: Move) -> Text:
    """`Move Y4 and B2 on 23 onto R3 on 9, keep upper two`."""
    return _move_text(state, move, "Move {pawns} on {square} onto {top} on {to}")


def _whole(state: Jinns, move: Move) -> Text:
    return _move_text(state, move, "{pawns} on {square} → {top} on {to}")


def _move_text(state: Jinns, move: Move, template: str) -> Text:
    pawns, top = state.board[move.square].upper(move.take), state.board[move.to].top
    way = Text(template, pawns=pawns, square=move.square, top=top, to=move.to)
    match move.keep:
        case Keep.LEAVE:
            return Text("{way}, leave tower", way=way)
        case Keep.TAKE3:
            return Text("{way}, take tower", way=way)
        case Keep.HIGH:
            return Text("{way}, keep upper two", way=way)
        case Keep.LOW:
            return Text("{way}, keep lower two", way=way)
    return way


def move_gloss(state: Jinns, move: Move) -> Text:
    """The tower that a move builds, and the changes of points: `tower of three: +4 for you, −3 for Blue`."""
    after, events = state.apply(state.turn, move)
    changes = [*_changes(state, after)]
    points = joined(changes or [_NO_CHANGE], ", ")
    # A gloss has at most 80 characters (see `Frame.gloss`).
    consequence = _consequence(after, move, events) if len(changes) <= MAX_CHANGES else None
    return Text("{built}: {points}", built=consequence, points=points) if consequence else points


def point_changes(state: Jinns, move: Move) -> Text:
    """The changes of points alone: `+4 for you, −3 for Blue`."""
    after, _ = state.apply(state.turn, move)
    return joined([*_changes(state, after)] or [_NO_CHANGE], ", ")


def _changes(before: Jinns, after: Jinns) -> Iterator[Text]:
    """The gains and losses of seats, starting with the mover."""
    for seat in (Seat((before.turn + n) % before.seats) for n in range(before.seats)):
        points = after.score(seat) - before.score(seat)
        if points > 0:
            yield Text("+{points} for {seat}", seat=seat, points=points)
        elif points < 0:
            yield Text("{points} for {seat}", seat=seat, points=points)


def _consequence(after: Jinns, move: Move, events: Sequence[Event]) -> Text | None:
    """The most important consequence of a move besides points."""
    kinds = set(map(type, events))
    if Ended in kinds:
        return _ENDS
    if shared := next((event for event in events if isinstance(event, SharedTower)), None):
        return _THREE if shared.storeys is Storeys.THREE else _TOWER
    if TookTower in kinds:
        return _TOWER
    if CameAgain in kinds:
        return _AGAIN
    return _THREE if after.board[move.to].height == TOWER - 1 else None


def turn_advice(state: Jinns, moves: Sequence[Move]) -> Advice:
    """Advice on towers and the range of pawns."""
    piles = SQUARES - state.board.count(EMPTY)
    # Permanently, since the number of piles never increases.
    stuck = tuple(strength for strength in STRENGTHS if strength >= piles)
    if not stuck:
        return *_aims(state, moves), _COUNT
    sentence = "Only {piles} piles are left: top pawns of {stuck} are stuck. At the end, a pile counts for its top."
    return *_aims(state, moves), Text(sentence, piles=piles, stuck=stuck)


def _aims(state: Jinns, moves: Sequence[Move]) -> Iterator[Text | Advised]:
    if (best := _best_tower(state, moves)) is not None:
        sentence = "You can complete a tower of four now, from {square} to {to}: it leaves the lake and is safe."
        yield Advised(Text(sentence, square=best.square, to=best.to), best)
    three = next((square for square in RING if state.board[square].height == TOWER - 1), None)
    yield _CAREFUL if three is None else _three_advice(state, three)


def _best_tower(state: Jinns, moves: Sequence[Move]) -> Move | None:
    """The move that completes a tower and gains most over the rivals; `None` if all of them cost points."""
    towers = [move for move in moves if state.board[move.to].height + move.take == TOWER]
    leads = {move: _lead_gained(state, move) for move in towers}
    best = max(towers, key=leads.__getitem__, default=None)
    return best if best is not None and leads[best] > 0 else None


def _lead_gained(state: Jinns, move: Move) -> int:
    after, _ = state.apply(state.turn, move)
    gains = [after.score(Seat(seat)) - state.score(Seat(seat)) for seat in range(state.seats)]
    own = gains.pop(state.turn)
    return min(own, own - max(gains))


def _three_advice(state: Jinns, three: int) -> Text:
    # The pawns of a pile have different colors (rule 4.4), so a tower of three lacks exactly one color.
    (color,) = colors_in(ALL_COLORS - COLORS_OF[state.board[three]])
    sentence = "The tower of three on {three} lacks only {color}: the player who lands it there takes the tower."
    return Text(sentence, three=three, color=color)

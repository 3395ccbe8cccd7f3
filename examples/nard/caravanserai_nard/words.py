"""Prompts, labels and glosses of options, and advice for beginners."""

from __future__ import annotations

from caravanserai_nard.actions import Double, Drop, Move, Roll, Take
from caravanserai_nard.board import BAR, CHECKERS, HOME, OFF, PLACES, Dice, Side, Step, back, counted_by, moved, pips
from caravanserai_nard.state import Nard
from engine.core import Action
from engine.texts import Seat, Text

FIRST_ROLL = Text("The higher die begins, with both dice.")
ODDS = Text("A given number comes up in 11 of 36 rolls, and a double in 6 of 36.")
ROLL_OR_DOUBLE = Text("Roll, or offer a double first?")
DOUBLING = (
    Text("A double is worth it when you are clearly ahead, but not so far that your rival would surely drop."),
    Text("Whoever takes it owns the cube, and only they may double next."),
)
ANSWERING = (
    Text("Take if you would win this game at least one time in four."),
    Text("If you drop, you lose the stake as it was. If you take, the cube is yours."),
)

OPENING_POINTS = (5, 7, 20)
"""The most valuable points at the beginning, by the count of their player."""
_BLOTS = Text("A checker alone on a point can be hit and starts again. It is safest more than six pips from a rival.")
_ENTER = Text("Checkers on the bar enter first, on a point that your rival does not hold with two checkers.")
_RACE = Text("No checker can be hit anymore: waste no pips, fill the gaps, and bear off with every die you can.")
_CLOSE = Text("You may bear off now. As long as a rival can still hit you, leave no checker alone.")


def rolls(seat: Seat) -> Text:
    """Whose roll is due."""
    return Text("{seat} {seat:rolls|roll} the dice.", seat=seat)


def alternatives(dice: Dice) -> Text:
    """The dice that a player can use: `6 or 4`, `3`."""
    one, *other = dict.fromkeys(dice)
    return Text("{one} or {other}", one=one, other=other[0]) if other else Text("{one}", one=one)


def prompt(side: Side, dice: Dice) -> Text:
    """What to decide: `Move a checker by 6 or 4.`"""
    by = alternatives(dice)
    if side[BAR]:
        return Text("Enter a checker from the bar by {dice}.", dice=by)
    if back(side) <= HOME:
        return Text("Bear off or move by {dice}{times}.", dice=by, times=_times(dice))
    return Text("Move a checker by {dice}{times}.", dice=by, times=_times(dice))


def _times(dice: Dice) -> Text | str:
    equal = len(dice) > 1 and len(set(dice)) == 1
    return Text(", {n} times", n=len(dice)) if equal else ""


def named(state: Nard, move: Move, field: str) -> Text | None:
    """A move in words: `24 to 18, hits Blue`, `Enter on 20`, `Bear off from 3`."""
    if field == "target" and move.target == OFF:
        return Text("Bear off")
    rival = Seat(1 - state.turn)
    hits = move.target != OFF and state.checkers(rival, move.target) == 1
    if field == "target" and hits:
        return Text("{target}, hits {rival}", target=move.target, rival=rival)
    if field == "origin" and move.origin != BAR:
        return Text(
            "{origin} ({n} {n:checker|checkers})", origin=move.origin, n=state.checkers(state.turn, move.origin)
        )
    if field:
        return None
    if move.target == OFF:
        return Text("Bear off from {origin}", origin=move.origin)
    way = Text("Enter on {target}" if move.origin == BAR else "{origin} to {target}", **_fields(move))
    return Text("{way}, hits {rival}", way=way, rival=rival) if hits else way


def _fields(move: Move) -> dict[str, object]:
    return {"origin": move.origin, "target": move.target}


def gloss(state: Nard, move: Move, step: Step) -> Text:
    """The die that a move uses, and what it does to points and blots."""
    before = state.sides[state.turn]
    after = moved(before, step.origin, step.target)
    uses = Text("uses the {die}", die=step.die)
    leaves = step.origin != BAR and after[step.origin] == 1
    if step.target == OFF:
        rest = CHECKERS - after[OFF]
        return Text("{uses}, {left} {left:checker|checkers} to go", uses=uses, left=rest)
    if after[step.target] == 1:
        return Text("{uses}, alone there", uses=uses)
    if after[step.target] == 2:
        made = Text("{uses}, makes a point", uses=uses)
        return Text("{made}, leaves one alone", made=made) if leaves else made
    return Text("{uses}, leaves one alone", uses=uses) if leaves else uses


def advice(state: Nard) -> tuple[Text, ...]:
    """What matters on this board."""
    side, rival = state.sides[state.turn], state.sides[1 - state.turn]
    count = Text("You have {own} pips to go, your rival {rival}.", own=pips(side), rival=pips(rival))
    if side[BAR]:
        return _ENTER, count
    if not in_contact(side, rival):
        return _RACE, count
    if back(side) <= HOME:
        return _CLOSE, count
    return _BLOTS if side[24] < 2 else _opening(state.turn), count


def _opening(seat: Seat) -> Text:
    points = tuple(PLACES[counted_by(seat, point)] for point in OPENING_POINTS)
    return Text("Good moves make points (two checkers or more), above all {points}.", points=points)


def in_contact(side: Side, rival: Side) -> bool:
    """Whether checkers of the two players still have to pass each other."""
    return back(side) + back(rival) > BAR


def stake_gloss(state: Nard, action: Action) -> Text:
    """What the stake is after an action about the cube."""
    match action:
        case Roll():
            return Text("the game stays at {stake} {stake:point|points}", stake=state.stake)
        case Double():
            return Text("the game counts {stake} points if it is taken", stake=2 * state.stake)
        case Take():
            return Text("the game counts {stake} points, and the cube is yours", stake=2 * state.stake)
    assert isinstance(action, Drop)
    return Text("you lose {stake} {stake:point|points}, and this game is over", stake=state.stake)

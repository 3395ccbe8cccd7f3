"""Describe the position: a short text for screen readers, and a long one complete enough to play from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from caravanserai_nard.actions import Move
from caravanserai_nard.board import BAR, OFF, POINTS
from caravanserai_nard.frames import Answering
from caravanserai_nard.picture.pieces import SEATS
from caravanserai_nard.state import Nard
from engine.core import View
from engine.notation import format_action
from engine.texts import Seat, Text, term
from engine.wording import Voice, say
from renders.words import MAX_ALT_CHARS, MAX_CHARS, alternatives, clip, luck_next, now_sentences

WAYS = (
    Text("moves from 24 down to 1, with its home on 1 to 6"),
    Text("moves from 1 up to 24, with its home on 19 to 24"),
)
"""How each seat moves (rule 2.3)."""
TYPED = "-# Typed by the point a checker leaves and the point it comes to, or `bar` or `off`, as in {example}."


def facts(view: View[Nard]) -> tuple[str, ...]:
    """The match in the header, from long to short."""
    state = view.state
    if state.terms.single:
        return (str(Text("Single game")),)
    fields = {"n": state.game, "goal": state.terms.goal}
    shorter = str(Text("Game {n}", **fields))
    if state.crawford == state.game and not view.outcome:
        return str(Text("Game {n}, no doubling", **fields)), shorter
    return str(Text("Game {n}, match to {goal}", **fields)), str(Text("Game {n}, to {goal}", **fields)), shorter


def alt(view: View[Nard], labels: Sequence[str]) -> str:
    """Alt text of at most 1000 characters."""
    names = [clip(label, 20) for label in labels]
    head = Text("{game}. {fact}. {now}", game=term(view.title), fact=facts(view)[0], now=now_sentences(view, names))
    seats = (_seat(view.state, names, seat) for seat in SEATS)
    parts = [str(head), _dice(view.state, names), _cube(view.state, names), *seats]
    return clip(" ".join(part for part in parts if part), MAX_ALT_CHARS)


def tell(view: View[Nard], labels: Sequence[str]) -> str:
    """Describe everything in simple Markdown, under 3500 characters."""
    state, fact, now = view.state, facts(view)[0], now_sentences(view, labels)
    parts = [
        str(Text("**{game}**, {fact}. {now}", game=term(view.title), fact=fact, now=now)),
        clip(" ".join(say(event, labels) for event in view.events), 700),
        luck_next(view, labels),
        _dice(state, labels),
        _cube(state, labels),
        *(_player(state, labels, seat) for seat in SEATS),
        _options(view, labels),
    ]
    return clip("\n".join(part for part in parts if part), MAX_CHARS)


def _dice(state: Nard, names: Sequence[str]) -> str:
    """The dice, and those that are left."""
    if not state.dice or not state.frames:
        return ""
    high, low = state.roll
    rolled = Text("Dice of {name}: {high} and {low}", name=names[state.turn], high=high, low=low)
    rest = alternatives([str(die) for die in dict.fromkeys(state.dice)])
    if len(state.dice) > 1 and high == low:
        rest = str(Text("{die}, {n} times", die=high, n=len(state.dice)))
    return str(Text("{rolled}; still to play: {left}.", rolled=rolled, left=rest))


def _cube(state: Nard, names: Sequence[str]) -> str:
    """The stake and the owner of the cube."""
    if not (state.terms.cube and state.frames):
        return ""
    if not state.cube_in_play:
        return str(Text("Nobody may double in this game."))
    if state.frames and isinstance(state.frames[-1], Answering):
        return str(Text("Stake {stake}; a double to {double} is offered.", stake=state.stake, double=2 * state.stake))
    if state.owner is None:
        return str(Text("Stake {stake}; the cube is in the middle.", stake=state.stake))
    return str(Text("Stake {stake}; {name} owns the cube.", stake=state.stake, name=names[state.owner]))


def _seat(state: Nard, names: Sequence[str], seat: Seat) -> str:
    """A seat in the short description."""
    line = "{name}: {pips} {pips:pip|pips} to go, {off} off, on points {points}."
    text = Text(line, name=names[seat], pips=state.pips(seat), off=state.side(seat)[OFF], points=_points(state, seat))
    return f"{text} {_score(state, seat)}".strip()


def _player(state: Nard, names: Sequence[str], seat: Seat) -> str:
    """A seat in the long description."""
    line = "**{name}** {way}: {pips} {pips:pip|pips} to go, {off} of 15 borne off. Checkers: {points}."
    fields = {"pips": state.pips(seat), "off": state.side(seat)[OFF], "points": _points(state, seat)}
    return f"{Text(line, name=names[seat], way=WAYS[seat], **fields)} {_score(state, seat)}".strip()


def _score(state: Nard, seat: Seat) -> str:
    if state.terms.single:
        return ""
    points = state.points(seat)
    return str(Text("{points} of {goal} {goal:point|points}.", points=points, goal=state.terms.goal))


def _points(state: Nard, seat: Seat) -> str:
    """`2 on 24, 5 on 13`, in the order in which the seat moves, with the bar first."""
    order = (BAR, *(range(POINTS, 0, -1) if seat == 0 else range(1, POINTS + 1)))
    rows = []
    for place in order:
        if checkers := state.checkers(seat, place):
            template = "{n} on the bar" if place == BAR else "{n} on {point}"
            rows.append(str(Text(template, n=checkers, point=place)))
    return ", ".join(rows) or str(Text("none left"))


def _options(view: View[Nard], names: Sequence[str]) -> str:
    """List the remaining options of an unfinished turn, or else everyone's options, one row for each origin."""
    actions = view.offered or tuple(action for decision in view.decisions for action in decision.options)
    if not actions:
        return ""
    voice = Voice(names, state=view.state)
    rows = [str(Text("**Options**:"))]
    for _, some in groupby(actions, key=lambda action: action.origin if isinstance(action, Move) else None):
        rows.append("; ".join(map(voice.label, some)))
    move = next((action for action in actions if isinstance(action, Move)), None)
    return "\n".join((*rows, *([str(Text(TYPED, example=f"`{format_action(move)}`"))] if move else [])))

"""Positions for tests, written as on the board: `{24: 2, "bar": 1}` for each player."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from caravanserai_nard import GAME
from caravanserai_nard.board import BAR, CHECKERS, OFF, Place, Side, counted_by
from caravanserai_nard.frames import Moving
from caravanserai_nard.state import Nard

from engine.core import Refusal
from engine.notation import format_action, parse_action
from engine.texts import Seat
from engine.wording import say

RED, BLUE = Seat(0), Seat(1)

Checkers = Mapping[int | str, int]


def board(red: Checkers, blue: Checkers, dice: tuple[int, ...], turn: Seat = RED, **options: Any) -> Nard:
    """A position in which `turn` has rolled. Checkers that are not named are borne off."""
    start = GAME.start(GAME.setup(2, options))
    assert isinstance(start, Nard)
    sides = _side(red, RED), _side(blue, BLUE)
    rest = dice * 2 if len(set(dice)) == 1 < len(dice) else dice
    return replace(start, frames=(Moving(),), sides=sides, turn=turn, roll=dice, dice=rest)


def _side(checkers: Checkers, seat: Seat) -> Side:
    counts = [0] * (BAR + 1)
    for place, number in checkers.items():
        counts[counted_by(seat, Place.parse(str(place)))] += number
    counts[OFF] += CHECKERS - sum(counts)
    return tuple(counts)


def options(state: Nard) -> set[str]:
    """The options of the seat that is due."""
    return {format_action(action) for decision in state.decisions() for action in decision.options}


def play(state: Nard, *notations: str) -> Nard:
    """The position after these actions of the seats that are due, or of luck."""
    for notation in notations:
        (decision,) = state.decisions()
        action = parse_action(notation, (*GAME.actions, *GAME.chances))
        assert action in decision.options, f"{notation} is not among {options(state)}"
        state, _ = state.apply(decision.seat, action)
    return state


def story(state: Nard, notation: str) -> str:
    """What an action of the seat that is due is reported as."""
    (decision,) = state.decisions()
    _, events = state.apply(decision.seat, parse_action(notation, (*GAME.actions, *GAME.chances)))
    return " ".join(map(say, events))


def refusal(state: Nard, notation: str) -> tuple[str, str]:
    """The rule and the sentence that refuse an action of the seat that is due."""
    (decision,) = state.decisions()
    action = parse_action(notation, GAME.actions)
    assert action not in decision.options
    refused: Refusal = state.refuse(decision.seat, action)
    return refused.rule, say(refused.text)


def begun(**options: Any) -> Nard:
    """A game before its first roll."""
    state = GAME.start(GAME.setup(2, options))
    assert isinstance(state, Nard)
    return state


FAR: Checkers = {12: 2, 1: 2}
"""A few checkers of Blue that are not in the way."""

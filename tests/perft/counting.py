"""Positions counted twice: by the engine, and by a naive second reading of the rules.

A game takes part with two files: `naive_<slug>.py`, which offers a `Naive`, the `OPTION_SETS` to play whole games
with and the number of `SEEDS` for each, and `<slug>.perft`, the counts. Deals are too many to list: they are part of
the path to a root, and end the counting where they are due.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Protocol

from engine.core import Action, GameSpec, OptionValue, State
from engine.games import discover
from engine.notation import format_action, parse_action
from engine.texts import CHANCE, Seat, option_text

FOLDER = Path(__file__).parent
SLUGS = sorted(path.stem.removeprefix("naive_") for path in FOLDER.glob("naive_*.py"))
NAIVE = {slug: import_module(f"tests.perft.naive_{slug}") for slug in SLUGS}


class Naive(Protocol):
    """A game in the second reading of its rules."""

    def moves(self) -> tuple[int, list[str]]:
        """The seat to act and notations of its options; luck and none for a deal, and when the game is over."""

    def play(self, notation: str, /) -> None:
        """Change the game."""

    def after(self, notation: str, /) -> Naive:
        """A copy in which this has been played."""

    def result(self) -> dict[str, object]:
        """Name -> value of what it knows of the `Outcome`."""


@dataclass(frozen=True)
class Root:
    """A position to count or play from: a setup, the notations that lead to it, the leaves at depth 1, 2, ..."""

    slug: str
    name: str
    seats: int
    options: dict[str, OptionValue]
    log: tuple[str, ...] = ()
    leaves: tuple[int, ...] = ()

    @classmethod
    def read(cls, slug: str, block: str) -> Root:
        """Parse a block of a file of counts."""
        lines = dict(line.split(": ", 1) for line in block.splitlines())
        options = dict(_read_options(discover()[slug], lines["options"]))
        leaves = tuple(map(int, lines["leaves"].split()))
        return cls(slug, lines["name"], int(lines["seats"]), options, tuple(lines["log"].split("; ")), leaves)

    def engine(self) -> State:
        """The position as the engine has it."""
        spec = discover()[self.slug]
        state = spec.start(spec.setup(self.seats, self.options))
        for notation in self.log:
            seat, options = answers(state)
            action = options[notation] if options else parse_action(notation, spec.chances)
            state, _ = state.apply(seat, action)
        return state

    def naive(self) -> Naive:
        """The position in the second reading."""
        game: Naive = NAIVE[self.slug].Naive(self.seats, **self.options)
        for notation in self.log:
            game.play(notation)
        return game


def _read_options(spec: GameSpec, text: str) -> Iterator[tuple[str, OptionValue]]:
    choices = {option.name: option.metadata["choices"] for option in dataclasses.fields(spec.options)}
    for name, value in re.findall(r"(\w+)=([^,]+)", text):
        yield name, next(choice for choice in choices[name] if option_text(choice) == value)


def stored_roots() -> Iterator[Root]:
    """The roots with the counts of every game."""
    for slug in SLUGS:
        _, *blocks = (FOLDER / f"{slug}.perft").read_text(encoding="utf-8").strip().split("\n\n")
        yield from (Root.read(slug, block) for block in blocks)


def starts() -> Iterator[Root]:
    """The start of every game with each number of seats and the options to play it with."""
    for slug in SLUGS:
        for options in NAIVE[slug].OPTION_SETS:
            words = ", ".join(f"{name}={option_text(value)}" for name, value in options.items()) or "as usual"
            for seats in discover()[slug].seats:
                yield Root(slug, f"{seats} seats, {words}", seats, options)


def answers(state: State) -> tuple[Seat, dict[str, Action]]:
    """The seat to act and its options by notation; luck and none for a deal, and when the game is over."""
    for decision in state.decisions():
        return decision.seat, {format_action(action): action for action in decision.options}
    return CHANCE, {}


def count(state: State, game: Naive, depth: int) -> Iterator[int]:
    """Leaves at depth 1, 2, ... below a position, up to a position in which the two readings differ.

    Every outcome of luck is one branch of any weight.
    """
    positions: Iterable[tuple[State, Naive]] = [(state, game)]
    for _ in range(depth):
        branches = []
        for state, game in positions:
            seat, options = answers(state)
            other_seat, moves = game.moves()
            if (seat, sorted(options)) != (other_seat, sorted(moves)):
                return
            branches += [(state, game, seat, move, action) for move, action in options.items()]
        yield len(branches)
        positions = ((state.apply(seat, action)[0], game.after(move)) for state, game, seat, move, action in branches)


def difference(state: State, game: Naive, depth: int) -> str:
    """The path to the first position where the two readings differ, and how; empty if they agree."""
    seat, options = answers(state)
    other_seat, moves = game.moves()
    if (seat, sorted(options)) != (other_seat, sorted(moves)):
        return f": engine {seat} {sorted(options)}, naive {other_seat} {sorted(moves)}"
    if depth > 1:
        for move, action in options.items():
            if difference_below := difference(state.apply(seat, action)[0], game.after(move), depth - 1):
                return f" / {move}{difference_below}"
    return ""

"""Positions of Dance of Muses, written down as on paper, and a match played from one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from engine.core import Decision, Event, OptionValue
from engine.errors import IllegalAction
from engine.games.muses import GAME
from engine.games.muses.cells import cell_at, place_of
from engine.games.muses.floor import NEUTRAL, Floor
from engine.games.muses.frames.dance import AfterMove, MustMove, Turn
from engine.games.muses.frames.luck import TurningUp
from engine.games.muses.frames.place import Placing
from engine.games.muses.powers import Stage, power_uses
from engine.games.muses.shape import shape_of
from engine.games.muses.state import NO_SECRETS, Muses, Question
from engine.games.muses.tiles import FIRST_HIDDEN, NUMBERS, TILES, Muse, Tile
from engine.match import Match
from engine.notation import format_action, parse_action
from engine.texts import CHANCE, Seat
from engine.wording import say

COLORS = {"r": 0, "b": 1, "y": 2, "n": NEUTRAL}


def floor_of(tiles: Mapping[str, str]) -> tuple[Floor, tuple[int | None, ...]]:
    """A floor and its secrets from `{"clio": "0,0 r2", "hidden1=thalia": "1,0 b3"}`: x, y, color and value."""
    rows, secrets = [], list(NO_SECRETS)
    for name, text in tiles.items():
        public, _, muse = name.partition("=")
        number = NUMBERS[Tile(public)]
        if muse:
            secrets[number - FIRST_HIDDEN] = NUMBERS[Muse(muse)]
        place, die = text.split()
        x, y = map(int, place.split(","))
        rows.append((number, cell_at(x, y), int(die[1:]), COLORS[die[0]]))
    numbers, cells, values, colors = zip(*sorted(rows), strict=True) if rows else ((), (), (), ())
    return Floor(numbers, cells, values, colors), tuple(secrets)


def position(
    tiles: Mapping[str, str],
    *,
    seats: int = 3,
    seat: int = 0,
    hands: Sequence[str] | None = None,
    hand: int = 1,
    first: int = 0,
    turns: int = 0,
    points: Sequence[int] | None = None,
    bonuses: Sequence[int] | None = None,
    must_move: str = "",
    has_moved: str = "",
    **options: OptionValue,
) -> Muses:
    """A turn of a seat, or, with `hands` such as `("clio erato", "")`, a question where to lay a Muse.

    `must_move` and `has_moved` name a tile that has used her power, or has moved and still may.
    """
    floor, secrets = floor_of(tiles)
    start = GAME.start(GAME.setup(seats, options))
    assert isinstance(start, Muses)
    held = tuple(tuple(NUMBERS[Muse(name)] for name in text.split()) for text in hands or [""] * seats)
    question: Question = Placing(Seat(seat)) if hands is not None else Turn(Seat(seat))
    if must_move:
        question = MustMove(Seat(seat), NUMBERS[Tile(must_move)])
    if has_moved:
        number = NUMBERS[Tile(has_moved)]
        shape = shape_of(floor.tiles, floor.cells, bool(options.get("diagonal_slide")))
        stage = Stage(start.muse_table.powers, floor, shape, moving=False)
        powers = power_uses(stage, floor.tiles.index(number))
        question = AfterMove(Seat(seat), number, tuple(powers))
    nothing = (0,) * start.companies
    return Muses(
        frames=(TurningUp(), question),
        setup=start.setup,
        hand=hand,
        first=Seat(first),
        turns=turns,
        floor=floor,
        secrets=secrets,
        hands=held,
        points=tuple(points or nothing),
        bonuses=tuple(bonuses or nothing),
        finished=None,
        ended=None,
    )


class Table:
    """A match that goes on from a position; at the end of a hand luck turns up the tiles and deals no more."""

    def __init__(self, state: Muses) -> None:
        self.match = Match(GAME, state.setup, "seed of a test")
        self.match.state = state
        self.told: list[Event] = []

    @property
    def state(self) -> Muses:
        state = self.match.state
        assert isinstance(state, Muses)
        return state

    @property
    def decision(self) -> Decision:
        (decision,) = self.state.decisions()
        return decision

    @property
    def due(self) -> Seat:
        return self.decision.seat

    @property
    def over(self) -> bool:
        """Whether the hand has ended and the tiles are about to be turned up."""
        return self.decision.prompt.template.startswith("The hand is over")

    def options(self, verb: str = "") -> list[str]:
        """What may be done now, as notations; only those that begin like this, if something is given."""
        notations = [format_action(action) for action in self.decision.options]
        return [text for text in notations if f"{text} ".startswith(f"{verb} " if verb else "")]

    def play(self, *notations: str) -> Table:
        """Let whoever is due, luck included, do this, one after the other."""
        for notation in notations:
            decision = self.decision
            verbs = GAME.chances if decision.seat == CHANCE else GAME.actions
            action = parse_action(notation, verbs)
            assert action in decision.options or not decision.options, f"{notation} is not among {self.options()}"
            self.match.state, events = self.state.apply(decision.seat, action)
            self.told += events
        return self

    def refusal(self, notation: str) -> tuple[str, str]:
        """The sentence and the section that a refused action is answered with; nothing may change."""
        before = self.state
        with pytest.raises(IllegalAction) as caught:
            self.match.play(self.due, self.match.parse(notation))
        assert self.state == before
        assert caught.value.rule in GAME.rulebook.sections
        return str(caught.value.text), caught.value.rule

    def sentences(self) -> list[str]:
        """What happened so far, as people read it."""
        return [say(event, self.match.names) for event in self.told]

    def shown(self, *kinds: type[Event]) -> list[Any]:
        """The events of these kinds so far."""
        return [event for event in self.told if isinstance(event, kinds)]


def table(tiles: Mapping[str, str], **told: Any) -> Table:
    """A table at a `position`."""
    return Table(position(tiles, **told))


def lying(state: Muses) -> dict[str, str]:
    """What lies where, as `position` takes it, but with public names only."""
    letters = {color: letter for letter, color in COLORS.items()}
    floor = state.floor
    rows = zip(floor.tiles, floor.cells, floor.values, floor.colors, strict=True)
    found = {}
    for number, cell, value, color in rows:
        x, y = place_of(cell)
        found[str(TILES[number])] = f"{x},{y} {letters[color]}{value}"
    return found


def dealt(seats: int, *notations: str, **options: OptionValue) -> Table:
    """A table from the very start, with luck and actions as told."""
    start = GAME.start(GAME.setup(seats, options))
    assert isinstance(start, Muses)
    return Table(start).play(*notations)

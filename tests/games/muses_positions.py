"""Positions of Dance of Muses, written down as on paper, and a match played from one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core import OptionValue
from engine.games.muses import GAME
from engine.games.muses.cells import cell_at, coordinates_of
from engine.games.muses.floor import NEUTRAL, Floor
from engine.games.muses.frames.dance import AfterMove, MustMove, Turn
from engine.games.muses.frames.luck import TurningUp
from engine.games.muses.frames.place import Placing
from engine.games.muses.powers import Stage, power_uses
from engine.games.muses.shape import shape_of
from engine.games.muses.state import NO_SECRETS, Muses, Question
from engine.games.muses.tiles import FIRST_HIDDEN, NUMBERS, TILES, Muse, Tile
from engine.texts import Seat
from tests.games import tables

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


class Table(tables.Table[Muses]):
    """A table at which luck turns up the tiles at the end of a hand, and deals no more."""

    def __init__(self, state: Muses) -> None:
        super().__init__(GAME, state.setup, state)

    @property
    def over(self) -> bool:
        """Whether the hand has ended and the tiles are about to be turned up."""
        return self.decision.prompt.template.startswith("The hand is over")


def table(tiles: Mapping[str, str], **told: Any) -> Table:
    """A table at a `position`."""
    return Table(position(tiles, **told))


def placed_tiles(state: Muses) -> dict[str, str]:
    """The tiles on the floor by cell, as `position` takes them, but with public names only."""
    letters = {color: letter for letter, color in COLORS.items()}
    floor = state.floor
    rows = zip(floor.tiles, floor.cells, floor.values, floor.colors, strict=True)
    results = {}
    for number, cell, value, color in rows:
        x, y = coordinates_of(cell)
        results[str(TILES[number])] = f"{x},{y} {letters[color]}{value}"
    return results


def dealt(seats: int, *notations: str, **options: OptionValue) -> Table:
    """A table from the very start, with luck and actions as told."""
    start = GAME.start(GAME.setup(seats, options))
    assert isinstance(start, Muses)
    return Table(start).play(*notations)

"""Memory over very many moves of all games in one process, without and with pictures, and what the caches hold then."""

from __future__ import annotations

import functools
import gc
import os
import sys
from collections import defaultdict, deque
from dataclasses import dataclass, fields, replace
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import renders
from engine.core import View
from engine.match import Match
from engine.texts import Seat
from tests.bench.measure import Effort, Spread, in_fresh_processes, resident_mb
from tests.bench.report import Goal, Row, judged, noted
from tests.bench.walk import moves

POINTS = 10
PICTURES = 20
"""Moves from one picture to the next."""

FLAT = Goal(1.05, 1.02)
"""The last point beside that at half the way."""


def rows(effort: Effort) -> list[Row]:
    """The curve of the engine alone, that with pictures, and the fill of every cache that has a bound."""
    once, number = replace(effort, processes=1), effort.rounds(100_000)
    (alone,) = in_fresh_processes(once, measured, number, 0)
    (drawn,) = in_fresh_processes(once, measured, number, PICTURES)
    held = sorted((name, fill) for name, fill in drawn.fills.items() if fill.room is not None)
    return [
        *_curve("engine alone", alone.points),
        *_curve(f"a picture every {PICTURES} moves", drawn.points),
        *(noted(f"kept in {name}", fill.words) for name, fill in held),
    ]


class Point(NamedTuple):
    """MB held after a number of moves, and the objects that the garbage collector knows."""

    move: int
    memory: float
    objects: int


class Fill(NamedTuple):
    """Entries of a cache, how many it may have (`None`: no bound), and the share of calls it has answered."""

    entries: int
    room: int | None
    hits: float | None = None

    @property
    def words(self) -> str:
        """`200 of 256, 98.0% hits`."""
        return f"{self.entries} of {self.room}" + ("" if self.hits is None else f", {self.hits:.1%} hits")


@dataclass(frozen=True, slots=True)
class Measured:
    """What one process has found."""

    points: list[Point]
    fills: dict[str, Fill]


def _curve(what: str, points: list[Point]) -> list[Row]:
    half, end = points[POINTS // 2 - 1], points[-1]
    figures = [f"{point.memory:.0f} MB, {point.objects:,} objects" for point in points]
    return [
        *(noted(f"{what}, {point.move:,} moves", text) for point, text in zip(points, figures, strict=True)),
        judged("R15", f"{what}, second half", FLAT, Spread.of([end.memory / half.memory]), figure=figures[-1]),
    ]


def measured(number: int, pictures: int) -> Measured:
    """Play so many moves, with a glance at every so many of them unless `pictures` is 0."""
    points, rng = list[Point](), Random("glances")
    for move, (match, names) in enumerate(islice(moves("memory"), number), 1):
        if pictures and move % pictures == 0:
            view = glance(match, rng)
            renders.png(renders.draw(view, names))
            renders.tell(view, names)
        if move % (number // POINTS) == 0:
            gc.collect()
            points.append(Point(move, resident_mb(os.getpid()), len(gc.get_objects())))
    return Measured(points, fills())


def glance(match: Match, rng: Random) -> View:
    """What somebody may look at: the public board, or an own one while an answer is put together."""
    viewer = rng.choice((None, *map(Seat, range(match.setup.seats))))
    own = next((d for d in match.state.decisions() if d.seat == viewer), None)
    if own is None:
        return match.view(viewer)
    chosen = rng.choice(own.options)
    names = [f.name for f in fields(chosen)]
    settled = names[: rng.randint(0, len(names))]
    offered = tuple(
        option
        for option in own.options
        if type(option) is type(chosen) and all(getattr(option, n) == getattr(chosen, n) for n in settled)
    )
    return match.view(viewer, offered=offered)


def fills() -> dict[str, Fill]:
    """Whatever the engine and the pictures keep: cached functions, dicts that fill themselves, and globals."""
    return _functions() | _dicts() | _globals()


def _functions() -> dict[str, Fill]:
    found: dict[str, Fill] = {}
    for thing in gc.get_objects():
        if isinstance(thing, functools._lru_cache_wrapper) and _of_the_house(thing.__module__):
            info = thing.cache_info()
            hits = info.hits / max(1, info.hits + info.misses)
            found[f"{thing.__module__}.{thing.__qualname__}"] = Fill(info.currsize, info.maxsize, hits)
    return found


def _dicts() -> dict[str, Fill]:
    """Those with a class of their own, all of a class together; `ROOM` says how much each may hold."""
    found: defaultdict[type, list[Any]] = defaultdict(list)
    for thing in gc.get_objects():
        if isinstance(thing, dict) and _of_the_house(type(thing).__module__):
            found[type(thing)].append(thing)
    return {
        f"{kind.__module__}.{kind.__qualname__}": Fill(
            sum(map(len, held)), len(held) * kind.ROOM if hasattr(kind, "ROOM") else None
        )
        for kind, held in found.items()
    }


def _globals() -> dict[str, Fill]:
    modules = [(name, module) for name, module in sys.modules.items() if _of_the_house(name)]
    return {
        f"{module}.{name}": Fill(len(value), value.maxlen if isinstance(value, deque) else None)
        for module, held in modules
        for name, value in vars(held).items()
        if isinstance(value, dict | list | set | deque) and not name.startswith("__")
    }


def _of_the_house(module: str | None) -> bool:
    return (module or "").partition(".")[0] in ("engine", "renders")

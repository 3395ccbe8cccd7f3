"""Nothing grows without an owner: what the engine keeps between moves has a bound, or is a table that the rules fix."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from engine.core import Action, Event, field_types
from engine.games import discover
from tests.bench.memory import Fill, fills, glance
from tests.bench.walk import moves

FIRST, SECOND = 30_000, 10_000
"""Moves of the two samples: the first one has to meet everything that fills a table, such as partners in Jinns."""
RARE = 2
"""A table that the rules fix may get so many entries late, such as that of the last seat of a full table."""

Kept = dict[str, Fill]


@pytest.fixture(scope="module")
def before_and_after() -> tuple[Kept, Kept]:
    """What is kept after a long sample of random games, and after another one; classes are known from the start."""
    discover()
    for cls in (*_all_of(Event), *_all_of(Action)):
        field_types(cls)
    _play("a sample that fills the tables", FIRST)
    before = fills()
    _play("a sample of other games", SECOND)
    return before, fills()


def _all_of(cls: type) -> Iterator[type]:
    """The subclasses of a class in the engine; tests have some of their own."""
    for one in cls.__subclasses__():
        yield from _all_of(one)
        if one.__module__.startswith("engine."):
            yield one


def _play(seed: str, number: int) -> None:
    rng = Random(seed)
    for match, _ in islice(moves(seed), number):
        glance(match, rng)


def test_nothing_without_a_bound_grows_with_the_games(before_and_after: tuple[Kept, Kept]) -> None:
    before, after = before_and_after
    grown = {name: fill.entries - before[name].entries for name, fill in after.items() if fill.room is None}
    assert {} == {name: entries for name, entries in grown.items() if entries > RARE}


def test_nothing_is_larger_than_its_bound(before_and_after: tuple[Kept, Kept]) -> None:
    _, after = before_and_after
    assert [] == [name for name, fill in after.items() if fill.room is not None and fill.entries > fill.room]

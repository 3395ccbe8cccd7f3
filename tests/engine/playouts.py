"""Random playouts of all games, those of the repository and the toys."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

import pytest

from engine.core import GameSpec
from engine.games import discover
from kit import playouts
from kit.playouts import Case, Promise
from tests.engine.toys import TOYS

SPECS = (*discover().values(), *TOYS.values())


@cache
def cases() -> tuple[Case, ...]:
    """The cases of all games."""
    return tuple(case for spec in SPECS for case in playouts.cases_of(spec))


def in_every_case(specs: Iterable[GameSpec]) -> Callable[[Promise], Callable[[GameSpec], None]]:
    """A test for each of these games that checks a promise in all its cases; a failure names the case."""
    every_game = pytest.mark.parametrize("spec", specs, ids=lambda spec: spec.slug)
    return lambda promise: every_game(playouts.in_every_case(promise))

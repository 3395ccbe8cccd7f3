"""A change to the code that tests must notice, and the list of all."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

from engine.values import Value
from tests.mutants import changes


class Mutant(Value):
    """A change of a file: `old`, which stands there once, becomes `new`; the `test` fails by that."""

    name: str
    file: str
    old: str
    new: str
    test: str


def all_mutants() -> Iterator[Mutant]:
    """The mutants of all modules in `tests/mutants/changes`."""
    for module in iter_modules(changes.__path__):
        yield from import_module(f"{changes.__name__}.{module.name}").MUTANTS

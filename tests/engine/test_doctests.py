"""The examples in the docstrings of the engine run, and its public functions have some."""

from __future__ import annotations

import doctest
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages

import pytest

import engine

WITH_EXAMPLES = {
    "engine.core": {
        "Decision.forced",
        "GameSpec.seat_range",
        "GameSpec.setup",
        "Outcome",
        "all_but",
        "field_types",
        "only",
    },
    "engine.match": {"Match"},
    "engine.notation": {"field_values", "format_action", "is_value", "parse_action"},
    "engine.texts": {"Text", "joined", "option_text", "put_into_words", "restored", "rewritten", "shortened", "stored"},
    "engine.turns": {"turns_of"},
    "engine.wording": {"label", "say", "verb_words"},
}
"""Names that an author of a game uses."""

MODULES = sorted(one.name for one in walk_packages(engine.__path__, "engine.") if not one.name.endswith("__main__"))


def source(module: str) -> str:
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).read_text(encoding="utf-8")


@cache
def examples(module: str) -> list[doctest.DocTest]:
    return [test for test in doctest.DocTestFinder().find(import_module(module)) if test.examples]


@pytest.mark.parametrize("module", [module for module in MODULES if ">>> " in source(module)])
def test_the_examples_of_a_module_run(module: str) -> None:
    runner = doctest.DocTestRunner(verbose=False)
    reports: list[str] = []
    for test in examples(module):
        runner.run(test, out=reports.append)
    assert "" == "".join(reports)
    assert runner.tries > 0


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_the_names_that_an_author_uses_have_examples(module: str) -> None:
    names = {test.name.removeprefix(f"{module}.") for test in examples(module)}
    assert set() == WITH_EXAMPLES[module] - names

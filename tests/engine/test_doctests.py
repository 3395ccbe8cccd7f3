"""The examples in the docstrings of the engine and of the pictures run, and public functions have some."""

from __future__ import annotations

import doctest
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages

import pytest

import engine
import renders

WITH_EXAMPLES = {
    "engine.core": {
        "Action",
        "Event",
        "Frame",
        "option",
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
    "engine.texts": {
        *("Text", "joined", "listed", "number", "option_text", "format_text", "from_json", "rewrite"),
        *("seats_called", "shortened", "to_json", "term"),
    },
    "engine.evaluation": {"Evaluation", "hats"},
    "engine.languages": {"reading"},
    "engine.rulebook": {"Rulebook"},
    "engine.turns": {"turns_of"},
    "engine.wording": {"Voice", "label", "say", "verb_words"},
    "renders.words": {"alternatives", "clip", "escape_markdown", "shorten", "word"},
}
"""Names that an author of a game uses."""

MODULES = sorted(
    module.name
    for package in (engine, renders)
    for module in walk_packages(package.__path__, f"{package.__name__}.")
    if not module.name.endswith("__main__")
)


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
def test_names_for_game_authors_have_examples(module: str) -> None:
    names = {test.name.removeprefix(f"{module}.") for test in examples(module)}
    assert set() == WITH_EXAMPLES[module] - names

"""Every change of the list can still be made, and the test that is to notice it is there."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.mutants.mutant import Mutant, all_mutants

ROOT = Path(__file__).parents[2]


def test_each_mutant_matches_one_place_in_its_file_and_has_an_existing_test() -> None:
    assert [] == [mutant.name for mutant in all_mutants() if not (_has_one_place(mutant) and _has_a_test(mutant))]


def _has_one_place(mutant: Mutant) -> bool:
    source = (ROOT / mutant.file).read_text(encoding="utf-8")
    ast.parse(source.replace(mutant.old, mutant.new))
    return source.count(mutant.old) == 1


def _has_a_test(mutant: Mutant) -> bool:
    file, _, test = mutant.test.partition("::")
    return f"def {test}(" in (ROOT / file).read_text(encoding="utf-8") if test else (ROOT / file).exists()
